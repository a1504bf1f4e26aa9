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
    for (key, value, want) in table {
        types.insert((*key, type_of(value)));
        let mut options = needed(platform);
        options[*key] = value.clone();
        let mut post = Post::new("Hi").to(platform, options);
        if let Files::Video = files {
            post.media = vec![video()];
        }
        let found = post.check();
        let mark = |severity| if severity == Severity::Error { "!" } else { "" };
        let name = |rule: &str| rule.split_once('.').unwrap().1.to_owned();
        let rules: Vec<String> = found
            .iter()
            .map(|issue| format!("{}{}", mark(issue.severity), name(&issue.rule)))
            .collect();
        let shown: String = value.to_string().chars().take(80).collect();
        assert_eq!(rules.join(" "), *want, "{key}: {shown}");
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
fn options_of_every_network() {
    let poll = |options: &[&str]| json!({"poll": {"options": options}});
    let subtitles = |language: &str, format: &str| json!({"subtitles": [{"language": language, "format": format, "content": "1"}]});
    let tags = |count: usize| (0..count).map(|n| format!("t{n}")).collect::<Vec<_>>();
    for (platform, options, want) in [
        (Platform::Youtube, json!({"title": "t".repeat(100)}), ""),
        (Platform::Youtube, json!({"title": "t".repeat(101)}), "youtube.title.too_long"),
        (Platform::Youtube, json!({"title": format!("{}👍", "t".repeat(98))}), ""),
        (
            Platform::Youtube,
            json!({"title": format!("{}👍", "t".repeat(99))}),
            "youtube.title.long",
        ),
        (
            Platform::Youtube,
            json!({"title": format!("{}👍", "t".repeat(100))}),
            "youtube.title.too_long",
        ),
        (Platform::Youtube, json!({"title": " "}), "youtube.title.empty"),
        (Platform::Youtube, json!({"title": "Price < 5"}), "youtube.title.forbidden_character"),
        (Platform::Youtube, json!({"title": 5}), "youtube.title.wrong_type"),
        (Platform::Youtube, json!({"caption": "a < b"}), "youtube.text.forbidden_character"),
        (Platform::Youtube, json!({"caption": ""}), "youtube.title.missing"),
        (Platform::Youtube, json!({"caption": "", "title": "T"}), ""),
        (Platform::Youtube, json!({"description": false}), "youtube.description.wrong_type"),
        (Platform::Youtube, json!({"tags": ["rust", "web dev", "cli"]}), ""),
        (Platform::Youtube, json!({"tags": ["a".repeat(250), "b".repeat(249)]}), ""),
        // A tag with a space counts two more.
        (
            Platform::Youtube,
            json!({"tags": ["a".repeat(250), format!("b {}", "c".repeat(245))]}),
            "",
        ),
        (
            Platform::Youtube,
            json!({"tags": ["a".repeat(250), format!("b {}", "c".repeat(246))]}),
            "youtube.tags.too_long",
        ),
        (
            Platform::Youtube,
            json!({"tags": ["a".repeat(250), "b".repeat(250)]}),
            "youtube.tags.too_long",
        ),
        (Platform::Youtube, json!({"tags": [1]}), "youtube.tags.wrong_type"),
        (Platform::Youtube, json!({"categoryId": "22"}), ""),
        (Platform::Youtube, json!({"categoryId": 22}), "youtube.category_id.wrong_type"),
        (Platform::Youtube, json!({"categoryId": "x"}), "youtube.category_id.malformed"),
        (Platform::Youtube, json!({"privacy": "unlisted"}), ""),
        (Platform::Youtube, json!({"privacy": "friends"}), "youtube.privacy.not_allowed"),
        (Platform::Youtube, json!({"playlistId": ""}), "youtube.playlist_id.empty"),
        (
            Platform::Youtube,
            json!({"thumbnailMediaId": "x"}),
            "youtube.thumbnail_media_id.malformed",
        ),
        (
            Platform::Youtube,
            json!({"thumbnailMediaId": "0192f0c1-7e4b-7c3a-9d2e-5b6a7c8d9e0f"}),
            "",
        ),
        (Platform::Youtube, subtitles("pt-BR", "srt"), ""),
        (Platform::Youtube, subtitles("x", "srt"), "youtube.subtitles.malformed"),
        (Platform::Youtube, subtitles("en", "sbv"), "youtube.subtitles.malformed"),
        (Platform::Youtube, json!({"subtitles": {}}), "youtube.subtitles.wrong_type"),
        (Platform::Youtube, json!({"firstComment": ""}), "youtube.first_comment.empty"),
        (Platform::Tiktok, json!({}), "tiktok.privacy.missing"),
        (Platform::Tiktok, json!({"privacy": null}), "tiktok.privacy.missing"),
        (Platform::Tiktok, json!({"privacy": "SELF_ONLY"}), ""),
        (Platform::Tiktok, json!({"privacy": "public"}), "tiktok.privacy.not_allowed"),
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
        (
            Platform::Tiktok,
            json!({"asDraft": "yes", "privacy": "SELF_ONLY"}),
            "tiktok.as_draft.wrong_type",
        ),
        (Platform::Instagram, json!({"placement": "reel"}), ""),
        (Platform::Instagram, json!({"placement": "wall"}), "instagram.placement.not_allowed"),
        (Platform::Instagram, json!({"placement": "feed"}), "instagram.placement.single_video"),
        (Platform::Instagram, json!({"placement": "story"}), "instagram.placement.no_caption"),
        (Platform::Instagram, json!({"collaborators": ["@a", "b", "c"]}), ""),
        (
            Platform::Instagram,
            json!({"collaborators": ["a", "b", "c", "d"]}),
            "instagram.collaborators.too_many",
        ),
        (
            Platform::Instagram,
            json!({"collaborators": ["a b"]}),
            "instagram.collaborators.malformed",
        ),
        (Platform::Instagram, json!({"shareToFeed": 1}), "instagram.share_to_feed.wrong_type"),
        (Platform::Facebook, json!({"asReel": true}), ""),
        (
            Platform::Facebook,
            json!({"firstComment": "c".repeat(8001)}),
            "facebook.first_comment.too_long",
        ),
        (Platform::Threads, poll(&["a", "b"]), "threads.poll.with_files"),
        (Platform::Linkedin, json!({"firstComment": "x".repeat(1250)}), ""),
        (
            Platform::Linkedin,
            json!({"firstComment": "x".repeat(1251)}),
            "linkedin.first_comment.too_long",
        ),
        (Platform::Linkedin, json!({"firstComment": ""}), ""),
        (Platform::Pinterest, json!({}), "pinterest.board_id.missing"),
        (Platform::Pinterest, json!({"boardId": "12"}), ""),
        (Platform::Pinterest, json!({"boardId": "a/b"}), "pinterest.board_id.malformed"),
        (
            Platform::Pinterest,
            json!({"boardId": "1", "title": "t".repeat(101)}),
            "pinterest.title.too_long",
        ),
        (Platform::Mastodon, json!({"visibility": "unlisted"}), ""),
        (Platform::Mastodon, json!({"visibility": "secret"}), "mastodon.visibility.not_allowed"),
        (Platform::Mastodon, json!({"spoilerText": 1}), "mastodon.spoiler_text.wrong_type"),
        (Platform::Discord, json!({"threadName": "x".repeat(100)}), ""),
        (Platform::Discord, json!({"threadName": "x".repeat(101)}), "discord.thread_name.too_long"),
        (Platform::Discord, json!({"threadName": " "}), "discord.thread_name.empty"),
        (Platform::Tumblr, json!({"tags": "a, #b ,c"}), ""),
        (Platform::Tumblr, json!({"tags": tags(20)}), ""),
        (Platform::Tumblr, json!({"tags": tags(21)}), "tumblr.tags.many"),
        (Platform::Tumblr, json!({"tags": tags(31)}), "tumblr.tags.too_many"),
        (Platform::Tumblr, json!({"tags": vec!["Same"; 40]}), ""),
        (Platform::Tumblr, json!({"tags": ["t".repeat(141)]}), "tumblr.tags.too_long"),
        (Platform::Tumblr, json!({"tags": ["a,b"]}), "tumblr.tags.forbidden_character"),
        (Platform::Telegram, json!({"caption": 1}), "telegram.caption.wrong_type"),
    ] {
        let mut post = Post::new("Hi").to(platform, options.clone());
        post.media = vec![video()];
        assert_eq!(post.rules().join(" "), want, "{platform} {options}");
    }
    for (options, want) in [
        (poll(&["a", "b"]), ""),
        (poll(&["a"]), "threads.poll.options"),
        (poll(&["a", "b", "c", "d", "e"]), "threads.poll.options"),
        (poll(&["a", "a"]), "threads.poll.repeated"),
        (poll(&["a", ""]), "threads.poll.option_empty"),
        (poll(&["a", &"b".repeat(26)]), "threads.poll.option_too_long"),
        (poll(&["a", &"é".repeat(20)]), "threads.poll.option_long"),
        (json!({"poll": ["a", "b"]}), "threads.poll.wrong_type"),
    ] {
        let post = Post::new("Hi").to(Platform::Threads, options.clone());
        assert_eq!(post.rules().join(" "), want, "{options}");
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
