use super::*;
use NetworkErrorKind as Kind;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn now() -> DateTime<Utc> {
    at("2026-11-10T12:00:00Z")
}

fn state(blocked_until: Option<&str>, failures: u32) -> ReadingState {
    let state = ReadingState::new(at("2026-11-11T09:00:00Z"));
    ReadingState { blocked_until: blocked_until.map(at), failures, ..state }
}

/// The same, while posts are read one by one.
fn singly(blocked_until: Option<&str>, failures: u32) -> ReadingState {
    ReadingState { mode: ReadMode::OneByOne, ..state(blocked_until, failures) }
}

fn of(kind: Kind, failures: u32) -> ReadFailure {
    let error = NetworkError::new(kind, "no");
    ReadFailure::of(&error, &state(None, failures), now())
}

fn blocked(wait: TimeDelta, failures: u32) -> ReadFailure {
    ReadFailure::Blocked { until: now() + wait, failures }
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
        ("a refusal", Kind::Permanent, 0, ReadFailure::Refused),
        ("a token that has run out", Kind::TokenExpired, 0, ReadFailure::CutOff),
        ("an account that is refused", Kind::Reconnect, 0, ReadFailure::CutOff),
    ] {
        assert_eq!(of(kind, failures), want, "{name}");
    }
    let error = NetworkError::new(Kind::Permanent, "no").with_code(FailureCode::Unsupported);
    assert_eq!(ReadFailure::of(&error, &state(None, 0), now()), ReadFailure::NotOffered);
}

#[test]
fn posts_are_read_one_by_one_until_none_is_left() {
    let before = "2026-11-10T11:00:00Z";
    let began = one_by_one(&state(Some(before), 0));
    assert_eq!(began, singly(None, 0));
    let waited = singly(Some(before), 2);
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
        ("a refusal that took the whole budget", out_of_budget(&began, now()), ReadMode::OneByOne),
        ("a budget", out_of_budget(&state(None, 0), now()), ReadMode::Batch),
        ("an account that is connected again", cut_off(now()), ReadMode::Batch),
    ] {
        assert_eq!(state.mode, want, "{name}");
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
        let before = ReadingState::new(planned_at);
        let after = after_look(&before, None, at(now));
        assert_eq!(after, ReadingState { look_due_at: at(want), ..before }, "{name}");
    }
}

#[test]
fn a_look_that_failed_lets_posts_pass_first() {
    use ReadMode::{Batch, OneByOne};
    let before = singly(None, 0);
    for (name, read_failure, want) in [
        (
            "not offered",
            Some(ReadFailure::NotOffered),
            (at("2026-11-12T09:00:00Z"), None, 0, OneByOne),
        ),
        ("refused", Some(ReadFailure::Refused), (at("2026-11-12T09:00:00Z"), None, 0, OneByOne)),
        (
            "a short block",
            Some(blocked(TimeDelta::minutes(5), 2)),
            (at("2026-11-10T13:05:00Z"), Some(at("2026-11-10T12:05:00Z")), 2, OneByOne),
        ),
        (
            "a long block",
            Some(blocked(TimeDelta::days(1), 2)),
            (at("2026-11-11T13:00:00Z"), Some(at("2026-11-11T12:00:00Z")), 2, OneByOne),
        ),
        (
            "cut off",
            Some(ReadFailure::CutOff),
            (at("2026-11-12T10:00:00Z"), Some(at("2026-11-12T10:00:00Z")), 0, Batch),
        ),
    ] {
        let after = after_look(&before, read_failure.as_ref(), at("2026-11-11T10:00:00Z"));
        let ReadingState { look_due_at, blocked_until, failures, mode } = after;
        assert_eq!((look_due_at, blocked_until, failures, mode), want, "{name}");
    }
}

#[test]
fn what_fails_again_and_again_gives_way() {
    for (failures, want) in [(0, None), (3, None), (4, Some("2026-11-10T14:00:00Z"))] {
        assert_eq!(gives_way_until(failures, now()), want.map(at), "{failures}");
    }
}

#[test]
fn the_worst_setback_decides() {
    let short = blocked(TimeDelta::minutes(1), 1);
    let long = blocked(TimeDelta::hours(1), 0);
    let worst = [ReadFailure::Refused, long, ReadFailure::NotOffered, short].into_iter().max();
    assert_eq!(worst, Some(long));
    assert_eq!([ReadFailure::CutOff, long].into_iter().max(), Some(ReadFailure::CutOff));
}
