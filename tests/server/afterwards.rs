//! What follows once a post is live, on every network that is built in and on each database:
//! figures, comments, edits, take-downs, and what an account can be asked.

use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use scheduler_core::media::MediaKind;
use scheduler_core::platform::{Platform, RequiredMedia};
use serde_json::{Value, json};

use crate::everywhere::upload;
use crate::files::setup;
use crate::support::{Api, Networks, Setup, backends, wait_for};

async fn call(api: &Api, method: Method, path: &str, body: Option<&Value>) -> (u16, Value) {
    let response = api.send(method, path, None, body).await;
    let status = response.status().as_u16();
    (status, response.json().await.unwrap_or(Value::Null))
}

/// The options without which a network takes nothing, asked for over the API.
async fn options(api: &Api, platform: Platform, account: &str) -> Value {
    match platform {
        Platform::Tiktok => {
            let creator = api.get(&format!("/oauth/accounts/{account}/tiktok/creator")).await;
            json!({ "privacy": creator["privacyLevels"][0] })
        }
        Platform::Pinterest => {
            let boards = api.get(&format!("/oauth/accounts/{account}/boards")).await;
            json!({ "boardId": boards["data"][0]["id"] })
        }
        // A comment to answer.
        Platform::Youtube | Platform::Facebook | Platform::Linkedin => {
            json!({ "firstComment": "First / 100 % 🦀" })
        }
        _ => json!({}),
    }
}

async fn published(api: &Api, account: &Value, media: &[(MediaKind, String)]) -> Value {
    let platform: Platform = account["platform"].as_str().unwrap().parse().unwrap();
    let id = account["id"].as_str().unwrap();
    let mut body = json!({
        "content": format!("Afterwards on {platform}"),
        "publishNow": true,
        "targets": [{
            "platform": platform,
            "accountId": id,
            "options": options(api, platform, id).await,
        }],
    });
    let sheet = platform.sheet();
    if sheet.requires_media != RequiredMedia::None {
        let file = media.iter().find(|(kind, _)| sheet.takes(*kind)).unwrap();
        body["mediaIds"] = json!([file.1]);
    }
    let created = api.create(&body).await;
    let ended = api.ended(created["id"].as_str().unwrap()).await;
    assert_eq!(ended["targets"][0]["status"], "published", "{ended}");
    ended
}

async fn comments(api: &Api, platform: Platform, path: &str) {
    let path = format!("{path}/comments");
    let read = api.get(&path).await;
    let can_read = platform.sheet().can_read_comments;
    if !can_read {
        assert_eq!(read["supported"], false, "{platform}");
    }
    let unknown = json!({ "action": "reply", "text": "x" });
    let (status, answer) =
        call(api, Method::POST, &format!("{path}/no%2Fsuch%25"), Some(&unknown)).await;
    assert!(matches!(status, 404 | 409), "{platform}: {answer}");
    if !matches!(platform, Platform::Youtube | Platform::Facebook | Platform::Linkedin) {
        return;
    }
    let first = wait_for("the first comment", async || {
        let read = api.get(&path).await;
        read["data"].as_array().and_then(|comments| comments.first().cloned())
    })
    .await;
    assert_eq!(first["text"], "First / 100 % 🦀", "{platform}");
    let id = first["id"].as_str().unwrap();
    let text = "Thanks / 100 % 🦀";
    let reply = json!({ "action": "reply", "text": text });
    let (status, answer) = call(api, Method::POST, &format!("{path}/{id}"), Some(&reply)).await;
    assert_eq!((status, &answer["text"]), (200, &json!(text)), "{platform}: {answer}");
    let read = api.get(&path).await;
    let texts: Vec<&Value> = read["data"].as_array().unwrap().iter().map(|c| &c["text"]).collect();
    assert!(texts.contains(&&json!(text)), "{platform}: {texts:?}");
}

