//! LinkedIn, members and pages.

use super::{
    CAPTION, CapabilitySheet, CountBounds, LimitWithMedia, LinkPlace, MediaFigures, Metric,
    OptionFact, OptionValue, Platform, Required, RequiredMedia, Shape, TextBound, TextCleaning,
    TextFigures, TextUnit,
};

/// What LinkedIn takes and offers.
///
/// Source, unless a line names another: `community-management/shares` of
/// <https://learn.microsoft.com/en-us/linkedin/marketing>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Linkedin,
    name: "LinkedIn",
    // error text of the network
    char_limit: 3000,
    // posts-api
    requires_media: RequiredMedia::None,
    supports_image: true,
    supports_video: true,
    // post-api-schema: `commentary` may be ""
    allows_empty_text: true,
    // multiimage-post-api: 2 to 20 images
    max_media_per_post: 20,
    // ours: the network states pixels only
    max_image_bytes: 10_000_000,
    // videos-api
    max_video_bytes: 500_000_000,
    // videos-api: 3 s to 30 min
    min_video_duration_seconds: Some(3),
    max_video_duration_seconds: Some(1800),
    min_video_fps: None,
    max_video_fps: None,
    supports_thread: false,
    // posts-api, `altText`
    supports_alt_text: true,
    supports_thumbnail: false,
    // comments-api
    supports_first_comment: true,
    can_edit_remote: false,
    // posts-api
    can_delete_remote: true,
    // comments-api
    can_read_comments: true,
    // organizations
    reports_followers: true,
    // social-metadata-api, members/post-statistics, organizations
    metric_fields: &[
        Metric::Impressions,
        Metric::Reach,
        Metric::Likes,
        Metric::Comments,
        Metric::Shares,
        Metric::Clicks,
        Metric::Saves,
    ],
    notes: "3000 characters. 1 video, or up to 20 images. MP4 only. No mixing. Identical posts within about 10 minutes are refused. Figures and comments need extra LinkedIn approval.",
    short_name: "LinkedIn",
    text: TextFigures {
        // the unit is not stated; this one is never less than the others
        unit: TextUnit::Utf16Units,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: None,
        forbidden: &[],
        // ours: no limit is stated
        hashtags: CountBounds { refused_above: None, warned_above: Some(30) },
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        max_images: 20,
        max_videos: 1,
        mixes_kinds: false,
        // images-api
        image_types: &["image/jpeg", "image/png", "image/gif"],
        // videos-api
        video_types: &["video/mp4"],
        // images-api: fewer than 36 152 320 pixels
        image_shape: Shape {
            min_side: None,
            max_long_side: None,
            max_short_side: None,
            max_side_sum: None,
            max_pixels: Some(36_152_319),
            min_ratio: None,
            max_ratio: None,
        },
        video_shape: Shape::ANY,
        // 4086 on the network; interface description, altTexts
        alt_text_limit: 1000,
        max_total_bytes: None,
    },
    // posts-api, `content.article`
    link: LinkPlace::OwnFieldWithoutMedia,
    options: &[
        CAPTION,
        OptionFact {
            key: "firstComment",
            subject: "first_comment",
            label: "The first comment",
            required: Required::No,
            // comments-api, public help; an empty one is passed over
            value: OptionValue::Text {
                bound: Some(TextBound { limit: 1250, unit: TextUnit::Utf16Units }),
                needs_text: false,
                forbidden: &[],
            },
        },
    ],
};
