//! Importing posts from a file.
//!
//! What lives here: `source` (a file, its form, its posts), `sheet` and `lines` and `exported`
//! (tables, JSON lines, exports), `entry` (a line, read), `times` (what people write for times),
//! `verify` (phase 1, on this machine), `plan` (all lines, and phase 2 at the server), `journal`
//! (what earlier runs have made), `files`, `bodies`, `calls`, `create`, and `report`. The command
//! is in `crate::commands`.
//!
//! Nothing is created before every line was looked at. Every post is created under an idempotency
//! key that follows from its line, so that no run makes a post of an earlier one again.

mod bodies;
mod calls;
mod create;
mod entry;
mod exported;
mod fault;
mod files;
mod journal;
mod lines;
mod plan;
mod progress;
mod records;
mod report;
mod run;
mod sheet;
mod source;
mod times;
mod verify;

pub(crate) use exported::{FORMAT as EXPORT_FORMAT, VERSION as EXPORT_VERSION};
pub(crate) use run::{Import, run};
pub(crate) use source::{Format, Reading};

/// The command, for advice on what it was refused.
fn command() -> crate::commands::CommandPath {
    crate::commands::CommandPath::of(["import".to_owned()])
}
