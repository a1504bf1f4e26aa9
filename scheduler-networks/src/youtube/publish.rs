//! Publishing: a session is opened and stored, then the bytes go to it piece by piece.
//!
//! Each step asks the session first what it has: a holder that takes over cannot know how much
//! arrived of a piece that broke off. The video is there with its last byte, and the session keeps
//! naming it, so nothing that is sent to one session is ever there twice.
//!
//! Source: <https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol>.

use chrono::TimeDelta;
use scheduler_core::ports::{JobFile, NetworkError, NetworkErrorKind, PublishJob, Step};
use secrecy::ExposeSecret;
use url::Url;

use super::api::Api;
use super::errors::{failure, unreadable, unreadable_success};
use super::progress::{Opening, Progress, Upload};
use super::wire::{Made, Tokens};
use crate::conversation::{Answer, Body, FileBody, Job, Method, Request, Turn, TurnResult};
use crate::redacted::Redacted;
use crate::request_body::extension;

/// Bytes of a piece: a multiple of 262 144, small enough that little is sent again after a
/// restart.
///
/// Source: <https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol>.
pub(super) const PIECE_BYTES: u64 = 8 * 1024 * 1024;

/// How often a session that ended early is followed by another.
const REPEATS_MAX: u32 = 4;

/// How long a session is left alone that has every byte and has not yet named the video. Our
/// decision.
const WHOLE_WAIT: TimeDelta = TimeDelta::seconds(5);

/// How long after its last bytes went out that is, before it counts as a failure. Our decision.
const WHOLE_TIMEOUT: TimeDelta = TimeDelta::hours(1);

/// What a session says.
pub(super) enum SessionState {
    /// The video is there, under this id.
    Video(String),
    /// It has so many bytes from the first on.
    Has(u64),
    /// It has ended.
    Gone,
    /// The bytes do not go on where it stands.
    OutOfPlace,
    /// Something else.
    Failed,
}

/// The next turn of opening a session.
pub(super) fn open(
    api: &Api,
    job: &Job<'_, Tokens>,
    opening: Opening,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    if opening.repeats > REPEATS_MAX {
        let message = "YouTube ends the upload of this video again and again.";
        let progress = Progress::Opening(Opening { repeats: 0, ..opening });
        let error = NetworkError::temporary(message);
        return Ok(Turn::Done(Step::Failed { progress, error }));
    }
    let (file, total) = video_of(job)?;
    let Some(answer) = answers.first() else {
        let parts = opening.video.parts();
        let notifies = if opening.video.notifies() { "true" } else { "false" };
        let pairs = [
            ("uploadType", "resumable"),
            ("part", parts.as_str()),
            ("notifySubscribers", notifies),
        ];
        let body = Body::Json(opening.video.body());
        let request = Request::act(api.upload("videos", &pairs), body)
            .bearer(job.credentials.access_token.expose_secret())
            .header("x-upload-content-length", total.to_string())
            .header("x-upload-content-type", FileBody::of(file).media_type)
            .header("slug", file_name(job));
        return Ok(Turn::Send(request));
    };
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    let session = answer.header("location").filter(|address| Url::parse(address).is_ok());
    let upload = Upload {
        anew: opening,
        session: Redacted(session.ok_or_else(unreadable)?.to_owned()),
        opened_at: job.now,
        total,
        offset: 0,
        last_at: None,
        gone_at: None,
    };
    Ok(Turn::Done(Step::Next(upload.progress())))
}

/// The next turn of sending the next piece. Before the last one, it is stored that the video may
/// be there from now on.
pub(super) fn send(
    api: &Api,
    job: &Job<'_, Tokens>,
    upload: Upload,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let next = |upload: Upload| Ok(Turn::Done(Step::Next(upload.progress())));
    let live = |id: &str| Ok(Turn::Done(Step::Live(upload.anew.live(api, id, job.now))));
    let is_last = upload.offset.saturating_add(PIECE_BYTES) >= upload.total;
    if is_last && upload.last_at.is_none() {
        return next(Upload { last_at: Some(job.now), ..upload });
    }
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(probe(api, &job.credentials, &upload)?));
    };
    match session_state(answer, &upload).ok_or_else(unreadable)? {
        SessionState::Video(id) => return live(&id),
        SessionState::Has(offset) if offset >= upload.total => {
            if upload.last_at.is_some_and(|at| job.now > at + WHOLE_TIMEOUT) {
                let message = "YouTube has all of the video and does not say what has become of it. A retry asks again, and sends nothing.";
                return Err(NetworkError::temporary(message));
            }
            let until = job.now + WHOLE_WAIT;
            return Ok(Turn::Done(Step::Wait { progress: upload.progress(), until }));
        }
        SessionState::Has(offset) if offset != upload.offset => {
            return next(Upload { offset, ..upload });
        }
        SessionState::Has(_) => {}
        SessionState::Gone => return ended(upload),
        SessionState::OutOfPlace | SessionState::Failed => {
            return Err(failure(answer, false, Some(job.now)));
        }
    }
    let Some(answer) = answers.get(1) else {
        let (file, total) = video_of(job)?;
        if total != upload.total {
            return Err(NetworkError::unusable_media(
                "The video is not the one that this publish began with.",
            ));
        }
        return Ok(Turn::Send(piece(api, &job.credentials, file, &upload, is_last)?));
    };
    let nothing_taken = || NetworkError::temporary("YouTube took nothing of the video.");
    match session_state(answer, &upload) {
        None if is_last => Err(unreadable_success()),
        None => Err(unreadable()),
        Some(SessionState::Video(id)) => live(&id),
        Some(SessionState::Has(offset)) if offset > upload.offset => {
            next(Upload { offset, ..upload })
        }
        Some(SessionState::Has(_)) => Err(nothing_taken()),
        Some(SessionState::Gone) => ended(upload),
        Some(SessionState::OutOfPlace) => {
            let Some(answer) = answers.get(2) else {
                return Ok(Turn::Send(probe(api, &job.credentials, &upload)?));
            };
            match session_state(answer, &upload) {
                Some(SessionState::Video(id)) => live(&id),
                Some(SessionState::Has(offset)) if offset != upload.offset => {
                    next(Upload { offset, ..upload })
                }
                Some(SessionState::Gone) => ended(upload),
                Some(SessionState::Has(_) | SessionState::OutOfPlace | SessionState::Failed)
                | None => Err(nothing_taken()),
            }
        }
        Some(SessionState::Failed) => Err(failure(answer, is_last, Some(job.now))),
    }
}

