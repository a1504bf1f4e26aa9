//! Mastodon and servers that speak its API.

use super::{
    CAPTION, CapabilitySheet, CountBounds, LimitWithMedia, LinkPlace, MediaFigures, Metric,
    OptionFact, OptionValue, Platform, Required, RequiredMedia, Shape, THREAD, TextCleaning,
    TextFigures, TextUnit,
};

/// What Mastodon takes and offers by default; a server may say otherwise for its accounts.
///
/// Source, unless a line names another: <https://github.com/mastodon/mastodon/tree/v4.6.5>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Mastodon,
    name: "Mastodon",
    // app/validators/status_length_validator.rb; content warning and text together
    char_limit: 500,
    // app/models/status.rb
    requires_media: RequiredMedia::None,
    // app/models/media_attachment.rb
    supports_image: true,
    supports_video: true,
    // app/services/post_status_service.rb: only with files
    allows_empty_text: true,
    // app/models/status.rb, MEDIA_ATTACHMENTS_LIMIT
    max_media_per_post: 4,
    // app/models/media_attachment.rb: less than 16 MiB
    max_image_bytes: 16_777_215,
    // app/models/media_attachment.rb: less than 99 MiB
    max_video_bytes: 103_809_023,
    min_video_duration_seconds: Some(0),
    // long videos are cut at 36 000 frames, not refused
    max_video_duration_seconds: None,
    min_video_fps: None,
    // app/models/media_attachment.rb; the rate is rounded down first
    max_video_fps: Some(120),
    // `in_reply_to_id`
    supports_thread: true,
    // media `description`
    supports_alt_text: true,
    supports_thumbnail: false,
    supports_first_comment: false,
    // https://docs.joinmastodon.org/methods/statuses/#edit
    can_edit_remote: true,
    // https://docs.joinmastodon.org/methods/statuses/#delete
    can_delete_remote: true,
    // https://docs.joinmastodon.org/methods/statuses/#context
    can_read_comments: true,
    // https://docs.joinmastodon.org/entities/Account/#followers_count
    reports_followers: true,
    // favourites_count, reblogs_count, replies_count, quotes_count
    metric_fields: &[Metric::Likes, Metric::Shares, Metric::Comments, Metric::Quotes],
    notes: "Limits shown are the Mastodon defaults; a server may set its own. Links count 23 characters, the domain of a mention does not count. Video cannot be mixed with other files. Edits replace the whole post.",
    short_name: "Mastodon",
    text: TextFigures {
        unit: TextUnit::MastodonCharacters,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: None,
        forbidden: &[],
        hashtags: CountBounds::NONE,
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        max_images: 4,
        // app/services/post_status_service.rb: a video is the only file
        max_videos: 1,
        mixes_kinds: false,
        // app/models/media_attachment.rb
        image_types: &[
            "image/jpeg",
            "image/png",
            "image/gif",
            "image/heic",
            "image/heif",
            "image/webp",
            "image/avif",
        ],
        video_types: &["video/mp4", "video/webm", "video/quicktime", "video/ogg"],
        // app/models/media_attachment.rb: 7680 x 4320
        image_shape: Shape {
            min_side: None,
            max_long_side: None,
            max_short_side: None,
            max_side_sum: None,
            max_pixels: Some(33_177_600),
            min_ratio: None,
            max_ratio: None,
        },
        // app/models/media_attachment.rb: 3840 x 2160
        video_shape: Shape {
            min_side: None,
            max_long_side: None,
            max_short_side: None,
            max_side_sum: None,
            max_pixels: Some(8_294_400),
            min_ratio: None,
            max_ratio: None,
        },
        // interface description, altTexts; 4.5 and older take 1500
        alt_text_limit: 1000,
        max_total_bytes: None,
    },
    link: LinkPlace::Text,
    options: &[
        CAPTION,
        THREAD,
        OptionFact {
            key: "visibility",
            subject: "visibility",
            label: "Visibility",
            required: Required::No,
            // https://docs.joinmastodon.org/methods/statuses/#create
            value: OptionValue::OneOf(&["public", "unlisted", "private", "direct"]),
        },
        OptionFact {
            key: "spoilerText",
            subject: "spoiler_text",
            label: "Content warning",
            required: Required::No,
            // counted together with the text
            value: OptionValue::Text { bound: None, needs_text: false, forbidden: &[] },
        },
    ],
};
