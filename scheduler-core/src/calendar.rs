//! The calendar feed of a workspace: what calendars such as Google's and Apple's read of it, which
//! send no credentials. A secret in its address stands in their place.

use std::fmt;

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::account::Account;
use crate::connecting::PassHash;
use crate::ids::{PostId, TargetId, WorkspaceId};
use crate::platform::Platform;
use crate::post::{ApprovalState, Post, PostStatus};
use crate::target::{Target, TargetStatus};

/// How many days back a feed shows posts.
///
/// Source: our decision; a calendar keeps nothing of a feed that the feed leaves out.
pub const DAYS_BACK: i64 = 90;

/// How many days ahead a feed shows posts.
///
/// Source: our decision.
pub const DAYS_AHEAD: i64 = 366;

/// The most targets that a feed shows; those that lie furthest back are left out first.
///
/// Source: our decision; some 10 MB of a calendar.
pub const ENTRIES_MAX: u32 = 20_000;

/// The most characters of a text that a feed shows.
///
/// Source: our decision; a calendar is no place to read an essay, and the post is one click away.
pub const TEXT_MAX_CHARACTERS: usize = 1_000;

/// The calendar feed of a workspace, which has one at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarFeed {
    /// The workspace whose posts it shows.
    pub workspace_id: WorkspaceId,
    /// What is kept of the secret in its address.
    pub hash: PassHash,
    /// When the secret was made.
    pub created_at: DateTime<Utc>,
}

/// The calendar feed of a workspace as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CalendarFeed"))]
#[serde(rename_all = "camelCase")]
pub struct CalendarFeedView {
    /// The address for calendars; in the answer to the request that has made it alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When the address was made; null where there is none.
    pub created_at: Option<DateTime<Utc>>,
}

/// What a target is to a calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryState {
    /// It goes out at its time.
    Planned,
    /// It goes out once somebody has approved it.
    AwaitingApproval,
    /// It is going out.
    Publishing,
    /// It is live.
    Published,
    /// It has failed.
    Failed,
    /// It was cancelled before it was live.
    Canceled,
    /// It was live, and was taken down.
    TakenDown,
}

impl EntryState {
    /// That of a target: by its status, whether it ever went live, and what was said of its post by
    /// those whose approval it needs.
    #[must_use]
    pub const fn of(status: TargetStatus, was_live: bool, approval: Option<ApprovalState>) -> Self {
        match (status, approval) {
            (TargetStatus::Pending, Some(ApprovalState::Pending | ApprovalState::Changes)) => {
                Self::AwaitingApproval
            }
            (TargetStatus::Pending, Some(ApprovalState::Approved) | None) => Self::Planned,
            (TargetStatus::Publishing, _) => Self::Publishing,
            (TargetStatus::Published, _) => Self::Published,
            (TargetStatus::Failed, _) => Self::Failed,
            (TargetStatus::Skipped, _) if was_live => Self::TakenDown,
            (TargetStatus::Skipped, _) => Self::Canceled,
        }
    }
}

impl fmt::Display for EntryState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Planned => "planned",
            Self::AwaitingApproval => "awaiting approval",
            Self::Publishing => "going out",
            Self::Published => "published",
            Self::Failed => "failed",
            Self::Canceled => "canceled",
            Self::TakenDown => "taken down",
        })
    }
}

/// A target with a time, as a calendar shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarEntry {
    /// The target.
    pub target_id: TargetId,
    /// Its post.
    pub post_id: PostId,
    /// What a person recognises its account by, the network included.
    pub account: String,
    /// When it went live, else when it is due, else the moment of its post.
    pub at: DateTime<Utc>,
    /// What it is to a calendar.
    pub state: EntryState,
    /// How its text begins ([`shown_text`]).
    pub text: String,
    /// The link of the post.
    pub link_url: Option<String>,
    /// The revision of the post, from 1.
    pub revision: i64,
    /// When the post was last changed, by a person or the engine.
    pub updated_at: DateTime<Utc>,
}

