//! What a post can be found by, beside its status and its time: worked out here, kept by stores.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::{ApprovalState, Post, PostStatus, folded_label};
use crate::ids::AccountId;
use crate::platform::OptionFact;
use crate::target::{Target, TargetStatus};
use crate::text::words;

/// Bytes of words that a search finds a post by at most, with their separators; later words are
/// not found.
///
/// Source: ours. PostgreSQL keeps at most 1 MiB of words of a text.
const WORDS_MAX_BYTES: usize = 256 << 10;

/// One thing that a post is found by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Facet {
    /// It goes to this account.
    Account(AccountId),
    /// It has this label, as labels are compared.
    Label(String),
    /// A target has failed, and it is known that it is not live.
    Failed,
    /// A target has failed, and nobody can tell whether it is live.
    InDoubt,
    /// A client has yet to decide on it.
    AwaitingApproval,
    /// A client has asked for changes.
    ChangesAsked,
    /// It is a draft that a network would refuse.
    Unfinished,
}

impl Facet {
    /// A name that no other facet has, of at most 201 bytes, for stores to keep it by.
    #[must_use]
    pub fn key(&self) -> Vec<u8> {
        let (kind, name): (u8, &[u8]) = match self {
            Self::Account(id) => (b'a', id.0.as_bytes()),
            Self::Label(label) => (b'l', label.as_bytes()),
            Self::Failed => (b'f', b""),
            Self::InDoubt => (b'd', b""),
            Self::AwaitingApproval => (b'w', b""),
            Self::ChangesAsked => (b'c', b""),
            Self::Unfinished => (b'u', b""),
        };
        [&[kind], name].concat()
    }
}

impl Post {
    /// Everything that it is found by.
    #[must_use]
    pub fn facets(&self) -> BTreeSet<Facet> {
        let accounts = self.targets.iter().map(|target| Facet::Account(target.account_id));
        let labels = self.annotations.labels.iter().map(|label| Facet::Label(folded_label(label)));
        let mut facets: BTreeSet<Facet> = accounts.chain(labels).collect();
        if self.status != PostStatus::Canceled {
            facets.extend(self.targets.iter().filter_map(failure_of));
        }
        if self.status.is_unfinished() {
            facets.extend(match self.approval() {
                Some(ApprovalState::Pending) => Some(Facet::AwaitingApproval),
                Some(ApprovalState::Changes) => Some(Facet::ChangesAsked),
                Some(ApprovalState::Approved) | None => None,
            });
        }
        if self.unfinished {
            facets.insert(Facet::Unfinished);
        }
        facets
    }

    /// The earliest instant at which something of it goes out that has not begun to; `None` when
    /// nothing is to come.
    #[must_use]
    pub fn next_due(&self) -> Option<DateTime<Utc>> {
        match self.status {
            PostStatus::Scheduled => self.scheduled_at,
            PostStatus::Publishing => {
                let to_come = self.targets.iter().filter(|target| !target.status().has_ended());
                to_come.filter_map(Target::due_at).min().or(self.scheduled_at)
            }
            PostStatus::Draft | PostStatus::Done | PostStatus::Canceled => None,
        }
    }

    /// The words that a search finds it by: those of its text, of its targets' own texts, of its
    /// labels and its note. Each once.
    #[must_use]
    pub fn search_words(&self) -> BTreeSet<String> {
        let mut found = Found::default();
        found.add(&self.content);
        for label in &self.annotations.labels {
            found.add(label);
        }
        found.add(self.annotations.note.as_deref().unwrap_or_default());
        for target in &self.targets {
            let sheet = target.platform.sheet();
            let is_text = |key: &str| sheet.option(key).is_some_and(OptionFact::is_text);
            for (_, value) in target.options.iter().filter(|(key, _)| is_text(key)) {
                found.add_texts_of(value);
            }
        }
        found.words
    }
}

fn failure_of(target: &Target) -> Option<Facet> {
    let failure = target.failure().filter(|_| target.status() == TargetStatus::Failed)?;
    Some(if failure.is_in_doubt() { Facet::InDoubt } else { Facet::Failed })
}

#[derive(Default)]
struct Found {
    words: BTreeSet<String>,
    bytes: usize,
}

impl Found {
    fn add(&mut self, text: &str) {
        for word in words(text) {
            let bytes = word.len() + 1;
            if self.bytes + bytes > WORDS_MAX_BYTES {
                return;
            }
            if self.words.insert(word) {
                self.bytes += bytes;
            }
        }
    }

    /// Adds every text in a value, at whatever depth.
    fn add_texts_of(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add(text),
            Value::Array(values) => values.iter().for_each(|value| self.add_texts_of(value)),
            Value::Object(fields) => fields.values().for_each(|value| self.add_texts_of(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
