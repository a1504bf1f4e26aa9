//! Publishing what is due.

use chrono::TimeDelta;
use scheduler_core::engine::RunOutcome;
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::ports::{
    AccountStore as _, Located, NetworkError, NetworkErrorKind as Kind, Step,
};
use scheduler_core::post::Post;
use scheduler_core::target::{FailureCode, Target};
use scheduler_core::webhook::EventKind;
use serde_json::json;

use crate::fakes::{live, remote, step};
use crate::support::{World, at, body, done, statuses};

pub(crate) fn error(kind: Kind) -> NetworkError {
    NetworkError::new(kind, "no")
}

pub(crate) fn fails(kind: Kind) -> Result<Step, NetworkError> {
    Err(error(kind))
}

fn limited(minutes: Option<i64>) -> Result<Step, NetworkError> {
    fails(Kind::RateLimited { wait: minutes.map(TimeDelta::minutes) })
}

/// A post to Bluesky that is due now.
pub(crate) fn due(world: &World) -> Post {
    world.create(body(&["bluesky"], json!({"publishNow": true})))
}

pub(crate) fn target(world: &World, post: &Post) -> Target {
    world.post(post.id).targets[0].clone()
}

/// `code permanent attempts`, such as `network_error false 6`.
pub(crate) fn failure(target: &Target) -> String {
    let Some(failure) = target.failure() else { return "none".to_owned() };
    let code = serde_json::to_value(failure.code).unwrap();
    format!("{} {} {}", code.as_str().unwrap(), failure.permanent, target.attempts)
}

/// What is told of targets.
fn events(world: &World) -> Vec<EventKind> {
    let kinds = world.store.events().into_iter().map(|event| event.kind);
    kinds.filter(|kind| matches!(kind, EventKind::Published | EventKind::Failed)).collect()
}

fn minutes_to_wait(world: &World, post: &Post) -> Option<i64> {
    let due_at = target(world, post).due_at();
    due_at.map(|due_at| (due_at - world.now()).num_minutes())
}

#[test]
fn a_published_target_is_filled_in_and_tells_once() {
    let world = World::new();
    let post = due(&world);
    assert_eq!(world.work(), [RunOutcome::Published]);
    let stored = world.post(post.id);
    assert_eq!(statuses(&stored), "done: published");
    let view = done(world.scheduler.post_view(&stored)).unwrap();
    let target = &view.targets[0];
    assert_eq!(target.remote_id.as_deref(), Some("live"));
    assert_eq!(target.remote_url.as_deref(), Some("https://example.com/live"));
    assert_eq!(target.published_at, Some(world.now()));
    assert_eq!((target.attempts, target.next_attempt_at), (1, None));
    assert_eq!((&target.error, target.error_code, target.error_permanent), (&None, None, false));
    assert_eq!(events(&world), [EventKind::Published]);
    assert!(world.work_after(TimeDelta::days(2)).is_empty(), "and nothing is left to do");
}

#[test]
fn nothing_goes_out_early() {
    let world = World::new();
    world.create(body(&["bluesky"], json!({"scheduledAt": "2026-11-21T12:00:01Z"})));
    world.clock.set(at("2026-11-21T12:00:00.999999Z"));
    assert!(world.work().is_empty());
    world.clock.set(at("2026-11-21T12:00:01Z"));
    assert_eq!(world.work(), [RunOutcome::Published]);
}

