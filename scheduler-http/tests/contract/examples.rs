//! The requests that the OpenAPI document gives as examples, sent.

use std::collections::BTreeMap;
use std::sync::Arc;

use http::Method;
use scheduler_core::account::Account;
use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::exchange::{Operation, operations};
use crate::fakes::COMMENT_ID;
use crate::shapes::MULTIPART;
use crate::world::{Tenant, World, target_path, text};

/// A workspace with an account of every network that is offered, and a second of Mastodon.
struct Place {
    tenant: Tenant,
    accounts: BTreeMap<Platform, Account>,
    second: Account,
}

impl Place {
    async fn new(world: &Arc<World>) -> Self {
        let tenant = world.tenant().await;
        let mut accounts = BTreeMap::new();
        for platform in Platform::ALL {
            if platform != Platform::Twitter {
                accounts.insert(platform, tenant.connect(platform, "a").await);
            }
        }
        let second = tenant.connect(Platform::Mastodon, "b").await;
        Self { tenant, accounts, second }
    }

    fn account(&self, platform: &str) -> Value {
        json!(self.accounts[&platform.parse::<Platform>().unwrap()].id)
    }

    /// A post to the first account of Mastodon.
    async fn post(&self, more: Value) -> Value {
        let mut body = json!({
            "content": "We bake cakes.",
            "linkUrl": "https://bakery.example",
            "targets": [{"platform": "mastodon", "accountId": self.account("mastodon")}],
        });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.tenant.new_post(&body).await
    }

    /// The path of a target that is live.
    async fn live(&self) -> String {
        let post = self.post(json!({"publishNow": true})).await;
        self.tenant.world.work().await;
        target_path(&post)
    }

    /// An example with ids of this place in place of its own. A target of Mastodon names its
    /// account, of which there are two.
    async fn with_ids(&self, mut body: Value) -> Value {
        if let Some(count) = body.get("mediaIds").and_then(Value::as_array).map(Vec::len) {
            let mut ids = Vec::new();
            for _ in 0..count {
                ids.push(self.tenant.file("image").await);
            }
            body["mediaIds"] = json!(ids);
        }
        let targets = body.get_mut("targets").and_then(Value::as_array_mut);
        for target in targets.into_iter().flatten() {
            let platform = text(&target["platform"]);
            target["accountId"] = self.account(&platform);
        }
        body
    }
}

async fn are_answered_as_they_say(world: Arc<World>) {
    let mut sent = 0;
    for operation in operations() {
        let content = &operation.value["requestBody"]["content"]["application/json"];
        for (name, example) in content["examples"].as_object().into_iter().flatten() {
            let place = Place::new(&world).await;
            let (path, body) = prepared(&world, &place, &operation, &example["value"]).await;
            let method: Method = operation.method.to_ascii_uppercase().parse().unwrap();
            let answer = place.tenant.json(method, &path, &body).await.answer;
            assert!(
                answer.status.is_success(),
                "the example {name} of {} was answered {}: {}",
                operation.id(),
                answer.status,
                answer.text()
            );
            sent += 1;
        }
    }
    assert!(sent > 20, "{sent} examples");
}

/// Where an example is sent, and what of it.
async fn prepared(
    world: &Arc<World>,
    place: &Place,
    operation: &Operation,
    example: &Value,
) -> (String, Value) {
    let body = place.with_ids(example.clone()).await;
    let tenant = &place.tenant;
    let own = operation.path.to_owned();
    match operation.id() {
        "checkPost" | "createPost" | "createWebhook" | "declareMedia" => (own, body),
        "createPosts" => {
            let mut body = example.clone();
            for item in body["posts"].as_array_mut().unwrap() {
                item["post"] = place.with_ids(item["post"].take()).await;
            }
            (own, body)
        }
        "saveSnippet" => ("/snippets/tags".to_owned(), body),
        "retryPosts" => {
            let post = place.post(json!({"saveAsDraft": true})).await;
            let mut body = body;
            if body["ids"].is_array() {
                body["ids"] = json!([post["id"]]);
            }
            (own, body)
        }
        "updatePost" => {
            let post = place.post(json!({"scheduledAt": "2026-12-20T10:00:00Z"})).await;
            (format!("/posts/{}", text(&post["id"])), body)
        }
        "actOnComment" => {
            let id: String = COMMENT_ID.bytes().map(|byte| format!("%{byte:02X}")).collect();
            (format!("{}/comments/{id}", place.live().await), body)
        }
        "editLivePost" => (format!("{}/remote", place.live().await), body),
        "moveTarget" => {
            let post = place.post(json!({"saveAsDraft": true})).await;
            (format!("{}/account", target_path(&post)), json!({"accountId": place.second.id}))
        }
        "createVersion" | "updateMedia" => (own.replace("{id}", &tenant.file("image").await), body),
        "completeUpload" => completed(world, tenant, example).await,
        "createPlaylist" => (own.replace("{id}", &text(&place.account("youtube"))), body),
        "writeCaptions" => {
            let written = json!({"bluesky": "Cakes! 🍰", "mastodon": "We bake cakes."});
            world.assistant.will(Ok(written.to_string()));
            (own, body)
        }
        "reviewTarget" => {
            let review =
                json!({"summary": "Good.", "strengths": [], "suggestions": ["More."], "score": 7});
            world.assistant.will(Ok(review.to_string()));
            let live = place.live().await;
            let mut body = body;
            body["targetId"] = json!(live.rsplit('/').next());
            (own, body)
        }
        other => panic!("{other} has no place to be sent to"),
    }
}

/// An upload in as many parts as the example has, all of them sent.
async fn completed(world: &Arc<World>, tenant: &Tenant, example: &Value) -> (String, Value) {
    let parts = example["parts"].as_array().unwrap().len();
    let declared = json!({"kind": "video", "sizeBytes": (parts - 1) * (16 << 20) + 1});
    let before = world.files.kept();
    let declared = tenant.post("/media", &declared).await.ok(201, &MULTIPART);
    let upload = world.files.kept().into_iter().find(|upload| !before.contains(upload)).unwrap();
    let mut body = example.clone();
    for part in body["parts"].as_array_mut().unwrap() {
        let number = u32::try_from(part["partNumber"].as_u64().unwrap()).unwrap();
        let length = if number as usize == parts { 1 } else { 16 << 20 };
        let etag = world.files.put_part(&upload, number, vec![0_u8; length].into());
        part["etag"] = json!(etag.unwrap());
    }
    (format!("/media/{}/complete", text(&declared["media"]["id"])), body)
}

scenarios!(are_answered_as_they_say);
