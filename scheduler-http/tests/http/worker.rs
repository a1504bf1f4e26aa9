//! The worker: on time, in order, within its limits, and whatever goes wrong.
//!
//! Time is tokio's and stands still but for sleeping, so a minute takes no time.

mod stopping;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chrono::TimeDelta;
use scheduler_core::platform::Platform;
use scheduler_core::ports::PostStore as _;
use scheduler_core::post::PostStatus;
use scheduler_core::target::{Begun, Stage};
use scheduler_worker::{Worker, WorkerSettings};
use serde_json::json;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::support::{TokioClock, World};

/// A worker that runs beside a test.
struct Running {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Running {
    fn start(world: &World, settings: WorkerSettings) -> Self {
        let worker = Worker::new(world.scheduler.clone(), world.notifier.clone(), settings);
        Self::run(worker)
    }

    fn run(worker: Worker) -> Self {
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(worker.run(async {
            let _ = stopped.await;
        }));
        Self { stop, task }
    }

    async fn stop(self) {
        let _ = self.stop.send(());
        self.task.await.unwrap();
    }
}

async fn world() -> World {
    World::with_clock(Arc::new(TokioClock::new())).await
}

/// Waits, at most two minutes of the test's time, until something is so.
async fn until(what: &str, is_so: impl Fn() -> bool) {
    let waiting = async {
        // Closely at first, so that short waits are measured well.
        for step in 0_u64.. {
            if is_so() {
                return;
            }
            sleep(Duration::from_millis(if step < 50 { 1 } else { 20 })).await;
        }
    };
    assert!(timeout(Duration::from_secs(120), waiting).await.is_ok(), "never: {what}");
}

fn published(world: &World) -> usize {
    let posts = world.posts(world.workspace.id);
    posts.iter().filter(|post| post.status == PostStatus::Done).count()
}

#[tokio::test(start_paused = true)]
async fn what_is_due_goes_out_on_time_and_never_early() {
    let world = world().await;
    let mut accounts = Vec::new();
    for index in 0..10 {
        accounts.push(world.connect(Platform::Bluesky, &format!("account{index}")).await);
    }
    let begin = world.now() + TimeDelta::seconds(5);
    let mut due_at = BTreeMap::new();
    for index in 0..500_i32 {
        // Irregular to the microsecond.
        let at = begin + TimeDelta::microseconds(i64::from(index) * 119_993);
        let content = format!("post {index}");
        let account = &accounts[index as usize % 10];
        world.post(account, &content, json!({"scheduledAt": at})).await;
        due_at.insert(content, at);
    }
    let running = Running::start(&world, WorkerSettings::default());
    until("all are published", || published(&world) == 500).await;
    for sent in world.network.sent() {
        let late = sent.begun_at - due_at[&sent.content];
        assert!(late >= TimeDelta::zero(), "{} is early by {late}", sent.content);
        assert!(late <= TimeDelta::milliseconds(5), "{} is late by {late}", sent.content);
    }
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn one_account_posts_in_order_and_holds_up_nobody_else() {
    let world = world().await;
    let slow = world.connect(Platform::Bluesky, "slow").await;
    let other = world.connect(Platform::Bluesky, "other").await;
    *world.network.takes.lock().unwrap() = Duration::from_millis(700);
    let begin = world.now() + TimeDelta::seconds(2);
    for index in 0..20 {
        let at = begin + TimeDelta::milliseconds(index);
        world.post(&slow, &format!("{index:02}"), json!({"scheduledAt": at})).await;
    }
    // Due while the lane of the other account is held up.
    let mut due_at = BTreeMap::new();
    for index in 0..5 {
        let at = begin + TimeDelta::milliseconds(333 + index * 1_300);
        world.post(&other, &format!("other {index}"), json!({"scheduledAt": at})).await;
        due_at.insert(format!("other {index}"), at);
    }
    let running = Running::start(&world, WorkerSettings::default());
    until("all are published", || published(&world) == 25).await;
    let sent = world.network.sent();
    let mut of_slow: Vec<_> = sent.iter().filter(|sent| sent.username == "slow").collect();
    of_slow.sort_by_key(|sent| sent.begun_at);
    let order: Vec<&str> = of_slow.iter().map(|sent| sent.content.as_str()).collect();
    assert!(order.is_sorted(), "{order:?}");
    for pair in of_slow.windows(2) {
        assert!(pair[0].ended_at.unwrap() <= pair[1].begun_at, "two at once: {pair:?}");
        let gap = pair[1].begun_at - pair[0].ended_at.unwrap();
        assert!(gap <= TimeDelta::milliseconds(10), "the lane idles for {gap}");
    }
    for sent in sent.iter().filter(|sent| sent.username == "other") {
        let late = sent.begun_at - due_at[&sent.content];
        assert!(late <= TimeDelta::milliseconds(10), "{} is late by {late}", sent.content);
    }
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn no_more_at_once_than_the_limits_say() {
    for (name, settings, bluesky, mastodon) in [
        ("the defaults", WorkerSettings::default(), 16, 8),
        ("one network", WorkerSettings { per_network: 5, ..WorkerSettings::default() }, 3, 3),
        ("in all", WorkerSettings { publishes: 1, ..WorkerSettings::default() }, 1, 1),
    ] {
        let world = world().await;
        *world.network.takes.lock().unwrap() = Duration::from_secs(1);
        for (platform, count) in [(Platform::Bluesky, 40), (Platform::Mastodon, 8)] {
            for index in 0..count {
                let account = world.connect(platform, &format!("a{index}")).await;
                world.post(&account, "x", json!({"publishNow": true})).await;
            }
        }
        let running = Running::start(&world, settings);
        until(name, || published(&world) == 48).await;
        assert_eq!(world.network.most_in_flight(Platform::Bluesky), bluesky, "{name}");
        assert_eq!(world.network.most_in_flight(Platform::Mastodon), mastodon, "{name}");
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn receivers_that_hang_do_not_hold_up_publishing() {
    let world = world().await;
    let caller = world.caller().await;
    for index in 0..4 {
        let input = serde_json::from_value(json!({"url": format!("https://{index}.example.com")}));
        world.scheduler.create_webhook(&caller, input.unwrap(), None).await.unwrap();
    }
    world.sender.hangs.store(true, Ordering::SeqCst);
    let settings = WorkerSettings { deliveries: 5, ..WorkerSettings::default() };
    let running = Running::start(&world, settings);
    let account = world.connect(Platform::Bluesky, "a").await;
    for index in 0..30 {
        let asked_at = world.now();
        world.post(&account, &format!("{index}"), json!({"publishNow": true})).await;
        until("it is published", || published(&world) == index + 1).await;
        let took = world.now() - asked_at;
        assert!(took <= TimeDelta::milliseconds(20), "post {index} took {took}");
    }
    assert_eq!(world.sender.most_in_flight.load(Ordering::SeqCst), 3);
    world.sender.hangs.store(false, Ordering::SeqCst);
    until("every event is received", || world.sender.sent.load(Ordering::SeqCst) == 120).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn readings_that_hang_do_not_hold_up_publishing() {
    let world = world().await;
    world.after.hangs.store(true, Ordering::SeqCst);
    let mut accounts = Vec::new();
    // Each is looked at as soon as it is connected: more than there are places of any kind.
    for index in 0..90 {
        accounts.push(world.connect(Platform::Bluesky, &format!("a{index}")).await);
    }
    let running = Running::start(&world, WorkerSettings::default());
    until("readings hang", || world.after.in_flight.load(Ordering::SeqCst) == 4).await;
    for (index, account) in accounts.iter().enumerate() {
        let asked_at = world.now();
        // Also to accounts whose own reading hangs.
        world.post(account, &format!("{index}"), json!({"publishNow": true})).await;
        until("it is published", || published(&world) == index + 1).await;
        let took = world.now() - asked_at;
        assert!(took <= TimeDelta::milliseconds(20), "post {index} took {took}");
    }
    assert_eq!(world.after.most_in_flight.load(Ordering::SeqCst), 4, "as the settings say");
    world.after.hangs.store(false, Ordering::SeqCst);
    until("all are looked at", || world.after.answered.load(Ordering::SeqCst) >= 90).await;
    assert_eq!(world.after.most_in_flight.load(Ordering::SeqCst), 4);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn readings_of_what_cannot_be_read_do_not_hold_up_publishing() {
    let world = world().await;
    world.store.has_unreadable.store(true, Ordering::SeqCst);
    let mut accounts = Vec::new();
    for index in 0..90 {
        accounts.push(world.connect(Platform::Bluesky, &format!("a{index}")).await);
    }
    let running = Running::start(&world, WorkerSettings::default());
    for (index, account) in accounts.iter().enumerate() {
        let asked_at = world.now();
        world.post(account, &format!("{index}"), json!({"publishNow": true})).await;
        until("it is published", || published(&world) == index + 1).await;
        let took = world.now() - asked_at;
        assert!(took <= TimeDelta::milliseconds(20), "post {index} took {took}");
    }
    let failed = || world.store.failed.load(Ordering::SeqCst);
    until("each of them was tried", || failed() >= 90).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn figures_are_read_without_being_asked_for() {
    let world = world().await;
    let running = Running::start(&world, WorkerSettings::default());
    let account = world.connect(Platform::Mastodon, "a").await;
    world.post(&account, "x", json!({"publishNow": true})).await;
    until("it is published", || published(&world) == 1).await;
    let figures = || world.posts(world.workspace.id)[0].targets[0].reading.clone();
    sleep(Duration::from_secs(59 * 60)).await;
    assert_eq!(figures(), None);
    sleep(Duration::from_secs(62)).await;
    let first = figures().unwrap();
    assert_eq!(first.figures.0.len(), 1);
    sleep(Duration::from_secs(5 * 60 * 60)).await;
    assert!(figures().unwrap().at > first.at, "and again");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_place_that_is_free_again_is_taken_at_once() {
    let world = world().await;
    let caller = world.caller().await;
    let input = serde_json::from_value(json!({"url": "https://example.com"})).unwrap();
    world.scheduler.create_webhook(&caller, input, None).await.unwrap();
    // Nothing notifies when a delivery ends.
    *world.sender.takes.lock().unwrap() = Duration::from_millis(30);
    let settings = WorkerSettings { deliveries: 1, per_lane: 1, ..WorkerSettings::default() };
    let running = Running::start(&world, settings);
    let account = world.connect(Platform::Bluesky, "a").await;
    for index in 0..20 {
        world.post(&account, &format!("{index}"), json!({"publishNow": true})).await;
    }
    let begin = world.now();
    until("every event is received", || world.sender.sent.load(Ordering::SeqCst) == 20).await;
    let took = world.now() - begin;
    assert!(took <= TimeDelta::milliseconds(20 * 35), "{took}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_worker_whose_deliveries_are_full_leaves_the_rest_to_others() {
    let world = world().await;
    let caller = world.caller().await;
    for index in 0..4 {
        let input = serde_json::from_value(json!({"url": format!("https://{index}.example.com")}));
        world.scheduler.create_webhook(&caller, input.unwrap(), None).await.unwrap();
    }
    world.sender.hangs.store(true, Ordering::SeqCst);
    let settings = WorkerSettings { deliveries: 5, ..WorkerSettings::default() };
    let one = Running::start(&world, settings);
    let account = world.connect(Platform::Bluesky, "a").await;
    for index in 0..10 {
        world.post(&account, &format!("{index}"), json!({"publishNow": true})).await;
        until("it is published", || published(&world) == index + 1).await;
    }
    let two = Running::start(&world, settings);
    sleep(Duration::from_secs(2)).await;
    assert_eq!(world.sender.most_in_flight.load(Ordering::SeqCst), 6);
    one.stop().await;
    two.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_bell_or_a_look_finds_new_work() {
    let world = world().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let running = Running::start(&world, WorkerSettings::default());
    sleep(Duration::from_millis(1_500)).await;

    let asked_at = world.now();
    world.post(&account, "with a notifier", json!({"publishNow": true})).await;
    until("it is published", || published(&world) == 1).await;
    assert!(world.now() - asked_at <= TimeDelta::milliseconds(5));

    // As another process writes it: past this process's notifier.
    let post = world.post(&account, "as a draft", json!({"saveAsDraft": true})).await;
    let mut due = post.clone();
    due.status = PostStatus::Scheduled;
    due.scheduled_at = Some(world.now());
    due.targets[0].reschedule(due.scheduled_at, None);
    sleep(Duration::from_millis(100)).await;
    let asked_at = world.now();
    world.store.inner.save_post(&due, 1_000).await.unwrap();
    until("it is published", || published(&world) == 2).await;
    let took = world.now() - asked_at;
    assert!(took <= TimeDelta::milliseconds(1_025), "{took}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_idle_loop_turns_every_second_and_claims_nothing() {
    let world = world().await;
    let worker =
        Worker::new(world.scheduler.clone(), world.notifier.clone(), WorkerSettings::default());
    let status = worker.status();
    assert_eq!(status.last_turn(), None);
    let running = Running::run(worker);
    for _ in 0..30 {
        sleep(Duration::from_millis(997)).await;
        let ago = world.now() - status.last_turn().unwrap();
        assert!(ago <= TimeDelta::milliseconds(1_002), "{ago}");
    }
    assert_eq!(world.store.claims.load(Ordering::SeqCst), 0);
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_panic_ends_nothing_but_its_own_work() {
    let world = world().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let other = world.connect(Platform::Bluesky, "b").await;
    let running = Running::start(&world, WorkerSettings::default());
    world.post(&account, "panic", json!({"publishNow": true})).await;
    until("it has panicked", || world.network.has_panicked.load(Ordering::SeqCst)).await;
    world.post(&other, "fine", json!({"publishNow": true})).await;
    until("the other is published", || published(&world) == 1).await;
    // The panic was a failed attempt; the next comes after a minute, and looks first.
    let begin = world.now();
    until("it goes out after all", || published(&world) == 2).await;
    let waited = world.now() - begin;
    assert!(waited >= TimeDelta::seconds(50) && waited <= TimeDelta::minutes(5), "{waited}");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_is_held_stays_held_by_one_of_two_workers() {
    let world = world().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    *world.network.takes.lock().unwrap() = Duration::from_secs(25);
    for index in 0..3 {
        let at = world.now() + TimeDelta::milliseconds(index);
        world.post(&account, &format!("{index}"), json!({"scheduledAt": at})).await;
    }
    sleep(Duration::from_millis(5)).await;
    let one = Running::start(&world, WorkerSettings::default());
    let two = Running::start(&world, WorkerSettings::default());
    // The second and third wait 25 and 50 seconds in the lane, far longer than a lease.
    until("all are published", || published(&world) == 3).await;
    let order: Vec<String> = world.network.sent().into_iter().map(|sent| sent.content).collect();
    assert_eq!(order, ["0", "1", "2"], "each once, in order");
    one.stop().await;
    two.stop().await;
}

#[tokio::test(start_paused = true)]
async fn work_whose_lease_is_lost_is_dropped() {
    let world = world().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    *world.network.takes.lock().unwrap() = Duration::from_secs(60);
    let post = world.post(&account, "x", json!({"publishNow": true})).await;
    let running = Running::start(&world, WorkerSettings::default());
    until("it has begun", || !world.network.sent().is_empty()).await;
    // A save that ends the target takes its work away: the claim on it is lost.
    let mut saved = world.store.inner.posts()[0].clone();
    assert_eq!(saved.id, post.id);
    saved.targets[0].stage = Stage::Canceled { failure: None, begun: Begun::default() };
    world.store.inner.save_post(&saved, 1_000).await.unwrap();
    until("it is dropped", || world.network.in_flight.lock().unwrap()[&Platform::Bluesky] == 0)
        .await;
    let sent = world.network.sent();
    assert_eq!((sent.len(), sent[0].ended_at), (1, None));
    assert!(world.now() - sent[0].begun_at <= TimeDelta::seconds(4), "by the next renewal");
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn what_a_call_has_shown_is_kept_while_the_store_is_away() {
    for (name, hangs) in [("the store fails", false), ("the store hangs", true)] {
        let world = world().await;
        let account = world.connect(Platform::Bluesky, "a").await;
        *world.network.takes.lock().unwrap() = Duration::from_secs(20);
        world.post(&account, "x", json!({"publishNow": true})).await;
        let running = Running::start(&world, WorkerSettings::default());
        until("it has begun", || !world.network.sent().is_empty()).await;
        let fault = if hangs { &world.store.hangs } else { &world.store.is_broken };
        fault.store(true, Ordering::SeqCst);
        // The call ends meanwhile, and so would a lease that was not as long as the call.
        sleep(Duration::from_secs(60)).await;
        assert_eq!(published(&world), 0, "{name}");
        fault.store(false, Ordering::SeqCst);
        until(name, || published(&world) == 1).await;
        assert_eq!(world.network.sent().len(), 1, "{name}: sent once");
        running.stop().await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_is_left_alone_more_and_more() {
    let world = world().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    world.store.is_broken.store(true, Ordering::SeqCst);
    let worker =
        Worker::new(world.scheduler.clone(), world.notifier.clone(), WorkerSettings::default());
    let status = worker.status();
    let running = Running::run(worker);
    sleep(Duration::from_secs(60)).await;
    // 0.1 + 0.2 + 0.4 + … + 3.2 s, then every 5 s.
    let failed = world.store.failed.load(Ordering::SeqCst);
    assert!((15..=20).contains(&failed), "{failed} tries in a minute");
    let ago = world.now() - status.last_turn().unwrap();
    assert!(ago <= TimeDelta::milliseconds(1_002), "the loop still turns");
    world.store.is_broken.store(false, Ordering::SeqCst);
    world.post(&account, "x", json!({"publishNow": true})).await;
    until("it is published", || published(&world) == 1).await;
    running.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_network_that_hangs_holds_up_no_other() {
    let world = world().await;
    *world.network.takes.lock().unwrap() = Duration::from_secs(3_600);
    for index in 0..80 {
        let account = world.connect(Platform::Bluesky, &format!("a{index}")).await;
        world.post(&account, "x", json!({"publishNow": true})).await;
    }
    let other = world.connect(Platform::Mastodon, "other").await;
    let settings = WorkerSettings { stop_within: Duration::ZERO, ..WorkerSettings::default() };
    let running = Running::start(&world, settings);
    until("as many as may be have begun", || world.network.sent().len() == 16).await;
    *world.network.takes.lock().unwrap() = Duration::ZERO;
    for index in 0..5 {
        let asked_at = world.now();
        world.post(&other, &format!("{index}"), json!({"publishNow": true})).await;
        until("it is published", || published(&world) == index + 1).await;
        let took = world.now() - asked_at;
        assert!(took <= TimeDelta::milliseconds(20), "post {index} took {took}");
    }
    assert_eq!(world.network.most_in_flight(Platform::Bluesky), 16);
    // What this worker cannot begin, another can have.
    *world.network.takes.lock().unwrap() = Duration::from_secs(3_600);
    let second = Running::start(&world, settings);
    until("the other worker begins some", || {
        world.network.in_flight.lock().unwrap()[&Platform::Bluesky] == 32
    })
    .await;
    running.stop().await;
    second.stop().await;
}

#[tokio::test(start_paused = true)]
async fn deliveries_that_find_no_place_are_left_to_others() {
    let world = world().await;
    let caller = world.caller().await;
    for index in 0..8 {
        let input = serde_json::from_value(json!({"url": format!("https://{index}.example.com")}));
        world.scheduler.create_webhook(&caller, input.unwrap(), None).await.unwrap();
    }
    world.sender.hangs.store(true, Ordering::SeqCst);
    let settings = WorkerSettings { deliveries: 5, ..WorkerSettings::default() };
    let one = Running::start(&world, settings);
    let account = world.connect(Platform::Bluesky, "a").await;
    world.post(&account, "x", json!({"publishNow": true})).await;
    let in_flight = || world.sender.in_flight.load(Ordering::SeqCst);
    until("the first worker is full", || in_flight() == 3).await;
    let two = Running::start(&world, settings);
    let begin = world.now();
    until("the second is full too", || in_flight() == 6).await;
    assert!(world.now() - begin <= TimeDelta::milliseconds(20));
    one.stop().await;
    two.stop().await;
}
