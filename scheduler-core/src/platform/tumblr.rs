//! Tumblr.

use chrono::TimeDelta;

use super::options::options;
use super::{
    Alike, BudgetScope, CAPTION, CapabilitySheet, Checked, Codecs, CommentLimit, ConnectingFacts,
    CountBounds, Counted, DocumentFigures, Effect, EntitySyntax, FiguresCost, FileLimit, FileTypes,
    GifPlay, LimitSpan, LimitWithMedia, LinkPlace, Measure, MediaFigures, Metric, OptionFact,
    OptionValue, PlacementChoice, Platform, PublishingLimit, ReadingBudget, ReadingFigures,
    RedirectRule, Registration, RequestLimit, RequiredMedia, SIGNATURE, Shape, TagBounds,
    TextBound, TextCleaning, TextFigures, TextUnit, TokenFacts, TotalBytes,
};
use crate::media::{MediaKind, Recipe, VideoCodec};

/// Most blocks of a post, be they text, files or links.
///
/// Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Post Content Limits".
pub const BLOCK_LIMIT: u32 = 1000;

/// Longest text block, in code points.
///
/// Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Post Content Limits".
pub const BLOCK_LENGTH_LIMIT: u32 = 4096;

/// Most links marked in the texts of a post.
///
/// Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Post Content Limits".
pub const LINK_LIMIT: u32 = 100;

/// What may be asked of Tumblr besides publishing: half of the calls that it allows an app. Counted
/// by the hour, so that no day is used up at its begin.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Rate Limits": 1 000 an hour and 5 000 a day.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::App,
        requests: 100,
        per: TimeDelta::hours(1),
        within: &[
            RequestLimit { requests: 1_000, per: TimeDelta::hours(1) },
            RequestLimit { requests: 5_000, per: TimeDelta::hours(24) },
        ],
    }],
    figures: FiguresCost::Post(1),
    look: 1,
};

/// What a user posts and uploads in a day.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Get a User's Limits": 250 posts, 250 images and
/// 20 videos; that the day is one of UTC is ours.
const PUBLISHING: &[PublishingLimit] = &[
    PublishingLimit::account(Counted::Posts, 250, LimitSpan::Day("UTC")),
    PublishingLimit::account(Counted::Images, 250, LimitSpan::Day("UTC")),
    PublishingLimit::account(Counted::Videos, 20, LimitSpan::Day("UTC")),
];

