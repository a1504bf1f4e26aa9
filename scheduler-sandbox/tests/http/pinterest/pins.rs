//! Pins, boards and figures.

use serde_json::{Value, json};

use super::{Actor, base64, image, item};
use crate::support::{World, png};

#[tokio::test]
async fn a_pin_shows_what_it_was_made_with() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let body = json!({
        "board_id": ana.board, "title": "Soup", "description": "Ten minutes.",
        "link": "https://example.com/soup", "alt_text": "A bowl", "media_source": image(1),
    });
    let made = ana.post(&world, "/pins", &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    for member in ["board_id", "title", "description", "link", "alt_text"] {
        assert_eq!(made.body[member], body[member], "{member}");
    }
    assert_eq!(made.body["media"]["media_type"], "image");
    assert_eq!(made.body["is_owner"], true);
    assert_eq!(made.text_of("created_at").len(), "2026-11-20T10:00:00".len());
    let id = made.text_of("id");
    assert!(id.bytes().all(|byte| byte.is_ascii_digit()), "{id}");
    let post = &world.posts("pinterest").await[0];
    assert_eq!((&post["text"], &post["remoteId"]), (&json!("Ten minutes."), &json!(id)));
    assert_eq!(post["account"], json!(ana.user));
    assert_eq!(post["media"][0]["bytes"], png(1).len());
    let again = ana.post(&world, "/pins", &body).await;
    assert_eq!(again.status, 201, "nothing refuses a repeat");
    assert_ne!(again.text_of("id"), id);

    let page = world.get(&format!("/pinterest/pin/{id}/")).await;
    assert_eq!(page.header("location"), Some(format!("/#pinterest-{id}").as_str()));
}

#[tokio::test]
async fn what_is_refused() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let long = |length: usize| "😀".repeat(length);
    let with = |member: &str, value: Value| {
        let mut body = ana.pin("x");
        body[member] = value;
        body
    };
    let source = |value: Value| with("media_source", value);
    let items = |count: u8| -> Vec<Value> { (0..count).map(|seed| item(&png(seed))).collect() };
    let carousel =
        |items: Vec<Value>| json!({ "source_type": "multiple_image_base64", "items": items });
    let mut larger = png(9);
    larger[19] = 0x41;
    for (name, body, status, code) in [
        ("no board", with("board_id", json!(null)), 400, 1),
        ("no digits", with("board_id", json!("12a")), 400, 1),
        ("unknown board", with("board_id", json!("12")), 404, 40),
        ("another's board", with("board_id", json!(ben.board)), 403, 7),
        ("800 signs", with("description", json!(long(800))), 201, 0),
        ("801 signs", with("description", json!(long(801))), 400, 1),
        ("title", with("title", json!(long(101))), 400, 1),
        ("alt text", with("alt_text", json!(long(501))), 400, 1),
        ("link", with("link", json!("ftp://example.com")), 400, 12),
        ("blocked", with("link", json!("https://blocked.example/x")), 400, 12),
        ("spam", with("link", json!("https://spam.example/x")), 429, 8),
        ("nothing", source(json!(null)), 400, 1),
        ("a kind", source(json!({ "source_type": "pin_url" })), 400, 1),
        (
            "a type",
            source(
                json!({ "source_type": "image_base64", "content_type": "image/webp", "data": "YQ==" }),
            ),
            400,
            1,
        ),
        (
            "no picture",
            source(
                json!({ "source_type": "image_base64", "content_type": "image/png", "data": "YQ==" }),
            ),
            400,
            1,
        ),
        (
            "no base64",
            source(
                json!({ "source_type": "image_base64", "content_type": "image/png", "data": "a b" }),
            ),
            400,
            1,
        ),
        (
            "far away",
            source(json!({ "source_type": "image_url", "url": "https://192.0.2.1/a.png" })),
            400,
            235,
        ),
        ("one", source(carousel(items(1))), 400, 1),
        ("two", source(carousel(items(2))), 201, 0),
        ("five", source(carousel(items(5))), 201, 0),
        ("six", source(carousel(items(6))), 400, 1),
        ("two sizes", source(carousel(vec![item(&png(1)), item(&larger)])), 400, 1),
        (
            "no video",
            source(
                json!({ "source_type": "video_id", "media_id": "1", "cover_image_key_frame_time": 1 }),
            ),
            400,
            2424,
        ),
    ] {
        let got = ana.post(&world, "/pins", &body).await;
        assert_eq!(got.status, status, "{name}: {got:?}");
        if status != 201 {
            assert_eq!(got.body["code"], code, "{name}: {got:?}");
        }
        assert_eq!(got.text.contains("spam"), name == "spam", "{name}");
    }
    assert_eq!(world.posts("pinterest").await.len(), 3);
}

