//! Making, finding and deleting posts.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, encoded, post};
use crate::support::{World, send};

#[tokio::test]
async fn a_post_is_answered_by_a_header_and_shown_as_readers_see_it() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let urn = ana.say(&world, r"Hello \(world\) {hashtag|\#|rust}").await;
    assert!(urn.starts_with("urn:li:share:"), "{urn}");
    let cut = ana.say(&world, "Hello (world) again").await;
    let posts = world.posts("linkedin").await;
    let texts: Vec<&Value> = posts.iter().map(|post| &post["text"]).collect();
    assert_eq!(texts, ["Hello (world) #rust", "Hello "], "cut without a word");
    assert_eq!(posts[0]["account"], ana.member);
    let read = ana.get(&world, &format!("/rest/posts/{}", encoded(&cut))).await;
    assert_eq!((read.status, &read.body["commentary"]), (200, &json!("Hello (world) again")));
    let page = world.get(&format!("/linkedin/feed/update/{urn}/")).await;
    assert_eq!(page.status, 302);
}

#[tokio::test]
async fn a_duplicate_is_refused_and_names_the_first() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let urn = ana.say(&world, "twice").await;
    let got = ana.publish(&world, &post(&ana.member, "twice")).await;
    assert_eq!((got.status, code(&got)), (422, "DUPLICATE_POST"));
    assert_eq!(got.text_of("message"), format!("Content is a duplicate of {urn}"));
    assert_eq!(ana.publish(&world, &post(&ana.page, "twice")).await.status, 201, "as the page");
    let mut other = post(&ana.member, "twice");
    other["content"] = json!({ "article": { "source": "https://a.example", "title": "A" } });
    assert_eq!(ana.publish(&world, &other).await.status, 201, "with something else");

    for _ in 0..2 {
        let gone = ana.delete(&world, &format!("/rest/posts/{}", encoded(&urn))).await;
        assert_eq!(gone.status, 204);
    }
    let ghost = ana.publish(&world, &post(&ana.member, "twice")).await;
    assert_eq!(ghost.status, 422, "a deleted post is remembered");
    assert_eq!(ana.get(&world, &format!("/rest/posts/{}", encoded(&urn))).await.status, 404);
}

#[tokio::test]
async fn the_latest_posts_of_an_author() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let mut urns = Vec::new();
    for text in ["a", "b", "c"] {
        urns.push(ana.say(&world, text).await);
    }
    let path =
        format!("/rest/posts?q=author&author={}&count=2&sortBy=CREATED", encoded(&ana.member));
    let finder = ana.request(&world, Method::GET, &path).header("x-restli-method", "FINDER");
    let got = send(finder).await;
    let found: Vec<&str> = got.body["elements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|post| post["id"].as_str().unwrap())
        .collect();
    assert_eq!(found, [urns[2].as_str(), urns[1].as_str()]);
    assert!(got.body["elements"][0]["createdAt"].as_i64().unwrap() > 1_700_000_000_000);
    assert_eq!(ana.get(&world, &path).await.status, 400, "without the header");
}

