//! Facebook pages.

use super::{
    CAPTION, CapabilitySheet, CountBounds, LimitWithMedia, LinkPlace, MediaFigures, Metric,
    OptionFact, OptionValue, Platform, Required, RequiredMedia, Shape, TextBound, TextCleaning,
    TextFigures, TextUnit, TextWarning,
};

/// What Facebook takes on a page, and offers.
///
/// Source, unless a line names another:
/// <https://developers.facebook.com/docs/graph-api/reference/page/> (v26.0).
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Facebook,
    name: "Facebook",
    // no page of the network states it; the figure that clients use
    char_limit: 63_206,
    // feed
    requires_media: RequiredMedia::None,
    // photos, videos
    supports_image: true,
    supports_video: true,
    // feed: one of message, link, attached_media
    allows_empty_text: true,
    // practice, no page of the network states it
    max_media_per_post: 10,
    // photos
    max_image_bytes: 10_000_000,
    // help pages; a person's own figure overrides it:
    // https://developers.facebook.com/docs/graph-api/reference/video-upload-limits/
    max_video_bytes: 10_000_000_000,
    // none stated for the feed; a reel is checked by a rule of its own
    min_video_duration_seconds: None,
    // help pages: 240 minutes
    max_video_duration_seconds: Some(14_400),
    min_video_fps: None,
    max_video_fps: None,
    supports_thread: false,
    // photos, `alt_text_custom`
    supports_alt_text: true,
    supports_thumbnail: false,
    // page post, edge `comments`
    supports_first_comment: true,
    // https://developers.facebook.com/docs/pages-api/posts/, "Update a post"
    can_edit_remote: true,
    // https://developers.facebook.com/docs/pages-api/posts/, "Delete a post"
    can_delete_remote: true,
    can_read_comments: true,
    // `followers_count`
    reports_followers: true,
    // https://developers.facebook.com/docs/graph-api/reference/insights/
    metric_fields: &[
        Metric::Views,
        Metric::Reach,
        Metric::Likes,
        Metric::Comments,
        Metric::Shares,
        Metric::Clicks,
        Metric::VideoViews,
    ],
    notes: "Pages only. Up to 10 pictures, or one video, never both. asReel: one upright video of 3 to 90 seconds. Only posts made through this service can be edited.",
    short_name: "Facebook",
    text: TextFigures {
        // the unit is not stated: code points refuse, UTF-16 units warn
        unit: TextUnit::CodePoints,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: Some(TextWarning {
            bound: TextBound { limit: 63_206, unit: TextUnit::Utf16Units },
            sentence: "Facebook may count an emoji as two characters and refuse the text.",
        }),
        forbidden: &[],
        hashtags: CountBounds::NONE,
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: true,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        max_images: 10,
        max_videos: 1,
        mixes_kinds: false,
        // photos
        image_types: &["image/jpeg", "image/png", "image/gif", "image/bmp", "image/tiff"],
        // videos lists some thirty containers; the network decides
        video_types: &[],
        image_shape: Shape::ANY,
        video_shape: Shape::ANY,
        // interface description, altTexts
        alt_text_limit: 1000,
        max_total_bytes: None,
    },
    // feed, `link`
    link: LinkPlace::OwnFieldWithoutMedia,
    options: &[
        CAPTION,
        OptionFact {
            key: "asReel",
            subject: "as_reel",
            label: "asReel",
            required: Required::No,
            value: OptionValue::Flag,
        },
        OptionFact {
            key: "firstComment",
            subject: "first_comment",
            label: "The first comment",
            required: Required::No,
            // no page of the network states it; the figure that clients use
            value: OptionValue::Text {
                bound: Some(TextBound { limit: 8000, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            },
        },
    ],
};
