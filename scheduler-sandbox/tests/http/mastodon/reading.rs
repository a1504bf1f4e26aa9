//! Reading statuses, accounts and figures; likes.

use reqwest::Method;
use serde_json::{Value, json};

use super::Actor;
use crate::support::{World, send};

fn ids(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_server_describes_its_limits() {
    let world = World::default().await;
    let instance = world.get("/mastodon/api/v2/instance").await;
    let limits = &instance.body["configuration"];
    assert_eq!(
        limits["statuses"],
        json!({"max_characters": 500, "max_media_attachments": 4, "characters_reserved_per_url": 23})
    );
    assert_eq!(limits["media_attachments"]["image_size_limit"], 16_777_216);
    assert_eq!(
        (&instance.body["version"], &instance.body["api_versions"]["mastodon"]),
        (&json!("4.6.5"), &json!(11))
    );
    let older = world.get("/mastodon/api/v1/instance").await;
    assert_eq!(&older.body["configuration"]["statuses"], &limits["statuses"]);
    for (name, want) in [("x-ratelimit-limit", "300"), ("x-ratelimit-remaining", "299")] {
        assert_eq!(instance.header(name), Some(want));
    }
    let reset = instance.header("x-ratelimit-reset").unwrap();
    assert!(reset.ends_with('Z') && reset.contains('T'), "{reset}");
    let nothing = world.get("/mastodon/api/v9/none").await;
    assert_eq!(nothing.status, 404);
}

#[tokio::test]
async fn several_statuses_at_once() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let first = ana.say(&world, "1").await.text_of("id");
    let second = ana.say(&world, "2").await.text_of("id");
    let path = format!("/api/v1/statuses?id[]={first}&id[]=1&id[]={second}");
    let got = ana.get(&world, &path).await;
    assert_eq!(ids(&got.body), [first.clone(), second], "what is gone is left out");
    let many = vec![format!("id[]={first}"); 21].join("&");
    assert_eq!(ana.get(&world, &format!("/api/v1/statuses?{many}")).await.status, 422);
}

#[tokio::test]
async fn the_statuses_of_an_account_newest_first() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let mut made = Vec::new();
    for number in 0..4 {
        made.push(ana.say(&world, &format!("{number}")).await.text_of("id"));
    }
    ana.publish(&world, &json!({"status": "reply", "in_reply_to_id": made[0]})).await;
    ana.publish(&world, &json!({"status": "secret", "visibility": "private"})).await;
    ana.publish(&world, &json!({"status": "@ben psst", "visibility": "direct"})).await;
    let path =
        |rest: &str| format!("/api/v1/accounts/{}/statuses?exclude_reblogs=true{rest}", ana.id);
    for (name, actor, rest, want) in [
        ("own", &ana, "", 7),
        ("limited", &ana, "&limit=2", 2),
        ("another sees what is public or for them", &ben, "", 6),
        ("without replies", &ana, "&exclude_replies=true", 6),
        ("older than", &ana, &format!("&max_id={}", made[2]), 2),
        ("newer than", &ana, &format!("&since_id={}", made[2]), 4),
        ("only files", &ana, "&only_media=true", 0),
    ] {
        let got = actor.get(&world, &path(rest)).await;
        assert_eq!(ids(&got.body).len(), want, "{name}");
        assert!(ids(&got.body).windows(2).all(|pair| pair[0] > pair[1]), "{name}");
    }
    assert_eq!(ana.get(&world, "/api/v1/accounts/1/statuses").await.status, 404);
}

#[tokio::test]
async fn what_is_not_public_is_not_found_by_others() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    for (visibility, text, seen_by_ben, seen_by_all) in [
        ("public", "x", true, true),
        ("unlisted", "x", true, true),
        ("private", "x", false, false),
        ("direct", "x", false, false),
        ("direct", "@ben x", true, false),
    ] {
        let status = ana.publish(&world, &json!({"status": text, "visibility": visibility})).await;
        let path = format!("/api/v1/statuses/{}", status.text_of("id"));
        let name = format!("{visibility} {text}");
        assert_eq!(ben.get(&world, &path).await.status == 200, seen_by_ben, "{name}");
        assert_eq!(
            world.get(&format!("/mastodon{path}")).await.status == 200,
            seen_by_all,
            "{name}"
        );
        assert_eq!(ana.get(&world, &path).await.status, 200, "{name}");
        assert_eq!(ben.get(&world, &format!("{path}/source")).await.status, 404, "{name}");
    }
}

#[tokio::test]
async fn likes_can_be_given_and_taken_back_any_number_of_times() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let id = ana.say(&world, "x").await.text_of("id");
    for (action, count) in
        [("favourite", 1), ("favourite", 1), ("unfavourite", 0), ("unfavourite", 0)]
    {
        let path = format!("/api/v1/statuses/{id}/{action}");
        let got = send(ben.request(&world, Method::POST, &path)).await;
        assert_eq!(
            (&got.body["favourites_count"], &got.body["favourited"]),
            (&json!(count), &json!(count == 1)),
            "{action}"
        );
    }
    let gone = send(ben.request(&world, Method::POST, "/api/v1/statuses/1/favourite")).await;
    assert_eq!(gone.status, 404);
}

#[tokio::test]
async fn accounts_are_found_by_name() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    Actor::new(&world, "Anton B").await;
    Actor::new(&world, "ben").await;
    let me = ana.get(&world, "/api/v1/accounts/verify_credentials").await;
    assert_eq!(
        (&me.body["id"], &me.body["acct"], &me.body["source"]["privacy"]),
        (&json!(ana.id), &json!("ana"), &json!("public"))
    );
    assert!(me.body["followers_count"].is_u64());
    let found = ana.get(&world, "/api/v1/accounts/search?q=an&limit=10&resolve=false").await;
    let names: Vec<&Value> =
        found.body.as_array().unwrap().iter().map(|account| &account["acct"]).collect();
    assert_eq!(names, ["ana", "anton_b"]);
}

#[tokio::test]
async fn the_history_of_a_status_from_its_first_version_on() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let id = ana.say(&world, "first").await.text_of("id");
    let path = format!("/api/v1/statuses/{id}");
    for text in ["second", "third"] {
        let edit = json!({"status": text, "spoiler_text": "CW"});
        assert_eq!(ana.call(&world, Method::PUT, &path, &edit).await.status, 200);
    }
    let got = ana.get(&world, &format!("{path}/history")).await;
    let shown: Vec<(&str, bool)> = got
        .body
        .as_array()
        .unwrap()
        .iter()
        .map(|version| {
            let content = version["content"].as_str().unwrap();
            (content, version["sensitive"].as_bool().unwrap())
        })
        .collect();
    assert_eq!(shown, [("<p>first</p>", false), ("<p>second</p>", true), ("<p>third</p>", true)]);
    assert_eq!(got.body[2]["account"]["id"], ana.id);
    assert_eq!(ana.get(&world, "/api/v1/statuses/1/history").await.status, 404);
}

/// Members that the official description demands.
#[tokio::test]
async fn what_every_client_may_expect_is_there() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let me = ana.get(&world, "/api/v1/accounts/verify_credentials").await.body;
    assert_eq!((&me["indexable"], &me["role"]["highlighted"]), (&json!(false), &json!(false)));
    let instance = world.get("/mastodon/api/v2/instance").await.body;
    assert!(instance["thumbnail"]["url"].is_string() && instance["icon"].is_array());
    let app = ana.get(&world, "/api/v1/apps/verify_credentials").await.body;
    for member in ["id", "redirect_uri", "vapid_key"] {
        assert!(app[member].is_string(), "{member}: {app}");
    }
}
