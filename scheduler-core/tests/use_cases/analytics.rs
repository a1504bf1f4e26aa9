//! Analytics: what was gained, the posts of a period, and when posts do well.

use std::collections::BTreeMap;

use chrono::TimeDelta;
use scheduler_core::account::Account;
use scheduler_core::analytics::{AnalyticsInput, Change, LineOf, Measure};
use scheduler_core::app::{Gains, GoodTimes, PostGains};
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::TargetId;
use scheduler_core::platform::{Metric, Platform};
use scheduler_core::ports::{Figures, ReadingStore as _};
use scheduler_core::reading::Reading;

use crate::after_support::{live_on, world_after};
use crate::support::{World, at, done, refused};

fn asked(days: &str, measure: &str) -> AnalyticsInput {
    let days = Some(days.to_owned());
    AnalyticsInput { days, measure: Some(measure.to_owned()), ..AnalyticsInput::default() }
}

fn gains(world: &World, input: &AnalyticsInput) -> Gains {
    done(world.scheduler.analytics(&world.caller, input)).unwrap()
}

fn posts(world: &World, input: &AnalyticsInput) -> PostGains {
    done(world.scheduler.analytics_of_posts(&world.caller, input)).unwrap()
}

fn times(world: &World, input: &AnalyticsInput) -> GoodTimes {
    done(world.scheduler.best_times(&world.caller, input)).unwrap()
}

/// Puts the clock to an instant, publishes on a network then, and has figures read some hours
/// later.
fn live(
    world: &World,
    platform: Platform,
    instant: &str,
    figures: &[(i64, Metric, u32)],
) -> TargetId {
    world.clock.set(at(instant));
    let (_, target) = live_on(world, platform);
    read(world, target, instant, figures);
    target
}

fn read(world: &World, target: TargetId, instant: &str, figures: &[(i64, Metric, u32)]) {
    for (hours, metric, value) in figures {
        let figures = Figures(BTreeMap::from([(*metric, f64::from(*value))]));
        let reading = Reading { at: at(instant) + TimeDelta::hours(*hours), figures };
        done(world.store.add_reading(target, &reading, &[])).unwrap();
    }
}

fn totals(gains: &Gains) -> Vec<(Platform, f64)> {
    gains.lines.iter().map(|line| (line.of.platform(), line.total)).collect()
}

#[test]
fn gains_are_shown_by_network_and_compared_with_the_days_before() {
    let world = World::empty();
    live(
        &world,
        Platform::Mastodon,
        "2026-11-01T12:00:00Z",
        &[
            (1, Metric::Likes, 4),
            (24, Metric::Likes, 10),
            // Read again long after, which does not count.
            (24 * 20, Metric::Likes, 500),
        ],
    );
    live(&world, Platform::Bluesky, "2026-11-16T12:00:00Z", &[(24, Metric::Likes, 30)]);
    live(
        &world,
        Platform::Mastodon,
        "2026-11-19T12:00:00Z",
        &[(1, Metric::Likes, 5), (24, Metric::Likes, 8)],
    );
    world.connect(Platform::Discord, "silent");
    world.clock.set(at("2026-11-21T18:00:00Z"));

    let week = gains(&world, &asked("7", "likes"));
    assert_eq!(totals(&week), [(Platform::Bluesky, 30.0), (Platform::Mastodon, 8.0)]);
    assert_eq!(week.lines[1].values, [0.0, 0.0, 0.0, 0.0, 5.0, 3.0, 0.0]);
    assert_eq!(week.lines[1].change, Change::Unknown);
    let month = gains(&world, &AnalyticsInput::default());
    assert_eq!(month.asked.period.days, 28);
    assert_eq!(month.asked.measure, Some(Measure::Metric(Metric::Likes)), "all report likes");
    assert_eq!(totals(&month), [(Platform::Bluesky, 30.0), (Platform::Mastodon, 18.0)]);
    assert!(!month.is_empty && month.changes.is_empty());
    assert_eq!(month.asked.accounts.len(), 2, "an account without figures is not offered");

    // A network of which nothing was read then is left out, and that is not empty.
    let nothing = gains(&world, &asked("28", "shares"));
    assert_eq!((totals(&nothing), nothing.is_empty), (vec![], true));
    world.clock.set(at("2027-02-21T18:00:00Z"));
    let later = gains(&world, &asked("7", "likes"));
    assert_eq!((totals(&later), later.is_empty), (vec![], false));
    world.clock.set(at("2026-12-10T18:00:00Z"));
    let later = gains(&world, &asked("28", "likes"));
    assert_eq!(later.lines[1].change, Change::FewerPercent(20.0), "8 after 10");
}

