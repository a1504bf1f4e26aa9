//! Files.

use std::sync::Arc;

use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use serde_json::json;

use crate::shapes::{
    INGEST, MEDIA, MEDIA_LIST, MULTIPART, POST_PAGE, SHOWN_MEDIA, SINGLE, VERSION,
};
use crate::table::{FILES, Row, UPLOAD, row};
use crate::world::{World, text};

/// Its endpoints, typed from the interface description and not from the code.
pub(crate) const ROWS: &[Row] = &[
    row("GET", "/media", FILES, &[200, 401], &[], false),
    row("POST", "/media", UPLOAD, &[201, 400, 401, 402, 413, 429], &[200], true),
    row("GET", "/media/{id}", FILES, &[200, 401, 404], &[], false),
    row("DELETE", "/media/{id}", UPLOAD, &[200, 401, 404, 409], &[], false),
    row("POST", "/media/{id}/uploaded", UPLOAD, &[200, 401, 404], &[409], false),
    row("POST", "/media/{id}/complete", UPLOAD, &[200, 400, 401, 404], &[409], true),
    row("GET", "/media/{id}/thumb", FILES, &[200, 401, 404], &[], false),
    row("GET", "/media/{id}/posts", FILES, &[200, 401, 404], &[], false),
    // Additions to the contract.
    row("PATCH", "/media/{id}", UPLOAD, &[200, 400, 401, 404], &[], true),
    row("POST", "/media/{id}/versions", UPLOAD, &[201, 400, 401, 402, 404, 409, 429], &[200], true),
];

const MIB: u64 = 1 << 20;

async fn in_one_piece(world: Arc<World>) {
    let tenant = world.tenant().await;
    let every = json!({
        "kind": "image",
        "mimeType": "image/jpeg",
        "sizeBytes": 4,
        "fileName": "a.jpg",
        "durationSeconds": 1.5,
        "fps": 25,
        "width": 10,
        "height": 10,
    });
    let declared = tenant.post("/media", &every).await.ok(201, &SINGLE);
    let path = format!("/media/{}", text(&declared["media"]["id"]));
    let keyed = tenant.with("idempotency-key", "eight characters");
    let first = keyed.post("/media", &every).await.ok(201, &SINGLE);
    let again = keyed.post("/media", &every).await.ok(200, &SINGLE);
    assert_eq!(again["media"], first["media"]);
    let waiting = tenant.get(&path).await.ok(200, &SHOWN_MEDIA);
    assert_eq!(waiting["status"], "awaiting_upload");
    let early = tenant.post_nothing(&format!("{path}/uploaded")).await;
    early.refused(409, "media_unusable");
    tenant.put(&text(&declared["media"]["id"]), "four");
    let sent = tenant.post_nothing(&format!("{path}/uploaded")).await.ok(200, &MEDIA);
    assert_eq!(sent["status"], "processing");
    tenant.get(&format!("{path}/thumb")).await.refused(404, "not_found");
    world.work().await;
    let ready = tenant.get(&path).await.ok(200, &MEDIA);
    assert_eq!((&ready["status"], &ready["width"]), (&json!("ready"), &json!(1_080)));
    let thumb = tenant.get(&format!("{path}/thumb")).await.bytes(200);
    assert_eq!(thumb.header("content-type"), Some("image/webp"));

    let listed = tenant.get("/media?limit=200").await.ok(200, &MEDIA_LIST);
    assert_eq!(listed["data"][0]["postCount"], 0);
    tenant.get("/media?limit=201").await.invalid("limit");
    let said = json!({"name": "Our cake", "labels": ["Spring"], "altText": "A cake"});
    let described = tenant.patch(&path, &said).await.ok(200, &MEDIA);
    assert_eq!((&described["name"], &described["altText"]), (&said["name"], &said["altText"]));
    tenant.patch(&path, &json!({"name": ""})).await.invalid("name");
    let unknown = "/media/0192f0c1-7e4b-7c3a-9d2e-5b6a7c8d9e0f";
    tenant.patch(unknown, &said).await.refused(404, "not_found");
    for (query, want) in [("q=cak", 1), ("label=spring&used=false&kind=image", 1), ("q=cat", 0)] {
        let found = tenant.get(&format!("/media?{query}")).await.ok(200, &MEDIA_LIST);
        assert_eq!(found["data"].as_array().unwrap().len(), want, "{query}");
    }
    let page = tenant.get("/media?limit=1").await.ok(200, &MEDIA_LIST);
    let next = format!("/media?limit=1&before={}", text(&page["nextCursor"]));
    let last = tenant.get(&next).await.ok(200, &MEDIA_LIST);
    assert_eq!((&last["nextCursor"], last["data"] == page["data"]), (&json!(null), false));
    tenant.get("/media?used=maybe").await.invalid("used");
    tenant.get("/media?before=x").await.invalid("before");
    let using = tenant.get(&format!("{path}/posts")).await.ok(200, &POST_PAGE);
    assert_eq!(using, json!({"data": [], "nextCursor": null}));
    tenant.get(&format!("{path}/posts?limit=501")).await.invalid("limit");
    tenant.connect(Platform::Bluesky, "a").await;
    let post = json!({
        "content": "x",
        "mediaIds": [ready["id"]],
        "saveAsDraft": true,
        "targets": [{"platform": "bluesky"}],
    });
    let mut post = tenant.new_post(&post).await;
    post.as_object_mut().unwrap().remove("issues");
    let using = tenant.get(&format!("{path}/posts")).await.ok(200, &POST_PAGE);
    assert_eq!(using["data"], json!([post]));
    tenant.delete(&path).await.refused(409, "in_use");
    tenant.delete(&format!("/posts/{}", text(&post["id"]))).await.nothing();
    assert_eq!(tenant.delete(&path).await.ok(200, &MEDIA)["status"], "deleted");
    assert_eq!(tenant.get(&path).await.ok(200, &MEDIA)["status"], "deleted");
}

