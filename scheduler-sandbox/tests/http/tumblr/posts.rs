//! Making, publishing, reading and deleting posts.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, id, said};
use crate::support::{World, send};

#[tokio::test]
async fn a_draft_gets_another_id_when_it_is_published() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let mut body = said("draft", "hi");
    body["tags"] = json!("rust, release");
    let made = ana.post(&world, &body).await;
    assert_eq!(made.body["meta"], json!({ "status": 201, "msg": "Created" }));
    assert_eq!(made.body["response"]["state"], "draft");
    let draft = id(&made);
    assert_eq!(world.posts("tumblr").await, Vec::<Value>::new(), "nobody sees it");
    let drafts = ana.read(&world, "posts/draft?npf=true").await;
    assert_eq!(drafts.body["response"]["posts"][0]["id_string"], draft.as_str());
    assert_eq!(drafts.body["response"]["posts"][0]["tags"], json!(["rust", "release"]));
    let stored = ana.read(&world, &format!("posts/{draft}?post_format=npf")).await;
    assert_eq!(stored.body["response"]["state"], "draft");

    body["state"] = json!("published");
    body["content"] = stored.body["response"]["content"].clone();
    let put = ana.put(&world, &draft, &body).await;
    assert_eq!(put.status, 200);
    let published = id(&put);
    assert_ne!(published, draft);
    let live = world.posts("tumblr").await;
    assert_eq!((live[0]["remoteId"].as_str(), live.len()), (Some(published.as_str()), 1));
    for path in [format!("posts/{draft}"), format!("posts?id={draft}")] {
        assert_eq!(ana.read(&world, &path).await.status, 404, "{path}");
    }
    assert_eq!(ana.put(&world, &draft, &body).await.status, 404);
    let listed = ana.read(&world, "posts?npf=true&limit=20").await;
    let post = &listed.body["response"]["posts"][0];
    assert_eq!(post["genesis_post_id"], draft.as_str());
    assert_eq!(post["post_url"], format!("https://ana.tumblr.com/post/{published}"));
    assert_eq!(post["content"], body["content"]);

    // An edit keeps the id, and others are not told of the draft.
    body["content"][0]["text"] = json!("changed");
    assert_eq!(id(&ana.put(&world, &published, &body).await), published);
    let ben = Actor::new(&world, "ben").await;
    let seen = ben.get(&world, "/blog/ana/posts?npf=true").await;
    assert_eq!(seen.body["response"]["posts"][0]["genesis_post_id"], Value::Null);
    assert_eq!(seen.body["response"]["posts"][0]["content"][0]["text"], "changed");
    assert_eq!(ben.get(&world, "/blog/ana/posts/draft").await.status, 403);
}

#[tokio::test]
async fn content_is_checked_as_documented() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let text = |text: &str| json!({ "type": "text", "text": text });
    let ranged = |range: Value| json!([{ "type": "text", "text": "😻 x", "formatting": [range] }]);
    let mention =
        |uuid: &str| json!({ "start": 0, "end": 3, "type": "mention", "blog": { "uuid": uuid } });
    for (name, content, status, error) in [
        ("at the limit", json!([text(&"😻".repeat(4096))]), 201, 0),
        ("one over", json!([text(&"a".repeat(4097))]), 400, 8001),
        ("no array", json!("hi"), 400, 8001),
        ("nothing", json!([]), 400, 0),
        ("blank blocks alone", json!([text(""), text("")]), 400, 0),
        ("1000 blocks", json!(vec![text("a"); 1000]), 201, 0),
        ("1001 blocks", json!(vec![text("a"); 1001]), 400, 8001),
        ("an unknown block", json!([{ "type": "poem" }]), 400, 8001),
        ("a link", json!([{ "type": "link", "url": "https://a.example" }]), 201, 0),
        ("no link", json!([{ "type": "link", "url": "a" }]), 400, 8001),
        ("a range", ranged(json!({ "start": 0, "end": 3, "type": "bold" })), 201, 0),
        ("a range too long", ranged(json!({ "start": 0, "end": 4, "type": "bold" })), 400, 8001),
        ("a range of nothing", ranged(json!({ "start": 1, "end": 1, "type": "bold" })), 400, 8001),
        ("a mention", ranged(mention(&ana.uuid)), 201, 0),
        ("a mention of nobody", ranged(mention("t:nobody")), 400, 8001),
    ] {
        let got = ana.post(&world, &json!({ "content": content })).await;
        assert_eq!(got.status, status, "{name}: {got:?}");
        if status == 400 {
            assert_eq!(code(&got), error, "{name}");
        }
    }
    for (name, tags, status) in [
        ("30", vec!["t"; 30].join(","), 201),
        ("31", vec!["t"; 31].join(","), 400),
        ("as long as can be", "t".repeat(140), 201),
        ("too long", "t".repeat(141), 400),
    ] {
        let mut body = said("published", "x");
        body["tags"] = json!(tags);
        assert_eq!(ana.post(&world, &body).await.status, status, "{name}");
    }
    let mut body = said("published", "x");
    body["tags"] = json!(["a"]);
    assert_eq!(code(&ana.post(&world, &body).await), 8001, "tags are one string");
}