#[test]
fn six_attempts_with_growing_waits() {
    let world = World::new();
    world.network.script((0..6).map(|_| fails(Kind::Temporary)));
    let post = due(&world);
    for (attempt, wait) in [(1, 1), (2, 5), (3, 15), (4, 60), (5, 180)] {
        assert_eq!(world.work(), [RunOutcome::PublishDeferred], "attempt {attempt}");
        let stored = world.post(post.id);
        assert_eq!(statuses(&stored), "publishing: pending", "attempt {attempt}");
        assert_eq!(minutes_to_wait(&world, &post), Some(wait), "attempt {attempt}");
        assert_eq!(failure(&stored.targets[0]), format!("network_error false {attempt}"));
        assert!(events(&world).is_empty(), "never for a failure that still retries");
        world.clock.advance(TimeDelta::minutes(wait) - TimeDelta::seconds(1));
        assert!(world.work().is_empty(), "attempt {attempt} waits");
        world.clock.advance(TimeDelta::seconds(1));
    }
    assert_eq!(world.work(), [RunOutcome::PublishFailed]);
    assert_eq!(statuses(&world.post(post.id)), "done: failed");
    assert_eq!(failure(&target(&world, &post)), "network_error false 6");
    assert_eq!(target(&world, &post).due_at(), None);
    // Each is noted, with when the next was due.
    let failed = target(&world, &post).failed_attempts;
    let waits: Vec<Option<i64>> = failed
        .iter()
        .map(|failed| failed.next_attempt_at.map(|next| (next - failed.at).num_minutes()))
        .collect();
    assert_eq!(waits, [Some(1), Some(5), Some(15), Some(60), Some(180), None]);
    assert!(failed.iter().all(|failed| failed.error_code == FailureCode::NetworkError));
    assert_eq!(events(&world), [EventKind::Failed]);
}

#[test]
fn success_clears_the_failure_before_it() {
    let world = World::new();
    world.network.script([fails(Kind::Temporary), live()]);
    let post = due(&world);
    world.work_to_the_end();
    let target = target(&world, &post);
    assert_eq!((target.failure(), target.attempts, target.due_at()), (None, 2, None));
    assert_eq!(target.failed_attempts.len(), 1, "what failed before is still told");
    assert_eq!(events(&world), [EventKind::Published]);
}

#[test]
fn a_permanent_failure_stops_at_once() {
    for (name, error, want) in [
        ("permanent", error(Kind::Permanent), "network_refused true 1"),
        (
            "permanent with a code",
            error(Kind::Permanent).with_code(FailureCode::ValidationFailed),
            "validation_failed true 1",
        ),
        ("reconnect", error(Kind::Reconnect), "account_not_connected true 1"),
    ] {
        let world = World::new();
        world.network.script([Err(error)]);
        let post = due(&world);
        assert_eq!(world.work(), [RunOutcome::PublishFailed], "{name}");
        assert_eq!(failure(&target(&world, &post)), want, "{name}");
        assert_eq!(events(&world), [EventKind::Failed], "{name}");
        let account = world.account(Platform::Bluesky);
        assert_eq!(account.needs_reconnect, name == "reconnect", "{name}");
        assert!(world.work_after(TimeDelta::days(2)).is_empty(), "{name}");
    }
}

#[test]
fn the_first_ten_rate_limits_are_free_and_every_one_waits_as_asked() {
    let world = World::new();
    // 10 free ones, then 6 that use up the attempts.
    world.network.script((0..16).map(|_| limited(Some(90))));
    let post = due(&world);
    for number in 1..16 {
        assert_eq!(world.work(), [RunOutcome::PublishDeferred], "{number}");
        assert_eq!(minutes_to_wait(&world, &post), Some(90), "rate limit {number}");
        let spent = target(&world, &post).spent;
        assert_eq!(spent.tries, u32::max(number, 10) - 10, "rate limit {number}");
        world.clock.advance(TimeDelta::minutes(90));
    }
    assert_eq!(world.work(), [RunOutcome::PublishFailed]);
    assert_eq!(failure(&target(&world, &post)), "rate_limited false 16");
}

#[test]
fn rate_limit_waits() {
    for (name, asked, want) in [
        ("as asked", Some(7), 7),
        ("at most a day", Some(3 * 1_440), 1_440),
        ("none named", None, 1),
    ] {
        let world = World::new();
        world.network.script([limited(asked)]);
        let post = due(&world);
        world.work();
        assert_eq!(minutes_to_wait(&world, &post), Some(want), "{name}");
    }
    let world = World::new();
    world.network.script((0..12).map(|_| limited(None)));
    let post = due(&world);
    for _ in 0..12 {
        world.work();
        let wait = minutes_to_wait(&world, &post).unwrap();
        world.clock.advance(TimeDelta::minutes(wait));
    }
    assert_eq!(target(&world, &post).spent.tries, 2);
    assert_eq!(
        target(&world, &post).due_at(),
        Some(world.now()),
        "after the free ones, one that names no wait waits as any failure does"
    );
}

