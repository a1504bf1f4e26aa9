//! Webhooks over HTTP.

use serde_json::json;

use crate::support::World;

#[tokio::test]
async fn a_webhook_is_created_listed_and_deleted() {
    let world = World::new().await;
    let client = world.serve().await;
    let body = json!({"url": "https://example.com/hook"});
    let created = client.post("/v1/workspace/webhooks", &body).await;
    assert_eq!(created.status, 201);
    let mut webhook = created.json();
    let secret = webhook["secret"].as_str().unwrap();
    assert_eq!((secret.starts_with("whsec_"), secret.len()), (true, 50));
    assert_eq!(webhook["events"], json!(["post.published", "post.failed"]));
    let path = format!("/v1/workspace/webhooks/{}", webhook["id"].as_str().unwrap());

    webhook.as_object_mut().unwrap().remove("secret");
    let listed = client.get("/v1/workspace/webhooks").await;
    assert_eq!(listed.json(), json!({"data": [webhook]}), "without the secret");

    let deleted = client.delete(&path).await;
    assert_eq!((deleted.status.as_u16(), deleted.body.len()), (204, 0));
    assert_eq!(client.delete(&path).await.status, 404);
    assert_eq!(client.get("/v1/workspace/webhooks").await.json(), json!({"data": []}));
}
