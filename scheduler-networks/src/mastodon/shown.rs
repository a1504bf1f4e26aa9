//! Statuses as readers see them.
//!
//! Source: <https://docs.joinmastodon.org/entities/Status/>.

use chrono::{DateTime, Utc};
use scheduler_core::ports::Comment;
use serde::Deserialize;
use serde_json::{Value, json};

use super::wire::Tokens;
use crate::html::{Author, plain};

/// A status.
#[derive(Debug, Deserialize)]
pub(super) struct ShownStatus {
    pub(super) id: String,
    created_at: Option<DateTime<Utc>>,
    pub(super) in_reply_to_id: Option<String>,
    in_reply_to_account_id: Option<String>,
    pub(super) account: ShownAccount,
    #[serde(default)]
    content: String,
    #[serde(default)]
    spoiler_text: String,
    #[serde(default)]
    sensitive: bool,
    #[serde(default)]
    pub(super) visibility: String,
    language: Option<String>,
    poll: Option<Value>,
    pub(super) favourites_count: Option<u64>,
    pub(super) reblogs_count: Option<u64>,
    pub(super) replies_count: Option<u64>,
    /// Since 4.5.
    pub(super) quotes_count: Option<u64>,
    #[serde(default)]
    media_attachments: Vec<ShownFile>,
    #[serde(default)]
    mentions: Vec<ShownAccount>,
}

/// Somebody.
#[derive(Debug, Deserialize)]
pub(super) struct ShownAccount {
    pub(super) id: String,
    pub(super) acct: String,
    #[serde(default)]
    pub(super) username: String,
    #[serde(default)]
    pub(super) display_name: String,
    /// Of the account itself.
    pub(super) followers_count: Option<u64>,
}

/// A file of a status.
#[derive(Debug, Deserialize)]
struct ShownFile {
    id: String,
    description: Option<String>,
    meta: Option<Value>,
}

/// What stands above and below a status.
#[derive(Debug, Deserialize)]
pub(super) struct Surroundings {
    #[serde(default)]
    pub(super) ancestors: Vec<ShownStatus>,
    #[serde(default)]
    pub(super) descendants: Vec<ShownStatus>,
}

impl ShownStatus {
    /// True when the account wrote it.
    pub(super) fn is_own(&self, tokens: &Tokens) -> bool {
        self.account.id == tokens.account_id
    }

    /// The same status as a comment.
    pub(super) fn into_comment(self, tokens: &Tokens) -> Comment {
        Comment {
            own: self.is_own(tokens),
            id: self.id,
            author: Some(self.account.acct),
            text: plain(&self.content, Author::Server),
            created_at: self.created_at,
            hidden: false,
            like_count: self.favourites_count,
        }
    }

    /// Whom it answers, by the name under which it mentions them.
    pub(super) fn answered(&self) -> Option<&ShownAccount> {
        let id = self.in_reply_to_account_id.as_ref()?;
        self.mentions.iter().find(|mentioned| mentioned.id == *id)
    }

    /// True for one with a poll.
    pub(super) const fn has_poll(&self) -> bool {
        self.poll.is_some()
    }

    /// What replaces it when only its text changes: whatever is not sent is taken away.
    ///
    /// Source: <https://github.com/mastodon/mastodon/blob/v4.6.5/app/services/update_status_service.rb>.
    pub(super) fn with_text(&self, text: &str) -> Value {
        let mut replaced = json!({
            "status": text,
            "spoiler_text": self.spoiler_text,
            "sensitive": self.sensitive,
        });
        if let Some(language) = &self.language {
            replaced["language"] = language.as_str().into();
        }
        if !self.media_attachments.is_empty() {
            let files = &self.media_attachments;
            replaced["media_ids"] = files.iter().map(|file| file.id.as_str()).collect();
            replaced["media_attributes"] = files.iter().map(ShownFile::attributes).collect();
        }
        replaced
    }
}

impl ShownFile {
    fn attributes(&self) -> Value {
        let mut attributes = json!({ "id": self.id });
        if let Some(description) = &self.description {
            attributes["description"] = description.as_str().into();
        }
        let focus = self.meta.as_ref().and_then(|meta| meta.get("focus"));
        let at = |name| focus?.get(name)?.as_f64();
        if let (Some(x), Some(y)) = (at("x"), at("y")) {
            attributes["focus"] = format!("{x},{y}").into();
        }
        attributes
    }
}
