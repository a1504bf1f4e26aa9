//! Sessions and what is sent to them.

use serde_json::{Value, json};

use super::{Actor, UNIT, about, mp4, piece, reason};
use crate::support::World;

#[tokio::test]
async fn a_video_is_there_with_its_last_byte() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let total = 2 * UNIT + 10;
    let mut bytes = mp4();
    bytes.resize(total, 7);
    let opened = ana.open(&world, &about("Harbour"), total).await;
    assert_eq!((opened.status, opened.text.as_str()), (200, ""), "{opened:?}");
    let probe = format!("bytes */{total}");
    let empty = piece(&world, &opened, Some(&probe), Vec::new()).await;
    assert_eq!((empty.status, empty.header("range")), (308, None), "nothing is there");

    let range = |first: usize, last: usize| format!("bytes {first}-{last}/{total}");
    let first = piece(&world, &opened, Some(&range(0, UNIT - 1)), bytes[..UNIT].to_vec()).await;
    assert_eq!((first.status, first.header("range")), (308, Some("bytes=0-262143")));
    let again = piece(&world, &opened, Some(&range(0, UNIT - 1)), bytes[..UNIT].to_vec()).await;
    assert_eq!(again.status, 416, "it does not go on there");
    let probed = piece(&world, &opened, Some(&probe), Vec::new()).await;
    assert_eq!((probed.status, probed.header("range")), (308, Some("bytes=0-262143")));
    assert_eq!(world.posts("youtube").await, Vec::<Value>::new());

    let rest = bytes[UNIT..].to_vec();
    let last = piece(&world, &opened, Some(&range(UNIT, total - 1)), rest.clone()).await;
    assert_eq!(last.status, 200, "{last:?}");
    assert_eq!(last.body["status"]["uploadStatus"], "uploaded");
    assert_eq!(last.body["snippet"]["channelId"], json!(ana.channel));
    for (range, bytes) in [(probe, Vec::new()), (range(UNIT, total - 1), rest)] {
        let repeated = piece(&world, &opened, Some(&range), bytes).await;
        assert_eq!((repeated.status, &repeated.body["id"]), (200, &last.body["id"]));
    }
    let posts = world.posts("youtube").await;
    assert_eq!(posts.len(), 1);
    assert_eq!(
        (&posts[0]["text"], &posts[0]["media"][0]["bytes"]),
        (&json!("Harbour"), &json!(total))
    );
}

#[tokio::test]
async fn pieces_that_are_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let total = 2 * UNIT;
    let opened = ana.open(&world, &about("T"), total).await;
    for (name, range, length, status) in [
        ("another total", format!("bytes 0-{}/{}", UNIT - 1, total + 1), UNIT, 400),
        ("fewer bytes", format!("bytes 0-{}/{total}", UNIT - 1), UNIT - 1, 400),
        ("no multiple", format!("bytes 0-99/{total}"), 100, 400),
        ("a gap", format!("bytes 1-{UNIT}/{total}"), UNIT, 416),
        ("beyond the end", format!("bytes 0-{total}/{total}"), total + 1, 416),
        ("nonsense", "bytes".to_owned(), 1, 400),
    ] {
        let got = piece(&world, &opened, Some(&range), vec![7; length]).await;
        assert_eq!(got.status, status, "{name}: {got:?}");
    }
    let mut elsewhere = opened;
    let address = elsewhere.header("location").unwrap().to_owned() + "x";
    elsewhere.headers.insert("location", address.parse().unwrap());
    assert_eq!(piece(&world, &elsewhere, None, mp4()).await.status, 404);
}

#[tokio::test]
async fn what_a_session_is_not_opened_for() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let with = |pointer: &str, value: Value| {
        let mut body = about("T");
        *body.pointer_mut(pointer).unwrap() = value;
        body
    };
    let tagged = |tags: Value| {
        let mut body = about("T");
        body["snippet"]["tags"] = tags;
        body
    };
    let title = |title: String| with("/snippet/title", title.into());
    let described = |text: String| with("/snippet/description", text.into());
    for (name, body, want) in [
        ("a title of 100", title("a".repeat(100)), ""),
        ("a title of 101", title("a".repeat(101)), "invalidTitle"),
        ("no title", title("  ".to_owned()), "invalidTitle"),
        ("a bracket", title("Price < 5".to_owned()), "invalidTitle"),
        ("a title with a control character", title("a\u{1b}b".to_owned()), "invalidTitle"),
        ("lines and tabs", described("a\r\n\tb".to_owned()), ""),
        ("a bell", described("a\u{7}b".to_owned()), "invalidDescription"),
        ("a title with an emoji", title("a".repeat(99) + "👍"), ""),
        ("5000 bytes", described("é".repeat(2500)), ""),
        ("5002 bytes", described("é".repeat(2501)), "invalidDescription"),
        ("tags", tagged(json!(["rust", "web dev", "cli"])), ""),
        ("500 of tags", tagged(json!(["a".repeat(250), "b".repeat(249)])), ""),
        ("501 of tags", tagged(json!(["a".repeat(250), "b".repeat(250)])), "invalidTags"),
        ("a category", with("/snippet/categoryId", json!("999")), "invalidCategoryId"),
        ("a privacy", with("/status/privacyStatus", json!("secret")), "invalidVideoMetadata"),
    ] {
        let got = ana.open(&world, &body, 1_000).await;
        assert_eq!((got.status == 200, reason(&got)), (want.is_empty(), want), "{name}: {got:?}");
    }
    let none = ana.open(&world, &about("T"), 0).await;
    assert_eq!(reason(&none), "mediaBodyRequired");
}
