//! What each network allows, and a count of every request that is made to it.
//!
//! The figures are those of the networks' documentation, written down once more: a budget that was
//! made from a wrong one is found.

use std::collections::{BTreeMap, VecDeque};

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::{BudgetScope, Platform};

/// How many requests are allowed in any span of a length.
pub(crate) struct Limit {
    scope: BudgetScope,
    requests: u32,
    per: TimeDelta,
}

const fn app(requests: u32, per: TimeDelta) -> Limit {
    Limit { scope: BudgetScope::App, requests, per }
}

const fn account(requests: u32, per: TimeDelta) -> Limit {
    Limit { scope: BudgetScope::Account, requests, per }
}

const DAY: TimeDelta = TimeDelta::hours(24);
const HOUR: TimeDelta = TimeDelta::hours(1);
const MINUTE: TimeDelta = TimeDelta::minutes(1);

fn limits(platform: Platform) -> Vec<Limit> {
    match platform {
        Platform::Youtube => vec![app(10_000, DAY)],
        Platform::Tiktok => vec![app(600, MINUTE), account(20, MINUTE)],
        Platform::Instagram | Platform::Facebook => vec![account(4_800, DAY)],
        Platform::Threads => vec![account(48_000, DAY)],
        Platform::Twitter => vec![account(75, TimeDelta::minutes(15))],
        Platform::Linkedin => vec![account(100, DAY), app(500, DAY)],
        Platform::Pinterest => vec![app(1_000, DAY)],
        Platform::Bluesky => vec![app(3_000, TimeDelta::minutes(5))],
        Platform::Mastodon => vec![account(300, TimeDelta::minutes(5))],
        Platform::Telegram => vec![account(20, MINUTE)],
        Platform::Discord => vec![account(30, MINUTE)],
        Platform::Tumblr => vec![app(1_000, HOUR), app(5_000, DAY)],
        own => panic!("{own} has no limits"),
    }
}

/// Posts of one call for figures, and the most requests that one for so many posts takes.
pub(crate) fn figures_cost(platform: Platform, posts: u32) -> (usize, u32) {
    match platform {
        Platform::Youtube => (50, 1),
        Platform::Tiktok => (20, 1),
        Platform::Instagram | Platform::Facebook => (1, 8 * posts),
        Platform::Threads | Platform::Pinterest => (1, posts),
        Platform::Twitter => (100, 1),
        Platform::Linkedin => (7, 8 * posts),
        Platform::Bluesky => (25, 1),
        Platform::Mastodon => (20, 1 + posts),
        Platform::Tumblr => (20, posts),
        Platform::Telegram | Platform::Discord => (1, 0),
        own => panic!("{own} has no figures"),
    }
}

/// Requests of a span that moves on.
#[derive(Default)]
struct Window {
    requests: VecDeque<(DateTime<Utc>, u32)>,
    sum: u32,
    most: u32,
}

impl Window {
    fn add(&mut self, at: DateTime<Utc>, requests: u32, per: TimeDelta) {
        while let Some((first, count)) = self.requests.front().copied()
            && first + per <= at
        {
            self.requests.pop_front();
            self.sum -= count;
        }
        self.requests.push_back((at, requests));
        self.sum += requests;
        self.most = self.most.max(self.sum);
    }
}

/// Every request to one network.
pub(crate) struct Meter {
    platform: Platform,
    limits: Vec<Limit>,
    /// By limit and account: those of readings, and all.
    windows: BTreeMap<(usize, String), [Window; 2]>,
    pub(crate) requests_of_readings: u64,
}

impl Meter {
    pub(crate) fn new(platform: Platform) -> Self {
        let windows = BTreeMap::new();
        Self { platform, limits: limits(platform), windows, requests_of_readings: 0 }
    }

    /// Counts requests, be they of readings or of publishing.
    pub(crate) fn count(&mut self, at: DateTime<Utc>, account: &str, requests: u32, reads: bool) {
        if requests == 0 {
            return;
        }
        self.requests_of_readings += u64::from(if reads { requests } else { 0 });
        for (index, limit) in self.limits.iter().enumerate() {
            let subject = match limit.scope {
                BudgetScope::App => String::new(),
                BudgetScope::Account => account.to_owned(),
            };
            let [of_readings, all] = self.windows.entry((index, subject)).or_default();
            all.add(at, requests, limit.per);
            if reads {
                of_readings.add(at, requests, limit.per);
            }
        }
    }

    /// Where readings took more than half of a limit, or all requests more than all of it.
    pub(crate) fn excesses(&self) -> Vec<String> {
        let mut found = Vec::new();
        for ((index, subject), [of_readings, all]) in &self.windows {
            let Some(limit) = self.limits.get(*index) else { continue };
            if of_readings.most > limit.requests / 2 || all.most > limit.requests {
                found.push(format!(
                    "{} {subject}: {} requests of readings and {} in all in {}, allowed are {}",
                    self.platform, of_readings.most, all.most, limit.per, limit.requests
                ));
            }
        }
        found
    }

    /// The largest share of a limit that readings have taken, in per cent.
    pub(crate) fn share(&self) -> u32 {
        let share = |((index, _), [of_readings, _]): (&(usize, String), &[Window; 2])| {
            self.limits.get(*index).map(|limit| of_readings.most * 100 / limit.requests)
        };
        self.windows.iter().filter_map(share).max().unwrap_or_default()
    }
}