#[test]
fn a_wait_of_the_network_is_no_attempt_and_holds_no_worker() {
    let world = World::new();
    let until = |minutes| world.now() + TimeDelta::minutes(minutes);
    world.network.script([
        Ok(Step::Next(step(1))),
        Ok(Step::Wait { progress: step(2), until: until(1) }),
        Ok(Step::Wait { progress: step(2), until: until(11) }),
        live(),
    ]);
    let post = due(&world);
    assert_eq!(world.work(), [RunOutcome::PublishWaits]);
    assert_eq!(statuses(&world.post(post.id)), "publishing: publishing");
    assert!(world.work_after(TimeDelta::seconds(59)).is_empty());
    assert_eq!(world.work_after(TimeDelta::seconds(1)), [RunOutcome::PublishWaits]);
    assert_eq!(world.work_after(TimeDelta::minutes(10)), [RunOutcome::Published]);
    let target = target(&world, &post);
    assert_eq!((target.attempts, target.progress()), (1, None));
    assert_eq!(
        world.network.take_calls()[3..],
        ["advance 0 token-1", "advance 1 token-1", "advance 2 token-1", "advance 2 token-1"],
        "each step once, going on where it stood"
    );
}

#[test]
fn a_lost_answer_is_looked_up_before_anything_is_sent_again() {
    let lost = || fails(Kind::InDoubt);
    for (name, look, want, calls) in [
        ("it is live", Ok(Located::Live(remote("found").into())), "none", vec!["locate 0"]),
        ("it did nothing", Ok(Located::Continue(step(0))), "none", vec!["locate 0", "advance 0"]),
        (
            "its effect was found",
            Ok(Located::Continue(step(1))),
            "none",
            vec!["locate 0", "advance 1"],
        ),
        ("nobody can know", Ok(Located::Unknown), "in_doubt false 1", vec!["locate 0"]),
        (
            "the look fails for now",
            Err(error(Kind::Temporary)),
            "network_error false 1",
            vec!["locate 0"],
        ),
        (
            "the answer of the look is lost as well",
            Err(error(Kind::InDoubt)),
            "network_error false 1",
            vec!["locate 0"],
        ),
        (
            "the look is refused for good",
            Err(error(Kind::Permanent)),
            "network_error false 1",
            vec!["locate 0"],
        ),
    ] {
        let world = World::new();
        world.network.script([lost()]);
        world.network.script_looks([look]);
        let post = due(&world);
        world.network.take_calls();
        world.work();
        let calls: Vec<String> =
            ["advance 0"].iter().chain(&calls).map(|call| format!("{call} token-1")).collect();
        assert_eq!(world.network.take_calls(), calls, "{name}");
        assert_eq!(failure(&target(&world, &post)), want, "{name}");
    }
}

#[test]
fn after_a_look_that_failed_the_next_attempt_looks_again() {
    for kind in [Kind::Temporary, Kind::Permanent] {
        let world = World::new();
        world.network.script([fails(Kind::InDoubt)]);
        let found = Ok(Located::Live(remote("found").into()));
        world.network.script_looks([Err(error(kind)), found]);
        let post = due(&world);
        world.network.take_calls();
        assert_eq!(
            world.work_to_the_end(),
            [RunOutcome::PublishDeferred, RunOutcome::Published],
            "{kind:?}"
        );
        assert_eq!(
            world.network.take_calls(),
            ["advance 0 token-1", "locate 0 token-1", "locate 0 token-1"]
        );
        assert_eq!(target(&world, &post).remote(), Some(&remote("found")));
    }
}

