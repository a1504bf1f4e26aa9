//! Accounts over HTTP.

use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::support::World;

#[tokio::test]
async fn connected_accounts_are_listed() {
    let world = World::new().await;
    world.connect(Platform::Bluesky, "a").await;
    let answer = world.serve().await.get("/v1/oauth/accounts").await;
    assert_eq!(answer.status, 200);
    insta::assert_json_snapshot!(answer.json(), { ".data[].id" => "[id]" }, @r###"
    {
      "data": [
        {
          "avatarUrl": null,
          "canDeleteRemote": true,
          "connection": null,
          "displayName": null,
          "id": "[id]",
          "needsReconnect": false,
          "paused": false,
          "platform": "bluesky",
          "timezone": null,
          "username": "a"
        }
      ]
    }
    "###);
}

#[tokio::test]
async fn what_is_asked_of_accounts() {
    let world = World::everywhere().await;
    let client = world.serve().await;
    let bluesky = world.connect(Platform::Bluesky, "a").await;
    for (platform, path, want) in [
        (Platform::Pinterest, "boards", json!({"data": [{"id": "1", "name": "Board"}]})),
        (
            Platform::Youtube,
            "youtube/playlists",
            json!({"data": [{"id": "1", "title": "Films", "privacy": "unlisted"}]}),
        ),
        (
            Platform::Tiktok,
            "tiktok/creator",
            json!({
                "privacyLevels": ["SELF_ONLY"],
                "commentDisabled": false,
                "duetDisabled": false,
                "stitchDisabled": true,
                "maxVideoDurationSeconds": 60,
            }),
        ),
        (
            Platform::Mastodon,
            "mentions?q=ana%2F%25%20%F0%9F%A6%80",
            json!({"data": [{"handle": "@ana/% 🦀", "name": "ana/% 🦀"}]}),
        ),
    ] {
        let account = world.connect(platform, "a").await;
        let answer = client.get(&format!("/v1/oauth/accounts/{}/{path}", account.id)).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, want), "{path}");
        if platform != Platform::Mastodon {
            let other = client.get(&format!("/v1/oauth/accounts/{}/{path}", bluesky.id)).await;
            assert_eq!(other.refusal(), (409, "unsupported".to_owned(), None), "{path}");
        }
        world.scheduler.disconnect_account(&account).await.unwrap();
        let gone = client.get(&format!("/v1/oauth/accounts/{}/{path}", account.id)).await;
        assert_eq!(gone.refusal(), (409, "account_not_connected".to_owned(), None), "{path}");
    }
    let path = format!("/v1/oauth/accounts/{}/mentions", bluesky.id);
    let want = (400, "invalid_request".to_owned(), Some("q".to_owned()));
    assert_eq!(client.get(&path).await.refusal(), want);
    assert_eq!(client.get(&format!("{path}?q=%20")).await.refusal(), want);
}

#[tokio::test]
async fn playlists_are_made() {
    let world = World::everywhere().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Youtube, "a").await;
    let path = format!("/v1/oauth/accounts/{}/youtube/playlists", account.id);
    for (title, privacy, duplicate) in
        [("New / 100 % 🎬", "private", false), ("Films", "public", true)]
    {
        let answer = client.post(&path, &json!({"title": title, "privacy": privacy})).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let want = json!({"id": "1", "title": title, "privacy": privacy, "duplicate": duplicate});
        assert_eq!(answer.json(), want);
    }
    for (body, field) in [
        (json!({}), "title"),
        (json!({"title": ""}), "title"),
        (json!({"title": 1}), "title"),
        (json!({"title": "x", "privacy": "none"}), "privacy"),
    ] {
        let want = (400, "invalid_request".to_owned(), Some(field.to_owned()));
        assert_eq!(client.post(&path, &body).await.refusal(), want, "{body}");
    }
}

#[tokio::test]
async fn the_audience_of_accounts_without_a_reading() {
    let world = World::new().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let answer = client.get("/v1/oauth/audience?days=730").await;
    let want = json!({"data": [{
        "accountId": account.id,
        "platform": "bluesky",
        "username": "a",
        "displayName": Value::Null,
        "readings": [],
    }]});
    assert_eq!((answer.status.as_u16(), answer.json()), (200, want));
    let wrong = client.get("/v1/oauth/audience?days=731").await;
    assert_eq!(wrong.refusal(), (400, "invalid_request".to_owned(), Some("days".to_owned())));
}