/// Goes on after a session that has ended: with another, or, where the video may be there, by
/// looking for it first.
fn ended(upload: Upload) -> TurnResult<Step<Progress>> {
    if upload.last_at.is_some() {
        let message = "YouTube has ended the upload without a word on the video.";
        return Err(NetworkError::new(NetworkErrorKind::InDoubt, message));
    }
    Ok(Turn::Done(Step::Next(Progress::Opening(again(upload)))))
}

/// What another session is opened with.
pub(super) fn again(upload: Upload) -> Opening {
    Opening { repeats: upload.anew.repeats + 1, ..upload.anew }
}

/// Asks a session what it has.
///
/// # Errors
/// [`NetworkErrorKind::Temporary`] when its address cannot be read.
pub(super) fn probe(api: &Api, tokens: &Tokens, upload: &Upload) -> Result<Request, NetworkError> {
    let request = to_session(api, tokens, upload, Body::Empty)?;
    Ok(request
        .header("content-length", "0".to_owned())
        .header("content-range", format!("bytes */{}", upload.total)))
}

fn piece(
    api: &Api,
    tokens: &Tokens,
    file: &JobFile,
    upload: &Upload,
    is_last: bool,
) -> Result<Request, NetworkError> {
    let end = upload.offset.saturating_add(PIECE_BYTES).min(upload.total);
    let body = Body::File(FileBody::of(file).bytes(upload.offset..end));
    let range = format!("bytes {}-{}/{}", upload.offset, end.saturating_sub(1), upload.total);
    let request = to_session(api, tokens, upload, body)?.header("content-range", range);
    Ok(if is_last { request.visible() } else { request })
}

fn to_session(
    api: &Api,
    tokens: &Tokens,
    upload: &Upload,
    body: Body,
) -> Result<Request, NetworkError> {
    let url = Url::parse(&upload.session.0).map_err(|_| unreadable())?;
    let is_own = api.is_own(&url);
    let request = Request::act(url, body).method(Method::Put);
    // Its address alone lets in; the token is told to nobody else.
    Ok(if is_own { request.bearer(tokens.access_token.expose_secret()) } else { request })
}

/// Reads what a session says; `None` for a success that names no video.
pub(super) fn session_state(answer: &Answer, upload: &Upload) -> Option<SessionState> {
    Some(match answer.status {
        200 | 201 => SessionState::Video(answer.json::<Made>()?.id),
        308 => {
            let last = match answer.header("range") {
                None => return Some(SessionState::Has(0)),
                Some(range) => range.rsplit_once('-')?.1.trim().parse::<u64>().ok()?,
            };
            SessionState::Has(last.checked_add(1).filter(|has| *has <= upload.total)?)
        }
        404 | 410 => SessionState::Gone,
        416 => SessionState::OutOfPlace,
        _ => SessionState::Failed,
    })
}

/// What the file is called at the network, by which it can be told there.
pub(super) fn file_name(job: &PublishJob) -> String {
    let media_type = job.files.first().and_then(|file| file.facts.mime_type.as_deref());
    let extension = extension(media_type.unwrap_or_default());
    match job.revision {
        0 => format!("{}.{extension}", job.target_id),
        revision => format!("{}-{revision}.{extension}", job.target_id),
    }
}

fn video_of(job: &PublishJob) -> Result<(&JobFile, u64), NetworkError> {
    let [file] = job.files.as_slice() else {
        return Err(NetworkError::unusable_media("A post on YouTube is one video."));
    };
    let size = file.facts.size_bytes.filter(|size| *size > 0);
    Ok((
        file,
        size.ok_or_else(|| NetworkError::unusable_media("The size of the video is not known."))?,
    ))
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
