//! How far a publish to X has come.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::{Platform, Poll};
use scheduler_core::ports::{JobFile, PublishJob};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::api::Api;
use super::files::File;
use super::wire::Record;
use crate::conversation::{Part, StoredProgress};

/// How long after a refusal of a repeat a further step is a person's retry. The look that tells the
/// refusal follows within seconds.
const RETRY_AFTER: TimeDelta = TimeDelta::minutes(2);

/// What is done and what is left, with every text as it will be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    /// Parts of the whole thread.
    of: usize,
    /// The texts that are still to be sent, in order; at least one.
    texts: Vec<String>,
    /// What the first part says besides its text, in X's own names.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    settings: Map<String, Value>,
    /// The files of all parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<File>,
    /// The first part, once it is live.
    pub(super) first: Option<Remote>,
    /// The ids of the parts that are live.
    pub(super) parts: Vec<String>,
    /// The next part was not sent before this instant.
    pub(super) not_sent_before: DateTime<Utc>,
    /// Set after a look that found nothing: when the next look is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) look_again_at: Option<DateTime<Utc>>,
    /// The next part may have been sent before, so a refusal as a duplicate can be of our own.
    #[serde(default)]
    pub(super) is_repeat: bool,
    /// When a repeat was refused as a duplicate of a post that X does not show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refused_at: Option<DateTime<Utc>>,
    /// How often X did not show the part before to its own answer.
    #[serde(default)]
    pub(super) refusals: u32,
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look on X; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let link = job.link_url.as_deref();
        let has_files = !job.files.is_empty();
        let texts = compose(&job.content, link, has_files, Platform::Twitter, &job.options).parts;
        Self {
            of: texts.len(),
            texts,
            settings: settings(&job.options, &job.files),
            files: files(job),
            first: None,
            parts: Vec::new(),
            not_sent_before: job.begun_at,
            look_again_at: None,
            is_repeat: false,
            refused_at: None,
            refusals: 0,
        }
    }

    fn is_visible(&self) -> bool {
        self.is_ready()
    }

    fn is_consistent(&self) -> bool {
        !self.texts.is_empty()
            && self.texts.len() + self.parts.len() == self.of
            && self.first.is_some() != self.parts.is_empty()
    }

    fn live_part(&self) -> Option<Remote> {
        self.first.clone()
    }

    fn part(&self) -> Part {
        Part { number: self.parts.len() + 1, of: self.of }
    }
}

impl Progress {
    /// True when the next step sends a part: the files of all are there.
    pub(super) fn is_ready(&self) -> bool {
        self.files.iter().all(File::is_ready)
    }

