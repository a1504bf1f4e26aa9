//! Publishing, changing and removing statuses.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, mp4};
use crate::support::{World, png, send};

#[tokio::test]
async fn a_status_is_published_as_json_and_as_a_form() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let body = json!({"status": "Hello #rust", "visibility": "unlisted", "language": "en", "spoiler_text": ""});
    let got = ana.publish(&world, &body).await;
    assert_eq!(got.status, 200, "{got:?}");
    let id = got.text_of("id");
    let base = format!("{}/mastodon", world.sandbox.url());
    assert_eq!(got.text_of("url"), format!("{base}/@ana/{id}"));
    assert_eq!(got.text_of("uri"), format!("{base}/users/ana/statuses/{id}"));
    for (member, want) in [
        ("visibility", json!("unlisted")),
        ("language", json!("en")),
        ("sensitive", json!(false)),
        ("spoiler_text", json!("")),
        ("in_reply_to_id", Value::Null),
        ("edited_at", Value::Null),
        ("replies_count", json!(0)),
        ("media_attachments", json!([])),
    ] {
        assert_eq!(got.body[member], want, "{member}");
    }
    assert_eq!(got.body["account"]["id"], ana.id);
    assert_eq!(got.body["application"]["name"], "Scheduler");
    assert_eq!(got.body["tags"][0]["name"], "rust");
    assert!(got.text_of("content").starts_with("<p>Hello <a href="), "{got:?}");

    let form = ana.request(&world, Method::POST, "/api/v1/statuses");
    let got = send(form.form(&[
        ("status", "by form"),
        ("spoiler_text", "careful"),
        ("visibility", "private"),
    ]))
    .await;
    assert_eq!(
        (&got.body["sensitive"], &got.body["visibility"]),
        (&json!(true), &json!("private"))
    );
    let posts = world.posts("mastodon").await;
    assert_eq!(posts.len(), 2);
    assert_eq!(
        (&posts[0]["text"], &posts[1]["text"]),
        (&json!("Hello #rust"), &json!("careful\n\nby form"))
    );
    assert_eq!((&posts[0]["account"], &posts[0]["author"]), (&json!(ana.id), &json!(ana.acct)));
}

#[tokio::test]
async fn a_key_makes_one_status_for_each_account() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let body = json!({"status": "once"});
    let first = ana.publish_with_key(&world, "k1", &body).await;
    let again = ana.publish_with_key(&world, "k1", &json!({"status": "another text"})).await;
    assert_eq!(
        (again.status, &again.body["id"], again.body["content"].as_str()),
        (200, &first.body["id"], Some("<p>once</p>"))
    );
    let other_key = ana.publish_with_key(&world, "k2", &body).await;
    let other_account = ben.publish_with_key(&world, "k1", &body).await;
    assert_ne!(other_key.body["id"], first.body["id"]);
    assert_ne!(other_account.body["id"], first.body["id"]);
    assert_eq!(world.posts("mastodon").await.len(), 3);

    let path = format!("/api/v1/statuses/{}", first.text_of("id"));
    assert_eq!(send(ana.request(&world, Method::DELETE, &path)).await.status, 200);
    let gone = ana.publish_with_key(&world, "k1", &body).await;
    assert_eq!((gone.status, gone.text_of("error").as_str()), (404, "Record not found"));
}

#[tokio::test]
async fn a_key_is_looked_at_before_files_and_survives_a_lost_answer() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let media = ana.upload(&world, "image/png", png(1)).await;
    let body = json!({"status": "with a dot", "media_ids": [media.body["id"]]});
    world.arm(json!({"platform": "mastodon", "operation": "publish", "kind": "reset_after"})).await;
    let lost = ana.request(&world, Method::POST, "/api/v1/statuses").header("idempotency-key", "k");
    assert!(lost.json(&body).send().await.is_err());
    let again = ana.publish_with_key(&world, "k", &body).await;
    assert_eq!(again.status, 200, "the file is taken by now, and it does not matter: {again:?}");
    let posts = world.posts("mastodon").await;
    assert_eq!((posts.len(), &posts[0]["remoteId"]), (1, &again.body["id"]));
    let without = ana.publish(&world, &body).await;
    assert_eq!(without.status, 422, "{without:?}");
}

