//! How far a publish is: `/v2/post/publish/status/fetch/`, and the end of one:
//! `/v2/post/publish/cancel/`.
//!
//! A caption with `#fail_` and a reason, such as `#fail_duration_check_failed`, makes a publish
//! fail for it. One with `#no_id` makes a post whose id is never told here, as it happens to many;
//! the list of the account's posts has it. Length, frame rate and size of videos are not looked at.
//!
//! Source: <https://developers.tiktok.com/docs/en/content-posting-api-reference-get-video-status>.

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::Tiktok;
use super::error::{ApiError, ok};
use super::publish::{Publish, body};
use crate::answer::Answer;
use crate::fetch::Fetched;
use crate::network::Context;
use crate::picture;
use crate::request::Request;

/// Largest photo, in bytes, and its longer and shorter side, in pixels.
const PHOTO_BYTES: u64 = 20_000_000;
const PHOTO_SIDES: (u32, u32) = (1920, 1080);

/// What a publish has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The bytes come in, or are worked on.
    Uploading,
    /// The files are fetched.
    Downloading,
    /// The draft is in the inbox of the app.
    InInbox,
    /// It is posted; everybody can open it where `is_open`.
    Posted { is_open: bool },
    /// It has failed.
    Failed(String),
}

impl Publish {
    /// Returns how far it is.
    pub(super) fn state(&self, context: &Context<'_>) -> State {
        if self.is_cancelled {
            return State::Failed("publish_cancelled".to_owned());
        }
        let working = if self.upload.is_some() { State::Uploading } else { State::Downloading };
        let Some(begun_at) = self.begun_at else {
            // The documentation does not say what becomes of an upload that was left.
            let is_left =
                self.upload.as_ref().is_some_and(|upload| upload.expires_at <= context.now);
            return if is_left { State::Failed("internal".to_owned()) } else { working };
        };
        let processing =
            TimeDelta::from_std(context.options.media_processing).unwrap_or(TimeDelta::hours(1));
        let done_at = begun_at + processing;
        if context.now < done_at || self.fetches.iter().any(|fetch| fetch.ended().is_none()) {
            return working;
        }
        match self.fault() {
            Some(reason) => State::Failed(reason),
            None if self.is_draft => State::InInbox,
            // Moderation takes as long again.
            None => {
                State::Posted { is_open: self.is_public() && done_at + processing <= context.now }
            }
        }
    }

    /// Says whether it is, or will be without a further call, where people see it.
    pub(super) fn is_live(&self) -> bool {
        let is_there = self.fetches.iter().all(|fetch| fetch.ended().is_some());
        self.begun_at.is_some() && is_there && !self.is_cancelled && self.fault().is_none()
    }

    /// Says whether everybody may see it.
    pub(super) fn is_public(&self) -> bool {
        self.privacy.as_deref() == Some("PUBLIC_TO_EVERYONE")
    }

    /// Returns when it was posted.
    pub(super) fn posted_at(&self) -> DateTime<Utc> {
        self.begun_at.unwrap_or_default()
    }

    /// Returns why it fails once its files are there.
    fn fault(&self) -> Option<String> {
        if self.is_refused.get() {
            return Some("file_format_check_failed".to_owned());
        }
        let after = self.text.split_once("#fail_").map(|(_, after)| after);
        if let Some(after) = after {
            let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            return Some(after.chars().take_while(|letter| is_part(*letter)).collect());
        }
        let is_video = self.upload.as_ref().is_none_or(|upload| upload.is_video);
        let pull = if self.is_video { "video_pull_failed" } else { "photo_pull_failed" };
        let mut faults = self.fetches.iter().filter_map(|fetch| match fetch.ended() {
            Some(Some(fetched)) if self.is_video => of_video(fetched),
            Some(Some(fetched)) => of_photo(fetched),
            Some(None) => Some(pull),
            None => None,
        });
        let fault = if is_video { faults.next() } else { Some("file_format_check_failed") };
        fault.map(str::to_owned)
    }
}

fn of_video(fetched: &Fetched) -> Option<&'static str> {
    let is_video = picture::kind(&fetched.head) == Some(picture::FileKind::Video);
    (!is_video).then_some("file_format_check_failed")
}

