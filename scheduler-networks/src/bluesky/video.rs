//! The service that takes videos, converts them, and puts them on the account's server.
//!
//! Source: <https://docs.bsky.app/docs/tutorials/video> and lexicons/app/bsky/video.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::bluesky::DAILY_WAIT;
use scheduler_core::ports::{JobFile, NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;
use serde_json::Value;

use super::caller::Servers;
use super::errors::{failure, is_error};
use super::files::FileState;
use super::tokens::Tokens;
use super::upload::unreadable;
use super::wire::{JobStatus, ServiceAuth, UploadLimits};
use crate::conversation::{Answer, Body, FileBody, Job, Request, Turn, TurnResult};
use crate::poll_schedule::PollSchedule;
use crate::request_body::extension;

/// The service's own identity, whoever answers for it.
const SERVICE: &str = "did:web:video.bsky.app";

/// How long the permission to upload is good for. A server gives at most an hour.
///
/// Source: <https://docs.bsky.app/docs/tutorials/video>.
const PERMISSION: TimeDelta = TimeDelta::minutes(30);

/// When the state of a conversion is asked for.
const POLLS: PollSchedule = PollSchedule {
    first: TimeDelta::seconds(2),
    eager_wait: TimeDelta::seconds(2),
    eager: TimeDelta::seconds(30),
    then: TimeDelta::seconds(5),
    give_up_after: TimeDelta::minutes(10),
};

/// How long before a video is sent anew whose conversion failed.
const REPEAT_WAIT: TimeDelta = TimeDelta::seconds(30);

/// The next turn of sending a video: permission to ask for the limits, the limits, permission to
/// upload, and the upload.
pub(super) fn send(
    servers: &Servers,
    job: &Job<'_, Tokens>,
    file: &JobFile,
    answers: &[Answer],
) -> TurnResult<FileState> {
    let [may_ask, limits, may_send, sent] = [0, 1, 2, 3].map(|at| answers.get(at));
    let Some(may_ask) = may_ask else {
        let query = [("aud", SERVICE), ("lxm", "app.bsky.video.getUploadLimits")];
        return Ok(Turn::Send(permission(servers, job, &query)?));
    };
    let may_ask = permitted(may_ask, job)?;
    let Some(limits) = limits else {
        let url = servers.video.at(["xrpc", "app.bsky.video.getUploadLimits"]);
        return Ok(Turn::Send(Request::read(url).bearer(may_ask.token.expose_secret())));
    };
    check_limits(limits, file, job.now)?;
    let Some(may_send) = may_send else {
        let expires_at = (job.now + PERMISSION).timestamp().to_string();
        let audience = format!("did:web:{}", servers.account.host().replace(':', "%3A"));
        let query = [
            ("aud", audience.as_str()),
            ("lxm", "com.atproto.repo.uploadBlob"),
            ("exp", &expires_at),
        ];
        return Ok(Turn::Send(permission(servers, job, &query)?));
    };
    let may_send = permitted(may_send, job)?;
    let Some(sent) = sent else {
        let media_type = file.facts.mime_type.as_deref().unwrap_or("video/mp4");
        let name = format!("{}.{}", file.id, extension(media_type));
        let query = [("did", job.account.network_id.as_str()), ("name", &name)];
        let url = servers.video.query(["xrpc", "app.bsky.video.uploadVideo"], &query);
        let request = Request::act(url, Body::File(FileBody::of(file)));
        return Ok(Turn::Send(request.bearer(may_send.token.expose_secret())));
    };
    // The same bytes were sent before, and the job of that time serves as well.
    if !sent.is_success() && !is_error(sent, "already_exists") && sent.status != 409 {
        return Err(of_service(sent, job.now));
    }
    let status = sent.json().as_ref().and_then(JobStatus::read);
    let status = match status {
        Some(status) => status,
        None if sent.is_success() => return Err(unreadable()),
        None => return Err(of_service(sent, job.now)),
    };
    Ok(Turn::Done(match (status.blob, status.job_id) {
        (Some(blob), _) => FileState::Uploaded { blob },
        (None, Some(job_id)) => FileState::Converting { job_id, since: job.now },
        (None, None) => return Err(unreadable()),
    }))
}

/// How long to wait before the first question for a state, where one is to be asked.
pub(super) fn first_wait(state: &FileState) -> Option<TimeDelta> {
    matches!(state, FileState::Converting { .. }).then_some(POLLS.first)
}

/// Asks how far a conversion is.
pub(super) fn status(servers: &Servers, job_id: &str) -> Request {
    let call = ["xrpc", "app.bsky.video.getJobStatus"];
    Request::read(servers.video.query(call, &[("jobId", job_id)]))
}

/// What the state of a conversion means: what the file is then, and how long to wait.
///
/// # Errors
/// [`NetworkErrorKind::Temporary`] when it takes too long, and goes on; by kind where it failed.
pub(super) fn judge(
    answer: &Answer,
    job_id: &str,
    since: DateTime<Utc>,
    repeats: u32,
    now: DateTime<Utc>,
) -> Result<(FileState, Option<TimeDelta>), NetworkError> {
    let body: Value = answer.taken(|| of_service(answer, now), unreadable)?;
    let status = JobStatus::read(&body).ok_or_else(unreadable)?;
    match (status.state.as_str(), status.blob) {
        ("JOB_STATE_COMPLETED", Some(blob)) => Ok((FileState::Uploaded { blob }, None)),
        ("JOB_STATE_COMPLETED", None) => Err(unreadable()),
        ("JOB_STATE_FAILED", _) => {
            let code = status.failure_code.unwrap_or_default();
            let repeats_max = match code.as_str() {
                "validation_failure" | "pds_upload_unsupported_blob_size" => 0,
                "encoding_failure" => 1,
                _ => 2,
            };
            if repeats < repeats_max {
                return Ok((FileState::Waiting, Some(REPEAT_WAIT)));
            }
            let said = status.message.unwrap_or(code);
            let message = format!("Bluesky could not convert the video: {}", tidy(&said));
            Err(NetworkError::permanent(message).with_code(FailureCode::ValidationFailed))
        }
        _ => match POLLS.wait(now - since) {
            Some(wait) => {
                Ok((FileState::Converting { job_id: job_id.to_owned(), since }, Some(wait)))
            }
            None => Err(NetworkError::temporary(
                "Bluesky has not finished with the video after 10 minutes.",
            )),
        },
    }
}

fn permission(
    servers: &Servers,
    job: &Job<'_, Tokens>,
    query: &[(&str, &str)],
) -> Result<Request, NetworkError> {
    let call = ["xrpc", "com.atproto.server.getServiceAuth"];
    Ok(job.credentials.authorized(Request::read(servers.account.query(call, query))))
}

fn permitted(answer: &Answer, job: &Job<'_, Tokens>) -> Result<ServiceAuth, NetworkError> {
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    answer.json().ok_or_else(unreadable)
}

fn check_limits(answer: &Answer, file: &JobFile, now: DateTime<Utc>) -> Result<(), NetworkError> {
    let limits: UploadLimits = answer.taken(|| of_service(answer, now), unreadable)?;
    let bytes = file.facts.size_bytes.unwrap_or_default();
    let is_used_up = limits.remaining_daily_videos == Some(0)
        || limits.remaining_daily_bytes.is_some_and(|left| left < bytes);
    if is_used_up {
        let kind = NetworkErrorKind::RateLimited { wait: Some(DAILY_WAIT) };
        return Err(NetworkError::new(
            kind,
            "Bluesky takes no more videos from this account today.",
        ));
    }
    if !limits.can_upload {
        let said = limits.message.as_deref().map(tidy).unwrap_or_default();
        let message = format!(
            "Bluesky takes no video from this account: {said} It may need a confirmed e-mail address."
        );
        return Err(NetworkError::permanent(message));
    }
    Ok(())
}

/// What an error of the service means. That it does not know the permission says nothing about the
/// account, whose own server gave it.
fn of_service(answer: &Answer, now: DateTime<Utc>) -> NetworkError {
    let error = failure(answer, false, Some(now));
    if error.refuses_credentials() {
        let message = "Bluesky's video service does not accept the permission to upload.";
        return NetworkError::temporary(message);
    }
    error
}

/// A network's own words, on one line and not too long.
fn tidy(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(300).collect()
}
