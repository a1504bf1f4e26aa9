//! The queue: targets that go out in another order, read back, and what is no order of an account.

use scheduler_core::account::Account;
use scheduler_core::platform::Platform;
use scheduler_core::session::Role;
use serde_json::{Value, json};

use crate::application::member;
use crate::support::{Client, World};

/// The targets that hold the slots of an account, in the order in which they go out, and when.
async fn order(editor: &Client, account: &Account) -> Vec<(String, String)> {
    let answer = editor.get(&format!("/app/v1/queue?accountId={}", account.id)).await;
    let queue = answer.json()["data"].clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let taken = queue.as_array().unwrap().iter().filter(|slot| !slot["targetId"].is_null());
    taken.map(|slot| (text(&slot["targetId"]), text(&slot["instant"]))).collect()
}

#[tokio::test]
async fn an_editor_has_targets_go_out_in_another_order() {
    let world = World::new().await;
    let client = world.serve().await;
    let editor = member(&world, &client, Role::Editor, false).await;
    let [ours, theirs] = ["a", "b"];
    let account = world.connect(Platform::Bluesky, ours).await;
    let elsewhere = world.connect(Platform::Bluesky, theirs).await;
    let (mut targets, mut posts) = (Vec::new(), Vec::new());
    for text in ["first", "second", "third"] {
        let post = world.post(&account, text, json!({"queue": true})).await;
        targets.push(post.targets[0].id.to_string());
        posts.push(post.id.to_string());
    }
    let foreign = world.post(&elsewhere, "theirs", json!({"queue": true})).await;
    let foreign = foreign.targets[0].id.to_string();
    let before = order(&editor, &account).await;
    let in_order = |targets: [&String; 3]| -> Vec<(String, String)> {
        let slots = before.iter().map(|(_, instant)| instant.clone());
        targets.into_iter().cloned().zip(slots).collect()
    };
    let [a, b, c] = [&targets[0], &targets[1], &targets[2]];
    assert_eq!(before, in_order([a, b, c]));

    let reordered = editor.post("/app/v1/queue/reorder", &json!({"targetIds": [c, a, b]})).await;
    assert_eq!(reordered.status, 200, "{}", reordered.text());
    let told = reordered.json();
    let told: Vec<&Value> = told["data"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert_eq!(told, [&posts[2], &posts[0], &posts[1]]);
    assert_eq!(order(&editor, &account).await, in_order([c, a, b]));
    let times = (&reordered.json()["data"][0]["scheduledAt"], &before[0].1);
    assert_eq!(times.0, times.1, "the post says so as well");

    let kept = (order(&editor, &account).await, order(&editor, &elsewhere).await);
    let free = editor.get(&format!("/app/v1/queue?accountId={}", account.id)).await.json();
    let free = free["data"].as_array().unwrap().iter().find(|slot| slot["targetId"].is_null());
    let free = free.unwrap()["instant"].clone();
    for (name, path, body, want) in [
        (
            "an order of two accounts",
            "reorder",
            json!({"targetIds": [a, foreign]}),
            (400, "invalid_request", "targetIds"),
        ),
        (
            "a swap between two accounts",
            "swap",
            json!({"targetId": a, "with": foreign}),
            (400, "invalid_request", "with"),
        ),
        (
            "an instant that is no slot",
            "move",
            json!({"targetId": a, "instant": "2099-01-01T00:00:01Z"}),
            (400, "invalid_request", "instant"),
        ),
        ("one alone", "reorder", json!({"targetIds": [a]}), (400, "invalid_request", "targetIds")),
    ] {
        let refused = editor.post(&format!("/app/v1/queue/{path}"), &body).await;
        let (status, code, field) = refused.refusal();
        assert_eq!((status, code.as_str(), field.as_deref().unwrap_or_default()), want, "{name}");
        let now = (order(&editor, &account).await, order(&editor, &elsewhere).await);
        assert_eq!(now, kept, "{name}");
    }
    let (other, key) = world.other_workspace("elsewhere", scheduler_core::plan::Plan::Studio).await;
    let login = world.scheduler.request_login("a test", false).await.unwrap();
    world.scheduler.confirm_login(other.id, &login.code, Role::Editor).await.unwrap();
    let claimed = world.scheduler.claim_session(&login.secret).await.unwrap().unwrap();
    let stranger = client.keyed(&key).keyed(claimed.value.expose());
    let of_strangers = stranger.post("/app/v1/queue/reorder", &json!({"targetIds": [b, a]})).await;
    assert_eq!(of_strangers.refusal().0, 404, "of another workspace");

    let moved = editor.post("/app/v1/queue/move", &json!({"targetId": c, "instant": free})).await;
    assert_eq!(moved.status, 200, "{}", moved.text());
    let now: Vec<String> = order(&editor, &account).await.into_iter().map(|one| one.0).collect();
    assert_eq!(now, [a.clone(), b.clone(), c.clone()]);
}