impl CalendarEntry {
    /// The entries of a post, in the order of its targets; none of a draft.
    pub(crate) fn of<'a>(
        post: &'a Post,
        account: impl Fn(&Target) -> Option<&'a Account> + 'a,
    ) -> impl Iterator<Item = Self> + 'a {
        let shown = post.targets.iter().filter(|_| post.status != PostStatus::Draft);
        shown.filter_map(move |target| {
            let live_at = target.published_at();
            Some(Self {
                target_id: target.id,
                post_id: post.id,
                account: account(target)?.label(),
                at: live_at.or(target.due_at()).unwrap_or(post.sort_at()),
                state: EntryState::of(target.status(), live_at.is_some(), post.approval()),
                text: shown_text(&post.content, target.platform, &target.options),
                link_url: post.link_url.clone(),
                revision: post.revision,
                updated_at: post.updated_at,
            })
        })
    }
}

/// How the text of a target begins: its own, else that of the post; at most
/// [`TEXT_MAX_CHARACTERS`], with an ellipsis for what is left out. Of the post's text no more than
/// one character beyond these is needed.
#[must_use]
pub fn shown_text(content: &str, platform: Platform, options: &Map<String, Value>) -> String {
    let mut own = platform.sheet().text.own_text.iter();
    let own = own.find_map(|key| options.get(*key).and_then(Value::as_str));
    let text = own.unwrap_or(content).trim();
    match text.char_indices().nth(TEXT_MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// From when to when a feed shows posts that is read now: whole days of UTC, so that it stays the
/// same for a day where nothing happens.
#[must_use]
pub fn shown_at(now: DateTime<Utc>) -> [DateTime<Utc>; 2] {
    let today = now.date_naive().and_time(NaiveTime::MIN).and_utc();
    [today - TimeDelta::days(DAYS_BACK), today + TimeDelta::days(DAYS_AHEAD)]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn states() {
        use ApprovalState::{Approved, Changes, Pending};
        for (status, was_live, approval, want) in [
            (TargetStatus::Pending, false, None, EntryState::Planned),
            (TargetStatus::Pending, false, Some(Approved), EntryState::Planned),
            (TargetStatus::Pending, false, Some(Pending), EntryState::AwaitingApproval),
            (TargetStatus::Pending, false, Some(Changes), EntryState::AwaitingApproval),
            (TargetStatus::Publishing, false, Some(Changes), EntryState::Publishing),
            (TargetStatus::Published, true, Some(Pending), EntryState::Published),
            (TargetStatus::Failed, false, None, EntryState::Failed),
            (TargetStatus::Skipped, false, None, EntryState::Canceled),
            (TargetStatus::Skipped, true, None, EntryState::TakenDown),
        ] {
            let state = EntryState::of(status, was_live, approval);
            assert_eq!(state, want, "{status:?}, live: {was_live}, {approval:?}");
        }
    }

    #[test]
    fn texts() {
        let long = "é".repeat(TEXT_MAX_CHARACTERS);
        for (name, content, options, want) in [
            ("the post's", " Hello\n", json!({}), "Hello".to_owned()),
            ("its own", "Hello", json!({"caption": "Mine"}), "Mine".to_owned()),
            ("no text of its own", "Hello", json!({"caption": 1}), "Hello".to_owned()),
            ("the longest", &long, json!({}), long.clone()),
            ("longer", &format!("{long}é"), json!({}), format!("{long}…")),
            (
                "cut after a word",
                &format!("{} b", &long[2..]),
                json!({}),
                format!("{}…", &long[2..]),
            ),
        ] {
            let options = options.as_object().unwrap();
            assert_eq!(shown_text(content, Platform::Bluesky, options), want, "{name}");
        }
        let own = json!({"caption": "C", "description": "D"});
        assert_eq!(shown_text("", Platform::Youtube, own.as_object().unwrap()), "D");
    }

    #[test]
    fn a_feed_is_the_same_all_day() {
        let [morning, night] = ["2026-12-01T00:00:00Z", "2026-12-01T23:59:59Z"]
            .map(|now| shown_at(now.parse().unwrap()).map(|at| at.to_rfc3339()));
        assert_eq!(morning, night);
        assert_eq!(morning, ["2026-09-02T00:00:00+00:00", "2027-12-02T00:00:00+00:00"]);
    }
}
