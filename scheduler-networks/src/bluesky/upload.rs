//! Uploading: an image is a blob of the account's server; a video goes through the service that
//! converts it and puts it there. Nobody sees either before a record names it, so both may be done
//! twice.

use scheduler_core::media::MediaKind;
use scheduler_core::platform::bluesky::{IMAGE_RECIPE, SMALL_IMAGE_RECIPE};
use scheduler_core::ports::{NetworkError, Step};

use super::caller::Servers;
use super::errors::failure;
use super::files::{FileState, check};
use super::progress::Progress;
use super::tokens::Tokens;
use super::video;
use super::wire::UploadedBlob;
use crate::conversation::{
    Answer, Body, FileBody, Job, Request, StoredProgress, Turn, TurnResult, or_send,
};

/// The next turn of a step that brings the next file further.
pub(super) fn advance(
    servers: &Servers,
    job: &Job<'_, Tokens>,
    mut progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    check(&progress.files)?;
    let is_small = progress.is_small;
    let unfinished = progress.files.iter_mut().find(|file| !file.is_uploaded());
    let file = unfinished.ok_or_else(Progress::unreadable)?;
    let stored = job.file(file.id)?;
    // The picture of a card may have no more bytes than that.
    let is_small = is_small || file.is_of_card;
    let recipe = if is_small { &SMALL_IMAGE_RECIPE } else { &IMAGE_RECIPE };
    match (&file.state, file.kind) {
        (FileState::Waiting, MediaKind::Image) => {
            let Some(answer) = answers.first() else {
                let url = servers.account.at(["xrpc", "com.atproto.repo.uploadBlob"]);
                let body = Body::File(FileBody::of(stored).made_by(recipe));
                return Ok(Turn::Send(job.credentials.authorized(Request::act(url, body))));
            };
            let uploaded: UploadedBlob =
                answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
            file.state = FileState::Uploaded { blob: uploaded.blob };
        }
        (FileState::Waiting, MediaKind::Video) => {
            let sent = or_send!(video::send(servers, job, stored, answers)?);
            let wait = video::first_wait(&sent);
            file.state = sent;
            if let Some(wait) = wait {
                let until = job.now + wait;
                return Ok(Turn::Done(Step::Wait { progress, until }));
            }
        }
        // The rules let no document through.
        (FileState::Waiting, MediaKind::Document) => return Err(Progress::unreadable()),
        (FileState::Converting { job_id, since }, _) => {
            let Some(answer) = answers.first() else {
                return Ok(Turn::Send(video::status(servers, job_id)));
            };
            let (state, wait) = video::judge(answer, job_id, *since, file.repeats, job.now)?;
            if state == FileState::Waiting {
                file.repeats += 1;
            }
            file.state = state;
            if let Some(wait) = wait {
                let until = job.now + wait;
                return Ok(Turn::Done(Step::Wait { progress, until }));
            }
        }
        (FileState::Uploaded { .. }, _) => {}
    }
    Ok(Turn::Done(Step::Next(progress)))
}

pub(super) fn unreadable() -> NetworkError {
    NetworkError::temporary("Bluesky took a file, but its answer cannot be read.")
}