#[tokio::test]
async fn blank_blocks_at_the_ends_are_dropped() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let text = |text: &str| json!({ "type": "text", "text": text });
    let content = json!([text(""), text("a"), text(""), text("b"), text("")]);
    let id = id(&ana.post(&world, &json!({ "content": content })).await);
    let stored = ana.read(&world, &format!("posts/{id}")).await;
    assert_eq!(stored.body["response"]["content"], json!([text("a"), text(""), text("b")]));
    assert_eq!(world.posts("tumblr").await[0]["text"], "a\n\n\n\nb");
}

#[tokio::test]
async fn posts_are_deleted_once() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let id = ana.say(&world, "hi").await;
    let path = format!("/blog/{}/post/delete", ana.blog);
    let delete = |actor: &Actor| {
        send(actor.request(&world, Method::POST, &path).form(&[("id", id.as_str())]))
    };
    assert_eq!(delete(&ben).await.status, 403);
    assert_eq!(delete(&ana).await.status, 200);
    assert_eq!(delete(&ana).await.status, 404);
    assert_eq!(world.posts("tumblr").await[0]["deleted"], true);
    assert_eq!(ana.read(&world, &format!("posts?id={id}")).await.status, 404);
    let without = send(ana.request(&world, Method::POST, &path)).await;
    assert_eq!(without.status, 400);
}

#[tokio::test]
async fn a_list_has_pages_and_both_blogs_their_own() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for number in 0..22 {
        ana.say(&world, &number.to_string()).await;
    }
    let path = format!("/blog/{}/posts", ana.second);
    let other = ana.request(&world, Method::POST, &path).json(&said("published", "other"));
    assert_eq!(send(other).await.status, 201);
    for (path, length, first) in [
        ("posts?npf=true", 20, "21"),
        ("posts?npf=true&limit=5", 5, "21"),
        ("posts?npf=true&limit=50", 20, "21"),
        ("posts?npf=true&offset=20", 2, "1"),
    ] {
        let got = ana.read(&world, path).await;
        let posts = got.body["response"]["posts"].as_array().unwrap();
        assert_eq!(
            (posts.len(), &posts[0]["content"][0]["text"]),
            (length, &json!(first)),
            "{path}"
        );
        assert_eq!(got.body["response"]["total_posts"], 22);
    }
    let legacy = ana.read(&world, "posts?limit=1&notes_info=true").await;
    let legacy = &legacy.body["response"]["posts"][0];
    assert_eq!((&legacy["body"], &legacy["note_count"]), (&json!("<p>21</p>"), &json!(0)));
    let id = legacy["id_string"].as_str().unwrap();
    let page = world.get(&format!("/tumblr/ana/{id}")).await;
    assert_eq!(page.header("location"), Some(format!("/#tumblr-{id}").as_str()));
}
