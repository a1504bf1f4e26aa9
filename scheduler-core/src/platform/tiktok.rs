//! TikTok.

use super::{
    CAPTION, CapabilitySheet, CountBounds, LimitWithMedia, LinkPlace, MediaFigures, Metric,
    OptionFact, OptionValue, Platform, Required, RequiredMedia, Shape, TextCleaning, TextFigures,
    TextUnit,
};

/// What TikTok takes and offers.
///
/// Source, unless a line names another: <https://developers.tiktok.com/docs/en/>; "direct" is
/// `content-posting-api-reference-direct-post`, "photo" `content-posting-api-reference-photo-post`,
/// "media" `content-posting-api-media-transfer-guide`.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Tiktok,
    name: "TikTok",
    // direct, `title` of a video
    char_limit: 2200,
    requires_media: RequiredMedia::ImageOrVideo,
    supports_image: true,
    supports_video: true,
    allows_empty_text: true,
    // photo, `photo_images`
    max_media_per_post: 35,
    // media
    max_image_bytes: 20_000_000,
    // media
    max_video_bytes: 4_000_000_000,
    // clients only; the network answers `duration_check_failed` below
    min_video_duration_seconds: Some(3),
    // media; an account's own figure may be lower
    max_video_duration_seconds: Some(600),
    // media
    min_video_fps: Some(23),
    max_video_fps: Some(60),
    supports_thread: false,
    supports_alt_text: false,
    supports_thumbnail: false,
    // there is no comment API
    supports_first_comment: false,
    can_edit_remote: false,
    can_delete_remote: false,
    can_read_comments: false,
    // tiktok-api-v2-get-user-info
    reports_followers: true,
    // tiktok-api-v2-video-query
    metric_fields: &[Metric::Views, Metric::Likes, Metric::Comments, Metric::Shares],
    notes: "A video, or up to 35 photos, never both. Set tiktok.privacy to one of the levels that the account allows. Until TikTok has audited the app, posts go out as SELF_ONLY, from private accounts only. Drafts land in the app's inbox and are finished there.",
    short_name: "TikTok",
    text: TextFigures {
        // direct: "UTF-16 runes"
        unit: TextUnit::Utf16Units,
        byte_limit: None,
        // photo, `description`
        limit_with_media: LimitWithMedia::OnlyImages(4000),
        warning: None,
        forbidden: &[],
        // the app counts 5 since 2025; no page states it
        hashtags: CountBounds { refused_above: None, warned_above: Some(5) },
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        max_images: 35,
        max_videos: 1,
        mixes_kinds: false,
        // media
        image_types: &["image/jpeg", "image/webp"],
        video_types: &["video/mp4", "video/quicktime", "video/webm"],
        // media: 1080p, upright or not
        image_shape: Shape {
            min_side: None,
            max_long_side: Some(1920),
            max_short_side: Some(1080),
            max_side_sum: None,
            max_pixels: None,
            min_ratio: None,
            max_ratio: None,
        },
        // media: each side 360 to 4096
        video_shape: Shape {
            min_side: Some(360),
            max_long_side: Some(4096),
            max_short_side: None,
            max_side_sum: None,
            max_pixels: None,
            min_ratio: None,
            max_ratio: None,
        },
        // there is none; interface description, altTexts
        alt_text_limit: 1000,
        max_total_bytes: None,
    },
    link: LinkPlace::Text,
    options: &[
        CAPTION,
        OptionFact {
            key: "privacy",
            subject: "privacy",
            label: "Privacy",
            required: Required::Unless {
                flag: "asDraft",
                sentence: "tiktok.privacy is required: choose one of",
            },
            // content-posting-api-reference-query-creator-info, `privacy_level_options`
            value: OptionValue::OneOf(&[
                "PUBLIC_TO_EVERYONE",
                "MUTUAL_FOLLOW_FRIENDS",
                "FOLLOWER_OF_CREATOR",
                "SELF_ONLY",
            ]),
        },
        OptionFact {
            key: "allowComments",
            subject: "allow_comments",
            label: "allowComments",
            required: Required::No,
            value: OptionValue::Flag,
        },
        OptionFact {
            key: "asDraft",
            subject: "as_draft",
            label: "asDraft",
            required: Required::No,
            value: OptionValue::Flag,
        },
    ],
};
