//! Findings, put together from what becomes of each target, and of posts that cannot be made.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

use super::cause::{Cause, limit};
use super::report::{FindingKind, RehearsalFinding, RehearsedLimit, RehearsedOutcome};
use super::sentences::{Subject, message, remedy};
use crate::ids::AccountId;
use crate::platform::{BudgetScope, Platform};

/// A target, or a post that cannot be made, that a finding is about.
pub(super) struct Concerned {
    pub(super) cause: Cause,
    /// The network; `None` of a post that cannot be made.
    pub(super) platform: Option<Platform>,
    /// The account; `None` of a post that cannot be made.
    pub(super) account: Option<AccountId>,
    pub(super) due_at: DateTime<Utc>,
    pub(super) outcome: RehearsedOutcome,
    /// How late it goes out; `None` when it does not, or not before the end.
    pub(super) delay: Option<TimeDelta>,
    /// What the program said of it.
    pub(super) said: Option<String>,
}

/// What belongs into one finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    platform: Option<Platform>,
    account: Option<AccountId>,
    cause: Cause,
}

impl Key {
    fn of(one: &Concerned) -> Self {
        let Concerned { platform, account, cause, .. } = *one;
        let is_shared = matches!(
            cause.kind,
            FindingKind::Quota | FindingKind::ApiVersion | FindingKind::NotOffered
        );
        Self { platform, account: account.filter(|_| !is_shared), cause }
    }
}

/// What there is of one finding.
struct Sum {
    count: u64,
    delayed: u64,
    stopped: u64,
    first_at: DateTime<Utc>,
    last_at: DateTime<Utc>,
    longest: TimeDelta,
    said: Option<String>,
}

/// Findings while they are put together.
#[derive(Default)]
pub(super) struct Gathered(BTreeMap<Key, Sum>);

impl Gathered {
    /// Adds what a finding is about, and says to which finding it belongs.
    pub(super) fn add(&mut self, one: Concerned) -> Key {
        let key = Key::of(&one);
        let sum = self.0.entry(key).or_insert(Sum {
            count: 0,
            delayed: 0,
            stopped: 0,
            first_at: one.due_at,
            last_at: one.due_at,
            longest: TimeDelta::zero(),
            said: one.said,
        });
        sum.count += 1;
        sum.delayed += u64::from(one.outcome == RehearsedOutcome::Delayed);
        sum.stopped += u64::from(one.outcome == RehearsedOutcome::Stopped);
        sum.first_at = sum.first_at.min(one.due_at);
        sum.last_at = sum.last_at.max(one.due_at);
        sum.longest = sum.longest.max(one.delay.unwrap_or_default());
        key
    }

    /// The findings, that of the earliest post first, and the place of each among them.
    pub(super) fn finish(
        self,
        from: DateTime<Utc>,
        label: impl Fn(AccountId) -> String,
    ) -> (Vec<RehearsalFinding>, BTreeMap<Key, u32>) {
        let mut found: Vec<(Key, Sum)> = self.0.into_iter().collect();
        found.sort_by_key(|(key, sum)| (sum.first_at, *key));
        let places = found.iter().zip(0..).map(|((key, _), place)| (*key, place)).collect();
        let found = found.into_iter().map(|(key, sum)| finding(key, sum, from, &label));
        (found.collect(), places)
    }
}

fn finding(
    Key { platform, account, cause }: Key,
    sum: Sum,
    from: DateTime<Utc>,
    label: &impl Fn(AccountId) -> String,
) -> RehearsalFinding {
    let Cause { kind, ends_at, .. } = cause;
    let limit = platform.and_then(|platform| limit(platform, cause.limit?));
    let label = account.map(label);
    let subject = Subject {
        kind,
        network: platform.map_or("", |platform| platform.sheet().name),
        account: label.as_deref(),
        limit,
        ends_at,
        from,
        first_at: sum.first_at,
        count: sum.count,
        delayed: sum.delayed,
        stopped: sum.stopped,
        longest: sum.longest,
        said: sum.said.as_deref(),
    };
    RehearsalFinding {
        kind,
        platform,
        account_id: account,
        delayed: sum.delayed,
        stopped: sum.stopped,
        first_at: sum.first_at,
        last_at: sum.last_at,
        longest_delay_seconds: sum.longest.num_seconds(),
        limit: limit.map(|limit| RehearsedLimit {
            counts: limit.counts.noun().to_owned(),
            most: limit.most,
            seconds: limit.span.length().num_seconds(),
            shared: limit.whose == BudgetScope::App,
        }),
        ends_at,
        message: message(&subject),
        remedy: remedy(&subject),
    }
}
