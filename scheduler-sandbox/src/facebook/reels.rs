//! Reels and videos of stories: `/{page}/video_reels`, `/{page}/video_stories`, and their bytes.
//!
//! Source: <https://developers.facebook.com/documentation/video-api/guides/reels-publishing> and
//! <https://developers.facebook.com/docs/page-stories-api>.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::json;

use super::Facebook;
use super::error::ApiError;
use super::posts::{check_message, check_place};
use super::videos::{Place, Video};
use crate::answer::Answer;
use crate::network::Context;
use crate::params::{flag, params, text};
use crate::request::Request;

/// Reels that a Page may publish within 24 hours.
const REELS: usize = 30;

impl Facebook {
    /// Announces a reel or the video of a story, or publishes one whose bytes are there.
    ///
    /// # Errors
    /// What is wrong with it; the day is used up; those of tokens.
    pub(super) fn reel_call(
        &mut self,
        request: &Request,
        page: &str,
        place: Place,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let page = self.own_page(request, page, "pages_manage_posts", context)?;
        match text(&params(request), "upload_phase").as_deref() {
            Some("start") => {
                let id = self.next_id();
                self.videos.insert(id, Video::new(id, page, place, 0, context.now));
                Ok(Answer::ok(&json!({
                    "video_id": id.to_string(),
                    "upload_url": format!("{}/video-upload/v26.0/{id}", context.base),
                })))
            }
            Some("finish") => self.publish_reel(request, page, place, context),
            Some(_) | None => {
                Err(ApiError::parameter("Param upload_phase must be start or finish"))
            }
        }
    }

    fn publish_reel(
        &mut self,
        request: &Request,
        page: u64,
        place: Place,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let params = params(request);
        let is_published = match text(&params, "video_state").as_deref() {
            // A story has no other state.
            None if place == Place::Story => true,
            Some("PUBLISHED") => true,
            Some("DRAFT" | "SCHEDULED") => false,
            Some(_) | None => return Err(ApiError::parameter("Param video_state is unknown")),
        };
        check_place(&params)?;
        if params.contains_key("is_ai_generated") && flag(&params, "is_ai_generated").is_none() {
            return Err(ApiError::parameter("Param is_ai_generated must be a boolean"));
        }
        let description = text(&params, "description").unwrap_or_default();
        check_message(&description)?;
        if context.options.quotas
            && place == Place::Reel
            && self.reels_of_today(page, context.now) >= REELS
        {
            let message = "(#613) Calls to this api have exceeded the rate limit.";
            return Err(ApiError::new(613, message));
        }
        let id = text(&params, "video_id").unwrap_or_default();
        let video = id.parse().ok().and_then(|id: u64| self.videos.get_mut(&id));
        let video = video.filter(|video| {
            video.page == page
                && video.place == place
                && video.finished_at.is_none()
                && !video.is_deleted
        });
        let video = video.ok_or_else(|| ApiError::missing(&id))?;
        if !video.is_whole() {
            return Err(ApiError::upload(1_363_045, "Some bytes of the video are missing."));
        }
        video.entitle(&params)?;
        video.finish(description, is_published, context.now);
        Ok(Answer::ok(&json!({ "success": true })))
    }

    fn reels_of_today(&self, page: u64, now: DateTime<Utc>) -> usize {
        let is_counted = |video: &&Video| {
            let is_recent = video.finished_at.is_some_and(|at| at > now - TimeDelta::hours(24));
            video.page == page && video.place == Place::Reel && is_recent
        };
        self.videos.values().filter(is_counted).count()
    }

    /// Takes the bytes of a reel, or the rest of them.
    ///
    /// # Errors
    /// Another's reel; those of tokens.
    pub(super) fn upload_reel(
        &mut self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let scheme = request.header("authorization").and_then(|value| value.split_once(' '));
        if scheme.is_none_or(|(scheme, _)| scheme != "OAuth") {
            return Err(ApiError::token());
        }
        let page = self.allowed(request, "pages_manage_posts", context)?;
        let number = |name: &str| request.header(name).and_then(|text| text.parse::<u64>().ok());
        let video = id.parse().ok().and_then(|id: u64| self.videos.get_mut(&id));
        let video = video.filter(|video| {
            video.page == page
                && video.place != Place::Feed
                && video.finished_at.is_none()
                && !video.is_deleted
        });
        let video = video.ok_or_else(|| ApiError::missing(id))?;
        let have = video.bytes();
        let Some(size) = number("file_size").filter(|size| *size > 0) else {
            return Ok(debug("InvalidFileSizeError", "file_size is missing"));
        };
        if number("offset") != Some(have) || (have > 0 && size != video.size) {
            return Ok(debug("OffsetInvalidError", "Request starting offset is invalid"));
        }
        if request.body.length == 0 || have + request.body.length > size {
            return Ok(debug("PartialRequestError", "Another number of bytes is expected"));
        }
        video.size = size;
        video.take(request.body.length, request.body.sha256, request.body.head());
        if !video.is_whole() {
            return Ok(debug(
                "PartialRequestError",
                "Partial request (did not match length of file)",
            ));
        }
        Ok(Answer::ok(&json!({ "success": true })))
    }
}

/// Words a refusal as the servers for bytes do.
fn debug(kind: &str, message: &str) -> Answer {
    let info = json!({ "retriable": true, "type": kind, "message": message });
    Answer::json(StatusCode::BAD_REQUEST, &json!({ "debug_info": info }))
}
