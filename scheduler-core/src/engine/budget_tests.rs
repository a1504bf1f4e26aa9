use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::ids::{AccountId, WorkspaceId};
use crate::platform::Platform;

fn account(number: u128) -> Account {
    Account::new(
        AccountId(Uuid::from_u128(number)),
        WorkspaceId(Uuid::nil()),
        Platform::Mastodon,
        "a",
        DateTime::UNIX_EPOCH,
    )
}

fn of(scope: BudgetScope, requests: u32) -> ReadingBudget {
    ReadingBudget { scope, requests, per: TimeDelta::minutes(5), within: &[] }
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
        let span = span(&of(scope, 7), &account, at(now));
        assert_eq!(span.subject, subject, "{name}");
        assert_eq!(span.begins_at, at(begins_at), "{name}");
        assert_eq!(span.ends_at, at(begins_at) + TimeDelta::minutes(5), "{name}");
        assert_eq!(span.limit, 7, "{name}");
    }
}

const TWO: &[ReadingBudget] = &[
    ReadingBudget { scope: BudgetScope::App, requests: 50, per: TimeDelta::hours(1), within: &[] },
    ReadingBudget {
        scope: BudgetScope::Account,
        requests: 17,
        per: TimeDelta::hours(1),
        within: &[],
    },
];

#[test]
fn a_call_names_as_many_posts_as_fit_into_every_budget() {
    for (name, figures, at_once, want) in [
        ("posts that cost nothing", FiguresCost::Call(10), 20, 20),
        ("one request each", FiguresCost::Post(1), 20, 17),
        ("fewer than fit", FiguresCost::Post(1), 5, 5),
        ("eight requests each", FiguresCost::Post(8), 20, 2),
        ("more than a budget has", FiguresCost::Post(18), 20, 1),
        ("a network that says none", FiguresCost::Post(1), 0, 1),
        ("another", FiguresCost::Call(1), 0, 1),
    ] {
        let readings = ReadingFigures { budgets: TWO, figures, look: 1 };
        assert_eq!(batch(&readings, at_once), want, "{name}");
    }
}

#[test]
fn questions_count_where_readings_do_and_in_the_share_of_their_workspace() {
    let now = at("2026-11-01T12:07:00Z");
    for (platform, want) in [
        (
            Platform::Mastodon,
            vec![(Whose::Account, "mastodon/account/00000000-0000-0000-0000-000000000001", 75)],
        ),
        (
            Platform::Youtube,
            vec![
                (Whose::App, "youtube/app", 200),
                (Whose::Workspace, "youtube/app/00000000-0000-0000-0000-000000000000", 100),
            ],
        ),
        (
            Platform::Linkedin,
            vec![
                (Whose::App, "linkedin/app", 27),
                (Whose::Workspace, "linkedin/app/00000000-0000-0000-0000-000000000000", 13),
                (Whose::Account, "linkedin/account/00000000-0000-0000-0000-000000000001", 16),
            ],
        ),
    ] {
        let account = Account { platform, ..account(1) };
        let spans = of_questions(&account, now);
        let found: Vec<_> = spans
            .iter()
            .map(|span| (span.whose, span.budget.subject.as_str(), span.budget.limit))
            .collect();
        assert_eq!(found, want);
        let of_others: Vec<Budget> = spans
            .into_iter()
            .filter(|span| span.whose != Whose::Workspace)
            .map(|span| span.budget)
            .collect();
        assert_eq!(of_readings(&account, now), of_others, "{platform}");
    }
}

#[test]
fn the_share_of_a_workspace_does_for_the_figures_of_a_post() {
    for platform in Platform::ALL {
        let account = Account { platform, ..account(1) };
        for span in of_questions(&account, DateTime::UNIX_EPOCH) {
            let figures = platform.sheet().readings.figures.of(1);
            assert!(span.budget.limit >= figures, "{platform} {:?}", span.whose);
        }
    }
}

proptest! {
    #[test]
    fn accounts_come_back_in_the_first_tenth_of_the_next_span(number: u128, seconds in 0_i64..4_000_000_000) {
        let now = DateTime::UNIX_EPOCH + TimeDelta::seconds(seconds);
        let account = account(number);
        let span = span(&of(BudgetScope::Account, 1), &account, now);
        prop_assert!(span.begins_at <= now && now < span.ends_at);
        let back = back_at(&span, &account);
        prop_assert!(span.ends_at <= back && back < span.ends_at + TimeDelta::seconds(30));
        prop_assert!(back > now);
    }
}

#[test]
fn accounts_come_back_spread_and_not_always_in_the_same_order() {
    let budget = of(BudgetScope::App, 1);
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