    /// The files of the next part.
    pub(super) fn files_of_part(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.part == self.parts.len())
    }

    /// True when the next part shows files.
    pub(super) fn has_files(&self) -> bool {
        self.files_of_part().next().is_some()
    }

    /// The progress once X has lost the files of the next part; `None` when that happened too
    /// often.
    pub(super) fn uploads_again(mut self) -> Option<Self> {
        let next = self.parts.len();
        let again = |file: File| if file.part == next { file.again() } else { Some(file) };
        let files = std::mem::take(&mut self.files);
        let files = files.into_iter().map(again).collect::<Option<_>>()?;
        Some(Self { files, ..self })
    }

    /// The text of the next part.
    pub(super) fn text(&self) -> &str {
        self.texts.first().map_or("", String::as_str)
    }

    /// What the next part says besides its text: only the first one says anything.
    pub(super) fn settings(&self) -> Option<&Map<String, Value>> {
        Some(&self.settings).filter(|_| self.parts.is_empty())
    }

    /// The part that the next one answers.
    pub(super) fn parent(&self) -> Option<&str> {
        self.parts.last().map(String::as_str)
    }

    /// True right after a repeat was refused, before a person can have said to try again.
    pub(super) fn is_refused(&self, now: DateTime<Utc>) -> bool {
        self.refused_at.is_some_and(|at| now <= at + RETRY_AFTER)
    }

    /// The progress after a look that settled nothing: the next is at `at`.
    pub(super) fn looks_again(self, at: DateTime<Utc>) -> Self {
        Self { look_again_at: Some(at), is_repeat: true, ..self }
    }

    /// The progress after another look that found nothing: the next part is sent again.
    pub(super) fn sends_again(self) -> Self {
        Self { look_again_at: None, is_repeat: true, ..self }
    }

    /// The progress once a repeat was refused as a duplicate of a post that X does not show.
    pub(super) fn refused(self, at: DateTime<Utc>) -> Self {
        Self { refused_at: Some(at), look_again_at: None, ..self }
    }

    /// The progress once X has not shown the part before to its own answer.
    pub(super) fn not_shown(self) -> Self {
        Self { refusals: self.refusals + 1, ..self }
    }

    /// The progress once the next part is live; the first part when that was the last.
    pub(super) fn sent(mut self, api: &Api, job: &PublishJob, id: &str) -> Result<Self, Remote> {
        self.parts.push(id.to_owned());
        let page = || api.page(job.account.username.as_deref(), id);
        let mut first = self.first.take().unwrap_or_else(|| Remote::new(id, Some(page())));
        if self.of > 1 {
            let record = Record { parts: self.parts.clone() };
            first.record = serde_json::to_value(&record).unwrap_or_default();
        }
        if self.texts.len() <= 1 {
            return Err(first);
        }
        self.texts.remove(0);
        Ok(Self {
            first: Some(first),
            not_sent_before: job.now,
            look_again_at: None,
            is_repeat: false,
            refused_at: None,
            refusals: 0,
            ..self
        })
    }
}

/// The files of all parts, with the content warning of the options.
fn files(job: &PublishJob) -> Vec<File> {
    let warning = job.options.get("sensitive").and_then(Value::as_array);
    let warning: Vec<&str> = warning.into_iter().flatten().filter_map(Value::as_str).collect();
    job.files_by_part().map(|file| File::new(file, &warning)).collect()
}

/// What a post says by its options. What is not named is left out: X knows no word for everyone.
///
/// Source: <https://docs.x.com/x-api/posts/create-posts>, `reply_settings`, `paid_partnership`,
/// `made_with_ai`, `media.tagged_user_ids`, `community_id` and `poll`.
fn settings(options: &Map<String, Value>, files: &[JobFile]) -> Map<String, Value> {
    let mut settings = Map::new();
    let text = |key: &str| options.get(key).and_then(Value::as_str);
    let replies = match text("replyControl") {
        Some("mentioned") => Some("mentionedUsers"),
        Some(word @ ("following" | "subscribers" | "verified")) => Some(word),
        _ => None,
    };
    if let Some(replies) = replies {
        settings.insert("reply_settings".to_owned(), json!(replies));
    }
    let is_on = |key: &str| options.get(key).and_then(Value::as_bool) == Some(true);
    if is_on("paidPartnership") {
        settings.insert("paid_partnership".to_owned(), json!(true));
    }
    // The label speaks of files.
    if !files.is_empty() && is_on("aiGenerated") {
        settings.insert("made_with_ai".to_owned(), json!(true));
    }
    let tagged = options.get("taggedUsers").and_then(Value::as_array);
    let tagged: Vec<&str> = tagged.into_iter().flatten().filter_map(Value::as_str).collect();
    let has_images = files.iter().any(|file| file.facts.kind.is_image());
    if has_images && !tagged.is_empty() {
        settings.insert("media".to_owned(), json!({ "tagged_user_ids": tagged }));
    }
    if let Some(community) = text("communityId") {
        settings.insert("community_id".to_owned(), json!(community));
    }
    if let Some(poll) = Poll::of(options) {
        let minutes = poll.duration_minutes.unwrap_or(Poll::DEFAULT_MINUTES);
        let poll = json!({ "options": poll.options, "duration_minutes": minutes });
        settings.insert("poll".to_owned(), poll);
    }
    settings
}
