//! The files of a post: how far each has come, and what brings it further.
//!
//! Nobody sees an uploaded file before a post shows it, so an upload may be done twice; what no
//! post shows is dropped after a day. A small image goes in one call, everything else in segments;
//! X works on animations and videos afterwards. What X knows of a file besides its bytes follows once
//! it is there.
//!
//! Source: <https://docs.x.com/x-api/media/introduction>,
//! <https://docs.x.com/x-api/media/quickstart/media-upload-chunked> and openapi.json 2.167,
//! `/2/media/…`.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaKind;
use scheduler_core::ports::{JobFile, NetworkError, PublishJob, Step};
use scheduler_core::target::FailureCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::api::Api;
use super::errors::{after_sentence, failure_of_file, unreadable_file};
use super::progress::Progress;
use super::wire::{Data, Media, ProcessingInfo};
use crate::conversation::{
    Answer, Body, FileBody, FormPart, Job, Request, StoredProgress, Turn, TurnResult, is_first_part,
};
use crate::oauth_tokens::Tokens;
use crate::poll_schedule::PollSchedule;
use crate::quotations::shown_words;

/// Bytes of a segment; the last is shorter. There are at most 1 000.
///
/// 5 MB are documented, and bodies of that size are refused on the way to X.
///
/// Source: <https://docs.x.com/x-api/media/quickstart/media-upload-chunked>, whose examples send
/// 1 MB, and <https://github.com/trypostit/trypost/pull/31>.
const SEGMENT_BYTES: u64 = 1024 * 1024;

/// When the state of an animation or a video is asked for, unless X says when.
const POLLS: PollSchedule = PollSchedule {
    first: TimeDelta::seconds(1),
    eager_wait: TimeDelta::seconds(5),
    eager: TimeDelta::minutes(1),
    then: TimeDelta::seconds(15),
    give_up_after: TimeDelta::minutes(30),
};

/// The longest wait that X can ask for between two questions. Our decision.
const WAIT_MAX: TimeDelta = TimeDelta::minutes(1);

/// How often the upload of a file begins anew.
const REPEATS_MAX: u32 = 3;

/// A file of a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct File {
    /// The part of the thread that shows it, counted from 0.
    #[serde(default, skip_serializing_if = "is_first_part")]
    pub(super) part: usize,
    file: MediaId,
    /// What X is told of it once it is there, in X's own names; empty for nothing.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    metadata: Map<String, Value>,
    state: State,
    /// How often its upload has begun anew.
    #[serde(default)]
    repeats: u32,
}

/// What X calls a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Name {
    /// Its id, by which a post shows it.
    id: String,
    /// Its key, by which it is known in a post.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

/// How far a file has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
enum State {
    /// It is still to be uploaded.
    Waiting,
    /// So many of its segments are there.
    Sending {
        /// What X calls it.
        name: Name,
        /// How many segments.
        sent: u64,
    },
    /// X works on it.
    Processing {
        /// What X calls it.
        name: Name,
        /// Since when.
        since: DateTime<Utc>,
    },
    /// It is there; X is still to be told what else there is to know of it.
    Uploaded {
        /// What X calls it.
        name: Name,
    },
    /// A post can show it.
    Ready {
        /// What X calls it.
        name: Name,
    },
}

impl File {
    /// A file before anything is done with it. `warning` are the words of the content warning.
    pub(super) fn new((part, file): (usize, &JobFile), warning: &[&str]) -> Self {
        let mut metadata = Map::new();
        let alt_text = file.alt_text.as_deref().filter(|text| !text.is_empty());
        // Source: openapi.json, `alt_text`. That a video keeps one is not said.
        if let Some(text) = alt_text.filter(|_| file.facts.kind.is_image()) {
            metadata.insert("alt_text".to_owned(), json!({ "text": text }));
        }
        if !warning.is_empty() {
            let warning = warning.iter().map(|word| (in_words_of_x(word).to_owned(), json!(true)));
            let warning: Map<String, Value> = warning.collect();
            metadata.insert("sensitive_media_warning".to_owned(), Value::Object(warning));
        }
        Self { part, file: file.id, metadata, state: State::Waiting, repeats: 0 }
    }

