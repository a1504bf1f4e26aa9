//! Tests of the options of every network, and of what an account allows.

mod bluesky;
mod discord;
mod facebook;
mod instagram;
mod linkedin;
mod mastodon;
mod pinterest;
mod telegram;
mod threads;
mod tiktok;
mod tumblr;
mod twitter;
mod youtube;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Post, image, needed, video};
use crate::platform::{AccountLimits, Platform};
use crate::rules::{MediaFacts, Severity};

/// The files of the posts of a table.
#[derive(Clone, Copy)]
enum Files {
    None,
    Video,
}

/// Checks what a network says of each value of each option, in a post that is fine otherwise.
///
/// A line names the rules without the network, those of errors marked with `!`. The table must
/// have a line for every option and every type of JSON value.
fn check(platform: Platform, files: Files, table: &[(&str, Value, &str)]) {
    let mut types = BTreeSet::new();
    let fine = said(platform, files, "caption", json!("text"));
    let wrong = format!("!signature.wrong_type {fine}");
    let of_signature =
        signature(&fine, wrong.trim_end()).map(|(value, want)| ("signature", value, want));
    for (key, value, want) in table.iter().chain(&of_signature) {
        types.insert((*key, type_of(value)));
        let shown: String = value.to_string().chars().take(80).collect();
        assert_eq!(said(platform, files, key, value.clone()), *want, "{key}: {shown}");
    }
    for option in platform.sheet().options {
        for json_type in ["null", "boolean", "number", "string", "array", "object"] {
            assert!(
                types.contains(&(option.key, json_type)),
                "no case of {} {json_type}",
                option.key
            );
        }
    }
    let known = |key: &&str| platform.sheet().option(key).is_some();
    assert!(table.iter().all(|(key, ..)| known(key)), "a case of an unknown option");
}

/// The rules that a value of an option breaks, in a post that is fine otherwise.
fn said(platform: Platform, files: Files, key: &str, value: Value) -> String {
    let mut options = needed(platform);
    options[key] = value;
    let mut post = Post::new("Hi").to(platform, options);
    if let Files::Video = files {
        post.media = vec![video()];
    }
    let mark = |severity| if severity == Severity::Error { "!" } else { "" };
    let name = |rule: &str| rule.split_once('.').unwrap().1.to_owned();
    let found = post.check();
    let rules = found.iter().map(|issue| format!("{}{}", mark(issue.severity), name(&issue.rule)));
    rules.collect::<Vec<_>>().join(" ")
}

/// What every network says of each type of JSON value of a signature.
fn signature<'a>(fine: &'a str, wrong: &'a str) -> [(Value, &'a str); 7] {
    [
        (json!(null), fine),
        (json!(true), wrong),
        (json!(5), wrong),
        (json!("Ana"), fine),
        (json!(""), fine),
        (json!([]), wrong),
        (json!({}), wrong),
    ]
}

/// A line for each type of JSON value of a flag.
fn flag(key: &'static str, wrong: &'static str) -> [(&'static str, Value, &'static str); 7] {
    [
        (key, json!(null), ""),
        (key, json!(true), ""),
        (key, json!(false), ""),
        (key, json!(5), wrong),
        (key, json!("true"), wrong),
        (key, json!([]), wrong),
        (key, json!({}), wrong),
    ]
}

