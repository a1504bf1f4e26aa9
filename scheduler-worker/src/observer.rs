//! Who is told how work went, such as to count and time it.

use std::any::Any;
use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::engine::{RunEvent, RunOutcome};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Claim, NetworkErrorKind, WorkKind};
use scheduler_core::target::FailureCode;

/// How one piece of work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// As the engine says.
    Ran(RunOutcome),
    /// The store failed.
    StoreFailed,
    /// It panicked, or came to a state that there cannot be: this program has a bug.
    Panicked,
    /// Somebody else may have it.
    LeaseLost,
}

/// What one piece of work has shown while it was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How long after it was due a target went live.
    pub live_after: Option<TimeDelta>,
    /// The failure that it ended with.
    pub failure: Option<(NetworkErrorKind, FailureCode)>,
    /// What a receiver answered, and how long that took.
    pub answer: Option<(Option<u16>, TimeDelta)>,
    /// When it is tried again.
    pub again_at: Option<DateTime<Utc>>,
}

impl Report {
    /// Keeps what counts of a event; the latest of each kind stays.
    pub(crate) const fn on_event(&mut self, event: RunEvent) {
        match event {
            RunEvent::Live { after } => self.live_after = Some(after),
            RunEvent::Failed { kind, code } => self.failure = Some((kind, code)),
            RunEvent::Answered { status, took } => self.answer = Some((status, took)),
            RunEvent::Again { at } => self.again_at = Some(at),
            RunEvent::Publish { .. }
            | RunEvent::Delivery { .. }
            | RunEvent::File { .. }
            | RunEvent::Readings { .. } => {}
        }
    }
}

/// Is told how work goes. Its methods must be quick and never wait.
pub trait WorkerObserver: Send + Sync + fmt::Debug {
    /// A lane is in flight until the answer is dropped.
    fn lane_begun(&self, _kind: WorkKind, _platform: Option<Platform>) -> Box<dyn Any + Send> {
        Box::new(())
    }

    /// A piece of work has begun, so long after it was due.
    fn begun(&self, _claim: &Claim, _late: TimeDelta) {}

    /// A piece of work has ended.
    fn ended(&self, _claim: &Claim, _ended: Ended, _report: &Report) {}
}

/// Takes notice of nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl WorkerObserver for Unobserved {}
