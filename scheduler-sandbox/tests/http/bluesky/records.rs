//! Writing and reading records.

use serde_json::{Value, json};

use super::{Actor, POST, post, procedure, query, reply, rkey};
use crate::support::{World, png};

const PUT: &str = "com.atproto.repo.putRecord";
const CREATE: &str = "com.atproto.repo.createRecord";
const DELETE: &str = "com.atproto.repo.deleteRecord";

#[tokio::test]
async fn a_repeat_changes_nothing_and_another_record_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let key = rkey(0);

    let first = ana.put(&world, &key, &post("Hello")).await;
    assert_eq!(first.status, 200, "{first:?}");
    assert_eq!(first.text_of("uri"), format!("at://{}/{POST}/{key}", ana.did));
    assert!(first.text_of("cid").starts_with("bafyrei"), "{first:?}");
    assert!(first.body["commit"]["rev"].is_string(), "{first:?}");
    assert_eq!(first.text_of("validationStatus"), "valid");

    let repeat = ana.put(&world, &key, &post("Hello")).await;
    assert_eq!(repeat.status, 200);
    assert_eq!(
        (&repeat.body["uri"], &repeat.body["cid"]),
        (&first.body["uri"], &first.body["cid"])
    );
    assert_eq!(repeat.body.get("commit"), None, "nothing happened: {repeat:?}");

    let other = ana.put(&world, &key, &post("Hello again")).await;
    assert_eq!((other.status, other.text_of("error")), (400, "InvalidSwap".to_owned()));
    assert_eq!(other.text_of("message"), format!("Record was at {}", first.text_of("cid")));

    let posts = world.posts("bluesky").await;
    assert_eq!(posts.len(), 1);
    assert_eq!(posts[0]["text"], "Hello");
    assert_eq!(posts[0]["remoteId"], first.body["uri"]);
}

#[tokio::test]
async fn a_swap_by_cid_replaces_only_that_version() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let key = rkey(0);
    let mut write = ana.write(POST, &key, &post("one"));
    write["swapRecord"] = json!("bafyreiaaaaaaaaaaaaaa");
    let absent = ana.call(&world, PUT, &write).await;
    assert_eq!(absent.text_of("message"), "Record was at null");

    let first = ana.put(&world, &key, &post("one")).await;
    let mut write = ana.write(POST, &key, &post("two"));
    write["swapRecord"] = first.body["cid"].clone();
    assert_eq!(ana.call(&world, PUT, &write).await.status, 200);

    // Without the member whatever is there is overwritten.
    let mut write = ana.write(POST, &key, &post("three"));
    write.as_object_mut().unwrap().remove("swapRecord");
    assert_eq!(ana.call(&world, PUT, &write).await.status, 200);
    assert_eq!(world.posts("bluesky").await[0]["text"], "three");
}

#[tokio::test]
async fn creating_makes_a_new_post_each_time_and_fails_on_a_taken_key() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let body = json!({"repo": ana.handle, "collection": POST, "record": post("again")});
    let first = ana.call(&world, CREATE, &body).await;
    let second = ana.call(&world, CREATE, &body).await;
    assert_eq!((first.status, second.status), (200, 200), "{second:?}");
    assert_ne!(first.body["uri"], second.body["uri"]);

    let body = ana.write(POST, &rkey(0), &post("keyed"));
    assert_eq!(ana.call(&world, CREATE, &body).await.status, 200);
    let taken = ana.call(&world, CREATE, &body).await;
    assert_eq!((taken.status, taken.text_of("error")), (500, "InternalServerError".to_owned()));
    assert_eq!(world.posts("bluesky").await.len(), 3);
}

#[tokio::test]
async fn deleting_takes_a_post_down_once_and_never_fails() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let key = rkey(0);
    ana.put(&world, &key, &post("short life")).await;
    let body = json!({"repo": ana.did, "collection": POST, "rkey": key});
    let gone = ana.call(&world, DELETE, &body).await;
    assert!(gone.status == 200 && gone.body["commit"].is_object(), "{gone:?}");
    let absent = ana.call(&world, DELETE, &body).await;
    assert_eq!((absent.status, &absent.body), (200, &json!({})));
    let posts = world.posts("bluesky").await;
    assert_eq!((posts.len(), &posts[0]["deleted"]), (1, &json!(true)));
    let live = world.get("/_sandbox/posts?platform=bluesky&deleted=false").await;
    assert_eq!(live.body["data"], json!([]));
}

