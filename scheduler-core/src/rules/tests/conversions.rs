//! Pictures and videos that a network would refuse, and what is made of them.

use serde_json::{Map, Value, json};

use super::{Post, image, needed};
use crate::media::Decoding;
use crate::platform::{AccountLimits, Platform};
use crate::rules::{DraftTarget, Fit, MediaFacts, MediaKind, Severity, Unfit, VideoCodec, fits};

fn picture(mime_type: &str, (width, height): (u32, u32), bytes: u64) -> MediaFacts {
    MediaFacts {
        mime_type: Some(mime_type.to_owned()),
        size_bytes: Some(bytes),
        width: Some(width),
        height: Some(height),
        frame_count: Some(1),
        ..image()
    }
}

fn animation(mime_type: &str, bytes: u64) -> MediaFacts {
    MediaFacts { frame_count: Some(12), ..picture(mime_type, (400, 400), bytes) }
}

fn post(platform: Platform, file: MediaFacts) -> Post {
    let mut post = Post::new("Hi").to(platform, needed(platform));
    post.media = vec![file];
    post
}

/// What is said of a file by converting it, and every error.
fn said(post: &Post) -> Vec<String> {
    let issues = post.check().into_iter();
    let is_meant = |rule: &str, severity| {
        severity == Severity::Error
            || rule.ends_with("converted")
            || rule.ends_with("gif_stands_still")
    };
    issues
        .filter(|issue| is_meant(&issue.rule, issue.severity))
        .map(|issue| issue.message)
        .collect()
}

#[test]
fn what_is_made_of_pictures() {
    for (platform, file, want) in [
        (Platform::Instagram, picture("image/jpeg", (1_080, 1_080), 8_000_000), ""),
        (
            Platform::Instagram,
            picture("image/png", (5_000, 4_500), 900_000),
            "File 1 will be converted for Instagram: PNG to JPEG, 5000 x 4500 to 4096 x 3686 \
             pixels. Transparent parts become white.",
        ),
        (
            Platform::Instagram,
            picture("image/jpeg", (1_080, 1_080), 8_000_001),
            "File 1 will be converted for Instagram: 8,000,001 to at most 8,000,000 bytes.",
        ),
        (
            Platform::Instagram,
            animation("image/gif", 100_000),
            "File 1 will be converted for Instagram: GIF to JPEG. Of the animation the first \
             picture stays. Transparent parts become white.",
        ),
        (
            Platform::Threads,
            picture("image/webp", (800, 800), 100_000),
            "File 1 will be converted for Threads: WebP to JPEG or PNG.",
        ),
        (
            Platform::Facebook,
            picture("image/heic", (4_032, 3_024), 2_000_000),
            "File 1 will be converted for Facebook: HEIC to JPEG, 4032 x 3024 to 2048 x 1536 \
             pixels.",
        ),
        (
            Platform::Tiktok,
            picture("image/jpeg", (3_024, 4_032), 2_000_000),
            "File 1 will be converted for TikTok: 3024 x 4032 to 1080 x 1440 pixels.",
        ),
        (
            Platform::Mastodon,
            picture("image/jpeg", (7_000, 5_000), 2_000_000),
            "File 1 will be converted for Mastodon: 7000 x 5000 to 3407 x 2434 pixels.",
        ),
        (
            Platform::Discord,
            picture("image/png", (3_000, 2_000), 11_000_000),
            "File 1 will be converted for Discord: PNG to JPEG or WebP, 11,000,000 to at most \
             8,000,000 bytes.",
        ),
        (Platform::Discord, picture("image/tiff", (3_000, 2_000), 1_000_000), ""),
        (
            Platform::Bluesky,
            picture("image/png", (3_000, 2_000), 11_000_000),
            "File 1 will be converted for Bluesky: PNG to JPEG, PNG or WebP, 11,000,000 to at most \
             2,000,000 bytes.",
        ),
        (
            Platform::Telegram,
            picture("image/jpeg", (8_000, 6_000), 2_000_000),
            "File 1 will be converted for Telegram: 8000 x 6000 to 2560 x 1920 pixels.",
        ),
        (
            Platform::Linkedin,
            picture("image/webp", (800, 800), 100_000),
            "File 1 will be converted for LinkedIn: WebP to JPEG. Transparent parts become white.",
        ),
        (
            Platform::Pinterest,
            picture("image/bmp", (800, 800), 2_000_000),
            "File 1 will be converted for Pinterest: BMP to JPEG. Transparent parts become white.",
        ),
        (
            Platform::Tumblr,
            picture("image/avif", (800, 800), 100_000),
            "File 1 will be converted for Tumblr: AVIF to JPEG.",
        ),
    ] {
        let type_ = file.mime_type.clone();
        assert_eq!(said(&post(platform, file)).join("\n"), want, "{platform} {type_:?}");
    }
}

