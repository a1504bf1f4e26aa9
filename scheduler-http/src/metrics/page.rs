//! The page that Prometheus reads: who may, and what is gathered for it.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::app::Scheduler;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ports::{Backlog, WorkKind};
use scheduler_worker::WorkerStatus;
use sha2::{Digest as _, Sha256};
use tokio::time::timeout;

use crate::extract::Head;

use super::{Metrics, catalogue, seconds_since_1970};

/// How long a look at the store stands for the next ones, so that whoever reads the page often
/// costs the database nothing.
const GATHERED_FOR: TimeDelta = TimeDelta::seconds(5);

/// How long the store may take to answer.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Who may read the metrics of a server.
#[derive(Clone, Debug)]
pub enum MetricsAccess {
    /// Nobody, at this address: there is no such page.
    Hidden,
    /// Everybody who reaches the address.
    Open,
    /// Programs of this machine, as far as no proxy passes their requests on.
    Local,
    /// Whoever shows this token.
    Token(MetricsToken),
}

/// A token that opens the metrics; only its SHA-256 is kept.
#[derive(Clone)]
pub struct MetricsToken([u8; 32]);

impl MetricsToken {
    /// A token of any text.
    #[must_use]
    pub fn new(token: &str) -> Self {
        Self(Sha256::digest(token).into())
    }
}

impl std::fmt::Debug for MetricsToken {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("MetricsToken")
    }
}

impl MetricsAccess {
    /// Admits whoever has sent this.
    ///
    /// # Errors
    /// `not_found` where there is no page, `unauthorized` for a token that is missing or wrong,
    /// `forbidden` from elsewhere.
    pub(crate) fn admit(&self, head: &Head) -> Result<(), Refusal> {
        let shown = head.bearer();
        match self {
            Self::Hidden => {
                Err(Refusal::new(ErrorCode::NotFound, "There is nothing at this path."))
            }
            Self::Open => Ok(()),
            Self::Local if head.is_of_this_machine() => Ok(()),
            Self::Local => Err(Refusal::new(
                ErrorCode::Forbidden,
                "The metrics are shown to programs of the server's own machine; its operator can \
                 set metrics_token or metrics_listen.",
            )),
            Self::Token(token) => match shown.map(MetricsToken::new) {
                Some(shown) if shown.0 == token.0 => Ok(()),
                Some(_) | None => Err(Refusal::new(
                    ErrorCode::Unauthorized,
                    "Send the token of the metrics: Authorization: Bearer and the setting metrics_token.",
                )),
            },
        }
    }
}

/// What a look at the store has shown.
#[derive(Clone, Debug)]
pub(super) struct Gathered {
    at: DateTime<Utc>,
    /// `None` when the store did not answer.
    backlog: Option<Vec<Backlog>>,
}

impl Metrics {
    /// The page, after a look at whatever has to be looked at.
    pub(crate) async fn page(
        &self,
        scheduler: &Scheduler,
        worker: Option<&WorkerStatus>,
    ) -> String {
        let gathered = self.gathered(scheduler).await;
        let now = scheduler.ports().clock.now();
        self.show(&gathered, now);
        if let Some(at) = worker.and_then(WorkerStatus::last_turn) {
            self.gauge(&catalogue::LAST_TURN, [""; 0]).set(seconds_since_1970(at));
        }
        if let Some(counts) = self.0.connections.get() {
            let counts = counts();
            let used = counts.open.saturating_sub(counts.idle);
            self.gauge(&catalogue::CONNECTIONS, ["idle"]).set(f64::from(counts.idle));
            self.gauge(&catalogue::CONNECTIONS, ["used"]).set(f64::from(used));
            self.gauge(&catalogue::CONNECTIONS_MAX, [""; 0]).set(f64::from(counts.max));
        }
        self.0.handle.render()
    }

    /// What the latest look at the store has shown, or a new one. Of those that ask at once, one
    /// looks.
    async fn gathered(&self, scheduler: &Scheduler) -> Gathered {
        let mut kept = self.0.gathered.lock().await;
        let at = scheduler.ports().clock.now();
        if let Some(gathered) = kept.as_ref().filter(|kept| (at - kept.at).abs() < GATHERED_FOR) {
            return gathered.clone();
        }
        let backlog = match timeout(TIMEOUT, scheduler.ports().store.backlog(at)).await {
            Ok(Ok(backlog)) => Some(backlog),
            Ok(Err(error)) => {
                tracing::warn!(error = crate::error::chain(&error), "the backlog cannot be read");
                None
            }
            Err(_) => {
                tracing::warn!("the backlog is not read in time");
                None
            }
        };
        let gathered = Gathered { at, backlog };
        *kept = Some(gathered.clone());
        gathered
    }

    /// Of work that cannot be read nothing is known, which is no number.
    #[expect(clippy::cast_precision_loss, reason = "ten thousand at most")]
    fn show(&self, gathered: &Gathered, now: DateTime<Utc>) {
        let is_up = gathered.backlog.is_some();
        self.gauge(&catalogue::STORE_UP, [""; 0]).set(f64::from(u8::from(is_up)));
        for kind in WorkKind::ALL {
            let (count, age) = match &gathered.backlog {
                None => (f64::NAN, f64::NAN),
                Some(backlog) => match backlog.iter().find(|of| of.kind == kind) {
                    None => (0.0, 0.0),
                    Some(of) => {
                        let age = (now - of.oldest).to_std().unwrap_or_default();
                        (of.count as f64, age.as_secs_f64())
                    }
                },
            };
            self.gauge(&catalogue::WORK_DUE, [kind.as_str()]).set(count);
            self.gauge(&catalogue::OLDEST_DUE, [kind.as_str()]).set(age);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_read() {
        let token = MetricsAccess::Token(MetricsToken::new("of-the-operator"));
        let of_operator = Some("of-the-operator");
        for (name, access, shown, want) in [
            ("hidden", MetricsAccess::Hidden, of_operator, Err(ErrorCode::NotFound)),
            ("open", MetricsAccess::Open, None, Ok(())),
            (
                "of this machine, from elsewhere",
                MetricsAccess::Local,
                None,
                Err(ErrorCode::Forbidden),
            ),
            ("the token", token.clone(), of_operator, Ok(())),
            ("another", token.clone(), Some("of-the-operatox"), Err(ErrorCode::Unauthorized)),
            ("a part of it", token.clone(), Some("of-the"), Err(ErrorCode::Unauthorized)),
            ("nothing", token.clone(), Some(""), Err(ErrorCode::Unauthorized)),
            ("none", token.clone(), None, Err(ErrorCode::Unauthorized)),
        ] {
            let mut request = http::Request::new(());
            if let Some(shown) = shown {
                let value = format!("Bearer {shown}").parse().unwrap();
                request.headers_mut().insert(http::header::AUTHORIZATION, value);
            }
            let admitted = access.admit(&Head::take(&mut request));
            assert_eq!(admitted.map_err(|refusal| refusal.code), want, "{name}");
        }
        assert!(!format!("{token:?}").contains("operator"));
    }
}
