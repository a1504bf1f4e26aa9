//! Texts beside the first: threads, polls and content warnings.

use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::case::{Case, image, text};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = threads();
    cases.extend(polls());
    cases.extend(content_warnings());
    cases
}

fn threads() -> Vec<Case> {
    let links = |count: usize| -> String {
        (0..count).map(|number| format!("https://example.com/{number} ")).collect()
    };
    [
        ("a thread of one", json!(["Two"])),
        ("a thread of 24", json!((2..26).map(|n| n.to_string()).collect::<Vec<_>>())),
        ("a thread of 25", json!((2..27).map(|n| n.to_string()).collect::<Vec<_>>())),
        ("a thread of none", json!([])),
        ("a thread with an empty part", json!(["Two", "", "Four"])),
        ("a thread with a blank part", json!([" \n"])),
        ("a thread that is a text", json!("Two")),
        ("a thread that is an object", json!({"0": "Two"})),
        ("a thread with a number", json!(["Two", 3])),
        ("a thread that is null", Value::Null),
        ("a thread part of 280 letters", json!(["b".repeat(280)])),
        ("a thread part of 281 letters", json!(["b".repeat(281)])),
        ("a thread part of 300 letters", json!(["b".repeat(300)])),
        ("a thread part of 301 letters", json!(["b".repeat(301)])),
        ("a thread part of 500 letters", json!(["b".repeat(500)])),
        ("a thread part of 501 letters", json!(["b".repeat(501)])),
        ("a thread part of 120 families", json!(["👨‍👩‍👧‍👦".repeat(120)])),
        ("a thread part of 121 families", json!(["👨‍👩‍👧‍👦".repeat(121)])),
        ("a thread part of 5 links", json!([links(5)])),
        ("a thread part of 6 links", json!([links(6)])),
        ("a thread part of one hashtag", json!(["#a"])),
        ("a thread part of two hashtags", json!(["#a #b"])),
        ("a thread part with a mention", json!(["hi @bob"])),
        ("a thread part of one cashtag", json!(["$A"])),
        ("a thread part of two cashtags", json!(["$A $B"])),
        ("a thread that repeats its first post", json!(["One"])),
        ("a thread that repeats itself", json!(["Two", "Three", "Two"])),
        ("a thread that repeats itself but for spaces", json!(["Two", "Two "])),
        ("a thread part with a byte order mark", json!(["a\u{feff}"])),
        ("a thread part with CR LF", json!(["a\r\nb"])),
    ]
    .into_iter()
    .map(|(name, thread)| text(name, "One").with_wherever_known(&json!({"thread": thread})))
    .chain([text("a thread where there is none", "One")
        .with(Platform::Discord, json!({"thread": ["Two"]}))])
    .collect()
}

fn polls() -> Vec<Case> {
    let mut cases: Vec<Case> = [
        ("a poll of 2", json!({"options": ["a", "b"]})),
        ("a poll of 4", json!({"options": ["a", "b", "c", "d"]})),
        ("a poll of 1", json!({"options": ["a"]})),
        ("a poll of 5", json!({"options": ["a", "b", "c", "d", "e"]})),
        ("a poll of none", json!({"options": []})),
        ("a poll with an empty option", json!({"options": ["a", " "]})),
        ("a poll option of 25 letters", json!({"options": ["a", "b".repeat(25)]})),
        ("a poll option of 26 letters", json!({"options": ["a", "b".repeat(26)]})),
        ("a poll option of 13 accented letters", json!({"options": ["a", "é".repeat(13)]})),
        ("a poll with the same option twice", json!({"options": ["a", "b", "a "]})),
        ("a poll that is a list", json!(["a", "b"])),
        ("a poll of numbers", json!({"options": [1, 2]})),
        ("a poll without options", json!({})),
        ("a poll of a duration", json!({"options": ["a", "b"], "duration": 60})),
        ("a poll that is null", Value::Null),
    ]
    .into_iter()
    .map(|(name, poll)| text(name, "Which?").with(Platform::Threads, json!({"poll": poll})))
    .collect();
    cases.push(
        text("a poll beside an image", "Which?")
            .media([image()])
            .with(Platform::Threads, json!({"poll": {"options": ["a", "b"]}})),
    );
    cases.push(
        text("a poll without a question", "")
            .with(Platform::Threads, json!({"poll": {"options": ["a", "b"]}})),
    );
    cases
}

fn content_warnings() -> Vec<Case> {
    let warned = |name: &str, content: String, warning: Value| {
        text(name, content).with(Platform::Mastodon, json!({"spoilerText": warning}))
    };
    vec![
        warned("a content warning", "Hello".to_owned(), json!("CW")),
        warned("a content warning that fits beside 498 letters", "a".repeat(498), json!("CW")),
        warned("a content warning beside 499 letters", "a".repeat(499), json!("CW")),
        warned(
            "a content warning with a link",
            "Hello".to_owned(),
            json!(format!("https://example.com/{}", "p".repeat(500))),
        ),
        warned("a content warning and no text", String::new(), json!("CW")),
        warned("a content warning that is empty", "Hello".to_owned(), json!("")),
        warned("a content warning that is a number", "Hello".to_owned(), json!(1)),
        text("a content warning beside a long part of a thread", "Hello")
            .with(Platform::Mastodon, json!({"spoilerText": "CW", "thread": ["b".repeat(499)]})),
    ]
}
