//! What `/metrics` tells: it is well-formed, it agrees with what happened, and it is open to
//! whom the operator wants.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use http::Method;
use scheduler_core::platform::Platform;
use scheduler_http::{METRICS, MetricKind, MetricsAccess, MetricsToken, RateLimit};
use scheduler_worker::{Worker, WorkerSettings};
use serde_json::json;
use tokio::time::{advance, pause, resume, sleep};

use crate::support::{Client, Scrape, TokioClock, World};

async fn scrape(client: &Client) -> Scrape {
    let answer = client.without("authorization").get("/metrics").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let want = "text/plain; version=0.0.4; charset=utf-8";
    assert_eq!(answer.header("content-type"), Some(want));
    Scrape::parse(&answer.text())
}

/// Starts a server with its metrics; it ends with the test.
async fn serve(world: &World, access: MetricsAccess, is_for_monitoring: bool) -> Client {
    let server = world.server().await;
    let mut server = server.with_metrics(world.metrics.clone(), access);
    if is_for_monitoring {
        server = server.for_monitoring();
    }
    let address = server.address();
    tokio::spawn(server.serve(std::future::pending()));
    Client::new(address, &world.key)
}

/// Four posts and their events, with every kind of end among them, in a time of the test's own.
#[tokio::test(start_paused = true)]
async fn what_happened_is_what_is_counted() {
    let world = World::with_clock(Arc::new(TokioClock::new())).await;
    let caller = world.caller().await;
    let webhook = serde_json::from_value(json!({"url": "https://example.com/events"}));
    world.scheduler.create_webhook(&caller, webhook.unwrap(), None).await.unwrap();
    let bluesky = world.connect(Platform::Bluesky, "a").await;
    let mastodon = world.connect(Platform::Mastodon, "b").await;
    world.network.not_there.store(2, Ordering::SeqCst);
    let worker =
        Worker::new(world.scheduler.clone(), world.notifier.clone(), WorkerSettings::default())
            .observed_by(Arc::new(world.metrics.clone()));
    let status = worker.status();
    let running = tokio::spawn(worker.run(std::future::pending()));

    *world.network.takes.lock().unwrap() = Duration::from_secs(2);
    world.post(&bluesky, "fine", json!({"publishNow": true})).await;
    sleep(Duration::from_secs(60)).await;
    *world.network.takes.lock().unwrap() = Duration::ZERO;
    // Tried three times, after a minute and after five.
    world.post(&bluesky, "later", json!({"publishNow": true})).await;
    sleep(Duration::from_secs(600)).await;
    world.post(&mastodon, "refuse", json!({"publishNow": true})).await;
    sleep(Duration::from_secs(60)).await;
    // It panics once, which is a failed attempt, and is tried again after a minute.
    world.post(&mastodon, "panic", json!({"publishNow": true})).await;
    sleep(Duration::from_secs(180)).await;
    // Sent six times in vain, over hours.
    world.sender.hangs.store(true, Ordering::SeqCst);
    world.post(&mastodon, "unheard", json!({"publishNow": true})).await;
    sleep(Duration::from_secs(9 * 3_600)).await;
    running.abort();
    resume();

    let client = world.serve_with(RateLimit::default(), Some(status)).await;
    let scrape = scrape(&client).await;
    let publishes = |network: &str, outcome: &str, class: &str, code: &str| {
        let labels = [("network", network), ("outcome", outcome), ("class", class), ("code", code)];
        scrape.value("scheduler_publish_outcomes_total", &labels)
    };
    assert_eq!(publishes("bluesky", "published", "none", "none"), Some(2.0));
    assert_eq!(publishes("bluesky", "deferred", "temporary", "network_error"), Some(2.0));
    assert_eq!(publishes("mastodon", "failed", "permanent", "network_refused"), Some(1.0));
    assert_eq!(publishes("mastodon", "published", "none", "none"), Some(2.0));
    let outcomes = scrape.by("scheduler_publish_outcomes_total", "outcome");
    let want = [("deferred", 3.0), ("failed", 1.0), ("published", 4.0)];
    assert_eq!(outcomes, want.map(|(name, count)| (name.to_owned(), count)).into());

    let deliveries = scrape.by("scheduler_deliveries_total", "outcome");
    let want = [("deferred", 5.0), ("delivered", 4.0), ("failed", 1.0)];
    assert_eq!(deliveries, want.map(|(name, count)| (name.to_owned(), count)).into());
    let answers = scrape.by("scheduler_delivery_duration_seconds_count", "answer");
    let want = [("lost", 6.0), ("succeeded", 4.0)];
    assert_eq!(answers, want.map(|(name, count)| (name.to_owned(), count)).into());

    let work = |kind: &str, outcome: &str| {
        scrape.value("scheduler_work_total", &[("kind", kind), ("outcome", outcome)])
    };
    assert_eq!(work("publish", "published"), Some(4.0));
    assert_eq!(work("publish", "publish_failed"), Some(1.0));
    assert_eq!(work("publish", "panicked"), Some(0.0), "a failed attempt like any other");
    assert_eq!(work("publish", "lease_lost"), Some(0.0), "there before it first counts");
    assert_eq!(work("deliver", "delivery_failed"), Some(1.0));

    // Each began on time, the retry of the one that panicked as well.
    let late = |bound: &str| {
        let labels = [("network", "mastodon"), ("le", bound)];
        scrape.value("scheduler_publish_lateness_seconds_bucket", &labels)
    };
    assert_eq!((late("5"), late("30"), late("+Inf")), (Some(4.0), Some(4.0), Some(4.0)));
    let begun = scrape.by("scheduler_publish_lateness_seconds_count", "network");
    assert_eq!(begun, [("bluesky".to_owned(), 4.0), ("mastodon".to_owned(), 4.0)].into());

    // One took the 2 s of its network; the other began 6 minutes before it was live.
    let live = |bound: &str| {
        let labels = [("network", "bluesky"), ("le", bound)];
        scrape.value("scheduler_publish_until_live_seconds_bucket", &labels)
    };
    assert_eq!((live("1"), live("2.5"), live("300")), (Some(0.0), Some(1.0), Some(1.0)));
    assert_eq!((live("900"), live("+Inf")), (Some(2.0), Some(2.0)));

    for (labels, value) in &scrape.0["scheduler_work_in_flight"].samples {
        assert!(value.abs() < 0.5, "{labels:?}: nothing runs any more");
    }
    assert!(scrape.value("scheduler_worker_last_turn_timestamp_seconds", &[]) > Some(1.7e9));
    let readings = scrape.by("scheduler_readings_total", "network");
    assert!(readings.contains_key("bluesky"), "accounts were looked at: {readings:?}");
}