/// How accounts are connected.
///
/// Source: <https://www.tumblr.com/docs/en/api/v2#oauth2-authorization>
const CONNECTING: ConnectingFacts = ConnectingFacts::on_page(
    Registration {
        place: "Tumblr's list of applications",
        url: "https://www.tumblr.com/oauth/apps",
        terms: "OAuth consumer key and secret key",
    },
    RedirectRule::Any,
    TokenFacts { renewed_by_app: true, renewed_after_expiry: true },
)
.about("Tumblr blogs, on Tumblr's own page");

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
    take_down_within: None,
    take_down_by_permission: false,
    // api.md, /notes
    can_read_comments: true,
    comment_limit: CommentLimit::Unknown,
    // api.md, /user/info
    reports_followers: true,
    traffic_sources: &[],
    // api.md, /notes
    metric_fields: &[Metric::Notes, Metric::Likes, Metric::Shares, Metric::Comments],
    metric_changes: &[],
    notes: "Long text is split into blocks of 4096 characters. Up to 30 images or one video (20 videos and 60 minutes a day). 250 posts and 250 images a day. A video post gets its link only after processing.",
    short_name: "Tumblr",
    also_called: &[],
    profile: Some("https://www.tumblr.com/"),
    without_link: "",
    manner: "personal and in one's own voice, without hashtags in the text",
    api: Some("https://api.tumblr.com"),
    connecting: &CONNECTING,
    lists: &[],
    keeps_uploads: false,
    refuses_repeats: false,
    readings: READINGS,
    publishing: PUBLISHING,
    limits_differ: false,
    text: TextFigures {
        own_text: &["caption"],
        entities: EntitySyntax::Common,
        // npf-spec.md: a family emoji of three persons counts 5
        unit: TextUnit::CodePoints,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: None,
        forbidden: &[],
        hashtags: CountBounds::NONE,
        mentions: CountBounds::NONE,
        // more are sent but not marked as links
        links: CountBounds { refused_above: None, warned_above: Some(LINK_LIMIT) },
        cashtags: CountBounds::NONE,
        is_optional_beside_link: true,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        placement: PlacementChoice::ByFiles,
        fetched_by_address: false,
        // npf-spec.md
        max_images: 30,
        max_videos: 1,
        documents: DocumentFigures::NONE,
        mixes_kinds: true,
        image_types: FileTypes::only(&["image/jpeg", "image/png", "image/gif", "image/webp"]),
        video_types: FileTypes::only(&["video/mp4", "video/quicktime", "video/x-m4v"]),
        // ours, far below what is taken
        picture_recipe: Some(Recipe::jpeg("tumblr-image", 3000, 10_000_000).with_types(&[
            "image/jpeg",
            "image/png",
            "image/webp",
        ])),
        gif: GifPlay::Plays,
        carousel: Alike::No,
        codecs: Codecs::rather(&[VideoCodec::H264], "Tumblr names H.264 as the codec of videos."),
        frame_rate: Measure::Fps,
        limits: &[
            // help.tumblr.com, image and GIF troubleshooting
            FileLimit::refused(MediaKind::Image, Measure::Bytes, None, Some(10_485_760.0))
                .for_types(&["image/gif"]),
            // no page states it
            FileLimit::warned(
                MediaKind::Image,
                Measure::Width,
                None,
                Some(1280.0),
                "Tumblr shows pictures up to 1280 pixels wide.",
            ),
        ],
        // 4096 on the network; interface description, altTexts
        alt_text_limit: 1000,
        // npf-spec.md: image blocks only
        alt_text_of_videos: false,
        details: &[],
        // https://github.com/tumblr/docs/issues/128; the figure is ours
        total_bytes: TotalBytes {
            refused_above: None,
            warned_above: Some((
                104_857_600,
                "Tumblr may take too long over so many bytes and answer with an error.",
            )),
        },
    },
    // npf-spec.md, link block
    link: LinkPlace::OwnField,
    // https://github.com/tumblr/docs, and tumblr.js
    checked: &[Checked::on("all", 2026, 7, 23)],
    options: &[
        CAPTION,
        SIGNATURE,
        OptionFact::new(
            "tags",
            "tags",
            "Tags",
            OptionValue::Tags(TagBounds {
                // https://github.com/AprilSylph/XKit-Rewritten/issues/2069
                max_items: Some(30),
                // https://github.com/cubeghost/tagreplacer/issues/31
                warned_above: Some(20),
                // https://github.com/AprilSylph/XKit-Rewritten/issues/2069
                max_length: Some(140),
                max_total: None,
                // the API joins tags with commas
                forbidden: &[','],
                words: &[],
            }),
        ),
        // npf-spec.md, "Text Block Subtypes": a block of its own
        OptionFact::new(
            "title",
            "title",
            "Title",
            OptionValue::Text {
                bound: Some(TextBound { limit: BLOCK_LENGTH_LIMIT, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            },
        )
        .about("A heading above everything."),
        // api.md, `source_url`
        OptionFact::new(
            "sourceUrl",
            "source_url",
            "Source",
            OptionValue::Address { max_length: None },
        )
        .about("The address of where it is from."),
        // api.md, `slug`; no length is documented, this one is ours
        OptionFact::new(
            "slug",
            "slug",
            "Slug",
            OptionValue::Text {
                bound: Some(TextBound { limit: 100, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            },
        )
        .about("The last part of its address: small letters, digits and hyphens."),
        // api.md, `interactability_reblog`
        OptionFact::new(
            "reblog",
            "reblog",
            "Who may reblog it",
            OptionValue::OneOf(&["everyone", "noone"]),
        )
        .about("Who may reblog it."),
        // api.md, `parent_post_id`
        OptionFact::new(
            "reblogOf",
            "reblog_of",
            "The reblogged post",
            OptionValue::Address { max_length: Some(2_048) },
        )
        .about("The address of the post that it reblogs; the text is added below it."),
        // api.md, `state`
        OptionFact::new(
            "visibility",
            "visibility",
            "Visibility",
            OptionValue::OneOf(&["public", "private"]),
        )
        .about("Who sees it; a private post is seen on the blog by its members alone."),
        // npf-spec.md, "Layout Block Type: Rows", `display`
        OptionFact::new(
            "imageRows",
            "image_rows",
            "Rows of images",
            OptionValue::Shaped(&Shape::List {
                item: &Shape::List { item: &Shape::Integer { least: 0, most: 29 }, max_items: 30 },
                max_items: 30,
            }),
        )
        .effective(Effect::WithImages)
        .about(
            "Which images stand beside each other: rows of their places among the files, from 0.",
        ),
        // npf-spec.md, "Layout Block Type: Rows", `truncate_after`
        OptionFact::new(
            "readMoreAfter",
            "read_more_after",
            "Paragraphs before Read more",
            OptionValue::Integer { least: 0, most: 999 },
        )
        .about(
            "How many paragraphs of the text stand before \"Read more\"; title and files do too.",
        ),
    ],
    prices: None,
    with_files: None,
};

options! {
    Tumblr {
        /// Its tags.
        tags: Vec<String>,
        /// A heading above everything.
        title: String,
        /// The address of where it is from.
        source_url: String,
        /// The last part of its address: small letters, digits and hyphens.
        slug: String,
        /// Who may reblog it.
        reblog: TumblrReblog,
        /// The address of the post that it reblogs; the text is added below it.
        reblog_of: String,
        /// Who sees it.
        visibility: TumblrVisibility,
        /// Which images stand beside each other: rows of their places among the files, from 0.
        image_rows: Vec<Vec<u32>>,
        /// How many paragraphs of the text stand before "Read more"; title and files do too.
        read_more_after: u32,
    } where
    /// Who sees a post on Tumblr.
    TumblrVisibility {
        /// Everybody.
        Public = "public",
        /// The members of the blog.
        Private = "private",
    } where
    /// Who may reblog a post on Tumblr.
    TumblrReblog {
        /// Everybody.
        Everyone = "everyone",
        /// Nobody.
        Noone = "noone",
    }
}
