//! Tests of the rules together: order, the catalogue, and texts and options of any kind.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::platform::{AccountLimits, Platform};

/// A post of a test: one that every network takes, until something is changed.
pub(super) struct Post {
    content: String,
    pub(super) link_url: Option<String>,
    pub(super) media: Vec<MediaFacts>,
    pub(super) alt_texts: Vec<Option<String>>,
    pub(super) limits: AccountLimits,
    pub(super) context: Context,
    targets: Vec<(Platform, Map<String, Value>)>,
}

impl Post {
    pub(super) fn new(content: &str) -> Self {
        Self {
            content: content.to_owned(),
            link_url: None,
            media: Vec::new(),
            alt_texts: Vec::new(),
            limits: AccountLimits::default(),
            context: Context::default(),
            targets: Vec::new(),
        }
    }

    pub(super) fn to(mut self, platform: Platform, options: Value) -> Self {
        self.targets.push((platform, options.as_object().cloned().unwrap_or_default()));
        self
    }

    pub(super) fn check(&self) -> Vec<ValidationIssue> {
        let targets: Vec<DraftTarget<'_>> = self
            .targets
            .iter()
            .map(|(platform, options)| DraftTarget {
                platform: *platform,
                options,
                limits: &self.limits,
            })
            .collect();
        let draft = Draft {
            content: &self.content,
            link_url: self.link_url.as_deref(),
            media: &self.media,
            alt_texts: &self.alt_texts,
            targets: &targets,
        };
        check(&draft, &self.context)
    }

    /// The issues whose rule starts with `start`, the network left out.
    pub(super) fn issues(&self, start: &str) -> Vec<ValidationIssue> {
        let is_meant = |issue: &ValidationIssue| {
            issue.rule.split_once('.').is_some_and(|(_, check)| check.starts_with(start))
        };
        self.check().into_iter().filter(is_meant).collect()
    }

    fn rules(&self) -> Vec<String> {
        self.check().into_iter().map(|issue| issue.rule.into_owned()).collect()
    }
}

pub(super) fn image() -> MediaFacts {
    MediaFacts {
        kind: MediaKind::Image,
        ready: true,
        mime_type: Some("image/jpeg".to_owned()),
        size_bytes: Some(100_000),
        duration_seconds: None,
        fps: None,
        width: Some(1080),
        height: Some(1080),
    }
}

pub(super) fn video() -> MediaFacts {
    MediaFacts {
        kind: MediaKind::Video,
        ready: true,
        mime_type: Some("video/mp4".to_owned()),
        size_bytes: Some(1_000_000),
        duration_seconds: Some(30.0),
        fps: Some(30.0),
        width: Some(1080),
        height: Some(1920),
    }
}

/// The options without which a network refuses every post.
fn needed(platform: Platform) -> Value {
    match platform {
        Platform::Pinterest => json!({"boardId": "1"}),
        Platform::Tiktok => json!({"privacy": "SELF_ONLY"}),
        _ => json!({}),
    }
}

#[test]
fn a_plain_post_finds_nothing_on_every_network() {
    for platform in Platform::ALL {
        let mut post = Post::new("Hello").to(platform, needed(platform));
        if platform.sheet().supports_video {
            post.media = vec![video()];
        }
        assert_eq!(post.rules(), Vec::<String>::new(), "{platform}");
    }
}

