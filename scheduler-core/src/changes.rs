//! What has changed in a workspace, told by ids alone: for pages that are open, which ask again for
//! what they show.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;
use uuid::Uuid;

use crate::ids::{AccountId, AuditId, EventId, MediaId, PostId};
use crate::media::MediaStatus;
use crate::webhook::EventKind;

/// Changes that are told at once at most; where there are more, everything may have changed.
///
/// Source: our decision.
pub const CHANGES_MAX: u32 = 200;

/// How far back changes are told.
///
/// Source: our decision.
pub const CHANGES_REACH: TimeDelta = TimeDelta::minutes(15);

/// How long a change may take until it is seen: from the instant that it notes until its transaction
/// is stored, or until the entry of the log is, which waits for a second.
///
/// Source: our decision; longer than a store waits for a lock.
pub const CHANGE_SETTLES_WITHIN: TimeDelta = TimeDelta::seconds(12);

/// Operations that leave no trace at their post but an entry of the log.
const OF_POSTS: [&str; 2] = ["delete_post", "web_cancel_post"];

/// Operations that change what the inbox shows.
const OF_THE_INBOX: [&str; 4] =
    ["mark_comments", "web_mark_comments", "act_on_comment", "web_act_on_comment"];

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Changed {
    /// A post, of which this is the revision now; `None` where it is not told, as for one that is
    /// gone.
    Post(PostId, Option<i64>),
    /// A connected account.
    Account(AccountId),
    /// A file, and what it is now where that is told.
    File(MediaId, Option<MediaStatus>),
    /// What others have written under posts, or who has read it.
    Inbox,
}

/// A change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Change {
    /// When it was made.
    pub at: DateTime<Utc>,
    /// What has changed.
    pub what: Changed,
    /// What this change alone has: the id of what tells of it, and its version.
    pub mark: (Uuid, i64),
}

impl Change {
    /// The last change of a post that is stored like this.
    #[must_use]
    pub const fn of_post(id: PostId, revision: i64, version: i64, at: DateTime<Utc>) -> Self {
        Self { at, what: Changed::Post(id, Some(revision)), mark: (id.0, version) }
    }

    /// That an account was connected for the first time; the log tells of what becomes of it.
    #[must_use]
    pub const fn of_account(id: AccountId, at: DateTime<Utc>) -> Self {
        Self { at, what: Changed::Account(id), mark: (id.0, 0) }
    }

    /// The change that an event tells of, by its body as webhooks get it; `None` for one whose post
    /// tells of it, and for one of a feed, which no open page shows.
    #[must_use]
    pub fn of_event(id: EventId, kind: EventKind, body: &str, at: DateTime<Utc>) -> Option<Self> {
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        let named = |name: &str| body.get("data")?.get(name)?.as_str()?.parse::<Uuid>().ok();
        let file = |status| Some(Changed::File(MediaId(named("mediaId")?), Some(status)));
        let what = match kind {
            EventKind::Published
            | EventKind::Failed
            | EventKind::Scheduled
            | EventKind::ApprovalDecided
            | EventKind::FeedFailing => None,
            EventKind::NeedsReconnect | EventKind::TokenExpiring => {
                named("accountId").map(|id| Changed::Account(AccountId(id)))
            }
            EventKind::MediaReady => file(MediaStatus::Ready),
            EventKind::MediaFailed => file(MediaStatus::Failed),
            EventKind::CommentReceived => Some(Changed::Inbox),
        };
        Some(Self { at, what: what?, mark: (id.0, 0) })
    }

    /// The change that an entry of the log tells of; `None` for one that something else tells of.
    #[must_use]
    pub fn of_entry(id: AuditId, operation: &str, path: &str, at: DateTime<Utc>) -> Option<Self> {
        // A workspace may be called like a resource, and is followed by no id.
        let named = |resource| {
            let pairs = path.split('/').zip(path.split('/').skip(1));
            let mut of_resource = pairs.filter(|(name, _)| *name == resource);
            of_resource.find_map(|(_, id)| id.parse::<Uuid>().ok())
        };
        let what = if OF_THE_INBOX.contains(&operation) {
            Changed::Inbox
        } else if let Some(id) = named("posts") {
            let is_told = OF_POSTS.contains(&operation);
            is_told.then_some(Changed::Post(PostId(id), None))?
        } else if let Some(id) = named("accounts") {
            Changed::Account(AccountId(id))
        } else {
            Changed::File(MediaId(named("media")?), None)
        };
        Some(Self { at, what, mark: (id.0, 0) })
    }
}

