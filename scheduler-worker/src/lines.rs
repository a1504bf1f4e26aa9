//! What the log says of the work.
//!
//! Every line that is written while a piece of work is done carries the ids of what it is about:
//! they are fields of the span around it. Each piece ends with one line.

use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{SecondsFormat, TimeDelta};
use scheduler_core::engine::{RunEvent, RunObserver, RunOutcome};
use scheduler_core::ports::{Claim, WorkKind};
use tracing::field::{Empty, display};
use tracing::{Level, Span};

use crate::observer::Report;

/// What is known of one piece of work, for its lines and for what is counted of it.
#[derive(Debug)]
pub(crate) struct Told {
    span: Span,
    report: Mutex<Report>,
}

impl Told {
    /// Nothing but what the claim says.
    pub(crate) fn new(claim: &Claim) -> Self {
        // At the level of errors, so that lines of every level have it.
        let span = tracing::error_span!(
            "work",
            kind = claim.kind.as_str(),
            work_id = %claim.work_id,
            workspace_id = %claim.workspace_id,
            platform = claim.platform.map(|platform| platform.as_str()),
            post_id = Empty,
            target_id = Empty,
            account_id = Empty,
            delivery_id = Empty,
            event_id = Empty,
            webhook_id = Empty,
            media_id = Empty,
            attempt = Empty,
        );
        match claim.kind {
            WorkKind::Publish => span.record("target_id", display(claim.subject)),
            WorkKind::Deliver => span.record("delivery_id", display(claim.subject)),
            WorkKind::Fetch | WorkKind::Examine | WorkKind::Erase => {
                span.record("media_id", display(claim.subject))
            }
            WorkKind::Read => span.record("account_id", display(claim.subject)),
        };
        Self { span, report: Mutex::default() }
    }

    /// The span around the work.
    pub(crate) const fn span(&self) -> &Span {
        &self.span
    }

    /// The span, and the report.
    pub(crate) fn into_parts(self) -> (Span, Report) {
        (self.span, self.report.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn report(&self) -> MutexGuard<'_, Report> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunObserver for Told {
    fn on_event(&self, event: RunEvent) {
        match event {
            RunEvent::Publish { post_id, account_id, attempt, .. } => {
                self.span
                    .record("post_id", display(post_id))
                    .record("account_id", display(account_id))
                    .record("attempt", attempt);
            }
            RunEvent::Delivery { event_id, webhook_id, attempt } => {
                self.span
                    .record("event_id", display(event_id))
                    .record("webhook_id", display(webhook_id))
                    .record("attempt", attempt);
            }
            // The claim has said it.
            RunEvent::File { .. } | RunEvent::Readings { .. } => {}
            RunEvent::Live { .. }
            | RunEvent::Failed { .. }
            | RunEvent::Answered { .. }
            | RunEvent::Again { .. } => {
                self.report().on_event(event);
            }
        }
    }
}

/// How the log says that a piece of work has ended.
const fn level(ran: RunOutcome) -> Level {
    match ran {
        RunOutcome::Published
        | RunOutcome::PublishFailed
        | RunOutcome::PublishWithheld
        | RunOutcome::PublishCoolsDown
        | RunOutcome::Followed
        | RunOutcome::Delivered
        | RunOutcome::DeliveryFailed
        | RunOutcome::FileFetched
        | RunOutcome::FileExamined
        | RunOutcome::FileErased
        | RunOutcome::FileGivenUp
        | RunOutcome::Lost => Level::INFO,
        // What went wrong and may go right by itself.
        RunOutcome::PublishDeferred
        | RunOutcome::FollowDeferred
        | RunOutcome::DeliveryDeferred
        | RunOutcome::FileDeferred
        | RunOutcome::ReadDeferred => Level::WARN,
        // What happens all the time.
        RunOutcome::PublishWaits | RunOutcome::Read => Level::DEBUG,
    }
}

/// The last line of a piece of work.
pub(crate) struct Line<'a> {
    /// How long after it was due it began.
    pub(crate) late: TimeDelta,
    pub(crate) took: TimeDelta,
    pub(crate) report: &'a Report,
}

impl Line<'_> {
    /// Writes it.
    pub(crate) fn write(&self, ran: RunOutcome) {
        let Report { failure, answer, again_at, live_after } = *self.report;
        let outcome = ran.as_str();
        let late_ms = self.late.num_milliseconds();
        let duration_ms = self.took.num_milliseconds();
        let failure = failure.filter(|_| ran != RunOutcome::Published);
        let error_class = failure.map(|(kind, _)| kind.as_str());
        let error_code = failure.map(|(_, code)| code.as_str());
        let live_after_ms = live_after.map(|after| after.num_milliseconds());
        let status = answer.and_then(|(status, _)| status);
        let next_at = again_at.map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true));
        macro_rules! line {
            ($level:expr) => {
                tracing::event!(
                    $level,
                    outcome,
                    late_ms,
                    duration_ms,
                    live_after_ms,
                    status,
                    error_class,
                    error_code,
                    next_at,
                    "ended"
                )
            };
        }
        match level(ran) {
            Level::WARN => line!(Level::WARN),
            Level::DEBUG => line!(Level::DEBUG),
            _ => line!(Level::INFO),
        }
    }
}
