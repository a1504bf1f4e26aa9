//! The service that takes videos and converts them; here every video comes out as it went in.
//!
//! Source: <https://docs.bsky.app/docs/tutorials/video>, lexicons/app/bsky/video and
//! lexicons/com/atproto/server/getServiceAuth.json.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::Bluesky;
use super::error::XrpcError;
use super::input::parameter;
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::{random_bytes, random_secret};
use crate::picture::{self, FileKind};
use crate::request::Request;

/// Identity of the service.
const SERVICE: &str = "did:web:video.bsky.app";
/// Most bytes of a video.
///
/// Source: <https://github.com/bluesky-social/social-app>, `src/lib/constants.ts`.
const MAX_BYTES: u64 = 300_000_000;
/// Types that are taken.
///
/// Source: <https://github.com/bluesky-social/social-app>, `src/lib/constants.ts`.
const TYPES: [&str; 5] = ["video/mp4", "video/mpeg", "video/webm", "video/quicktime", "image/gif"];
/// Videos and bytes of an account a day.
///
/// Source: <https://docs.bsky.app/docs/tutorials/video>.
const DAILY_VIDEOS: u64 = 25;
const DAILY_BYTES: u64 = 10_000_000_000;
/// Life of a permission for which none was asked.
///
/// Source: lexicons/com/atproto/server/getServiceAuth.json ("defaults to 60 seconds").
const PERMISSION_LIFE: TimeDelta = TimeDelta::seconds(60);
/// Longest life of a permission.
const MAX_PERMISSION_LIFE: TimeDelta = TimeDelta::hours(1);

/// What a token of an account's server permits another service to do for the account.
#[derive(Clone, Debug)]
struct Permission {
    did: String,
    audience: String,
    method: Option<String>,
    expires_at: DateTime<Utc>,
}

/// A video that is or was converted.
#[derive(Clone, Debug)]
struct Job {
    did: String,
    bytes: u64,
    sha256: [u8; 32],
    is_video: bool,
    created_at: DateTime<Utc>,
}

/// Permissions and jobs.
#[derive(Debug, Default)]
pub(super) struct Videos {
    permissions: HashMap<String, Permission>,
    jobs: BTreeMap<String, Job>,
}

impl Videos {
    /// Forgets the videos; permissions stay.
    pub(super) fn clear(&mut self) {
        self.jobs.clear();
    }

    /// Returns whom a request may act for.
    ///
    /// # Errors
    /// `AuthMissing`, `InvalidToken`, `BadJwtAudience`, `BadJwtLexiconMethod`.
    fn permitted(
        &self,
        request: &Request,
        audience: &str,
        method: &str,
        now: DateTime<Utc>,
    ) -> Result<&Permission, XrpcError> {
        let missing = || XrpcError::unauthorized("AuthMissing", "Authentication Required");
        let token = request.bearer().ok_or_else(missing)?;
        let permission = self
            .permissions
            .get(token)
            .filter(|permission| permission.expires_at > now)
            .ok_or_else(|| XrpcError::unauthorized("InvalidToken", "jwt expired or unknown"))?;
        if permission.audience != audience {
            let message = "jwt audience does not match service did";
            return Err(XrpcError::unauthorized("BadJwtAudience", message));
        }
        if permission.method.as_deref() != Some(method) {
            let message = format!("bad jwt lexicon method (\"lxm\"). must match: {method}");
            return Err(XrpcError::unauthorized("BadJwtLexiconMethod", message));
        }
        Ok(permission)
    }

    /// Counts videos and bytes of the last day.
    fn of_day(&self, did: &str, now: DateTime<Utc>) -> (u64, u64) {
        let jobs = self.jobs.values();
        let jobs = jobs.filter(|job| job.did == did && job.created_at + TimeDelta::days(1) > now);
        jobs.fold((0, 0), |(count, bytes), job| (count + 1, bytes + job.bytes))
    }
}

impl Bluesky {
    /// Gives out a token with which another service acts for the account.
    ///
    /// # Errors
    /// `BadExpiration`, those of tokens.
    pub(super) fn service_auth(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let did = self.sessions.authenticate(request, context.now)?;
        let audience = parameter(request, "aud")?.to_owned();
        if !audience.starts_with("did:") {
            return Err(XrpcError::invalid("Error: aud must be a valid did"));
        }
        let expires_at = match request.query("exp") {
            None => context.now + PERMISSION_LIFE,
            Some(text) => text
                .parse()
                .ok()
                .and_then(|seconds| DateTime::from_timestamp(seconds, 0))
                .ok_or_else(|| XrpcError::invalid("Error: exp must be an integer"))?,
        };
        if expires_at <= context.now {
            return Err(XrpcError::bad("BadExpiration", "expiration is in past"));
        }
        if expires_at > context.now + MAX_PERMISSION_LIFE {
            let message =
                "cannot request a token with an expiration more than an hour in the future";
            return Err(XrpcError::bad("BadExpiration", message));
        }
        let method = request.query("lxm").map(str::to_owned);
        let token = random_secret();
        self.videos.permissions.retain(|_, permission| permission.expires_at > context.now);
        let permission = Permission { did, audience, method, expires_at };
        self.videos.permissions.insert(token.clone(), permission);
        Ok(Answer::ok(&json!({ "token": token })))
    }

