//! Videos before their Pins: `/v5/media`, and the place that takes their bytes.
//!
//! Source: <https://github.com/pinterest/api-description>, `POST /media`, `GET /media/{media_id}`,
//! and <https://docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html>.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::json;

use super::Pinterest;
use super::error::ApiError;
use crate::answer::Answer;
use crate::network::{Context, LiveMedia};
use crate::outside::{random_bytes, random_secret};
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Life of what opens a place. The network's own is not documented.
const PLACE_LIFE: TimeDelta = TimeDelta::hours(1);

/// Largest video.
///
/// Source: <https://help.pinterest.com/en/business/article/pinterest-product-specs>.
const MAX_BYTES: u64 = 2_000_000_000;

/// A video.
#[derive(Clone, Debug)]
pub(super) struct Video {
    pub(super) owner: String,
    /// What opens its place.
    parameters: BTreeMap<String, String>,
    expires_at: DateTime<Utc>,
    /// The file, and when it is ready.
    arrived: Option<(LiveMedia, DateTime<Utc>)>,
    has_failed: bool,
}

impl Video {
    /// Returns how far it is.
    pub(super) fn status(&self, now: DateTime<Utc>) -> &'static str {
        match &self.arrived {
            None => "registered",
            Some((_, at)) if now < *at => "processing",
            Some(_) if self.has_failed => "failed",
            Some(_) => "succeeded",
        }
    }

    /// Returns the file, once it has arrived.
    pub(super) fn file(&self) -> Option<&LiveMedia> {
        self.arrived.as_ref().map(|(file, _)| file)
    }
}

impl Pinterest {
    /// Gives a video a place.
    ///
    /// # Errors
    /// 400 for what is no video; those of tokens and permissions.
    pub(super) fn register_media(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read", "boards:write", "pins:read", "pins:write"])?;
        let body = request.json().cloned().unwrap_or_default();
        if body["media_type"].as_str() != Some("video") {
            return Err(ApiError::invalid("the media_type is not one of ['video']"));
        }
        let id = self.next_id(context.now);
        let parameters = [
            ("x-amz-date", context.now.format("%Y%m%dT%H%M%SZ").to_string()),
            ("x-amz-signature", random_secret()),
            ("x-amz-security-token", random_secret()),
            ("x-amz-algorithm", "AWS4-HMAC-SHA256".to_owned()),
            (
                "key",
                format!(
                    "uploads/{}/1:video:{}:{id}",
                    hex::encode(&random_bytes()[..3]),
                    caller.user
                ),
            ),
            ("policy", random_secret()),
            (
                "x-amz-credential",
                format!("SANDBOX/{}/us-east-1/s3/aws4_request", context.now.format("%Y%m%d")),
            ),
            ("Content-Type", "multipart/form-data".to_owned()),
        ];
        let parameters: BTreeMap<String, String> =
            parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let answer = json!({
            "media_id": id,
            "media_type": "video",
            "upload_url": format!("{}/media-upload/", context.base),
            "upload_parameters": parameters,
        });
        let video = Video {
            owner: caller.user,
            parameters,
            expires_at: context.now + PLACE_LIFE,
            arrived: None,
            has_failed: false,
        };
        self.videos.insert(id, video);
        Ok(Answer::json(StatusCode::CREATED, &answer))
    }

    /// Takes the form with a video, for whoever has what opens its place.
    pub(super) fn take_upload(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let refused = |status, code, message| xml(status, code, message);
        let bad = |code, message| refused(StatusCode::BAD_REQUEST, code, message);
        if request.header("authorization").is_some() {
            return bad("InvalidArgument", "Only one auth mechanism allowed");
        }
        let Some((file, fields)) = request.body.parts.split_last() else {
            return bad("MalformedPOSTRequest", "The body of your POST request is not well-formed");
        };
        // What comes after the file is not read.
        if file.name != "file" || file.file_name.is_none() {
            return bad("InvalidArgument", "POST requires exactly one file upload per request.");
        }
        let field = |name: &str| {
            let field = fields.iter().find(|field| field.name == name);
            field.map(|field| String::from_utf8_lossy(&field.head).into_owned())
        };
        let key = field("key");
        let known =
            self.videos.values_mut().find(|video| video.parameters.get("key") == key.as_ref());
        let denied = |message| refused(StatusCode::FORBIDDEN, "AccessDenied", message);
        let Some(video) = known else {
            return denied("Invalid according to Policy: Policy Condition failed");
        };
        let is_whole = video
            .parameters
            .iter()
            .all(|(name, value)| field(name).as_deref() == Some(value.as_str()))
            && fields.len() == video.parameters.len();
        if !is_whole {
            return denied("Invalid according to Policy: Extra input fields or missing ones");
        }
        if video.expires_at <= context.now {
            return denied("Invalid according to Policy: Policy expired.");
        }
        if file.length > MAX_BYTES {
            return bad("EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
        }
        let processing =
            TimeDelta::from_std(context.options.media_processing).unwrap_or(TimeDelta::hours(1));
        video.has_failed = picture::kind(&file.head) != Some(FileKind::Video);
        let live = LiveMedia {
            media_type: file.content_type.clone().unwrap_or_default(),
            bytes: file.length,
            sha256: file.sha256,
        };
        video.arrived = Some((live, context.now + processing));
        Answer::empty(StatusCode::NO_CONTENT)
    }

    /// Answers how far a video is.
    ///
    /// # Errors
    /// Not found; those of tokens and permissions.
    pub(super) fn show_media(
        &self,
        request: &Request,
        id: &str,
        context: &Context<'_>,
    ) -> Result<Answer, ApiError> {
        let caller = self.caller(request, context)?;
        caller.needs(&["boards:read", "pins:read"])?;
        let video = self.videos.get(id).filter(|video| video.owner == caller.user);
        let not_found = || ApiError::new(StatusCode::NOT_FOUND, 2423, "Media not found.");
        let video = video.ok_or_else(not_found)?;
        let status = video.status(context.now);
        Ok(Answer::ok(&json!({ "media_id": id, "media_type": "video", "status": status })))
    }
}

/// Answers as the place for videos does.
pub(super) fn xml(status: StatusCode, code: &str, message: &str) -> Answer {
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>{message}\
         </Message></Error>"
    );
    Answer::html(status, body).with_header("server", "AmazonS3")
}