#[tokio::test]
async fn a_refused_status_leaves_no_key_behind() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let refused = ana.publish_with_key(&world, "k", &json!({"status": "a".repeat(501)})).await;
    assert_eq!(refused.status, 422);
    let accepted = ana.publish_with_key(&world, "k", &json!({"status": "short"})).await;
    assert_eq!(accepted.status, 200);
}

#[tokio::test]
async fn every_refusal_of_a_status() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let mut images = Vec::new();
    for seed in 0..5 {
        images.push(ana.upload(&world, "image/png", png(seed)).await.body["id"].clone());
    }
    let foreign = ben.upload(&world, "image/png", png(9)).await.body["id"].clone();
    let video = ana.upload(&world, "video/mp4", mp4()).await.body["id"].clone();
    let secret = ben.publish(&world, &json!({"status": "for me", "visibility": "direct"})).await;
    let taken = "not found or already attached to another post";
    for (name, body, status, want) in [
        ("blank", json!({"status": " "}), 422, "Validation failed: Text can't be blank"),
        ("nothing", json!({}), 422, "Validation failed: Text can't be blank"),
        (
            "too long",
            json!({"status": "a".repeat(501)}),
            422,
            "Validation failed: Text character limit of 500 exceeded",
        ),
        (
            "too long with its warning",
            json!({"status": "a".repeat(499), "spoiler_text": "CW"}),
            422,
            "Validation failed: Text character limit of 500 exceeded",
        ),
        (
            "visibility",
            json!({"status": "x", "visibility": "friends"}),
            422,
            "Validation failed: Visibility is not included in the list",
        ),
        (
            "reply to nothing",
            json!({"status": "x", "in_reply_to_id": "1"}),
            404,
            "The post you are trying to reply to does not appear to exist.",
        ),
        (
            "reply to what cannot be seen",
            json!({"status": "x", "in_reply_to_id": secret.body["id"]}),
            404,
            "The post you are trying to reply to does not appear to exist.",
        ),
        (
            "5 files",
            json!({"status": "x", "media_ids": images}),
            422,
            "Cannot attach more than 4 files",
        ),
        ("unknown file", json!({"status": "x", "media_ids": ["1"]}), 422, taken),
        ("file of another", json!({"status": "x", "media_ids": [foreign]}), 422, taken),
        (
            "video in company",
            json!({"status": "x", "media_ids": [images[0], video]}),
            422,
            "Cannot attach a video to a post that already contains images",
        ),
        (
            "video too early",
            json!({"status": "x", "media_ids": [video]}),
            422,
            "Cannot attach files that have not finished processing. Try again in a moment!",
        ),
        (
            "a quote of nothing",
            json!({"status": "x", "quoted_status_id": "1"}),
            404,
            "The post you are trying to quote does not appear to exist.",
        ),
        (
            "a quote of what cannot be seen",
            json!({"status": "x", "quoted_status_id": secret.body["id"]}),
            404,
            "The post you are trying to quote does not appear to exist.",
        ),
    ] {
        let got = ana.publish(&world, &body).await;
        assert_eq!(got.status, status, "{name}: {got:?}");
        assert!(got.text_of("error").contains(want), "{name}: {got:?}");
    }
    assert_eq!(world.posts("mastodon").await.len(), 1, "only the one that is there on purpose");
}

#[tokio::test]
async fn what_is_accepted_at_the_limit() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let image = ana.upload(&world, "image/png", png(1)).await.body["id"].clone();
    let address = format!("https://example.com/{}", "p".repeat(400));
    for (name, body, content) in [
        ("500", json!({"status": "a".repeat(500)}), None),
        ("an address counts 23", json!({"status": format!("{}{address}", "a ".repeat(238))}), None),
        (
            "the domain of a mention does not count",
            json!({"status": format!("@ana@{}.example {}", "d".repeat(60), "a".repeat(495))}),
            None,
        ),
        ("only a file", json!({"media_ids": [image]}), Some("")),
        ("only a warning", json!({"spoiler_text": "careful"}), Some("<p>.</p>")),
    ] {
        let got = ana.publish(&world, &body).await;
        assert_eq!(got.status, 200, "{name}: {got:?}");
        if let Some(content) = content {
            assert_eq!(got.text_of("content"), content, "{name}");
        }
    }
}

