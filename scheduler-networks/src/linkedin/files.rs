//! The files of a post: how far each has come, and what brings it further.
//!
//! Nobody sees an uploaded file before a post shows it, so an upload may be done twice. Its name
//! can be used again in a repeat of the post.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api>
//! and `documents-api` beside it.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaKind;
use scheduler_core::platform::linkedin;
use scheduler_core::ports::{JobFile, NetworkError, NetworkErrorKind, PublishJob, Step};
use scheduler_core::target::FailureCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::api::{Api, encoded};
use super::errors::{failure, has_code, unreadable};
use super::progress::{Post, Progress};
use super::video::{self, Upload};
use super::wire::{FileStatus, Valued, WholeUpload, instant};
use crate::conversation::{
    Answer, Body, FileBody, Job, Method, Request, StoredProgress, Turn, TurnResult,
};
use crate::oauth_tokens::Tokens;
use crate::poll_schedule::PollSchedule;
use crate::redacted::Redacted;

/// How often the state of an image is asked for, and for how long; then the post decides.
///
/// Our decision; the network names no figure.
const IMAGE_WAIT: TimeDelta = TimeDelta::seconds(2);
const IMAGE_TIMEOUT: TimeDelta = TimeDelta::seconds(60);

/// When the state of a video is asked for.
const VIDEO_POLLS: PollSchedule = PollSchedule {
    first: TimeDelta::seconds(10),
    eager_wait: TimeDelta::seconds(10),
    eager: TimeDelta::minutes(2),
    then: TimeDelta::seconds(20),
    give_up_after: TimeDelta::minutes(10),
};

/// When the state of a document is asked for. Its pages are made into pictures, which takes a
/// moment for a few and minutes for hundreds.
///
/// Our decision; the network names no figure.
const DOCUMENT_POLLS: PollSchedule = PollSchedule {
    first: TimeDelta::zero(),
    eager_wait: TimeDelta::seconds(2),
    eager: TimeDelta::seconds(30),
    then: TimeDelta::seconds(10),
    give_up_after: TimeDelta::minutes(10),
};

/// How long a file is given whose state the account may not read.
///
/// Our decision; a post that comes too early is refused and sent again.
const UNREAD_IMAGE_WAIT: TimeDelta = TimeDelta::seconds(3);
const UNREAD_VIDEO_WAIT: TimeDelta = TimeDelta::seconds(15);

/// The title of a document that has neither one nor a file name; LinkedIn requires one.
const UNNAMED: &str = "Document";

/// How often the upload of a file begins anew. An address lives long enough for any upload, unless
/// the network is at fault.
const REPEATS_MAX: u32 = 4;

/// A file of the post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct File {
    file: MediaId,
    is_video: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    alt_text: Option<String>,
    /// What stands above a document; `None` for an image or a video.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The images that are the pages of a document that is made of them, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pages: Vec<MediaId>,
    /// It is the picture of the link's card.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_of_card: bool,
    state: State,
    /// How often its upload has begun anew.
    #[serde(default)]
    repeats: u32,
}

/// How far a file has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) enum State {
    /// It is still to be announced.
    Waiting,
    /// Its bytes are still to be sent.
    Announced(Announced),
    /// Some of its pieces are still to be sent, or to be put together.
    Sending(Upload),
    /// The network works on it.
    Processing {
        /// What the network calls it.
        urn: String,
        /// Since when.
        since: DateTime<Utc>,
    },
    /// A post can show it.
    Ready {
        /// What the network calls it.
        urn: String,
    },
}

/// An image or a document whose bytes are still to be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Announced {
    urn: String,
    upload_url: Redacted<String>,
    expires_at: Option<DateTime<Utc>>,
}

impl File {
    /// A file before anything is done with it, and the title that it has as a document.
    pub(super) fn new(file: &JobFile, document_title: Option<&str>) -> Self {
        let kind = file.facts.kind;
        let alt_text = file.alt_text.clone().filter(|text| !text.is_empty() && kind.is_image());
        let title = (kind == MediaKind::Document)
            .then(|| title([document_title, file.file_name.as_deref()]));
        Self {
            file: file.id,
            is_video: kind == MediaKind::Video,
            alt_text,
            title,
            pages: Vec::new(),
            is_of_card: false,
            state: State::Waiting,
            repeats: 0,
        }
    }

    /// A document that is made of the images of a job; `None` where it asks for none, or has other
    /// files.
    pub(super) fn of_images(job: &PublishJob, document_title: Option<&str>) -> Option<Self> {
        linkedin::SHEET.media.documents.pages_for(&job.options)?;
        let first = job.files.first()?;
        let is_image = |file: &JobFile| file.facts.kind.is_image();
        job.files.iter().all(is_image).then(|| Self {
            title: Some(title([document_title, first.file_name.as_deref()])),
            alt_text: None,
            pages: job.files.iter().map(|file| file.id).collect(),
            ..Self::new(first, document_title)
        })
    }

