//! Tests of the rules together: order, files, alternative texts and the catalogue.

mod conversions;
mod files;
mod limits;
mod options;
mod properties;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::*;
use crate::media::{Decoding, VideoCodec};
use crate::platform::{AccountLimits, Platform};

/// A post of a test: one that every network takes, until something is changed.
pub(super) struct Post {
    content: String,
    pub(super) link_url: Option<String>,
    pub(super) media: Vec<MediaFacts>,
    pub(super) alt_texts: Vec<Option<String>>,
    pub(super) limits: AccountLimits,
    pub(super) thumbnail: Option<MediaFacts>,
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
            thumbnail: None,
            context: Context::default(),
            targets: Vec::new(),
        }
    }

    pub(super) fn to(mut self, platform: Platform, options: Value) -> Self {
        self.targets.push((platform, options.as_object().cloned().unwrap_or_default()));
        self
    }

    /// The same on a server that converts no pictures.
    pub(super) fn unconverted(mut self) -> Self {
        self.context.decoding = Decoding::NOTHING;
        self
    }

    pub(super) fn check(&self) -> Vec<ValidationIssue> {
        self.drafted(|draft| check(draft, &self.context))
    }

    pub(super) fn measure(&self) -> Vec<Measured> {
        self.drafted(measure)
    }

    fn drafted<T>(&self, look: impl Fn(&Draft<'_>) -> T) -> T {
        let targets: Vec<DraftTarget<'_>> = self
            .targets
            .iter()
            .map(|(platform, options)| {
                let target = DraftTarget::new(*platform, options, &self.limits);
                target.with_thumbnail(self.thumbnail.as_ref())
            })
            .collect();
        let draft = Draft {
            content: &self.content,
            link_url: self.link_url.as_deref(),
            media: &self.media,
            alt_texts: &self.alt_texts,
            targets: &targets,
        };
        look(&draft)
    }

    /// The issues whose rule starts with `start`, the network left out.
    pub(super) fn issues(&self, start: &str) -> Vec<ValidationIssue> {
        let is_meant = |issue: &ValidationIssue| {
            issue.rule.split_once('.').is_some_and(|(_, check)| check.starts_with(start))
        };
        self.check().into_iter().filter(is_meant).collect()
    }

    pub(super) fn rules(&self) -> Vec<String> {
        self.check().into_iter().map(|issue| issue.rule.into_owned()).collect()
    }
}

pub(super) fn image() -> MediaFacts {
    MediaFacts {
        mime_type: Some("image/jpeg".to_owned()),
        size_bytes: Some(100_000),
        width: Some(1080),
        height: Some(1080),
        ..MediaFacts::of_kind(MediaKind::Image)
    }
}

pub(super) fn video() -> MediaFacts {
    MediaFacts {
        mime_type: Some("video/mp4".to_owned()),
        size_bytes: Some(1_000_000),
        duration_seconds: Some(30.0),
        fps: Some(30.0),
        width: Some(1080),
        height: Some(1920),
        video_codec: Some(VideoCodec::H264),
        ..MediaFacts::of_kind(MediaKind::Video)
    }
}

/// A document that every network with documents takes.
pub(super) fn document() -> MediaFacts {
    MediaFacts {
        mime_type: Some("application/pdf".to_owned()),
        size_bytes: Some(1_000_000),
        ..MediaFacts::of_kind(MediaKind::Document)
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
        let options = match platform {
            // It asks what an upright video is meant for.
            Platform::Facebook => json!({"placement": "feed"}),
            _ => needed(platform),
        };
        let mut post = Post::new("Hello").to(platform, options);
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
    post.context = Context { posts_left: Some(0), posts_limit: Some(30), ..Context::default() };
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
fn an_alternative_text_that_is_not_sent_may_have_any_length() {
    let texts = |lengths: [usize; 2]| lengths.map(|length| Some("a".repeat(length))).to_vec();
    for (name, lengths, want) in [
        ("the second", [500, 501], "pinterest.alt_text.only_first"),
        ("the first", [501, 0], "pinterest.alt_text.too_long"),
    ] {
        let mut post = Post::new("Hi").to(Platform::Pinterest, needed(Platform::Pinterest));
        post.media = vec![image(), image()];
        post.alt_texts = texts(lengths);
        assert_eq!(post.rules().join(" "), want, "{name}");
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
        ("mastodon any length", Platform::Mastodon, vec![long(1e6)], "mastodon.media.many_frames"),
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
        (
            "discord any type",
            Platform::Discord,
            vec![typed("image/x-unknown")],
            "discord.media.unusual_type",
        ),
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
            "instagram 3:4",
            Platform::Instagram,
            vec![shaped(1080, 1440)],
            "instagram.media.unusual_ratio",
        ),
        ("instagram 2:3", Platform::Instagram, vec![shaped(1080, 1620)], "instagram.media.ratio"),
        ("instagram 2:1", Platform::Instagram, vec![shaped(1400, 700)], "instagram.media.ratio"),
        (
            "pinterest sizes",
            Platform::Pinterest,
            vec![shaped(1000, 1500), shaped(1000, 1501)],
            "pinterest.media.different_sizes",
        ),
    ] {
        let mut post = Post::new("Hi").unconverted().to(platform, needed(platform));
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
fn the_catalogue_names_each_rule_once() {
    let all = catalogue();
    let names: BTreeSet<(&str, Severity)> =
        all.iter().map(|entry| (entry.rule.as_str(), entry.severity)).collect();
    assert_eq!(names.len(), all.len());
    for entry in all {
        assert!(entry.sentence.ends_with('.'), "{}: {}", entry.rule, entry.sentence);
        let prefix = entry.platform.map_or("post", Platform::as_str);
        assert!(entry.rule.starts_with(prefix), "{}", entry.rule);
    }
}
