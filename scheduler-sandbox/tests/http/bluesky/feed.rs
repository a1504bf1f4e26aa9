//! Posts and accounts as readers see them.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, CREATED_AT, post, query, reply, rkey};
use crate::support::{World, send};

const PUT: &str = "com.atproto.repo.putRecord";
const LIKE: &str = "app.bsky.feed.like";

#[tokio::test]
async fn likes_and_replies_are_counted() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let root = ana.put(&world, &rkey(0), &post("root")).await;
    let comment = ben.put(&world, &rkey(1), &reply("comment", &root, &root)).await;
    let subject = json!({"uri": root.body["uri"], "cid": root.body["cid"]});
    let like = json!({"$type": LIKE, "subject": subject, "createdAt": CREATED_AT});
    for number in 2..4 {
        let got = ben
            .call(&world, "com.atproto.repo.createRecord", &ben.write(LIKE, &rkey(number), &like))
            .await;
        assert_eq!(got.status, 200, "{got:?}");
    }
    let (root_uri, comment_uri) = (root.text_of("uri"), comment.text_of("uri"));
    let gone = format!("at://{}/app.bsky.feed.post/{}", ana.did, rkey(9));
    let uris = [("uris", root_uri.as_str()), ("uris", &gone), ("uris", &comment_uri)];
    let got = query(&world, "app.bsky.feed.getPosts", &uris).await;
    let posts = got.body["posts"].as_array().unwrap();
    assert_eq!(posts.len(), 2, "what is gone is left out");
    let counts = |post: &Value| {
        [&post["likeCount"], &post["replyCount"], &post["quoteCount"], &post["repostCount"]]
            .map(Value::as_u64)
    };
    assert_eq!(
        counts(&posts[0]),
        [Some(1), Some(1), Some(0), Some(0)],
        "a second like counts once"
    );
    assert_eq!(posts[1]["author"]["handle"], "ben.test");

    let many = vec![("uris", root_uri.as_str()); 26];
    let over = query(&world, "app.bsky.feed.getPosts", &many).await;
    assert_eq!((over.status, over.text_of("error")), (400, "InvalidRequest".to_owned()));
}

#[tokio::test]
async fn a_hidden_reply_stands_in_the_gate_of_its_thread() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let root = ana.put(&world, &rkey(0), &post("root")).await;
    let comment = ben.put(&world, &rkey(1), &reply("rude", &root, &root)).await;
    let gate = json!({
        "$type": "app.bsky.feed.threadgate",
        "post": root.body["uri"],
        "createdAt": CREATED_AT,
        "hiddenReplies": [comment.body["uri"]],
    });
    let body = ana.write("app.bsky.feed.threadgate", &rkey(0), &gate);
    assert_eq!(ana.call(&world, PUT, &body).await.status, 200);
    let uri = root.text_of("uri");
    let thread = query(&world, "app.bsky.feed.getPostThread", &[("uri", &uri)]).await;
    assert_eq!(thread.body["threadgate"]["record"]["hiddenReplies"][0], comment.body["uri"]);
    assert_eq!(
        thread.body["thread"]["replies"][0]["post"]["threadgate"]["uri"],
        thread.body["threadgate"]["uri"]
    );

    let none = query(
        &world,
        "app.bsky.feed.getPostThread",
        &[("uri", "at://did:plc:x/app.bsky.feed.post/y")],
    )
    .await;
    assert_eq!((none.status, none.text_of("error")), (400, "NotFound".to_owned()));
    let shallow =
        query(&world, "app.bsky.feed.getPostThread", &[("uri", &uri), ("depth", "0")]).await;
    assert_eq!(shallow.body["thread"].get("replies"), None);
    let below = comment.text_of("uri");
    let from_below = query(&world, "app.bsky.feed.getPostThread", &[("uri", &below)]).await;
    assert_eq!(from_below.body["thread"]["parent"]["post"]["uri"], root.body["uri"]);
}

#[tokio::test]
async fn accounts_are_found_by_name() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    Actor::new(&world, "anton").await;
    Actor::new(&world, "ben").await;
    ana.put(&world, &rkey(0), &post("one")).await;
    let profile = query(&world, "app.bsky.actor.getProfile", &[("actor", &ana.handle)]).await;
    assert_eq!((&profile.body["did"], &profile.body["postsCount"]), (&json!(ana.did), &json!(1)));
    assert!(profile.body["followersCount"].is_u64());
    let nobody = query(&world, "app.bsky.actor.getProfile", &[("actor", "no.test")]).await;
    assert_eq!((nobody.status, nobody.text_of("error")), (400, "InvalidRequest".to_owned()));
    let found =
        query(&world, "app.bsky.actor.searchActorsTypeahead", &[("q", "an"), ("limit", "10")])
            .await;
    let mut handles: Vec<&str> = found.body["actors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|actor| actor["handle"].as_str().unwrap())
        .collect();
    handles.sort_unstable();
    assert_eq!(handles, ["ana.test", "anton.test"]);
}