fn of_photo(fetched: &Fetched) -> Option<&'static str> {
    let head = &fetched.head;
    let is_webp = head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP");
    if !is_webp && !head.starts_with(&[0xff, 0xd8, 0xff]) {
        return Some("file_format_check_failed");
    }
    let (width, height) = picture::dimensions(head).unwrap_or_default();
    let is_too_large = width.max(height) > PHOTO_SIDES.0
        || width.min(height) > PHOTO_SIDES.1
        || fetched.file.bytes > PHOTO_BYTES;
    is_too_large.then_some("picture_size_check_failed")
}

impl Tiktok {
    /// Answers how far a publish is.
    ///
    /// # Errors
    /// Those of tokens; limits; it is not there, or another's.
    pub(super) fn fetch_status(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let at = self.publish_of(request, context)?;
        let open_id = self.publishes[at].open_id.clone();
        self.take_status_call(&open_id, context)?;
        let publish = &self.publishes[at];
        Ok(ok(&shown(publish, &publish.state(context))))
    }

    /// Ends a publish whose files are still fetched, or a draft that is not in the inbox yet.
    ///
    /// # Errors
    /// Those of tokens; it is not there, or another's; `publish_not_cancellable`.
    pub(super) fn cancel(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let at = self.publish_of(request, context)?;
        let publish = &mut self.publishes[at];
        let may_end = match publish.state(context) {
            State::Downloading => true,
            State::Uploading => publish.is_draft,
            State::InInbox | State::Posted { .. } | State::Failed(_) => false,
        };
        if !may_end {
            let message = "The publish can not be cancelled";
            let code = "publish_not_cancellable";
            return Err(ApiError::new(StatusCode::BAD_REQUEST, code, message));
        }
        publish.is_cancelled = true;
        Ok(ok(&json!({})))
    }

    /// Makes the publish that a request asks for a failed one, as the answer to it says.
    pub(super) fn refuse_publish(&self, request: &Request) -> Answer {
        let id = body(request).ok();
        let id = id.as_ref().and_then(|body| body["publish_id"].as_str());
        if let Some(publish) = self.publishes.iter().find(|publish| Some(publish.id.as_str()) == id)
        {
            publish.is_refused.set(true);
        }
        ok(&json!({ "status": "FAILED", "fail_reason": "file_format_check_failed" }))
    }

    fn publish_of(&self, request: &Request, context: &Context<'_>) -> Result<usize, ApiError> {
        let caller = self.caller(request, "video.publish", context);
        let caller = caller.or_else(|_| self.caller(request, "video.upload", context))?;
        let body = body(request)?;
        let id = body["publish_id"].as_str().unwrap_or_default();
        let at = self.publishes.iter().position(|publish| publish.id == id);
        let at = at.ok_or_else(ApiError::unknown_publish)?;
        if self.publishes[at].open_id != caller.open_id {
            let code = "token_not_authorized_for_specified_publish_id";
            let message = "The access token is not authorized for the publish_id";
            return Err(ApiError::new(StatusCode::BAD_REQUEST, code, message));
        }
        Ok(at)
    }
}

fn shown(publish: &Publish, state: &State) -> Value {
    let arrived = publish.upload.as_ref().map_or(0, |upload| upload.arrived);
    let downloaded: u64 = publish
        .fetches
        .iter()
        .filter_map(|fetch| fetch.ended().flatten())
        .map(|fetched| fetched.file.bytes)
        .sum();
    match state {
        State::Uploading => json!({ "status": "PROCESSING_UPLOAD", "uploaded_bytes": arrived }),
        State::Downloading => {
            json!({ "status": "PROCESSING_DOWNLOAD", "downloaded_bytes": downloaded })
        }
        State::InInbox => json!({ "status": "SEND_TO_USER_INBOX", "uploaded_bytes": arrived }),
        State::Posted { is_open } => {
            let is_told = *is_open && !publish.text.contains("#no_id");
            let ids: Vec<u64> = is_told.then_some(publish.post_id).into_iter().collect();
            json!({
                "status": "PUBLISH_COMPLETE",
                // Spelled as the network does.
                "publicaly_available_post_id": ids,
                "uploaded_bytes": arrived,
                "downloaded_bytes": downloaded,
            })
        }
        State::Failed(reason) => json!({ "status": "FAILED", "fail_reason": reason }),
    }
}
