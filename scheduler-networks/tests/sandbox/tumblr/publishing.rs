//! Every kind of post.

use std::time::Duration;

use serde_json::{Value, json};

use crate::tumblr::here::{Here, mp4};

#[tokio::test]
async fn every_kind_of_post() {
    let here = Here::new().await;
    let world = &here.world;
    let blog = world.connected.username.clone().unwrap();
    let images = ["image/png"; 30];
    let both = ["image/png", "video/mp4"];
    for (name, types, text) in [
        ("text", &[][..], "One #tag\nline\n\nTwo 😻 https://a.example/x."),
        ("an image", &["image/png"][..], "an image"),
        ("an image alone", &["image/png"][..], ""),
        ("images", &images[..], "images"),
        ("a video", &["video/mp4"][..], "a video"),
        ("both", &both[..], "both"),
    ] {
        let options = json!({ "tags": ["#rust", "two words"] });
        let (remote, failures) = world.publish(here.job(1, text, &options, types)).await;
        let remote = remote.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(failures, [], "{name}");
        let live = world.live().await;
        let last = live.last().unwrap();
        assert_eq!(last["text"], text, "{name}");
        assert_eq!(last["remoteId"], json!(remote.id), "{name}");
        assert_eq!(last["account"], json!(world.connected.network_id), "{name}");
        assert_eq!(last["media"].as_array().unwrap().len(), types.len(), "{name}");
        let url = format!("https://{blog}.tumblr.com/post/{}", remote.id);
        assert_eq!(remote.url, Some(url), "{name}");
        assert_eq!(remote.record, Value::Null, "{name}");
        assert_eq!(here.drafts().await, 0, "{name}");
    }
    let live = world.live().await;
    assert_eq!(live[4]["media"][0]["bytes"], mp4().len());
}

#[tokio::test]
async fn links_names_and_long_texts() {
    let here = Here::new().await;
    let world = &here.world;
    let ben = here.another("ben").await;
    let long = format!("Hello @ben, @nobody see https://a.example/x\n\n{}", "a".repeat(5_000));
    let mut job = here.job(1, &long, &json!({}), &[]);
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let (remote, failures) = world.publish(job).await;
    assert_eq!((remote.is_ok(), failures.len()), (true, 0));
    let bodies = world.bodies("/posts").await;
    let content = bodies[0]["content"].as_array().unwrap();
    assert_eq!(content.len(), 4);
    let formatting = content[0]["formatting"].as_array().unwrap();
    assert_eq!(formatting[0]["blog"]["uuid"], ben["account"]);
    let shown: Vec<&Value> = formatting.iter().map(|range| &range["type"]).collect();
    assert_eq!(shown, ["mention", "link"]);
    assert_eq!(content[3], json!({ "type": "link", "url": "https://blog.example.com/post" }));
}

#[tokio::test]
async fn a_video_is_live_before_its_page_is_known() {
    let here = Here::with(Duration::from_secs(90)).await;
    let world = &here.world;
    let job = here.job(1, "slow", &json!({}), &["video/mp4"]);
    let (remote, failures) = world.publish(job).await;
    assert_eq!(failures, []);
    let remote = remote.unwrap();
    assert!(remote.url.is_some());
    assert_eq!(world.live().await[0]["remoteId"], json!(remote.id));
    // Another one meanwhile waits, and both are there once.
    let job = here.job(2, "next", &json!({}), &["video/mp4"]);
    let (remote, failures) = world.publish(job).await;
    assert!(remote.is_ok(), "{remote:?}");
    assert_eq!(failures, []);
    assert_eq!(world.texts().await, ["slow", "next"]);
}

#[tokio::test]
async fn the_second_blog_of_a_user_has_posts_of_its_own() {
    let here = Here::new().await;
    let world = &here.world;
    let kept: Value = serde_json::from_str(world.connected.credentials.expose()).unwrap();
    let given = json!({ "accessToken": kept["accessToken"], "refreshToken": "x" });
    let blogs = here.network.connect(&crate::support::input(&given)).await.unwrap();
    assert_eq!(blogs.len(), 2);
    assert_eq!(blogs[0].network_id, world.connected.network_id);
    let mut job = here.job(1, "second", &json!({}), &[]);
    job.account.network_id = blogs[1].network_id.clone();
    job.account.username = blogs[1].username.clone();
    let (remote, _) = world.publish(job).await;
    let live = world.live().await;
    assert_eq!(live[0]["account"], json!(blogs[1].network_id));
    let name = blogs[1].username.as_deref().unwrap();
    assert!(remote.unwrap().url.unwrap().contains(name));
}

#[tokio::test]
async fn a_post_with_all_of_its_options() {
    let here = Here::new().await;
    let options = json!({
        "title": "News",
        "sourceUrl": "https://example.com/a",
        "slug": "todays-news",
        "reblog": "noone",
    });
    let (remote, failures) = here.world.publish(here.world.job(1, "It rained.", &options)).await;
    assert_eq!(failures, []);
    let url = remote.unwrap().url.unwrap();
    assert!(url.ends_with("/todays-news"), "{url}");
    assert_eq!(here.world.texts().await, ["News\n\nIt rained."]);
}
