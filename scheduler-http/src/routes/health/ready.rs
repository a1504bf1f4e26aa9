//! `GET /readyz`, outside the API: whether the process can do its work.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_worker::Trouble;
use serde::Serialize;
use tokio::time::timeout;

use crate::answer::json;
use crate::error::chain;
use crate::routes::prelude::*;

/// How long the database may take to answer.
const TIMEOUT: Duration = Duration::from_secs(2);

/// How long ago the worker's loop has turned at most; it turns at least once a second.
const TURN_AGO_MAX: TimeDelta = TimeDelta::seconds(5);

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Readiness {
    status: &'static str,
    database: &'static str,
    /// Whether anything can be written: `ok`, `full` or `unavailable`.
    storage: &'static str,
    /// By how many milliseconds the clock of this machine is ahead of the database's; null while
    /// they agree. Nothing is published while they do not.
    clock_ahead_ms: Option<i64>,
    /// When the worker of this process has last looked for work; null when it has none.
    last_turn: Option<DateTime<Utc>>,
    /// Since when the oldest work is due that nobody has taken; null when none waits.
    oldest_due: Option<DateTime<Utc>>,
}

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "readiness",
    method: Method::GET,
    pattern: "/readyz",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(ready(call))),
    description: None,
};

async fn ready(call: Call) -> Result<Response, ApiError> {
    let api = &call.api;
    let ports = api.scheduler.ports();
    let now = ports.clock.now();
    let (answers, next_due) = match timeout(TIMEOUT, ports.store.next_due(now)).await {
        Ok(Ok(next_due)) => (true, next_due),
        Ok(Err(error)) => {
            tracing::warn!(error = chain(&error), "the database does not answer");
            (false, None)
        }
        Err(_) => (false, None),
    };
    api.health.ask_if_stale().await;
    let trouble = api.health.trouble();
    let last_turn = api.worker.as_ref().and_then(|worker| worker.last_turn());
    let turns = api.worker.is_none() || last_turn.is_some_and(|at| now - at <= TURN_AGO_MAX);
    let is_ready = answers && turns && trouble.is_none();
    let readiness = Readiness {
        status: if is_ready { "ok" } else { "unavailable" },
        database: if answers { "ok" } else { "unavailable" },
        storage: match trouble {
            Some(Trouble::StoreFull) => "full",
            Some(Trouble::StoreUnavailable) => "unavailable",
            Some(Trouble::ClockDiffers(_)) | None => "ok",
        },
        clock_ahead_ms: match trouble {
            Some(Trouble::ClockDiffers(ahead)) => Some(ahead.num_milliseconds()),
            Some(Trouble::StoreFull | Trouble::StoreUnavailable) | None => None,
        },
        last_turn,
        oldest_due: next_due.filter(|due_at| *due_at <= now),
    };
    let status = if is_ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    Ok(json(status, &readiness))
}
