//! Sending a video of the feed: piece after piece, each where the network says that it goes on.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/videos/>,
//! `upload_phase`.

use std::ops::Range;

use scheduler_core::ports::{NetworkError, PublishJob, Step};

use super::caller::{Caller, refused};
use super::errors::{Meaning, expected, meaning_of, unreadable};
use super::film::again;
use super::hosts::Host;
use super::progress::{Film, Progress, Sending, Stage, Upload};
use super::wire::{Announced, Offsets};
use crate::conversation::{
    Answer, Body, FileBody, FormPart, Request, StoredProgress, Turn, TurnResult,
};

/// The next turn of announcing the video.
pub(super) fn announce(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    film: &Film,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let size = size(job, film)?;
    let Some(answer) = answers.first() else {
        let fields = vec![("upload_phase", "start".to_owned()), ("file_size", size.to_string())];
        let request = Request::act(address(caller, &progress)?, Body::Form(fields));
        return Ok(Turn::Send(caller.authorized(request)));
    };
    if !answer.is_success() {
        return Err(refused(answer, false, job));
    }
    let Announced { upload_session_id, video_id, piece } =
        answer.json().ok_or_else(|| unreadable(false))?;
    next_piece(progress, video_id, upload_session_id, piece, size)
}

/// The next turn of sending the next piece.
pub(super) fn send(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    film: &Film,
    session: &str,
    piece: Range<u64>,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    if piece.is_empty() {
        return Ok(Turn::Done(Step::Next(progress.at(Stage::Finish { is_repeat: false }))));
    }
    let size = size(job, film)?;
    let Some(answer) = answers.first() else {
        let bytes = FileBody::of(job.file(film.file)?).bytes(piece.clone());
        let parts = vec![
            FormPart::text("upload_phase", "transfer"),
            FormPart::text("upload_session_id", session),
            FormPart::text("start_offset", piece.start.to_string()),
            FormPart::file("video_file_chunk", "video", bytes),
        ];
        let request = Request::act(address(caller, &progress)?, Body::Multipart(parts));
        return Ok(Turn::Send(caller.authorized(request)));
    };
    let video = progress.video().ok_or_else(Progress::unreadable)?.to_owned();
    if answer.is_success() {
        let next: Offsets = answer.json().ok_or_else(|| unreadable(false))?;
        if next.start_offset <= piece.start {
            let message = "Facebook takes the pieces of the video and does not go on with them.";
            let error = NetworkError::temporary(message);
            return Ok(again(progress, error, job.now));
        }
        return next_piece(progress, video, session.to_owned(), next, size);
    }
    let error = refused(answer, false, job);
    match meaning_of(answer) {
        // The network has more, or less, than its last answer told.
        Meaning::WrongOffset => match expected(answer) {
            Some(next) if next.start_offset > piece.start => {
                next_piece(progress, video, session.to_owned(), next, size)
            }
            // It goes back a few times only, so that there is an end.
            Some(next) if next.start_offset < piece.start => match progress.clone().repeats() {
                Some(progress) => next_piece(progress, video, session.to_owned(), next, size),
                None => Ok(again(progress, error, job.now)),
            },
            Some(_) | None => Ok(again(progress, error, job.now)),
        },
        Meaning::NewUpload | Meaning::Missing => Ok(again(progress, error, job.now)),
        Meaning::Theirs
        | Meaning::Later
        | Meaning::Limited
        | Meaning::Blocked
        | Meaning::Reconnect
        | Meaning::Duplicate
        | Meaning::AlreadyPosted
        | Meaning::NoPreview
        | Meaning::NotFetched
        | Meaning::Content
        | Meaning::Restricted
        | Meaning::Refused
        | Meaning::Unknown => Err(error),
    }
}

/// The progress with the piece that the network wants next.
fn next_piece(
    progress: Progress,
    video: String,
    session: String,
    piece: Offsets,
    size: u64,
) -> TurnResult<Step<Progress>> {
    let Offsets { start_offset: start, end_offset: end } = piece;
    if start > end || end > size || (start == end && start != size) {
        return Err(unreadable(false));
    }
    let state = Sending::Pieces { session, start, end };
    let progress = progress.uploads(Upload { video, state });
    let progress =
        if start == end { progress.at(Stage::Finish { is_repeat: false }) } else { progress };
    Ok(Turn::Done(Step::Next(progress)))
}

fn address(caller: &Caller<'_>, progress: &Progress) -> Result<url::Url, NetworkError> {
    caller.hosts.call(Host::GraphVideo, &[&progress.page, "videos"], &[])
}

/// The size of the video, in bytes.
pub(super) fn size(job: &PublishJob, film: &Film) -> Result<u64, NetworkError> {
    let size = job.file(film.file)?.facts.size_bytes;
    size.ok_or_else(|| NetworkError::unusable_media("The size of the video is not known."))
}
