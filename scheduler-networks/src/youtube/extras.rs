//! What follows a video that is there, each in a step of its own: the thumbnail, subtitles, the
//! playlist. A repeat of any of them changes nothing.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/thumbnails/set>,
//! <https://developers.google.com/youtube/v3/docs/captions/insert>,
//! <https://developers.google.com/youtube/v3/docs/playlistItems/insert>.

use scheduler_core::ports::{NetworkError, Step};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::api::Api;
use super::errors::{failure, has_reason, missing, reason, unreadable};
use super::progress::{Extra, Following, Progress};
use super::video::PAID_PROMOTION;
use super::wire::{Items, READING, Tokens};
use super::{first_comment, watch};
use crate::conversation::{Answer, Body, FileBody, Job, Request, StoredProgress, Turn, TurnResult};

/// The next turn of the first of what follows.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    following: Following,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    match following.extras.first().cloned() {
        Some(Extra::Thumbnail) => thumbnail(api, job, &following, answers),
        Some(Extra::Subtitles(index)) => subtitles(api, job, &following, index, answers),
        Some(Extra::Playlist(id)) => playlist(api, job, &following, &id, answers),
        Some(Extra::FirstComment(comment)) => {
            first_comment::advance(api, job, &following, comment, answers)
        }
        Some(Extra::PaidPromotion) => paid_promotion(api, job, &following, answers),
        Some(Extra::Watch) => watch::advance(api, job, &following, answers),
        Some(Extra::NotKept(reason)) => Err(watch::not_kept(&reason)),
        None => Err(Progress::unreadable()),
    }
}

fn done(following: &Following) -> TurnResult<Step<Progress>> {
    Ok(Turn::Done(Step::Live(following.after_first())))
}

fn thumbnail(
    api: &Api,
    job: &Job<'_, Tokens>,
    following: &Following,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let what = "The thumbnail could not be set";
    let Some(answer) = answers.first() else {
        let file = job.thumbnail.as_ref().ok_or_else(|| gone(what))?;
        let pairs = [("videoId", following.remote.id.as_str()), ("uploadType", "media")];
        let body = Body::File(FileBody::of(file));
        let request = Request::act(api.upload("thumbnails/set", &pairs), body);
        return Ok(Turn::Send(request.bearer(job.credentials.access_token.expose_secret())));
    };
    if answer.is_success() {
        return done(following);
    }
    // That of a Short has to wait until the network has processed it.
    let later = following.extras.iter().position(|extra| *extra == Extra::Watch);
    if let Some(later) = later.filter(|_| has_reason(answer, "failedPrecondition")) {
        let mut following = following.clone();
        following.extras.remove(0);
        following.extras.insert(later, Extra::Thumbnail);
        let progress = Progress::Following(following);
        return Ok(Turn::Done(Step::Next(progress)));
    }
    let is_unverified = answer.status == 403 && reason(answer) == "forbidden";
    let error = failure(answer, false, Some(job.now));
    if is_unverified {
        let message = format!(
            "{what}: YouTube takes thumbnails only from channels that are verified by phone. Verify the channel on youtube.com/verify. {}",
            error.message
        );
        return Err(NetworkError { message, ..error });
    }
    Err(missing(what, error))
}

fn subtitles(
    api: &Api,
    job: &Job<'_, Tokens>,
    following: &Following,
    index: usize,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let track = job.options.get("subtitles").and_then(|tracks| tracks.get(index));
    let text = |key: &str| track.and_then(|track| track.get(key)).and_then(Value::as_str);
    let (language, name) = (text("language").unwrap_or_default(), text("name").unwrap_or_default());
    let what = format!("The subtitles in {language} could not be added");
    let Some(answer) = answers.first() else {
        let content = text("content").ok_or_else(|| gone(&what))?;
        let about = json!({ "snippet": {
            "videoId": following.remote.id,
            "language": language,
            "name": name,
            "isDraft": false,
        } });
        let pairs = [("part", "snippet"), ("uploadType", "multipart")];
        let request = Request::act(api.upload("captions", &pairs), related(&about, content));
        return Ok(Turn::Send(request.bearer(job.credentials.access_token.expose_secret())));
    };
    if answer.is_success() || (answer.status == 409 && has_reason(answer, "captionExists")) {
        return done(following);
    }
    Err(missing(&what, failure(answer, false, Some(job.now))))
}

/// JSON and a file in one body: `multipart/related`.
///
/// Source: RFC 2387.
fn related(about: &Value, content: &str) -> Body {
    let mut boundary = "scheduler".to_owned();
    while content.contains(&boundary) {
        boundary.push('-');
        boundary.push_str(&content.len().to_string());
    }
    let body = format!(
        "--{boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{about}\r\n\
         --{boundary}\r\nContent-Type: application/octet-stream\r\n\r\n{content}\r\n\
         --{boundary}--\r\n"
    );
    Body::Bytes {
        content_type: format!("multipart/related; boundary={boundary}"),
        bytes: body.into_bytes(),
    }
}

fn playlist(
    api: &Api,
    job: &Job<'_, Tokens>,
    following: &Following,
    id: &str,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        let body = json!({ "snippet": {
            "playlistId": id,
            "resourceId": { "kind": "youtube#video", "videoId": following.remote.id },
        } });
        let request =
            api.act(&job.credentials.access_token, "playlistItems", &[("part", "snippet")], body);
        return Ok(Turn::Send(request));
    };
    if answer.is_success() || has_reason(answer, "videoAlreadyInPlaylist") {
        return done(following);
    }
    let what = "The video could not be put into the playlist";
    Err(missing(what, failure(answer, false, Some(job.now))))
}

/// Reads back whether the network shows that a video promotes something for money: nobody has
/// promised that what was sent is kept.
fn paid_promotion(
    api: &Api,
    job: &Job<'_, Tokens>,
    following: &Following,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    // Without the permission nothing can be read back.
    if !job.credentials.may(READING) {
        return done(following);
    }
    let Some(answer) = answers.first() else {
        let pairs = [("part", PAID_PROMOTION), ("id", following.remote.id.as_str())];
        return Ok(Turn::Send(api.read(&job.credentials.access_token, "videos", &pairs)));
    };
    if !answer.is_success() {
        let what = "It is not known whether YouTube shows the paid promotion";
        return Err(missing(what, failure(answer, false, Some(job.now))));
    }
    let videos: Items<Value> = answer.json().ok_or_else(unreadable)?;
    let pointer = format!("/{PAID_PROMOTION}/hasPaidProductPlacement");
    let is_shown = videos.items.first().and_then(|video| video.pointer(&pointer)?.as_bool());
    if is_shown == Some(false) {
        let message = "YouTube does not show that the video includes a paid promotion: say so in YouTube Studio, under the details of the video.";
        return Err(NetworkError::permanent(message));
    }
    done(following)
}

fn gone(what: &str) -> NetworkError {
    let message = format!("{what}: it is not part of the post any more.");
    NetworkError::unusable_media(message)
}

#[cfg(test)]
#[path = "extras_tests.rs"]
mod tests;
