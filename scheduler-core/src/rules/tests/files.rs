//! What networks do to types of files, and what accounts allow of them.

use serde_json::json;

use super::{Post, image, needed, video};
use crate::platform::{AccountLimits, Platform};
use crate::rules::MediaFacts;

fn typed(mime_type: &str) -> MediaFacts {
    let plain = if mime_type.starts_with("image/") { image() } else { video() };
    MediaFacts { mime_type: Some(mime_type.to_owned()), ..plain }
}

fn rules(platform: Platform, media: Vec<MediaFacts>) -> String {
    let mut post = Post::new("Hi").unconverted().to(platform, needed(platform));
    post.media = media;
    post.rules().join(" ")
}

#[test]
fn an_animation_alone_is_no_photo_on_telegram() {
    let gif = |bytes, width, height| MediaFacts {
        size_bytes: Some(bytes),
        width: Some(width),
        height: Some(height),
        ..typed("image/gif")
    };
    for (name, media, want) in [
        ("as large as a photo may not be", vec![gif(52_428_800, 10, 10)], ""),
        ("too large", vec![gif(52_428_801, 10, 10)], "telegram.media.too_large"),
        ("long sides", vec![gif(1_000, 9_000, 9_000)], ""),
        ("narrow", vec![gif(1_000, 2_100, 100)], ""),
        (
            "a photo beside others",
            vec![gif(10_485_761, 10, 10), image()],
            "telegram.media.too_large telegram.media.gif_stands_still",
        ),
        (
            "long sides beside others",
            vec![gif(1_000, 9_000, 9_000), image()],
            "telegram.media.too_many_pixels telegram.media.gif_stands_still",
        ),
        (
            "narrow beside others",
            vec![gif(1_000, 2_100, 100), image()],
            "telegram.media.ratio telegram.media.gif_stands_still",
        ),
    ] {
        let mut found: Vec<String> =
            rules(Platform::Telegram, media).split(' ').map(str::to_owned).collect();
        let mut want: Vec<String> = want.split(' ').map(str::to_owned).collect();
        found.sort();
        want.sort();
        assert_eq!(found, want, "{name}");
    }
}

#[test]
fn types_by_network() {
    for (platform, mime_type, want) in [
        (Platform::Mastodon, "image/heic", "mastodon.media.unusual_type"),
        (Platform::Mastodon, "video/x-m4v", "mastodon.media.unusual_type"),
        (Platform::Mastodon, "video/x-matroska", "mastodon.media.type_not_supported"),
        (
            Platform::Facebook,
            "video/x-matroska",
            "facebook.media.unusual_type facebook.placement.upright",
        ),
        (
            Platform::Facebook,
            "video/webm",
            "facebook.media.type_not_supported facebook.placement.upright",
        ),
        (Platform::Facebook, "image/webp", "facebook.media.type_not_supported"),
        (Platform::Youtube, "video/x-flv", "youtube.media.unusual_type"),
        (Platform::Youtube, "video/avi", ""),
        (Platform::Instagram, "image/jpg", ""),
        (Platform::Telegram, "image/png", "telegram.media.unusual_type"),
        (Platform::Linkedin, "video/quicktime", "linkedin.media.type_not_supported"),
        (Platform::Pinterest, "video/x-m4v", ""),
        (Platform::Tumblr, "image/webp", ""),
        (Platform::Threads, "image/gif", "threads.media.type_not_supported"),
        (Platform::Bluesky, "video/webm", "bluesky.media.unusual_type"),
        (Platform::Bluesky, "image/heic", "bluesky.media.type_not_supported"),
    ] {
        assert_eq!(rules(platform, vec![typed(mime_type)]), want, "{platform} {mime_type}");
    }
}

