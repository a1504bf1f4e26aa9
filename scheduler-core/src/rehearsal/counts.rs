//! How much is used of what networks let accounts publish.

use std::collections::{BTreeMap, VecDeque};

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use serde_json::{Map, Value};

use crate::ids::AccountId;
use crate::media::{MediaFacts, MediaKind};
use crate::platform::{BudgetScope, Counted, LimitSpan, Placement, Platform, PublishingLimit};
use crate::rules::placement::placement;
use crate::timing::Zone;

/// What one step of a publish uses: a post, or a later part of its thread.
pub(super) struct Use<'a> {
    pub(super) platform: Platform,
    pub(super) account: AccountId,
    pub(super) options: &'a Map<String, Value>,
    /// 0 for the post itself, 1 for the first that follows it in its thread.
    pub(super) part: usize,
    /// The files of that part.
    pub(super) files: Vec<MediaKind>,
}

impl Use<'_> {
    /// How much of what a limit counts.
    fn of(&self, counts: Counted) -> u32 {
        let is_first = self.part == 0;
        let files = |kind: Option<MediaKind>| {
            let of_kind = self.files.iter().filter(|file| kind.is_none_or(|kind| **file == kind));
            u32::try_from(of_kind.count()).unwrap_or(u32::MAX)
        };
        match counts {
            Counted::Posts => u32::from(is_first),
            Counted::Parts => 1,
            Counted::Replies => u32::from(!is_first),
            Counted::PostsWith { flag, .. } => u32::from(is_first && self.is_on(flag)),
            Counted::PostsWithout { flag } => u32::from(is_first && !self.is_on(flag)),
            Counted::Reels => u32::from(is_first && self.is_reel()),
            Counted::Images => files(Some(MediaKind::Image)),
            Counted::Videos => files(Some(MediaKind::Video)),
            Counted::Files => files(None),
            Counted::Calls { post, file } => post.saturating_add(file.saturating_mul(files(None))),
        }
    }

    fn is_on(&self, flag: &str) -> bool {
        self.options.get(flag).and_then(Value::as_bool) == Some(true)
    }

    fn is_reel(&self) -> bool {
        let files: Vec<_> = self.files.iter().copied().map(MediaFacts::of_kind).collect();
        placement(&self.platform.sheet().media, self.options, &files) == Placement::Reel
    }
}

/// A limit that has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoRoom {
    /// Its place among those of the network.
    pub(super) limit: usize,
    /// How long the publish waits.
    pub(super) wait: TimeDelta,
}

/// What is used, by network, limit and whose it is, which is `None` of what all accounts share.
#[derive(Default)]
pub(super) struct Counts(BTreeMap<(Platform, usize, Option<AccountId>), Window>);

impl Counts {
    /// Takes what a step uses of every limit, or nothing where one has no room for it: the one that
    /// keeps it waiting longest.
    pub(super) fn take(&mut self, used: &Use<'_>, now: DateTime<Utc>) -> Result<(), NoRoom> {
        let limits = used.platform.sheet().publishing;
        let mut longest: Option<NoRoom> = None;
        for (index, limit) in limits.iter().enumerate() {
            let amount = used.of(limit.counts).min(limit.most);
            if amount == 0 {
                continue;
            }
            let window = self.window(used, index, limit);
            if let Some(free_at) = window.free_at(limit, amount, now) {
                let wait = limit.wait.unwrap_or(free_at - now);
                if longest.is_none_or(|found| found.wait < wait) {
                    longest = Some(NoRoom { limit: index, wait });
                }
            }
        }
        if let Some(found) = longest {
            return Err(found);
        }
        self.add(used, now);
        Ok(())
    }

    /// Counts a step that was taken, whether there is room for it or not.
    pub(super) fn add(&mut self, used: &Use<'_>, at: DateTime<Utc>) {
        for (index, limit) in used.platform.sheet().publishing.iter().enumerate() {
            let amount = used.of(limit.counts);
            if amount > 0 {
                self.window(used, index, limit).add(limit, amount, at);
            }
        }
    }

    fn window(&mut self, used: &Use<'_>, index: usize, limit: &PublishingLimit) -> &mut Window {
        let whose = match limit.whose {
            BudgetScope::App => None,
            BudgetScope::Account => Some(used.account),
        };
        self.0.entry((used.platform, index, whose)).or_default()
    }
}

/// What was taken of one limit, oldest first, as far as it still counts.
#[derive(Default)]
struct Window {
    taken: VecDeque<(DateTime<Utc>, u32)>,
    sum: u32,
    /// When the span began, unless it slides.
    began: Option<DateTime<Utc>>,
}