#[test]
fn accounts_of_one_network_have_a_line_each() {
    let world = World::empty();
    live(&world, Platform::Mastodon, "2026-11-19T12:00:00Z", &[(24, Metric::Likes, 8)]);
    let second: Account = world.connect(Platform::Mastodon, "second");
    live(&world, Platform::Bluesky, "2026-11-19T12:00:00Z", &[(24, Metric::Likes, 2)]);
    world.clock.set(at("2026-11-21T18:00:00Z"));
    let mastodon: Vec<String> = world
        .accounts()
        .iter()
        .filter(|account| account.platform == Platform::Mastodon)
        .map(|account| account.id.to_string())
        .collect();
    let input = AnalyticsInput { account_id: mastodon, ..asked("7", "likes") };
    let found = gains(&world, &input);
    assert_eq!(found.asked.chosen.len(), 2);
    let [line] = found.lines.as_slice() else { panic!("{found:?}") };
    assert!(matches!(line.of, LineOf::Account(Platform::Mastodon, id) if id != second.id));
    assert_eq!(line.total, 8.0);
}

#[test]
fn followers_are_gained_from_their_first_count_on() {
    let (world, after) = world_after();
    world.connect(Platform::Mastodon, "me");
    for count in [100, 104, 110] {
        *after.followers.lock().unwrap() = Some(count);
        world.take_readings();
        world.clock.advance(TimeDelta::days(1));
    }
    let found = gains(&world, &asked("7", "followers"));
    assert_eq!(found.lines[0].total, 10.0);
    assert_eq!(found.lines[0].change, Change::Unknown, "nobody counted in the days before");
}

#[test]
fn nothing_is_compared_across_the_change_of_youtube() {
    let world = World::empty();
    for (instant, views) in [
        ("2026-08-10T12:00:00Z", 100),
        ("2026-08-20T12:00:00Z", 300),
        ("2026-08-29T12:00:00Z", 900),
        ("2026-10-10T12:00:00Z", 900),
    ] {
        live(
            &world,
            Platform::Youtube,
            instant,
            &[(24, Metric::Views, views), (25, Metric::Likes, 3)],
        );
    }
    for (now, is_marked, is_compared) in [
        // The period ends before it.
        ("2026-08-26T18:00:00Z", false, true),
        // It lies in the period.
        ("2026-08-31T18:00:00Z", true, false),
        // It lies in the days before.
        ("2026-10-12T18:00:00Z", false, false),
        // Both are counted in the new way.
        ("2026-10-30T18:00:00Z", false, true),
    ] {
        world.clock.set(at(now));
        let found = gains(&world, &asked("28", "views"));
        assert_eq!(found.changes.len(), usize::from(is_marked), "{now}");
        let change = found.lines[0].change;
        assert_eq!(!matches!(change, Change::NotComparable(_)), is_compared, "{now}: {change:?}");
        let likes = gains(&world, &asked("28", "likes"));
        assert!(!matches!(likes.lines[0].change, Change::NotComparable(_)), "{now}");
        assert_eq!(likes.changes, []);
        let of_posts = posts(&world, &asked("28", "views"));
        assert_eq!(of_posts.changes.len(), usize::from(is_marked), "{now}");
    }
    // Views of both kinds have no median in common.
    let found = times(&world, &asked("28", "views"));
    assert_eq!(found.since.map(|change| change.on.to_string()).as_deref(), Some("2026-08-27"));
    let counted: usize = found.times.fields.iter().map(|field| field.count).sum();
    assert_eq!(counted, 2);
    assert_eq!(times(&world, &asked("28", "likes")).since, None);
}

