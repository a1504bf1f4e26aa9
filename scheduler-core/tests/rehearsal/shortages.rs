//! Each kind of shortage by itself: the posts, the instants, and what would mend it.

use chrono::TimeDelta;
use scheduler_core::platform::Platform;
use scheduler_core::recurrence::RecurrenceInput;
use scheduler_core::rehearsal::{FindingKind, RehearsedOutcome};
use serde_json::json;

use crate::chance::Chance;
use crate::planted::{KINDS, plant};
use crate::world::{BEGIN, World, at, done};

#[test]
fn every_kind_that_is_planted_is_told_with_its_posts() {
    for kind in KINDS {
        let mut world = World::new();
        let expected = plant(&mut world, kind, &mut Chance::new(7));
        let found = world.rehearse(30);
        assert_eq!(expected.missed(&found), None, "{kind:?}");
        assert_eq!(found.findings.len(), 1, "{kind:?}: {:#?}", found.findings);
        let finding = &found.findings[0];
        assert!(!finding.message.is_empty() && !finding.remedy.message.is_empty(), "{kind:?}");
        let of_finding = found.targets.iter().filter(|target| target.finding == Some(0));
        let due: Vec<_> = of_finding.map(|target| target.due_at).collect();
        assert_eq!(
            (Some(&finding.first_at), Some(&finding.last_at)),
            (due.iter().min(), due.iter().max()),
            "{kind:?}"
        );
        let (delayed, stopped) = (found.delayed, found.stopped);
        assert_eq!((finding.delayed, finding.stopped), (delayed, stopped), "{kind:?}");
    }
}

#[test]
fn what_goes_out_later_goes_out_when_there_is_room() {
    let begin = at(BEGIN);
    for (name, platform, count, step, late, want) in [
        // Asked again every three hours, until the first is a day old.
        ("a day", Platform::Instagram, 101, TimeDelta::minutes(1), 100, 100 + 8 * 180),
        // Midnight Pacific time.
        ("a Pacific day", Platform::Youtube, 101, TimeDelta::minutes(1), 100, 8 * 60),
        ("a minute", Platform::Telegram, 21, TimeDelta::zero(), 20, 1),
        ("a quarter of an hour", Platform::Twitter, 101, TimeDelta::seconds(1), 100, 15),
        // Asked again every quarter of an hour, until a day after the first.
        ("a day of X", Platform::Twitter, 2_401, TimeDelta::seconds(35), 2_400, 1_400 + 3 * 15),
        // A post each minute; asked again every day.
        ("a creator's day", Platform::Tiktok, 16, TimeDelta::minutes(1), 15, 15 + 24 * 60),
    ] {
        let mut world = World::new();
        let account = world.connect(platform, "me");
        let all: Vec<_> = (0..count)
            .map(|number| world.post(&account, begin + TimeDelta::minutes(1) + step * number))
            .collect();
        let found = world.rehearse(3);
        for (number, id) in all.iter().enumerate() {
            let target = found.targets.iter().find(|target| target.target_id == *id).unwrap();
            if number < late {
                assert_eq!(target.outcome, RehearsedOutcome::OnTime, "{name}, {number}");
            } else {
                let went_out = target.at.unwrap() - begin;
                let want = match name {
                    "a Pacific day" => want,
                    _ => want + 1,
                };
                assert_eq!(went_out.num_minutes(), want, "{name}, {number}");
            }
        }
    }
}

#[test]
fn what_has_waited_too_often_is_stopped() {
    let mut world = World::new();
    let (account, video) = (world.connect(Platform::Bluesky, "films"), world.video);
    for number in 0..26 {
        let due_at = at(BEGIN) + TimeDelta::minutes(number);
        world.post_as(&account, due_at, |post| post.media_ids = vec![video]);
    }
    let found = world.rehearse(30);
    // Asked again every hour, and given up before the day is over.
    assert_eq!((found.on_time, found.delayed, found.stopped), (25, 0, 1));
    let finding = &found.findings[0];
    let limit = finding.limit.as_ref().unwrap();
    assert_eq!((finding.kind, &*limit.counts), (FindingKind::DailyCount, "videos"));
}