/// What has changed since an instant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// The changes, oldest first; none where they are too many or too long ago.
    pub list: Vec<Change>,
    /// True where they are: everything may have changed.
    pub is_cut: bool,
}

impl Changes {
    /// What was found of at most one more than [`CHANGES_MAX`] posts, accounts, events and entries of the log
    /// that may tell of a change.
    #[must_use]
    pub fn of(found: Vec<Option<Change>>) -> Self {
        if found.len() > CHANGES_MAX as usize {
            return Self { list: Vec::new(), is_cut: true };
        }
        Self { list: found.into_iter().flatten().collect(), is_cut: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0190a0a0-0000-7000-8000-000000000001";

    fn id() -> Uuid {
        ID.parse().unwrap()
    }

    #[test]
    fn what_an_entry_of_the_log_tells_of() {
        for (operation, path, want) in [
            ("delete_post", format!("/v1/posts/{ID}"), Some(Changed::Post(PostId(id()), None))),
            (
                "web_cancel_post",
                format!("/w/a/posts/{ID}/cancel"),
                Some(Changed::Post(PostId(id()), None)),
            ),
            (
                "web_cancel_post",
                format!("/w/posts/posts/{ID}/cancel"),
                Some(Changed::Post(PostId(id()), None)),
            ),
            ("web_act_on_comment", format!("/w/a/inbox/{ID}/{ID}"), Some(Changed::Inbox)),
            ("update_post", format!("/v1/posts/{ID}"), None),
            ("create_post", format!("/v1/posts/{ID}"), None),
            ("mark_comments", "/v1/inbox/read".to_owned(), Some(Changed::Inbox)),
            (
                "connected_account",
                format!("/accounts/{ID}"),
                Some(Changed::Account(AccountId(id()))),
            ),
            (
                "set_account_zone",
                format!("/v1/accounts/{ID}"),
                Some(Changed::Account(AccountId(id()))),
            ),
            (
                "web_describe_media",
                format!("/w/a/media/{ID}"),
                Some(Changed::File(MediaId(id()), None)),
            ),
            ("change_workspace", "/v1/workspace".to_owned(), None),
            ("create_posts", "/v1/posts/batch".to_owned(), None),
        ] {
            let change =
                Change::of_entry(AuditId(Uuid::nil()), operation, &path, DateTime::UNIX_EPOCH);
            assert_eq!(change.map(|change| change.what), want, "{operation} {path}");
        }
    }

    #[test]
    fn what_an_event_tells_of() {
        let file = Changed::File(MediaId(id()), Some(MediaStatus::Ready));
        for (kind, name, want) in [
            (EventKind::MediaReady, "mediaId", Some(file)),
            (EventKind::NeedsReconnect, "accountId", Some(Changed::Account(AccountId(id())))),
            (EventKind::NeedsReconnect, "postId", None),
            (EventKind::CommentReceived, "postId", Some(Changed::Inbox)),
            (EventKind::Published, "postId", None),
        ] {
            let body = format!(r#"{{"data":{{"{name}":"{ID}"}}}}"#);
            let change = Change::of_event(EventId(Uuid::nil()), kind, &body, DateTime::UNIX_EPOCH);
            assert_eq!(change.map(|change| change.what), want, "{kind:?}");
        }
        let none = Change::of_event(EventId(id()), EventKind::MediaReady, "", DateTime::UNIX_EPOCH);
        assert_eq!(none, None, "a body that is none");
    }

    #[test]
    fn more_changes_than_are_told_are_told_as_one() {
        let of = |count| {
            let change = Change::of_post(PostId(id()), 1, 1, DateTime::UNIX_EPOCH);
            Changes::of(vec![Some(change); count])
        };
        let most = CHANGES_MAX as usize;
        assert_eq!((of(most).list.len(), of(most).is_cut), (most, false));
        assert_eq!((of(most + 1).list.len(), of(most + 1).is_cut), (0, true));
    }
}