#[test]
fn messages_about_types_and_kinds() {
    for (platform, media, want) in [
        (Platform::Tiktok, vec![typed("image/png")], "File 1 is PNG; TikTok takes JPEG or WebP."),
        (Platform::Instagram, vec![typed("image/heic")], "File 1 is HEIC; Instagram takes JPEG."),
        (
            Platform::Facebook,
            vec![typed("image/webp")],
            "File 1 is WebP; Facebook takes JPEG, PNG, GIF, BMP or TIFF.",
        ),
        (
            Platform::Tiktok,
            vec![image(), image(), video()],
            "Post has 2 images and 1 video; TikTok takes up to 35 images or 1 video, not both.",
        ),
    ] {
        let mut post = Post::new("Hi").unconverted().to(platform, needed(platform));
        post.media = media;
        assert_eq!(post.check()[0].message, want);
    }
}

#[test]
fn a_server_that_names_its_types_is_believed() {
    let limits = AccountLimits {
        media_types: Some(vec!["image/png".to_owned(), "video/mp4".to_owned()]),
        ..AccountLimits::default()
    };
    for (mime_type, want) in [
        ("image/png", vec![]),
        ("image/jpeg", vec!["File 1 is JPEG; Mastodon takes PNG."]),
        ("video/webm", vec!["File 1 is WebM; Mastodon takes MP4."]),
    ] {
        let mut post = Post::new("Hi").unconverted().to(Platform::Mastodon, json!({}));
        post.media = vec![typed(mime_type)];
        post.limits = limits.clone();
        let messages: Vec<String> = post.check().into_iter().map(|issue| issue.message).collect();
        assert_eq!(messages, want, "{mime_type}");
    }
}

#[test]
fn animations_on_mastodon() {
    let still = MediaFacts { frame_count: Some(1), ..typed("image/gif") };
    let gif = MediaFacts { width: Some(400), height: Some(400), ..typed("image/gif") };
    for (name, media, want) in [
        ("alone", vec![gif.clone()], ""),
        ("beside an image", vec![gif, image()], "mastodon.media.gif_beside_others"),
        ("a still one", vec![MediaFacts { width: Some(4), height: Some(4), ..still }, image()], ""),
    ] {
        assert_eq!(rules(Platform::Mastodon, media), want, "{name}");
    }
}

#[test]
fn lengths_that_an_account_of_tiktok_allows() {
    for (name, allowed, seconds, want) in [
        ("not known, short", None, 180.0, ""),
        ("not known, longer", None, 180.1, "tiktok.media.long"),
        ("not known, too long", None, 600.1, "tiktok.media.too_long"),
        ("less, within", Some(60.0), 60.0, ""),
        ("less, over", Some(60.0), 60.1, "tiktok.media.too_long"),
        ("more than 180", Some(300.0), 300.0, ""),
        ("more than the network takes", Some(3_600.0), 600.0, ""),
        ("more, over", Some(3_600.0), 600.1, "tiktok.media.too_long"),
    ] {
        let mut post = Post::new("Hi").unconverted().to(Platform::Tiktok, needed(Platform::Tiktok));
        post.media = vec![MediaFacts { duration_seconds: Some(seconds), ..video() }];
        post.limits =
            AccountLimits { max_video_duration_seconds: allowed, ..AccountLimits::default() };
        assert_eq!(post.rules().join(" "), want, "{name}");
    }
}

#[test]
fn alternative_texts_of_videos() {
    for (platform, want) in [
        (Platform::Facebook, "facebook.alt_text.not_of_videos facebook.placement.upright"),
        (Platform::Linkedin, "linkedin.alt_text.not_of_videos"),
        (Platform::Tumblr, "tumblr.alt_text.not_of_videos"),
        (Platform::Instagram, "instagram.placement.alt_text"),
        (Platform::Threads, ""),
        (Platform::Bluesky, ""),
        (Platform::Mastodon, ""),
        (Platform::Discord, ""),
    ] {
        let mut post = Post::new("Hi").unconverted().to(platform, needed(platform));
        post.media = vec![video()];
        post.alt_texts = vec![Some("A ship".to_owned())];
        assert_eq!(post.rules().join(" "), want, "{platform}");
    }
}
