//! Counting what the worker does.

use std::any::Any;
use std::time::Duration;

use chrono::TimeDelta;
use scheduler_core::engine::RunOutcome;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{CallClass, Claim, NetworkErrorKind, WorkKind};
use scheduler_core::target::FailureCode;
use scheduler_worker::{Ended, Report, WorkerObserver};

use super::{Metrics, catalogue, network};

/// Ends of publishes by outcome, class and code of which even the first has to be seen to rise: an
/// account that is cut off, and a post that a person has to look for.
pub(super) const PUBLISH_ENDS: [[&str; 3]; 4] = {
    let (reconnect, temporary, in_doubt) =
        (NetworkErrorKind::Reconnect, NetworkErrorKind::Temporary, NetworkErrorKind::InDoubt);
    let unknown = FailureCode::InDoubt.as_str();
    [
        ["published", "none", "none"],
        ["failed", reconnect.as_str(), reconnect.failure_code().as_str()],
        ["failed", in_doubt.as_str(), unknown],
        ["failed", temporary.as_str(), unknown],
    ]
};

/// How an attempt at a delivery can end.
pub(super) const DELIVERY_OUTCOMES: [&str; 3] = ["delivered", "deferred", "failed"];

/// How work on a file can end.
pub(super) const MEDIA_OUTCOMES: [&str; 5] =
    ["fetched", "examined", "erased", "given_up", "deferred"];

/// How work can end that the engine did not bring to an end of its own.
pub(super) const FAULTS: [&str; 3] = ["store_failed", "panicked", "lease_lost"];

/// What a run is counted as, besides as work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    Publish(&'static str),
    Delivery(&'static str),
    Media(&'static str),
    Readings(&'static str),
    /// As work alone.
    Work,
}

const fn counted(ran: RunOutcome) -> Counted {
    let [delivered, delivery_deferred, delivery_failed] = DELIVERY_OUTCOMES;
    let [fetched, examined, erased, given_up, deferred] = MEDIA_OUTCOMES;
    match ran {
        RunOutcome::Published => Counted::Publish("published"),
        RunOutcome::PublishFailed => Counted::Publish("failed"),
        RunOutcome::PublishDeferred => Counted::Publish("deferred"),
        RunOutcome::Delivered => Counted::Delivery(delivered),
        RunOutcome::DeliveryDeferred => Counted::Delivery(delivery_deferred),
        RunOutcome::DeliveryFailed => Counted::Delivery(delivery_failed),
        RunOutcome::FileFetched => Counted::Media(fetched),
        RunOutcome::FileExamined => Counted::Media(examined),
        RunOutcome::FileErased => Counted::Media(erased),
        RunOutcome::FileGivenUp => Counted::Media(given_up),
        RunOutcome::FileDeferred => Counted::Media(deferred),
        RunOutcome::Read => Counted::Readings("read"),
        RunOutcome::ReadDeferred => Counted::Readings("deferred"),
        RunOutcome::PublishWaits
        | RunOutcome::PublishWithheld
        | RunOutcome::PublishCoolsDown
        | RunOutcome::Followed
        | RunOutcome::FollowDeferred
        | RunOutcome::Lost => Counted::Work,
    }
}

impl WorkerObserver for Metrics {
    fn lane_begun(&self, kind: WorkKind, platform: Option<Platform>) -> Box<dyn Any + Send> {
        Box::new(self.in_flight(kind, platform))
    }

    fn begun(&self, claim: &Claim, late: TimeDelta) {
        if claim.kind == WorkKind::Publish {
            let labels = [network(claim.platform)];
            self.time(&catalogue::PUBLISH_LATENESS, labels, at_least_zero(late));
        }
    }

    fn ended(&self, claim: &Claim, ended: Ended, report: &Report) {
        let [store_failed, panicked, lease_lost] = FAULTS;
        let outcome = match ended {
            Ended::Ran(ran) => ran.as_str(),
            Ended::StoreFailed => store_failed,
            Ended::Panicked => panicked,
            Ended::LeaseLost => lease_lost,
        };
        self.counter(&catalogue::WORK, [claim.kind.as_str(), outcome]).increment(1);
        if let Some((status, took)) = report.answer {
            let answer = status.map_or(CallClass::Lost, CallClass::of_status).as_str();
            self.time(&catalogue::DELIVERY_DURATION, [answer], at_least_zero(took));
        }
        let Ended::Ran(ran) = ended else { return };
        let network = network(claim.platform);
        match counted(ran) {
            Counted::Publish(outcome) => {
                let failure = report.failure.filter(|_| ran != RunOutcome::Published);
                let (class, code) =
                    failure.map_or(("none", "none"), |(kind, code)| (kind.as_str(), code.as_str()));
                let labels = [network, outcome, class, code];
                self.counter(&catalogue::PUBLISH_OUTCOMES, labels).increment(1);
                if let Some(after) = report.live_after.filter(|_| ran == RunOutcome::Published) {
                    let after = at_least_zero(after);
                    self.time(&catalogue::PUBLISH_UNTIL_LIVE, [network], after);
                }
            }
            Counted::Delivery(outcome) => {
                self.counter(&catalogue::DELIVERIES, [outcome]).increment(1);
            }
            Counted::Media(outcome) => {
                self.counter(&catalogue::MEDIA_WORK, [outcome]).increment(1);
            }
            Counted::Readings(outcome) => {
                self.counter(&catalogue::READINGS, [network, outcome]).increment(1);
            }
            Counted::Work => {}
        }
    }
}

/// Clocks of two nodes may differ.
fn at_least_zero(time: TimeDelta) -> Duration {
    time.to_std().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every end of the engine is counted as.
    #[test]
    fn every_end_has_its_counter() {
        for ran in RunOutcome::ALL {
            let want = match ran.as_str() {
                "published" => Counted::Publish("published"),
                "publish_failed" => Counted::Publish("failed"),
                "publish_deferred" => Counted::Publish("deferred"),
                "delivered" => Counted::Delivery("delivered"),
                "delivery_failed" => Counted::Delivery("failed"),
                "delivery_deferred" => Counted::Delivery("deferred"),
                "file_fetched" => Counted::Media("fetched"),
                "file_examined" => Counted::Media("examined"),
                "file_erased" => Counted::Media("erased"),
                "file_given_up" => Counted::Media("given_up"),
                "file_deferred" => Counted::Media("deferred"),
                "read" => Counted::Readings("read"),
                "read_deferred" => Counted::Readings("deferred"),
                "publish_waits" | "publish_withheld" | "publish_cools_down" | "followed"
                | "follow_deferred" | "lost" => Counted::Work,
                other => panic!("{other} is not in this table"),
            };
            assert_eq!(counted(ran), want, "{ran:?}");
        }
    }

    #[test]
    fn a_time_before_its_beginning_counts_as_none() {
        assert_eq!(at_least_zero(TimeDelta::milliseconds(-5)), Duration::ZERO);
        assert_eq!(at_least_zero(TimeDelta::milliseconds(5)), Duration::from_millis(5));
    }
}
