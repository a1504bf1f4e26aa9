//! What a rehearsal has found.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::sentences::posts;
use crate::ids::{AccountId, PostId, TargetId};
use crate::platform::Platform;

/// What would become of a calendar, and what would keep posts back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Rehearsal {
    /// From when on.
    pub from: DateTime<Utc>,
    /// Until when, without that instant; earlier than asked where there are more posts than are
    /// rehearsed at once.
    pub until: DateTime<Utc>,
    /// False when there are more posts than are rehearsed at once.
    pub whole: bool,
    /// How many posts were rehearsed.
    pub posts: u64,
    /// How many targets go out when they are due.
    pub on_time: u64,
    /// How many go out later, or not before the end.
    pub delayed: u64,
    /// How many do not go out.
    pub stopped: u64,
    /// What keeps posts back, that of the earliest post first.
    pub findings: Vec<RehearsalFinding>,
    /// The accounts that the targets name.
    pub accounts: Vec<RehearsedAccount>,
    /// What becomes of each target, by when it is due.
    pub targets: Vec<RehearsedTarget>,
}

impl Rehearsal {
    /// What keeps a target back; `None` when nothing does.
    #[must_use]
    pub fn finding_of(&self, target: &RehearsedTarget) -> Option<&RehearsalFinding> {
        self.findings.get(usize::try_from(target.finding?).ok()?)
    }

    /// An account that targets name; `None` where none does.
    #[must_use]
    pub fn account(&self, id: AccountId) -> Option<&RehearsedAccount> {
        self.accounts.iter().find(|account| account.id == id)
    }

    /// What would become of the calendar in a sentence or two; `until` is when it ends, as it is
    /// shown to the person.
    #[must_use]
    pub fn summary(&self, until: &str) -> String {
        let targets = u64::try_from(self.targets.len()).unwrap_or(u64::MAX);
        let more =
            if self.whole { "" } else { " There are more posts than are rehearsed at once." };
        if targets == 0 {
            return format!("Nothing is due until {until}.{more}");
        }
        let what = if targets == self.posts {
            posts(self.posts)
        } else {
            format!("{} with {targets} targets", posts(self.posts))
        };
        format!(
            "{what} until {until}: {} on time, {} later, {} not at all.{more}",
            self.on_time, self.delayed, self.stopped
        )
    }
}

/// An account of a rehearsal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RehearsedAccount {
    /// Its id.
    pub id: AccountId,
    /// The network.
    pub platform: Platform,
    /// What a person recognises it by.
    pub label: String,
}

/// What becomes of a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RehearsedTarget {
    /// Its id.
    pub target_id: TargetId,
    /// Its post.
    pub post_id: PostId,
    /// Its account.
    pub account_id: AccountId,
    /// When it is due; of what is late already, when the rehearsal begins.
    pub due_at: DateTime<Utc>,
    /// When it goes out; `None` when it does not, or not before the end.
    pub at: Option<DateTime<Utc>>,
    /// What becomes of it.
    pub outcome: RehearsedOutcome,
    /// The place of the finding that keeps it back among the findings; `None` when nothing does.
    pub finding: Option<u32>,
}

/// What becomes of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "snake_case")]
pub enum RehearsedOutcome {
    /// It goes out when it is due.
    OnTime,
    /// It goes out later, or not before the end.
    Delayed,
    /// It does not go out.
    Stopped,
}

/// What keeps posts back, and what would mend it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RehearsalFinding {
    /// What it is.
    pub kind: FindingKind,
    /// The network; `None` for what concerns none.
    pub platform: Option<Platform>,
    /// The account; `None` for what concerns all accounts of a network, or none.
    pub account_id: Option<AccountId>,
    /// How many targets it delays.
    pub delayed: u64,
    /// How many targets it stops; of recurrences, how many posts cannot be made.
    pub stopped: u64,
    /// When the first of what it concerns is due.
    pub first_at: DateTime<Utc>,
    /// When the last of them is due.
    pub last_at: DateTime<Utc>,
    /// How late the latest of those goes out that go out, in seconds; 0 where none does.
    pub longest_delay_seconds: i64,
    /// The limit of the network that is used up.
    pub limit: Option<RehearsedLimit>,
    /// When the token, the version or the month ends that keeps posts back.
    pub ends_at: Option<DateTime<Utc>>,
    /// What it is, for a person.
    pub message: String,
    /// What would mend it.
    pub remedy: Remedy,
}

/// What a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The account has more in a day than its network takes.
    DailyCount,
    /// All accounts of the server together have more than the network takes from an application.
    Quota,
    /// The account has more within minutes or hours than its network takes.
    Rate,
    /// The account's posts may cost no more in the month.
    MonthCost,
    /// The plan's posts of a month do not last for what recurrences would make.
    MonthPosts,
    /// The account's token ends and cannot be renewed.
    TokenExpires,
    /// The account has to be connected again.
    NeedsReconnect,
    /// The version of the network's interface ends.
    ApiVersion,
    /// The account is beyond the channels that the plan covers.
    Paused,
    /// Somebody has yet to approve the posts.
    Approval,
    /// The cool-down of a recurrence is not over.
    CoolDown,
    /// A rule of the network refuses the posts as they are now.
    Rules,
    /// A file of the posts cannot be sent.
    Files,
    /// This server does not publish to the network.
    NotOffered,
    /// Queued posts hold times that are no slots of the account's schedule any more; they go out
    /// all the same.
    Slots,
    /// Something else.
    Other,
}

impl FindingKind {
    /// Every kind. Tables in tests run over it.
    pub const ALL: [Self; 16] = [
        Self::DailyCount,
        Self::Quota,
        Self::Rate,
        Self::MonthCost,
        Self::MonthPosts,
        Self::TokenExpires,
        Self::NeedsReconnect,
        Self::ApiVersion,
        Self::Paused,
        Self::Approval,
        Self::CoolDown,
        Self::Rules,
        Self::Files,
        Self::NotOffered,
        Self::Slots,
        Self::Other,
    ];

    /// A few words for a card or a table.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::DailyCount => "daily count",
            Self::Quota => "quota of the server",
            Self::Rate => "rate",
            Self::MonthCost => "cost of the month",
            Self::MonthPosts => "posts of the month",
            Self::TokenExpires => "token expires",
            Self::NeedsReconnect => "connect again",
            Self::ApiVersion => "API version ends",
            Self::Paused => "account paused",
            Self::Approval => "not approved",
            Self::CoolDown => "cool-down",
            Self::Rules => "refused by rules",
            Self::Files => "file missing",
            Self::NotOffered => "network not offered",
            Self::Slots => "no slot any more",
            Self::Other => "other",
        }
    }
}

/// A limit of a network that is used up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RehearsedLimit {
    /// What is counted, such as `posts`.
    pub counts: String,
    /// So many.
    pub most: u32,
    /// In so many seconds.
    pub seconds: i64,
    /// True when all accounts of the server share it.
    pub shared: bool,
}

/// What would mend a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Remedy {
    /// Before when it has to be done; `None` when it is a matter of the posts themselves.
    pub by: Option<DateTime<Utc>>,
    /// What to do, for a person.
    pub message: String,
}