    /// True when a post can show it.
    pub(super) const fn is_ready(&self) -> bool {
        matches!(self.state, State::Ready { .. })
    }

    /// The id by which a post shows it; `None` while it is not ready.
    pub(super) fn id(&self) -> Option<&str> {
        match &self.state {
            State::Ready { name } => Some(&name.id),
            _ => None,
        }
    }

    /// The key by which it is known in a post.
    pub(super) fn key(&self) -> Option<&str> {
        match &self.state {
            State::Ready { name } => name.key.as_deref(),
            _ => None,
        }
    }

    /// The file once X has lost it or does not take its segments; `None` when it was uploaded
    /// again too often.
    pub(super) fn again(self) -> Option<Self> {
        let repeats = self.repeats + 1;
        (repeats <= REPEATS_MAX).then_some(Self { state: State::Waiting, repeats, ..self })
    }

    /// What comes after its bytes are there.
    fn uploaded(&self, name: Name) -> State {
        if self.metadata.is_empty() { State::Ready { name } } else { State::Uploaded { name } }
    }
}

/// A word of the option `sensitive` in X's own.
///
/// Source: the members that X's pages know of a warning; openapi.json does not spell them out.
fn in_words_of_x(word: &str) -> &str {
    match word {
        "adult" => "adult_content",
        "violence" => "graphic_violence",
        other => other,
    }
}

/// How X files are told apart.
///
/// Source: openapi.json, `media_category`.
fn category(file: &JobFile) -> &'static str {
    let moves = file.facts.frame_count != Some(1);
    match file.facts.kind {
        MediaKind::Video => "tweet_video",
        _ if is_gif(file) && moves => "tweet_gif",
        _ => "tweet_image",
    }
}

fn is_gif(file: &JobFile) -> bool {
    file.facts.mime_type.as_deref() == Some("image/gif")
}

/// True for a file that goes in one call: an image that is no larger than a segment, or whose size
/// is not known.
///
/// Source: openapi.json, `MediaUploadRequestOneShot`, which takes no GIF and no video.
fn goes_whole(file: &JobFile) -> bool {
    let is_small = file.facts.size_bytes.is_none_or(|bytes| bytes <= SEGMENT_BYTES);
    file.facts.kind == MediaKind::Image && !is_gif(file) && is_small
}

/// The next turn of a step that brings the files further.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    mut progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let next = progress.files.iter().position(|file| !file.is_ready());
    let file = next.and_then(|at| progress.files.get_mut(at)).ok_or_else(Progress::unreadable)?;
    let stored = job.file(file.file)?;
    let segments = size_of(stored)?.div_ceil(SEGMENT_BYTES);
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(request(api, job, file, stored, segments)?));
    };
    let is_refused = matches!(answer.status, 400 | 404);
    if is_refused && matches!(file.state, State::Sending { .. } | State::Uploaded { .. }) {
        // A segment that came twice, or a file that X has dropped.
        let again = file.clone().again();
        *file = again.ok_or_else(|| failure_of_file(answer, job.now))?;
        return Ok(Turn::Done(Step::Next(progress)));
    }
    if !answer.is_success() {
        return Err(failure_of_file(answer, job.now));
    }
    let read = || -> Result<Media, NetworkError> {
        answer.json().map(|Data { data }: Data<Media>| data).ok_or_else(unreadable_file)
    };
    file.state = match file.state.clone() {
        State::Waiting => {
            let media = read()?;
            let (info, name) = (media.processing_info, Name { id: media.id, key: media.media_key });
            match info {
                _ if !goes_whole(stored) => State::Sending { name, sent: 0 },
                Some(_) => State::Processing { name, since: job.now },
                None => file.uploaded(name),
            }
        }
        State::Sending { name, sent } if sent < segments => State::Sending { name, sent: sent + 1 },
        State::Sending { name, .. } => match read()?.processing_info {
            None => file.uploaded(name),
            Some(info) => {
                let wait = info.wait().unwrap_or(POLLS.first);
                file.state = State::Processing { name, since: job.now };
                return Ok(Turn::Done(Step::Wait {
                    progress,
                    until: job.now + wait.min(WAIT_MAX),
                }));
            }
        },
        State::Processing { name, since } => match read()?.processing_info {
            None => file.uploaded(name),
            Some(info) if info.is_done() => file.uploaded(name),
            Some(info) if info.has_failed() => return Err(unprocessable(&info)),
            Some(info) => {
                let Some(wait) = POLLS.wait(job.now - since) else {
                    let message = "X has not finished with a file after 30 minutes.";
                    let error = NetworkError::permanent(message);
                    return Err(error.with_code(FailureCode::NetworkError));
                };
                let wait = info.wait().unwrap_or(wait).min(WAIT_MAX);
                return Ok(Turn::Done(Step::Wait { progress, until: job.now + wait }));
            }
        },
        State::Uploaded { name } | State::Ready { name } => State::Ready { name },
    };
    Ok(Turn::Done(Step::Next(progress)))
}

