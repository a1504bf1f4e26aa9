//! What happens without a request: publishing what is due and what follows it, delivering events,
//! working on files, and reading figures.
//!
//! A worker claims work from the queue and hands each claim to
//! [`Scheduler::run`](crate::app::Scheduler::run). Everything
//! that must not be lost is stored before the call that needs it; whatever dies in between is
//! simply due again when its lease ends.

mod acting;
mod budget;
mod charge;
mod deliver;
mod fault;
mod history;
mod idle;
mod media;
mod outcome;
mod patience;
mod publish;
mod read;
mod refresh;
mod run;
mod token;
mod unreadable;
mod watch;

pub(crate) use acting::ActError;
pub use history::HistoryRemoved;
pub use outcome::{Impossible, LEASE, Ran, RunError};
pub(crate) use refresh::Refreshes;
pub use watch::{Fact, Unwatched, Watch};