#[tokio::test]
async fn questions_are_passed_on_to_the_service_for_readers_alone() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for (service, status) in
        [("did:web:api.bsky.app#bsky_appview", 200), ("did:web:api.bsky.app#other", 400)]
    {
        let request = world
            .request(Method::GET, "/bluesky/xrpc/app.bsky.actor.getProfile")
            .query(&[("actor", &ana.did)])
            .header("atproto-proxy", service);
        assert_eq!(send(request).await.status, status, "{service}");
    }
}

#[tokio::test]
async fn a_like_is_taken_back_and_a_hidden_reply_shown_again() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let root = ana.put(&world, &rkey(0), &post("root")).await;
    let comment = ben.put(&world, &rkey(1), &reply("comment", &root, &root)).await;
    let subject = json!({"uri": comment.body["uri"], "cid": comment.body["cid"]});
    let like = json!({"$type": LIKE, "subject": subject, "createdAt": CREATED_AT});
    let input = json!({"repo": ana.did, "collection": LIKE, "record": like});
    let liked = ana.call(&world, "com.atproto.repo.createRecord", &input).await;
    assert_eq!(liked.status, 200, "{liked:?}");
    let uri = comment.text_of("uri");
    let viewed = async || {
        let request = world
            .request(Method::GET, "/bluesky/xrpc/app.bsky.feed.getPosts")
            .query(&[("uris", &uri)])
            .bearer_auth(&ana.access);
        send(request).await.body["posts"][0].clone()
    };
    let view = viewed().await;
    assert_eq!((&view["likeCount"], &view["viewer"]["like"]), (&json!(1), &liked.body["uri"]));
    let likes = query(
        &world,
        "com.atproto.repo.listRecords",
        &[("repo", &ana.did), ("collection", LIKE), ("limit", "100")],
    )
    .await;
    assert_eq!(likes.body["records"][0]["value"]["subject"]["uri"], json!(uri));
    let key = liked.text_of("uri").rsplit('/').next().unwrap().to_owned();
    let input = json!({"repo": ana.did, "collection": LIKE, "rkey": key});
    for _ in 0..2 {
        let got = ana.call(&world, "com.atproto.repo.deleteRecord", &input).await;
        assert_eq!(got.status, 200, "{got:?}");
    }
    let view = viewed().await;
    assert_eq!((&view["likeCount"], view["viewer"].get("like")), (&json!(0), None));

    let mut gate = json!({
        "$type": "app.bsky.feed.threadgate",
        "post": root.body["uri"],
        "createdAt": CREATED_AT,
        "hiddenReplies": [uri],
    });
    let mut body = ana.write("app.bsky.feed.threadgate", &rkey(0), &gate);
    let hidden = ana.call(&world, PUT, &body).await;
    gate["hiddenReplies"] = json!([]);
    body["record"] = gate;
    let blind = ana.call(&world, PUT, &body).await;
    assert_eq!(blind.text_of("error"), "InvalidSwap", "somebody else's rules are not overwritten");
    body["swapRecord"] = hidden.body["cid"].clone();
    assert_eq!(ana.call(&world, PUT, &body).await.status, 200);
    let root_uri = root.text_of("uri");
    let thread = query(&world, "app.bsky.feed.getPostThread", &[("uri", &root_uri)]).await;
    assert_eq!(thread.body["threadgate"]["record"]["hiddenReplies"], json!([]));
}

#[tokio::test]
async fn the_posts_of_an_account_newest_first() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let root = ana.put(&world, &rkey(0), &post("one")).await;
    ana.put(&world, &rkey(1), &reply("two", &root, &root)).await;
    ana.put(&world, &rkey(2), &post("three")).await;
    ben.put(&world, &rkey(3), &post("another's")).await;
    let texts = |body: &Value| -> Vec<String> {
        let feed = body["feed"].as_array().unwrap();
        feed.iter()
            .map(|item| item["post"]["record"]["text"].as_str().unwrap().to_owned())
            .collect()
    };
    let feed = "app.bsky.feed.getAuthorFeed";
    let all = query(&world, feed, &[("actor", &ana.handle)]).await;
    assert_eq!(texts(&all.body), ["three", "two", "one"]);
    let filter = ("filter", "posts_no_replies");
    let roots = query(&world, feed, &[("actor", &ana.did), filter]).await;
    assert_eq!(texts(&roots.body), ["three", "one"]);
    let page = query(&world, feed, &[("actor", &ana.did), ("limit", "2")]).await;
    assert_eq!(texts(&page.body), ["three", "two"]);
    let cursor = page.text_of("cursor");
    let next = query(&world, feed, &[("actor", &ana.did), ("cursor", &cursor)]).await;
    assert_eq!((texts(&next.body), &next.body["cursor"]), (vec!["one".to_owned()], &Value::Null));
    assert_eq!(query(&world, feed, &[("actor", "nobody.test")]).await.status, 400);
}