#[test]
fn what_cannot_be_made() {
    let large = picture("image/png", (9_000, 9_000), 2_000_000);
    for (name, platform, file, decoding, want) in [
        (
            "an animation that would play",
            Platform::Discord,
            animation("image/gif", 11_000_000),
            Decoding::EVERYTHING,
            vec![
                "File 1 cannot be converted: as a still picture it would lose its animation. Make \
                 the animation smaller, or send a picture of it.",
                "File 1 is 11,000,000 bytes for Discord, the limit is 10,485,760 bytes.",
            ],
        ),
        (
            "a still GIF",
            Platform::Discord,
            picture("image/gif", (10, 10), 11_000_000),
            Decoding::EVERYTHING,
            vec![
                "File 1 will be converted for Discord: GIF to JPEG or WebP, 11,000,000 to at most \
                 8,000,000 bytes.",
            ],
        ),
        (
            "too many pixels",
            Platform::Instagram,
            large.clone(),
            Decoding::EVERYTHING,
            vec![
                "File 1 cannot be converted: it has more pixels than are read here, 60 million. \
                 Make it smaller before you upload it.",
                "File 1 is PNG; Instagram takes JPEG.",
            ],
        ),
        (
            "too many bytes",
            Platform::Instagram,
            picture("image/tiff", (900, 900), 64 * 1024 * 1024 + 1),
            Decoding::EVERYTHING,
            vec![
                "File 1 cannot be converted: it has more bytes than are read here, 64 MiB. Make \
                 it smaller before you upload it.",
                "File 1 is TIFF; Instagram takes JPEG.",
                "File 1 is 67,108,865 bytes for Instagram, the limit is 8,000,000 bytes.",
            ],
        ),
        (
            "no ffmpeg",
            Platform::Instagram,
            picture("image/heic", (900, 900), 100_000),
            Decoding { pictures: true, heif: false, films: false },
            vec![
                "File 1 cannot be converted: this server needs the package ffmpeg to read it. \
                 Install that on the server, or upload a JPEG.",
                "File 1 is HEIC; Instagram takes JPEG.",
            ],
        ),
        (
            "a server without pictures",
            Platform::Instagram,
            picture("image/png", (900, 900), 100_000),
            Decoding::NOTHING,
            vec!["File 1 is PNG; Instagram takes JPEG."],
        ),
        (
            "a drawing",
            Platform::Instagram,
            picture("image/svg+xml", (900, 900), 100_000),
            Decoding::EVERYTHING,
            vec!["File 1 is image/svg+xml; Instagram takes JPEG."],
        ),
    ] {
        let mut post = post(platform, file);
        post.context.decoding = decoding;
        assert_eq!(said(&post), want, "{name}");
    }
    let told = post(Platform::Instagram, large).check();
    let detail = serde_json::to_value(&told[0].detail).unwrap();
    assert_eq!(detail, json!({"kind": "not_converted", "file": 0, "reason": "too_many_pixels"}));
    assert_eq!(serde_json::to_value(Unfit::NeedsFfmpeg).unwrap(), "needs_ffmpeg");
}

