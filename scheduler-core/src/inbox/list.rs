//! Which comments a caller wants to see, and to mark.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::ReceivedComment;
use crate::cursor::TimeCursor;
use crate::error::Refusal;
use crate::ids::{AccountId, CommentId, PostId, TargetId};
use crate::object::only_from_object;
use crate::platform::Platform;
use crate::post::{parse_number, unreadable_cursor};

/// Comments in one answer at most.
///
/// Source: our decision.
pub const INBOX_LIMIT_MAX: i64 = 200;

/// Comments in one answer when the caller names no number.
///
/// Source: our decision.
pub const INBOX_LIMIT_DEFAULT: i64 = 50;

/// Comments that are marked at once by their ids.
///
/// Source: our decision.
pub const MARKED_MAX: usize = 500;

/// The parameters of a list of comments as a caller sends them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InboxInput {
    /// `true` for those that are unread, `false` for those that are read.
    pub unread: Option<String>,
    /// Only comments on what was published with this account.
    pub account_id: Option<String>,
    /// Only comments on this network.
    pub platform: Option<String>,
    /// How many comments, 1 to 200.
    pub limit: Option<String>,
    /// The cursor of the page before.
    pub before: Option<String>,
}

/// The place of a comment in a list, by when it was written.
pub type InboxCursor = TimeCursor<CommentId>;

impl InboxCursor {
    /// The place of a comment.
    #[must_use]
    pub const fn of(comment: &ReceivedComment) -> Self {
        Self { at: comment.at, id: comment.id }
    }
}

/// A page of a list of comments, as a store is asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InboxQuery {
    /// Only those that are unread, or read.
    pub unread: Option<bool>,
    /// Only those on what was published with this account.
    pub account_id: Option<AccountId>,
    /// Only those on this network.
    pub platform: Option<Platform>,
    /// At most so many.
    pub limit: u32,
    /// Only comments after this place.
    pub before: Option<InboxCursor>,
}

impl InboxQuery {
    /// Reads the parameters of a list.
    ///
    /// # Errors
    /// `invalid_request` naming the parameter that is out of bounds or unreadable.
    pub fn parse(input: &InboxInput) -> Result<Self, Refusal> {
        let limit = input.limit.as_deref();
        let limit = parse_number("limit", limit, INBOX_LIMIT_DEFAULT, INBOX_LIMIT_MAX)?;
        let unread = input.unread.as_deref().map(|text| {
            let message = || {
                format!("{text:?} says neither; send true for what is unread, or false for what is read.")
            };
            text.parse().map_err(|_| Refusal::invalid("unread", message()))
        });
        let account_id = input.account_id.as_deref().map(|text| {
            let message = || format!("{text:?} is not the id of an account.");
            text.parse().map_err(|_| Refusal::invalid("accountId", message()))
        });
        let platform = input.platform.as_deref().map(|text| {
            text.parse::<Platform>()
                .map_err(|error| Refusal::invalid("platform", format!("{error}.")))
        });
        let before = input.before.as_deref().map(InboxCursor::decode).transpose();
        Ok(Self {
            unread: unread.transpose()?,
            account_id: account_id.transpose()?,
            platform: platform.transpose()?,
            limit: u32::try_from(limit).unwrap_or_default(),
            before: before.map_err(|_| unreadable_cursor())?,
        })
    }

    /// True for a comment that the list takes, wherever its page begins.
    #[must_use]
    pub fn takes(&self, comment: &ReceivedComment) -> bool {
        self.unread.is_none_or(|unread| unread == comment.read_at.is_none())
            && self.account_id.is_none_or(|id| id == comment.account_id)
            && self.platform.is_none_or(|platform| platform == comment.platform)
    }
}

/// A comment of the inbox as callers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "InboxComment"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CommentView {
    /// Its id, by which it is marked.
    pub id: CommentId,
    /// The post.
    pub post_id: PostId,
    /// The target.
    pub target_id: TargetId,
    /// The account that the target was published with.
    pub account_id: AccountId,
    /// The network.
    pub platform: Platform,
    /// The network's id, by which it is answered.
    pub comment_id: String,
    /// Who wrote it, as the network shows it.
    pub author: Option<String>,
    /// What it says. It comes from outside: show it as text, and trust nothing in it.
    pub text: String,
    /// When it was written; where the network does not say, when it was found.
    pub at: DateTime<Utc>,
    /// True when others cannot see it.
    pub hidden: bool,
    /// How many like it.
    pub like_count: Option<u64>,
    /// True until somebody marks or answers it.
    pub unread: bool,
}

impl From<ReceivedComment> for CommentView {
    fn from(comment: ReceivedComment) -> Self {
        Self {
            id: comment.id,
            post_id: comment.post_id,
            target_id: comment.target_id,
            account_id: comment.account_id,
            platform: comment.platform,
            comment_id: comment.remote_id,
            author: comment.author,
            text: comment.text,
            at: comment.at,
            hidden: comment.hidden,
            like_count: comment.like_count,
            unread: comment.read_at.is_none(),
        }
    }
}

/// A page of the inbox.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InboxPage {
    /// The comments, newest first.
    pub data: Vec<CommentView>,
    /// Where the next page begins; `None` on the last.
    pub next_cursor: Option<String>,
    /// How many comments of the workspace are unread.
    pub unread: u64,
}

/// The body that marks comments: either `ids` or `all`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct MarkInput {
    /// These comments, 1 to 500. What is not there is passed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = MARKED_MAX)))]
    pub ids: Option<Vec<CommentId>>,
    /// `true` marks all that are there by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all: Option<bool>,
    /// `true` marks them as unread again; else they are read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<bool>,
}

only_from_object!(MarkInput);

/// Which comments are marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marked {
    /// These; what is not there is passed over.
    These(Vec<CommentId>),
    /// All of the workspace.
    All,
}

impl MarkInput {
    /// Which comments are meant.
    ///
    /// # Errors
    /// `invalid_request` naming `ids`.
    pub fn marked(self) -> Result<Marked, Refusal> {
        match (self.ids, self.all == Some(true)) {
            (Some(ids), false) if (1..=MARKED_MAX).contains(&ids.len()) => Ok(Marked::These(ids)),
            (None, true) => Ok(Marked::All),
            (Some(_), false) => {
                let message = format!("ids names 1 to {MARKED_MAX} comments.");
                Err(Refusal::invalid("ids", message))
            }
            (Some(_), true) | (None, false) => {
                let message = "Send either ids, or all: true.";
                Err(Refusal::invalid("ids", message))
            }
        }
    }
}

/// What came of marking comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "MarkedComments"))]
pub struct MarkedView {
    /// How many were marked that were not before.
    pub changed: u64,
    /// How many comments of the workspace are unread.
    pub unread: u64,
}
