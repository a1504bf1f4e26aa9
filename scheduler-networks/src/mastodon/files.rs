//! The files of a post: how far each has come, and what brings it further.
//!
//! Nobody sees an uploaded file before a status shows it, so an upload may be done twice; what no
//! status shows is swept after a day.
//!
//! Source: <https://docs.joinmastodon.org/methods/media/>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaKind;
use scheduler_core::ports::{JobFile, NetworkError, PublishJob, Step};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};

use super::errors::{failure, is_failed_processing, is_gone, used_up};
use super::progress::Progress;
use super::wire::{MediaAttachment, Tokens};
use crate::conversation::{
    Answer, Body, FileBody, FormPart, Job, Request, StoredProgress, Turn, TurnResult, is_first_part,
};
use crate::endpoint::Endpoint;
use crate::poll_schedule::PollSchedule;

/// When it is asked for how far the processing of a file is.
const POLLS: PollSchedule = PollSchedule {
    first: TimeDelta::seconds(2),
    eager_wait: TimeDelta::seconds(2),
    eager: TimeDelta::minutes(1),
    then: TimeDelta::seconds(10),
    give_up_after: TimeDelta::minutes(30),
};

/// How often a file is uploaded again after the server has lost it. A day lies between two losses,
/// unless the server is at fault.
pub(super) const REPEATS_MAX: u32 = 4;

/// How often a file is sent again that the server has failed to process.
const FAILURES_MAX: u32 = 2;

/// A file of a status.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct File {
    /// The part of the thread that shows it, counted from 0.
    #[serde(default, skip_serializing_if = "is_first_part")]
    pub(super) part: usize,
    file: MediaId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    state: FileState,
    /// How often its upload has begun anew.
    #[serde(default)]
    repeats: u32,
}

/// How far a file has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", tag = "is")]
enum FileState {
    /// It is still to be uploaded.
    Waiting,
    /// The server works on it.
    Processing {
        /// What the server calls it.
        id: String,
        /// Since when.
        since: DateTime<Utc>,
    },
    /// A status can show it.
    Ready {
        /// What the server calls it.
        id: String,
    },
}

impl File {
    /// A file before anything is done with it.
    pub(super) fn new((part, file): (usize, &JobFile)) -> Self {
        let description = file.alt_text.clone().filter(|text| !text.is_empty());
        Self { part, file: file.id, description, state: FileState::Waiting, repeats: 0 }
    }

    /// True when a status can show it.
    pub(super) const fn is_ready(&self) -> bool {
        matches!(self.state, FileState::Ready { .. })
    }

    /// What the server calls it; `None` while it is not known to be ready.
    pub(super) fn id(&self) -> Option<&str> {
        match &self.state {
            FileState::Ready { id } => Some(id),
            FileState::Waiting | FileState::Processing { .. } => None,
        }
    }

    /// The file once the server has lost it; `None` when it was uploaded again too often.
    pub(super) fn again(self) -> Option<Self> {
        let repeats = self.repeats + 1;
        (repeats <= REPEATS_MAX).then_some(Self { state: FileState::Waiting, repeats, ..self })
    }

    /// The file once the server has said that it is not ready after all.
    pub(super) fn processing(self, now: DateTime<Utc>) -> Self {
        match self.state {
            FileState::Ready { id } => {
                Self { state: FileState::Processing { id, since: now }, ..self }
            }
            FileState::Waiting | FileState::Processing { .. } => self,
        }
    }
}

/// The next turn of a step that brings the files further: each is sent, and then the server is
/// asked for each that it still works on.
pub(super) fn advance(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    mut progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let files = &mut progress.files;
    let waiting = files.iter().position(|file| file.state == FileState::Waiting);
    let next = waiting.or_else(|| files.iter().position(|file| !file.is_ready()));
    let file = next.and_then(|at| files.get_mut(at)).ok_or_else(Progress::unreadable)?;
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(request(server, job, file)?));
    };
    match &file.state {
        FileState::Waiting => {
            if is_failed_processing(answer) {
                file.repeats += 1;
                if file.repeats > FAILURES_MAX {
                    return Err(unprocessable());
                }
                let until = job.now + POLLS.then;
                return Ok(Turn::Done(Step::Wait { progress, until }));
            }
            let MediaAttachment { id } =
                answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
            let is_done = answer.status != 202;
            file.state = if is_done {
                FileState::Ready { id }
            } else {
                FileState::Processing { id, since: job.now }
            };
            let all_sent = files.iter().all(|file| file.state != FileState::Waiting);
            // Files of one account are few in half an hour; the next would only be refused.
            let pause = used_up(answer, job.now).filter(|_| !all_sent);
            let wait = pause.or((!is_done && all_sent).then_some(POLLS.first));
            if let Some(wait) = wait {
                let until = job.now + wait;
                return Ok(Turn::Done(Step::Wait { progress, until }));
            }
        }
        FileState::Processing { id, since } => match answer.status {
            206 => {
                let Some(wait) = POLLS.wait(job.now - *since) else {
                    let message = "The server has not finished with a file after 30 minutes.";
                    return Err(
                        NetworkError::permanent(message).with_code(FailureCode::NetworkError)
                    );
                };
                return Ok(Turn::Done(Step::Wait { progress, until: job.now + wait }));
            }
            _ if is_gone(answer) => {
                *file = file.clone().again().ok_or_else(|| lost(answer, job))?;
            }
            _ if answer.is_success() => file.state = FileState::Ready { id: id.clone() },
            _ => return Err(failure(answer, false, Some(job.now))),
        },
        FileState::Ready { .. } => {}
    }
    Ok(Turn::Done(Step::Next(progress)))
}

fn request(server: &Endpoint, job: &Job<'_, Tokens>, file: &File) -> Result<Request, NetworkError> {
    let token = job.credentials.access_token.expose_secret();
    if let FileState::Processing { id, .. } = &file.state {
        let url = server.at(["api", "v1", "media", id]);
        return Ok(Request::read(url).bearer(token));
    }
    let stored = job.file(file.file)?;
    let description = file.description.iter().map(|text| FormPart::text("description", text));
    let focus = stored.details.focus.map(|focus| format!("{},{}", focus.x, focus.y));
    let focus = focus.map(|focus| FormPart::text("focus", focus));
    let bytes = FormPart::file("file", file.file.to_string(), FileBody::of(stored));
    let cover = job.thumbnail.as_ref().filter(|_| stored.facts.kind == MediaKind::Video);
    let cover =
        cover.map(|cover| FormPart::file("thumbnail", cover.id.to_string(), FileBody::of(cover)));
    let body = Body::Multipart(description.chain(focus).chain([bytes]).chain(cover).collect());
    Ok(Request::act(server.at(["api", "v2", "media"]), body).bearer(token))
}

/// The failure for a file that the server has lost too often.
fn lost(answer: &Answer, job: &PublishJob) -> NetworkError {
    let error = failure(answer, false, Some(job.now));
    let message = "The server loses the files of this post again and again.".to_owned();
    NetworkError { message, ..error }
}

/// The failure for a file that the server cannot process.
fn unprocessable() -> NetworkError {
    let message = "The server cannot process a file of this post. Send it in another format.";
    NetworkError::permanent(message).with_code(FailureCode::ValidationFailed)
}

fn unreadable() -> NetworkError {
    NetworkError::temporary("The server took a file, but its answer cannot be read.")
}
