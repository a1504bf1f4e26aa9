use super::*;
use NetworkErrorKind as Kind;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn now() -> DateTime<Utc> {
    at("2026-11-10T12:00:00Z")
}

fn state(blocked_until: Option<&str>, failures: u32) -> ReadingState {
    let look_due_at = at("2026-11-11T09:00:00Z");
    ReadingState { look_due_at, blocked_until: blocked_until.map(at), failures }
}

fn of(kind: Kind, failures: u32) -> Setback {
    let error = NetworkError::new(kind, "no");
    Setback::of(&error, &state(None, failures), now())
}

fn blocked(wait: TimeDelta, failures: u32) -> Setback {
    Setback::Blocked { until: now() + wait, failures }
}

#[test]
fn what_each_failure_means() {
    let limited = |wait: TimeDelta| Kind::RateLimited { wait: Some(wait) };
    for (name, kind, failures, want) in [
        ("a fault", Kind::Temporary, 0, blocked(TimeDelta::minutes(1), 1)),
        ("a lost answer", Kind::InDoubt, 1, blocked(TimeDelta::minutes(5), 2)),
        ("a fault of the network", Kind::Unsettled, 2, blocked(TimeDelta::minutes(15), 3)),
        ("the fourth", Kind::Temporary, 3, blocked(TimeDelta::hours(1), 4)),
        ("many", Kind::Temporary, u32::MAX, blocked(TimeDelta::hours(1), u32::MAX)),
        (
            "the first one by one",
            Kind::Temporary,
            ONE_BY_ONE,
            blocked(TimeDelta::minutes(1), ONE_BY_ONE + 1),
        ),
        ("a limit", limited(TimeDelta::minutes(30)), 2, blocked(TimeDelta::minutes(30), 2)),
        (
            "a limit of a moment",
            limited(TimeDelta::seconds(1)),
            0,
            blocked(TimeDelta::minutes(1), 0),
        ),
        ("a limit of a week", limited(TimeDelta::days(7)), 0, blocked(TimeDelta::days(1), 0)),
        (
            "a limit that is over",
            limited(TimeDelta::hours(-1)),
            0,
            blocked(TimeDelta::minutes(1), 0),
        ),
        (
            "a limit without a time",
            Kind::RateLimited { wait: None },
            0,
            blocked(TimeDelta::minutes(15), 0),
        ),
        ("a refusal", Kind::Permanent, 0, Setback::Refused),
        ("a token that has run out", Kind::TokenExpired, 0, Setback::CutOff),
        ("an account that is refused", Kind::Reconnect, 0, Setback::CutOff),
    ] {
        assert_eq!(of(kind, failures), want, "{name}");
    }
    let error = NetworkError::new(Kind::Permanent, "no").with_code(FailureCode::Unsupported);
    assert_eq!(Setback::of(&error, &state(None, 0), now()), Setback::NotOffered);
}

#[test]
fn posts_are_read_one_by_one_until_none_is_left() {
    let before = "2026-11-10T11:00:00Z";
    let began = one_by_one(&state(Some(before), 0));
    assert_eq!(began, state(None, ONE_BY_ONE));
    let waited = state(Some(before), ONE_BY_ONE + 2);
    for (name, before, has_more, want) in [
        ("others are left", began, true, began),
        ("others are left after a fault and its wait", waited, true, began),
        ("none is left", began, false, state(None, 0)),
        ("a success after a wait", state(Some("2026-11-10T11:00:00Z"), 3), true, state(None, 0)),
        ("as always", state(None, 0), true, state(None, 0)),
    ] {
        assert_eq!(after_figures(&before, has_more), want, "{name}");
    }
    for (name, state, want) in [
        ("after a refusal", began, true),
        ("after a refusal that took the whole budget", out_of_budget(&began, now()), true),
        ("after a refusal, a fault and its wait", waited, true),
        ("after a fault and its wait", state(Some("2026-11-10T11:00:00Z"), 1), false),
        ("after a budget", out_of_budget(&state(None, 0), now()), false),
        ("as always", state(None, 0), false),
    ] {
        assert_eq!(is_one_by_one(&state), want, "{name}");
    }
}

#[test]
fn an_account_is_looked_at_once_a_day_at_its_time() {
    let planned_at = at("2026-11-10T09:00:00Z");
    for (name, now, want) in [
        ("on time", "2026-11-10T09:00:00Z", "2026-11-11T09:00:00Z"),
        ("late", "2026-11-10T23:00:00Z", "2026-11-11T09:00:00Z"),
        ("a day late", "2026-11-11T09:00:00Z", "2026-11-12T09:00:00Z"),
        ("after a long stop", "2026-12-24T10:00:00Z", "2026-12-25T09:00:00Z"),
        ("a clock that was set back", "2026-11-10T08:00:00Z", "2026-11-11T09:00:00Z"),
    ] {
        let before = ReadingState { look_due_at: planned_at, blocked_until: None, failures: 0 };
        let after = after_look(&before, None, at(now));
        assert_eq!(after, ReadingState { look_due_at: at(want), ..before }, "{name}");
    }
}

#[test]
fn a_look_that_failed_lets_posts_pass_first() {
    let before = state(None, ONE_BY_ONE);
    for (name, setback, want) in [
        ("not offered", Some(Setback::NotOffered), (at("2026-11-12T09:00:00Z"), None, ONE_BY_ONE)),
        ("refused", Some(Setback::Refused), (at("2026-11-12T09:00:00Z"), None, ONE_BY_ONE)),
        (
            "a short block",
            Some(blocked(TimeDelta::minutes(5), 2)),
            (at("2026-11-10T13:05:00Z"), Some(at("2026-11-10T12:05:00Z")), 2),
        ),
        (
            "a long block",
            Some(blocked(TimeDelta::days(1), 2)),
            (at("2026-11-11T13:00:00Z"), Some(at("2026-11-11T12:00:00Z")), 2),
        ),
        (
            "cut off",
            Some(Setback::CutOff),
            (at("2026-11-12T10:00:00Z"), Some(at("2026-11-12T10:00:00Z")), 0),
        ),
    ] {
        let after = after_look(&before, setback.as_ref(), at("2026-11-11T10:00:00Z"));
        assert_eq!((after.look_due_at, after.blocked_until, after.failures), want, "{name}");
    }
}

#[test]
fn what_fails_again_and_again_gives_way() {
    let one_by_one = (ONE_BY_ONE + 3, None);
    for (failures, want) in [(0, None), (3, None), (4, Some("2026-11-10T14:00:00Z")), one_by_one] {
        assert_eq!(gives_way_until(failures, now()), want.map(at), "{failures}");
    }
}

#[test]
fn the_worst_setback_decides() {
    let short = blocked(TimeDelta::minutes(1), 1);
    let long = blocked(TimeDelta::hours(1), 0);
    let worst = [Setback::Refused, long, Setback::NotOffered, short].into_iter().max();
    assert_eq!(worst, Some(long));
    assert_eq!([Setback::CutOff, long].into_iter().max(), Some(Setback::CutOff));
}
