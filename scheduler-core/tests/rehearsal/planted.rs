//! Shortages that are planted in a calendar, each with what a rehearsal has to say of it.

use std::collections::BTreeSet;
use std::slice::from_ref;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::Account;
use scheduler_core::ids::{AccountId, MediaId, TargetId};
use scheduler_core::platform::{Amount, Platform};
use scheduler_core::post::ApprovalState;
use scheduler_core::rehearsal::{FindingKind, Rehearsal, RehearsedOutcome};
use uuid::Uuid;

use crate::chance::Chance;
use crate::world::{BEGIN, World, at};

/// What a rehearsal has to find.
pub(crate) struct Expected {
    pub(crate) kind: FindingKind,
    pub(crate) platform: Platform,
    pub(crate) account: Option<AccountId>,
    pub(crate) outcome: RehearsedOutcome,
    pub(crate) targets: BTreeSet<TargetId>,
}

impl Expected {
    /// Why a rehearsal has not found it; `None` where it has, with the very targets.
    pub(crate) fn missed(&self, found: &Rehearsal) -> Option<String> {
        let is_it = |finding: &&scheduler_core::rehearsal::RehearsalFinding| {
            finding.kind == self.kind
                && finding.platform == Some(self.platform)
                && finding.account_id == self.account
        };
        let place = found.findings.iter().position(|finding| is_it(&finding));
        let Some(place) = place else {
            return Some(format!("{:?} of {} is not found", self.kind, self.platform));
        };
        let place = u32::try_from(place).unwrap();
        let told = found.targets.iter().filter(|target| target.finding == Some(place));
        let told: Vec<_> = told.map(|target| (target.target_id, target.outcome)).collect();
        let want: Vec<_> = self.targets.iter().map(|id| (*id, self.outcome)).collect();
        let mut sorted = told;
        sorted.sort_unstable_by_key(|(id, _)| *id);
        (sorted != want).then(|| {
            format!("{:?} of {}: told {sorted:?}, wanted {want:?}", self.kind, self.platform)
        })
    }
}

/// What can be planted.
pub(crate) const KINDS: [FindingKind; 12] = [
    FindingKind::DailyCount,
    FindingKind::Quota,
    FindingKind::Rate,
    FindingKind::MonthCost,
    FindingKind::TokenExpires,
    FindingKind::NeedsReconnect,
    FindingKind::ApiVersion,
    FindingKind::Approval,
    FindingKind::Rules,
    FindingKind::Files,
    FindingKind::NotOffered,
    FindingKind::Paused,
];

/// A day of the calendar with room before and after it.
fn day(chance: &mut Chance) -> DateTime<Utc> {
    at(BEGIN) + TimeDelta::days(2 + chance.below(24))
}

fn every(
    world: &mut World,
    accounts: &[Account],
    first: DateTime<Utc>,
    step: TimeDelta,
    count: i64,
) -> Vec<TargetId> {
    let due = (0..count).map(|number| first + step * i32::try_from(number).unwrap());
    let accounts = accounts.iter().cycle();
    due.zip(accounts).map(|(at, account)| world.post(account, at)).collect()
}

