//! Reports of YouTube Analytics on one video: `/v2/reports`.
//!
//! They come at once and not after days, so that there is something to see; before a video is
//! processed there is nothing to report.
//!
//! Source: <https://developers.google.com/youtube/analytics/reference/reports/query>.

use chrono::NaiveDate;
use serde_json::{Value, json};

use super::Youtube;
use super::error::ApiError;
use super::oauth::REPORTS;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

impl Youtube {
    /// Answers a report.
    ///
    /// # Errors
    /// 400 for what is not imitated, 403 for another's video; those of tokens.
    pub(super) fn report(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, REPORTS)?;
        let given = |name: &str| request.query(name).unwrap_or_default();
        let day = |name: &str| given(name).parse::<NaiveDate>().ok();
        let days = day("startDate").zip(day("endDate")).filter(|(first, last)| first <= last);
        let wrong = |message: &str| ApiError::bad("badRequest", message);
        if days.is_none() || given("ids") != "channel==MINE" {
            return Err(wrong("The query is not supported."));
        }
        let video = given("filters").strip_prefix("video==").unwrap_or_default();
        let at = self.own(video, &caller)?;
        let has_data = self.videos[at].processed_at <= context.now;
        let (dimensions, metrics) = (given("dimensions"), given("metrics"));
        let rows: Vec<Value> = match (dimensions, metrics) {
            ("elapsedVideoTimeRatio", "audienceWatchRatio,relativeRetentionPerformance") => (1
                ..=100_u32)
                .map(|step| {
                    let elapsed = f64::from(step) / 100.0;
                    json!([elapsed, 1.2 - elapsed, 0.5])
                })
                .collect(),
            ("insightTrafficSourceType", "views,estimatedMinutesWatched")
                if given("sort") == "-views" =>
            {
                vec![
                    json!(["YT_SEARCH", 120, 240]),
                    json!(["EXT_URL", 80, 90]),
                    json!(["SUBSCRIBER", 40, 60]),
                ]
            }
            _ => return Err(wrong("The query is not supported.")),
        };
        let column = |kind: &str, name: &str| json!({ "name": name, "columnType": kind, "dataType": "FLOAT" });
        let headers = std::iter::once(column("DIMENSION", dimensions));
        let headers = headers.chain(metrics.split(',').map(|name| column("METRIC", name)));
        let mut report = json!({
            "kind": "youtubeAnalytics#resultTable",
            "columnHeaders": headers.collect::<Vec<_>>(),
        });
        if has_data {
            report["rows"] = Value::from(rows);
        }
        Ok(Answer::ok(&report))
    }
}
