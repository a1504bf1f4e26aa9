use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::ids::{AccountId, WorkspaceId};
use crate::platform::{AccountLimits, Platform};
use crate::timing::WeeklySchedule;

fn account(number: u128) -> Account {
    Account {
        id: AccountId(Uuid::from_u128(number)),
        workspace_id: WorkspaceId(Uuid::nil()),
        platform: Platform::Mastodon,
        network_id: "a".to_owned(),
        server_url: None,
        username: None,
        display_name: None,
        avatar_url: None,
        connection: None,
        needs_reconnect: false,
        timezone: None,
        schedule: WeeklySchedule::default(),
        limits: AccountLimits::default(),
        connected_at: DateTime::UNIX_EPOCH,
        disconnected_at: None,
    }
}

fn of(scope: BudgetScope, unit: BudgetUnit, calls: u32) -> ReadingBudget {
    ReadingBudget { scope, unit, calls, per: TimeDelta::minutes(5), within: &[] }
}

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

#[test]
fn a_span_is_one_of_a_network_or_of_an_account() {
    let account = account(1);
    for (name, scope, now, subject, begins_at) in [
        (
            "an app",
            BudgetScope::App,
            "2026-11-01T12:07:00Z",
            "mastodon/app",
            "2026-11-01T12:05:00Z",
        ),
        (
            "an account",
            BudgetScope::Account,
            "2026-11-01T12:09:59.999Z",
            "mastodon/account/00000000-0000-0000-0000-000000000001",
            "2026-11-01T12:05:00Z",
        ),
        (
            "its begin",
            BudgetScope::App,
            "2026-11-01T12:10:00Z",
            "mastodon/app",
            "2026-11-01T12:10:00Z",
        ),
        (
            "before 1970",
            BudgetScope::App,
            "1969-12-31T23:59:59Z",
            "mastodon/app",
            "1969-12-31T23:55:00Z",
        ),
    ] {
        let span = span(&of(scope, BudgetUnit::Call, 7), &account, at(now));
        assert_eq!(span.subject, subject, "{name}");
        assert_eq!(span.begins_at, at(begins_at), "{name}");
        assert_eq!(span.ends_at, at(begins_at) + TimeDelta::minutes(5), "{name}");
        assert_eq!(span.calls, 7, "{name}");
    }
}

#[test]
fn posts_count_one_by_one_where_the_network_is_asked_for_each() {
    let calls = of(BudgetScope::App, BudgetUnit::Call, 3);
    let posts = of(BudgetScope::App, BudgetUnit::Post, 8);
    assert_eq!((units(&calls, 1, 20), units(&posts, 1, 20)), (1, 20));
    for (name, budgets, at_once, want) in [
        ("no budget of posts", vec![calls], 20, 20),
        ("one that is smaller", vec![calls, posts], 20, 8),
        ("one that is larger", vec![posts], 5, 5),
        ("a network that says none", vec![posts], 0, 1),
    ] {
        assert_eq!(batch(&budgets, at_once), want, "{name}");
    }
}

#[test]
fn a_call_is_made_when_every_budget_has_room_for_it() {
    let app = of(BudgetScope::App, BudgetUnit::Call, 2);
    let own = of(BudgetScope::Account, BudgetUnit::Call, 2);
    let (first, second) = (at("2026-11-01T12:00:00Z"), at("2026-11-01T13:00:00Z"));
    let granted = Grant::Granted { last_until: None };
    for (name, of_app, of_account, units, want) in [
        ("both have room", true, true, 1, granted),
        ("the app has none", false, true, 1, Grant::Refused { until: first }),
        ("the account has none", true, false, 1, Grant::Refused { until: second }),
        ("all of the account's", true, true, 2, Grant::Granted { last_until: Some(second) }),
    ] {
        let grant = granted.and(&app, of_app, units, first).and(&own, of_account, units, second);
        assert_eq!(grant, want, "{name}");
    }
}

proptest! {
    #[test]
    fn accounts_come_back_in_the_first_tenth_of_the_next_span(number: u128, seconds in 0_i64..4_000_000_000) {
        let now = DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
        let account = account(number);
        let span = span(&of(BudgetScope::Account, BudgetUnit::Call, 1), &account, now);
        prop_assert!(span.begins_at <= now && now < span.ends_at);
        let back = back_at(&span, &account);
        prop_assert!(span.ends_at <= back && back < span.ends_at + TimeDelta::seconds(30));
        prop_assert!(back > now);
    }
}

#[test]
fn accounts_come_back_spread_and_not_always_in_the_same_order() {
    let budget = of(BudgetScope::App, BudgetUnit::Call, 1);
    let order = |now: &str| {
        let mut back: Vec<(DateTime<Utc>, u128)> = (0..300)
            .map(|number| {
                (back_at(&span(&budget, &account(number), at(now)), &account(number)), number)
            })
            .collect();
        back.sort_unstable();
        back
    };
    let (first, second) = (order("2026-11-01T12:00:00Z"), order("2026-11-01T12:05:00Z"));
    let end = at("2026-11-01T12:05:00Z");
    for third in 0..3 {
        let begin = end + TimeDelta::seconds(10 * third);
        let within = |(back, _): &&(DateTime<Utc>, u128)| {
            (begin..begin + TimeDelta::seconds(10)).contains(back)
        };
        let count = first.iter().filter(within).count();
        assert!((60..=140).contains(&count), "{count} of 300 come back in a third of the time");
    }
    let numbers = |order: &[(DateTime<Utc>, u128)]| -> Vec<u128> {
        order.iter().map(|(_, number)| *number).collect()
    };
    assert_ne!(numbers(&first), numbers(&second));
}
