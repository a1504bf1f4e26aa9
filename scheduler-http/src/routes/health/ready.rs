//! `GET /readyz`

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde::Serialize;
use tokio::time::timeout;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer::json;
use crate::api::Api;
use crate::endpoints::READINESS;
use crate::error::{ApiError, chain};
use crate::routes::{answered, get, with};

/// How long the database may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long ago the worker's loop has turned at most; it turns at least once a second.
const TURN_AGO_MAX: TimeDelta = TimeDelta::seconds(5);

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Readiness {
    status: &'static str,
    database: &'static str,
    /// When the worker of this process has last looked for work; null when it has none.
    last_turn: Option<DateTime<Utc>>,
    /// Since when the oldest work is due that nobody has taken; null when none waits.
    oldest_due: Option<DateTime<Utc>>,
}

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("readyz")
        .and(get())
        .and(with(api))
        .then(|api| answered(&READINESS, ready(api)))
        .boxed()
}

async fn ready(api: Arc<Api>) -> Result<Response, ApiError> {
    let ports = api.scheduler.ports();
    let now = ports.clock.now();
    let (answers, next_due) = match timeout(PATIENCE, ports.store.next_due(now)).await {
        Ok(Ok(next_due)) => (true, next_due),
        Ok(Err(error)) => {
            tracing::warn!(error = chain(&error), "the database does not answer");
            (false, None)
        }
        Err(_) => (false, None),
    };
    let last_turn = api.worker.as_ref().and_then(|worker| worker.last_turn());
    let turns = api.worker.is_none() || last_turn.is_some_and(|at| now - at <= TURN_AGO_MAX);
    let readiness = Readiness {
        status: if answers && turns { "ok" } else { "unavailable" },
        database: if answers { "ok" } else { "unavailable" },
        last_turn,
        oldest_due: next_due.filter(|due_at| *due_at <= now),
    };
    let status = if answers && turns { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    Ok(json(status, &readiness))
}