/// A line for each type of JSON value of one of a few texts.
fn choice(
    key: &'static str,
    wrong: &'static str,
    not_allowed: &'static str,
) -> [(&'static str, Value, &'static str); 6] {
    [
        (key, json!(null), ""),
        (key, json!(true), wrong),
        (key, json!(5), wrong),
        (key, json!("text"), not_allowed),
        (key, json!([]), wrong),
        (key, json!({}), wrong),
    ]
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Parts of a thread, each another.
fn parts(count: usize) -> Value {
    (0..count).map(|number| format!("part {number}")).collect()
}

/// Tags, each another.
fn tags(count: usize) -> Value {
    (0..count).map(|number| format!("t{number}")).collect()
}

#[test]
fn options_with_files_and_with_each_other() {
    for (platform, options, want) in [
        (Platform::Youtube, json!({"caption": "", "title": "T"}), ""),
        (Platform::Tiktok, json!({}), "tiktok.privacy.missing"),
        (Platform::Tiktok, json!({"asDraft": true, "caption": ""}), ""),
        (Platform::Tiktok, json!({"asDraft": true}), "tiktok.as_draft.no_caption"),
        (
            Platform::Tiktok,
            json!({"asDraft": true, "caption": "a".repeat(2201)}),
            "tiktok.as_draft.no_caption",
        ),
        (
            Platform::Tiktok,
            json!({"asDraft": true, "caption": "", "privacy": "SELF_ONLY"}),
            "tiktok.privacy.draft",
        ),
        (Platform::Threads, json!({"poll": {"options": ["a", "b"]}}), "threads.poll.with_files"),
        (Platform::Pinterest, json!({}), "pinterest.board_id.missing"),
    ] {
        let mut post = Post::new("Hi").to(platform, options.clone());
        post.media = vec![video()];
        assert_eq!(post.rules().join(" "), want, "{platform} {options}");
    }
}

#[test]
fn what_an_account_allows() {
    let mut post = Post::new("Hi")
        .to(Platform::Tiktok, json!({"privacy": "SELF_ONLY", "allowComments": true}));
    post.media = vec![video()];
    post.limits = AccountLimits {
        privacy_levels: Some(vec!["PUBLIC_TO_EVERYONE".to_owned()]),
        comments_disabled: Some(true),
        ..AccountLimits::default()
    };
    assert_eq!(post.rules(), ["tiktok.privacy.not_allowed", "tiktok.allow_comments.disabled"]);

    assert_eq!(
        post.check()[0].message,
        "privacy is \"SELF_ONLY\"; this account allows PUBLIC_TO_EVERYONE."
    );

    for (name, is_forum, options, want) in [
        ("a forum without a name", Some(true), json!({}), "discord.thread_name.needed"),
        ("a forum with a name", Some(true), json!({"threadName": "News"}), ""),
        ("no forum, no name", Some(false), json!({}), ""),
        (
            "no forum with a name",
            Some(false),
            json!({"threadName": "News"}),
            "discord.thread_name.no_forum",
        ),
        ("not known, no name", None, json!({}), ""),
        ("not known with a name", None, json!({"threadName": "News"}), ""),
        ("a name that is null", Some(false), json!({"threadName": null}), ""),
    ] {
        let mut post = Post::new("Hi").to(Platform::Discord, options);
        post.limits = AccountLimits { is_forum, ..AccountLimits::default() };
        assert_eq!(post.rules().join(" "), want, "{name}");
    }
}

/// Source: <https://developers.tiktok.com/docs/en/>,
/// `content-posting-api-reference-query-creator-info`.
#[test]
fn levels_of_a_tiktok_account() {
    let levels = ["FOLLOWER_OF_CREATOR", "SELF_ONLY", "A_LEVEL_OF_TOMORROW"];
    for (name, options, want) in [
        ("one of them", json!({"privacy": "SELF_ONLY"}), ""),
        ("one that is new", json!({"privacy": "A_LEVEL_OF_TOMORROW"}), ""),
        ("one of others", json!({"privacy": "PUBLIC_TO_EVERYONE"}), "tiktok.privacy.not_allowed"),
        ("none", json!({}), "tiktok.privacy.missing"),
        ("comments", json!({"privacy": "SELF_ONLY", "allowComments": true}), ""),
    ] {
        let mut post = Post::new("Hi").to(Platform::Tiktok, options);
        post.media = vec![video()];
        post.limits = AccountLimits {
            privacy_levels: Some(levels.map(str::to_owned).to_vec()),
            comments_disabled: Some(false),
            ..AccountLimits::default()
        };
        let found = post.check();
        assert_eq!(post.rules().join(" "), want, "{name}");
        for issue in &found {
            assert!(issue.message.contains(&levels.join(", ")), "{name}: {}", issue.message);
        }
    }
}

#[test]
fn what_a_message_says() {
    for (platform, options, want) in [
        (
            Platform::Facebook,
            json!({"asReel": "yes"}),
            "asReel is a string; it must be true or false.",
        ),
        (
            Platform::Instagram,
            json!({"placement": "wall"}),
            "placement is \"wall\"; Instagram takes feed, reel, story.",
        ),
        (
            Platform::Instagram,
            json!({"collaborators": {}}),
            "collaborators is an object; it must be an array of user names.",
        ),
        (
            Platform::Youtube,
            json!({"categoryId": 22}),
            "categoryId is a number; it must be a number in a string.",
        ),
    ] {
        let mut post = Post::new("Hi").to(platform, options);
        post.media = vec![video()];
        assert_eq!(post.check()[0].message, want);
    }
}

#[test]
fn collaborators_of_a_story() {
    for (names, want) in [
        (json!([]), "instagram.placement.no_caption"),
        (json!(null), "instagram.placement.no_caption"),
        (json!(["a"]), "instagram.placement.no_caption instagram.placement.no_collaborators"),
    ] {
        let options = json!({"placement": "story", "collaborators": names});
        let mut post = Post::new("Hi").to(Platform::Instagram, options);
        post.media = vec![video()];
        assert_eq!(post.rules().join(" "), want, "{names}");
    }
}

#[test]
fn reels_of_facebook() {
    for (name, media, want) in [
        ("a picture", vec![image()], "facebook.as_reel.files"),
        ("nothing", vec![], "facebook.as_reel.files"),
        (
            "91 s",
            vec![MediaFacts { duration_seconds: Some(91.0), ..video() }],
            "facebook.media.too_long",
        ),
        ("film", vec![MediaFacts { fps: Some(23.976), ..video() }], ""),
        ("20 fps", vec![MediaFacts { fps: Some(20.0), ..video() }], "facebook.media.fps_too_low"),
        (
            "small",
            vec![MediaFacts { width: Some(480), ..video() }],
            "facebook.media.too_small facebook.media.unusual_ratio",
        ),
    ] {
        let mut post = Post::new("Hi").to(Platform::Facebook, json!({"asReel": true}));
        post.media = media;
        assert_eq!(post.rules().join(" "), want, "{name}");
    }
}
