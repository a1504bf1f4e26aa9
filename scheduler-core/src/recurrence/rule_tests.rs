use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use proptest::prelude::*;

use super::{Rule, RuleInput};
use crate::timing::{Resolved, Zone, format_local, parse_local};

fn input(rrule: &str, start: &str) -> RuleInput {
    RuleInput { rrule: rrule.to_owned(), start: start.to_owned(), exclude: Vec::new(), zone: None }
}

fn rule(rrule: &str, start: &str) -> Rule {
    Rule::try_from(input(rrule, start)).unwrap()
}

fn local(text: &str) -> NaiveDateTime {
    parse_local(text).unwrap()
}

/// `scripts/recurrence-cases.py` has made the table with another implementation.
#[test]
fn occurrences_are_those_of_python_dateutil() {
    let cases: Vec<(String, String, String)> =
        serde_json::from_str(include_str!("rule_cases.json")).unwrap();
    assert!(cases.len() > 400);
    let mut different = Vec::new();
    for (text, start, times) in cases {
        let want: Vec<&str> = times.split(' ').collect();
        let last = local(want.last().unwrap()) + TimeDelta::minutes(1);
        let found = rule(&text, &start).between(local(&start), last);
        let found: Vec<String> = found.into_iter().map(format_local).collect();
        if found != want {
            different.push(format!("{text} from {start}:\n  {found:?}\n  {want:?}"));
        }
    }
    assert!(different.is_empty(), "{}\n{}", different.len(), different.join("\n"));
}

