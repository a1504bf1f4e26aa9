//! Figures of posts: `/{post}/insights`. The numbers are invented.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/insights/>.

use serde_json::{Value, json};

use super::error::ApiError;
use super::{Facebook, Object};
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

/// What is reported; `post_impressions` and the like have ended in June 2026.
const KNOWN: [&str; 5] = [
    "post_media_view",
    "post_total_media_view_unique",
    "post_clicks",
    "post_reactions_by_type_total",
    "post_video_views",
];

impl Facebook {
    /// Answers the figures of a post.
    ///
    /// # Errors
    /// Another's post, a figure that does not exist, those of tokens.
    pub(super) fn insights(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.allowed(request, "read_insights", context)?;
        let Some(Object::Post(post)) = self.object(id) else { return Err(ApiError::missing(id)) };
        let post = self.live_one(post)?;
        if post.page != page {
            return Err(ApiError::missing(id));
        }
        let asked = request.query("metric").unwrap_or_default();
        let mut data: Vec<Value> = Vec::new();
        for name in asked.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let at = KNOWN
                .iter()
                .position(|known| *known == name)
                .ok_or_else(|| ApiError::parameter("The value must be a valid insights metric"))?;
            let value = match name {
                "post_reactions_by_type_total" => json!({ "like": 3, "love": 1 }),
                "post_video_views" if post.video.is_none() => json!(0),
                _ => json!(100 - 10 * at),
            };
            data.push(json!({
                "name": name,
                "period": "lifetime",
                "values": [{ "value": value }],
                "title": name,
                "id": format!("{id}/insights/{name}/lifetime"),
            }));
        }
        if data.is_empty() {
            return Err(ApiError::parameter("The parameter metric is required"));
        }
        // The periods beside it are not imitated: their links lead to the same figures.
        let beside = |side: &str| {
            format!("{}/v26.0/{id}/insights?metric={asked}&period=lifetime&{side}", context.base)
        };
        Ok(Answer::ok(&json!({
            "data": data,
            "paging": { "previous": beside("until=0"), "next": beside("since=0") },
        })))
    }
}
