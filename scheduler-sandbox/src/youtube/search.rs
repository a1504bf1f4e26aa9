//! Search among one's own videos.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/search/list>.

use serde_json::{Value, json};

use super::error::ApiError;
use super::oauth::READING;
use super::{Youtube, instant, page};
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

impl Youtube {
    /// Answers the caller's videos, newest first.
    ///
    /// # Errors
    /// 400 for any other search; those of tokens.
    pub(super) fn search(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, READING)?;
        if request.query("forMine") != Some("true") || request.query("type") != Some("video") {
            let message = "Only the search for one's own videos is imitated.";
            return Err(ApiError::bad("invalidSearchFilter", message));
        }
        let own = self.videos.iter().rev().filter(|video| video.channel == caller);
        let all: Vec<Value> = own
            .filter(|video| !video.is_deleted)
            .map(|video| {
                json!({
                    "kind": "youtube#searchResult",
                    "id": { "kind": "youtube#video", "videoId": video.id },
                    "snippet": {
                        "publishedAt": instant(video.published_at),
                        "channelId": video.channel,
                        "title": video.details.title,
                    },
                })
            })
            .collect();
        Ok(Answer::ok(&page("youtube#searchListResponse", &all, request, 5, 50)))
    }
}
