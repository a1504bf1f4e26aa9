//! Posts over HTTP.

use chrono::TimeDelta;
use http::Method;
use scheduler_core::key::Scope;
use scheduler_core::platform::Platform;
use scheduler_worker::{Worker, WorkerSettings};
use serde_json::{Value, json};

use crate::support::{Answer, Client, World};

fn draft(content: &str) -> Value {
    json!({"content": content, "saveAsDraft": true, "targets": [{"platform": "bluesky"}]})
}

async fn start() -> (World, Client) {
    let world = World::new().await;
    world.connect(Platform::Bluesky, "a").await;
    let client = world.serve().await;
    (world, client)
}

fn id_of(answer: &Answer) -> String {
    answer.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_post_is_created_shown_listed_changed_and_deleted() {
    let (world, client) = start().await;
    let at = (world.now() + TimeDelta::days(1)).format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string();
    let body = json!({
        "content": "Hello",
        "linkUrl": "https://example.com",
        "scheduledAt": at,
        "targets": [{"platform": "bluesky", "options": {"caption": "Hi"}}],
    });
    let created = client.post("/v1/posts", &body).await;
    assert_eq!(created.status, 201);
    let post = created.json();
    assert_eq!(created.header("location"), Some(&*format!("/v1/posts/{}", id_of(&created))));
    assert_eq!(created.header("etag"), Some("\"1\""));
    insta::assert_json_snapshot!(post, {
        ".id" => "[id]",
        ".scheduledAt" => "[at]",
        ".createdAt" => "[at]",
        ".updatedAt" => "[at]",
        ".targets[].id" => "[id]",
        ".targets[].accountId" => "[id]",
        ".targets[].nextAttemptAt" => "[at]",
    }, @r###"
    {
      "altTexts": [],
      "approvalState": null,
      "content": "Hello",
      "createdAt": "[at]",
      "id": "[id]",
      "issues": [],
      "labels": [],
      "linkUrl": "https://example.com",
      "mediaIds": [],
      "metadata": {},
      "note": null,
      "revision": 1,
      "scheduledAt": "[at]",
      "status": "scheduled",
      "targets": [
        {
          "accountId": "[id]",
          "attempts": 0,
          "canDeleteRemote": false,
          "canEditRemote": false,
          "error": null,
          "errorCode": null,
          "errorPermanent": false,
          "id": "[id]",
          "metrics": null,
          "nextAttemptAt": "[at]",
          "options": {
            "caption": "Hi"
          },
          "platform": "bluesky",
          "publishedAt": null,
          "remoteId": null,
          "remoteUrl": null,
          "status": "pending"
        }
      ],
      "timing": {
        "kind": "instant"
      },
      "updatedAt": "[at]"
    }
    "###);
    let path = format!("/v1/posts/{}", id_of(&created));
    let shown = client.get(&path).await;
    assert_eq!((shown.status.as_u16(), shown.json()), (200, post.clone()));
    let listed = client.get("/v1/posts").await;
    assert_eq!(listed.status, 200);
    let mut in_list = post.clone();
    in_list.as_object_mut().unwrap().remove("issues");
    assert_eq!(listed.json(), json!({"data": [in_list], "nextCursor": null}));

    let changed = client.patch(&path, &json!({"content": "Bye", "linkUrl": null})).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let changed = changed.json();
    assert_eq!((&changed["content"], &changed["linkUrl"]), (&json!("Bye"), &Value::Null));

    let deleted = client.delete(&path).await;
    assert_eq!((deleted.status.as_u16(), deleted.body.len()), (204, 0));
    assert_eq!(client.get(&path).await.json()["status"], "canceled");
    assert_eq!(client.delete(&path).await.status, 204);
    assert_eq!(client.get(&path).await.status, 404);
}

#[tokio::test]
async fn pages_follow_each_other() {
    let (_world, client) = start().await;
    let mut made = Vec::new();
    for index in 0..7 {
        made.push(id_of(&client.post("/v1/posts", &draft(&index.to_string())).await));
    }
    made.reverse();
    let mut seen = Vec::new();
    let mut path = "/v1/posts?limit=3&status=draft".to_owned();
    loop {
        let page = client.get(&path).await.json();
        let posts = page["data"].as_array().unwrap();
        seen.extend(posts.iter().map(|post| post["id"].as_str().unwrap().to_owned()));
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        assert_eq!(posts.len(), 3);
        path = format!("/v1/posts?limit=3&status=draft&before={cursor}");
    }
    assert_eq!(seen, made);
}

#[tokio::test]
async fn an_idempotency_key_creates_one_post() {
    let (world, client) = start().await;
    let client = client.with("idempotency-key", "a key of mine");
    let tries: Vec<_> = (0..50)
        .map(|index| {
            let client = client.clone();
            tokio::spawn(async move { client.post("/v1/posts", &draft(&index.to_string())).await })
        })
        .collect();
    let mut answers = Vec::new();
    for one in tries {
        answers.push(one.await.unwrap());
    }
    let count = |status| answers.iter().filter(|answer| answer.status == status).count();
    assert_eq!((count(201), count(200)), (1, 49));
    let id = id_of(&answers[0]);
    assert!(answers.iter().all(|answer| id_of(answer) == id));
    assert_eq!(world.posts(world.workspace.id).len(), 1);

    // The key answers whatever the body holds now.
    let json = client.with("content-type", "application/json");
    for (name, client, body) in [
        ("another body", &json, r#"{"content": "another"}"#.to_owned()),
        ("a wrong body", &json, r#"{"contents": 1}"#.to_owned()),
        ("no JSON", &json, "{".to_owned()),
        ("no content type", &client, "{}".to_owned()),
        ("a body that is too large", &json, " ".repeat((1 << 20) + 1)),
    ] {
        let answer = client.send(Method::POST, "/v1/posts", &body).await;
        assert_eq!((answer.status.as_u16(), id_of(&answer)), (200, id.clone()), "{name}");
    }
}

#[tokio::test]
async fn a_refused_request_leaves_no_key_behind() {
    let (_world, client) = start().await;
    let client = client.with("idempotency-key", "12345678");
    let refused = client.post("/v1/posts", &json!({"targets": []})).await;
    assert_eq!(refused.status, 400);
    assert_eq!(client.post("/v1/posts", &draft("x")).await.status, 201);
    assert_eq!(client.post("/v1/posts", &draft("x")).await.status, 200);
}

#[tokio::test]
async fn idempotency_keys_have_a_length() {
    let (_world, client) = start().await;
    for (name, key, want) in [
        ("8", "é".repeat(8), 201),
        ("200", "k".repeat(200), 201),
        ("7", "k".repeat(7), 400),
        ("201", "k".repeat(201), 400),
        ("empty", String::new(), 400),
    ] {
        for body in [draft("x"), json!({"nonsense": 1})] {
            let answer = client.with("idempotency-key", &key).post("/v1/posts", &body).await;
            if want == 400 {
                let want = (400, "invalid_request".into(), Some("Idempotency-Key".into()));
                assert_eq!(answer.refusal(), want, "{name}");
            } else if body["nonsense"].is_null() {
                assert_eq!(answer.status, want, "{name}");
            }
        }
    }
}

#[tokio::test]
async fn what_goes_out_needs_the_scope_for_it() {
    let (world, client) = start().await;
    let writer = client.keyed(&world.key_with(&[Scope::PostsWrite]).await);
    let publisher = client.keyed(&world.key_with(&[Scope::PostsPublish]).await);
    let mut now = draft("x");
    now["saveAsDraft"] = json!(false);
    now["publishNow"] = json!(true);
    for (name, client, body, want) in [
        ("a draft by a writer", &writer, draft("x"), 201),
        ("a draft by a publisher", &publisher, draft("x"), 403),
        ("a post by a writer", &writer, now.clone(), 403),
        ("a post by a publisher", &publisher, now.clone(), 201),
    ] {
        assert_eq!(client.post("/v1/posts", &body).await.status, want, "{name}");
    }
    let id = id_of(&client.post("/v1/posts", &draft("x")).await);
    let path = format!("/v1/posts/{id}");
    let retry = writer.send(Method::POST, &format!("{path}/retry"), "").await;
    assert_eq!(retry.status, 403);
    assert!(retry.text().contains("posts:publish"), "{retry:?}");
    let timed = writer.patch(&path, &json!({"publishNow": true})).await;
    assert!(timed.status == 403 && timed.text().contains("posts:publish"), "{timed:?}");
}

#[tokio::test]
async fn a_failed_target_moves_to_another_account_and_is_retried() {
    let (world, client) = start().await;
    let worker =
        Worker::new(world.scheduler.clone(), world.notifier.clone(), WorkerSettings::default());
    tokio::spawn(worker.run(std::future::pending()));
    let mut body = draft("refuse");
    body["saveAsDraft"] = json!(false);
    body["publishNow"] = json!(true);
    let id = id_of(&client.post("/v1/posts", &body).await);
    let path = format!("/v1/posts/{id}");
    let failed = loop {
        let post = client.get(&path).await.json();
        if post["status"] == "done" {
            break post;
        }
    };
    let target = &failed["targets"][0];
    assert_eq!((&target["status"], &target["error"]), (&json!("failed"), &json!("No.")));

    let other = world.connect(Platform::Bluesky, "b").await;
    let target_path = format!("{path}/targets/{}/account", target["id"].as_str().unwrap());
    let moved = client.patch(&target_path, &json!({"accountId": other.id})).await;
    assert_eq!(moved.status, 200, "{moved:?}");
    assert_eq!(moved.json()["accountId"], json!(other.id));

    let retried = client.send(Method::POST, &format!("{path}/retry"), "").await;
    assert_eq!(retried.status, 200, "{retried:?}");
    assert_eq!(retried.json()["targets"][0]["status"], "pending");
}