/// The call that brings a file further.
fn request(
    api: &Api,
    job: &Job<'_, Tokens>,
    file: &File,
    stored: &JobFile,
    segments: u64,
) -> Result<Request, NetworkError> {
    let token = &job.credentials.access_token;
    let bytes = FileBody::of(stored);
    Ok(match &file.state {
        State::Waiting if goes_whole(stored) => {
            let parts = vec![
                FormPart::text("media_category", category(stored)),
                FormPart::file("media", file.file.to_string(), bytes),
            ];
            api.act(token, &["media", "upload"], Body::Multipart(parts))
        }
        State::Waiting => {
            let body = json!({
                "media_type": bytes.media_type,
                "total_bytes": size_of(stored)?,
                "media_category": category(stored),
            });
            api.act(token, &["media", "upload", "initialize"], Body::Json(body))
        }
        State::Sending { name, sent } if *sent < segments => {
            let from = sent * SEGMENT_BYTES;
            let until = (from + SEGMENT_BYTES).min(size_of(stored)?);
            let parts = vec![
                FormPart::text("segment_index", sent.to_string()),
                FormPart::file("media", file.file.to_string(), bytes.bytes(from..until)),
            ];
            api.act(token, &["media", "upload", &name.id, "append"], Body::Multipart(parts))
        }
        State::Sending { name, .. } => {
            api.act(token, &["media", "upload", &name.id, "finalize"], Body::Empty)
        }
        State::Processing { name, .. } => {
            let query = [("command", "STATUS"), ("media_id", name.id.as_str())];
            api.read(token, &["media", "upload"], &query)
        }
        State::Uploaded { name } => {
            let body = json!({ "id": name.id, "metadata": file.metadata });
            api.act(token, &["media", "metadata"], Body::Json(body))
        }
        State::Ready { .. } => return Err(Progress::unreadable()),
    })
}

/// How many bytes a file has, as it goes out.
fn size_of(stored: &JobFile) -> Result<u64, NetworkError> {
    if goes_whole(stored) {
        return Ok(0);
    }
    stored.facts.size_bytes.ok_or_else(|| {
        let error = NetworkError::permanent("The size of a file is not known. Upload it again.");
        error.with_code(FailureCode::MediaUnusable)
    })
}

/// The failure for a file that X cannot process.
fn unprocessable(info: &ProcessingInfo) -> NetworkError {
    let said = after_sentence(&shown_words(info.said()));
    let message = format!("X cannot process a file of this post. Send it in another format{said}");
    NetworkError::permanent(message).with_code(FailureCode::ValidationFailed)
}

/// The failure for files that X says too often that it does not know.
pub(super) fn lost(answer: &Answer, job: &PublishJob) -> NetworkError {
    let error = failure_of_file(answer, job.now);
    let message = "X does not know the files of this post again and again: it loses them, or does not show files of their kind. Send them in another format.".to_owned();
    NetworkError { message, ..error }
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
