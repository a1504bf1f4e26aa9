//! Pinterest.

use super::{
    CAPTION, CapabilitySheet, CountBounds, LimitWithMedia, LinkPlace, MediaFigures, Metric,
    OptionFact, OptionValue, Platform, Required, RequiredMedia, Shape, TextBound, TextCleaning,
    TextFigures, TextUnit, TextWarning,
};

/// What Pinterest takes and offers.
///
/// Source, unless a line names another: <https://github.com/pinterest/api-description>,
/// `v5/openapi.json`; "specs" is
/// <https://help.pinterest.com/en/business/article/pinterest-product-specs>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Pinterest,
    name: "Pinterest",
    // `PinCreate.description`, maxLength
    char_limit: 800,
    // `media_source` is required
    requires_media: RequiredMedia::ImageOrVideo,
    supports_image: true,
    supports_video: true,
    allows_empty_text: true,
    // carousel: `items`, maxItems
    max_media_per_post: 5,
    // specs
    max_image_bytes: 20_000_000,
    // specs
    max_video_bytes: 2_000_000_000,
    // specs: 4 s to 15 min
    min_video_duration_seconds: Some(4),
    max_video_duration_seconds: Some(900),
    min_video_fps: None,
    max_video_fps: None,
    supports_thread: false,
    // `alt_text`, one for the Pin
    supports_alt_text: true,
    supports_thumbnail: false,
    // there are no comment endpoints
    supports_first_comment: false,
    can_edit_remote: false,
    // DELETE /pins/{pin_id}
    can_delete_remote: true,
    can_read_comments: false,
    // GET /user_account, `follower_count`
    reports_followers: true,
    // GET /pins/{pin_id}/analytics
    metric_fields: &[
        Metric::Impressions,
        Metric::Saves,
        Metric::Clicks,
        Metric::OutboundClicks,
        Metric::Likes,
        Metric::Comments,
        Metric::VideoViews,
    ],
    notes: "A board and one file are required: 1 video, or 1 to 5 images of the same size. Title 100 characters, description 800. 2:3 images show best. An app on Trial access cannot publish for the public.",
    short_name: "Pinterest",
    text: TextFigures {
        // JSON Schema's maxLength counts code points
        unit: TextUnit::CodePoints,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        // specs say 500 where the API takes 800
        warning: Some(TextWarning {
            bound: TextBound { limit: 500, unit: TextUnit::CodePoints },
            sentence: "Pinterest may show only the first 500 characters.",
        }),
        forbidden: &[],
        // ours: no number is stated
        hashtags: CountBounds { refused_above: None, warned_above: Some(20) },
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        max_images: 5,
        max_videos: 1,
        mixes_kinds: false,
        // `image_base64`, enum of `content_type`
        image_types: &["image/jpeg", "image/png"],
        // specs
        video_types: &["video/mp4", "video/quicktime", "video/x-m4v"],
        image_shape: Shape::ANY,
        // specs: 1:2 to 1.91:1
        video_shape: Shape {
            min_side: None,
            max_long_side: None,
            max_short_side: None,
            max_side_sum: None,
            max_pixels: None,
            min_ratio: Some(0.5),
            max_ratio: Some(1.91),
        },
        // `alt_text`, maxLength
        alt_text_limit: 500,
        max_total_bytes: None,
    },
    // `link`
    link: LinkPlace::OwnField,
    options: &[
        CAPTION,
        OptionFact {
            key: "boardId",
            subject: "board_id",
            label: "boardId",
            required: Required::Always(
                "Pinterest needs a board: set pinterest.boardId (GET /oauth/accounts/{id}/boards lists them).",
            ),
            // `board_id`, pattern; that 32 digits are enough is ours
            value: OptionValue::Digits { max_length: 32 },
        },
        OptionFact {
            key: "title",
            subject: "title",
            label: "Title",
            required: Required::No,
            // `title`, maxLength
            value: OptionValue::Text {
                bound: Some(TextBound { limit: 100, unit: TextUnit::CodePoints }),
                needs_text: false,
                forbidden: &[],
            },
        },
    ],
};
