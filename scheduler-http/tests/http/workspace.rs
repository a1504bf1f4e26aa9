//! What owners change of a workspace, and what clients see of it.

use chrono::TimeDelta;
use scheduler_core::platform::Platform;
use scheduler_core::session::Role;
use serde_json::{Value, json};

use crate::application::member;
use crate::approving::show;
use crate::support::World;

#[tokio::test]
async fn name_plan_zone_and_picture_change_and_clients_see_it() {
    let world = World::new().await;
    let client = world.serve().await;
    let owner = member(&world, &client, Role::Owner, false).await;
    let account = world.connect(Platform::Bluesky, "ana").await;
    let at = world.now() + TimeDelta::hours(3);
    let post = world.post(&account, "To the fair", json!({"scheduledAt": at})).await.id;
    let path = show(&world, post).await;
    let picture = world.ready_file().await.to_string();
    let page = async || client.without("authorization").get(&path).await.text();
    let brand = |page: &str| page.contains("<header class=\"brand\"><img src=\"");
    let before = page().await;
    assert!(before.contains("<b>default</b>") && before.contains("(UTC)"), "{before}");
    assert!(!brand(&before), "{before}");

    for (change, on_page) in [
        (json!({"name": "The bakery"}), Some("<b>The bakery</b>")),
        (json!({"plan": "pro"}), None),
        (json!({"timezone": "Europe/Berlin"}), Some("(Europe/Berlin)")),
        (json!({"picture": picture}), Some("<header class=\"brand\"><img src=\"")),
    ] {
        let answer = owner.patch("/app/v1/workspace", &change).await;
        assert_eq!(answer.status, 200, "{change}: {}", answer.text());
        let changed = answer.json();
        for (field, value) in change.as_object().unwrap() {
            assert_eq!(&changed[field], value, "{field}");
        }
        assert_eq!(owner.get("/app/v1/workspace").await.json(), changed, "{change}");
        let page = page().await;
        assert!(on_page.is_none_or(|part| page.contains(part)), "{change}: {page}");
    }
    let page_now = page().await;
    assert!(!page_now.contains("<b>default</b>") && !page_now.contains("(UTC)"), "{page_now}");

    // What is not sent stays, and null takes away.
    let none = json!({"picture": null, "timezone": null});
    let changed = owner.patch("/app/v1/workspace", &none).await.json();
    assert_eq!((&changed["name"], &changed["plan"]), (&json!("The bakery"), &json!("pro")));
    assert_eq!((&changed["picture"], &changed["timezone"]), (&Value::Null, &Value::Null));
    let last = page().await;
    assert!(!brand(&last) && last.contains("(UTC)"), "{last}");

    let unknown = "01936b00-0000-7000-8000-000000000000";
    let kept = owner.get("/app/v1/workspace").await.json();
    for (change, want) in [
        (json!({"name": ""}), (400, "invalid_request", "name")),
        (json!({"plan": "gold"}), (400, "invalid_request", "plan")),
        (json!({"timezone": "Berlin"}), (400, "invalid_request", "timezone")),
        (json!({"picture": unknown}), (404, "not_found", "picture")),
        (json!({"colour": "red"}), (400, "invalid_request", "colour")),
    ] {
        let (status, code, field) = owner.patch("/app/v1/workspace", &change).await.refusal();
        assert_eq!((status, &*code, &*field.unwrap_or_default()), want, "{change}");
        assert_eq!(owner.get("/app/v1/workspace").await.json(), kept, "{change}");
    }
}
