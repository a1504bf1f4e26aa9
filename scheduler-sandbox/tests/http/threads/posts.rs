//! Containers, posts, replies and figures.

use serde_json::{Value, json};

use super::{Actor, code};
use crate::support::World;

#[tokio::test]
async fn a_container_becomes_a_post() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let form = [("media_type", "TEXT"), ("text", " hi "), ("link_attachment", "https://a.example")];
    let container = ana.make(&world, &form).await.text_of("id");
    assert_eq!(
        ana.status(&world, &container).await,
        json!({"id": container, "status": "FINISHED"})
    );
    let post = ana.publish(&world, &container).await.text_of("id");
    assert_eq!(ana.status(&world, &container).await["status"], "PUBLISHED");
    let fields = "id,permalink,shortcode,text,media_type,username,link_attachment_url,is_reply";
    let shown = ana.get(&world, &format!("/{post}?fields={fields}")).await.body;
    let shortcode = shown["shortcode"].as_str().unwrap();
    let base = world.sandbox.url();
    assert_eq!(
        shown,
        json!({
            "id": post,
            "permalink": format!("{base}/threads/@ana/post/{shortcode}"),
            "shortcode": shortcode,
            "text": "hi",
            "media_type": "TEXT_POST",
            "username": "ana",
            "link_attachment_url": "https://a.example",
            "is_reply": false,
        })
    );
    let page = world.get(&format!("/threads/@ana/post/{shortcode}")).await;
    assert_eq!(page.header("location"), Some(format!("/#threads-{post}").as_str()));
    assert_eq!(world.posts("threads").await[0]["text"], "hi");
}

#[tokio::test]
async fn what_a_post_is_besides_its_text_is_shown() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let quoted = ana.say(&world, "one", None).await;
    let text = ("media_type", "TEXT");
    let fields = "topic_tag,reply_audience,is_quote_post,quoted_post,is_spoiler_media";
    let plain = ana.get(&world, &format!("/{quoted}?fields={fields}")).await.body;
    assert_eq!(
        plain,
        json!({
            "id": quoted,
            "reply_audience": "EVERYONE",
            "is_quote_post": false,
            "is_spoiler_media": false,
        })
    );
    let form = [
        text,
        ("text", "two"),
        ("topic_tag", "baking"),
        ("reply_control", "followers_only"),
        ("quote_post_id", &quoted),
        ("enable_reply_approvals", "true"),
    ];
    let container = ana.make(&world, &form).await.text_of("id");
    let post = ana.publish(&world, &container).await.text_of("id");
    let shown = ana.get(&world, &format!("/{post}?fields={fields}")).await.body;
    assert_eq!(
        shown,
        json!({
            "id": post,
            "topic_tag": "baking",
            "reply_audience": "FOLLOWERS_ONLY",
            "is_quote_post": true,
            "quoted_post": { "id": quoted },
            "is_spoiler_media": false,
        })
    );
    let ghost = [text, ("text", "three"), ("is_ghost_post", "true")];
    let container = ana.make(&world, &ghost).await.text_of("id");
    let post = ana.publish(&world, &container).await.text_of("id");
    let shown = ana.get(&world, &format!("/{post}?fields=ghost_post_status")).await.body;
    assert_eq!(shown["ghost_post_status"], "active");
    let reply = [text, ("text", "x"), ("reply_to_id", &quoted), ("enable_reply_approvals", "true")];
    // A post of a moment ago is known at the second time of asking.
    ana.make(&world, &reply).await;
    let refused = ana.make(&world, &reply).await;
    assert_eq!(code(&refused).0, 100, "approvals of a reply: {refused:?}");
}