#[tokio::test]
async fn records_are_read_one_by_one_and_newest_first() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    for number in 0..5 {
        ana.put(&world, &rkey(number), &post(&format!("post {number}"))).await;
    }
    let repo = ("repo", ana.did.as_str());
    let one = query(
        &world,
        "com.atproto.repo.getRecord",
        &[repo, ("collection", POST), ("rkey", &rkey(3))],
    )
    .await;
    assert_eq!(one.body["value"]["text"], "post 3");
    let absent = query(
        &world,
        "com.atproto.repo.getRecord",
        &[repo, ("collection", POST), ("rkey", &rkey(9))],
    )
    .await;
    assert_eq!((absent.status, absent.text_of("error")), (400, "RecordNotFound".to_owned()));

    let texts = |page: &Value| -> Vec<Value> {
        let records = page["records"].as_array().unwrap();
        records.iter().map(|record| record["value"]["text"].clone()).collect()
    };
    let list = "com.atproto.repo.listRecords";
    let page = query(&world, list, &[repo, ("collection", POST), ("limit", "2")]).await.body;
    assert_eq!(texts(&page), ["post 4", "post 3"]);
    let cursor = page["cursor"].as_str().unwrap();
    let next = [repo, ("collection", POST), ("limit", "2"), ("cursor", cursor)];
    assert_eq!(texts(&query(&world, list, &next).await.body), ["post 2", "post 1"]);
    let over = query(&world, list, &[repo, ("collection", POST), ("limit", "101")]).await;
    assert_eq!((over.status, over.text_of("error")), (400, "InvalidRequest".to_owned()));
}

#[tokio::test]
async fn a_thread_hangs_together() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let root = ana.put(&world, &rkey(0), &post("1")).await;
    let second = ana.put(&world, &rkey(1), &reply("2", &root, &root)).await;
    let third = ana.put(&world, &rkey(2), &reply("3", &root, &second)).await;
    assert_eq!(third.status, 200, "{third:?}");
    let uri = root.text_of("uri");
    let got = query(&world, "app.bsky.feed.getPostThread", &[("uri", &uri)]).await;
    let thread = &got.body["thread"];
    assert_eq!(thread["post"]["replyCount"], 1);
    assert_eq!(thread["replies"][0]["post"]["record"]["text"], "2");
    assert_eq!(thread["replies"][0]["replies"][0]["post"]["uri"], third.body["uri"]);
    let posts = world.posts("bluesky").await;
    assert_eq!(posts[2]["replyTo"], second.body["uri"]);
}

#[tokio::test]
async fn a_picture_is_uploaded_and_shown_with_its_post() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let uploaded = ana.upload(&world, "image/png", png(1)).await;
    let blob = &uploaded.body["blob"];
    assert_eq!((&blob["$type"], &blob["mimeType"]), (&json!("blob"), &json!("image/png")));
    assert_eq!(blob["size"], png(1).len());
    assert!(blob["ref"]["$link"].as_str().unwrap().starts_with("bafkrei"), "{blob}");

    let mut record = post("");
    record["embed"] =
        json!({"$type": "app.bsky.embed.images", "images": [{"image": blob, "alt": "a dot"}]});
    let got = ana.put(&world, &rkey(0), &record).await;
    assert_eq!(got.status, 200, "{got:?}");
    let media = &world.posts("bluesky").await[0]["media"][0];
    assert_eq!((&media["type"], &media["bytes"]), (&json!("image/png"), &json!(png(1).len())));

    let uri = got.text_of("uri");
    let seen = query(&world, "app.bsky.feed.getPosts", &[("uris", &uri)]).await;
    let view = &seen.body["posts"][0]["embed"];
    assert_eq!(view["$type"], "app.bsky.embed.images#view");
    assert_eq!(view["images"][0]["alt"], "a dot");
    let cid = blob["ref"]["$link"].as_str().unwrap();
    assert!(view["images"][0]["thumb"].as_str().unwrap().contains(cid), "{view}");

    // What the bytes are counts, as at the real server; the library for Python sends `*/*`.
    for declared in ["*/*", "image/jpeg", "application/octet-stream"] {
        let again = ana.upload(&world, declared, png(2)).await;
        assert_eq!(again.body["blob"]["mimeType"], "image/png", "{declared}");
    }
    let text = ana.upload(&world, "text/vtt", b"WEBVTT".to_vec()).await;
    assert_eq!(text.body["blob"]["mimeType"], "text/vtt");

    let mut unknown = record.clone();
    unknown["embed"]["images"][0]["image"]["ref"]["$link"] = json!("bafkreiunknown");
    let got = ana.put(&world, &rkey(1), &unknown).await;
    assert_eq!((got.status, got.text_of("error")), (400, "BlobNotFound".to_owned()));
}