    /// The picture of the link's card.
    pub(super) fn of_card(file: &JobFile) -> Self {
        Self { is_of_card: true, ..Self::new(file, None) }
    }

    /// What the network calls it where it is the picture of the link's card.
    pub(super) fn card_image(&self) -> Option<&str> {
        match &self.state {
            State::Ready { urn } if self.is_of_card => Some(urn),
            _ => None,
        }
    }

    /// True when a post can show it.
    pub(super) const fn is_ready(&self) -> bool {
        matches!(self.state, State::Ready { .. })
    }

    /// How a post shows it; `None` where it is not ready, or the picture of the link's card.
    pub(super) fn shown(&self) -> Option<Value> {
        if self.is_of_card {
            return None;
        }
        let State::Ready { urn } = &self.state else { return None };
        let mut shown = json!({ "id": urn });
        for (field, text) in [("altText", &self.alt_text), ("title", &self.title)] {
            if let Some(text) = text {
                shown[field] = text.as_str().into();
            }
        }
        Some(shown)
    }

    /// The file once its addresses have ended, which `answer` says.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Temporary`] when that happened too often.
    pub(super) fn again(self, answer: &Answer) -> Result<Self, NetworkError> {
        let repeats = self.repeats + 1;
        if repeats > REPEATS_MAX {
            let message = "LinkedIn ends the uploads of this post again and again.".to_owned();
            return Err(NetworkError {
                kind: NetworkErrorKind::Temporary,
                message,
                ..failure(answer, false, None)
            });
        }
        Ok(Self { state: State::Waiting, repeats, ..self })
    }

    const fn is_sent(&self) -> bool {
        matches!(self.state, State::Processing { .. } | State::Ready { .. })
    }

    /// The path of the calls about it.
    const fn path(&self) -> &'static str {
        match self.kind() {
            MediaKind::Image => "images",
            MediaKind::Video => "videos",
            MediaKind::Document => "documents",
        }
    }

    /// What it is: of those that are no video, a document alone has a title.
    const fn kind(&self) -> MediaKind {
        match (self.is_video, &self.title) {
            (true, _) => MediaKind::Video,
            (false, Some(_)) => MediaKind::Document,
            (false, None) => MediaKind::Image,
        }
    }
}

/// The title of a document: the first of these that says something.
fn title(names: [Option<&str>; 2]) -> String {
    let given = names.into_iter().flatten().map(str::trim).find(|name| !name.is_empty());
    given.unwrap_or(UNNAMED).to_owned()
}

/// The next turn of a step that brings the files further: each is sent, and then the network is
/// asked for each that it still works on.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    mut post: Post,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let unsent = post.files.iter().position(|file| !file.is_sent());
    let next = unsent.or_else(|| post.files.iter().position(|file| !file.is_ready()));
    let at = next.ok_or_else(Progress::unreadable)?;
    let file = post.files.get(at).cloned().ok_or_else(Progress::unreadable)?;
    let went_on = |mut post: Post, file: File| {
        if let Some(place) = post.files.get_mut(at) {
            *place = file;
        }
        Turn::Done(Step::Next(progress.with_post(post)))
    };
    let state = match &file.state {
        State::Waiting => match answers.first() {
            None => return Ok(Turn::Send(announce(api, job, &progress, &file)?)),
            Some(answer) => announced(&file, answer, job)?,
        },
        State::Announced(announced) => {
            if announced.expires_at.is_some_and(|at| at <= job.now) {
                State::Waiting
            } else {
                let Some(answer) = answers.first() else {
                    return Ok(Turn::Send(whole(api, job, &file, announced)?));
                };
                if is_ended(answer) {
                    let again = file.again(answer)?;
                    return Ok(went_on(post, again));
                }
                if !answer.is_success() {
                    return Err(failure(answer, false, Some(job.now)));
                }
                State::Processing { urn: announced.urn.clone(), since: job.now }
            }
        }
        State::Sending(upload) => {
            let stored = job.file(file.file)?;
            match video::send(api, job, stored, upload, answers)? {
                Turn::Send(request) => return Ok(Turn::Send(request)),
                Turn::Done(video::Sent::More(upload)) => State::Sending(upload),
                Turn::Done(video::Sent::Whole(urn)) => State::Processing { urn, since: job.now },
                Turn::Done(video::Sent::Ended(answer)) => {
                    let again = match answer {
                        Some(answer) => file.again(answer)?,
                        None => File { state: State::Waiting, ..file },
                    };
                    return Ok(went_on(post, again));
                }
            }
        }
        State::Processing { urn, since } => {
            let Some(answer) = answers.first() else {
                let path = format!("{}/{}", file.path(), encoded(urn));
                return Ok(Turn::Send(api.read(&job.credentials.access_token, &path, "")));
            };
            match judge(&file, *since, answer, job)? {
                Judged::Ready => State::Ready { urn: urn.clone() },
                Judged::Waits(wait) => {
                    let until = job.now + wait;
                    let progress = progress.with_post(post);
                    return Ok(Turn::Done(Step::Wait { progress, until }));
                }
                Judged::Unread => {
                    let until = job.now + unread_wait(&post);
                    post.files = post.files.into_iter().map(unread).collect();
                    let progress = progress.with_post(post);
                    return Ok(Turn::Done(Step::Wait { progress, until }));
                }
            }
        }
        State::Ready { .. } => return Err(Progress::unreadable()),
    };
    let waits_for = matches!(state, State::Processing { .. }) && file.is_video;
    let turn = went_on(post, File { state, ..file });
    Ok(match turn {
        Turn::Done(Step::Next(progress)) if waits_for => {
            Turn::Done(Step::Wait { progress, until: job.now + VIDEO_POLLS.first })
        }
        turn => turn,
    })
}