/// What each network says to a text without files, and to nothing but a file.
#[test]
fn files_and_texts_that_are_missing() {
    for (platform, text_alone, image_alone) in [
        (
            Platform::Youtube,
            vec!["youtube.media.required"],
            vec![
                "youtube.media.required",
                "youtube.media.kind_not_supported",
                "youtube.title.missing",
            ],
        ),
        (Platform::Tiktok, vec!["tiktok.media.required"], vec![]),
        (Platform::Instagram, vec!["instagram.media.required"], vec![]),
        (Platform::Facebook, vec![], vec![]),
        (Platform::Threads, vec![], vec![]),
        (
            Platform::Twitter,
            vec![],
            vec!["twitter.text.missing", "twitter.media.kind_not_supported"],
        ),
        (Platform::Linkedin, vec![], vec![]),
        (Platform::Pinterest, vec!["pinterest.media.required"], vec![]),
        (Platform::Bluesky, vec![], vec![]),
        (Platform::Mastodon, vec![], vec![]),
        (Platform::Telegram, vec![], vec![]),
        (Platform::Discord, vec![], vec![]),
        (Platform::Tumblr, vec![], vec![]),
    ] {
        assert_eq!(
            Post::new("Hi").to(platform, needed(platform)).rules(),
            text_alone,
            "{platform}"
        );
        let mut post = Post::new(" ").to(platform, needed(platform));
        post.media = vec![image()];
        assert_eq!(post.rules(), image_alone, "{platform} with an image");
    }
}

#[test]
fn an_empty_post_is_one_issue_of_the_post() {
    let post = Post::new(" ").to(Platform::Bluesky, json!({})).to(Platform::Discord, json!({}));
    assert_eq!(post.rules(), ["post.text.missing"]);
    let post = Post::new(" ")
        .to(Platform::Bluesky, json!({}))
        .to(Platform::Discord, json!({"caption": "Hi"}));
    assert_eq!(post.rules(), ["bluesky.text.missing"]);
    let mut post = Post::new("").to(Platform::Facebook, json!({})).to(Platform::Threads, json!({}));
    post.link_url = Some("https://example.com".to_owned());
    assert_eq!(post.rules(), ["threads.text.missing"], "a link alone");
}

#[test]
fn issues_of_the_post_come_once_and_first_then_those_of_each_target() {
    let mut post = Post::new(&"a".repeat(301))
        .to(Platform::Discord, json!({"foo": 1}))
        .to(Platform::Bluesky, json!({"bar": 1}))
        .to(Platform::Bluesky, json!({}));
    post.media = vec![MediaFacts { ready: false, ..image() }];
    post.context = Context { posts_left: Some(0), posts_limit: Some(30) };
    let found = post.check();
    let seen: Vec<(Option<usize>, &str)> =
        found.iter().map(|issue| (issue.target, issue.rule.as_ref())).collect();
    assert_eq!(
        seen,
        [
            (None, "post.media.not_ready"),
            (None, "post.plan.posts"),
            (Some(0), "discord.options.unknown_key"),
            (Some(1), "bluesky.text.too_long"),
            (Some(1), "bluesky.options.unknown_key"),
            (Some(2), "bluesky.text.too_long"),
        ]
    );
    assert_eq!(found[1].code.as_deref(), Some("post_limit"));
    assert_eq!(found[0].platform, None);
}

#[test]
fn alternative_texts_of_the_post() {
    for (name, texts, want) in [
        ("none", vec![], vec![]),
        ("as many as files", vec![Some("a".to_owned()), None], vec![]),
        ("one too few", vec![Some("a".to_owned())], vec!["post.alt_texts.too_few"]),
        ("one too many", vec![None, None, None], vec!["post.alt_texts.too_many"]),
        ("at the limit", vec![Some("é".repeat(1000)), None], vec![]),
        ("one over", vec![Some("é".repeat(1001)), None], vec!["post.alt_texts.too_long"]),
    ] {
        let mut post = Post::new("Hi").to(Platform::Bluesky, json!({}));
        post.media = vec![image(), image()];
        post.alt_texts = texts;
        assert_eq!(post.rules(), want, "{name}");
    }
}

#[test]
fn alternative_texts_of_a_network() {
    for (name, platform, length, want) in [
        ("pinterest at its limit", Platform::Pinterest, 500, ""),
        ("pinterest one over", Platform::Pinterest, 501, "pinterest.alt_text.too_long"),
        ("telegram has none", Platform::Telegram, 1, "telegram.alt_text.not_supported"),
        ("discord", Platform::Discord, 1000, ""),
    ] {
        let mut post = Post::new("Hi").to(platform, needed(platform));
        post.media = vec![image()];
        post.alt_texts = vec![Some("a".repeat(length))];
        assert_eq!(post.rules().join(" "), want, "{name}");
    }
}

