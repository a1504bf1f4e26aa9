//! Changing a live post and taking it down over HTTP.

use futures_util::future::join_all;
use scheduler_core::platform::Platform;
use serde_json::json;

use crate::support::World;

#[tokio::test]
async fn an_edit_answers_the_target() {
    let world = World::new().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Mastodon, "a").await;
    let (_, path) = world.live(&account).await;
    let path = format!("{path}/remote");
    let answer = client.patch(&path, &json!({"content": "100 % 🦀"})).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let target = answer.json();
    assert_eq!(target["options"], json!({"caption": "100 % 🦀"}));
    assert_eq!((&target["status"], &target["canEditRemote"]), (&json!("published"), &json!(true)));
    assert_eq!(world.after.take_done(), [r#"edit Some("100 % 🦀") None"#]);
    for (body, want) in [
        (json!({}), (400, "invalid_request", Some("content"))),
        (json!({"title": "x"}), (400, "invalid_request", Some("title"))),
        (json!({"content": 1}), (400, "invalid_request", Some("content"))),
        (json!({"content": "x".repeat(501)}), (422, "validation_failed", None)),
        (json!({"content": null}), (422, "validation_failed", None)),
    ] {
        let want = (want.0, want.1.to_owned(), want.2.map(str::to_owned));
        let answer = client.patch(&path, &body).await;
        assert_eq!(answer.refusal(), want, "{body}");
        assert_eq!(answer.json()["error"]["issues"].is_array(), want.0 == 422, "{body}");
    }
    assert_eq!(world.after.take_done(), [""; 0]);
}

#[tokio::test]
async fn twelve_take_downs_at_once() {
    let world = World::new().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Mastodon, "a").await;
    let (post, path) = world.live(&account).await;
    let path = format!("{path}/remote");
    let answers = join_all((0..12).map(|_| client.delete(&path))).await;
    for answer in &answers {
        match answer.status.as_u16() {
            200 => {
                let target = answer.json();
                assert_eq!(target["status"], "skipped");
                assert_eq!(target["remoteId"], "1", "the record is kept");
                assert_eq!(target["canDeleteRemote"], false);
            }
            _ => assert_eq!(answer.refusal(), (409, "not_published".to_owned(), None)),
        }
    }
    assert!(answers.iter().any(|answer| answer.status == 200));
    assert!(*world.after.is_down.lock().unwrap());
    let stored = world.posts(world.workspace.id);
    assert_eq!(stored.len(), 1, "one record");
    assert_eq!(stored[0].version, post.version + 1, "it is written down once");
    let shown = client.get(&format!("/v1/posts/{}", post.id)).await.json();
    assert_eq!(
        (&shown["status"], &shown["targets"][0]["status"]),
        (&json!("done"), &json!("skipped"))
    );
    let again = client.delete(&path).await;
    assert_eq!(again.refusal(), (409, "not_published".to_owned(), None));
}

#[tokio::test]
async fn what_the_network_does_not_offer() {
    let world = World::new().await;
    let client = world.serve().await;
    let account = world.connect(Platform::Bluesky, "a").await;
    let (_, path) = world.live(&account).await;
    let answer = client.patch(&format!("{path}/remote"), &json!({"content": "x"})).await;
    assert_eq!(answer.refusal(), (409, "unsupported".to_owned(), None));
    assert_eq!(world.after.take_done(), [""; 0]);
}
