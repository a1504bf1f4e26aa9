//! What a stop finishes, what it gives back, and how long it waits.

use std::sync::atomic::Ordering;
use std::time::Duration;

use chrono::TimeDelta;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{ClaimRequest, WorkQueue as _};
use scheduler_worker::WorkerSettings;
use serde_json::json;
use tokio::time::timeout;

use super::{Running, published, until, world};

#[tokio::test(start_paused = true)]
async fn a_stop_finishes_what_runs_and_gives_back_the_rest() {
    let world = world().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    *world.network.takes.lock().unwrap() = Duration::from_secs(20);
    let due_at = world.now() + TimeDelta::milliseconds(1);
    for index in 0..3 {
        world.post(&account, &format!("{index}"), json!({"scheduledAt": due_at})).await;
    }
    let running = Running::start(&world, WorkerSettings::default());
    until("the first has begun", || !world.network.sent().is_empty()).await;
    world.post(&account, "later", json!({"publishNow": true})).await;
    let begin = world.now();
    running.stop().await;
    assert!(world.now() - begin <= TimeDelta::seconds(21));
    assert_eq!((world.network.sent().len(), published(&world)), (1, 1));
    let now = world.now();
    let request = ClaimRequest::new(now, now + TimeDelta::seconds(10), 10, 10);
    let claims = world.store.inner.claim(&request).await.unwrap();
    assert_eq!(claims.len(), 3, "all that is left can be had at once");
    assert_eq!(claims.iter().filter(|claim| claim.due_at == due_at).count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_stop_waits_no_longer_than_it_may() {
    let world = world().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    *world.network.takes.lock().unwrap() = Duration::from_secs(3_600);
    let running = Running::start(&world, WorkerSettings::default());
    world.post(&account, "x", json!({"publishNow": true})).await;
    until("it has begun", || !world.network.sent().is_empty()).await;
    let begin = world.now();
    running.stop().await;
    let took = world.now() - begin;
    assert!(took >= TimeDelta::seconds(30) && took <= TimeDelta::seconds(31), "{took}");
}

#[tokio::test(start_paused = true)]
async fn a_stop_waits_no_longer_when_the_store_hangs() {
    let world = world().await;
    *world.network.takes.lock().unwrap() = Duration::from_secs(3_600);
    for index in 0..40 {
        let account = world.connect(Platform::Bluesky, &format!("a{index}")).await;
        world.post(&account, "x", json!({"publishNow": true})).await;
    }
    let running = Running::start(&world, WorkerSettings::default());
    until("as many as may be have begun", || world.network.sent().len() == 16).await;
    world.store.hangs.store(true, Ordering::SeqCst);
    let stopped = timeout(Duration::from_secs(31), running.stop()).await;
    assert!(stopped.is_ok(), "it stops although nothing can be given back");
}

#[tokio::test(start_paused = true)]
async fn a_stop_gives_nothing_more_back_once_the_store_fails() {
    let world = world().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    *world.network.takes.lock().unwrap() = Duration::from_secs(1);
    let due_at = world.now() + TimeDelta::milliseconds(1);
    for index in 0..8 {
        world.post(&account, &format!("{index}"), json!({"scheduledAt": due_at})).await;
    }
    let running = Running::start(&world, WorkerSettings::default());
    until("the first has begun", || !world.network.sent().is_empty()).await;
    world.store.is_broken.store(true, Ordering::SeqCst);
    running.stop().await;
    // What was published is tried until the stop ends, and leases are renewed meanwhile; of seven
    // that would be given back only the first is tried.
    let failed = world.store.failed.load(Ordering::SeqCst);
    assert!(failed < 120, "{failed}");
}