#[tokio::test]
async fn a_blob_over_the_limit_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let limit = 52_428_800;
    let described = query(&world, "com.atproto.server.describeServer", &[]).await;
    assert_eq!(described.body["blobUploadLimit"], limit);
    let over = ana.upload(&world, "video/mp4", vec![0; limit + 1]).await;
    assert_eq!((over.status, over.text_of("error")), (413, "PayloadTooLarge".to_owned()));
    let at = ana.upload(&world, "video/mp4", vec![0; limit]).await;
    assert_eq!(at.status, 200, "{at:?}");
}

#[tokio::test]
async fn requests_that_are_wrong_in_themselves() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let ben = Actor::new(&world, "ben").await;
    let good = ana.write(POST, &rkey(0), &post("x"));
    let with = |member: &str, value: Value| {
        let mut body = good.clone();
        body[member] = value;
        body
    };
    let large = "x".repeat(1_000_001);
    for (name, method, body, status, error, message) in [
        (
            "foreign repository",
            PUT,
            with("repo", json!(ben.did)),
            401,
            "AuthenticationRequired",
            "Authentication Required",
        ),
        (
            "unknown repository",
            PUT,
            with("repo", json!("did:plc:x")),
            400,
            "InvalidRequest",
            "Could not find repo: did:plc:x",
        ),
        (
            "bad key",
            PUT,
            with("rkey", json!("hello")),
            400,
            "InvalidRequest",
            "Invalid TID string (got \"hello\")",
        ),
        (
            "bad key on create",
            CREATE,
            with("rkey", json!("3MABCDEFGHI22")),
            400,
            "InvalidRequest",
            "Invalid TID string (got \"3MABCDEFGHI22\")",
        ),
        (
            "no record",
            PUT,
            json!({"repo": ana.did, "collection": POST, "rkey": rkey(0)}),
            400,
            "InvalidRequest",
            "Input must have the property \"record\"",
        ),
        (
            "no repository",
            PUT,
            json!({}),
            400,
            "InvalidRequest",
            "Input must have the property \"repo\"",
        ),
        (
            "whole body too large",
            PUT,
            with("record", json!({"text": large})),
            413,
            "PayloadTooLarge",
            "request entity too large",
        ),
        (
            "no such method",
            "com.example.none",
            json!({}),
            501,
            "MethodNotImplemented",
            "Method Not Implemented",
        ),
        (
            "wrong HTTP method",
            "com.atproto.repo.getRecord",
            json!({}),
            400,
            "InvalidRequest",
            "Incorrect HTTP method (POST) expected GET",
        ),
    ] {
        let got = ana.call(&world, method, &body).await;
        assert_eq!(
            (got.status, got.text_of("error").as_str(), got.text_of("message").as_str()),
            (status, error, message),
            "{name}"
        );
    }
    let missing = procedure(&world, PUT, None, &good).await;
    assert_eq!((missing.status, missing.text_of("error")), (401, "AuthMissing".to_owned()));
    assert_eq!(world.posts("bluesky").await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_collection_that_is_not_known_is_stored_unchecked() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let body = ana.write("com.example.note", "self", &json!({"free": [1, 2]}));
    let got = ana.call(&world, PUT, &body).await;
    assert_eq!((got.status, got.text_of("validationStatus")), (200, "unknown".to_owned()));
}
