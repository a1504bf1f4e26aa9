//! Whatever is asked for, every view of a range shows the same posts.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{Datelike as _, Days};
use futures_util::FutureExt as _;
use proptest::prelude::*;
use scheduler_core::app::Settings;
use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use scheduler_core::post::PostInput;
use serde_json::json;

use super::super::grid::by_day;
use super::super::hours::{Now, hours};
use super::super::list;
use super::super::period::Period;
use super::*;

const PLATFORMS: [Platform; 3] = [Platform::Bluesky, Platform::Mastodon, Platform::Telegram];

/// Far apart, with clock changes on three dates, without any, and with a half of an hour.
const ZONES: [&str; 5] = [
    "Europe/Stockholm",
    "America/New_York",
    "Asia/Tokyo",
    "Australia/Lord_Howe",
    "Pacific/Kiritimati",
];

struct World {
    scheduler: Scheduler,
    caller: Caller,
    accounts: HashMap<AccountId, AccountView>,
}

fn done<F: Future>(future: F) -> F::Output {
    future.now_or_never().expect("everything in memory is there at once")
}

/// Sixty posts from March to November, of which a third go by each account's own clock, some lie
/// where clocks change, and some are cancelled.
fn world() -> World {
    let clock = Arc::new(ManualClock::at("2026-01-01T09:00:00Z".parse().unwrap()));
    let mut ports = test_ports(clock);
    for platform in PLATFORMS {
        ports.networks =
            std::mem::take(&mut ports.networks).with(platform, Arc::new(MemoryNetwork::new()));
    }
    let scheduler = Scheduler::new(ports, Settings::default());
    let first = done(scheduler.first_start()).unwrap().unwrap();
    let caller = done(scheduler.authenticate(Some(first.key.value.expose()))).unwrap();
    for (platform, zone) in PLATFORMS.into_iter().zip(ZONES) {
        let made =
            done(scheduler.connect_account(&caller.workspace, platform, &ConnectInput::default()));
        let zone = zone.parse().unwrap();
        done(scheduler.set_account_timezone(&made.unwrap().account, Some(zone))).unwrap();
    }
    for number in 0..60_u32 {
        let minutes = i64::from(number * 6_151 % 400_000);
        let at: DateTime<Utc> = "2026-03-01T00:30:00Z".parse().unwrap();
        let mut at = at + TimeDelta::minutes(minutes);
        if number % 10 == 0 {
            at = "2026-03-29T01:15:00Z".parse::<DateTime<Utc>>().unwrap()
                + TimeDelta::hours(number.into());
        } else if number % 10 == 1 {
            at = "2026-10-25T00:15:00Z".parse::<DateTime<Utc>>().unwrap()
                + TimeDelta::minutes(i64::from(number) * 5);
        }
        let targets: Vec<_> = PLATFORMS
            .into_iter()
            .take(1 + number as usize % 3)
            .map(|platform| json!({"platform": platform}))
            .collect();
        let mut body = json!({"content": format!("Number {number}"), "targets": targets});
        if number % 3 == 0 {
            body["scheduledLocal"] = json!(at.format("%Y-%m-%dT%H:%M").to_string());
        } else {
            body["scheduledAt"] = json!(at.to_rfc3339());
        }
        let input: PostInput = serde_json::from_value(body).unwrap();
        let post = done(scheduler.create_post(&caller, input, None)).unwrap().value;
        if number % 9 == 4 {
            done(scheduler.delete_post(&caller, post.id, None)).unwrap();
        }
    }
    let accounts = done(scheduler.account_views(&caller)).unwrap();
    let accounts = accounts.into_iter().map(|account| (account.id, account)).collect();
    World { scheduler, caller, accounts }
}

fn form(pairs: &[(&str, String)]) -> Form {
    Form::parse(serde_urlencoded::to_string(pairs).unwrap().as_bytes()).unwrap()
}

/// The cards of a range, each by its post and its minute.
type Set = BTreeSet<(String, DateTime<Utc>)>;

fn set<'a>(cards: impl IntoIterator<Item = &'a Card>) -> Set {
    cards.into_iter().map(|card| (card.id.clone(), card.instant)).collect()
}

impl World {
    fn read(&self, asked: &Form, zone: Zone, (from, to): (NaiveDate, NaiveDate)) -> Vec<Card> {
        let reader = Reader {
            scheduler: &self.scheduler,
            caller: &self.caller,
            accounts: &self.accounts,
            zone,
        };
        done(reader.between(asked, from, to)).unwrap().shown(asked)
    }