async fn in_parts(world: Arc<World>) {
    let tenant = world.tenant().await;
    let body = json!({"kind": "video", "sizeBytes": 16 * MIB + 1});
    let declared = tenant.post("/media", &body).await.ok(201, &MULTIPART);
    assert_eq!(declared["upload"]["parts"].as_array().unwrap().len(), 2);
    let id = text(&declared["media"]["id"]);
    let path = format!("/media/{id}/complete");
    tenant.post(&path, &json!({"parts": []})).await.invalid("parts");
    let missing = json!({"parts": [
        {"partNumber": 1, "etag": "x"}, {"partNumber": 2, "etag": "y"},
    ]});
    tenant.post(&path, &missing).await.refused(409, "media_unusable");
    let kept = world.files.kept();
    let mut etags = Vec::new();
    for (number, bytes) in [(1, usize::try_from(16 * MIB).unwrap()), (2, 1)] {
        let bytes = vec![0_u8; bytes];
        let etag = kept
            .iter()
            .find_map(|upload| world.files.put_part(upload, number, bytes.clone().into()));
        etags.push(json!({"partNumber": number, "etag": etag.unwrap()}));
    }
    let done = tenant.post(&path, &json!({"parts": etags})).await.ok(200, &MEDIA);
    assert_eq!(done["status"], "processing");
}

async fn fetched(world: Arc<World>) {
    let tenant = world.tenant().await;
    let body = json!({"kind": "image", "sourceUrl": "https://files.example/a.jpg"});
    let declared = tenant.post("/media", &body).await.ok(201, &INGEST);
    assert_eq!(declared["media"]["status"], "ingesting");
    world.work().await;
    let path = format!("/media/{}", text(&declared["media"]["id"]));
    assert_eq!(tenant.get(&path).await.ok(200, &MEDIA)["status"], "ready");
    let private = json!({"kind": "image", "sourceUrl": "http://localhost/a"});
    tenant.post("/media", &private).await.invalid("sourceUrl");
}