#[test]
fn what_went_out_just_before_counts() {
    let mut world = World::new();
    let account = world.connect(Platform::Instagram, "me");
    for number in 0..100 {
        let due_at = at(BEGIN) + TimeDelta::seconds(number);
        world.post(&account, due_at);
    }
    world.clock.advance(TimeDelta::minutes(5));
    let scheduler = world.scheduler();
    done(scheduler.run_due()).unwrap();
    let late = world.post(&account, at(BEGIN) + TimeDelta::hours(10));
    let fits = world.post(&account, at(BEGIN) + TimeDelta::hours(25));
    let found = world.rehearse(3);
    let outcomes: Vec<_> =
        found.targets.iter().map(|target| (target.target_id, target.outcome)).collect();
    let want = [(late, RehearsedOutcome::Delayed), (fits, RehearsedOutcome::OnTime)];
    assert_eq!(outcomes, want);
}

#[test]
fn a_token_that_is_renewed_stops_nothing_and_one_that_is_not_says_until_when() {
    let ends_at = at(BEGIN) + TimeDelta::days(3);
    for is_renewed in [true, false] {
        let mut world = World::new();
        let account = world.connect_with(Platform::Linkedin, "me", Some(ends_at), |_| {});
        if !is_renewed {
            let name = account.network_id.clone();
            world.network(Platform::Linkedin).unrenewed.insert(name);
        }
        for day in 1..6 {
            world.post(&account, at(BEGIN) + TimeDelta::days(day));
        }
        let found = world.rehearse(30);
        if is_renewed {
            assert!(found.findings.is_empty(), "{:#?}", found.findings);
            continue;
        }
        let finding = &found.findings[0];
        assert_eq!((finding.kind, finding.stopped), (FindingKind::TokenExpires, 3));
        assert_eq!((finding.ends_at, finding.remedy.by), (Some(ends_at), Some(ends_at)));
        assert_eq!(
            finding.remedy.message,
            "Connect linkedin @me again before 2026-12-04T00:00:00Z."
        );
    }
}

#[test]
fn queued_posts_at_times_that_are_no_slots_any_more_are_told_and_go_out() {
    let mut world = World::new();
    let account = world.connect_with(Platform::Mastodon, "me", None, |account| {
        account.schedule = "mon-fri 09:00".parse().unwrap();
    });
    // Tuesday at nine, and Saturday.
    for due_at in ["2026-12-01T09:00:00Z", "2026-12-05T09:00:00Z"] {
        world.post_as(&account, at(due_at), |post| {
            let target = &mut post.targets[0];
            *target = scheduler_core::target::Target::new(
                target.id,
                target.platform,
                target.account_id,
                target.options.clone(),
                Some(at(due_at)),
                Some(at(due_at)),
            );
        });
    }
    let found = world.rehearse(30);
    assert_eq!((found.on_time, found.findings.len()), (2, 1), "{:#?}", found.findings);
    let finding = &found.findings[0];
    assert_eq!((finding.kind, finding.first_at), (FindingKind::Slots, at("2026-12-05T09:00:00Z")));
    assert_eq!((finding.delayed, finding.stopped), (0, 0));
}

#[test]
fn recurrences_that_the_plan_of_a_month_does_not_cover_are_told() {
    let mut world = World::new();
    let account = world.connect(Platform::Mastodon, "me");
    // Four are counted in December, and a post would come every day.
    for day in 0..4 {
        world.post(&account, at("2026-12-01T08:00:00Z") + TimeDelta::days(day));
    }
    let input: RecurrenceInput = serde_json::from_value(json!({
        "name": "Daily",
        "rule": {"rrule": "FREQ=DAILY", "start": "2026-12-01T12:00"},
        "entries": [{"post": {"content": "Good morning", "targets": [{"platform": "mastodon"}]}}],
    }))
    .unwrap();
    let scheduler = world.scheduler();
    done(scheduler.create_recurrence(&world.caller, input)).unwrap();
    assert!(world.rehearse(10).findings.is_empty());
    world.settings.plans.studio.posts_a_month = 10;
    let found = world.rehearse(10);
    assert_eq!(found.findings.len(), 1, "{:#?}", found.findings);
    let finding = &found.findings[0];
    // Ten days from the first on, of which six are covered.
    assert_eq!((finding.kind, finding.stopped), (FindingKind::MonthPosts, 4));
    assert_eq!(finding.first_at, at("2026-12-07T12:00:00Z"));
}

#[test]
fn days_have_bounds() {
    let world = World::new();
    for (days, is_taken) in
        [("0", false), ("1", true), ("90", true), ("91", false), ("x", false), ("", false)]
    {
        let found = done(world.scheduler().rehearse(&world.caller, Some(days)));
        assert_eq!(found.is_ok(), is_taken, "{days}");
    }
}