impl Window {
    /// When there is room for so much; `None` where there is room now.
    fn free_at(
        &mut self,
        limit: &PublishingLimit,
        amount: u32,
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        self.forget(limit.span, now);
        let mut left = self.sum;
        if left.saturating_add(amount) <= limit.most {
            return None;
        }
        if let Some(began) = self.began {
            return Some(ends_at(limit.span, began));
        }
        for (at, taken) in &self.taken {
            left = left.saturating_sub(*taken);
            if left.saturating_add(amount) <= limit.most {
                return Some(*at + limit.span.length());
            }
        }
        None
    }

    fn add(&mut self, limit: &PublishingLimit, amount: u32, at: DateTime<Utc>) {
        self.forget(limit.span, at);
        self.sum = self.sum.saturating_add(amount);
        match limit.span {
            LimitSpan::Sliding(_) => self.taken.push_back((at, amount)),
            LimitSpan::Fixed(_) | LimitSpan::Day(_) => {
                self.began.get_or_insert(at);
            }
        }
    }

    /// Leaves out what counts no more.
    fn forget(&mut self, span: LimitSpan, now: DateTime<Utc>) {
        if self.began.is_some_and(|began| ends_at(span, began) <= now) {
            (self.sum, self.began) = (0, None);
        }
        while let Some((at, amount)) = self.taken.front().copied()
            && at + span.length() <= now
        {
            self.taken.pop_front();
            self.sum = self.sum.saturating_sub(amount);
        }
    }
}

/// When a span ends that something was taken of at an instant first.
fn ends_at(span: LimitSpan, began: DateTime<Utc>) -> DateTime<Utc> {
    match span {
        LimitSpan::Sliding(length) | LimitSpan::Fixed(length) => began + length,
        LimitSpan::Day(zone) => {
            let zone: Zone = zone.parse().unwrap_or(Zone::UTC);
            let tomorrow = zone.local(began).date().succ_opt();
            tomorrow.map_or(began, |day| zone.instant(day.and_time(NaiveTime::MIN)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_window_has_room_again() {
        let limit = |span| PublishingLimit {
            counts: Counted::Posts,
            whose: BudgetScope::Account,
            most: 2,
            span,
            wait: None,
        };
        let day = TimeDelta::hours(24);
        for (name, span, want) in [
            ("a day that slides", LimitSpan::Sliding(day), "2026-12-02T09:00:00Z"),
            ("a fixed day", LimitSpan::Fixed(day), "2026-12-02T09:00:00Z"),
            ("a day of UTC", LimitSpan::Day("UTC"), "2026-12-02T00:00:00Z"),
            ("a Pacific day", LimitSpan::Day("America/Los_Angeles"), "2026-12-02T08:00:00Z"),
        ] {
            let (limit, mut window) = (limit(span), Window::default());
            for hour in ["2026-12-01T09:00:00Z", "2026-12-01T20:00:00Z"] {
                assert_eq!(window.free_at(&limit, 1, at(hour)), None, "{name}");
                window.add(&limit, 1, at(hour));
            }
            let full = window.free_at(&limit, 1, at("2026-12-01T21:00:00Z"));
            assert_eq!(full, Some(at(want)), "{name}");
            assert_eq!(window.free_at(&limit, 1, at(want)), None, "{name}");
        }
    }

    #[test]
    fn what_a_limit_does_not_count_waits_for_no_room() {
        // More videos have gone out than the network takes in a day.
        let (options, now) = (Map::new(), at("2026-12-01T09:00:00Z"));
        let used = |files: &[MediaKind]| Use {
            platform: Platform::Bluesky,
            account: AccountId(uuid::Uuid::nil()),
            options: &options,
            part: 0,
            files: files.to_vec(),
        };
        let mut counts = Counts::default();
        for _ in 0..26 {
            counts.add(&used(&[MediaKind::Video]), now);
        }
        assert!(counts.take(&used(&[MediaKind::Video]), now).is_err());
        assert_eq!(counts.take(&used(&[]), now), Ok(()));
        assert_eq!(counts.take(&used(&[MediaKind::Image]), now), Ok(()));
    }

    #[test]
    fn every_zone_of_a_limit_is_known() {
        for platform in Platform::ALL {
            for limit in platform.sheet().publishing {
                assert!(limit.most >= 1, "{platform}");
                if let LimitSpan::Day(zone) = limit.span {
                    assert!(zone.parse::<Zone>().is_ok(), "{platform}: {zone}");
                }
            }
        }
    }
}
