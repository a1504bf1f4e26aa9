//! Statuses: what they are, who sees them, how the API shows them.
//!
//! Source: <https://docs.joinmastodon.org/entities/Status/>.

mod create;
mod edit;
mod favourite;
pub(super) mod poll;
mod read;

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use self::poll::Poll;
use super::error::ApiError;
use super::text::{Entity, entities};
use super::{Mastodon, html};
use crate::network::{Context, LivePost};
use crate::outside::timestamp;

/// Who may see a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    Public,
    Unlisted,
    Private,
    Direct,
}

impl Visibility {
    const ALL: [Self; 4] = [Self::Public, Self::Unlisted, Self::Private, Self::Direct];

    const fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Unlisted => "unlisted",
            Self::Private => "private",
            Self::Direct => "direct",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|visibility| visibility.name() == name)
    }
}

/// Who may quote a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuotePolicy {
    Public,
    Followers,
    Nobody,
}

impl QuotePolicy {
    /// Reads the policy of a status, which is nobody for one that few can see.
    ///
    /// Source: <https://docs.joinmastodon.org/methods/statuses/#create>.
    ///
    /// # Errors
    /// 422 for another word.
    fn read(name: Option<&str>, visibility: Visibility) -> Result<Self, ApiError> {
        let policy = match name {
            None | Some("" | "public") => Self::Public,
            Some("followers") => Self::Followers,
            Some("nobody") => Self::Nobody,
            Some(_) => {
                let what = "Quote approval policy is not included in the list";
                return Err(ApiError::validation(what));
            }
        };
        let is_open = matches!(visibility, Visibility::Public | Visibility::Unlisted);
        Ok(if is_open { policy } else { Self::Nobody })
    }

    /// Returns who is let through at once.
    fn automatic(self) -> Value {
        match self {
            Self::Public => json!(["public"]),
            Self::Followers => json!(["followers"]),
            Self::Nobody => json!([]),
        }
    }
}

/// A status.
#[derive(Clone, Debug)]
pub(super) struct Status {
    pub(super) id: u64,
    pub(super) account: u64,
    pub(super) text: String,
    pub(super) spoiler_text: String,
    pub(super) is_sensitive: bool,
    pub(super) visibility: Visibility,
    pub(super) language: Option<String>,
    pub(super) in_reply_to: Option<u64>,
    in_reply_to_account: Option<u64>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) edited_at: Option<DateTime<Utc>>,
    poll: Option<Poll>,
    quote_policy: QuotePolicy,
    /// The status that it quotes.
    quoted: Option<u64>,
    /// How it was before each edit, the oldest first.
    earlier: Vec<Version>,
    pub(super) media: Vec<u64>,
    pub(super) favourited_by: BTreeSet<u64>,
    app_name: String,
    app_website: Option<String>,
}

/// How a status was at a time.
#[derive(Clone, Debug)]
struct Version {
    text: String,
    spoiler_text: String,
    is_sensitive: bool,
    media: Vec<u64>,
    since: DateTime<Utc>,
}

impl Status {
    /// Says whether an account may quote it; nobody follows anybody here.
    fn may_be_quoted_by(&self, account: u64) -> bool {
        let is_own = self.account == account && self.visibility != Visibility::Direct;
        is_own || self.quote_policy == QuotePolicy::Public
    }

    /// Returns how it is now.
    fn version(&self) -> Version {
        Version {
            text: self.text.clone(),
            spoiler_text: self.spoiler_text.clone(),
            is_sensitive: self.is_sensitive,
            media: self.media.clone(),
            since: self.edited_at.unwrap_or(self.created_at),
        }
    }
}

impl Mastodon {
    /// Says whether a reader may see a status. Nobody follows anybody here, so a private status
    /// is seen by its author and by those it mentions.
    pub(super) fn is_visible(&self, status: &Status, viewer: Option<u64>) -> bool {
        match status.visibility {
            Visibility::Public | Visibility::Unlisted => true,
            Visibility::Private | Visibility::Direct => viewer.is_some_and(|viewer| {
                status.account == viewer || self.mentioned(status).contains(&viewer)
            }),
        }
    }

