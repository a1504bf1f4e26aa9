//! Files over HTTP.

use scheduler_core::ids::MediaId;
use scheduler_core::media::FileKey;
use scheduler_core::ports::ClaimRequest;
use scheduler_core::ports::WorkQueue as _;
use serde_json::json;

use crate::support::{Client, World};

impl World {
    /// Does all work that is due, as a worker would.
    pub(crate) async fn work(&self) {
        loop {
            let now = self.now();
            let request = ClaimRequest::new(now, now + scheduler_core::engine::LEASE, 10, 10);
            let claims = self.store.inner.claim(&request).await.unwrap();
            if claims.is_empty() {
                return;
            }
            for claim in &claims {
                self.scheduler.run(claim).await.unwrap();
            }
        }
    }

    pub(crate) fn original(&self, id: &str) -> FileKey {
        FileKey::folder(self.workspace.id, id.parse().unwrap()).original()
    }

    /// A file that was uploaded and examined.
    pub(crate) async fn ready_file(&self) -> MediaId {
        let caller = self.caller().await;
        let input = serde_json::from_value(json!({"kind": "image", "sizeBytes": 4})).unwrap();
        let id = self.scheduler.declare_media(&caller, input, None).await.unwrap().value.media.id;
        self.files.put(self.original(&id.to_string()), "four".into());
        self.scheduler.confirm_upload(&caller, id).await.unwrap();
        self.work().await;
        id
    }
}

