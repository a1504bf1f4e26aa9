//! Tumblr.

use super::{
    CAPTION, CapabilitySheet, CountBounds, LimitWithMedia, LinkPlace, MediaFigures, Metric,
    OptionFact, OptionValue, Platform, Required, RequiredMedia, Shape, TagBounds, TextCleaning,
    TextFigures, TextUnit,
};

/// What Tumblr takes and offers.
///
/// Source, unless a line names another: <https://github.com/tumblr/docs>, `npf-spec.md` and
/// `api.md`; "postybirb" is <https://github.com/mvdicarlo/postybirb>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Tumblr,
    name: "Tumblr",
    // ours, the most that content may hold; the network takes 1000 blocks of 4096 code points
    char_limit: 64_000,
    requires_media: RequiredMedia::None,
    supports_image: true,
    supports_video: true,
    // api.md: a post needs at least one block
    allows_empty_text: true,
    // npf-spec.md, "Post Content Limits": 30 image blocks
    max_media_per_post: 30,
    // postybirb
    max_image_bytes: 20_971_520,
    // postybirb
    max_video_bytes: 524_288_000,
    min_video_duration_seconds: Some(0),
    // postybirb
    max_video_duration_seconds: Some(600),
    min_video_fps: None,
    max_video_fps: None,
    supports_thread: false,
    // npf-spec.md, image block, `alt_text`
    supports_alt_text: true,
    supports_thumbnail: false,
    supports_first_comment: false,
    // interface description, "Remote edit"
    can_edit_remote: false,
    // api.md, /post/delete
    can_delete_remote: true,
    // api.md, /notes
    can_read_comments: true,
    // api.md, /user/info
    reports_followers: true,
    // api.md, /notes
    metric_fields: &[Metric::Notes, Metric::Likes, Metric::Shares, Metric::Comments],
    notes: "Long text is split into blocks of 4096 characters. Up to 30 images or one video (20 videos and 60 minutes a day). 250 posts and 250 images a day. A video post gets its link only after processing.",
    short_name: "Tumblr",
    text: TextFigures {
        // npf-spec.md: a family emoji of three persons counts 5
        unit: TextUnit::CodePoints,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: None,
        forbidden: &[],
        hashtags: CountBounds::NONE,
        mentions: CountBounds::NONE,
        // npf-spec.md: 100 ranges of type link
        links: CountBounds { refused_above: None, warned_above: Some(100) },
        cashtags: CountBounds::NONE,
        is_optional_beside_link: true,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        // npf-spec.md
        max_images: 30,
        max_videos: 1,
        mixes_kinds: true,
        image_types: &["image/jpeg", "image/png", "image/gif", "image/webp"],
        video_types: &["video/mp4", "video/quicktime", "video/x-m4v"],
        image_shape: Shape::ANY,
        video_shape: Shape::ANY,
        // 4096 on the network; interface description, altTexts
        alt_text_limit: 1000,
        max_total_bytes: None,
    },
    // npf-spec.md, link block
    link: LinkPlace::OwnField,
    options: &[
        CAPTION,
        OptionFact {
            key: "tags",
            subject: "tags",
            label: "Tags",
            required: Required::No,
            value: OptionValue::Tags(TagBounds {
                // https://github.com/AprilSylph/XKit-Rewritten/issues/2069
                max_items: Some(30),
                // https://github.com/cubeghost/tagreplacer/issues/31
                warned_above: Some(20),
                // https://github.com/AprilSylph/XKit-Rewritten/issues/2069
                max_length: Some(140),
                max_total: None,
                // the API joins tags with commas
                forbidden: &[','],
            }),
        },
    ],
};
