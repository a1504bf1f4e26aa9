//! Importing posts from a file.
//!
//! What lives here: `options` (what a person asks for), `source` (a file, its form, its posts),
//! `sheet`, `lines`, `exported` and `foreign` (tables, JSON lines, exports, the posts of other
//! systems), `entry` (a line, read), `times` (what people write for times), `verify` (phase 1, on
//! this machine), `plan` (all lines, and phase 2 at the server), `journal` (what earlier runs have
//! made), `files`, `bodies`, `calls`, `batches`, `create`, and `report`. The command is in
//! `crate::commands`.
//!
//! Nothing is created before every line was looked at. Every post is created under an idempotency
//! key that follows from its line, so that no run makes a post of an earlier one again.

mod batches;
mod bodies;
mod calls;
mod create;
mod entry;
mod exported;
mod fault;
mod files;
mod foreign;
mod journal;
mod lines;
mod options;
mod plan;
mod records;
mod report;
mod run;
mod sheet;
mod source;
mod times;
mod verify;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use exported::{FORMAT as EXPORT_FORMAT, VERSION as EXPORT_VERSION};
pub(crate) use options::ImportOptions;
pub(crate) use run::run;

/// What a lock guards, also when somebody has panicked who held it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
