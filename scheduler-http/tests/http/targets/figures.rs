//! Figures, their history, insights, and fresh readings over HTTP.

use scheduler_core::platform::Platform;
use serde_json::json;

use crate::support::World;

#[tokio::test]
async fn figures_and_their_history() {
    let world = World::new().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Mastodon, "a").await;
    let (post, path) = world.live(&account).await;
    let empty = client.get(&format!("{path}/metrics/history")).await;
    assert_eq!((empty.status.as_u16(), empty.json()), (200, json!({"data": []})));
    let read = client.send(http::Method::POST, &format!("{path}/metrics"), "").await;
    assert_eq!((read.status.as_u16(), &read.json()["likes"]), (200, &json!(3)), "{read:?}");
    assert!(read.json()["fetchedAt"].is_string());
    let history = client.get(&format!("{path}/metrics/history")).await.json();
    assert_eq!(history, json!({"data": [read.json()]}));
    let since = format!("{path}/metrics/history?since=2100-01-01T00:00:00%2B01:00");
    assert_eq!(client.get(&since).await.json(), json!({"data": []}));
    let wrong = client.get(&format!("{path}/metrics/history?since=2026-11-21")).await;
    let want = (400, "invalid_request".to_owned(), Some("since".to_owned()));
    assert_eq!(wrong.refusal(), want);
    let shown = client.get(&format!("/v1/posts/{}", post.id)).await.json();
    assert_eq!(shown["targets"][0]["metrics"], read.json());
}

#[tokio::test]
async fn insights_are_of_youtube() {
    let world = World::everywhere().await;
    let client = world.serve().await;
    let mastodon = world.connect(Platform::Mastodon, "a").await;
    let (_, path) = world.live(&mastodon).await;
    let answer = client.get(&format!("{path}/insights")).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"supported": false})));
}

#[tokio::test]
async fn fresh_readings_once_in_ten_minutes() {
    let world = World::new().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Mastodon, "a").await;
    world.live(&account).await;
    let ask = || client.send(http::Method::POST, "/v1/posts/metrics/refresh", "");
    let first = ask().await;
    assert_eq!((first.status.as_u16(), first.json()), (200, json!({"queued": 1})));
    let second = ask().await;
    assert_eq!(second.refusal(), (429, "rate_limited".to_owned(), None));
    let wait: u64 = second.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=600).contains(&wait), "{wait}");
}
