//! What the server refuses of a record, and what it lets through.

use serde_json::{Value, json};

use super::{Actor, CREATED_AT, POST, post, rkey};
use crate::support::World;

/// Returns a reference to a blob that was never uploaded.
fn blob(mime_type: &str, size: u64) -> Value {
    let link = "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku";
    json!({"$type": "blob", "ref": {"$link": link}, "mimeType": mime_type, "size": size})
}

fn with(member: &str, value: Value) -> Value {
    let mut record = post("x");
    record[member] = value;
    record
}

fn images(images: Vec<Value>) -> Value {
    with("embed", json!({"$type": "app.bsky.embed.images", "images": images}))
}

#[tokio::test]
async fn text_is_counted_in_graphemes_and_bytes() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    // Source: counted with the official library; refusals measured at a real server.
    let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦";
    for (name, text, want) in [
        ("plain", "Hello from the API!".to_owned(), None),
        ("300", "a".repeat(300), None),
        ("301", "a".repeat(301), Some("grapheme too big (maximum 300, got 301)")),
        ("120 families", family.repeat(120), None),
        ("121 families", family.repeat(121), Some("string too big (maximum 3000, got 3025)")),
        ("300 flags", "🇺🇸".repeat(300), None),
        ("301 flags", "🇺🇸".repeat(301), Some("grapheme too big (maximum 300, got 301)")),
        ("300 kana", "の".repeat(300), None),
        ("300 line ends", "\r\n".repeat(300), None),
        ("301 line ends", "\r\n".repeat(301), Some("grapheme too big (maximum 300, got 301)")),
        ("300 conjuncts", "क्ष".repeat(300), None),
        ("empty", String::new(), None),
    ] {
        let got = ana.put(&world, &rkey(0), &post(&text)).await;
        match want {
            None => assert!(
                got.status == 200 || got.text_of("error") == "InvalidSwap",
                "{name}: {got:?}"
            ),
            Some(want) => {
                assert_eq!(
                    (got.status, got.text_of("error")),
                    (400, "InvalidRequest".to_owned()),
                    "{name}"
                );
                assert!(got.text_of("message").contains(want), "{name}: {got:?}");
            }
        }
    }
}