#[test]
fn files_against_the_figures_of_the_sheet() {
    let sized = |bytes| MediaFacts { size_bytes: Some(bytes), ..image() };
    let long = |seconds| MediaFacts { duration_seconds: Some(seconds), ..video() };
    let rate = |fps| MediaFacts { fps: Some(fps), ..video() };
    let typed = |mime: &str| MediaFacts { mime_type: Some(mime.to_owned()), ..image() };
    let shaped = |width, height| MediaFacts { width: Some(width), height: Some(height), ..image() };
    for (name, platform, media, want) in [
        ("bluesky 10 images", Platform::Bluesky, vec![image(); 10], ""),
        ("bluesky 11 images", Platform::Bluesky, vec![image(); 11], "bluesky.media.too_many"),
        ("bluesky 2 videos", Platform::Bluesky, vec![video(); 2], "bluesky.media.too_many_videos"),
        ("bluesky mixed", Platform::Bluesky, vec![image(), video()], "bluesky.media.mixed"),
        ("telegram mixed", Platform::Telegram, vec![image(), video()], ""),
        ("tumblr mixed", Platform::Tumblr, vec![image(), video()], ""),
        (
            "youtube with an image",
            Platform::Youtube,
            vec![image(), video()],
            "youtube.media.kind_not_supported",
        ),
        ("X", Platform::Twitter, vec![image()], "twitter.media.kind_not_supported"),
        ("at the bytes", Platform::Bluesky, vec![sized(2_000_000)], ""),
        ("one byte over", Platform::Bluesky, vec![sized(2_000_001)], "bluesky.media.too_large"),
        ("no size known", Platform::Bluesky, vec![MediaFacts { size_bytes: None, ..image() }], ""),
        (
            "discord together",
            Platform::Discord,
            vec![sized(9_000_000); 3],
            "discord.media.too_large_together",
        ),
        ("bluesky 600 s", Platform::Bluesky, vec![long(600.0)], ""),
        ("bluesky over 600 s", Platform::Bluesky, vec![long(600.1)], "bluesky.media.too_long"),
        ("tiktok 3 s", Platform::Tiktok, vec![long(3.0)], ""),
        ("tiktok under 3 s", Platform::Tiktok, vec![long(2.9)], "tiktok.media.too_short"),
        ("mastodon any length", Platform::Mastodon, vec![long(1e6)], ""),
        ("mastodon 120.9 fps", Platform::Mastodon, vec![rate(120.9)], ""),
        ("mastodon 121 fps", Platform::Mastodon, vec![rate(121.0)], "mastodon.media.fps_too_high"),
        ("tiktok 23 fps", Platform::Tiktok, vec![rate(23.0)], ""),
        ("tiktok 22 fps", Platform::Tiktok, vec![rate(22.0)], "tiktok.media.fps_too_low"),
        (
            "tiktok png",
            Platform::Tiktok,
            vec![typed("image/png")],
            "tiktok.media.type_not_supported",
        ),
        (
            "instagram png",
            Platform::Instagram,
            vec![typed("image/png")],
            "instagram.media.type_not_supported",
        ),
        ("discord any type", Platform::Discord, vec![typed("image/x-unknown")], ""),
        ("a type in capitals", Platform::Instagram, vec![typed("IMAGE/JPEG")], ""),
        (
            "bluesky gif",
            Platform::Bluesky,
            vec![typed("image/gif")],
            "bluesky.media.gif_stands_still",
        ),
        ("telegram one gif", Platform::Telegram, vec![typed("image/gif")], ""),
        (
            "telegram sides",
            Platform::Telegram,
            vec![shaped(5000, 5001)],
            "telegram.media.too_many_pixels",
        ),
        ("telegram ratio", Platform::Telegram, vec![shaped(2001, 100)], "telegram.media.ratio"),
        ("tiktok photo upright", Platform::Tiktok, vec![shaped(1080, 1920)], ""),
        (
            "tiktok photo too wide",
            Platform::Tiktok,
            vec![shaped(1081, 1920)],
            "tiktok.media.too_many_pixels",
        ),
        ("instagram 4:5", Platform::Instagram, vec![shaped(1080, 1350)], ""),
        (
            "instagram 2:1",
            Platform::Instagram,
            vec![shaped(2000, 1000)],
            "instagram.placement.ratio",
        ),
        (
            "pinterest sizes",
            Platform::Pinterest,
            vec![shaped(10, 10), shaped(10, 11)],
            "pinterest.media.different_sizes",
        ),
    ] {
        let mut post = Post::new("Hi").to(platform, needed(platform));
        post.media = media;
        assert_eq!(post.rules().join(" "), want, "{name}");
    }
}

