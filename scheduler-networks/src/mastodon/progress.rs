//! How far a publish to Mastodon has come.

use chrono::{DateTime, Utc};
use scheduler_core::platform::{Platform, Poll as PollOption};
use scheduler_core::ports::{Live, PublishJob};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::files::File;
use super::quote::Quote;
use super::wire::{Poll, Status, Tokens};
use crate::conversation::{Part, StoredProgress};

/// What is done and what is left, with every text as it will be sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct Progress {
    /// Parts of the whole thread.
    of: usize,
    /// The texts that are still to be sent, in order; at least one.
    texts: Vec<String>,
    /// The content warning of every part.
    pub(super) spoiler: Option<String>,
    /// Who sees every part.
    pub(super) visibility: String,
    /// The files are hidden until somebody asks for them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_sensitive: bool,
    /// The language of every part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<String>,
    /// Who may quote each part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) quote_policy: Option<String>,
    /// The post that the first part quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) quote: Option<Quote>,
    /// The poll of the first part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    poll: Option<Poll>,
    /// The first status, once it is live.
    pub(super) first: Option<Remote>,
    /// The id of the latest status.
    pub(super) parent: Option<String>,
    /// The next part was not sent before this instant.
    pub(super) not_sent_before: DateTime<Utc>,
    /// The files of all parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<File>,
    /// All parts were taken; a look shows whether the server has kept the latest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_sent: bool,
}

impl StoredProgress for Progress {
    const REMEDY: &'static str = "Look on Mastodon; if the post is missing, make it anew.";

    fn begin(job: &PublishJob) -> Self {
        let link = job.link_url.as_deref();
        let composed =
            compose(&job.content, link, !job.files.is_empty(), Platform::Mastodon, &job.options);
        let text = |key: &str| job.options.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            of: composed.parts.len(),
            texts: composed.parts,
            spoiler: composed.spoiler,
            // Not the account's own default, which can be anything.
            visibility: text("visibility").unwrap_or_else(|| "public".to_owned()),
            is_sensitive: job.options.get("sensitive").and_then(Value::as_bool) == Some(true),
            language: text("language"),
            quote_policy: text("quotePolicy"),
            quote: Quote::of(job),
            poll: poll(&job.options),
            first: None,
            parent: None,
            not_sent_before: job.begun_at,
            files: job.files_by_part().map(File::new).collect(),
            is_sent: false,
        }
    }

    fn is_visible(&self) -> bool {
        self.is_ready()
    }

    fn is_consistent(&self) -> bool {
        self.texts.is_empty() == self.is_sent
            && self.texts.len() <= self.of
            && self.first.is_some() == self.parent.is_some()
    }

    fn live_part(&self) -> Option<Remote> {
        self.first.clone()
    }

    fn part(&self) -> Part {
        Part { number: (self.of - self.texts.len() + 1).min(self.of), of: self.of }
    }
}

impl Progress {
    /// True when the next step sends a status: what it shows is all there.
    pub(super) fn is_ready(&self) -> bool {
        !self.is_sent
            && self.files.iter().all(File::is_ready)
            && self.quote.as_ref().is_none_or(|quote| quote.id().is_some())
    }

    /// The progress once the quoted post is known.
    pub(super) fn quoting(self, quote: Quote) -> Self {
        Self { quote: Some(quote), ..self }
    }

    /// The id of the post that the next part quotes.
    pub(super) fn quoted(&self) -> Option<&str> {
        self.quote.as_ref().filter(|_| self.parent.is_none())?.id()
    }

    /// How many parts are live.
    const fn sent_parts(&self) -> usize {
        self.of - self.texts.len()
    }

    /// What the server calls the files of the next part.
    pub(super) fn media_ids(&self) -> Vec<&str> {
        let files = self.files.iter().filter(|file| file.part == self.sent_parts());
        files.filter_map(File::id).collect()
    }

    /// The progress once the server has lost files; `None` when that happened too often.
    pub(super) fn uploads_again(mut self) -> Option<Self> {
        let next = self.sent_parts();
        let again = |file: File| if file.part == next { file.again() } else { Some(file) };
        let files = std::mem::take(&mut self.files);
        let files = files.into_iter().map(again).collect::<Option<_>>()?;
        Some(Self { files, ..self })
    }

    /// The progress once the server has said that files are not ready after all.
    pub(super) fn waits_for_files(mut self, now: DateTime<Utc>) -> Self {
        let next = self.sent_parts();
        let processing = |file: File| if file.part == next { file.processing(now) } else { file };
        let files = std::mem::take(&mut self.files).into_iter().map(processing).collect();
        Self { files, ..self }
    }

    /// The poll of the next part.
    pub(super) fn poll(&self) -> Option<&Poll> {
        self.poll.as_ref().filter(|_| self.parent.is_none())
    }

    /// The text of the next part.
    pub(super) fn text(&self) -> Option<&str> {
        self.texts.first().map(String::as_str)
    }

    /// The key that the server knows a repeat of the next part by.
    pub(super) fn key(&self, job: &PublishJob) -> String {
        format!("{}:{}:{}", job.target_id, job.revision, self.part().number)
    }

    /// The progress after a look that found nothing: the next part has not been sent.
    pub(super) fn sends_again(self, now: DateTime<Utc>) -> Self {
        Self { not_sent_before: now, ..self }
    }

    /// The progress once the next part is live; what is live when that was the last.
    pub(super) fn sent(
        mut self,
        status: Status,
        now: DateTime<Utc>,
        tokens: &Tokens,
    ) -> Result<Self, Box<Live<Self>>> {
        let id = status.id.clone();
        let first = match self.first.take() {
            None => remote(status),
            Some(first) => with_part(first, &id),
        };
        let text = self.texts.remove(0);
        if self.texts.is_empty() {
            // Of these Mastodon lets its filter for spam decide, and answers as if it had taken
            // what it has not.
            let may_be_dropped = tokens.is_mastodon && (self.of > 1 || text.contains('@'));
            let (remote, files) = (Some(first.clone()), Vec::new());
            let then = Self { first: Some(first), parent: Some(id), is_sent: true, files, ..self };
            return Err(Box::new(Live { remote, then: may_be_dropped.then_some(then) }));
        }
        Ok(Self { first: Some(first), parent: Some(id), not_sent_before: now, ..self })
    }
}

/// The poll of a target's options, which the rules have let through.
fn poll(options: &Map<String, Value>) -> Option<Poll> {
    let poll = PollOption::of(options)?;
    let minutes = poll.duration_minutes.unwrap_or(PollOption::DEFAULT_MINUTES);
    Some(Poll {
        options: poll.options,
        expires_in: u64::from(minutes) * 60,
        multiple: poll.multiple.unwrap_or_default(),
        hide_totals: poll.hide_results.unwrap_or_default(),
    })
}

/// What we call a thread that has one part more.
fn with_part(first: Remote, id: &str) -> Remote {
    let known = first.record.get("parts").and_then(Value::as_array).cloned();
    let mut parts = known.unwrap_or_else(|| vec![first.id.as_str().into()]);
    parts.push(id.into());
    Remote { record: json!({ "parts": parts }), ..first }
}

/// What we call a status. The page of one that has none is its address in the fediverse.
fn remote(status: Status) -> Remote {
    Remote::new(status.id, status.url.or(status.uri))
}
