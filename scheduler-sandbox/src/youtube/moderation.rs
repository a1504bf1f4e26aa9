//! What the owner of a video does with comments of others.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/comments/setModerationStatus>.

use http::StatusCode;

use super::Youtube;
use super::error::ApiError;
use super::oauth::COMMENTING;
use crate::answer::Answer;
use crate::network::Context;
use crate::request::Request;

impl Youtube {
    /// Holds a comment back, shows it again, or rejects it for good, with the replies to it.
    ///
    /// # Errors
    /// 400 for another status or a ban without a rejection, 403 below another's video, 404; those
    /// of tokens.
    pub(super) fn set_moderation_status(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context, COMMENTING)?;
        let at = self.live_comment_named(request.query("id").unwrap_or_default())?;
        let video = self.live_by_id(&self.comments[at].video).ok_or_else(ApiError::no_video)?;
        if video.channel != caller {
            let message =
                "The moderation status of a comment cannot be set due to insufficient permissions.";
            return Err(ApiError::forbidden("forbidden", message));
        }
        let status = match request.query("moderationStatus") {
            Some("heldForReview") => "heldForReview",
            Some("published") => "published",
            Some("rejected") => "rejected",
            _ => {
                let message = "Invalid moderationStatus.";
                return Err(ApiError::bad("invalidModerationStatus", message));
            }
        };
        if request.query("banAuthor") == Some("true") && status != "rejected" {
            let message = "The banAuthor parameter can only be used with rejected.";
            return Err(ApiError::bad("banWithoutReject", message));
        }
        // A rejected comment does not come back.
        if self.comments[at].moderation == "rejected" && status != "rejected" {
            let message = "The specified comment could not be found.";
            return Err(ApiError::not_found("commentNotFound", message));
        }
        self.comments[at].moderation = status;
        if status == "rejected" {
            let id = self.comments[at].id.clone();
            for reply in self.comments.iter_mut() {
                if reply.parent.as_ref() == Some(&id) {
                    reply.moderation = status;
                }
            }
        }
        Ok(Answer::empty(StatusCode::NO_CONTENT))
    }
}
