//! The server itself: ids of requests, revoked keys, stopping.

use std::time::Duration;

use scheduler_core::key::Scope;
use scheduler_core::platform::Platform;
use scheduler_core::ports::KeyStore as _;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::support::World;

#[tokio::test]
async fn ids_of_requests() {
    let world = World::new().await;
    let client = world.serve().await;
    let long = "x".repeat(129);
    for (name, sent, kept) in [
        ("sane", "0190a0a0-abc.DEF_1:2", true),
        ("with a space", "a b", false),
        ("too long", long.as_str(), false),
        ("empty", "", false),
        ("not ASCII", "é", false),
    ] {
        let answer = client.with("x-request-id", sent).get("/healthz").await;
        let id = answer.header("x-request-id").unwrap();
        assert_eq!(id == sent, kept, "{name}: {id}");
        assert!(!id.is_empty(), "{name}");
    }
    let one = client.get("/nothing").await;
    let two = client.get("/nothing").await;
    assert_ne!(one.header("x-request-id"), two.header("x-request-id"));
}

#[tokio::test]
async fn nobody_keeps_or_guesses_at_an_answer() {
    let world = World::new().await;
    let client = world.serve().await;
    let file = json!({"kind": "image", "sizeBytes": 3});
    let hook = json!({"url": "https://hooks.example.com/"});
    let none = Some("no-store");
    for (name, answer, status, kept) in [
        ("a signed link", client.post("/v1/media", &file).await, 201, none),
        ("a list of them", client.get("/v1/media").await, 200, none),
        ("a secret", client.post("/v1/workspace/webhooks", &hook).await, 201, none),
        ("what is one workspace's", client.get("/v1/posts").await, 200, none),
        ("a refusal", client.without("authorization").get("/v1/posts").await, 401, none),
        ("no path", client.get("/nothing").await, 404, none),
        ("no method", client.delete("/v1/platforms").await, 405, none),
        ("how it does", client.get("/readyz").await, 200, none),
        ("no such link", client.get("/approve/nothing").await, 404, none),
        ("what all may know", client.get("/v1/platforms").await, 200, Some("public, max-age=300")),
    ] {
        assert_eq!(answer.status, status, "{name}: {answer:?}");
        assert_eq!(answer.header("cache-control"), kept, "{name}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{name}");
    }
}

#[tokio::test]
async fn a_revoked_key_is_refused_soon() {
    let world = World::new().await;
    let key = world.key_with(&[Scope::PostsRead]).await;
    let client = world.serve().await.keyed(&key);
    assert_eq!(client.get("/v1/posts").await.status, 200);
    let keys = world.store.inner.keys(world.workspace.id).await.unwrap();
    let revoked = keys.iter().find(|key| key.name == "scoped").unwrap();
    world.scheduler.revoke_key(revoked.id).await.unwrap();
    let refused = async { while client.get("/v1/posts").await.status != 401 {} };
    assert!(timeout(Duration::from_secs(2), refused).await.is_ok());
}

#[tokio::test]
async fn a_stop_answers_what_has_begun() {
    let world = World::new().await;
    world.connect(Platform::Bluesky, "a").await;
    let server = world.server().await;
    let address = server.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server.serve(async {
        let _ = stopped.await;
    }));
    let body = json!({"content": "x", "saveAsDraft": true, "targets": [{"platform": "bluesky"}]})
        .to_string();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!(
        "POST /v1/posts HTTP/1.1\r\nhost: test\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nexpect: 100-continue\r\n\r\n",
        world.key,
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // The server asks for the body, so it has taken the request.
    let mut asked = [0; 25];
    stream.read_exact(&mut asked).await.unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
    stop.send(()).unwrap();
    let refused = async { while TcpStream::connect(address).await.is_ok() {} };
    timeout(Duration::from_secs(5), refused).await.expect("no new connection is taken");
    assert!(!serving.is_finished());
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 201 Created\r\n"), "{answer}");
    timeout(Duration::from_secs(5), serving).await.expect("it ends").unwrap();
}