#[tokio::test]
async fn parameters_that_cannot_be_accepted() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let long = "a".repeat(501);
    let alt = "a".repeat(1_001);
    let links = (0..6).map(|at| format!("https://a.example/{at} ")).collect::<String>();
    let base = world.sandbox.url().to_owned();
    let text = ("media_type", "TEXT");
    for (name, form) in [
        ("no type", vec![("text", "x")]),
        ("no text", vec![text]),
        ("too long", vec![text, ("text", &long)]),
        ("six links", vec![text, ("text", &links)]),
        ("a picture without a link", vec![("media_type", "IMAGE"), ("text", "x")]),
        ("alt text", vec![("media_type", "IMAGE"), ("image_url", &base), ("alt_text", &alt)]),
        ("one child", vec![("media_type", "CAROUSEL"), ("children", "1")]),
        ("children of nobody", vec![("media_type", "CAROUSEL"), ("children", "1,2")]),
        ("a poll of one", vec![text, ("text", "x"), ("poll_attachment", r#"{"option_a":"a"}"#)]),
        (
            "a poll with a gap",
            vec![text, ("text", "x"), ("poll_attachment", r#"{"option_a":"a","option_c":"b"}"#)],
        ),
        (
            "a poll and a link",
            vec![
                text,
                ("text", "x"),
                ("link_attachment", "https://a.example"),
                ("poll_attachment", r#"{"option_a":"a","option_b":"b"}"#),
            ],
        ),
        ("a topic with a period", vec![text, ("text", "x"), ("topic_tag", "a.b")]),
        ("a topic too long", vec![text, ("text", "x"), ("topic_tag", &long[..51])]),
        ("no topic", vec![text, ("text", "x"), ("topic_tag", "")]),
        ("replies of nobody", vec![text, ("text", "x"), ("reply_control", "nobody")]),
        ("nothing to quote", vec![text, ("text", "x"), ("quote_post_id", "1")]),
        ("nothing to blur", vec![text, ("text", "x"), ("is_spoiler_media", "true")]),
        (
            "a ghost with a topic",
            vec![text, ("text", "x"), ("is_ghost_post", "true"), ("topic_tag", "a")],
        ),
        (
            "a ghost with a picture",
            vec![("media_type", "IMAGE"), ("image_url", &base), ("is_ghost_post", "true")],
        ),
    ] {
        let got = ana.make(&world, &form).await;
        assert_eq!((got.status, code(&got).0), (400, 100), "{name}: {got:?}");
    }
    let below = [text, ("text", "x"), ("reply_to_id", "1")];
    assert_eq!(code(&ana.make(&world, &below).await), (24, 2_207_006));
    let ben = Actor::new(&world, "ben").await;
    let got = ana.post(&world, &format!("/{}/threads", ben.id), &[text, ("text", "x")]).await;
    assert_eq!(code(&got), (100, 33), "another's path");
    assert_eq!(code(&ben.publish(&world, "1").await), (24, 2_207_008));
}

#[tokio::test]
async fn replies_are_read_hidden_and_deleted() {
    let world = World::default().await;
    let (ana, ben) = (Actor::new(&world, "ana").await, Actor::new(&world, "ben").await);
    let post = ana.say(&world, "one", None).await;
    let part = ana.say(&world, "two", Some(&post)).await;
    let reply = ben.say(&world, "well said", Some(&post)).await;
    let below = ana.say(&world, "thanks", Some(&reply)).await;
    let ids = |body: &Value| -> Vec<String> {
        let data = body["data"].as_array().unwrap().iter();
        data.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    };
    let all = ana.get(&world, &format!("/{post}/conversation")).await.body;
    assert_eq!(ids(&all), [below.as_str(), &reply, &part], "every level, newest first");
    let top = ana.get(&world, &format!("/{post}/replies?reverse=false")).await.body;
    assert_eq!(ids(&top), [part.as_str(), &reply]);
    let own = ana.get(&world, &format!("/{}/threads", ana.id)).await.body;
    assert_eq!(ids(&own), [post.as_str()]);
    let own = ana.get(&world, "/me/replies?limit=1").await.body;
    assert_eq!(ids(&own), [below.as_str()]);
    assert!(own["paging"]["next"].is_string());
    let next = format!("/me/replies?limit=1&after={below}");
    let own = ana.get(&world, &next).await.body;
    assert_eq!((ids(&own), own["paging"]["next"].is_null()), (vec![part.clone()], true));
    assert_eq!(code(&ben.get(&world, &format!("/{post}/conversation")).await), (100, 33));

    let manage = format!("/{reply}/manage_reply");
    let hide = |value: &'static str| [("hide", value)];
    assert_eq!(ana.post(&world, &manage, &hide("true")).await.body, json!({"success": true}));
    let fields = "fields=hide_status,is_reply_owned_by_me,root_post,replied_to";
    let shown = ana.get(&world, &format!("/{reply}?{fields}")).await.body;
    assert_eq!(
        shown,
        json!({
            "id": reply,
            "hide_status": "HIDDEN",
            "is_reply_owned_by_me": false,
            "root_post": {"id": post},
            "replied_to": {"id": post},
        })
    );
    ana.post(&world, &manage, &hide("false")).await;
    let shown = ana.get(&world, &format!("/{reply}?fields=hide_status")).await.body;
    assert_eq!(shown["hide_status"], "NOT_HUSHED");
    assert_eq!(code(&ben.post(&world, &manage, &hide("true")).await).0, 10, "not his post");
    let lower = format!("/{below}/manage_reply");
    assert_eq!(code(&ana.post(&world, &lower, &hide("true")).await).0, 100, "not the first level");

    assert_eq!(code(&ana.delete(&world, &reply).await).0, 10, "another's");
    let gone = ana.delete(&world, &below).await;
    assert_eq!(gone.body, json!({"success": true, "deleted_id": below}));
    assert_eq!(code(&ana.delete(&world, &below).await), (100, 33));
    let deleted: Vec<bool> = world
        .posts("threads")
        .await
        .iter()
        .map(|post| post["deleted"].as_bool().unwrap())
        .collect();
    assert_eq!(deleted, [false, false, false, true]);
}

#[tokio::test]
async fn figures_followers_and_names() {
    let world = World::default().await;
    let (ana, ben) = (Actor::new(&world, "ana").await, Actor::new(&world, "ben").await);
    let post = ana.say(&world, "one", None).await;
    ben.say(&world, "well said", Some(&post)).await;
    let path = format!("/{post}/insights?metric=replies,views");
    let got = ana.get(&world, &path).await.body;
    assert_eq!(got["data"][0]["values"][0]["value"], 1);
    assert_eq!(got["data"][1]["name"], "views");
    assert_eq!(code(&ben.get(&world, &path).await).0, 10);
    let wrong = format!("/{post}/insights?metric=clicks");
    assert_eq!(code(&ana.get(&world, &wrong).await).0, 100);
    let path = format!("/{}/threads_insights?metric=followers_count", ana.id);
    assert_eq!(ana.get(&world, &path).await.body["data"][0]["total_value"]["value"], 96);
    let found = ana.get(&world, "/profile_lookup?username=ben").await.body;
    assert_eq!(found["username"], "ben");
    assert_eq!(code(&ana.get(&world, "/profile_lookup?username=be").await), (100, 33));
}
