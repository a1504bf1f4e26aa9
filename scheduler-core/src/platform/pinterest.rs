//! Pinterest.

use chrono::TimeDelta;

use super::options::options;
use super::{
    AccountList, Alike, BudgetScope, CAPTION, CapabilitySheet, Checked, Codecs, CommentLimit,
    ConnectingFacts, CountBounds, Counted, DocumentFigures, Effect, EntitySyntax, FiguresCost,
    FileDetail, FileLimit, FileTypes, GifPlay, LimitSpan, LimitWithMedia, LinkPlace, Measure,
    MediaFigures, Metric, OptionFact, OptionValue, PlacementChoice, Platform, PublishingLimit,
    ReadingBudget, ReadingFigures, RedirectRule, Registration, RequestLimit, Required,
    RequiredMedia, SIGNATURE, Shape, TextBound, TextCleaning, TextFigures, TextUnit, TextWarning,
    TokenFacts, TotalBytes,
};
use crate::ids::MediaId;
use crate::media::{MediaKind, Recipe, VideoCodec};

/// Longest link of a Pin, in code points.
///
/// Source: <https://github.com/pinterest/api-description>, `PinCreate.link`.
pub const LINK_LENGTH_LIMIT: u32 = 2048;

/// What may be asked of Pinterest besides publishing: half of the calls that it allows an app in a
/// day.
///
/// Source: <https://developers.pinterest.com/docs/reference/rate-limits/>, Trial access; Standard
/// access allows more.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::App,
        requests: 20,
        per: TimeDelta::hours(1),
        within: &[RequestLimit { requests: 1_000, per: TimeDelta::hours(24) }],
    }],
    figures: FiguresCost::Post(1),
    look: 1,
};

/// How many Pins are made for a user. An application with Trial access has 300 writing calls a day
/// for all; which access it has is not known here.
///
/// Source: <https://developers.pinterest.com/docs/reference/rate-limits/>: 100 writing calls a minute
/// with Standard access.
const PUBLISHING: &[PublishingLimit] =
    &[PublishingLimit::account(Counted::Posts, 100, LimitSpan::Fixed(TimeDelta::minutes(1)))];