#[tokio::test(start_paused = true)]
async fn what_is_in_flight_is_told_by_kind_and_network() {
    let world = World::with_clock(Arc::new(TokioClock::new())).await;
    *world.network.takes.lock().unwrap() = Duration::from_secs(30);
    for name in ["a", "b"] {
        let account = world.connect(Platform::Bluesky, name).await;
        world.post(&account, "x", json!({"publishNow": true})).await;
    }
    let worker =
        Worker::new(world.scheduler.clone(), world.notifier.clone(), WorkerSettings::default())
            .observed_by(Arc::new(world.metrics.clone()));
    tokio::spawn(worker.run(std::future::pending()));
    sleep(Duration::from_secs(5)).await;
    resume();
    let scrape = scrape(&world.serve().await).await;
    let labels = [("kind", "publish"), ("network", "bluesky")];
    assert_eq!(scrape.value("scheduler_work_in_flight", &labels), Some(2.0));
}

#[tokio::test]
async fn requests_are_counted_by_the_pattern_of_their_path() {
    let world = World::new().await;
    let two = NonZeroU32::new(2).unwrap();
    let client = world.serve_with(RateLimit { per_minute: two, burst: two }, None).await;
    let id = uuid::Uuid::nil();
    for (method, path, status) in [
        (Method::GET, format!("/v1/posts/{id}"), 404),
        (Method::GET, format!("/v1/posts/{id}"), 404),
        (Method::GET, "/v1/posts".to_owned(), 429),
        (Method::GET, "/somewhere".to_owned(), 404),
        (Method::PUT, "/v1/posts".to_owned(), 405),
    ] {
        let answer = client.send(method.clone(), &path, "").await;
        assert_eq!(answer.status.as_u16(), status, "{method} {path}");
    }
    let scrape = scrape(&client).await;
    let count = |endpoint: &str, method: &str, status: &str| {
        let labels = [("endpoint", endpoint), ("method", method), ("status", status)];
        scrape.value("scheduler_http_requests_total", &labels)
    };
    assert_eq!(count("/v1/posts/{id}", "GET", "404"), Some(2.0));
    assert_eq!(count("/v1/posts", "GET", "429"), Some(1.0));
    assert_eq!(count("none", "GET", "404"), Some(1.0));
    assert_eq!(count("none", "PUT", "405"), Some(1.0));
    assert_eq!(scrape.value("scheduler_http_rate_limited_total", &[]), Some(1.0));
    let timed = scrape.by("scheduler_http_request_duration_seconds_count", "method");
    assert_eq!(timed, [("GET".to_owned(), 4.0), ("PUT".to_owned(), 1.0)].into());
}

