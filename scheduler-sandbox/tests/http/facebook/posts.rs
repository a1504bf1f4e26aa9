//! Posts of texts, links and photos.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, padded};
use crate::support::{World, png};

#[tokio::test]
async fn a_text_is_posted_once_in_a_row_changed_and_taken_down() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let id = ana.publish(&world, "Hello").await;
    assert!(id.starts_with(&format!("{}_", ana.id)), "{id}");
    let again = ana.post(&world, "feed", &[("message", "Hello")]).await;
    assert_eq!((again.status, code(&again)), (400, (506, 1_455_006)));
    ana.publish(&world, "Another").await;
    ana.publish(&world, "Hello").await;
    let path = format!(
        "/{}/published_posts?fields=id,message,created_time,permalink_url,application{{id}}&limit=2",
        ana.id
    );
    let listed = ana.get(&world, &path).await;
    let texts: Vec<&Value> =
        listed.body["data"].as_array().unwrap().iter().map(|post| &post["message"]).collect();
    assert_eq!(texts, ["Hello", "Another"]);
    assert_eq!(listed.body["data"][0]["application"]["id"], "770");
    let after = listed.body["paging"]["cursors"]["after"].as_str().unwrap();
    assert!(listed.body["paging"]["next"].is_string(), "{listed:?}");
    let rest = ana.get(&world, &format!("{path}&after={after}")).await;
    assert_eq!(rest.body["data"][0]["id"], json!(id));
    assert!(rest.body["paging"]["next"].is_null());

    let changed = ana.call(&world, Method::POST, &format!("/{id}"), &[("message", "New")]).await;
    assert_eq!(changed.body["success"], true);
    assert_eq!(world.posts("facebook").await[0]["text"], "New");
    for status in [200, 400] {
        let gone = ana.call(&world, Method::DELETE, &format!("/{id}"), &[]).await;
        assert_eq!(gone.status, status, "{gone:?}");
    }
    assert_eq!(world.posts("facebook").await[0]["deleted"], true);
    let shown = ana.get(&world, &format!("/{id}?fields=permalink_url")).await;
    assert_eq!(code(&shown), (100, 33));
}

#[tokio::test]
async fn every_post_that_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let long = "a".repeat(63_207);
    let most = "日".repeat(63_206);
    for (name, form, want) in [
        ("nothing", vec![("message", " ")], (100, 0)),
        ("too long", vec![("message", long.as_str())], (100, 0)),
        ("as long as it may be", vec![("message", most.as_str())], (0, 0)),
        ("a link alone", vec![("link", "https://example.com/a")], (0, 0)),
        ("its own link", vec![("link", "https://www.facebook.com/x")], (100, 1_609_008)),
        ("no link", vec![("link", "example")], (100, 2_061_006)),
        ("a link to nothing", vec![("link", "https://x.invalid/")], (100, 1_609_005)),
        ("no photos", vec![("attached_media[0]", r#"{"media_fbid":"5"}"#)], (100, 33)),
        ("nonsense", vec![("attached_media", "x")], (100, 0)),
    ] {
        let got = ana.post(&world, "feed", &form).await;
        assert_eq!(code(&got), want, "{name}: {got:?}");
    }
    assert_eq!(world.posts("facebook").await.len(), 2);
}

#[tokio::test]
async fn photos_are_staged_and_are_part_of_one_post() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let bea = Actor::new(&world, "Bea").await;
    let first = ana.photo(&world, png(1)).await.text_of("id");
    let second = ana.photo(&world, png(2)).await.text_of("id");
    assert!(world.posts("facebook").await.is_empty(), "nobody sees it");
    let theirs = bea.attach(&world, "x", &[&first]).await;
    assert_eq!(code(&theirs), (100, 33));
    let made = ana.attach(&world, "Three views", &[&first, &second]).await;
    assert_eq!(made.status, 200, "{made:?}");
    let again = ana.attach(&world, "Three views", &[&second]).await;
    assert_eq!(code(&again), (100, 1_366_051));
    let posts = world.posts("facebook").await;
    assert_eq!(posts.len(), 1);
    assert_eq!(posts[0]["media"].as_array().unwrap().len(), 2);
    assert_eq!(posts[0]["media"][1]["bytes"], png(2).len());
    let fields = "id,attachments{target{id},subattachments{target{id}}}";
    let listed = ana.get(&world, &format!("/{}/published_posts?fields={fields}", ana.id)).await;
    let parts = &listed.body["data"][0]["attachments"]["data"][0]["subattachments"]["data"];
    assert_eq!(parts[1]["target"]["id"], json!(second));

    // Of a form, and one that is left over.
    let third = ana.photo(&world, png(3)).await.text_of("id");
    let named = format!(r#"{{"media_fbid":"{third}"}}"#);
    let made = ana.post(&world, "feed", &[("attached_media[0]", &named)]).await;
    assert_eq!(made.status, 200, "{made:?}");
    let fourth = ana.photo(&world, png(4)).await.text_of("id");
    for status in [200, 400] {
        let gone = ana.call(&world, Method::DELETE, &format!("/{fourth}"), &[]).await;
        assert_eq!(gone.status, status);
    }
}

#[tokio::test]
async fn every_picture_that_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    for (name, bytes, want) in [
        ("at its size", padded(10_000_000), (0, 0)),
        ("too large", padded(10_000_001), (100, 1_366_046)),
        ("a bitmap", b"BM......".to_vec(), (0, 0)),
        ("webp", b"RIFF\0\0\0\0WEBPVP8X".to_vec(), (324, 0)),
        ("heic", b"\0\0\0\x20ftypheic".to_vec(), (324, 0)),
        ("a text", b"hello".to_vec(), (324, 0)),
    ] {
        let got = ana.photo(&world, bytes).await;
        assert_eq!(code(&got), want, "{name}: {got:?}");
    }
}

#[tokio::test]
async fn a_staged_post_is_shown_later() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let form = [("message", "Later"), ("published", "false")];
    let id = ana.post(&world, "feed", &form).await.text_of("id");
    assert!(world.posts("facebook").await.is_empty());
    for _ in 0..2 {
        let path = format!("/{id}");
        let shown = ana.call(&world, Method::POST, &path, &[("is_published", "true")]).await;
        assert_eq!(shown.body["success"], true);
        assert_eq!(world.posts("facebook").await.len(), 1);
    }
}