async fn declared(client: &Client, size: u64) -> String {
    let answer = client.post("/v1/media", &json!({"kind": "image", "sizeBytes": size})).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["media"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_file_is_declared_uploaded_seen_and_deleted() {
    let world = World::new().await;
    let client = world.serve().await;
    let body = json!({"kind": "image", "sizeBytes": 4, "fileName": "a.png"});
    let declared = client.post("/v1/media", &body).await;
    assert_eq!(declared.status, 201);
    let declared = declared.json();
    assert_eq!(declared["upload"]["mode"], "single");
    assert!(declared["upload"]["uploadUrl"].is_string());
    assert_eq!(declared["upload"]["headers"], json!({}));
    let media = &declared["media"];
    let id = media["id"].as_str().unwrap();
    let path = format!("/v1/media/{id}");
    let mut keys: Vec<&str> = media.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let want = [
        "altText",
        "createdAt",
        "durationSeconds",
        "error",
        "fileName",
        "fps",
        "height",
        "id",
        "kind",
        "labels",
        "mimeType",
        "name",
        "previewUrl",
        "sizeBytes",
        "status",
        "width",
    ];
    assert_eq!(keys, want);
    assert_eq!(media["status"], "awaiting_upload");
    let shown = client.get(&path).await.json();
    assert_eq!(shown["upload"]["mode"], "single", "fresh addresses");

    let early = client.post(&format!("{path}/uploaded"), &json!({})).await;
    assert_eq!(early.refusal(), (409, "media_unusable".into(), None));
    world.files.put(world.original(id), "four".into());
    let confirmed = client.post(&format!("{path}/uploaded"), &json!({})).await;
    assert_eq!(
        (confirmed.status.as_u16(), &confirmed.json()["status"]),
        (200, &json!("processing"))
    );
    let early = client.get(&format!("{path}/thumb")).await;
    assert_eq!(early.refusal(), (404, "not_found".into(), None));
    world.work().await;

    let ready = client.get(&path).await.json();
    assert_eq!((&ready["status"], &ready["width"]), (&json!("ready"), &json!(64)));
    assert!(ready["previewUrl"].is_string() && ready.get("upload").is_none());
    let thumb = client.get(&format!("{path}/thumb")).await;
    assert_eq!((thumb.status.as_u16(), thumb.header("content-type")), (200, Some("image/webp")));
    assert_eq!(thumb.body, "a preview");
    let using = client.get(&format!("{path}/posts")).await.json();
    assert_eq!(using, json!({"data": [], "nextCursor": null}));
    let listed = client.get("/v1/media?limit=1").await.json();
    assert_eq!(listed["data"][0]["id"], id);
    assert_eq!(listed["data"][0]["postCount"], 0);

    let deleted = client.delete(&path).await;
    assert_eq!((deleted.status.as_u16(), &deleted.json()["status"]), (200, &json!("deleted")));
    world.work().await;
    assert_eq!(world.files.kept(), Vec::<String>::new());
}

#[tokio::test]
async fn an_upload_in_parts() {
    let world = World::new().await;
    let client = world.serve().await;
    let body = json!({"kind": "video", "sizeBytes": (16 << 20) + 1});
    let declared = client.post("/v1/media", &body).await.json();
    let upload = &declared["upload"];
    assert_eq!((&upload["mode"], &upload["partSize"]), (&json!("multipart"), &json!(16 << 20)));
    assert_eq!(upload["parts"].as_array().unwrap().len(), 2);
    assert_eq!(upload["parts"][1]["partNumber"], 2);
    let path = format!("/v1/media/{}/complete", declared["media"]["id"].as_str().unwrap());
    for (name, parts, field) in [
        ("no parts", json!({"parts": []}), "parts"),
        ("none at all", json!({}), "parts"),
        ("a part is missing", json!({"parts": [{"partNumber": 1, "etag": "x"}]}), "parts"),
        ("no number", json!({"parts": [{"etag": "x"}]}), "parts[0].partNumber"),
        ("no ETag", json!({"parts": [{"partNumber": 1}]}), "parts[0].etag"),
        ("a text", json!({"parts": [{"partNumber": "1", "etag": "x"}]}), "parts[0].partNumber"),
    ] {
        let answer = client.post(&path, &parts).await;
        assert_eq!(answer.refusal(), (400, "invalid_request".into(), Some(field.into())), "{name}");
    }
}

#[tokio::test]
async fn what_cannot_be_declared() {
    let world = World::new().await;
    let client = world.serve().await;
    for (name, body, want) in [
        ("no kind", json!({"sizeBytes": 1}), (400, "invalid_request", Some("kind"))),
        ("another kind", json!({"kind": "audio"}), (400, "invalid_request", Some("kind"))),
        ("no size", json!({"kind": "image"}), (400, "invalid_request", Some("sizeBytes"))),
        (
            "a size below 0",
            json!({"kind": "image", "sizeBytes": -1}),
            (400, "invalid_request", Some("sizeBytes")),
        ),
        (
            "a source without https",
            json!({"kind": "image", "sourceUrl": "http://a.example"}),
            (400, "invalid_request", Some("sourceUrl")),
        ),
        (
            "over the ceiling",
            json!({"kind": "video", "sizeBytes": (10_u64 << 30) + 1}),
            (413, "file_too_large", None),
        ),
    ] {
        let answer = client.post("/v1/media", &body).await;
        let (status, code, field) = want;
        assert_eq!(answer.refusal(), (status, code.into(), field.map(Into::into)), "{name}");
    }
    let (_, key) = world.other_workspace("free", scheduler_core::plan::Plan::Free).await;
    let body = json!({"kind": "video", "sizeBytes": (100_u64 << 20) + 1});
    let answer = client.keyed(&key).post("/v1/media", &body).await;
    assert_eq!(answer.refusal(), (402, "file_too_large".into(), None));
    let error = &answer.json()["error"];
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(100 << 20), &json!("pro")));
}

#[tokio::test]
async fn sixty_uploads_a_minute() {
    let world = World::new().await;
    let client = world.serve().await;
    for _ in 0..60 {
        declared(&client, 1).await;
    }
    let answer = client.post("/v1/media", &json!({"kind": "image", "sizeBytes": 1})).await;
    assert_eq!(answer.refusal(), (429, "rate_limited".into(), None));
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&seconds));
    let (_, key) = world.other_workspace("other", scheduler_core::plan::Plan::Studio).await;
    declared(&client.keyed(&key), 1).await;
}

#[tokio::test]
async fn a_file_in_use_stays() {
    let world = World::new().await;
    let client = world.serve().await;
    let id = world.ready_file().await;
    let account = world.connect(scheduler_core::platform::Platform::Bluesky, "a").await;
    let body = json!({
        "content": "x",
        "mediaIds": [id],
        "saveAsDraft": true,
        "targets": [{"platform": "bluesky", "accountId": account.id}],
    });
    let post = client.post("/v1/posts", &body).await.json();
    let answer = client.delete(&format!("/v1/media/{id}")).await;
    assert_eq!(answer.refusal(), (409, "in_use".into(), None));
    let posts = client.get(&format!("/v1/media/{id}/posts")).await.json();
    assert_eq!(posts["data"][0]["id"], post["id"]);
}
