//! Figures of posts: `/{media}/insights`. The numbers are invented.
//!
//! Source: `reference/instagram-media/insights`.

use chrono::TimeDelta;
use serde_json::{Value, json};

use super::Instagram;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

const NEED: &[&str] = &["instagram_manage_insights", "instagram_business_manage_insights"];
/// How long a story has figures.
const STORY_LIFE: TimeDelta = TimeDelta::hours(24);

const FEED: [&str; 9] = [
    "views",
    "reach",
    "likes",
    "comments",
    "saved",
    "shares",
    "total_interactions",
    "profile_visits",
    "follows",
];
const REELS: [&str; 10] = [
    "views",
    "reach",
    "likes",
    "comments",
    "saved",
    "shares",
    "total_interactions",
    "ig_reels_avg_watch_time",
    "ig_reels_video_view_total_time",
    "reels_skip_rate",
];
const STORY: [&str; 6] =
    ["views", "reach", "shares", "replies", "navigation", "total_interactions"];

impl Instagram {
    /// Answers the figures of a post.
    ///
    /// # Errors
    /// Another's post, a figure that it does not have, those of tokens.
    pub(super) fn insights(
        &self,
        request: &Request,
        media: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let account = self.allowed(request, NEED, context)?.id;
        let id: u64 = media.parse().map_err(|_| ApiError::missing(media))?;
        let found = self.live_one(id)?;
        if found.account != account {
            return Err(ApiError::missing(media));
        }
        let known: &[&str] = match found.product {
            "REELS" => &REELS,
            "STORY" if context.now >= found.created_at + STORY_LIFE => {
                return Err(ApiError::missing(media));
            }
            "STORY" => &STORY,
            _ => &FEED,
        };
        let asked = request.query("metric").unwrap_or_default();
        let mut data: Vec<Value> = Vec::new();
        for name in asked.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let at = known.iter().position(|known| *known == name).ok_or_else(|| {
                ApiError::parameter(&format!(
                    "The Media Insights API does not support the {name} metric for this media product type."
                ))
            })?;
            data.push(json!({
                "name": name,
                "period": "lifetime",
                "values": [{ "value": 100 - 10 * at }],
                "title": name,
                "id": format!("{id}/insights/{name}/lifetime"),
            }));
        }
        if data.is_empty() {
            return Err(ApiError::parameter("The parameter metric is required"));
        }
        Ok(Answer::ok(&json!({ "data": data })))
    }
}