/// What the network's word on a file means.
enum Judged {
    Ready,
    Waits(TimeDelta),
    /// The account may not ask.
    Unread,
}

fn judge(
    file: &File,
    since: DateTime<Utc>,
    answer: &Answer,
    job: &PublishJob,
) -> Result<Judged, NetworkError> {
    if answer.status == 403 {
        return Ok(Judged::Unread);
    }
    let FileStatus { status } =
        answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
    let age = job.now - since;
    match (status.as_str(), file.kind()) {
        ("AVAILABLE", _) => Ok(Judged::Ready),
        ("PROCESSING_FAILED", _) => {
            let message = "LinkedIn could not process a file of this post. Use another file.";
            let error = NetworkError::permanent(message);
            Err(error.with_code(FailureCode::ValidationFailed))
        }
        (_, kind @ MediaKind::Video) => slowly(&VIDEO_POLLS, age, kind),
        (_, kind @ MediaKind::Document) => slowly(&DOCUMENT_POLLS, age, kind),
        (_, MediaKind::Image) if age > IMAGE_TIMEOUT => Ok(Judged::Ready),
        (_, MediaKind::Image) => Ok(Judged::Waits(IMAGE_WAIT)),
    }
}

/// When a file is asked for again that the network works on.
fn slowly(polls: &PollSchedule, age: TimeDelta, kind: MediaKind) -> Result<Judged, NetworkError> {
    polls.wait(age).map(Judged::Waits).ok_or_else(|| {
        let kind = kind.name();
        NetworkError::temporary(format!(
            "LinkedIn has not finished with the {kind} after 10 minutes."
        ))
    })
}

/// True when an address for bytes has ended.
pub(super) fn is_ended(answer: &Answer) -> bool {
    has_code(answer, "EXPIRED_UPLOAD_URL") || matches!(answer.status, 404 | 410)
}

/// A file of which it cannot be asked how far it is.
fn unread(file: File) -> File {
    match file.state {
        State::Processing { urn, .. } => File { state: State::Ready { urn }, ..file },
        State::Waiting | State::Announced(_) | State::Sending(_) | State::Ready { .. } => file,
    }
}

fn unread_wait(post: &Post) -> TimeDelta {
    let has_video = post.files.iter().any(|file| file.is_video);
    if has_video { UNREAD_VIDEO_WAIT } else { UNREAD_IMAGE_WAIT }
}

fn announce(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    file: &File,
) -> Result<Request, NetworkError> {
    let mut announcement = json!({ "owner": progress.author });
    if file.is_video {
        let bytes = job.file(file.file)?.facts.size_bytes;
        let bytes = bytes
            .ok_or_else(|| NetworkError::unusable_media("The size of the video is not known."))?;
        announcement["fileSizeBytes"] = bytes.into();
        announcement["uploadCaptions"] = false.into();
        announcement["uploadThumbnail"] = job.thumbnail.is_some().into();
    }
    let body = json!({ "initializeUploadRequest": announcement });
    Ok(api.act(&job.credentials.access_token, file.path(), "action=initializeUpload", body))
}

fn announced(file: &File, answer: &Answer, job: &PublishJob) -> Result<State, NetworkError> {
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    if file.is_video {
        let Valued { value } = answer.json().ok_or_else(unreadable)?;
        return Ok(State::Sending(Upload::begin(value).ok_or_else(unreadable)?));
    }
    let Valued { value } = answer.json().ok_or_else(unreadable)?;
    let WholeUpload { upload_url_expires_at, upload_url, urn } = value;
    let expires_at = upload_url_expires_at.and_then(instant);
    Ok(State::Announced(Announced { urn, upload_url, expires_at }))
}

/// Sends an image or a document.
fn whole(
    api: &Api,
    job: &Job<'_, Tokens>,
    file: &File,
    announced: &Announced,
) -> Result<Request, NetworkError> {
    let url = video::address(&announced.upload_url)?;
    let body = if file.pages.is_empty() {
        Body::File(FileBody::of(job.file(file.file)?))
    } else {
        let pages = file.pages.iter().map(|page| job.file(*page).map(FileBody::of));
        Body::ImagesAsPdf(pages.collect::<Result<_, _>>()?)
    };
    let request = Request::act(url, body).method(Method::Put);
    Ok(api.with_headers(request, &job.credentials.access_token))
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
