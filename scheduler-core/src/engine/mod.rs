//! What happens without a request: publishing what is due and what follows it, delivering events,
//! working on files, and reading figures.
//!
//! A worker claims work from the queue and hands each claim to
//! [`Scheduler::run`](crate::app::Scheduler::run). Everything
//! that must not be lost is stored before the call that needs it; whatever dies in between is
//! simply due again when its lease ends.

mod budget;
mod charge;
mod deliver;
mod fault;
mod history;
mod idle;
mod media;
mod network_call;
mod notify;
mod observer;
mod outcome;
mod poll;
mod publish;
mod quota;
mod read;
mod recurrences;
mod refresh;
mod run;
mod store_retry;
mod token;
mod unreadable;

pub(crate) use charge::spoken;
pub use history::HistoryRemoved;
pub(crate) use network_call::NetworkCallError;
pub use observer::{NoObserver, RunEvent, RunObserver};
pub use outcome::{Impossible, LEASE, RunError, RunOutcome};
pub(crate) use refresh::Refreshes;
