//! Any post: checked for every network, with any files, options and limits.
#![no_main]

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use scheduler_core::media::VideoCodec;
use scheduler_core::platform::{AccountLimits, Platform, TextUnit};
use scheduler_core::rules::{
    CatalogueEntry, Context, Draft, DraftTarget, MediaFacts, MediaKind, ValidationIssue, catalogue,
    check,
};
use scheduler_core::text::{compose, count};
use scheduler_core_fuzz::{text_of, work};
use serde_json::{Map, Value};
use std::sync::LazyLock;

static CATALOGUE: LazyLock<Vec<CatalogueEntry>> = LazyLock::new(catalogue);

/// Most files of a post.
///
/// Source: interface description, "Limits".
const MOST_FILES: usize = 35;

/// A post; its text is the rest of the input, so that texts are seeds.
#[derive(Arbitrary, Debug)]
struct Post<'a> {
    files: Vec<File>,
    alt_texts: Vec<Option<&'a str>>,
    option: u8,
    option_text: Option<&'a str>,
    link_url: Option<&'a str>,
    text_limit: Option<u32>,
    max_media: Option<u32>,
    is_forum: Option<bool>,
    content: &'a [u8],
}

#[derive(Arbitrary, Debug)]
struct File {
    is_image: bool,
    is_ready: bool,
    media_type: u8,
    size_bytes: Option<u64>,
    duration_seconds: Option<f64>,
    fps: Option<f64>,
    width: Option<u32>,
    height: Option<u32>,
    codec: u8,
    frame_count: Option<u32>,
}

const TYPES: [&str; 8] = [
    "image/jpeg",
    "image/png",
    "image/gif",
    "image/webp",
    "video/mp4",
    "video/quicktime",
    "video/mp4; codecs=avc1",
    "",
];

const CODECS: [VideoCodec; 4] =
    [VideoCodec::H264, VideoCodec::Hevc, VideoCodec::ProRes, VideoCodec::Other];

impl From<&File> for MediaFacts {
    fn from(file: &File) -> Self {
        let media_type = TYPES.get(usize::from(file.media_type % 9));
        Self {
            ready: file.is_ready,
            mime_type: media_type.map(|media_type| (*media_type).to_owned()),
            size_bytes: file.size_bytes,
            duration_seconds: file.duration_seconds,
            fps: file.fps,
            width: file.width,
            height: file.height,
            video_codec: CODECS.get(usize::from(file.codec % 5)).copied(),
            frame_count: file.frame_count,
            ..Self::of_kind(if file.is_image { MediaKind::Image } else { MediaKind::Video })
        }
    }
}

/// The content as options where it is an object, else one known key with a text.
fn options(post: &Post<'_>, content: &str) -> Map<String, Value> {
    if let Ok(Value::Object(options)) = serde_json::from_str(content) {
        return options;
    }
    let keys: Vec<&str> = Platform::ALL
        .into_iter()
        .flat_map(|platform| platform.sheet().options.iter().map(|option| option.key))
        .collect();
    let mut options = Map::new();
    if let Some(text) = post.option_text {
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        options.insert(keys[usize::from(post.option) % keys.len()].to_owned(), value);
    }
    options
}

fuzz_target!(|post: Post<'_>| {
    let content = text_of(post.content);
    let options = options(&post, &content);
    let limits = AccountLimits {
        text_limit: post.text_limit,
        max_media: post.max_media,
        is_forum: post.is_forum,
        ..AccountLimits::default()
    };
    let media: Vec<MediaFacts> = post.files.iter().take(MOST_FILES).map(MediaFacts::from).collect();
    let alt_texts = post.alt_texts.iter().take(MOST_FILES);
    let alt_texts: Vec<Option<String>> = alt_texts.map(|text| text.map(str::to_owned)).collect();
    let thumbnail = media.first();
    let targets = Platform::ALL.map(|platform| {
        DraftTarget::new(platform, &options, &limits).with_thumbnail(thumbnail)
    });
    let draft = Draft {
        content: &content,
        link_url: post.link_url,
        media: &media,
        alt_texts: &alt_texts,
        targets: &targets,
    };
    let bytes = content.len()
        + post.link_url.map_or(0, str::len)
        + post.option_text.map_or(0, str::len)
        + alt_texts.iter().flatten().map(String::len).sum::<usize>();
    let issues = work::bounded(bytes, || check(&draft, &Context::default()));
    assert_eq!(issues, check(&draft, &Context::default()), "a second look says the same");
    for issue in &issues {
        assert!(is_catalogued(issue), "{issue:?}");
    }
    lengths_are_of_what_is_composed(&draft, &issues);
});

fn is_catalogued(issue: &ValidationIssue) -> bool {
    CATALOGUE.iter().any(|entry| {
        entry.rule == issue.rule
            && entry.severity == issue.severity
            && entry.platform == issue.platform
    })
}

/// A text is too long exactly when the text that the network gets is.
fn lengths_are_of_what_is_composed(draft: &Draft<'_>, issues: &[ValidationIssue]) {
    for target in draft.targets {
        let sheet = target.platform.sheet();
        let has_media = !draft.media.is_empty();
        let is_plain = !has_media
            && target.limits.text_limit.is_none()
            && sheet.text.unit != TextUnit::MastodonCharacters;
        if !is_plain {
            continue;
        }
        let composed =
            compose(draft.content, draft.link_url, has_media, target.platform, target.options);
        let limit = usize::try_from(sheet.char_limit).unwrap_or(usize::MAX);
        let is_over = count::length(sheet.text.unit, composed.text()) > limit;
        let rule = format!("{}.text.too_long", target.platform);
        let is_found = issues.iter().any(|issue| issue.rule == rule);
        assert_eq!(is_over, is_found, "{rule}");
    }
}