    /// Says how much more the account may upload today.
    ///
    /// # Errors
    /// Those of permissions.
    pub(super) fn upload_limits(
        &self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let method = "app.bsky.video.getUploadLimits";
        let permission = self.videos.permitted(request, SERVICE, method, context.now)?;
        let (videos, bytes) = self.used_today(&permission.did, context);
        let can_upload = videos < DAILY_VIDEOS && bytes < DAILY_BYTES;
        let mut answer = json!({
            "canUpload": can_upload,
            "remainingDailyVideos": DAILY_VIDEOS.saturating_sub(videos),
            "remainingDailyBytes": DAILY_BYTES.saturating_sub(bytes),
        });
        if !can_upload {
            answer["message"] = "User has exceeded daily upload limits".into();
            answer["error"] = "daily_limit_exceeded".into();
        }
        Ok(Answer::ok(&answer))
    }

    /// Takes a video.
    ///
    /// # Errors
    /// Those of permissions, `UnsupportedContentType`, `VideoTooLarge`, `DailyLimitExceeded`.
    pub(super) fn upload_video(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let audience = server_did(context);
        let method = "com.atproto.repo.uploadBlob";
        let permission = self.videos.permitted(request, &audience, method, context.now)?;
        let did = permission.did.clone();
        if parameter(request, "did")? != did {
            return Err(XrpcError::invalid("did does not match the token"));
        }
        parameter(request, "name")?;
        if !TYPES.contains(&request.content_type().as_str()) {
            let message = "The content type is not supported";
            return Err(XrpcError::bad("UnsupportedContentType", message));
        }
        if request.body.length > MAX_BYTES {
            let message = "The video is too large";
            let status = StatusCode::PAYLOAD_TOO_LARGE;
            return Err(XrpcError { status, ..XrpcError::bad("VideoTooLarge", message) });
        }
        let sha256 = request.body.sha256;
        let earlier = self.videos.jobs.iter();
        let earlier = earlier.filter(|(_, job)| job.did == did && job.sha256 == sha256);
        if let Some(id) = earlier.map(|(id, _)| id.clone()).next() {
            let mut answer = self.job_status(&id, context).unwrap_or_default();
            answer["error"] = "already_exists".into();
            answer["message"] = "Video already processed".into();
            return Ok(Answer::json(StatusCode::CONFLICT, &answer));
        }
        let (videos, bytes) = self.used_today(&did, context);
        if videos >= DAILY_VIDEOS || bytes + request.body.length > DAILY_BYTES {
            let message = "User has exceeded daily upload limits";
            return Err(XrpcError::bad("DailyLimitExceeded", message));
        }
        let kind = picture::kind(request.body.head());
        let job = Job {
            did: did.clone(),
            bytes: request.body.length,
            sha256,
            is_video: matches!(kind, Some(FileKind::Video | FileKind::Gif)),
            created_at: context.now,
        };
        let id = hex::encode(random_bytes());
        self.videos.jobs.insert(id.clone(), job);
        let status = json!({ "jobId": id, "did": did, "state": "JOB_STATE_CREATED" });
        Ok(Answer::ok(&json!({ "jobStatus": status })))
    }

    /// Says how far a video is.
    ///
    /// # Errors
    /// `InvalidRequest` for an unknown job.
    pub(super) fn show_job(
        &mut self,
        request: &Request,
        context: &Context<'_>,
    ) -> Result<Answer, XrpcError> {
        let id = parameter(request, "jobId")?;
        let status = self.job_status(id, context);
        let status = status.ok_or_else(|| XrpcError::invalid("Job not found"))?;
        Ok(Answer::ok(&json!({ "jobStatus": status })))
    }

    /// The state of a job by the time that has passed. One that is done has put its blob on the
    /// account's server.
    fn job_status(&mut self, id: &str, context: &Context<'_>) -> Option<Value> {
        let job = self.videos.jobs.get(id)?.clone();
        let processing =
            TimeDelta::from_std(context.options.media_processing).unwrap_or(TimeDelta::hours(1));
        let passed = context.now - job.created_at;
        let mut status = json!({ "jobId": id, "did": job.did });
        if passed < processing / 2 {
            status["state"] = "JOB_STATE_ENCODING".into();
        } else if passed < processing {
            status["state"] = "JOB_STATE_SCANNING".into();
        } else if job.is_video {
            status["state"] = "JOB_STATE_COMPLETED".into();
            status["blob"] =
                self.blobs.keep(&job.did, "video/mp4", job.bytes, job.sha256, context.now);
        } else {
            status["state"] = "JOB_STATE_FAILED".into();
            status["failureCode"] = "validation_failure".into();
            status["message"] = "The file is not a video".into();
        }
        Some(status)
    }

    fn used_today(&self, did: &str, context: &Context<'_>) -> (u64, u64) {
        if context.options.quotas { self.videos.of_day(did, context.now) } else { (0, 0) }
    }
}

/// The answer for a job that has failed for good.
pub(super) fn failed_job(request: &Request) -> Answer {
    Answer::ok(&json!({ "jobStatus": {
        "jobId": request.query("jobId").unwrap_or_default(),
        "state": "JOB_STATE_FAILED",
        "failureCode": "validation_failure",
        "message": "The video cannot be used",
    }}))
}

/// Identity of the server that the sandbox is.
pub(super) fn server_did(context: &Context<'_>) -> String {
    let host = context.base.split("://").nth(1).and_then(|rest| rest.split('/').next());
    format!("did:web:{}", host.unwrap_or("localhost").replace(':', "%3A"))
}