async fn afterwards(api: &Api, networks: &Networks, account: &Value, post: &Value) {
    let platform: Platform = account["platform"].as_str().unwrap().parse().unwrap();
    let sheet = platform.sheet();
    let target = &post["targets"][0];
    let (post_id, target_id) = (post["id"].as_str().unwrap(), target["id"].as_str().unwrap());
    let path = format!("/posts/{post_id}/targets/{target_id}");

    let (status, figures) = call(api, Method::POST, &format!("{path}/metrics"), None).await;
    let history = api.get(&format!("{path}/metrics/history")).await;
    if sheet.metric_fields.is_empty() {
        assert_eq!((status, &figures["error"]["code"]), (409, &json!("unsupported")), "{platform}");
    } else if status == 200 {
        assert!(figures["fetchedAt"].is_string(), "{platform}: {figures}");
        assert_eq!(history["data"].as_array().unwrap().last(), Some(&figures), "{platform}");
    } else {
        // Not every account is told figures.
        assert_eq!(figures["error"]["code"], "unsupported", "{platform}: {figures}");
    }
    let insights = api.get(&format!("{path}/insights")).await;
    assert!(insights["supported"].is_boolean(), "{platform}: {insights}");
    comments(api, platform, &path).await;

    let remote = format!("{path}/remote");
    let edit = json!({ "content": format!("Changed on {platform}") });
    // What follows the post comes first.
    let (status, edited) = wait_for("what follows the post", async || {
        let answer = call(api, Method::PATCH, &remote, Some(&edit)).await;
        Some(answer).filter(|(_, body)| body["error"]["code"] != "in_flight")
    })
    .await;
    assert_eq!(target["canEditRemote"], sheet.can_edit_remote, "{platform}");
    if sheet.can_edit_remote {
        assert_eq!(status, 200, "{platform}: {edited}");
        let live = networks.live(platform.as_str()).await;
        let is_changed = |text: &String| text.contains(&format!("Changed on {platform}"));
        assert!(platform == Platform::Youtube || live.keys().any(is_changed), "{live:?}");
    } else {
        assert_eq!((status, &edited["error"]["code"]), (409, &json!("unsupported")), "{platform}");
    }
    let (status, taken) = call(api, Method::DELETE, &remote, None).await;
    if target["canDeleteRemote"] == true {
        assert_eq!((status, &taken["status"]), (200, &json!("skipped")), "{platform}: {taken}");
        let live = networks.live(platform.as_str()).await;
        assert_eq!(live.values().sum::<usize>(), 0, "{platform}: {live:?}");
        let (status, again) = call(api, Method::DELETE, &remote, None).await;
        assert_eq!((status, &again["error"]["code"]), (409, &json!("not_published")));
        let record = api.get(&format!("/posts/{post_id}")).await;
        assert_eq!(record["targets"][0]["remoteId"], taken["remoteId"], "{platform}");
    } else {
        assert_eq!((status, &taken["error"]["code"]), (409, &json!("unsupported")), "{platform}");
    }
}

async fn asked(api: &Api, account: &Value) {
    let platform = account["platform"].as_str().unwrap();
    let id = account["id"].as_str().unwrap();
    for (of, what) in
        [("pinterest", "boards"), ("youtube", "youtube/playlists"), ("tiktok", "tiktok/creator")]
    {
        let path = format!("/oauth/accounts/{id}/{what}");
        let (status, answer) = call(api, Method::GET, &path, None).await;
        let want = if of == platform { 200 } else { 409 };
        assert_eq!(status, want, "{platform} {what}: {answer}");
    }
    let path = format!("/oauth/accounts/{id}/mentions?q=nobody%2F%25");
    let (status, answer) = call(api, Method::GET, &path, None).await;
    assert_eq!(status, 200, "{platform}: {answer}");
    assert!(answer["data"].is_array(), "{platform}");
    if platform == "youtube" {
        let path = format!("/oauth/accounts/{id}/youtube/playlists");
        let body = json!({ "title": "Films / 100 % 🎬", "privacy": "unlisted" });
        for duplicate in [false, true] {
            let (status, made) = call(api, Method::POST, &path, Some(&body)).await;
            assert_eq!(status, StatusCode::CREATED.as_u16(), "{made}");
            assert_eq!(made["duplicate"], duplicate, "{made}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_that_follows_on_every_network() {
    for backend in backends().await {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup { database: backend.url(), ..setup(folder.path(), &networks) };
        let service = setup.serve();
        let api = service.api();
        let accounts = api.get("/oauth/accounts").await["data"].as_array().unwrap().clone();
        assert_eq!(accounts.len(), Platform::ALL.len(), "an account of each");
        let mut media = Vec::new();
        for kind in [MediaKind::Video, MediaKind::Image] {
            media.push((kind, upload(&api, kind).await));
        }
        let each = accounts.iter().map(async |account| {
            let post = published(&api, account, &media).await;
            afterwards(&api, &networks, account, &post).await;
            asked(&api, account).await;
        });
        join_all(each).await;
        let audience = api.get("/oauth/audience").await;
        let reporting = |account: &&Value| {
            let platform: Platform = account["platform"].as_str().unwrap().parse().unwrap();
            platform.sheet().reports_followers
        };
        let series = audience["data"].as_array().unwrap().len();
        assert_eq!(series, accounts.iter().filter(reporting).count());
        let (status, refreshed) = call(&api, Method::POST, "/posts/metrics/refresh", None).await;
        assert_eq!(status, 200, "{refreshed}");
        let (status, again) = call(&api, Method::POST, "/posts/metrics/refresh", None).await;
        assert_eq!((status, &again["error"]["code"]), (429, &json!("rate_limited")));
    }
}