#[tokio::test]
async fn everything_that_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let whole = post(&ana.member, "x");
    let changed = |field: &str, value: Value| {
        let mut body = whole.clone();
        body[field] = value;
        body
    };
    let long = |count: usize| changed("commentary", json!(r"\(".repeat(count)));
    let media = |content: Value| changed("content", content);
    let images: Vec<Value> = (0..21).map(|_| json!({ "id": "urn:li:image:1" })).collect();
    for (name, body, status, want) in [
        ("at its length", long(3000), 201, ""),
        ("too long", long(3001), 400, "FIELD_LENGTH_TOO_LONG"),
        ("no text", changed("commentary", Value::Null), 400, "MISSING_FIELD"),
        ("empty", changed("commentary", json!("")), 400, "MISSING_FIELD"),
        ("no distribution", changed("distribution", json!({})), 400, "MISSING_FIELD"),
        ("visibility", changed("visibility", json!("ALL")), 400, "INVALID_VALUE_FOR_FIELD"),
        ("another member", changed("author", json!(ben.member)), 403, "ACCESS_DENIED"),
        ("another page", changed("author", json!(ben.page)), 403, "ACCESS_DENIED"),
        (
            "no such file",
            media(json!({ "media": { "id": "urn:li:image:1" } })),
            400,
            "INVALID_URN_ID",
        ),
        (
            "one of several",
            media(json!({ "multiImage": { "images": images[..1] } })),
            400,
            "FIELD_ARRAY_SIZE_TOO_HIGH",
        ),
        (
            "too many",
            media(json!({ "multiImage": { "images": images } })),
            400,
            "FIELD_ARRAY_SIZE_TOO_HIGH",
        ),
        (
            "a link with a picture that is none",
            media(json!({ "article": {
                "source": "x", "title": "X", "thumbnail": "https://a.example/x.png",
            } })),
            400,
            "INVALID_VALUE_FOR_FIELD",
        ),
        (
            "a link with a picture that is not there",
            media(json!({ "article": {
                "source": "x", "title": "X", "thumbnail": "urn:li:image:missing",
            } })),
            400,
            "INVALID_URN_ID",
        ),
        (
            "a link without title",
            media(json!({ "article": { "source": "x" } })),
            400,
            "MISSING_FIELD",
        ),
    ] {
        let got = ana.publish(&world, &body).await;
        assert_eq!((got.status, code(&got)), (status, want), "{name}");
    }
}

#[tokio::test]
async fn headers_and_names_in_paths() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let urn = ana.say(&world, "x").await;
    let path = format!("/rest/posts/{}", encoded(&urn));
    let bare = |version: Option<&str>, protocol: Option<&str>, token: &str, path: &str| {
        let mut request = world.request(Method::GET, &format!("/linkedin{path}"));
        for (name, value) in
            [("linkedin-version", version), ("x-restli-protocol-version", protocol)]
        {
            if let Some(value) = value {
                request = request.header(name, value);
            }
        }
        send(request.bearer_auth(token))
    };
    let rest = Some("2.0.0");
    for (name, version, protocol, token, path, status, want) in [
        ("good", Some("202609"), rest, &ana.token, &path, 200, ""),
        ("no version", None, rest, &ana.token, &path, 400, "VERSION_MISSING"),
        ("retired", Some("202511"), rest, &ana.token, &path, 426, "NONEXISTENT_VERSION"),
        ("no version at all", Some("2026"), rest, &ana.token, &path, 426, "NONEXISTENT_VERSION"),
        ("protocol", Some("202607"), None, &ana.token, &path, 400, "INVALID_VALUE_FOR_FIELD"),
        ("token", Some("202607"), rest, &"x".to_owned(), &path, 401, "INVALID_ACCESS_TOKEN"),
        ("no token", Some("202607"), rest, &String::new(), &path, 401, "EMPTY_ACCESS_TOKEN"),
        (
            "not encoded",
            Some("202607"),
            rest,
            &ana.token,
            &format!("/rest/posts/{urn}"),
            400,
            "ILLEGAL_ARGUMENT",
        ),
        (
            "unknown",
            Some("202607"),
            rest,
            &ana.token,
            &"/rest/x".to_owned(),
            404,
            "RESOURCE_NOT_FOUND",
        ),
    ] {
        let got = bare(version, protocol, token, path).await;
        assert_eq!((got.status, code(&got)), (status, want), "{name}");
    }
}

