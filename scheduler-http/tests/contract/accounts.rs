//! Connected accounts, and what is asked of their networks.

use std::sync::Arc;

use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use serde_json::json;

use crate::shapes::{ACCOUNTS, BOARDS, CREATOR, MENTIONS, NEW_PLAYLIST, PLAYLISTS, Shape};
use crate::table::{PUBLISH, READ, Row, row};
use crate::world::World;

/// Its endpoints, typed from the interface description and not from the code.
pub(crate) const ROWS: &[Row] = &[
    row("GET", "/oauth/accounts", READ, &[200, 401], &[], false),
    row("GET", "/oauth/audience", READ, &[200, 401], &[], false),
    row("GET", "/oauth/accounts/{id}/boards", READ, &[200, 401, 404, 409], &[], false),
    row("GET", "/oauth/accounts/{id}/youtube/playlists", READ, &[200, 401, 404, 409], &[], false),
    row(
        "POST",
        "/oauth/accounts/{id}/youtube/playlists",
        PUBLISH,
        &[201, 400, 401, 403, 404],
        &[200, 409],
        true,
    ),
    row("GET", "/oauth/accounts/{id}/tiktok/creator", READ, &[200, 401, 404, 409], &[], false),
    row("GET", "/oauth/accounts/{id}/mentions", READ, &[200, 401, 404], &[409], false),
];

const AUDIENCE: Shape = Shape::Fields(&[("data", Shape::List(&Shape::Free))]);

async fn listed(world: Arc<World>) {
    let tenant = world.tenant().await;
    assert_eq!(tenant.get("/oauth/accounts").await.ok(200, &ACCOUNTS), json!({"data": []}));
    let mut connected = Vec::new();
    for platform in Platform::ALL {
        // X is not offered to new accounts.
        if platform != Platform::Twitter {
            connected.push(tenant.connect(platform, "me").await.id.to_string());
        }
    }
    let all = tenant.get("/oauth/accounts").await.ok(200, &ACCOUNTS);
    let all = all["data"].as_array().unwrap().clone();
    let ids: Vec<&str> = all.iter().map(|account| account["id"].as_str().unwrap()).collect();
    assert_eq!(ids, connected);
    assert!(all.iter().all(|account| account["paused"] == false));
}

async fn audience(world: Arc<World>) {
    let tenant = world.tenant().await;
    let account = tenant.connect(Platform::Mastodon, "me").await;
    let series = tenant.get("/oauth/audience").await.ok(200, &AUDIENCE);
    assert_eq!(series["data"][0]["accountId"], json!(account.id));
    tenant.get("/oauth/audience?days=730").await.ok(200, &AUDIENCE);
    for days in ["0", "731", "x"] {
        tenant.get(&format!("/oauth/audience?days={days}")).await.invalid("days");
    }
}

async fn asked(world: Arc<World>) {
    let tenant = world.tenant().await;
    let mastodon = format!("/oauth/accounts/{}", tenant.connect(Platform::Mastodon, "m").await.id);
    let pinterest = tenant.connect(Platform::Pinterest, "p").await.id;
    let youtube = tenant.connect(Platform::Youtube, "y").await.id;
    let tiktok = tenant.connect(Platform::Tiktok, "t").await.id;
    let boards = tenant.get(&format!("/oauth/accounts/{pinterest}/boards")).await;
    assert_eq!(boards.ok(200, &BOARDS)["data"], json!([{"id": "1", "name": "Cakes"}]));
    let playlists = format!("/oauth/accounts/{youtube}/youtube/playlists");
    let listed = tenant.get(&playlists).await.ok(200, &PLAYLISTS);
    assert_eq!(listed["data"][0]["privacy"], "unlisted");
    let made = tenant.post(&playlists, &json!({"title": "Cakes 🍰"})).await.ok(201, &NEW_PLAYLIST);
    assert_eq!((&made["privacy"], &made["duplicate"]), (&json!("public"), &json!(false)));
    let known = json!({"title": "News", "privacy": "private"});
    let known = tenant.post(&playlists, &known).await.ok(201, &NEW_PLAYLIST);
    assert_eq!((&known["privacy"], &known["duplicate"]), (&json!("unlisted"), &json!(true)));
    let keyed = tenant.with("idempotency-key", "eight characters");
    let title = json!({"title": "Bread"});
    let first = keyed.post(&playlists, &title).await.ok(201, &NEW_PLAYLIST);
    assert_eq!(keyed.post(&playlists, &title).await.ok(200, &NEW_PLAYLIST), first);
    for (body, field) in [
        (json!({}), "title"),
        (json!({"title": "x", "privacy": "secret"}), "privacy"),
        (json!({"title": "x".repeat(151)}), "title"),
    ] {
        tenant.post(&playlists, &body).await.invalid(field);
    }
    let creator = tenant.get(&format!("/oauth/accounts/{tiktok}/tiktok/creator")).await;
    assert_eq!(creator.ok(200, &CREATOR)["privacyLevels"], json!(["SELF_ONLY"]));

    for path in ["boards", "youtube/playlists", "tiktok/creator"] {
        tenant.get(&format!("{mastodon}/{path}")).await.refused(409, "unsupported");
    }
    let playlist = json!({"title": "x"});
    let elsewhere = tenant.post(&format!("{mastodon}/youtube/playlists"), &playlist).await;
    elsewhere.refused(409, "unsupported");

    let names = tenant.get(&format!("{mastodon}/mentions?q=a%2Fb%25%F0%9F%8E%89")).await;
    assert_eq!(names.ok(200, &MENTIONS)["data"][0]["handle"], "@a/b%🎉");
    tenant.get(&format!("{mastodon}/mentions")).await.invalid("q");
    tenant.get(&format!("{mastodon}/mentions?q=")).await.invalid("q");
    let none = tenant.get(&format!("/oauth/accounts/{tiktok}/mentions?q=a")).await;
    assert_eq!(none.ok(200, &MENTIONS), json!({"data": []}));
    world.will_fail(NetworkError::new(NetworkErrorKind::Temporary, "It is down."));
    tenant.get(&format!("{mastodon}/mentions?q=a")).await.refused(409, "network_error");
}

scenarios!(listed, audience, asked);