#[tokio::test]
async fn a_large_picture_is_hashed_as_it_passes() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let mut bytes = png(1);
    bytes.resize(5_000_000, 7);
    let mut body = ana.pin("large");
    body["media_source"]["data"] = json!(base64(&bytes));
    let got = ana.post(&world, "/pins", &body).await;
    assert_eq!(got.status, 201, "{got:?}");
    let media = &world.posts("pinterest").await[0]["media"][0];
    assert_eq!(media["bytes"], bytes.len());
    let mut small = ana.pin("small");
    small["media_source"]["data"] = json!(base64(&bytes[..1_000]));
    ana.post(&world, "/pins", &small).await;
    let other = &world.posts("pinterest").await[1]["media"][0];
    assert_ne!(media["sha256"], other["sha256"]);
    bytes.resize(20_000_001, 7);
    body["media_source"]["data"] = json!(base64(&bytes));
    assert_eq!(ana.post(&world, "/pins", &body).await.status, 400);
}

#[tokio::test]
async fn lists_go_on_by_bookmarks_and_name_the_newest_first() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    ben.publish(&world, "another's").await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.insert(0, ana.publish(&world, &number.to_string()).await);
    }
    for path in ["/pins".to_owned(), format!("/boards/{}/pins", ana.board)] {
        let (mut found, mut bookmark) = (Vec::new(), String::new());
        for expected in [2, 2, 1] {
            let got = ana.get(&world, &format!("{path}?page_size=2&bookmark={bookmark}")).await;
            let items = got.body["items"].as_array().unwrap().clone();
            assert_eq!(items.len(), expected, "{path}");
            found.extend(items.iter().map(|pin| pin["id"].as_str().unwrap().to_owned()));
            bookmark = got.text_of("bookmark");
        }
        assert_eq!((found, bookmark.as_str()), (ids.clone(), ""), "{path}");
    }
    for (query, status) in
        [("page_size=250", 200), ("page_size=251", 400), ("page_size=0", 400), ("bookmark=zz", 400)]
    {
        assert_eq!(ana.get(&world, &format!("/pins?{query}")).await.status, status, "{query}");
    }
}

#[tokio::test]
async fn boards_are_made_and_listed_and_secret_ones_are_not() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let made = ana.post(&world, "/boards", &json!({ "name": "Soups" })).await;
    assert_eq!((made.status, made.body["privacy"].as_str()), (201, Some("PUBLIC")));
    assert_eq!(ana.post(&world, "/boards", &json!({ "name": "Soups" })).await.status, 400);
    let secret = ana.post(&world, "/boards", &json!({ "name": "S", "privacy": "SECRET" })).await;
    let listed = ana.get(&world, "/boards?page_size=250").await;
    let names: Vec<&Value> =
        listed.body["items"].as_array().unwrap().iter().map(|board| &board["name"]).collect();
    assert_eq!(names, ["Finds", "Soups"]);
    let mut pin = ana.pin("x");
    pin["board_id"] = secret.body["id"].clone();
    assert_eq!(ana.post(&world, "/pins", &pin).await.body["code"], 40);
}

#[tokio::test]
async fn a_pin_is_deleted_once() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let ben = Actor::new(&world, "Ben").await;
    let path = format!("/pins/{}", ana.publish(&world, "short").await);
    assert_eq!(ben.delete(&world, &path).await.body["code"], 7);
    assert_eq!(ana.delete(&world, &path).await.status, 204);
    let gone = ana.delete(&world, &path).await;
    assert_eq!((gone.status, &gone.body["code"]), (404, &json!(50)));
    assert_eq!(ana.get(&world, &path).await.status, 404);
    assert_eq!(world.posts("pinterest").await[0]["deleted"], true);
    assert_eq!(ana.get(&world, "/pins").await.body["items"], json!([]));
}

