//! What a post holds.

use serde_json::json;

use super::*;
use crate::conversation::StoredProgress;
use crate::testing::files::{with_file, with_images};
use crate::testing::with_options;
use crate::tumblr::testing::tumblr_job;

fn job(content: &str) -> PublishJob {
    PublishJob { content: content.to_owned(), ..tumblr_job() }
}

fn staff() -> Mentioned {
    Mentioned {
        written: "staff".to_owned(),
        name: "staff".to_owned(),
        uuid: "t:1".to_owned(),
        url: "https://staff.tumblr.com/".to_owned(),
    }
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

#[test]
fn text_and_links_are_blocks() {
    let see = "Second, see https://example.com";
    let link = json!({ "start": 12, "end": 31, "type": "link", "url": "https://example.com" });
    for (name, content_text, url, want) in [
        ("one", "one", None, json!([text("one")])),
        ("a line feed stays", "one\ntwo", None, json!([text("one\ntwo")])),
        ("lines of Windows", "one\r\n\r\ntwo", None, json!([text("one"), text("two")])),
        (
            "a link in the text",
            see,
            None,
            json!([{ "type": "text", "text": see, "formatting": [link] }]),
        ),
        (
            "a link of the post",
            "one",
            Some("https://a.example"),
            json!([text("one"), { "type": "link", "url": "https://a.example" }]),
        ),
        (
            "a link alone",
            "",
            Some("https://a.example"),
            json!([{ "type": "link", "url": "https://a.example" }]),
        ),
    ] {
        let job = PublishJob { link_url: url.map(str::to_owned), ..job(content_text) };
        assert_eq!(Value::from(content(&job, &[])), want, "{name}");
    }
    let captioned = with_options(job("shared"), json!({ "caption": "own" }));
    assert_eq!(content(&captioned, &[]), [text("own")]);
    let long = content(&job(&"a".repeat(64_000)), &[]);
    assert_eq!(long.len(), 16);
}

#[test]
fn files_come_first_and_name_their_parts() {
    let job = with_file(with_images(job("text"), 1), "video/mp4", "not for videos");
    let image = json!({
        "type": "image",
        "alt_text": "image 0",
        "media": [{ "type": "image/png", "identifier": "m0", "width": 1200, "height": 800 }],
    });
    let video = json!({
        "type": "video",
        "media": { "type": "video/mp4", "identifier": "m1", "width": 1200, "height": 800 },
    });
    assert_eq!(content(&job, &[]), [image, video, text("text")]);
    let mut unknown = with_file(job, "image/gif", "");
    unknown.files[2].facts.width = None;
    let block = content(&unknown, &[])[2].clone();
    let want = json!({ "type": "image", "media": [{ "type": "image/gif", "identifier": "m2" }] });
    assert_eq!(block, want);
}

#[test]
fn tags_are_one_string_without_signs_and_repeats() {
    for (name, options, want) in [
        ("none", json!({}), None),
        ("empty", json!({ "tags": [] }), None),
        ("blank", json!({ "tags": " , " }), None),
        ("an array", json!({ "tags": ["rust", "release"] }), Some("rust,release")),
        ("one string", json!({ "tags": "rust, release " }), Some("rust,release")),
        ("signs", json!({ "tags": ["#rust", " # two words "] }), Some("rust,two words")),
        ("repeats", json!({ "tags": ["Rust", "rust", "#RUST"] }), Some("Rust")),
    ] {
        let job = with_options(tumblr_job(), options);
        let post = post(Vec::new(), Vec::new(), &job, None, "draft");
        assert_eq!(post.get("tags").and_then(Value::as_str), want, "{name}");
    }
}

#[test]
fn names_of_blogs_are_told_from_other_words() {
    for (name, text, want) in [
        ("alone", "@staff", vec!["staff"]),
        ("within", "Hello @Staff, and @a-b.", vec!["staff", "a-b"]),
        ("twice", "@staff @staff", vec!["staff"]),
        ("another script before", "(@staff)", vec!["staff"]),
        ("an address of mail", "me@staff.example", vec![]),
        ("elsewhere", "@me@m.example @me.example", vec![]),
        ("other signs", "@a_b @ @- @é", vec![]),
        ("in a link", "https://a.example/@staff", vec![]),
        ("a name that is too long", &format!("@{}", "a".repeat(33)), vec![]),
        ("as long as can be", &format!("@{}", "a".repeat(32)), vec![&"a".repeat(32)]),
    ] {
        assert_eq!(mentioned_names(&job(text)), want, "{name}");
    }
    let many: String = (0..60).map(|number| format!("@b{number} ")).collect();
    assert_eq!(mentioned_names(&job(&many)).len(), 50);
}

#[test]
fn a_mention_is_a_range_of_code_points_in_its_order() {
    let job = job("👋 @Staff see https://a.example, @nobody and @staff");
    let blog = json!({ "uuid": "t:1", "name": "staff", "url": "https://staff.tumblr.com/" });
    let want = json!([
        { "start": 2, "end": 8, "type": "mention", "blog": blog },
        { "start": 13, "end": 30, "type": "link", "url": "https://a.example" },
        { "start": 44, "end": 50, "type": "mention", "blog": blog },
    ]);
    assert_eq!(content(&job, &[staff()])[0]["formatting"], want);
    let many = "@staff ".repeat(60);
    let marked = content(&PublishJob { content: many, ..job }, &[staff()]);
    assert_eq!(marked[0]["formatting"].as_array().unwrap().len(), 50);
}

#[test]
fn posts_are_alike_by_text_and_counts() {
    let of = |content: Value| Summary::of(content.as_array().unwrap());
    let two = of(json!([text("one\ntwo"), { "type": "link", "url": "https://a.example" }]));
    let stored = of(json!([text("one"), text("two"), { "type": "link", "title": "A" }]));
    assert_eq!(two, stored);
    for (name, other) in [
        ("another text", json!([text("one three")])),
        ("a picture", json!([text("one two"), { "type": "image" }])),
        ("a video", json!([text("one two"), { "type": "video" }])),
    ] {
        assert_ne!(two, of(other), "{name}");
    }
    let set =
        |tags: &[&str]| tag_set(&tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>());
    assert_eq!(set(&["A", "b "]), set(&["B", "a"]));
    assert_ne!(set(&["a"]), set(&[]));
}

#[test]
fn options_are_members_of_the_post_and_a_title_its_first_block() {
    let plain = new_post(&tumblr_job(), &Progress::begin(&tumblr_job()), "draft");
    let Body::Json(plain) = plain else { panic!("no JSON") };
    let with = |options: Value| match new_post(
        &with_options(tumblr_job(), options),
        &Progress::begin(&tumblr_job()),
        "draft",
    ) {
        Body::Json(json) => json,
        other => panic!("no JSON: {other:?}"),
    };
    assert_eq!(with(json!({})), plain);
    for (option, value, member) in [
        ("sourceUrl", "https://example.com/a", "source_url"),
        ("slug", "a-nice-name", "slug"),
        ("reblog", "noone", "interactability_reblog"),
    ] {
        let mut got = with(json!({ option: value }));
        assert_eq!(got[member], value, "{option}");
        got.as_object_mut().unwrap().remove(member);
        assert_eq!(got, plain, "{option}, and nothing else");
    }
    let titled = with(json!({ "title": " News " }));
    let heading = json!({ "type": "text", "subtype": "heading1", "text": "News" });
    assert_eq!(titled["content"][0], heading);
    let rest = &titled["content"].as_array().unwrap()[1..];
    assert_eq!(rest, plain["content"].as_array().unwrap());
}

/// The layout of a job's post.
fn layout_of(job: &PublishJob) -> Value {
    match new_post(job, &Progress::begin(job), "draft") {
        Body::Json(post) => post["layout"].clone(),
        Body::Multipart(parts) => match &parts[0].content {
            crate::conversation::PartContent::Json(post) => post["layout"].clone(),
            _ => panic!("the first part is the post"),
        },
        _ => panic!("a post is JSON or a form"),
    }
}

#[test]
fn images_stand_in_rows_and_the_rest_below_read_more() {
    let rows = |rows: &[&[usize]]| -> Value {
        rows.iter().map(|blocks| json!({ "blocks": blocks })).collect()
    };
    let two = "one\n\ntwo";
    let long = format!("{}\n\ntwo", "a ".repeat(4_000));
    for (name, text, images, options, display, after) in [
        (
            "rows",
            "one",
            3,
            json!({ "imageRows": [[0, 2], [1]] }),
            rows(&[&[0, 2], &[1], &[3]]),
            None,
        ),
        (
            "below a title",
            "one",
            2,
            json!({ "imageRows": [[0, 1]], "title": "News" }),
            rows(&[&[0], &[1, 2], &[3]]),
            None,
        ),
        ("at once", two, 0, json!({ "readMoreAfter": 0 }), rows(&[&[0], &[1]]), Some(-1)),
        ("after one", two, 0, json!({ "readMoreAfter": 1 }), rows(&[&[0], &[1]]), Some(0)),
        (
            "after the image",
            two,
            1,
            json!({ "readMoreAfter": 0 }),
            rows(&[&[0], &[1], &[2]]),
            Some(0),
        ),
        (
            "after a paragraph of two blocks",
            &long,
            0,
            json!({ "readMoreAfter": 1 }),
            rows(&[&[0], &[1], &[2]]),
            Some(1),
        ),
    ] {
        let job = with_options(with_images(job(text), images), options);
        let layout = layout_of(&job);
        assert_eq!(layout[0]["type"], "rows", "{name}");
        assert_eq!(layout[0]["display"], display, "{name}");
        assert_eq!(layout[0].get("truncate_after").and_then(Value::as_i64), after, "{name}");
    }
    assert_eq!(layout_of(&with_images(job("one"), 2)), Value::Null, "nothing is laid out unasked");
    let without = with_options(job("one"), json!({ "imageRows": [[0]] }));
    assert_eq!(layout_of(&without), Value::Null, "there is no image");
    let mixed = with_options(
        with_file(with_images(job("one"), 2), "video/mp4", ""),
        json!({ "imageRows": [[0, 1]] }),
    );
    assert_eq!(layout_of(&mixed)[0]["display"], rows(&[&[0, 1], &[2], &[3]]), "a video has a row");
}
