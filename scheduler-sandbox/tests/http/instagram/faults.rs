//! Faults in the words of Instagram.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code, jpeg, serve};
use crate::support::World;

fn fault(operation: &str, kind: &str) -> Value {
    json!({
        "platform": "instagram",
        "operation": operation,
        "kind": kind,
        "afterMs": 10,
        "retryAfterSeconds": 120,
    })
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let (url, _) = serve("image/jpeg", jpeg(1080, 1080)).await;
    let form = [("image_url", url.as_str())];
    let container = ana.container(&world, &form).await.text_of("id");
    ana.settled(&world, &container).await;
    let media = ana.publish(&world, &container).await.text_of("id");
    let comment = ana
        .call(&world, Method::POST, &format!("/{media}/comments"), &[("message", "hi")])
        .await
        .text_of("id");
    let user = &ana.id;
    for (name, method, path, want) in [
        ("publish", Method::POST, format!("/{user}/media_publish"), "publish"),
        ("container", Method::POST, format!("/{user}/media"), "upload"),
        ("state", Method::GET, format!("/{container}"), "poll"),
        ("comments", Method::GET, format!("/{media}/comments"), "comment"),
        ("reply", Method::POST, format!("/{comment}/replies"), "comment"),
        ("hide", Method::POST, format!("/{comment}"), "comment"),
        ("no comment", Method::DELETE, format!("/{comment}"), "comment"),
        ("figures", Method::GET, format!("/{media}/insights"), "metrics"),
        ("me", Method::GET, "/me".to_owned(), "metrics"),
        ("account", Method::GET, format!("/{user}"), "metrics"),
        ("token", Method::GET, "/oauth/access_token".to_owned(), "token"),
        ("post", Method::GET, format!("/{media}"), "other"),
        ("list", Method::GET, format!("/{user}/media"), "other"),
        ("take down", Method::DELETE, format!("/{media}"), "other"),
    ] {
        if want != "other" {
            world.arm(fault(want, "error500")).await;
        }
        let got = ana.call(&world, method, &path, &[("x", "y")]).await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
        assert_eq!(got.status == 500, want != "other", "{name}: {got:?}");
    }
}

#[tokio::test]
async fn every_fault_is_in_the_words_of_the_network() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let (url, _) = serve("image/jpeg", jpeg(1080, 1080)).await;
    let container = ana.container(&world, &[("image_url", &url)]).await.text_of("id");
    ana.settled(&world, &container).await;
    for (kind, status, want) in [
        ("error500", 500, (2, 0)),
        ("rate_limited", 400, (4, 0)),
        ("permanent", 400, (36_004, 2_207_010)),
    ] {
        world.arm(fault("publish", kind)).await;
        let got = ana.publish(&world, &container).await;
        assert_eq!((got.status, code(&got.body)), (status, want), "{kind}");
        if kind == "rate_limited" {
            let usage: Value =
                serde_json::from_str(got.header("x-business-use-case-usage").unwrap()).unwrap();
            assert_eq!(usage[&ana.id][0]["estimated_time_to_regain_access"], 2);
        }
    }
    assert!(world.posts("instagram").await.is_empty());
    assert_eq!(ana.publish(&world, &container).await.status, 200);

    world.arm(fault("metrics", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.call(&world, Method::GET, "/me?fields=username", &[]).await;
        assert_eq!((got.status, code(&got.body)), (401, (190, 463)), "{attempt}");
    }
}