/// How accounts are connected.
///
/// Source: <https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/>
const CONNECTING: ConnectingFacts = ConnectingFacts::on_page(
    Registration {
        place: "Pinterest Developers, under My apps",
        url: "https://developers.pinterest.com/apps/",
        terms: "app ID and app secret key",
    },
    RedirectRule::HttpsOrLocalhost,
    TokenFacts { renewed_by_app: true, renewed_after_expiry: true },
)
.about("Pinterest, on its own page");

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
    // `cover_image_data`, of a video
    supports_thumbnail: true,
    // there are no comment endpoints
    supports_first_comment: false,
    // PATCH /pins/{pin_id} takes texts, link, board and section, but is beta and not for all apps
    can_edit_remote: false,
    // DELETE /pins/{pin_id}
    can_delete_remote: true,
    take_down_within: None,
    take_down_by_permission: false,
    can_read_comments: false,
    comment_limit: CommentLimit::Unknown,
    // GET /user_account, `follower_count`
    reports_followers: true,
    traffic_sources: &[],
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
    metric_changes: &[],
    notes: "A board and one file are required: 1 video, or 1 to 5 images of the same size. Title 100 characters, description 800. 2:3 images show best. An app on Trial access cannot publish for the public.",
    short_name: "Pinterest",
    also_called: &[],
    profile: Some("https://www.pinterest.com/"),
    without_link: "",
    manner: "says what can be seen and what it is good for, in plain keywords",
    api: Some("https://api.pinterest.com"),
    connecting: &CONNECTING,
    lists: &[AccountList::Boards],
    keeps_uploads: false,
    refuses_repeats: false,
    readings: READINGS,
    publishing: PUBLISHING,
    limits_differ: false,
    text: TextFigures {
        own_text: &["caption"],
        entities: EntitySyntax::OutsideLinks,
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
        placement: PlacementChoice::ByFiles,
        fetched_by_address: false,
        max_images: 5,
        max_videos: 1,
        documents: DocumentFigures::NONE,
        mixes_kinds: false,
        // `image_base64`, enum of `content_type`
        image_types: FileTypes::only(&["image/jpeg", "image/png"]),
        // specs
        video_types: FileTypes::only(&["video/mp4", "video/quicktime", "video/x-m4v"]),
        // ours, far below what is taken
        picture_recipe: Some(Recipe::jpeg("pinterest-image", 3000, 10_000_000)),
        gif: GifPlay::Plays,
        // clients only: the network refuses images of different sizes
        carousel: Alike::Size,
        // specs
        codecs: Codecs::only(&[VideoCodec::H264, VideoCodec::Hevc]).warning_of_unknown(),
        frame_rate: Measure::Fps,
        // specs
        limits: &[
            // taller than 1:2.1
            FileLimit::warned(
                MediaKind::Image,
                Measure::Ratio,
                Some(1.0 / 2.1),
                None,
                "Pinterest cuts taller pictures in its feeds.",
            )
            .with_tolerance(0.005),
            // help for the web form: 200 x 300
            FileLimit::warned(
                MediaKind::Image,
                Measure::ShortSide,
                Some(200.0),
                None,
                "Pinterest may refuse pictures that small.",
            ),
            FileLimit::warned(
                MediaKind::Image,
                Measure::LongSide,
                Some(300.0),
                None,
                "Pinterest may refuse pictures that small.",
            ),
            FileLimit::refused(MediaKind::Video, Measure::Ratio, Some(0.5), Some(1.91))
                .with_tolerance(0.005),
            // upright to square: 9:16, 2:3 and 1:1 are advised
            FileLimit::warned(
                MediaKind::Video,
                Measure::Ratio,
                Some(0.5625),
                Some(1.0),
                "Pinterest advises 9:16, 2:3 or 1:1.",
            )
            .with_tolerance(0.005),
            FileLimit::warned(
                MediaKind::Video,
                Measure::Fps,
                Some(25.0),
                None,
                "Pinterest advises 25 or more.",
            )
            .with_tolerance(0.05),
        ],
        // `alt_text`, maxLength
        alt_text_limit: 500,
        alt_text_of_videos: true,
        details: &[FileDetail::Title, FileDetail::Description, FileDetail::Link],
        total_bytes: TotalBytes::ANY,
    },
    // `link`
    link: LinkPlace::OwnField,
    // openapi.json 5.23.0; 5.28.0, by which scripts/judge.sh judges
    checked: &[
        Checked::on("files", 2025, 12, 11),
        Checked::on("texts and fields of pins", 2026, 9, 1),
    ],
    options: &[
        CAPTION,
        SIGNATURE,
        // `board_id`, pattern; that 32 digits are enough is ours
        OptionFact::new("boardId", "board_id", "boardId", OptionValue::Digits { max_length: 32 })
            .about("The board.")
            .required(Required::Always("Pinterest needs a board: set pinterest.boardId.")),
        // `title`, maxLength
        OptionFact::new(
            "title",
            "title",
            "Title",
            OptionValue::Text {
                bound: Some(TextBound { limit: 100, unit: TextUnit::CodePoints }),
                needs_text: false,
                forbidden: &[],
            },
        )
        .about("The title."),
        // `link`, maxLength
        OptionFact::new("link", "link", "link", OptionValue::Address { max_length: Some(2_048) })
            .about("The address that the Pin opens, in place of the link of the post."),
        // `board_section_id`, pattern; that 32 digits are enough is ours
        OptionFact::new(
            "boardSectionId",
            "board_section_id",
            "boardSectionId",
            OptionValue::Digits { max_length: 32 },
        )
        .about("The section of the board that it goes to."),
        // `alt_text`, maxLength
        OptionFact::new(
            "altText",
            "alt_text",
            "altText",
            OptionValue::Text {
                bound: Some(TextBound { limit: 500, unit: TextUnit::CodePoints }),
                needs_text: false,
                forbidden: &[],
            },
        )
        .about("The alternative text of the Pin, in place of that of its first file."),
        // `cover_image_data`
        OptionFact::new(
            "thumbnailMediaId",
            "thumbnail_media_id",
            "thumbnailMediaId",
            OptionValue::Uuid,
        )
        .about("The id of an image, which must be `ready`: the cover of a video.")
        .effective(Effect::WithVideo),
        // `cover_image_key_frame_time`; videos last 15 minutes at most
        OptionFact::new(
            "coverTimestampMs",
            "cover_timestamp_ms",
            "coverTimestampMs",
            OptionValue::Integer { least: 0, most: 900_000 },
        )
        .about("The millisecond of a video whose picture is its cover.")
        .effective(Effect::WithVideo),
        // `index`
        OptionFact::new(
            "coverIndex",
            "cover_index",
            "coverIndex",
            OptionValue::Integer { least: 0, most: 4 },
        )
        .about("Which of several images comes first; 0 for the first.")
        .effective(Effect::WithImages),
        // `dominant_color`
        OptionFact::new(
            "dominantColor",
            "dominant_color",
            "dominantColor",
            OptionValue::Shaped(&Shape::Color),
        )
        .about("The colour that stands in for the Pin until it is loaded, as #rrggbb."),
    ],
    prices: None,
    with_files: None,
};

options! {
    Pinterest {
        /// The board that it goes to; needed.
        board_id: String,
        /// Its title.
        title: String,
        /// The address that it opens.
        link: String,
        /// The section of the board that it goes to.
        board_section_id: String,
        /// Its alternative text.
        alt_text: String,
        /// The uploaded image that is the cover of its video.
        thumbnail_media_id: MediaId,
        /// The millisecond of its video whose picture is its cover.
        cover_timestamp_ms: u32,
        /// Which of its images comes first.
        cover_index: u32,
        /// The colour that stands in for it until it is loaded, as `#rrggbb`.
        dominant_color: String,
    }
}
