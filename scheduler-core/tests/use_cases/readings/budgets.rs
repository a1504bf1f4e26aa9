//! How many calls and posts an account and an application may take in a span.

use chrono::TimeDelta;
use scheduler_core::engine::RunOutcome;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Budget, ReadingStore as _, Spending};

use super::{history, next, pass, publish, world};
use crate::support::{World, done};

#[test]
fn budgets_are_kept_and_an_account_comes_back_in_the_next_span() {
    let world = world(Platform::Mastodon);
    // Three calls in five minutes; the first look has taken two of them.
    let posts = publish(&world, 10);
    world.clock.advance(TimeDelta::hours(1));
    let mut ran = Vec::new();
    for _ in 0..4 {
        ran.push(world.take_readings());
        let next = next(&world).unwrap();
        let begin = next.timestamp().div_euclid(300) * 300;
        assert!(next.timestamp() - begin < 30, "in the first tenth of a span: {next}");
        world.clock.set(next);
    }
    let full = vec![RunOutcome::Read, RunOutcome::Read, RunOutcome::Read, RunOutcome::ReadDeferred];
    assert_eq!(ran, [full.clone(), full.clone(), full, vec![RunOutcome::Read]]);
    assert!(posts.iter().all(|post| history(&world, post).len() == 1));
}

#[test]
fn one_account_can_use_up_what_all_of_an_app_share() {
    let world = World::empty();
    let first = world.connect(Platform::Pinterest, "first");
    let second = world.connect(Platform::Pinterest, "second");
    let budget = |subject: &str| Budget {
        subject: subject.to_owned(),
        begins_at: world.now(),
        ends_at: world.now() + TimeDelta::hours(1),
        limit: 20,
    };
    let spent = done(world.store.spend(&[budget("pinterest/app")], 19)).unwrap();
    assert_eq!(spent, Spending::Counted);
    assert_eq!(world.take_readings(), [RunOutcome::Read, RunOutcome::ReadDeferred]);
    assert_eq!(world.after.take_calls().len(), 1);
    assert_ne!(first.id, second.id);
    pass(&world, TimeDelta::minutes(66));
    assert_eq!(world.after.take_calls().len(), 1, "the other, in the next hour");
}

#[test]
fn a_budget_of_posts_bounds_how_many_are_read_together() {
    let world = world(Platform::Tumblr);
    *world.after.at_once.lock().unwrap() = 60;
    let posts = publish(&world, 110);
    world.clock.advance(TimeDelta::hours(1));
    // A hundred an hour; what is left after the first batch does not do for a whole second one.
    assert_eq!(world.take_readings().last(), Some(&RunOutcome::ReadDeferred));
    let calls = [60, 25, 12, 3].map(|count| format!("figures token-1 {count}"));
    assert_eq!(world.after.take_calls(), calls);
    pass(&world, TimeDelta::hours(2));
    assert!(posts.iter().all(|post| history(&world, post).len() == 1));
}

#[test]
fn an_account_whose_budget_is_spent_costs_the_app_nothing() {
    let world = world(Platform::Linkedin);
    let posts = publish(&world, 3);
    pass(&world, TimeDelta::days(1));
    let calls = world.after.take_calls();
    // Two in twelve hours; each takes eight requests of the 16 of the account.
    assert_eq!(calls, ["figures token-1 1"; 3]);
    assert!(posts.iter().all(|post| history(&world, post).len() == 1));
    let app = |hours: i64| Budget {
        subject: "linkedin/app".to_owned(),
        begins_at: world.now() - TimeDelta::hours(hours),
        ends_at: world.now() - TimeDelta::hours(hours - 3),
        limit: 27,
    };
    let left = [12, 9, 6, 3].map(|hours| done(world.store.spend(&[app(hours)], 27)).unwrap());
    let spent = left.iter().filter(|left| **left != Spending::Counted).count();
    assert_eq!(spent, 1, "of the last twelve hours");
}