    /// What the list shows of a range, whose last day is in its address.
    fn in_list(
        &self,
        pairs: &[(&str, String)],
        zone: Zone,
        (from, to): (NaiveDate, NaiveDate),
    ) -> Set {
        let mut pairs = pairs.to_vec();
        pairs.push(("from", from.to_string()));
        pairs.push(("to", (to - Days::new(1)).to_string()));
        let asked = form(&pairs);
        let range = list::range(&asked).unwrap();
        let days = list::days_of(self.read(&asked, zone, range), zone);
        let lines: Vec<_> = days.into_iter().flat_map(|day| day.lines).collect();
        let shown = set(lines.iter().map(|line| &line.card));
        assert_eq!(shown.len(), lines.len(), "no line stands twice");
        shown
    }

    /// What a grid of hours shows of a period.
    fn in_hours(&self, asked: &Form, zone: Zone, period: Period) -> Set {
        let cards = self.read(asked, zone, period.days());
        let mut of_days = by_day(&cards);
        let (from, to) = period.days();
        let days: Vec<_> = from
            .iter_days()
            .take_while(|date| *date < to)
            .map(|date| super::super::grid::Day {
                cards: of_days.remove(&date).unwrap_or_default(),
                ..super::super::grid::tests::day(date)
            })
            .collect();
        let now = Now { local: from.and_hms_opt(12, 30, 0).unwrap(), is_again: false };
        let mut shown = Vec::new();
        for row in hours(&days, zone, now) {
            for cell in row.cells {
                shown.extend(cell.cards);
                shown.extend(cell.later);
            }
        }
        assert_eq!(shown.len(), set(&shown).len(), "no card stands twice");
        set(&shown)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_view_of_a_range_shows_the_same_posts(
        day in 0_u64..270,
        zone in 0_usize..ZONES.len(),
        account in prop::option::of(0_usize..PLATFORMS.len()),
        state in prop::option::of(prop::sample::select(vec!["scheduled", "canceled"])),
        words in prop::option::of(prop::sample::select(vec!["Number", "Number 1", "nothing"])),
    ) {
        thread_local! { static WORLD: World = world(); }
        WORLD.with(|world| {
            let zone: Zone = ZONES[zone].parse().unwrap();
            let mut pairs = Vec::new();
            if let Some(account) = account {
                let of = world.accounts.values().find(|one| one.platform == PLATFORMS[account]);
                pairs.push(("account", of.unwrap().id.to_string()));
            }
            pairs.extend(state.map(|state| ("state", state.to_owned())));
            pairs.extend(words.map(|words| ("q", words.to_owned())));
            let asked = form(&pairs);
            let date = NaiveDate::from_ymd_opt(2026, 3, 1).unwrap() + Days::new(day);
            let month = Period::Month(date.with_day(1).unwrap());
            let (from, to) = month.days();
            let of_month = by_day(&world.read(&asked, zone, (from, to)));
            prop_assert!(of_month.keys().all(|date| from <= *date && *date < to));
            let of_month = set(of_month.values().flatten());
            let of_list = world.in_list(&pairs, zone, (from, to));
            prop_assert_eq!(&of_month, &of_list, "month and list");
            let (mut of_weeks, mut of_days) = (Set::new(), Set::new());
            for date in from.iter_days().take_while(|date| *date < to) {
                if date.weekday() == chrono::Weekday::Mon {
                    of_weeks.extend(world.in_hours(&asked, zone, Period::Week(date)));
                }
                of_days.extend(world.in_hours(&asked, zone, Period::Day(date)));
            }
            prop_assert_eq!(&of_month, &of_weeks, "month and weeks");
            prop_assert_eq!(&of_month, &of_days, "month and days");
            Ok(())
        })?;
    }
}

/// The property holds of nothing as well: this world has something to show.
#[test]
fn the_world_has_posts_on_every_kind_of_day() {
    let world = world();
    let zone: Zone = "Europe/Stockholm".parse().unwrap();
    for (name, pairs, period, least) in [
        ("a month", vec![], "2026-04", 3),
        ("the day with 25 hours", vec![], "2026-10-25", 2),
        ("the day with 23 hours", vec![], "2026-03-29", 1),
        ("cancelled", vec![("state", "canceled".to_owned())], "2026-06", 1),
    ] {
        let period = Period::parse(period).unwrap();
        let found = world.read(&form(&pairs), zone, period.days());
        assert!(found.len() >= least, "{name}: {}", found.len());
    }
}