#[test]
fn a_repeat_that_is_refused_settles_nothing_of_the_call_before() {
    let found = || Ok(Located::Live(remote("found").into()));
    let repeat = || Ok(Located::Repeat(step(0)));
    let mut refused_always = vec![RunOutcome::PublishDeferred; 5];
    refused_always.push(RunOutcome::PublishFailed);
    for (name, looks, want, failed) in [
        (
            "it is found at last",
            vec![repeat(), found()],
            vec![RunOutcome::PublishDeferred, RunOutcome::Published],
            "none",
        ),
        (
            "it never was",
            vec![repeat(), Ok(Located::Absent(step(0)))],
            vec![RunOutcome::PublishDeferred, RunOutcome::PublishFailed],
            "network_refused true 2",
        ),
        (
            "nobody can tell",
            std::iter::repeat_with(repeat).take(6).collect(),
            refused_always,
            "in_doubt false 6",
        ),
    ] {
        let world = World::new();
        let refusals = std::iter::repeat_with(|| fails(Kind::Permanent)).take(6);
        world.network.script(std::iter::once(fails(Kind::InDoubt)).chain(refusals));
        world.network.script_looks(looks);
        let post = due(&world);
        assert_eq!(world.work_to_the_end(), want, "{name}");
        assert_eq!(failure(&target(&world, &post)), failed, "{name}");
    }
}

#[test]
fn the_outcome_of_a_target_in_doubt_is_told_to_a_person_who_may_send_it_again() {
    let world = World::new();
    world.network.script([fails(Kind::InDoubt)]);
    world.network.script_looks([Ok(Located::Unknown), Ok(Located::Unknown)]);
    let post = due(&world);
    world.work();
    let failed = target(&world, &post).failure().cloned().unwrap();
    assert!(failed.message.contains("look at the account, and retry"), "{}", failed.message);
    world.retry(post.id).unwrap();
    world.network.take_calls();
    assert_eq!(world.work(), [RunOutcome::Published]);
    assert_eq!(world.network.take_calls(), ["locate 0 token-1", "advance 0 token-1"]);
    assert_eq!(events(&world), [EventKind::Failed, EventKind::Published]);
}

#[test]
fn a_lost_answer_to_a_step_that_nobody_can_see_is_a_failure_for_now() {
    let world = World::new();
    let quiet = json!({"step": 1, "quiet": true});
    world.network.script([Ok(Step::Next(quiet)), fails(Kind::InDoubt), live()]);
    let post = due(&world);
    assert_eq!(world.work(), [RunOutcome::PublishDeferred]);
    assert_eq!(failure(&target(&world, &post)), "network_error false 1");
    assert_eq!(world.work_to_the_end(), [RunOutcome::Published]);
}

#[test]
fn the_live_part_of_a_failed_thread_is_named_and_a_retry_goes_on_behind_it() {
    let world = World::new();
    world.network.script([Ok(Step::Next(step(1))), fails(Kind::Permanent), live()]);
    let post = due(&world);
    world.work();
    assert_eq!(target(&world, &post).remote(), Some(&remote("first-part")));
    assert_eq!(target(&world, &post).published_at(), None);
    world.network.take_calls();
    world.retry(post.id).unwrap();
    world.work();
    assert_eq!(world.network.take_calls(), ["advance 1 token-1"]);
    assert_eq!(target(&world, &post).remote(), Some(&remote("live")));
}

#[test]
fn the_last_look() {
    type Change = fn(&World, scheduler_core::ids::MediaId);
    let deleted: Change =
        |world, file| world.put_file(&world.caller, file, MediaKind::Image, MediaStatus::Deleted);
    let smaller: Change = |world, _| {
        *world.network.limits.lock().unwrap() =
            AccountLimits { text_limit: Some(3), ..AccountLimits::default() };
        world.connect(Platform::Mastodon, "me");
    };
    let broken: Change = |world, _| {
        let account = world.account(Platform::Mastodon);
        done(world.store.mark_needs_reconnect(account.id, 1, None)).unwrap();
    };
    let gone: Change = |world, _| {
        done(world.scheduler.disconnect_account(&world.account(Platform::Mastodon))).unwrap();
    };
    let back: Change = |world, _| {
        done(world.scheduler.disconnect_account(&world.account(Platform::Mastodon))).unwrap();
        world.connect(Platform::Mastodon, "me");
    };
    for (name, change, want) in [
        ("a deleted file", deleted, "media_unusable true 1"),
        ("a text that is too long by now", smaller, "validation_failed true 1"),
        ("an account to be connected again", broken, "account_not_connected true 1"),
        ("an account that is gone", gone, "account_not_connected true 1"),
        ("an account that is back", back, "none"),
    ] {
        let world = World::new();
        let file = world.file(MediaStatus::Ready);
        let fields = json!({"mediaIds": [file], "scheduledAt": "2026-11-21T13:00:00Z"});
        let post = world.create(body(&["mastodon"], fields));
        change(&world, file);
        world.network.take_calls();
        world.work_after(TimeDelta::hours(1));
        assert_eq!(failure(&target(&world, &post)), want, "{name}");
        let sent = world.network.take_calls();
        assert_eq!(sent.is_empty(), want != "none", "{name}: {sent:?}");
    }
}