#[test]
fn best_times_need_twenty_posts_of_one_account() {
    let world = World::empty();
    for week in 0..20 {
        // Tuesday evenings.
        let local = at("2026-06-02T18:30:00Z") + TimeDelta::weeks(week);
        let instant = local.to_rfc3339();
        live(&world, Platform::Bluesky, &instant, &[(24, Metric::Likes, 9)]);
        let target = live(&world, Platform::Mastodon, &instant, &[(1, Metric::Likes, 1)]);
        let found = times(&world, &asked("7", "likes"));
        assert_eq!(found.account.map(|account| account.platform), Some(Platform::Bluesky));
        assert_eq!(found.times.best.is_some(), week == 19, "{week}");
        assert_eq!(
            found.times.nearest.map(|field| field.count),
            (week < 19).then(|| usize::try_from(week).unwrap() + 1)
        );
        read(&world, target, &instant, &[(24, Metric::Likes, 3)]);
    }
    let mastodon = world.account(Platform::Mastodon).id.to_string();
    let input = AnalyticsInput { account_id: vec![mastodon], ..asked("7", "followers") };
    let found = times(&world, &input);
    assert_eq!(found.asked.measure, Some(Measure::Metric(Metric::Likes)), "of posts");
    assert_eq!(found.times.best.and_then(|field| field.median), Some(3.0));
    world.clock.advance(TimeDelta::days(400));
    assert_eq!(times(&world, &input).times.best, None, "a year");
}

#[test]
fn posts_stand_among_those_of_their_network() {
    let world = World::empty();
    let mut liked = Vec::new();
    for (instant, platform, likes) in [
        ("2026-11-10T12:00:00Z", Platform::Mastodon, 5),
        ("2026-11-11T12:00:00Z", Platform::Mastodon, 9),
        ("2026-11-12T12:00:00Z", Platform::Bluesky, 70),
        ("2026-09-12T12:00:00Z", Platform::Bluesky, 80),
    ] {
        liked.push(live(&world, platform, instant, &[(24, Metric::Likes, likes)]));
    }
    world.clock.set(at("2026-11-21T18:00:00Z"));
    let found = posts(&world, &AnalyticsInput::default());
    let ids = |table: usize| {
        found.tables[table].posts.iter().map(|post| post.target_id).collect::<Vec<_>>()
    };
    assert_eq!(found.tables.len(), 2);
    let mastodon = usize::from(found.tables[1].platform == Platform::Mastodon);
    assert_eq!(ids(mastodon), [liked[1], liked[0]]);
    assert_eq!(ids(1 - mastodon), [liked[2]], "the other went out before");
    assert!(!found.is_cut);
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let world = World::new();
    let of = |days: &str, measure: &str, account: &str| AnalyticsInput {
        account_id: (!account.is_empty()).then(|| account.to_owned()).into_iter().collect(),
        ..asked(days, measure)
    };
    for (input, field) in [
        (of("30", "likes", ""), "days"),
        (of("7", "worth", ""), "measure"),
        (of("7", "likes", "none"), "account"),
    ] {
        let refusal = refused(done(world.scheduler.analytics(&world.caller, &input))).unwrap_err();
        assert_eq!(refusal.field.as_deref(), Some(field), "{input:?}");
    }
    let stranger = world.caller_with(&[]);
    let refusal = refused(done(world.scheduler.analytics(&stranger, &AnalyticsInput::default())));
    assert_eq!(refusal.unwrap_err().code, ErrorCode::Forbidden);
    let empty = gains(&world, &AnalyticsInput::default());
    assert!(empty.is_empty && empty.lines.is_empty());
}
