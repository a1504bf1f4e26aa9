//! Posts listed by the state that they are in, each state with a post that really is in it.

use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::engine::LEASE;
use scheduler_core::memory::ManualClock;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{AccountStore as _, ClaimRequest, Place, WorkQueue as _};
use serde_json::json;

use crate::approving::{hidden, show, submit};
use crate::support::{Client, World};

/// Publishes what is due.
async fn publish(world: &World) {
    loop {
        let now = world.now();
        let request = ClaimRequest::new(now, now + LEASE, 100, 10).without(Place::BESIDE_PUBLISHES);
        let claims = world.store.inner.claim(&request).await.unwrap();
        if claims.is_empty() {
            return;
        }
        for claim in &claims {
            world.scheduler.run(claim).await.unwrap();
        }
    }
}

/// The texts of the posts that a list has, in the order of the alphabet.
async fn texts(client: &Client, query: &str) -> Vec<String> {
    let answer = client.get(&format!("/v1/posts?{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let posts = answer.json()["data"].as_array().unwrap().clone();
    let mut texts: Vec<String> =
        posts.iter().map(|post| post["content"].as_str().unwrap().to_owned()).collect();
    texts.sort();
    texts
}

#[tokio::test]
async fn each_state_lists_the_posts_that_are_in_it_and_no_others() {
    let clock = Arc::new(ManualClock::at("2026-11-21T12:00:00Z".parse().unwrap()));
    let world = World::everywhere_by(clock.clone()).await;
    let client = world.serve().await;
    let [account, lost, film] = [
        world.connect(Platform::Bluesky, "a").await,
        world.connect(Platform::Mastodon, "b").await,
        world.connect(Platform::Youtube, "c").await,
    ];
    for text in ["refuse", "doubt", "live"] {
        world.post(&account, text, json!({"publishNow": true})).await;
    }
    publish(&world).await;
    // By then the call that nobody knows of has ended.
    clock.advance(TimeDelta::hours(1));
    publish(&world).await;
    let later = json!({"scheduledAt": world.now() + TimeDelta::hours(3)});
    let mut shown = Vec::new();
    for text in ["asked", "wanted otherwise", "approved", "scheduled"] {
        shown.push(world.post(&account, text, later.clone()).await.id);
    }
    let visitor = client.without("authorization");
    for (post, decision) in [(0, None), (1, Some("changes")), (2, Some("approve"))] {
        let path = show(&world, shown[post]).await;
        let Some(decision) = decision else { continue };
        let (id, seen) = hidden(&visitor.get(&path).await.text());
        let fields = [("post", &*id), ("seen", &*seen), ("decision", decision), ("note", "Blue")];
        assert_eq!(submit(&visitor, &path, &fields).await.status, 303, "{decision}");
    }
    world.post(&lost, "cut off", later.clone()).await;
    assert!(world.store.inner.mark_needs_reconnect(lost.id, 1, None).await.unwrap());
    let unfinished = json!({"saveAsDraft": true, "allowIssues": true});
    world.post(&film, "without a film", unfinished).await;
    world.post(&account, "a draft", json!({"saveAsDraft": true})).await;
    let canceled = world.post(&account, "canceled", later).await.id;
    assert_eq!(client.delete(&format!("/v1/posts/{canceled}")).await.status, 204);

    for (state, want) in [
        ("failed", &["refuse"][..]),
        ("in_doubt", &["doubt"]),
        ("needs_attention", &["cut off", "doubt", "refuse", "wanted otherwise"]),
        ("awaiting_approval", &["asked"]),
        ("unfinished", &["without a film"]),
    ] {
        assert_eq!(texts(&client, &format!("state={state}")).await, want, "{state}");
    }
    let of_account = format!("state=needs_attention&accountId={}", account.id);
    assert_eq!(texts(&client, &of_account).await, ["doubt", "refuse", "wanted otherwise"]);
    assert_eq!(
        texts(&client, "state=needs_attention&status=scheduled").await,
        ["cut off", "wanted otherwise"]
    );

    // What a person has settled needs nobody any more.
    let [doubt] = &client.get("/v1/posts?state=in_doubt").await.json()["data"]
        .as_array()
        .unwrap()
        .clone()[..]
    else {
        panic!("one post is in doubt")
    };
    let path = format!("/v1/posts/{}", doubt["id"].as_str().unwrap());
    assert_eq!(client.delete(&path).await.status, 204);
    assert_eq!(texts(&client, "state=in_doubt").await, [""; 0]);
}
