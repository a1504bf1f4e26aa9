use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::ids::AccountId;
use crate::platform::Platform;
use crate::timing::Zone;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn account(number: u128) -> AccountId {
    AccountId(Uuid::from_u128(number))
}

fn entry(number: u128, texts: &[&str]) -> Entry {
    let post = json!({"targets": [{"platform": "mastodon"}]});
    Entry {
        id: EntryId(Uuid::from_u128(1_000 + number)),
        post: serde_json::from_value(post).unwrap(),
        texts: texts.iter().map(|text| (*text).to_owned()).collect(),
    }
}

fn terms(rule: Option<(&str, &str)>, cool_down_days: u32, entries: Vec<Entry>) -> Terms {
    let rule = rule.map(|(rrule, start)| {
        let (rrule, start) = (rrule.to_owned(), start.to_owned());
        Rule::try_from(RuleInput { rrule, start, exclude: Vec::new(), zone: None }).unwrap()
    });
    Terms { rule, cool_down_days, entries, written_by: None }
}

fn planner<'a>(
    terms: &'a Terms,
    accounts: &[(u128, &str, &str)],
    now: DateTime<Utc>,
) -> Planner<'a> {
    let candidates = accounts.iter().map(|(number, zone, schedule)| Candidate {
        account: account(*number),
        platform: Platform::Mastodon,
        zone: zone.parse().unwrap(),
        schedule: schedule.parse().unwrap(),
        taken: BTreeSet::new(),
    });
    let all: Vec<AccountId> = accounts.iter().map(|(number, ..)| account(*number)).collect();
    Planner {
        terms,
        candidates: candidates.collect(),
        accounts: vec![all; terms.entries.len()],
        unreachable: None,
        zone: Zone::UTC,
        now,
    }
}

#[test]
fn a_rule_comes_where_it_lies_ahead_everywhere() {
    let terms = terms(Some(("FREQ=DAILY", "2026-11-01T09:00")), 0, vec![entry(1, &["a"])]);
    let both = [(1, "Asia/Tokyo", ""), (2, "America/New_York", "")];
    let now = at("2026-12-01T00:30:00Z");
    // In Tokyo it is 9:30 of the 1st: what has passed there is over in New York too.
    let places = planner(&terms, &both, now).places(now + TimeDelta::days(2));
    let found: Vec<String> = places.iter().map(|(place, at)| format!("{place} {at}")).collect();
    assert_eq!(
        found,
        ["2026-12-02T09:00 2026-12-02 00:00:00 UTC", "2026-12-03T09:00 2026-12-03 00:00:00 UTC"]
    );
}

#[test]
fn texts_and_entries_take_turns() {
    let entries = vec![entry(1, &["a", "b"]), entry(2, &["c"])];
    let terms = terms(Some(("FREQ=DAILY", "2026-11-01T09:00")), 0, entries);
    let now = at("2026-12-01T12:00:00Z");
    let planner = planner(&terms, &[(1, "UTC", "")], now);
    let places = planner.places(now + TimeDelta::days(6));
    let made = planner.fill(places, &mut History::default(), 6);
    let texts: Vec<&str> = made.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(texts, ["a", "c", "b", "c", "a", "c"]);
}

#[test]
fn a_new_text_does_not_bring_the_last_one_again() {
    let used = |text: &str, at: &str| TextUse { text: TextMark::of(text), at: self::at(at) };
    let uses = EntryUse {
        recurrence_id: RecurrenceId(Uuid::nil()),
        entry_id: entry(1, &[]).id,
        account_id: account(1),
        target_id: crate::ids::TargetId(Uuid::nil()),
        used_at: at("2026-11-30T09:00:00Z"),
        texts: vec![used("a", "2026-11-30T09:00:00Z"), used("b", "2026-11-29T09:00:00Z")],
    };
    let history = History::of(&[uses]);
    for (name, texts, want) in [
        ("the other is next", vec!["a", "b"], "b"),
        ("a new one first", vec!["n", "a", "b"], "n"),
        ("only the last is left", vec!["a"], "a"),
        ("blanks at the ends are none of it", vec![" a ", "b"], "b"),
    ] {
        let entry = entry(1, &texts);
        assert_eq!(history.next_text(&entry, &[account(1)]), want, "{name}");
        assert_eq!(history.next_text(&entry, &[account(2)]), texts[0], "{name}, elsewhere");
    }
}