#[tokio::test]
async fn figures_of_days_and_of_a_life() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let id = ana.publish(&world, "seen").await;
    let today = ana.get(&world, &format!("/pins/{id}")).await.text_of("created_at");
    let today = &today[..10];
    let path = |start: &str, types: &str| {
        format!(
            "/pins/{id}/analytics?start_date={start}&end_date={today}&metric_types={types}&app_types=ALL"
        )
    };
    let got = ana.get(&world, &path(today, "IMPRESSION,SAVE,VIDEO_MRC_VIEW,TOTAL_COMMENTS")).await;
    assert_eq!(got.body["all"]["summary_metrics"], json!({ "IMPRESSION": 240, "SAVE": 9 }));
    assert_eq!(got.body["all"]["lifetime_metrics"], json!({ "TOTAL_COMMENTS": 3 }));
    for wrong in [path("2020-01-01", "SAVE"), path("x", "SAVE"), path(today, "LOVE")] {
        assert_eq!(ana.get(&world, &wrong).await.status, 400, "{wrong}");
    }
    let plain = ana.get(&world, &format!("/pins/{id}")).await;
    assert_eq!(plain.body["pin_metrics"], Value::Null);
    let with = ana.get(&world, &format!("/pins/{id}?pin_metrics=true")).await;
    assert_eq!(with.body["pin_metrics"]["lifetime_metrics"]["reaction"], 7);
    let user = ana.get(&world, "/user_account").await;
    assert_eq!((&user.body["follower_count"], &user.body["id"]), (&json!(163), &json!(ana.user)));
}

#[tokio::test]
async fn a_pin_goes_to_a_section_of_its_board() {
    let world = World::default().await;
    let ana = Actor::new(&world, "Ana").await;
    let sections = format!("/boards/{}/sections", ana.board);
    let made = ana.post(&world, &sections, &json!({ "name": "Soups" })).await;
    assert_eq!(made.status, 201, "{made:?}");
    let listed = ana.get(&world, &sections).await;
    assert_eq!(listed.body["items"], json!([made.body]));
    let with = |member: &str, value: Value| {
        let mut body = ana.pin("x");
        body[member] = value;
        body
    };
    let id = made.text_of("id");
    let pin = ana.post(&world, "/pins", &with("board_section_id", json!(id))).await;
    assert_eq!((pin.status, &pin.body["board_section_id"]), (201, &json!(id)));
    let pin = ana.post(&world, "/pins", &with("dominant_color", json!("#1e90ff"))).await;
    assert_eq!((pin.status, &pin.body["dominant_color"]), (201, &json!("#1e90ff")));
    let carousel = |index: u64| {
        with(
            "media_source",
            json!({
                "source_type": "multiple_image_base64", "items": [item(&png(1)), item(&png(2))],
                "index": index,
            }),
        )
    };
    let card = |name: &str, text: &str| {
        let mut body = carousel(0);
        body["media_source"]["items"][1][name] = json!(text);
        body
    };
    for (name, body, status) in [
        ("another section", with("board_section_id", json!("12")), 404),
        ("no section", with("board_section_id", json!("soups")), 400),
        ("a colour", with("dominant_color", json!("blue")), 400),
        ("the second first", carousel(1), 201),
        ("the third of two", carousel(2), 400),
        ("a card with words", card("title", &"t".repeat(100)), 201),
        ("the title of a card", card("title", &"t".repeat(101)), 400),
        ("the link of a card", card("link", "ftp://example.com"), 400),
    ] {
        let got = ana.post(&world, "/pins", &body).await;
        assert_eq!(got.status, status, "{name}: {got:?}");
    }
    for name in ["", &"n".repeat(181)] {
        let got = ana.post(&world, &sections, &json!({ "name": name })).await;
        assert_eq!(got.status, 400, "{name}");
    }
}
