//! Options of every network but those that `options_of_videos` speaks of.

use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use crate::case::{Case, image, text};

pub(super) fn cases() -> Vec<Case> {
    let tags = |count: usize| -> Value {
        (0..count).map(|number| format!("tag {number}")).collect::<Vec<_>>().into()
    };
    let mut cases = of_all();
    for (name, platform, options) in [
        ("asReel that is a text", Platform::Facebook, json!({"asReel": "yes"})),
        ("a first comment on Facebook", Platform::Facebook, comment(8000)),
        ("a first comment on Facebook, one over", Platform::Facebook, comment(8001)),
        ("a blank first comment on Facebook", Platform::Facebook, json!({"firstComment": " "})),
        (
            "a first comment on Facebook that is a list",
            Platform::Facebook,
            json!({"firstComment": []}),
        ),
        ("a first comment on LinkedIn", Platform::Linkedin, comment(1250)),
        ("a first comment on LinkedIn, one over", Platform::Linkedin, comment(1251)),
        ("a blank first comment on LinkedIn", Platform::Linkedin, json!({"firstComment": " "})),
        (
            "a first comment on LinkedIn that is a number",
            Platform::Linkedin,
            json!({"firstComment": 1}),
        ),
        (
            "a first comment on LinkedIn in emoji",
            Platform::Linkedin,
            json!({"firstComment": "👍".repeat(626)}),
        ),
        ("a board", Platform::Pinterest, json!({"boardId": "1".repeat(32)})),
        ("a board of too many digits", Platform::Pinterest, json!({"boardId": "1".repeat(33)})),
        ("a board that is a name", Platform::Pinterest, json!({"boardId": "recipes"})),
        ("a board that is a number", Platform::Pinterest, json!({"boardId": 12})),
        ("a board that is empty", Platform::Pinterest, json!({"boardId": ""})),
        ("a board that is null", Platform::Pinterest, json!({"boardId": null})),
        ("a title of a Pin", Platform::Pinterest, json!({"title": "é".repeat(100)})),
        ("a title of a Pin, one over", Platform::Pinterest, json!({"title": "é".repeat(101)})),
        ("a title of a Pin that is empty", Platform::Pinterest, json!({"title": ""})),
        ("a title of a Pin that is a list", Platform::Pinterest, json!({"title": ["a"]})),
        ("visibility public", Platform::Mastodon, json!({"visibility": "public"})),
        ("visibility direct to nobody", Platform::Mastodon, json!({"visibility": "direct"})),
        (
            "visibility direct to somebody",
            Platform::Mastodon,
            json!({"visibility": "direct", "caption": "Hi @alice@mastodon.example"}),
        ),
        ("visibility of another network", Platform::Mastodon, json!({"visibility": "friends"})),
        ("visibility that is a flag", Platform::Mastodon, json!({"visibility": true})),
        ("a thread name", Platform::Discord, json!({"threadName": "é".repeat(100)})),
        ("a thread name, one over", Platform::Discord, json!({"threadName": "é".repeat(101)})),
        ("a blank thread name", Platform::Discord, json!({"threadName": " "})),
        ("a thread name that is a number", Platform::Discord, json!({"threadName": 7})),
        ("20 tags on Tumblr", Platform::Tumblr, json!({"tags": tags(20)})),
        ("21 tags on Tumblr", Platform::Tumblr, json!({"tags": tags(21)})),
        ("30 tags on Tumblr", Platform::Tumblr, json!({"tags": tags(30)})),
        ("31 tags on Tumblr", Platform::Tumblr, json!({"tags": tags(31)})),
        ("a tag of 140 letters on Tumblr", Platform::Tumblr, json!({"tags": ["é".repeat(140)]})),
        ("a tag of 141 letters on Tumblr", Platform::Tumblr, json!({"tags": ["é".repeat(141)]})),
        ("a tag with a comma on Tumblr", Platform::Tumblr, json!({"tags": ["a,b"]})),
        ("an empty tag on Tumblr", Platform::Tumblr, json!({"tags": ["a", " # "]})),
        ("one tag twice on Tumblr", Platform::Tumblr, json!({"tags": ["Rust", "#rust"]})),
        ("tags in one text on Tumblr", Platform::Tumblr, json!({"tags": "one, two,three"})),
        ("tags that are numbers on Tumblr", Platform::Tumblr, json!({"tags": [1, 2]})),
        ("tags that are an object on Tumblr", Platform::Tumblr, json!({"tags": {"a": 1}})),
    ] {
        cases.push(text(name, "Hello").with(platform, options));
    }
    cases.push(text("no options at all", "Hello").media([image()]).bare());
    cases
}

fn comment(length: usize) -> Value {
    json!({"firstComment": "a".repeat(length)})
}

/// Options that every network has, and keys that none has.
fn of_all() -> Vec<Case> {
    let mut cases: Vec<Case> = [
        ("a caption", json!({"caption": "Mine"})),
        ("a caption that is a number", json!({"caption": 1})),
        ("a caption that is null", json!({"caption": null})),
        ("a caption of 301 letters", json!({"caption": "a".repeat(301)})),
    ]
    .into_iter()
    .map(|(name, options)| text(name, "Hello").with_wherever_known(&options))
    .collect();
    for (name, options) in [
        ("a key that no network knows", json!({"colour": "red"})),
        ("a key with a slip", json!({"captoin": "Mine"})),
        ("a key of another form", json!({"thread_name": "News", "spoiler_text": "CW"})),
        ("a key in capitals", json!({"CAPTION": "Mine"})),
        ("an empty key", json!({"": 1})),
        ("a key of 100 letters", json!({"k".repeat(100): 1})),
    ] {
        let case = Platform::ALL
            .into_iter()
            .fold(text(name, "Hello"), |case, platform| case.with(platform, options.clone()));
        cases.push(case);
    }
    cases
}