async fn not_declared(world: Arc<World>) {
    let tenant = world.tenant().await;
    for (body, field) in [
        (json!({"sizeBytes": 1}), "kind"),
        (json!({"kind": "sound", "sizeBytes": 1}), "kind"),
        (json!({"kind": "image"}), "sizeBytes"),
    ] {
        tenant.post("/media", &body).await.invalid(field);
    }
    let beyond = json!({"kind": "video", "sizeBytes": (10_u64 << 30) + 1});
    let error = tenant.post("/media", &beyond).await.refused(413, "file_too_large");
    assert_eq!(error.get("limit"), None, "it is not the plan's");
    let busy = world.tenant().await;
    for _ in 0..60 {
        busy.post("/media", &json!({"kind": "image", "sizeBytes": 1})).await.ok(201, &SINGLE);
    }
    let often = busy.post("/media", &json!({"kind": "image", "sizeBytes": 1})).await;
    often.refused(429, "rate_limited");

    let small = world.tenant_on(Plan::Free).await;
    let size = |bytes: u64| json!({"kind": "image", "sizeBytes": bytes});
    let error = small.post("/media", &size(601)).await.refused(402, "file_too_large");
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(600), &json!("pro")));
    small.post("/media", &size(600)).await.ok(201, &SINGLE);
    let error = small.post("/media", &size(401)).await.refused(402, "upload_limit");
    assert_eq!((&error["limit"], &error["upgradeTo"]), (&json!(1_000), &json!("pro")));
    small.post("/media", &size(400)).await.ok(201, &SINGLE);
    let fetch = json!({"kind": "image", "sourceUrl": "https://files.example/a.jpg"});
    small.post("/media", &fetch).await.refused(402, "upload_limit");
}

async fn versions(world: Arc<World>) {
    let tenant = world.tenant().await;
    let body = json!({"kind": "image", "sourceUrl": "https://files.example/a.jpg"});
    let declared = tenant.post("/media", &body).await.ok(201, &INGEST);
    let original = text(&declared["media"]["id"]);
    let path = format!("/media/{original}/versions");
    let crop = json!({"crop": {"ratio": "4:5"}, "maxSide": 500, "format": "png"});
    tenant.post(&path, &crop).await.refused(409, "media_unusable");
    world.work().await;
    let keyed = tenant.with("idempotency-key", "eight characters");
    let made = keyed.post(&path, &crop).await.ok(201, &VERSION);
    assert_eq!(
        (&made["status"], &made["mimeType"], &made["originalId"]),
        (&json!("ingesting"), &json!("image/png"), &json!(original))
    );
    let again = keyed.post(&path, &crop).await.ok(200, &VERSION);
    assert_eq!(again["id"], made["id"]);
    world.work().await;
    let shown = tenant.get(&format!("/media/{}", text(&made["id"]))).await.ok(200, &VERSION);
    assert_eq!((&shown["status"], &shown["originalId"]), (&json!("ready"), &json!(original)));
    for (body, field) in [
        (json!({}), "crop"),
        (json!({"crop": {"ratio": "4/5"}}), "crop.ratio"),
        (json!({"maxSide": 0}), "maxSide"),
        (json!({"format": "gif"}), "format"),
        // It has 1080 pixels a side.
        (json!({"crop": {"x": 1, "width": 1_080, "height": 1}}), "crop"),
    ] {
        tenant.post(&path, &body).await.invalid(field);
    }
    let unknown = "/media/0192f0c1-7e4b-7c3a-9d2e-5b6a7c8d9e0f/versions";
    tenant.post(unknown, &crop).await.refused(404, "not_found");
    let film = tenant.file("video").await;
    let of_film = format!("/media/{film}/versions");
    tenant.post(&of_film, &crop).await.refused(409, "media_unusable");

    let small = world.tenant_on(Plan::Free).await;
    let of_small = format!("/media/{}/versions", small.file("image").await);
    let size = |bytes: u64| json!({"kind": "image", "sizeBytes": bytes});
    for bytes in [600, 1_000 - 600 - 4] {
        small.post("/media", &size(bytes)).await.ok(201, &SINGLE);
    }
    small.post(&of_small, &crop).await.refused(402, "upload_limit");
    let busy = world.tenant().await;
    for _ in 0..60 {
        busy.post("/media", &size(1)).await.ok(201, &SINGLE);
    }
    busy.post(unknown, &crop).await.refused(429, "rate_limited");
}

scenarios!(in_one_piece, in_parts, fetched, not_declared, versions);
