//! Files that targets have of their own, and what they say of files.

use scheduler_core::platform::{FileDetail, FileDetails, Platform};
use scheduler_core::rules::MediaFacts;
use serde_json::{Value, json};

use crate::case::{Case, image, text, video};

/// What a target says of a file, as a caller sends it.
fn details(fields: Value) -> FileDetails {
    serde_json::from_value(fields).expect("details of a file")
}

fn tags(count: usize, tag: Value) -> FileDetails {
    details(json!({ "userTags": vec![tag; count] }))
}

pub(super) fn cases() -> Vec<Case> {
    let everything = json!({
        "title": "A", "description": "B", "link": "https://e.com", "focus": {"x": 0, "y": 0},
        "userTags": [{"username": "a", "x": 0, "y": 1}], "spoiler": true,
    });
    assert_eq!(everything.as_object().map(serde_json::Map::len), Some(FileDetail::ALL.len()));
    let post = |name: &str| text(name, "Hello").media([image()]);
    let two = |name: &str| text(name, "Hello").media([image(), image()]);
    let instagram = |case: Case| case.only(Platform::Instagram);
    let pinterest = |case: Case| case.only(Platform::Pinterest);
    let (placed, unplaced) =
        (json!({"username": "a", "x": 0.5, "y": 0.5}), json!({"username": "@a"}));
    let alt = |length: usize| details(json!({"altText": "é".repeat(length)}));
    vec![
        post("no files of its own").own_files([]),
        post("a video of its own").own_files([video()]),
        post("a file of its own that is not ready")
            .own_files([MediaFacts { ready: false, ..image() }]),
        post("a file of its own without bytes")
            .own_files([MediaFacts { size_bytes: Some(0), ..image() }]),
        post("everything is said of a file").details([details(everything)]),
        post("an alternative text of its own at the limit of the post").details([alt(1_000)]),
        post("an alternative text of its own beyond it").details([alt(1_001)]),
        pinterest(two("cards at the limit").details([details(json!({
            "title": "é".repeat(100),
            "description": "é".repeat(800),
            "link": format!("https://e.com/{}", "a".repeat(2_034)),
        }))])),
        pinterest(two("cards one over").details([details(json!({
            "title": "é".repeat(101),
            "description": "é".repeat(801),
            "link": format!("https://e.com/{}", "a".repeat(2_035)),
        }))])),
        instagram(post("20 people in an image").details([tags(20, placed.clone())])),
        instagram(post("21 people in an image").details([tags(21, placed.clone())])),
        instagram(
            post("somebody in an image without a place").details([tags(1, unplaced.clone())]),
        ),
        instagram(
            post("somebody in a story without a place")
                .with(Platform::Instagram, json!({"placement": "story"}))
                .details([tags(1, unplaced.clone())]),
        ),
        instagram(
            text("somebody in a video", "Hello").media([video()]).details([tags(1, unplaced)]),
        ),
        instagram(
            text("somebody in a video with a place", "Hello")
                .media([video()])
                .details([tags(1, placed)]),
        ),
        instagram(
            post("names of nobody").details([tags(1, json!({"username": "a b", "x": 0, "y": 0}))]),
        ),
    ]
}