#[tokio::test]
async fn what_is_due_is_read_from_the_store_and_not_too_often() {
    let world = World::with_clock(Arc::new(TokioClock::new())).await;
    let account = world.connect(Platform::Bluesky, "a").await;
    world.post(&account, "x", json!({"publishNow": true})).await;
    let client = world.serve().await;
    let due = |scrape: &Scrape, name: &str, kind: &str| scrape.value(name, &[("kind", kind)]);
    let (count, age) = ("scheduler_work_due", "scheduler_work_oldest_due_seconds");
    let first = scrape(&client).await;
    assert_eq!(due(&first, count, "publish"), Some(1.0));
    assert_eq!(due(&first, count, "deliver"), Some(0.0));
    assert_eq!(due(&first, age, "deliver"), Some(0.0));
    assert_eq!(first.value("scheduler_store_up", &[]), Some(1.0));

    world.post(&account, "y", json!({"publishNow": true})).await;
    let soon = scrape(&client).await;
    assert_eq!(due(&soon, count, "publish"), Some(1.0), "the store is left alone for a while");
    let later = async || {
        pause();
        advance(Duration::from_secs(6)).await;
        resume();
        scrape(&client).await
    };
    let then = later().await;
    assert_eq!(due(&then, count, "publish"), Some(2.0));
    assert!(due(&then, age, "publish") >= Some(6.0), "{:?}", due(&then, age, "publish"));

    world.store.is_broken.store(true, Ordering::SeqCst);
    let broken = later().await;
    assert_eq!(broken.value("scheduler_store_up", &[]), Some(0.0));
    assert!(due(&broken, count, "publish").is_some_and(f64::is_nan), "nothing is known");
    world.store.is_broken.store(false, Ordering::SeqCst);
    assert_eq!(later().await.value("scheduler_store_up", &[]), Some(1.0));
}

#[tokio::test]
async fn a_token_opens_the_metrics() {
    let world = World::new().await;
    let token = MetricsAccess::Token(MetricsToken::new("of-the-operator"));
    let client = serve(&world, token, false).await;
    for (name, client) in [
        ("none", client.without("authorization")),
        ("a wrong one", client.keyed("of-the-operators")),
        ("a key of the API", client.clone()),
    ] {
        let answer = client.get("/metrics").await;
        assert_eq!(answer.refusal(), (401, "unauthorized".into(), None), "{name}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"), "{name}");
        assert!(!answer.text().contains("scheduler_"), "{name}");
    }
    let answer = client.keyed("of-the-operator").get("/metrics").await;
    assert_eq!(answer.status, 200);
    Scrape::parse(&answer.text());
}

#[tokio::test]
async fn without_a_token_this_machine_alone_reads_the_metrics() {
    let world = World::new().await;
    let client = serve(&world, MetricsAccess::Local, false).await.without("authorization");
    let here = client.with("host", &client.address.to_string());
    Scrape::parse(&here.get("/metrics").await.text());
    for (name, client) in [
        ("through a proxy", here.with("x-forwarded-for", "192.0.2.1")),
        ("by the name of the server", client.with("host", "scheduler.example.com")),
    ] {
        let answer = client.get("/metrics").await;
        assert_eq!(answer.refusal(), (403, "forbidden".into(), None), "{name}");
        assert!(!answer.text().contains("scheduler_"), "{name}");
    }
}

#[tokio::test]
async fn metrics_may_have_an_address_of_their_own() {
    let world = World::new().await;
    let api = serve(&world, MetricsAccess::Hidden, false).await;
    assert_eq!(api.get("/metrics").await.refusal(), (404, "not_found".into(), None));
    assert_eq!(api.get("/v1/posts").await.status, 200);

    let apart = serve(&world, MetricsAccess::Open, true).await;
    for (path, want) in [
        ("/metrics", 200),
        ("/healthz", 200),
        ("/readyz", 200),
        ("/v1/posts", 404),
        ("/v1/platforms", 404),
        ("/connect/bluesky", 404),
        ("/metrics/", 404),
    ] {
        assert_eq!(apart.get_elsewhere(path).await.status, want, "{path}");
    }
    let answer = apart.send(Method::POST, "/metrics", "").await;
    assert_eq!((answer.status.as_u16(), answer.header("allow")), (405, Some("GET, HEAD")));
    let requests = scrape(&apart).await.by("scheduler_http_requests_total", "endpoint");
    let want: BTreeMap<String, f64> =
        [("/metrics".to_owned(), 1.0), ("/v1/posts".to_owned(), 1.0)].into();
    assert_eq!(requests, want, "those of the API alone");
}

/// The table of the documentation is the catalogue, name by name.
#[test]
fn every_metric_is_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/monitoring.md");
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<[&str; 4]> = text
        .lines()
        .filter(|line| line.starts_with("| `scheduler_"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            cells.try_into().unwrap_or_else(|_| panic!("{line}"))
        })
        .collect();
    let mut wanted = BTreeSet::new();
    for metric in METRICS {
        wanted.insert(metric.name);
        let row = rows.iter().find(|row| row[0].trim_matches('`') == metric.name);
        let [_, kind, labels, _] = row.unwrap_or_else(|| panic!("{} has no row", metric.name));
        assert_eq!(*kind, metric.kind.as_str(), "{}", metric.name);
        let named: Vec<&str> =
            labels.split(',').map(|label| label.trim().trim_matches('`')).collect();
        let named: Vec<&str> = named.into_iter().filter(|label| *label != "–").collect();
        assert_eq!(named, metric.labels, "{}", metric.name);
    }
    let told: BTreeSet<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    assert_eq!(told, wanted);
    assert!(METRICS.iter().any(|metric| matches!(metric.kind, MetricKind::Histogram(_))));
}
