//! Whether the process lives and can work.

use std::num::NonZeroU32;
use std::sync::atomic::Ordering;

use scheduler_core::platform::Platform;
use scheduler_http::RateLimit;
use scheduler_worker::{Worker, WorkerSettings};
use serde_json::{Value, json};

use crate::support::World;

#[tokio::test]
async fn a_live_process_says_so() {
    let world = World::new().await;
    world.store.is_broken.store(true, Ordering::SeqCst);
    let answer = world.serve_with(limit(), None).await.get("/healthz").await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, r#"{"status":"ok"}"#));
}

#[tokio::test]
async fn readiness_is_the_database_and_the_loop() {
    let world = World::new().await;
    let alone = world.serve_with(limit(), None).await;
    let answer = alone.get("/readyz").await;
    let want = json!({"status": "ok", "database": "ok", "storage": "ok", "clockAheadMs": null, "lastTurn": null, "oldestDue": null});
    assert_eq!((answer.status.as_u16(), answer.json()), (200, want), "no worker here");

    let account = world.connect(Platform::Bluesky, "a").await;
    world.post(&account, "x", json!({"publishNow": true})).await;
    assert_ne!(alone.get("/readyz").await.json()["oldestDue"], Value::Null, "nobody has taken it");

    let worker =
        Worker::new(world.scheduler.clone(), world.notifier.clone(), WorkerSettings::default());
    let client = world.serve_with(limit(), Some(worker.status())).await;
    let answer = client.get("/readyz").await;
    assert_eq!((answer.status.as_u16(), &answer.json()["status"]), (503, &json!("unavailable")));
    tokio::spawn(worker.run(std::future::pending()));
    loop {
        let answer = client.get("/readyz").await;
        if answer.status == 200 && answer.json()["oldestDue"].is_null() {
            assert_ne!(answer.json()["lastTurn"], Value::Null);
            break;
        }
    }

    world.store.is_broken.store(true, Ordering::SeqCst);
    let answer = client.get("/readyz").await;
    assert_eq!((answer.status.as_u16(), &answer.json()["database"]), (503, &json!("unavailable")));
    assert!(!answer.text().contains("hunter2"));
}

fn limit() -> RateLimit {
    let many = NonZeroU32::new(1_000_000).unwrap();
    RateLimit { per_minute: many, burst: many }
}

#[tokio::test]
async fn a_process_that_can_write_nothing_is_not_ready() {
    let world = World::new().await;
    for (fault, want) in [(&world.store.is_full, "full"), (&world.store.is_broken, "unavailable")] {
        fault.store(true, Ordering::SeqCst);
        let client = world.serve_with(limit(), None).await;
        let answer = client.get("/readyz").await;
        assert_eq!((answer.status.as_u16(), &answer.json()["storage"]), (503, &json!(want)));
        fault.store(false, Ordering::SeqCst);
        // The next attempt is due within a second.
        while client.get("/readyz").await.status != 200 {}
        assert_eq!(client.get("/readyz").await.json()["storage"], "ok");
    }
}