#[test]
fn what_a_server_says_for_an_account_comes_before_the_sheet() {
    for (name, platform, limits, media) in [
        (
            "files",
            Platform::Mastodon,
            AccountLimits { max_media: Some(16), ..AccountLimits::default() },
            vec![image(); 16],
        ),
        (
            "bytes",
            Platform::Discord,
            AccountLimits { max_image_bytes: Some(20_000_000), ..AccountLimits::default() },
            vec![MediaFacts { size_bytes: Some(20_000_000), ..image() }],
        ),
        (
            "types",
            Platform::Mastodon,
            AccountLimits {
                media_types: Some(vec!["image/jxl".to_owned()]),
                ..AccountLimits::default()
            },
            vec![MediaFacts { mime_type: Some("image/jxl".to_owned()), ..image() }],
        ),
        (
            "duration",
            Platform::Bluesky,
            AccountLimits { max_video_duration_seconds: Some(900.0), ..AccountLimits::default() },
            vec![MediaFacts { duration_seconds: Some(900.0), ..video() }],
        ),
    ] {
        let mut post = Post::new("Hi").to(platform, json!({}));
        post.media = media;
        assert_eq!(post.rules().len(), 1, "{name} without");
        post.limits = limits;
        assert_eq!(post.rules().len(), 0, "{name} with");
    }
}