#[test]
fn an_account_is_served_within_its_own_limits() {
    let limits = |types: &[&str]| AccountLimits {
        max_image_bytes: Some(1_000_000),
        max_image_pixels: Some(1_000_000),
        media_types: Some(types.iter().map(|&it| it.to_owned()).collect()),
        ..AccountLimits::default()
    };
    for (types, want) in [
        (
            &["image/jpeg", "image/png"][..],
            vec![
                "File 1 will be converted for Mastodon: WebP to JPEG or PNG, 2000 x 2000 to 1000 \
                 x 1000 pixels, 3,000,000 to at most 1,000,000 bytes.",
            ],
        ),
        (
            &["image/gif"][..],
            vec![
                "File 1 cannot be converted: the account takes no type that can be made of it.",
                "File 1 is WebP; Mastodon takes GIF.",
                "File 1 is 3,000,000 bytes for Mastodon, the limit is 1,000,000 bytes.",
                "File 1 is 2000 x 2000, that is 4,000,000 pixels, for Mastodon, the limit is \
                 1,000,000 pixels.",
            ],
        ),
    ] {
        let mut post = post(Platform::Mastodon, picture("image/webp", (2_000, 2_000), 3_000_000));
        post.limits = limits(types);
        assert_eq!(said(&post), want);
    }
}

#[test]
fn every_recipe_makes_what_its_network_takes() {
    for platform in Platform::ALL {
        let sheet = platform.sheet();
        let Some(recipe) = sheet.media.picture_recipe else { continue };
        assert!(recipe.bytes_max <= sheet.max_image_bytes, "{platform}");
        for media_type in recipe.media_types {
            let types = sheet.media.image_types;
            assert!(types.has(media_type) || types.change_of(media_type).is_some(), "{platform}");
        }
        if !sheet.supports_image {
            continue;
        }
        for size in [(7_000, 7_000), (9_000, 5_000), (5_000, 9_000)] {
            let found = said(&post(platform, picture("image/tiff", size, 60_000_000)));
            let is_plain = match found.as_slice() {
                // It takes any type, and so fewer bytes alone.
                [only] => only.contains("will be converted") || only.contains("ratio"),
                [first, second] => first.contains("will be converted") && second.contains("ratio"),
                _ => false,
            };
            assert!(is_plain, "{platform} {size:?}: {found:?}");
        }
    }
}

#[test]
fn a_thumbnail_is_converted_as_well() {
    let mut post = Post::new("Hi").to(Platform::Youtube, json!({}));
    post.media = vec![super::video()];
    post.thumbnail = Some(picture("image/webp", (3_840, 2_160), 3_000_000));
    let found = post.check();
    let messages: Vec<&str> = found.iter().map(|issue| issue.message.as_str()).collect();
    assert_eq!(
        messages,
        ["The thumbnail will be converted for YouTube: WebP to JPEG, 3840 x 2160 to 1920 x 1080 \
          pixels, 3,000,000 to at most 2,000,000 bytes. Transparent parts become white."]
    );
}

#[test]
fn what_changes_is_told_as_data() {
    let told = post(Platform::Instagram, picture("image/png", (5_000, 4_500), 9_000_000)).check();
    assert_eq!(told[0].rule, "instagram.media.converted");
    assert_eq!(told[0].severity, Severity::Warning);
    let want = json!({
        "kind": "converted",
        "file": 0,
        "from": {"types": ["image/png"], "width": 5000, "height": 4500, "bytes": 9_000_000},
        "to": {"types": ["image/jpeg"], "width": 4096, "height": 3686, "bytes": 8_000_000},
        "standsStill": false,
        "flattened": true,
    });
    let detail = serde_json::to_value(&told[0].detail).unwrap();
    assert_eq!(detail, want);
    let read: crate::rules::Detail = serde_json::from_value(detail).unwrap();
    assert_eq!(Some(read), told[0].detail);
}

#[test]
fn a_ratio_is_mended_by_a_crop() {
    for (platform, options, size, want) in [
        (Platform::Instagram, json!({}), (500, 1_000), Some("4:5")),
        (Platform::Instagram, json!({}), (750, 1_000), Some("4:5")),
        (Platform::Instagram, json!({}), (3_000, 1_000), Some("191:100")),
        (Platform::Instagram, json!({"placement": "story"}), (1_000, 1_000), Some("9:16")),
        (Platform::Threads, json!({}), (11_000, 1_000), Some("10:1")),
        (Platform::Linkedin, json!({}), (1_000, 3_000), Some("5:12")),
        (Platform::Telegram, json!({}), (21_00, 100), Some("20:1")),
    ] {
        let mut post = Post::new("Hi").to(platform, options);
        post.media = vec![picture("image/jpeg", size, 100_000)];
        let crop = |detail: Value| Some(detail["fix"]["crop"].as_str()?.to_owned());
        let found = post.check();
        let crops: Vec<String> = found
            .iter()
            .filter_map(|issue| crop(serde_json::to_value(&issue.detail).unwrap()))
            .collect();
        assert_eq!(crops.first().map(String::as_str), want, "{platform} {size:?}: {found:?}");
        post.media[0].kind = crate::rules::MediaKind::Video;
        let of_video = post.check();
        assert!(
            !of_video
                .iter()
                .any(|issue| { serde_json::to_value(&issue.detail).unwrap().get("fix").is_some() }),
            "{of_video:?}"
        );
    }
}