#[test]
fn what_is_taken() {
    let long = format!("FREQ=DAILY;BYMONTHDAY={}", "1,".repeat(300));
    for (name, text, is_taken) in [
        ("daily", "FREQ=DAILY", true),
        ("as calendars copy it", "RRULE:FREQ=WEEKLY;BYDAY=MO;", true),
        ("in small letters", "freq=weekly;byday=mo,th", true),
        ("until a date", "FREQ=DAILY;UNTIL=20271231", true),
        ("until a local time", "FREQ=DAILY;UNTIL=20271231T180000", true),
        ("until an instant", "FREQ=DAILY;UNTIL=20271231T180000Z", false),
        ("until nothing", "FREQ=DAILY;UNTIL=", false),
        ("count and until", "FREQ=DAILY;COUNT=3;UNTIL=20271231", false),
        ("a count of none", "FREQ=DAILY;COUNT=0", false),
        ("the largest count", "FREQ=DAILY;COUNT=10000", true),
        ("a larger count", "FREQ=DAILY;COUNT=10001", false),
        ("an interval of none", "FREQ=DAILY;INTERVAL=0", false),
        ("hourly", "FREQ=HOURLY", false),
        ("every second", "FREQ=SECONDLY", false),
        ("by the second", "FREQ=DAILY;BYSECOND=30", false),
        ("by Easter", "FREQ=YEARLY;BYEASTER=1", false),
        ("no frequency", "BYDAY=MO", false),
        ("a part twice", "FREQ=DAILY;FREQ=WEEKLY", false),
        ("another part", "FREQ=DAILY;COLOR=RED", false),
        ("no part", "every monday", false),
        ("nothing", "", false),
        ("24 times a day", "FREQ=DAILY;BYHOUR=0,6,12,18;BYMINUTE=0,10,20,30,40,50", true),
        ("more times a day", "FREQ=DAILY;BYHOUR=0,6,12,18,20;BYMINUTE=0,10,20,30,40,50", false),
        ("a day that never comes", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", false),
        ("over before it begins", "FREQ=DAILY;UNTIL=20200101", false),
        ("a long text", &long, false),
        ("another script", "FREQ=DAILY\u{ff1b}BYDAY=MO", false),
    ] {
        let read = Rule::try_from(input(text, "2026-12-01T09:00"));
        let field = read.as_ref().err().and_then(|refusal| refusal.field.as_deref());
        assert_eq!(field, (!is_taken).then_some("rrule"), "{name}: {read:?}");
    }
    let bad_start = Rule::try_from(input("FREQ=DAILY", "2026-12-01"));
    assert_eq!(bad_start.unwrap_err().field.as_deref(), Some("start"));
    let exclude = vec!["2026-12-01T09:00".to_owned(), "tomorrow".to_owned()];
    let bad = RuleInput { exclude, ..input("FREQ=DAILY", "2026-12-01T09:00") };
    assert_eq!(Rule::try_from(bad).unwrap_err().field.as_deref(), Some("exclude[1]"));
}

#[test]
fn what_is_excluded_counts() {
    let exclude = vec!["2026-12-02T09:00".to_owned(), "2026-12-02T10:00".to_owned()];
    let input = RuleInput { exclude, ..input("FREQ=DAILY;COUNT=3", "2026-12-01T09:00") };
    let found = Rule::try_from(input)
        .unwrap()
        .between(local("2026-01-01T00:00"), local("2030-01-01T00:00"));
    let found: Vec<String> = found.into_iter().map(format_local).collect();
    assert_eq!(found, ["2026-12-01T09:00", "2026-12-03T09:00"]);
}

#[test]
fn a_rule_is_kept_as_it_was_written() {
    let input = RuleInput {
        exclude: vec!["2026-12-07T09:00".to_owned()],
        zone: Some("Europe/Berlin".parse().unwrap()),
        ..input("FREQ=WEEKLY;UNTIL=20271231;BYDAY=MO", "2026-12-01T09:00")
    };
    let rule = Rule::try_from(input.clone()).unwrap();
    assert_eq!(RuleInput::from(rule.clone()), input);
    let stored = serde_json::to_string(&rule).unwrap();
    assert_eq!(serde_json::from_str::<Rule>(&stored).unwrap(), rule);
}

proptest! {
    /// Over all clock changes of all zones: each occurrence shows its local time on the wall, or,
    /// where clocks skip it, the time that is later by the gap; and of two the first.
    #[test]
    fn each_occurrence_is_at_its_local_time(
        zone in 0_usize..chrono_tz::TZ_VARIANTS.len(),
        minute in 0_u32..1440,
        day in 0_i64..3_000,
    ) {
        let zone: Zone = chrono_tz::TZ_VARIANTS[zone].name().parse().unwrap();
        let start = local("2026-01-01T00:00") + TimeDelta::days(day) + TimeDelta::minutes(minute.into());
        let rule = rule("FREQ=DAILY", &format_local(start));
        let days = rule.between(start, start + TimeDelta::days(400));
        prop_assert_eq!(days.len(), 400, "every day once");
        for (index, at) in days.into_iter().enumerate() {
            prop_assert_eq!(at, start + TimeDelta::days(i64::try_from(index).unwrap()));
            let instant: DateTime<Utc> = zone.instant(at);
            match zone.resolve(at) {
                Resolved::Once(_) => prop_assert_eq!(zone.local(instant), at),
                Resolved::Twice(first, _) => prop_assert_eq!(instant, first),
                Resolved::Skipped(_) => prop_assert!(zone.local(instant) > at),
            }
        }
    }

    /// Whatever is written, it is read or refused, and comes in order.
    #[test]
    fn any_text_is_read_or_refused(
        text in "(FREQ=(DAILY|WEEKLY|MONTHLY|YEARLY);)?(INTERVAL=[0-9]{1,5};)?(BY(DAY|MONTHDAY|MONTH|YEARDAY|WEEKNO|SETPOS|HOUR|MINUTE)=-?[0-9]{0,3}(MO|TU|SU)?(,-?[0-9]{0,2}(MO|FR)?)?;){0,3}(COUNT=[0-9]{0,3}|UNTIL=[0-9TZ]{0,16})?",
    ) {
        if let Ok(rule) = Rule::try_from(input(&text, "2026-12-01T09:00")) {
            let found = rule.between(local("2026-12-01T00:00"), local("2029-01-01T00:00"));
            prop_assert!(found.is_sorted_by(|one, other| one < other), "{:?}", found);
        }
    }
}
