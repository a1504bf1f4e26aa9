//! A node whose clock is not that of the database.

#[expect(dead_code, reason = "the storm uses more of it")]
#[path = "../storm/clock.rs"]
mod clock;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Networks, Service, Setup, backends, client, wait_for};
use clock::Clock;

/// What a server says of whether it can do its work.
async fn readiness(service: &Service) -> (StatusCode, Value) {
    let answer = client().get(format!("{}/readyz", service.url)).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

/// Waits until a server says that its clock is so many seconds ahead, more or less.
async fn wait_for_difference(service: &Service, seconds: i64) -> Value {
    wait_for("the clock to be told", async || {
        let (status, told) = readiness(service).await;
        let ahead = told["clockAheadMs"].as_i64()?;
        let is_it = (ahead - seconds * 1_000).abs() < 1_000;
        (status == StatusCode::SERVICE_UNAVAILABLE && is_it).then_some(told)
    })
    .await
}

fn last_turn(told: &Value) -> DateTime<Utc> {
    told["lastTurn"].as_str().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_whose_clock_is_off_says_so_and_takes_no_work_until_it_is_set_right() {
    let postgres = backends().await.into_iter().find(|backend| backend.url().is_some());
    let Some(postgres) = postgres else { return };
    let networks = Networks::start().await;
    let folder = tempfile::tempdir().unwrap();
    let Some(library) = clock::compile(folder.path()) else {
        eprintln!("NOT TESTED: there is no C compiler");
        return;
    };
    let shifted = folder.path().join("shift");
    let clock = Clock::new(&library, shifted.clone());
    let setup = Setup {
        data: folder.path().into(),
        database: postgres.url(),
        sandbox: networks.url().into(),
    };

    clock.shift(10_000);
    let [library, shifted] = [&library, &shifted].map(|path| path.to_str().unwrap());
    let service = setup.serve_with(&[("LD_PRELOAD", library), ("STORM_CLOCK", shifted)]);
    let told = wait_for_difference(&service, 10).await;
    assert_eq!((&told["status"], &told["database"]), (&json!("unavailable"), &json!("ok")));
    let said = setup.refused(&[], &["health", "--url", &service.url]);
    assert!(said.contains("ms ahead of the database's"), "{said}");
    assert!(said.contains("next: "), "{said}");

    let targets = [json!({"platform": "mastodon"})];
    let post = json!({"content": "Hello", "publishNow": true, "targets": targets});
    let post = service.api().create(&post).await;
    let id = post["id"].as_str().unwrap();
    let waits = wait_for("the worker to have turned for a while", async || {
        let (_, now) = readiness(&service).await;
        (last_turn(&now) - last_turn(&told) > TimeDelta::seconds(4)).then_some(now)
    })
    .await;
    assert_ne!(waits["oldestDue"], Value::Null, "nobody has taken it: {waits}");
    let target = &service.api().get(&format!("/posts/{id}")).await["targets"][0];
    assert_eq!((&target["status"], &target["attempts"]), (&json!("pending"), &json!(0)));

    clock.shift(-10_000);
    wait_for_difference(&service, -10).await;
    let said = setup.refused(&[], &["health", "--url", &service.url]);
    assert!(said.contains("ms behind the database's"), "{said}");

    // A second and a half is no matter.
    clock.shift(1_500);
    wait_for("the node to be ready", async || {
        let (status, told) = readiness(&service).await;
        (status == StatusCode::OK && told["clockAheadMs"].is_null()).then_some(())
    })
    .await;
    let ended = service.api().ended(id).await;
    assert_eq!(ended["targets"][0]["status"], "published", "{ended}");
}