fn film(mime_type: &str) -> MediaFacts {
    MediaFacts {
        mime_type: Some(mime_type.to_owned()),
        size_bytes: Some(20_000_000),
        width: Some(1_920),
        height: Some(1_080),
        duration_seconds: Some(30.0),
        fps: Some(30.0),
        video_codec: Some(VideoCodec::H264),
        ..MediaFacts::of_kind(MediaKind::Video)
    }
}

#[test]
fn what_is_made_of_videos() {
    let large = MediaFacts {
        size_bytes: Some(4_000_000_000),
        width: Some(2_161),
        height: Some(3_841),
        fps: Some(120.0),
        ..film("video/mp4")
    };
    let long = MediaFacts { duration_seconds: Some(3_000.0), ..large.clone() };
    let films = Decoding::EVERYTHING;
    let none = Decoding { films: false, ..films };
    for (name, platform, file, decoding, want) in [
        ("taken", Platform::Mastodon, film("video/mp4"), films, ""),
        (
            "another type",
            Platform::Mastodon,
            film("video/x-msvideo"),
            films,
            "File 1 will be converted for Mastodon: AVI to MP4.",
        ),
        (
            "another codec",
            Platform::Pinterest,
            MediaFacts { video_codec: Some(VideoCodec::Mpeg4), ..film("video/mp4") },
            films,
            "File 1 will be converted for Pinterest: MPEG-4 to H.264.",
        ),
        (
            "another type without ffmpeg",
            Platform::Mastodon,
            film("video/x-msvideo"),
            none,
            "File 1 cannot be converted: this server needs the package ffmpeg to convert videos. \
             Install that on the server, or upload an MP4 with H.264.\n\
             File 1 is AVI; Mastodon takes MP4, WebM, MOV, Ogg or M4V.",
        ),
        (
            "a type that nobody reads",
            Platform::Mastodon,
            film("video/x-other"),
            films,
            "File 1 is video/x-other; Mastodon takes MP4, WebM, MOV, Ogg or M4V.",
        ),
        (
            "upright and too large",
            Platform::Mastodon,
            large.clone(),
            films,
            "File 1 will be converted for Mastodon: 2161 x 3841 to 1080 x 1918 pixels, \
             4,000,000,000 to at most 103,809,023 bytes.",
        ),
        (
            "too long for its bytes",
            Platform::Discord,
            long,
            films,
            "File 1 cannot be converted: it is too long for the bytes that are taken. Make it \
             shorter before you upload it.\n\
             File 1 is 4,000,000,000 bytes for Discord, the limit is 10,485,760 bytes.\n\
             The files are 4,000,000,000 bytes together for Discord, the limit is 26,148,864 bytes.",
        ),
        (
            "too many bytes",
            Platform::Discord,
            film("video/mp4"),
            films,
            "File 1 will be converted for Discord: 20,000,000 to at most 10,485,760 bytes.",
        ),
    ] {
        let mut post = post(platform, file);
        post.context.decoding = decoding;
        assert_eq!(said(&post).join("\n"), want, "{name}");
    }
    let made = made_of(Platform::Mastodon, &large);
    assert_eq!((made.width, made.height), (Some(1_080), Some(1_918)), "even numbers");
    assert_eq!((made.fps, made.video_codec), (Some(120.0), Some(VideoCodec::H264)));
}

/// What a video is when it has been converted for a network.
fn made_of(platform: Platform, file: &MediaFacts) -> MediaFacts {
    let (options, limits) = (Map::new(), AccountLimits::default());
    let target = DraftTarget::new(platform, &options, &limits);
    match fits(&target, std::slice::from_ref(file), Decoding::EVERYTHING).remove(0) {
        Fit::Convert(made) => made.facts,
        other => panic!("{platform}: {other:?}"),
    }
}