#[tokio::test]
async fn a_thread_hangs_together_and_shows_in_the_context() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let root = ana.say(&world, "1").await;
    let reply = |text: &str, to: &Value| json!({"status": text, "in_reply_to_id": to});
    let second = ana.publish(&world, &reply("2", &root.body["id"])).await;
    let third = ana.publish(&world, &reply("3", &second.body["id"])).await;
    ben.publish(&world, &reply("@ana hm", &root.body["id"])).await;
    assert_eq!(third.body["in_reply_to_id"], second.body["id"]);
    assert_eq!(third.body["in_reply_to_account_id"], ana.id);
    let texts = |list: &Value| -> Vec<String> {
        list.as_array()
            .unwrap()
            .iter()
            .map(|status| status["content"].as_str().unwrap().to_owned())
            .collect()
    };
    let context =
        ana.get(&world, &format!("/api/v1/statuses/{}/context", root.text_of("id"))).await;
    let below = texts(&context.body["descendants"]);
    assert_eq!(
        (&below[..2], below.len()),
        (&["<p>2</p>".to_owned(), "<p>3</p>".to_owned()][..], 3)
    );
    let context =
        ana.get(&world, &format!("/api/v1/statuses/{}/context", third.text_of("id"))).await;
    assert_eq!(texts(&context.body["ancestors"]), ["<p>1</p>", "<p>2</p>"]);
    let root = ana.get(&world, &format!("/api/v1/statuses/{}", root.text_of("id"))).await;
    assert_eq!(root.body["replies_count"], 2);
}

#[tokio::test]
async fn an_edit_replaces_everything() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let image = ana.upload(&world, "image/png", png(1)).await.body["id"].clone();
    let body =
        json!({"status": "old", "spoiler_text": "careful", "media_ids": [image], "language": "en"});
    let status = ana.publish(&world, &body).await;
    let path = format!("/api/v1/statuses/{}", status.text_of("id"));

    let mut kept = body.clone();
    kept["status"] = json!("new");
    kept["media_attributes"] = json!([{"id": image, "description": "a better word"}]);
    let edited = ana.call(&world, Method::PUT, &path, &kept).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    assert_eq!(
        (&edited.body["id"], edited.text_of("content").as_str()),
        (&status.body["id"], "<p>new</p>")
    );
    assert_eq!(edited.body["media_attachments"][0]["description"], "a better word");
    assert!(edited.body["edited_at"].is_string());
    let same = ana.call(&world, Method::PUT, &path, &kept).await;
    assert_eq!(same.body["edited_at"], edited.body["edited_at"], "no change, nothing happens");

    let bare = ana.call(&world, Method::PUT, &path, &json!({"status": "bare"})).await;
    assert_eq!(
        (&bare.body["spoiler_text"], &bare.body["media_attachments"]),
        (&json!(""), &json!([]))
    );
    let source = ana.get(&world, &format!("{path}/source")).await;
    assert_eq!(
        (source.text_of("text").as_str(), source.text_of("spoiler_text").as_str()),
        ("bare", "")
    );

    let ben = Actor::new(&world, "ben").await;
    for (name, actor, body, status) in [
        ("too long", &ana, json!({"status": "a".repeat(501)}), 422),
        ("blank", &ana, json!({}), 422),
        ("of another", &ben, json!({"status": "mine"}), 404),
    ] {
        assert_eq!(actor.call(&world, Method::PUT, &path, &body).await.status, status, "{name}");
    }
}

