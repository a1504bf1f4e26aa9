//! Figures of Pins.
//!
//! Source: <https://github.com/pinterest/api-description>, `GET /pins/{pin_id}/analytics` and
//! `pin_metrics` of `GET /pins/{pin_id}`.

use chrono::{Days, NaiveDate};
use serde_json::{Map, Value, json};

use super::Pinterest;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// How far back analytics reach, in days.
const REACH: Days = Days::new(90);

/// The figures of every Pin: what they are asked for as, and their values. The last are counted
/// over the life of a Pin.
const DAILY: [(&str, u64); 4] =
    [("IMPRESSION", 240), ("PIN_CLICK", 12), ("OUTBOUND_CLICK", 5), ("SAVE", 9)];
const VIDEO: (&str, u64) = ("VIDEO_MRC_VIEW", 31);
const LIFETIME: [(&str, u64); 2] = [("TOTAL_COMMENTS", 3), ("TOTAL_REACTIONS", 7)];

impl Pinterest {
    /// Answers the figures of a Pin between two days.
    ///
    /// # Errors
    /// 400 for days or figures that there are none of; those of tokens and Pins.
    pub(super) fn analytics(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read", "pins:read"])?;
        let pin = self.own_pin(&caller, id)?;
        let day = |name: &str| {
            let text = request.query(name).unwrap_or_default();
            let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
            day.ok_or_else(|| ApiError::invalid(&format!("{name} '{text}' is not a day")))
        };
        let (start, end) = (day("start_date")?, day("end_date")?);
        let earliest = context.now.date_naive() - REACH;
        if start < earliest || end < start {
            return Err(ApiError::invalid("start_date must be within the last 90 days"));
        }
        let asked: Vec<&str> =
            request.query("metric_types").unwrap_or_default().split(',').collect();
        let known = DAILY.iter().chain(&LIFETIME).chain([&VIDEO]);
        let known: Vec<&str> = known.map(|(name, _)| *name).collect();
        if let Some(unknown) = asked.iter().find(|name| !known.contains(name)) {
            return Err(ApiError::invalid(&format!("'{unknown}' is not a metric type")));
        }
        let chosen = |figures: &[(&str, u64)]| {
            let chosen = figures.iter().filter(|(name, _)| asked.contains(name));
            chosen.map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect()
        };
        let mut summary: Map<String, Value> = chosen(&DAILY);
        if pin.is_video() {
            summary.extend(chosen(&[VIDEO]));
        }
        let lifetime: Map<String, Value> = chosen(&LIFETIME);
        Ok(Answer::ok(&json!({
            "all": {
                "daily_metrics": [{
                    "date": end.to_string(),
                    "data_status": "ESTIMATE",
                    "metrics": summary,
                }],
                "lifetime_metrics": lifetime,
                "summary_metrics": summary,
            },
        })))
    }
}

/// Returns what a Pin itself tells.
pub(super) fn pin_metrics() -> Value {
    let ninety = json!({ "pin_click": 12, "impression": 240, "clickthrough": 5 });
    let mut lifetime = ninety.clone();
    lifetime["reaction"] = 7.into();
    lifetime["comment"] = 3.into();
    json!({ "90d": ninety, "lifetime_metrics": lifetime })
}
