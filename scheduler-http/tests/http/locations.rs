//! Every answer 201 of the two APIs says in `Location` where that is which was made.

use std::collections::BTreeSet;

use http::Method;
use scheduler_core::platform::Platform;
use scheduler_core::session::Role;
use serde_json::{Value, json};

use crate::application::member;
use crate::exchange::DOCUMENT;
use crate::support::{Answer, Client, World, server_url};

/// Where a `Location` leads.
#[derive(Clone, Copy, Debug)]
enum LeadsTo {
    /// To what was made, alone: a GET there answers 200, and has its id.
    It,
    /// To the list or the value in which what was made is read: a GET answers 200.
    WhereItIsRead,
    /// To an address that can be removed and not read; it is read in this list.
    WhatIsListed(&'static str),
    /// To a page for whoever was sent the link, without a key.
    Page,
    /// To where a secret of the answer is exchanged for what it stands for.
    TheExchange,
}

/// Every operation of the two documents that answers 201, by its path.
fn operations() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        let base = if path.starts_with("/app/v1/") { "" } else { "/v1" };
        for (method, operation) in item.as_object().unwrap() {
            if operation["responses"]["201"].is_object() {
                assert_eq!(method, "post", "{path}");
                found.insert(format!("{base}{path}"));
            }
        }
    }
    found
}

/// Holds the answer to a request that makes something against where it is to lead.
async fn follow(client: &Client, name: &str, answer: &Answer, leads: LeadsTo) {
    assert_eq!(answer.status, 201, "{name}: {}", answer.text());
    let location = answer.header("location").unwrap_or_else(|| panic!("{name} has no Location"));
    match leads {
        LeadsTo::It => {
            let read = client.get(location).await;
            assert_eq!(read.status, 200, "{name}: {location}: {}", read.text());
            let (made, read) = (answer.json(), read.json());
            let id = if made["id"].is_string() { &made["id"] } else { &made["media"]["id"] };
            assert_eq!(&read["id"], id, "{name}: {location}");
        }
        LeadsTo::WhereItIsRead => {
            let read = client.get(location).await;
            assert_eq!(read.status, 200, "{name}: {location}: {}", read.text());
        }
        LeadsTo::WhatIsListed(list) => {
            let id = answer.json()["id"].clone();
            assert_eq!(location, format!("{list}/{}", id.as_str().unwrap()), "{name}");
            let listed = client.get(list).await.json()["data"].clone();
            let has_it = async || {
                let listed = client.get(list).await.json()["data"].clone();
                listed.as_array().unwrap().iter().any(|one| one["id"] == id)
            };
            assert!(has_it().await, "{name}: {listed}");
            assert_eq!(client.get(location).await.status, 405, "{name}: it can be read by now");
            assert_eq!(client.delete(location).await.status, 204, "{name}: {location}");
            assert!(!has_it().await, "{name}");
        }
        LeadsTo::Page => {
            let path = location.strip_prefix(server_url().as_str()).unwrap();
            let page = client.without("authorization").get_elsewhere(path).await;
            assert_eq!(page.status, 200, "{name}: {location}: {}", page.text());
        }
        LeadsTo::TheExchange => {
            let secret = json!({"secret": answer.json()["secret"]});
            let exchanged = client.without("authorization").post(location, &secret).await;
            assert_eq!(exchanged.status, 202, "{name}: nobody has confirmed it yet");
        }
    }
}

#[tokio::test]
async fn a_location_leads_to_what_was_made() {
    let world = World::everywhere().await;
    let client = world.serve().await;
    let owner = member(&world, &client, Role::Owner, false).await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let channel = world.connect(Platform::Youtube, "b").await;
    let picture = world.ready_file().await.to_string();
    let later = json!({"scheduledAt": world.now() + chrono::TimeDelta::hours(3)});
    let scheduled = world.post(&account, "x", later).await.id;
    let login = client.post("/app/v1/login", &json!({"client": "a phone"})).await.json();
    let target = json!({"platform": "bluesky", "accountId": account.id});
    let feed = "https://blog.example/feed.xml";
    let rule = json!({"rrule": "FREQ=DAILY", "start": "2026-01-01T09:00"});
    let entries = json!([{"post": {"targets": [target]}, "texts": ["a", "b"]}]);
    let slack = "https://hooks.example/services/T0/B0/secret";
    let cases: [(&str, Value, LeadsTo); 17] = [
        (
            "/v1/posts",
            json!({"content": "x", "saveAsDraft": true, "targets": [target]}),
            LeadsTo::It,
        ),
        ("/v1/media", json!({"kind": "image", "sizeBytes": 4}), LeadsTo::It),
        ("/v1/media/{id}/versions", json!({"crop": {"ratio": "4:5"}}), LeadsTo::It),
        (
            "/v1/workspace/webhooks",
            json!({"url": "https://receiver.example"}),
            LeadsTo::WhatIsListed("/v1/workspace/webhooks"),
        ),
        // Networks show playlists in a list alone.
        (
            "/v1/oauth/accounts/{id}/youtube/playlists",
            json!({"title": "News"}),
            LeadsTo::WhereItIsRead,
        ),
        ("/app/v1/accounts/connect", json!({"platform": "bluesky"}), LeadsTo::Page),
        (
            "/app/v1/account-sets",
            json!({"name": "All", "accountIds": [account.id]}),
            LeadsTo::WhatIsListed("/app/v1/account-sets"),
        ),
        ("/app/v1/approvals", json!({"postIds": [scheduled]}), LeadsTo::Page),
        ("/app/v1/calendar-feed", Value::Null, LeadsTo::WhereItIsRead),
        ("/app/v1/feeds", json!({"name": "Blog", "url": feed, "targets": [target]}), LeadsTo::It),
        (
            "/app/v1/keys",
            json!({"name": "script", "preset": "read"}),
            LeadsTo::WhatIsListed("/app/v1/keys"),
        ),
        ("/app/v1/login", json!({"client": "a laptop"}), LeadsTo::TheExchange),
        (
            "/app/v1/login/confirm",
            json!({"code": login["code"], "role": "reader"}),
            LeadsTo::WhatIsListed("/app/v1/sessions"),
        ),
        ("/app/v1/media/links", json!({"files": 1}), LeadsTo::Page),
        (
            "/app/v1/notifiers",
            json!({"channel": "slack", "address": slack}),
            LeadsTo::WhatIsListed("/app/v1/notifiers"),
        ),
        (
            "/app/v1/recurring",
            json!({"name": "Bread", "rule": rule, "entries": entries}),
            LeadsTo::It,
        ),
        // The link becomes a session once somebody opens it, and is itself in no list.
        ("/app/v1/sessions/links", json!({"role": "reader"}), LeadsTo::WhereItIsRead),
    ];
    let walked: BTreeSet<String> = cases.iter().map(|(path, ..)| (*path).to_owned()).collect();
    assert_eq!(walked, operations(), "every operation that answers 201");
    for (path, body, leads) in cases {
        let of_api = path.starts_with("/v1/");
        let client = if of_api { &client } else { &owner };
        let id = if path.contains("/media/") { picture.clone() } else { channel.id.to_string() };
        let path = path.replace("{id}", &id);
        let answer = match body {
            Value::Null => client.send(Method::POST, &path, "").await,
            body => client.post(&path, &body).await,
        };
        follow(client, &path, &answer, leads).await;
    }
}
