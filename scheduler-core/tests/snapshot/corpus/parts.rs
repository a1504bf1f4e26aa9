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

/// The id of a file.
const FILE: &str = "0192f0c1-7e4b-7c3a-9d2e-5b6a7c8d9e0f";

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
        ("a thread with a part that is an object", json!([{"text": "Two"}])),
        ("a thread with a part of a file alone", json!([{"mediaIds": [FILE]}])),
        ("a thread with a part of nothing", json!([{"mediaIds": []}])),
        (
            "a thread with a file twice in a part",
            json!([{"text": "Two", "mediaIds": [FILE, FILE]}]),
        ),
        ("a thread with words of no file", json!([{"text": "Two", "altTexts": ["A ship"]}])),
        ("a thread with an unknown field", json!([{"text": "Two", "media": [FILE]}])),
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
    let two = |key: &str, value: Value| json!({"options": ["a", "b"], key: value});
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
        ("a poll option of 50 letters", json!({"options": ["a", "é".repeat(50)]})),
        ("a poll option of 51 letters", json!({"options": ["a", "é".repeat(51)]})),
        ("a poll with a question", two("question", json!("Which?"))),
        ("a poll whose question is a number", two("question", json!(1))),
        ("a poll of 4 minutes", two("durationMinutes", json!(4))),
        ("a poll of 5 minutes", two("durationMinutes", json!(5))),
        ("a poll of 7 days", two("durationMinutes", json!(10_080))),
        ("a poll of a minute more", two("durationMinutes", json!(10_081))),
        ("a poll of 43829 minutes", two("durationMinutes", json!(43_829))),
        ("a poll of 43830 minutes", two("durationMinutes", json!(43_830))),
        ("a poll of a time in words", two("durationMinutes", json!("60"))),
        ("a poll of several choices", two("multiple", json!(true))),
        ("a poll of several choices in words", two("multiple", json!("yes"))),
        ("a poll with hidden results", two("hideResults", json!(true))),
        ("a poll that is null", Value::Null),
        (
            "a poll whose question has 301 letters",
            json!({"options": ["a", "b"], "question": "a".repeat(301)}),
        ),
        ("a poll of an hour", json!({"options": ["a", "b"], "durationMinutes": 60})),
        ("a poll of 61 minutes", json!({"options": ["a", "b"], "durationMinutes": 61})),
        ("a poll of no time", json!({"options": ["a", "b"], "durationMinutes": 0})),
        ("a poll of half an hour", json!({"options": ["a", "b"], "durationMinutes": 30.5})),
    ]
    .into_iter()
    .map(|(name, poll)| text(name, "Which?").with_wherever_known(&json!({ "poll": poll })))
    .collect();
    for (name, poll) in [
        ("of 2", json!({"options": ["a", "b"]})),
        ("of 5", json!({"options": ["a", "b", "c", "d", "e"]})),
        ("with an empty option", json!({"options": ["a", " "]})),
        ("with an option of 30", json!({"options": ["a", "b".repeat(30)]})),
        ("with an option of 31", json!({"options": ["a", "b".repeat(31)]})),
        ("with the same option twice", json!({"options": ["a", "a"]})),
        ("that is a list", json!(["a", "b"])),
        ("with a question of 140", json!({"options": ["a", "b"], "question": "q".repeat(140)})),
        ("with a question of 141", json!({"options": ["a", "b"], "question": "q".repeat(141)})),
        ("with a question that is a number", json!({"options": ["a", "b"], "question": 1})),
        ("of two weeks", json!({"options": ["a", "b"], "durationMinutes": 20_160})),
        ("of two days", json!({"options": ["a", "b"], "durationMinutes": 2_880})),
        ("of a duration in words", json!({"options": ["a", "b"], "durationMinutes": "1d"})),
        ("of several choices", json!({"options": ["a", "b"], "multiple": true})),
        ("that hides its results", json!({"options": ["a", "b"], "hideResults": true})),
        ("with a flag in words", json!({"options": ["a", "b"], "multiple": "no"})),
        ("with more", json!({"options": ["a", "b"], "colour": "red"})),
    ] {
        let case = text(format!("a poll on LinkedIn {name}"), "Which?").only(Platform::Linkedin);
        cases.push(case.with(Platform::Linkedin, json!({"poll": poll})));
    }
    let options = json!({"poll": {"options": ["a", "b"]}});
    let linkedin = |name: &str, content: String| {
        text(name, content).only(Platform::Linkedin).with(Platform::Linkedin, options.clone())
    };
    cases.push(linkedin("a poll on LinkedIn and a text of 140", "t".repeat(140)));
    cases.push(linkedin("a poll on LinkedIn and a text of 141", "t".repeat(141)));
    cases
        .push(linkedin("a poll on LinkedIn beside an image", "Which?".to_owned()).media([image()]));
    cases.push(
        linkedin("a poll on LinkedIn beside a link", "Which?".to_owned())
            .link("https://example.com/a"),
    );
    cases.push(
        linkedin("a poll on LinkedIn that shares a post", "Which?".to_owned())
            .with(Platform::Linkedin, json!({"quote": "urn:li:share:1"})),
    );
    let polled = |case: Case| case.with_wherever_known(&json!({"poll": {"options": ["a", "b"]}}));
    cases.push(polled(text("a poll beside an image", "Which?").media([image()])));
    cases.push(polled(text("a poll without a question", "")));
    cases.push(polled(text("a poll under a text of 301 letters", "a".repeat(301))));
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