#[test]
fn uses_follow_each_other() {
    let use_ = |target: u128, at: &str| EntryUse {
        recurrence_id: RecurrenceId(Uuid::nil()),
        entry_id: entry(1, &[]).id,
        account_id: account(1),
        target_id: crate::ids::TargetId(Uuid::from_u128(target)),
        used_at: self::at(at),
        texts: vec![TextUse { text: TextMark::of("a"), at: self::at(at) }],
    };
    let earlier = use_(1, "2026-12-01T09:00:00Z");
    let from = |at: &str| Some(self::at(at));
    for (name, next, is_under_way, forbidden_from, want) in [
        (
            "long after",
            use_(2, "2027-01-01T09:00:00Z"),
            false,
            from("2026-12-02T00:00:00Z"),
            Ok(()),
        ),
        (
            "too early",
            use_(2, "2026-12-10T09:00:00Z"),
            false,
            from("2026-11-11T00:00:00Z"),
            Err(UseOutcome::UsedAt(earlier.used_at)),
        ),
        (
            "at the bound",
            use_(2, "2026-12-10T09:00:00Z"),
            false,
            from("2026-12-01T09:00:00Z"),
            Err(UseOutcome::UsedAt(earlier.used_at)),
        ),
        (
            "the other has not ended",
            use_(2, "2027-01-01T09:00:00Z"),
            true,
            from("2026-12-02T00:00:00Z"),
            Err(UseOutcome::UnderWay),
        ),
        ("without a bound", use_(2, "2026-12-01T09:01:00Z"), true, None, Ok(())),
        (
            "its own retry",
            use_(1, "2026-12-01T09:05:00Z"),
            true,
            from("2026-11-01T00:00:00Z"),
            Ok(()),
        ),
    ] {
        let kept = next.clone().after(&earlier, is_under_way, forbidden_from);
        assert_eq!(kept.as_ref().map(|_| ()).map_err(|outcome| *outcome), want, "{name}");
        if let Ok(kept) = kept {
            assert_eq!((kept.target_id, kept.used_at), (next.target_id, next.used_at), "{name}");
            assert_eq!(kept.texts.len(), 1, "{name}: each text once");
        }
    }
    // A clock that was set back does not make a use earlier than it was.
    let kept = use_(1, "2026-11-30T09:00:00Z").after(&earlier, true, from("2026-11-01T00:00:00Z"));
    assert_eq!(kept.map(|kept| kept.used_at), Ok(earlier.used_at));
}

proptest! {
    /// Whatever the slots, the zone and what was used before: between two uses of an entry on an
    /// account lies its cool-down, no slot is filled twice, and a slot stays free only when no entry
    /// has cooled down.
    #[test]
    fn no_plan_breaks_a_cool_down(
        zone in 0_usize..chrono_tz::TZ_VARIANTS.len(),
        now in 1_780_000_000_i64..2_100_000_000,
        days in 1_u32..20,
        count in 1_u128..8,
        slots in prop::collection::vec((0_usize..7, 0_u32..1440), 1..8),
        used in prop::collection::vec((0_u128..8, -40_i64..40), 0..6),
    ) {
        const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
        let zone = chrono_tz::TZ_VARIANTS[zone].name();
        let schedule = slots.iter().map(|(day, minute)| format!("{} {:02}:{:02}", DAYS[*day], minute / 60, minute % 60));
        let schedule = schedule.collect::<Vec<_>>().join(";");
        let entries = (0..count).map(|number| entry(number, &["a", "b", "c"])).collect();
        let (terms, now) = (terms(None, days, entries), DateTime::from_timestamp(now, 0).unwrap());
        let planner = planner(&terms, &[(1, zone, &schedule)], now);
        let mut history = History::default();
        let mut uses: BTreeMap<EntryId, Vec<DateTime<Utc>>> = BTreeMap::new();
        for (number, day) in used {
            let (entry, at) = (entry(number, &[]).id, now + TimeDelta::days(day));
            history.add(Used { entry, account: account(1), text: TextMark::of("a"), at });
            uses.entry(entry).or_default().push(at);
        }
        let earlier = uses.clone();
        let places = planner.places(now + TimeDelta::days(40));
        let made = planner.fill(places.clone(), &mut history, usize::MAX);
        let zone: Zone = zone.parse().unwrap();
        let filled: BTreeSet<OccurrencePlace> = made.iter().map(|one| one.place).collect();
        prop_assert_eq!(filled.len(), made.len(), "no slot twice");
        for one in &made {
            let of_entry = uses.entry(one.entry).or_default();
            for other in of_entry.iter() {
                prop_assert!(is_cooled_down(zone, days, one.at, *other), "{} {}", one.at, other);
            }
            of_entry.push(one.at);
        }
        for (place, at) in places.iter().filter(|(place, _)| !filled.contains(place)) {
            for entry in &terms.entries {
                let known = earlier.get(&entry.id).into_iter().chain(uses.get(&entry.id)).flatten();
                let mut near = known.filter(|used| !is_cooled_down(zone, days, *at, **used));
                prop_assert!(near.next().is_some(), "{place} could have been filled");
            }
        }
    }

    /// The bound that a store is given is the cool-down: it forbids what it forbids, and where clocks
    /// go back over midnight more, never less.
    #[test]
    fn the_bound_of_a_store_is_the_cool_down(
        zone in 0_usize..chrono_tz::TZ_VARIANTS.len(),
        now in 1_700_000_000_i64..2_100_000_000,
        days in 1_u32..60,
        before in 0_i64..(70 * 86_400),
    ) {
        let zone: Zone = chrono_tz::TZ_VARIANTS[zone].name().parse().unwrap();
        let now = DateTime::from_timestamp(now, 0).unwrap();
        let used = now - TimeDelta::seconds(before);
        let is_forbidden = used >= forbids_from(zone, days, now);
        prop_assert!(is_forbidden || is_cooled_down(zone, days, now, used));
        if is_cooled_down(zone, days + 1, now, used) {
            prop_assert!(!is_forbidden);
        }
        let until = cooled_down_at(zone, days, used);
        prop_assert!(is_cooled_down(zone, days, until, used));
        prop_assert!(until - used <= TimeDelta::days(i64::from(days)) + TimeDelta::hours(26));
    }
}

#[test]
fn a_schedule_of_nobody_is_empty() {
    let terms = terms(None, 7, vec![entry(1, &["a"])]);
    let now = at("2026-12-01T12:00:00Z");
    let planner = planner(&terms, &[], now);
    assert_eq!(planner.places(now + TimeDelta::days(9)), []);
}