/// Plants a shortage of a kind. One that pauses an account is planted last.
pub(crate) fn plant(world: &mut World, kind: FindingKind, chance: &mut Chance) -> Expected {
    let (day, more) = (day(chance), 1 + chance.below(20));
    let minutes = TimeDelta::minutes;
    let last = |all: &[TargetId]| {
        let kept_back = all.len() - usize::try_from(more).unwrap();
        all[kept_back..].iter().copied().collect::<BTreeSet<_>>()
    };
    let (platform, account, outcome, targets) = match kind {
        FindingKind::DailyCount => {
            let account = world.connect(Platform::Instagram, "busy");
            let all = every(world, from_ref(&account), day, minutes(5), 100 + more);
            (Platform::Instagram, Some(account.id), RehearsedOutcome::Delayed, last(&all))
        }
        FindingKind::Quota => {
            let accounts = [0, 1].map(|_| world.connect(Platform::Youtube, "films"));
            let all = every(world, &accounts, day + minutes(600), minutes(5), 100 + more);
            (Platform::Youtube, None, RehearsedOutcome::Delayed, last(&all))
        }
        FindingKind::Rate => {
            let account = world.connect(Platform::Telegram, "news");
            let seconds = TimeDelta::seconds(1);
            let all = every(world, from_ref(&account), day, seconds, 20 + more);
            (Platform::Telegram, Some(account.id), RehearsedOutcome::Delayed, last(&all))
        }
        FindingKind::MonthCost => {
            // A hundred posts of 0.015.
            world.settings.account_monthly_cap = Some(Amount::thousandths(1_500));
            let account = world.connect(Platform::Twitter, "dear");
            let all = every(world, from_ref(&account), at(BEGIN), minutes(60), 100 + more);
            (Platform::Twitter, Some(account.id), RehearsedOutcome::Stopped, last(&all))
        }
        FindingKind::TokenExpires => {
            let ends_at = day + minutes(more * 60 - 30);
            let account = world.connect_with(Platform::Linkedin, "ending", Some(ends_at), |_| {});
            let name = account.network_id.clone();
            world.network(Platform::Linkedin).unrenewed.insert(name);
            let all = every(world, from_ref(&account), day, minutes(60), 2 * more);
            (Platform::Linkedin, Some(account.id), RehearsedOutcome::Stopped, last(&all))
        }
        FindingKind::NeedsReconnect => {
            let account = world.connect_with(Platform::Bluesky, "gone", None, |account| {
                account.needs_reconnect = true;
            });
            let all = every(world, from_ref(&account), day, minutes(60), more);
            (Platform::Bluesky, Some(account.id), RehearsedOutcome::Stopped, last(&all))
        }
        FindingKind::ApiVersion => {
            let account = world.connect(Platform::Facebook, "page");
            world.ends(Platform::Facebook, &day.date_naive().to_string());
            let first = day - minutes(more * 60);
            let all = every(world, &[account], first, minutes(60), 2 * more);
            (Platform::Facebook, None, RehearsedOutcome::Stopped, last(&all))
        }
        FindingKind::Approval => {
            let account = world.connect(Platform::Mastodon, "client");
            let waiting = (0..more).map(|hour| {
                world.post_as(&account, day + minutes(hour * 60), |post| {
                    post.approval_state = Some(ApprovalState::Pending);
                })
            });
            let waiting = waiting.collect();
            (Platform::Mastodon, Some(account.id), RehearsedOutcome::Stopped, waiting)
        }
        FindingKind::Rules => {
            let account = world.connect(Platform::Bluesky, "wordy");
            let long = (0..more).map(|hour| {
                world.post_as(&account, day + minutes(hour * 60), |post| {
                    post.content = "a".repeat(301);
                })
            });
            let long = long.collect();
            (Platform::Bluesky, Some(account.id), RehearsedOutcome::Stopped, long)
        }
        FindingKind::Files => {
            let account = world.connect(Platform::Tumblr, "lost");
            let lost = (0..more).map(|hour| {
                world.post_as(&account, day + minutes(hour * 60), |post| {
                    post.media_ids = vec![MediaId(Uuid::from_u128(u128::MAX))];
                })
            });
            let lost = lost.collect();
            (Platform::Tumblr, Some(account.id), RehearsedOutcome::Stopped, lost)
        }
        FindingKind::NotOffered => {
            let account = world.connect(Platform::Discord, "channel");
            world.does_not_offer(Platform::Discord);
            let all = every(world, &[account], day, minutes(60), more);
            (Platform::Discord, None, RehearsedOutcome::Stopped, last(&all))
        }
        FindingKind::Paused => {
            let connected = world.connected();
            world.settings.plans.studio.channels = connected;
            let account = world.connect(Platform::Mastodon, "beyond");
            let all = every(world, from_ref(&account), day, minutes(60), more);
            (Platform::Mastodon, Some(account.id), RehearsedOutcome::Stopped, last(&all))
        }
        other => unreachable!("{other:?} is not planted here"),
    };
    Expected { kind, platform, account, outcome, targets }
}

/// A calendar that fits: a few posts a day of several accounts, and some that are as many as their
/// networks take.
pub(crate) fn fitting(world: &mut World, chance: &mut Chance) {
    let platforms = [
        Platform::Bluesky,
        Platform::Mastodon,
        Platform::Threads,
        Platform::Telegram,
        Platform::Instagram,
        Platform::Twitter,
        Platform::Tumblr,
        Platform::Pinterest,
    ];
    for platform in platforms {
        let account = world.connect(platform, "fits");
        for day in 0..30 {
            for _ in 0..chance.below(4) {
                let minute = chance.below(24 * 60);
                let due_at = at(BEGIN) + TimeDelta::days(day) + TimeDelta::minutes(minute);
                world.post(&account, due_at);
            }
        }
    }
    // A token that is renewed ends no post.
    let soon = at(BEGIN) + TimeDelta::days(chance.below(20));
    let account = world.connect_with(Platform::Linkedin, "renewed", Some(soon), |_| {});
    every(world, &[account], day(chance), TimeDelta::hours(2), 20);
    let full = world.connect(Platform::Instagram, "full");
    every(world, &[full], day(chance), TimeDelta::minutes(5), 100);
    let full = world.connect(Platform::Telegram, "full");
    every(world, &[full], day(chance), TimeDelta::seconds(1), 20);
}