    /// Returns the accounts of this server that a status mentions, in order.
    fn mentioned(&self, status: &Status) -> Vec<u64> {
        let mut ids = Vec::new();
        for (_, entity) in entities(&status.text) {
            if let Entity::Mention { username, .. } = entity
                && let Some(account) = self.account_named(&username)
                && !ids.contains(&account.id)
            {
                ids.push(account.id);
            }
        }
        ids
    }

    /// Returns a status as the API shows it to a reader.
    pub(super) fn status_view(
        &self,
        status: &Status,
        viewer: Option<u64>,
        context: &Context<'_>,
    ) -> Value {
        let base = context.base;
        let username = self.username(status.account);
        let mentions: Vec<Value> = self
            .mentioned(status)
            .into_iter()
            .map(|id| {
                let name = self.username(id);
                let url = format!("{base}/@{name}");
                json!({"id": id.to_string(), "username": name, "acct": name, "url": url})
            })
            .collect();
        let tags: Vec<Value> = entities(&status.text)
            .into_iter()
            .filter_map(|(_, entity)| match entity {
                Entity::Tag(name) => {
                    let url = format!("{base}/tags/{name}");
                    Some(json!({"name": name.to_lowercase(), "url": url}))
                }
                Entity::Url | Entity::Mention { .. } => None,
            })
            .collect();
        let media: Vec<Value> = status
            .media
            .iter()
            .filter_map(|id| self.media.get(id))
            .map(|media| media.view(context))
            .collect();
        let is_known = |name: &str| self.account_named(name).is_some();
        let mut view = json!({
            "id": status.id.to_string(),
            "created_at": timestamp(status.created_at),
            "edited_at": status.edited_at.map(timestamp),
            "in_reply_to_id": status.in_reply_to.map(|id| id.to_string()),
            "in_reply_to_account_id": status.in_reply_to_account.map(|id| id.to_string()),
            "sensitive": status.is_sensitive,
            "spoiler_text": status.spoiler_text,
            "visibility": status.visibility.name(),
            "language": status.language,
            "uri": format!("{base}/users/{username}/statuses/{}", status.id),
            "url": format!("{base}/@{username}/{}", status.id),
            "replies_count": self.replies.get(&status.id).map_or(0, BTreeSet::len),
            "reblogs_count": 0,
            "favourites_count": status.favourited_by.len(),
            "quotes_count": 0,
            "content": html::content(&status.text, base, is_known),
            "reblog": null,
            "application": {"name": status.app_name, "website": status.app_website},
            "account": self.account_view(status.account, context),
            "media_attachments": media,
            "mentions": mentions,
            "tags": tags,
            "emojis": [],
            "card": null,
            "poll": status.poll.as_ref().map(|poll| poll.view(status.id, context.now)),
            "quote_approval": {
                "automatic": status.quote_policy.automatic(),
                "manual": [],
                "current_user": match viewer {
                    Some(viewer) if status.may_be_quoted_by(viewer) => "automatic",
                    _ => "denied",
                },
            },
            "quote": status.quoted.map(|id| json!({
                "state": "accepted",
                "quoted_status": self.statuses.get(&id).map(|quoted| json!({
                    "id": quoted.id.to_string(),
                })),
            })),
        });
        if let Some(viewer) = viewer {
            view["favourited"] = Value::from(status.favourited_by.contains(&viewer));
            for name in ["reblogged", "muted", "bookmarked", "pinned"] {
                view[name] = Value::from(false);
            }
            view["filtered"] = json!([]);
        }
        view
    }

    /// Returns a status as the control shows it.
    pub(super) fn live_post(&self, status: &Status, is_deleted: bool) -> LivePost {
        let text = if status.spoiler_text.is_empty() {
            status.text.clone()
        } else {
            format!("{}\n\n{}", status.spoiler_text, status.text)
        };
        let files = status.media.iter().filter_map(|id| self.media.get(id));
        LivePost {
            platform: super::NAME,
            account: status.account.to_string(),
            author: self.username(status.account).to_owned(),
            remote_id: status.id.to_string(),
            text,
            media: files.map(|media| media.file.clone()).collect(),
            reply_to: status.in_reply_to.map(|id| id.to_string()),
            created_at: status.created_at,
            is_deleted,
        }
    }

    /// Returns a user name, empty when there is no such account.
    pub(super) fn username(&self, account: u64) -> &str {
        self.accounts.get(&account).map_or("", |account| &account.username)
    }
}
