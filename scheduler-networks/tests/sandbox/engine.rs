//! Publishing as the engine does, without waiting: the clock of the networks is moved instead.

use std::sync::Mutex;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{Located, Network, NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::Remote;
use scheduler_sandbox::Sandbox;
use serde_json::json;

use crate::support::present;

/// How long a sandbox is left alone with the links that it follows, which no clock hurries.
const FETCHING: Duration = Duration::from_millis(5);

/// The clock of a sandbox, as far as a test has moved it ahead of the machine's.
#[derive(Debug, Default)]
pub(crate) struct Clock(Mutex<TimeDelta>);

impl Clock {
    /// The present of the networks.
    pub(crate) fn now(&self) -> DateTime<Utc> {
        present() + *self.0.lock().unwrap()
    }
}

/// An engine of one network.
pub(crate) struct Engine<'a> {
    pub(crate) network: &'a dyn Network,
    pub(crate) sandbox: &'a Sandbox,
    pub(crate) control: &'a reqwest::Client,
    pub(crate) clock: &'a Clock,
}

impl Engine<'_> {
    /// Publishes as the engine does, attempt after attempt; also what went wrong on the way.
    pub(crate) async fn publish(
        &self,
        mut job: PublishJob,
    ) -> (Result<Remote, NetworkError>, Vec<NetworkErrorKind>) {
        let network = self.network;
        let mut progress = network.begin(&job);
        let mut is_in_doubt = false;
        let mut failures = Vec::new();
        let mut live: Option<Remote> = None;
        loop {
            assert!(failures.len() < 10, "no end: {failures:?}");
            let step = if is_in_doubt {
                match network.locate(&job, &progress).await {
                    Ok(Located::Live(found)) => Ok(Step::Live(found)),
                    Ok(Located::Continue(next) | Located::Absent(next) | Located::Repeat(next)) => {
                        Ok(Step::Next(next))
                    }
                    Ok(Located::Wait { progress: next, until }) => {
                        progress = next;
                        self.wait(&mut job, until).await;
                        continue;
                    }
                    Ok(Located::Unknown) => panic!("unknown: {failures:?}"),
                    Err(error) => Err(error),
                }
            } else {
                network.advance(&job, &progress).await
            };
            let error = match step {
                Ok(Step::Live(found)) => {
                    live = found.remote.or(live);
                    match found.then {
                        Some(then) => (progress, is_in_doubt) = (then, false),
                        None => return (Ok(live.unwrap()), failures),
                    }
                    continue;
                }
                Ok(Step::Next(next)) => {
                    (progress, is_in_doubt) = (next, false);
                    continue;
                }
                Ok(Step::Wait { progress: next, until }) => {
                    (progress, is_in_doubt) = (next, false);
                    self.wait(&mut job, until).await;
                    continue;
                }
                Ok(Step::Failed { progress: next, error }) => {
                    (progress, is_in_doubt) = (next, false);
                    error
                }
                Err(error) => error,
            };
            failures.push(error.kind);
            match error.kind {
                NetworkErrorKind::InDoubt | NetworkErrorKind::Unsettled => {
                    is_in_doubt = true;
                }
                NetworkErrorKind::Temporary | NetworkErrorKind::RateLimited { .. } => {
                    let until = job.now + TimeDelta::minutes(1);
                    self.wait(&mut job, until).await;
                }
                NetworkErrorKind::TokenExpired => {
                    let refreshed = network.refresh(&job.account, &job.credentials).await;
                    match refreshed {
                        Ok(credentials) => job.credentials = credentials,
                        Err(error) => return (Err(error), failures),
                    }
                }
                NetworkErrorKind::Permanent | NetworkErrorKind::Reconnect => {
                    return (Err(error), failures);
                }
            }
        }
    }

    /// Lets time pass, for the job and for the networks.
    pub(crate) async fn wait(&self, job: &mut PublishJob, until: DateTime<Utc>) {
        let by = (until - job.now).max(TimeDelta::zero());
        job.now += by;
        let url = format!("{}/_sandbox/clock", self.sandbox.url());
        let body = json!({ "advanceMilliseconds": by.num_milliseconds() });
        *self.clock.0.lock().unwrap() += by;
        let answer = self.control.post(url).json(&body).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        tokio::time::sleep(FETCHING).await;
    }
}