#[tokio::test]
async fn every_rule_of_a_post_record() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let picture = json!({"image": blob("image/png", 9), "alt": "a"});
    let facet = |features: Value| {
        with("facets", json!([{"index": {"byteStart": 0, "byteEnd": 1}, "features": features}]))
    };
    let card = |external: Value| {
        with("embed", json!({"$type": "app.bsky.embed.external", "external": external}))
    };
    let gallery = |items: Vec<Value>| {
        with("embed", json!({"$type": "app.bsky.embed.gallery", "items": items}))
    };
    for (name, record, want) in [
        (
            "no text",
            json!({"$type": POST, "createdAt": CREATED_AT}),
            "Missing required key \"text\" at $",
        ),
        (
            "text no string",
            with("text", json!(1)),
            "Expected string value type (got number) at $.text",
        ),
        ("no time", json!({"$type": POST, "text": "x"}), "Missing required key \"createdAt\" at $"),
        ("time without zone", with("createdAt", json!("2026-11-20T10:00:00")), "Invalid datetime"),
        ("time with a space", with("createdAt", json!("2026-11-20 10:00:00Z")), "Invalid datetime"),
        ("other type", with("$type", json!("app.bsky.feed.like")), "Invalid $type"),
        (
            "4 languages",
            with("langs", json!(["en", "de", "fr", "es"])),
            "array too big (maximum 3, got 4) at $.langs",
        ),
        ("language", with("langs", json!(["not a language"])), "Invalid language"),
        (
            "9 tags",
            with("tags", json!(["a", "b", "c", "d", "e", "f", "g", "h", "i"])),
            "array too big (maximum 8, got 9)",
        ),
        (
            "long tag",
            with("tags", json!(["a".repeat(65)])),
            "grapheme too big (maximum 64, got 65)",
        ),
        (
            "facet without index",
            with("facets", json!([{"features": []}])),
            "Missing required key \"index\" at $.facets[0]",
        ),
        (
            "facet below zero",
            with("facets", json!([{"index": {"byteStart": -1, "byteEnd": 1}, "features": []}])),
            "integer too small",
        ),
        (
            "link without uri",
            facet(json!([{"$type": "app.bsky.richtext.facet#link"}])),
            "Missing required key \"uri\"",
        ),
        (
            "mention of no one",
            facet(json!([{"$type": "app.bsky.richtext.facet#mention", "did": "ana"}])),
            "Invalid DID",
        ),
        (
            "long tag facet",
            facet(json!([{"$type": "app.bsky.richtext.facet#tag", "tag": "a".repeat(65)}])),
            "grapheme too big",
        ),
        (
            "reply without parent",
            with("reply", json!({"root": {"uri": "at://did:plc:a/b/c", "cid": "bafyreiaaaaa"}})),
            "Missing required key \"parent\"",
        ),
        (
            "reply to no address",
            with("reply", json!({"root": {"uri": "https://a", "cid": "bafyreiaaaaa"}})),
            "Invalid AT-URI",
        ),
        ("5 images", images(vec![picture.clone(); 5]), "array too big (maximum 4, got 5)"),
        (
            "no alt",
            images(vec![json!({"image": blob("image/png", 9)})]),
            "Missing required key \"alt\" at $.embed.images[0]",
        ),
        (
            "image too big",
            images(vec![json!({"image": blob("image/png", 2_000_001), "alt": ""})]),
            "blob too big (maximum 2000000, got 2000001)",
        ),
        (
            "image no image",
            images(vec![json!({"image": blob("video/mp4", 9), "alt": ""})]),
            "Expected \"image/*\" (got \"video/mp4\")",
        ),
        (
            "flat picture",
            images(vec![
                json!({"image": blob("image/png", 9), "alt": "", "aspectRatio": {"width": 0, "height": 1}}),
            ]),
            "integer too small",
        ),
        (
            "gallery without ratio",
            gallery(vec![picture.clone()]),
            "Missing required key \"aspectRatio\" at $.embed.items[0]",
        ),
        ("21 in a gallery", gallery(vec![picture; 21]), "array too big (maximum 20, got 21)"),
        (
            "video no video",
            with("embed", json!({"$type": "app.bsky.embed.video", "video": blob("video/webm", 9)})),
            "Expected \"video/mp4\" (got \"video/webm\")",
        ),
        (
            "card without title",
            card(json!({"uri": "https://a.example", "description": ""})),
            "Missing required key \"title\" at $.embed.external",
        ),
        (
            "card without scheme",
            card(json!({"uri": "a.example", "title": "", "description": ""})),
            "Invalid URI",
        ),
        (
            "thumb too big",
            card(
                json!({"uri": "https://a.example", "title": "", "description": "", "thumb": blob("image/png", 1_000_001)}),
            ),
            "blob too big (maximum 1000000, got 1000001)",
        ),
        (
            "embed without type",
            with("embed", json!({})),
            "Missing required key \"$type\" at $.embed",
        ),
    ] {
        let got = ana.put(&world, &rkey(0), &record).await;
        assert_eq!(
            (got.status, got.text_of("error")),
            (400, "InvalidRequest".to_owned()),
            "{name}"
        );
        assert!(got.text_of("message").contains(want), "{name}: {got:?}");
    }
    assert_eq!(world.posts("bluesky").await, Vec::<Value>::new());
}

#[tokio::test]
async fn what_a_real_server_lets_through() {
    let world = World::default().await;
    let ana = Actor::new(&world, "ana").await;
    let far = json!([{"index": {"byteStart": 900, "byteEnd": 5}, "features": []}]);
    let lost = json!({"uri": "at://did:plc:nobody/app.bsky.feed.post/3mabcdefghi2k", "cid": "bafyreiaaaaaaaaa"});
    for (number, (name, record)) in [
        ("facet out of range", with("facets", far)),
        ("reply to nothing", with("reply", json!({"root": lost, "parent": lost}))),
        ("time in the future", with("createdAt", json!("2099-01-01T00:00:00+02:00"))),
        ("unknown embed", with("embed", json!({"$type": "com.example.embed"}))),
        ("card", with("embed", json!({"$type": "app.bsky.embed.external", "external": {"uri": "https://a.example", "title": "a.example", "description": ""}}))),
        ("no $type", json!({"text": "x", "createdAt": CREATED_AT})),
    ]
    .into_iter()
    .enumerate()
    {
        let key = rkey(u8::try_from(number).unwrap());
        let got = ana.put(&world, &key, &record).await;
        assert_eq!(got.status, 200, "{name}: {got:?}");
    }
}
