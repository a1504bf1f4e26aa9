//! The captions of a video: each is a blob of the account's server, which the record names.
//!
//! Source: lexicons/app/bsky/embed/video.json, `captions`.

use scheduler_core::media::MediaKind;
use scheduler_core::ports::{PublishJob, Step};
use scheduler_core::text::subtitles::{Form, written};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::caller::Servers;
use super::errors::failure;
use super::progress::Progress;
use super::tokens::Tokens;
use super::upload::unreadable;
use super::wire::{NamedCaption, UploadedBlob};
use crate::conversation::{Answer, Body, Job, Request, StoredProgress, Turn, TurnResult};

/// Captions in one language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Caption {
    language: String,
    /// What the server calls them, once it has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) blob: Option<Value>,
}

impl Caption {
    /// Those of a job, where the first part has a video.
    pub(super) fn all(job: &PublishJob) -> Vec<Self> {
        let has_video = job.files.iter().any(|file| file.facts.kind == MediaKind::Video);
        let tracks = job.options.get("subtitles").and_then(Value::as_array);
        let tracks = tracks.filter(|_| has_video).into_iter().flatten();
        let languages = tracks.filter_map(|track| track.get("language")?.as_str());
        languages.map(|language| Self { language: language.to_owned(), blob: None }).collect()
    }

    /// As a record names them; `None` while the server does not have them.
    pub(super) fn named(&self) -> Option<NamedCaption> {
        Some(NamedCaption { lang: self.language.clone(), file: self.blob.clone()? })
    }
}

/// The next turn of a step that uploads the next captions.
pub(super) fn advance(
    servers: &Servers,
    job: &Job<'_, Tokens>,
    mut progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let at = progress.captions.iter().position(|caption| caption.blob.is_none());
    let at = at.ok_or_else(Progress::unreadable)?;
    let Some(answer) = answers.first() else {
        let tracks = job.options.get("subtitles").and_then(Value::as_array);
        let content = tracks.and_then(|tracks| tracks.get(at)?.get("content")?.as_str());
        let content = content.ok_or_else(Progress::unreadable)?;
        let url = servers.account.at(["xrpc", "com.atproto.repo.uploadBlob"]);
        let bytes = written(content, Form::Vtt).into_bytes();
        let body = Body::Bytes { content_type: "text/vtt".to_owned(), bytes };
        let request = Request::act(url, body);
        return Ok(Turn::Send(job.credentials.authorized(request)));
    };
    let uploaded: UploadedBlob =
        answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
    if let Some(caption) = progress.captions.get_mut(at) {
        caption.blob = Some(uploaded.blob);
    }
    Ok(Turn::Done(Step::Next(progress)))
}
