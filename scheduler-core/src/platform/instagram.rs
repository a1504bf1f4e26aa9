//! Instagram, business and creator accounts.

use super::{
    CAPTION, CapabilitySheet, CountBounds, LimitWithMedia, LinkPlace, MediaFigures, Metric,
    OptionFact, OptionValue, Platform, Required, RequiredMedia, Shape, TextBound, TextCleaning,
    TextFigures, TextUnit, TextWarning,
};

/// What Instagram takes and offers.
///
/// The video figures are those of reels; stories are narrower and checked by a rule of their own.
///
/// Source, unless a line names another: `content-publishing` and `ig-user/media` of
/// <https://developers.facebook.com/documentation/instagram-platform/>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Instagram,
    name: "Instagram",
    // ig-user/media, `caption`
    char_limit: 2200,
    // there are no text posts
    requires_media: RequiredMedia::ImageOrVideo,
    supports_image: true,
    supports_video: true,
    allows_empty_text: true,
    // ig-user/media, `children`
    max_media_per_post: 10,
    // ig-user/media says 8 MB, the error text 8 MiB: the smaller is safe
    max_image_bytes: 8_000_000,
    // ig-user/media, reels
    max_video_bytes: 300_000_000,
    // ig-user/media, reels: 3 s to 15 min
    min_video_duration_seconds: Some(3),
    max_video_duration_seconds: Some(900),
    // ig-user/media, reels
    min_video_fps: Some(23),
    max_video_fps: Some(60),
    supports_thread: false,
    // ig-user/media, `alt_text`
    supports_alt_text: true,
    supports_thumbnail: false,
    supports_first_comment: false,
    can_edit_remote: false,
    // changelog of 2025-12-03; an account says itself whether it may
    can_delete_remote: true,
    // comment-moderation
    can_read_comments: true,
    // `followers_count`
    reports_followers: true,
    // reference/instagram-media/insights
    metric_fields: &[
        Metric::Views,
        Metric::Reach,
        Metric::Likes,
        Metric::Comments,
        Metric::Shares,
        Metric::Saves,
        Metric::Interactions,
    ],
    notes: "Business and creator accounts only. Up to 10 JPEG pictures and videos in a post; one video becomes a reel. Up to 30 hashtags and 20 mentions. Stories show no caption. Live posts can be taken down only when connected through a Facebook Page. Files must be reachable from the internet.",
    short_name: "Instagram",
    text: TextFigures {
        // the unit is not stated: code points refuse, UTF-16 units warn
        unit: TextUnit::CodePoints,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: Some(TextWarning {
            bound: TextBound { limit: 2200, unit: TextUnit::Utf16Units },
            sentence: "Instagram may count an emoji as two characters and refuse the text.",
        }),
        forbidden: &[],
        // ig-user/media: 30; the app itself uses 5 since 2025-12-18
        hashtags: CountBounds { refused_above: Some(30), warned_above: Some(5) },
        // reference/error-codes, 2207040
        mentions: CountBounds { refused_above: Some(20), warned_above: None },
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        max_images: 10,
        max_videos: 10,
        mixes_kinds: true,
        // ig-user/media; error 2207005
        image_types: &["image/jpeg"],
        video_types: &["video/mp4", "video/quicktime"],
        // ratios of the feed are checked by the rule of placements
        image_shape: Shape::ANY,
        // ig-user/media, reels
        video_shape: Shape {
            min_side: None,
            max_long_side: None,
            max_short_side: None,
            max_side_sum: None,
            max_pixels: None,
            min_ratio: Some(0.01),
            max_ratio: Some(10.0),
        },
        // ig-user/media, `alt_text`
        alt_text_limit: 1000,
        max_total_bytes: None,
    },
    link: LinkPlace::Text,
    options: &[
        CAPTION,
        OptionFact {
            key: "placement",
            subject: "placement",
            label: "Placement",
            required: Required::No,
            // interface description, TargetInput
            value: OptionValue::OneOf(&["feed", "reel", "story"]),
        },
        OptionFact {
            key: "shareToFeed",
            subject: "share_to_feed",
            label: "shareToFeed",
            required: Required::No,
            value: OptionValue::Flag,
        },
        OptionFact {
            key: "collaborators",
            subject: "collaborators",
            label: "Collaborators",
            required: Required::No,
            // ig-user/media, `collaborators`
            value: OptionValue::UserNames { max_items: 3, max_length: 30 },
        },
    ],
};
