//! How a video is watched, and where its viewers come from.
//!
//! Source: <https://developers.google.com/youtube/analytics/reference/reports/query>.

use chrono::NaiveDate;
use scheduler_core::ports::{Access, Insights, LivePost, NetworkError, Retention, TrafficSource};
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde_json::Value;

use super::api::Api;
use super::errors::{failure, unreadable};
use super::wire::{REPORTS, Tokens};
use crate::conversation::{Answer, Request, Session, Turn, TurnResult};

/// A report: the names of its columns, and rows of values in their order.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    column_headers: Vec<Column>,
    /// Absent where there is nothing to report.
    #[serde(default)]
    rows: Vec<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
struct Column {
    name: String,
}

/// The next turn of reading two reports of a video, from its first day until today; `None` without
/// the permission for them.
pub(super) fn insights(
    api: &Api,
    session: &Session<'_, Tokens>,
    post: &LivePost,
    answers: &[Answer],
) -> TurnResult<Option<Insights>> {
    if !session.credentials.may(REPORTS) {
        return Ok(Turn::Done(None));
    }
    let days = (post.published_at.date_naive(), session.now.date_naive());
    let request = |dimension, metrics, sort| {
        report(api, &session.credentials, post, days, dimension, metrics, sort)
    };
    let Some(answer) = answers.first() else {
        let metrics = "audienceWatchRatio,relativeRetentionPerformance";
        return Ok(Turn::Send(request("elapsedVideoTimeRatio", metrics, None)));
    };
    // The permission was not given after all.
    if answer.status == 403 && !is_limit(answer) {
        return Ok(Turn::Done(None));
    }
    let curve = read(answer, session)?;
    let Some(answer) = answers.get(1) else {
        let metrics = "views,estimatedMinutesWatched";
        return Ok(Turn::Send(request("insightTrafficSourceType", metrics, Some("-views"))));
    };
    let traffic = read(answer, session)?;
    let retention = curve.rows.iter().filter_map(|row| {
        Some(Retention {
            elapsed_ratio: curve.value(row, "elapsedVideoTimeRatio")?.as_f64()?,
            watch_ratio: curve.value(row, "audienceWatchRatio")?.as_f64()?,
            relative_performance: curve
                .value(row, "relativeRetentionPerformance")
                .and_then(Value::as_f64),
        })
    });
    let sources = traffic.rows.iter().filter_map(|row| {
        Some(TrafficSource {
            source: traffic.value(row, "insightTrafficSourceType")?.as_str()?.to_owned(),
            views: traffic.value(row, "views")?.as_u64()?,
            watch_time_minutes: traffic.value(row, "estimatedMinutesWatched")?.as_f64()?,
        })
    });
    Ok(Turn::Done(Some(Insights {
        retention: retention.collect(),
        traffic_sources: sources.collect(),
        days: Some(days),
    })))
}

fn report(
    api: &Api,
    tokens: &Tokens,
    post: &LivePost,
    (first, last): (NaiveDate, NaiveDate),
    dimension: &str,
    metrics: &str,
    sort: Option<&str>,
) -> Request {
    let (first, last) = (first.to_string(), last.to_string());
    let filters = format!("video=={}", post.remote.id);
    let mut pairs = vec![
        ("ids", "channel==MINE"),
        ("startDate", first.as_str()),
        ("endDate", last.as_str()),
        ("dimensions", dimension),
        ("metrics", metrics),
        ("filters", filters.as_str()),
    ];
    pairs.extend(sort.map(|sort| ("sort", sort)));
    Request::read(api.report(&pairs)).bearer(tokens.access_token.expose_secret())
}

impl Report {
    fn value<'a>(&self, row: &'a [Value], name: &str) -> Option<&'a Value> {
        row.get(self.column_headers.iter().position(|column| column.name == name)?)
    }
}

fn is_limit(answer: &Answer) -> bool {
    use scheduler_core::ports::NetworkErrorKind as Kind;
    matches!(failure(answer, false, None).kind, Kind::RateLimited { .. })
}

fn read(answer: &Answer, access: &Access) -> Result<Report, NetworkError> {
    if !answer.is_success() {
        return Err(failure(answer, false, Some(access.now)).of_act());
    }
    answer.json().ok_or_else(unreadable)
}

#[cfg(test)]
#[path = "insights_tests.rs"]
mod tests;