#[test]
fn options_of_every_network() {
    let poll = |options: &[&str]| json!({"poll": {"options": options}});
    let subtitles = |language: &str, format: &str| json!({"subtitles": [{"language": language, "format": format, "content": "1"}]});
    let tags = |count: usize| (0..count).map(|n| format!("t{n}")).collect::<Vec<_>>();
    for (platform, options, want) in [
        (Platform::Youtube, json!({"title": "t".repeat(100)}), ""),
        (Platform::Youtube, json!({"title": "t".repeat(101)}), "youtube.title.too_long"),
        (Platform::Youtube, json!({"title": " "}), "youtube.title.empty"),
        (Platform::Youtube, json!({"title": "Price < 5"}), "youtube.title.forbidden_character"),
        (Platform::Youtube, json!({"title": 5}), "youtube.title.wrong_type"),
        (Platform::Youtube, json!({"caption": "a < b"}), "youtube.text.forbidden_character"),
        (Platform::Youtube, json!({"caption": ""}), "youtube.title.missing"),
        (Platform::Youtube, json!({"caption": "", "title": "T"}), ""),
        (Platform::Youtube, json!({"description": false}), "youtube.description.wrong_type"),
        (Platform::Youtube, json!({"tags": ["rust", "web dev", "cli"]}), ""),
        (Platform::Youtube, json!({"tags": ["a".repeat(250), "b".repeat(249)]}), ""),
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
        (Platform::Tiktok, json!({"asDraft": true}), ""),
        (
            Platform::Tiktok,
            json!({"asDraft": true, "privacy": "SELF_ONLY"}),
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

    let mut post = Post::new("Hi").to(Platform::Discord, json!({}));
    post.limits = AccountLimits { is_forum: Some(true), ..AccountLimits::default() };
    assert_eq!(post.rules(), ["discord.thread_name.needed"]);
}

#[test]
fn reels_of_facebook() {
    for (name, media, want) in [
        ("a picture", vec![image()], "facebook.as_reel.files"),
        ("nothing", vec![], "facebook.as_reel.files"),
        (
            "91 s",
            vec![MediaFacts { duration_seconds: Some(91.0), ..video() }],
            "facebook.as_reel.duration",
        ),
        ("film", vec![MediaFacts { fps: Some(23.976), ..video() }], ""),
        ("20 fps", vec![MediaFacts { fps: Some(20.0), ..video() }], "facebook.as_reel.fps"),
        ("small", vec![MediaFacts { width: Some(480), ..video() }], "facebook.as_reel.too_small"),
    ] {
        let mut post = Post::new("Hi").to(Platform::Facebook, json!({"asReel": true}));
        post.media = media;
        assert_eq!(post.rules().join(" "), want, "{name}");
    }
}

#[test]
fn the_catalogue_names_each_rule_once() {
    let all = catalogue();
    let names: BTreeSet<&str> = all.iter().map(|description| description.rule).collect();
    assert_eq!(names.len(), all.len());
    for description in all {
        assert!(description.sentence.ends_with('.'), "{}", description.rule);
    }
}

/// Whether the catalogue has a line for an issue, with its severity.
fn is_catalogued(issue: &ValidationIssue) -> bool {
    catalogue().iter().any(|description| {
        let mut pattern = description.rule.split('.');
        let mut parts = issue.rule.split('.');
        description.severity == issue.severity
            && pattern.by_ref().zip(parts.by_ref()).all(|(pattern, part)| match pattern {
                "<network>" => Platform::ALL.iter().any(|platform| platform.as_str() == part),
                "<option>" => true,
                literal => literal == part,
            })
    })
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,40}".prop_map(Value::from),
        Just(json!({"options": ["a", "b"]})),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("options|language|format|content|[a-z]{1,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn any_options() -> impl Strategy<Value = Map<String, Value>> {
    let keys: Vec<&str> = Platform::ALL
        .into_iter()
        .flat_map(|platform| platform.sheet().options.iter().map(|option| option.key))
        .collect();
    let key =
        prop_oneof![4 => prop::sample::select(keys).prop_map(str::to_owned), 1 => "\\PC{0,80}"];
    prop::collection::btree_map(key, any_json(), 0..5).prop_map(|map| map.into_iter().collect())
}

fn any_media() -> impl Strategy<Value = MediaFacts> {
    (
        any::<bool>(),
        any::<bool>(),
        prop::option::of("image/(gif|png)|video/mp4|\\PC{0,9}"),
        prop::option::of(any::<u64>()),
        prop::option::of(any::<f64>()),
        prop::option::of((any::<u32>(), any::<u32>())),
    )
        .prop_map(|(is_image, ready, mime_type, size_bytes, number, size)| MediaFacts {
            kind: if is_image { MediaKind::Image } else { MediaKind::Video },
            ready,
            mime_type,
            size_bytes,
            duration_seconds: number,
            fps: number,
            width: size.map(|(width, _)| width),
            height: size.map(|(_, height)| height),
        })
}

proptest! {
    #[test]
    fn check_never_panics_and_every_issue_is_catalogued(
        content in "(\\PC|\r\n|#|@|https://a\\.com/| ){0,120}",
        link_url in prop::option::of("\\PC{0,20}|https://[a-z]{1,5}\\.com"),
        media in prop::collection::vec(any_media(), 0..4),
        alt_texts in prop::collection::vec(prop::option::of("\\PC{0,9}"), 0..4),
        options in any_options(),
        text_limit in prop::option::of(any::<u32>()),
    ) {
        let mut post = Post::new(&content);
        for platform in Platform::ALL {
            post = post.to(platform, Value::Object(options.clone()));
        }
        post.link_url = link_url;
        post.media = media;
        post.alt_texts = alt_texts;
        post.limits.text_limit = text_limit;
        for issue in post.check() {
            prop_assert!(is_catalogued(&issue), "{issue:?}");
            prop_assert_eq!(issue.target.is_some(), issue.platform.is_some());
        }
    }
}