/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>,
/// "Reshare a post" and `visibility`.
#[tokio::test]
async fn whom_posts_are_shown_to_and_what_they_share() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let shared = ana.say(&world, "first").await;
    let with = |author: &str, text: &str, changes: Value| {
        let mut body = post(author, text);
        for (name, value) in changes.as_object().unwrap() {
            body[name] = value.clone();
        }
        body
    };
    let sharing = |parent: &str| json!({ "reshareContext": { "parent": parent } });
    let with_link = json!({
        "reshareContext": { "parent": shared },
        "content": { "article": { "source": "https://a.example", "title": "A" } },
    });
    let connections = json!({ "visibility": "CONNECTIONS" });
    for (name, body, status, want) in [
        ("connections", with(&ana.member, "a", connections.clone()), 201, ""),
        ("of a page", with(&ana.page, "b", connections), 400, "INVALID_VALUE_FOR_FIELD"),
        (
            "a group",
            with(&ana.member, "c", json!({ "visibility": "CONTAINER" })),
            400,
            "MISSING_FIELD",
        ),
        (
            "not to be shared",
            with(&ana.member, "d", json!({ "isReshareDisabledByAuthor": true })),
            201,
            "",
        ),
        ("a share", with(&ana.member, "e", sharing(&shared)), 201, ""),
        (
            "an activity",
            with(&ana.member, "f", sharing("urn:li:activity:1")),
            400,
            "INVALID_URN_TYPE",
        ),
        ("no such post", with(&ana.member, "g", sharing("urn:li:share:1")), 400, "INVALID_URN_ID"),
        ("with a link", with(&ana.member, "h", with_link), 400, "INVALID_VALUE_FOR_FIELD"),
    ] {
        let got = ana.publish(&world, &body).await;
        assert_eq!((got.status, code(&got)), (status, want), "{name}: {got:?}");
    }
    let path = format!("/rest/posts?q=author&author={}&count=10", encoded(&ana.member));
    let request = ana.request(&world, Method::GET, &path).header("x-restli-method", "FINDER");
    let listed = send(request).await;
    assert_eq!(listed.body["elements"][0]["reshareContext"]["parent"], json!(shared));
    assert_eq!(listed.body["elements"][1]["isReshareDisabledByAuthor"], true);
    assert_eq!(listed.body["elements"][2]["visibility"], "CONNECTIONS");
}

/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/poll-post-api>.
#[tokio::test]
async fn polls() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let poll = |pointer: &str, value: Value| {
        let mut body = post(&ana.member, &format!("a poll {pointer} {value}"));
        body["content"] = json!({ "poll": {
            "question": "Which?",
            "options": [{ "text": "Tea" }, { "text": "Coffee" }],
            "settings": {
                "duration": "THREE_DAYS",
                "voteSelectionType": "SINGLE_VOTE",
                "isVoterVisibleToAuthor": true,
            },
        } });
        if !pointer.is_empty() {
            *body["content"]["poll"].pointer_mut(pointer).unwrap() = value;
        }
        body
    };
    let options = |count: usize| -> Value {
        (0..count).map(|number| json!({ "text": number.to_string() })).collect()
    };
    for (name, pointer, value, status) in [
        ("as it should be", "", Value::Null, 201),
        ("a question of 140", "/question", json!("q".repeat(140)), 201),
        ("a question of 141", "/question", json!("q".repeat(141)), 400),
        ("no question", "/question", json!(" "), 400),
        ("an option of 30", "/options/0/text", json!("o".repeat(30)), 201),
        ("an option of 31", "/options/0/text", json!("o".repeat(31)), 400),
        ("4 options", "/options", options(4), 201),
        ("5 options", "/options", options(5), 400),
        ("1 option", "/options", options(1), 400),
        ("another duration", "/settings/duration", json!("TWO_DAYS"), 400),
        ("several votes", "/settings/voteSelectionType", json!("MULTIPLE_VOTE"), 400),
    ] {
        let got = ana.publish(&world, &poll(pointer, value)).await;
        let want = if status == 201 { "" } else { "INVALID_VALUE_FOR_FIELD" };
        assert_eq!((got.status, code(&got)), (status, want), "{name}: {got:?}");
    }
    let mut beside = poll("", Value::Null);
    beside["content"]["article"] = json!({ "source": "https://a.example", "title": "A" });
    assert_eq!(ana.publish(&world, &beside).await.status, 400);
}
