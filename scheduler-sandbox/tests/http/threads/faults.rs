//! Faults in this network's own words, and operations.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Actor, code};
use crate::support::{World, send};

fn fault(operation: &str, kind: &str) -> Value {
    json!({"platform": "threads", "operation": operation, "kind": kind})
}

#[tokio::test]
async fn an_error_is_answered_and_nothing_done() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let container = ana.make(&world, &[("media_type", "TEXT"), ("text", "hi")]).await.text_of("id");
    for (kind, status, want) in
        [("error500", 500, 2), ("rate_limited", 403, 4), ("permanent", 400, 100)]
    {
        world.arm(fault("publish", kind)).await;
        let got = ana.publish(&world, &container).await;
        assert_eq!((got.status, code(&got).0), (status, want), "{kind}");
        if kind == "rate_limited" {
            let usage = got.header("x-business-use-case-usage").unwrap();
            assert!(usage.contains("\"estimated_time_to_regain_access\":1"), "{usage}");
        }
    }
    assert_eq!(world.posts("threads").await, Vec::<Value>::new());
    assert_eq!(ana.publish(&world, &container).await.status, 200);
}

#[tokio::test]
async fn an_expired_token_ends_for_its_account_alone() {
    let world = World::default().await;
    let (ana, ben) = (Actor::new(&world, "ana").await, Actor::new(&world, "ben").await);
    world.arm(fault("upload", "expired_token")).await;
    for attempt in ["the fault", "and after it"] {
        let got = ana.make(&world, &[("media_type", "TEXT"), ("text", "hi")]).await;
        assert_eq!((got.status, code(&got)), (401, (190, 463)), "{attempt}");
    }
    ben.say(&world, "hi", None).await;
}

#[tokio::test]
async fn each_operation_is_told_from_the_others() {
    let world = World::default().await;
    let (ana, ben) = (Actor::new(&world, "ana").await, Actor::new(&world, "ben").await);
    let own = ana.say(&world, "own", None).await;
    let foreign = ben.say(&world, "foreign", None).await;
    let text = ("media_type", "TEXT");
    let container = ana.make(&world, &[text, ("text", "x")]).await.text_of("id");
    let below = [text, ("text", "x"), ("reply_to_id", foreign.as_str())];
    let reply = ana.make(&world, &below).await.text_of("id");
    let (make, publish) = (format!("/{}/threads", ana.id), format!("/{}/threads_publish", ana.id));
    for (name, method, path, form, want) in [
        ("container", Method::POST, make.clone(), vec![text, ("text", "x")], "upload"),
        ("a part's", Method::POST, make.clone(), vec![("reply_to_id", own.as_str())], "upload"),
        ("a reply's", Method::POST, make, vec![("reply_to_id", foreign.as_str())], "comment"),
        ("publish", Method::POST, publish.clone(), vec![("creation_id", &container)], "publish"),
        ("a reply", Method::POST, publish, vec![("creation_id", &reply)], "comment"),
        ("status", Method::GET, format!("/{container}"), vec![], "poll"),
        ("post", Method::GET, format!("/{own}"), vec![], "other"),
        ("conversation", Method::GET, format!("/{own}/conversation"), vec![], "comment"),
        ("hide", Method::POST, format!("/{own}/manage_reply"), vec![], "comment"),
        ("figures", Method::GET, format!("/{own}/insights"), vec![], "metrics"),
        ("followers", Method::GET, "/me/threads_insights".to_owned(), vec![], "metrics"),
        ("token", Method::POST, "/oauth/access_token".to_owned(), vec![], "token"),
        ("refresh", Method::GET, "/refresh_access_token".to_owned(), vec![], "token"),
        ("own posts", Method::GET, "/me/threads".to_owned(), vec![], "other"),
        ("delete", Method::DELETE, "/1".to_owned(), vec![], "other"),
    ] {
        if want != "other" {
            world.arm(fault(want, "error500")).await;
        }
        let got = send(ana.request(&world, method, &path).form(&form)).await;
        assert_eq!(world.requests().await.last().unwrap()["operation"], want, "{name}");
        assert_eq!(got.status == 500, want != "other", "{name}: {got:?}");
    }
}
