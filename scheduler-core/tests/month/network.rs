//! Networks that count what they are asked, are down for hours, and want to be left alone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::{AccountLimits, Metric, Platform};
use scheduler_core::ports::{
    Access, AfterPublishing, Clock, Figures, LivePost, NetworkError, NetworkErrorKind,
};

use crate::limits::{Meter, figures_cost};

/// A clock that is set.
pub(crate) struct ManualClock(pub(crate) Mutex<DateTime<Utc>>);

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

pub(crate) struct SimulatedNetwork {
    pub(crate) platform: Platform,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) meter: Mutex<Meter>,
    /// From when to when it is down.
    pub(crate) down: Option<(DateTime<Utc>, DateTime<Utc>)>,
    /// It wants to be left alone after one in so many calls.
    pub(crate) limits_one_in: u64,
    chance: Mutex<Chance>,
}

impl SimulatedNetwork {
    pub(crate) fn new(platform: Platform, clock: &Arc<ManualClock>, begin: DateTime<Utc>) -> Self {
        let hours = |first: i64, count: i64| {
            Some((begin + TimeDelta::hours(first), begin + TimeDelta::hours(first + count)))
        };
        let down = match platform {
            Platform::Bluesky => hours(60, 8),
            Platform::Mastodon => hours(100, 3),
            Platform::Facebook => hours(170, 5),
            Platform::Youtube => hours(250, 20),
            _ => None,
        };
        let index = Platform::ALL.iter().position(|other| *other == platform);
        let limits_one_in = match platform {
            Platform::Threads => 50,
            Platform::Tumblr | Platform::Instagram => 200,
            _ => u64::MAX,
        };
        Self {
            platform,
            clock: Arc::clone(clock),
            meter: Mutex::new(Meter::new(platform)),
            down,
            limits_one_in,
            chance: Mutex::new(Chance::new(index.unwrap_or_default() as u64)),
        }
    }

    /// Counts what publishing a post takes.
    pub(crate) fn published(&self, account: &str) {
        self.meter.lock().unwrap().count(self.clock.now(), account, 4, false);
    }

    fn call(&self, access: &Access, requests: u32) -> Result<(), NetworkError> {
        let now = self.clock.now();
        self.meter.lock().unwrap().count(now, &access.account.network_id, requests, true);
        let fails = |kind| Err(NetworkError::new(kind, "no"));
        if self.down.is_some_and(|(from, until)| from <= now && now < until) {
            return fails(NetworkErrorKind::Temporary);
        }
        let mut chance = self.chance.lock().unwrap();
        if chance.below(self.limits_one_in) == 0 {
            let wait = chance.below(3).checked_sub(1).map(|hours| {
                TimeDelta::hours(i64::try_from(hours).expect("small")) + TimeDelta::minutes(20)
            });
            return fails(NetworkErrorKind::RateLimited { wait });
        }
        match chance.below(500) {
            0 => fails(NetworkErrorKind::InDoubt),
            1 => fails(NetworkErrorKind::Unsettled),
            2..5 => fails(NetworkErrorKind::Temporary),
            _ => Ok(()),
        }
    }
}

#[async_trait]
impl AfterPublishing for SimulatedNetwork {
    fn figures_at_once(&self) -> usize {
        figures_cost(self.platform, 0).0
    }

    async fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
    ) -> Result<Vec<Option<Figures>>, NetworkError> {
        let count = u32::try_from(posts.len()).expect("few");
        let (at_once, requests) = figures_cost(self.platform, count);
        assert!(posts.len() <= at_once, "{} was asked for {count} posts", self.platform);
        self.call(access, requests)?;
        let figures = |post: &LivePost| {
            let age = (access.now - post.published_at).num_hours();
            let likes = f64::from(i32::try_from(age).expect("a month"));
            Some(Figures(BTreeMap::from([(Metric::Likes, likes)])))
        };
        Ok(posts.iter().map(figures).collect())
    }

    async fn followers(&self, access: &Access) -> Result<Option<u64>, NetworkError> {
        self.call(access, 1)?;
        Ok(Some(1_000))
    }

    async fn limits(&self, access: &Access) -> Result<Option<AccountLimits>, NetworkError> {
        self.call(access, 2)?;
        Ok(Some(AccountLimits::default()))
    }
}