#[test]
fn every_attempt_gets_the_files_in_their_order_also_one_that_was_deleted_meanwhile() {
    let world = World::new();
    let until = world.now() + TimeDelta::hours(2);
    world.network.script([Ok(Step::Wait { progress: step(1), until }), live()]);
    let (first, second) = (world.file(MediaStatus::Ready), world.file(MediaStatus::Ready));
    let fields = json!({
        "mediaIds": [second, first],
        "altTexts": [null, "A crab"],
        "scheduledAt": world.now() + TimeDelta::hours(1),
    });
    let post = world.create(body(&["mastodon"], fields));
    world.work_after(TimeDelta::hours(1));
    world.put_file(&world.caller, second, MediaKind::Image, MediaStatus::Deleted);
    world.work_after(TimeDelta::hours(1));
    assert_eq!(failure(&target(&world, &post)), "none");
    let jobs = world.network.jobs.lock().unwrap();
    assert_eq!(jobs.len(), 2);
    for (job, is_ready) in jobs.iter().zip([true, false]) {
        let files: Vec<_> =
            job.files.iter().map(|file| (file.id, file.alt_text.as_deref())).collect();
        assert_eq!(files, [(second, None), (first, Some("A crab"))]);
        assert!(job.files[0].folder.as_str().ends_with(&second.to_string()));
        assert_eq!(job.files[0].facts.ready, is_ready);
        assert_eq!(job.files[1].facts.width, Some(1_080));
    }
}

#[test]
fn what_a_post_discloses_is_set_for_each_target_that_does_not_set_it_itself() {
    let told = json!({"paidPartnership": true, "aiGenerated": true});
    for (name, disclosure, options, want) in [
        ("nothing", json!(null), json!({}), json!({})),
        ("told", told.clone(), json!({}), told.clone()),
        (
            "said otherwise",
            told,
            json!({"paidPartnership": false}),
            json!({"paidPartnership": false, "aiGenerated": true}),
        ),
    ] {
        let world = World::new();
        world.connect(Platform::Twitter, "me");
        world.network.script([live()]);
        let mut sent = body(&["twitter"], json!({"publishNow": true, "disclosure": disclosure}));
        sent["targets"][0]["options"] = options.clone();
        let post = world.create(sent);
        assert_eq!(json!(post.targets[0].options), options, "{name}: stored as it was sent");
        world.work();
        let jobs = world.network.jobs.lock().unwrap();
        assert_eq!(json!(jobs[0].options), want, "{name}");
    }
}

#[test]
fn a_target_that_has_begun_holds_no_slot() {
    let until = at("2026-11-21T14:00:00Z");
    for (name, first) in [
        ("it waits for the network", Ok(Step::Wait { progress: step(1), until })),
        ("it waits for a retry", fails(Kind::Temporary)),
        ("it failed", fails(Kind::Permanent)),
        ("it is live", live()),
    ] {
        let world = World::new();
        world.network.script([first]);
        let post = world.create(body(&["bluesky"], json!({"queue": true})));
        assert!(target(&world, &post).slot_at().is_some());
        world.clock.set(post.scheduled_at.unwrap());
        world.work();
        assert_eq!(target(&world, &post).slot_at(), None, "{name}");
    }
}

#[test]
fn a_target_of_a_cancelled_post_does_not_go_out() {
    let world = World::new();
    let post = world.create(body(&["bluesky"], json!({"queue": true})));
    world.delete(post.id).unwrap();
    assert!(world.work_after(TimeDelta::days(2)).is_empty());
    assert!(events(&world).is_empty());
}