#[tokio::test]
async fn deleting_answers_the_source_once() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let status = ana.say(&world, "short life").await;
    let path = format!("/api/v1/statuses/{}", status.text_of("id"));
    assert_eq!(send(ben.request(&world, Method::DELETE, &path)).await.status, 404);
    let deleted = send(ana.request(&world, Method::DELETE, &path)).await;
    assert_eq!((deleted.status, deleted.text_of("text").as_str()), (200, "short life"));
    for (name, method) in [("again", Method::DELETE), ("read", Method::GET)] {
        let got = send(ana.request(&world, method, &path)).await;
        assert_eq!(
            (got.status, got.text_of("error").as_str()),
            (404, "Record not found"),
            "{name}"
        );
    }
    let posts = world.posts("mastodon").await;
    assert_eq!((posts.len(), &posts[0]["deleted"]), (1, &json!(true)));
}

#[tokio::test]
async fn what_is_taken_for_spam_is_answered_and_not_kept() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let first = ana.say(&world, "CHEAP WATCHES").await;
    assert_eq!(first.status, 200, "nobody is spoken to");
    let parent = &first.body["id"];
    for (name, body, is_kept) in [
        ("to somebody", json!({"status": "@ben cheap watches"}), false),
        ("in reply", json!({"status": "cheap watches", "in_reply_to_id": parent}), false),
        ("another text", json!({"status": "@ben hi", "in_reply_to_id": parent}), true),
    ] {
        let got = ana.publish_with_key(&world, name, &body).await;
        assert_eq!(got.status, 200, "{name}");
        let path = format!("/api/v1/statuses/{}", got.text_of("id"));
        assert_eq!(ana.get(&world, &path).await.status == 200, is_kept, "{name}");
        let again = ana.publish_with_key(&world, name, &body).await;
        assert_eq!(
            again.body["id"] == got.body["id"],
            is_kept,
            "{name}: the key is not remembered"
        );
    }
    assert_eq!(world.posts("mastodon").await.len(), 2);
}

#[tokio::test]
async fn a_poll_is_shown_and_what_breaks_its_rules_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let poll = json!({"options": ["Tea", "Coffee"], "expires_in": 300, "multiple": true});
    let got = ana.publish(&world, &json!({"status": "Which?", "poll": poll})).await;
    assert_eq!(got.status, 200, "{got:?}");
    assert_eq!(got.body["poll"]["options"][1], json!({"title": "Coffee", "votes_count": 0}));
    assert_eq!(got.body["poll"]["multiple"], true);
    let hidden = json!({"options": ["a", "b"], "expires_in": 2_629_746, "hide_totals": true});
    let got = ana.publish(&world, &json!({"status": "x", "poll": hidden})).await;
    assert_eq!(got.body["poll"]["options"][0]["votes_count"], Value::Null);

    let long = "é".repeat(51);
    for (name, options, seconds, words) in [
        ("one", json!(["a"]), 300, "more than one item"),
        ("five", json!(["a", "b", "c", "d", "e"]), 300, "more than 4 items"),
        ("a long one", json!(["a", long]), 300, "longer than 50"),
        ("the same twice", json!(["a", "a "]), 300, "duplicate"),
        ("too short", json!(["a", "b"]), 299, "too soon"),
        ("too long", json!(["a", "b"]), 2_629_747, "too far"),
    ] {
        let poll = json!({"options": options, "expires_in": seconds});
        let got = ana.publish(&world, &json!({"status": "x", "poll": poll})).await;
        assert_eq!(got.status, 422, "{name}");
        assert!(got.text_of("error").contains(words), "{name}: {got:?}");
    }
    let file = ana.upload(&world, "image/png", png(1)).await.text_of("id");
    let both = json!({"status": "x", "poll": poll, "media_ids": [file]});
    assert_eq!(ana.publish(&world, &both).await.status, 422);
}

#[tokio::test]
async fn who_may_quote_a_status() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (policy, visibility, status, automatic) in [
        ("public", "public", 200, json!(["public"])),
        ("followers", "unlisted", 200, json!(["followers"])),
        ("nobody", "public", 200, json!([])),
        ("public", "private", 200, json!([])),
        ("friends", "public", 422, Value::Null),
    ] {
        let body = json!({
            "status": "x", "visibility": visibility, "quote_approval_policy": policy,
        });
        let got = ana.publish(&world, &body).await;
        assert_eq!(got.status, status, "{policy}");
        assert_eq!(got.body["quote_approval"]["automatic"], automatic, "{policy} {visibility}");
    }
}
