//! Facebook pages.

use chrono::TimeDelta;

use super::disclosed::Disclosed;
use serde::{Deserialize, Serialize};

use super::options::options;
use super::{
    Alike, BudgetScope, CAPTION, CapabilitySheet, Checked, Codecs, CommentLimit, ConnectingFacts,
    CountBounds, Counted, DocumentFigures, Effect, EntitySyntax, FiguresCost, FileLimit, FileTypes,
    GifPlay, LimitSpan, LimitWithMedia, LinkPlace, Measure, MediaFigures, Member, Metric,
    OptionFact, OptionValue, Placement, PlacementChoice, Platform, PublishingLimit, ReadingBudget,
    ReadingFigures, RedirectRule, Registration, RequestLimit, RequiredMedia, SIGNATURE, Shape,
    Subtitle, TextBound, TextCleaning, TextFigures, TextUnit, TextWarning, TokenFacts, TotalBytes,
};
use crate::ids::MediaId;
use crate::media::{MediaKind, Recipe};

/// Types of videos that Facebook takes and does not advise.
///
/// Source: <https://developers.facebook.com/docs/graph-api/reference/page/videos/>, the endings 3g2,
/// 3gp, asf, avi, dv, flv, mkv, mod, mpe, mpeg, mpg, mts, m2ts, ogm, ogv, ts, vob and wmv.
const RARER_VIDEO_TYPES: &[(&str, &str)] = &[
    ("video/3gpp", ADVICE),
    ("video/3gpp2", ADVICE),
    ("video/mp2t", ADVICE),
    ("video/mpeg", ADVICE),
    ("video/ogg", ADVICE),
    ("video/x-dv", ADVICE),
    ("video/x-flv", ADVICE),
    ("video/x-f4v", ADVICE),
    ("video/x-matroska", ADVICE),
    ("video/x-ms-asf", ADVICE),
    ("video/x-ms-wmv", ADVICE),
    ("video/x-msvideo", ADVICE),
];

const ADVICE: &str = "Facebook advises MP4 or MOV.";

/// What may be asked of Facebook besides publishing: half of the calls that it allows an account,
/// at least 4 800 in 24 hours.
///
/// Source: <https://developers.facebook.com/docs/graph-api/overview/rate-limiting/>, "Business Use
/// Case Rate Limits": 4 800 for each engaged user, of which one is assumed.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::Account,
        requests: 96,
        per: TimeDelta::hours(1),
        within: &[RequestLimit { requests: 4_800, per: TimeDelta::hours(24) }],
    }],
    // all figures at once, each alone where that is refused, and what stands on the post
    figures: FiguresCost::Post(8),
    look: 1,
};

/// How long a publish waits when a limit comes without a figure. Our decision.
pub const LIMIT_WAIT: TimeDelta = TimeDelta::hours(1);

/// How many reels are published for a Page.
///
/// Source: <https://developers.facebook.com/docs/video-api/guides/reels-publishing>: 30 in 24 hours.
const PUBLISHING: &[PublishingLimit] =
    &[PublishingLimit::account(Counted::Reels, 30, LimitSpan::Sliding(TimeDelta::hours(24)))
        .waits(LIMIT_WAIT)];

/// How accounts are connected.
///
/// Source: <https://developers.facebook.com/documentation/facebook-login/>
const CONNECTING: ConnectingFacts = ConnectingFacts::on_page(
    Registration {
        place: "the Meta app dashboard, under App settings, Basic",
        url: "https://developers.facebook.com/apps/",
        terms: "app ID and app secret",
    },
    RedirectRule::HttpsOrLocalhost,
    TokenFacts { renewed_by_app: false, renewed_after_expiry: false },
)
.about("Facebook pages, on Facebook's own page");

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
    // edge `thumbnails` of a video
    supports_thumbnail: true,
    // page post, edge `comments`
    supports_first_comment: true,
    // https://developers.facebook.com/docs/pages-api/posts/, "Update a post"
    can_edit_remote: true,
    // https://developers.facebook.com/docs/pages-api/posts/, "Delete a post"
    can_delete_remote: true,
    take_down_within: None,
    take_down_by_permission: false,
    can_read_comments: true,
    // no page of the network states it; the figure that clients use
    comment_limit: CommentLimit::Bound(TextBound { limit: 8000, unit: TextUnit::CodePoints }),
    // `followers_count`
    reports_followers: true,
    traffic_sources: &[],
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
    metric_changes: &[],
    notes: "Pages only. Up to 10 pictures, or one video, never both. A reel is one upright video of 3 to 90 seconds; a story is one picture, or a video of 3 to 60 seconds, and shows no text. Only posts made through this service can be edited.",
    short_name: "Facebook",
    also_called: &["fb"],
    profile: Some("https://www.facebook.com/"),
    without_link: "",
    manner: "warm and conversational, hardly any hashtags",
    api: Some("https://graph.facebook.com"),
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
        placement: PlacementChoice::NamedOrReelFlag { option: "placement", flag: "asReel" },
        fetched_by_address: false,
        max_images: 10,
        max_videos: 1,
        documents: DocumentFigures::NONE,
        mixes_kinds: false,
        // photos
        image_types: FileTypes::only(&[
            "image/jpeg",
            "image/png",
            "image/gif",
            "image/bmp",
            "image/tiff",
        ]),
        // videos: these are advised of some thirty endings that are taken
        video_types: FileTypes::only(&["video/mp4", "video/quicktime", "video/x-m4v"])
            .changing(RARER_VIDEO_TYPES),
        // photos: scaled down to that side; subcode 1366046 speaks of 4 MB
        picture_recipe: Some(Recipe::jpeg("facebook-image", 2048, 4_000_000)),
        gif: GifPlay::StandsStill,
        carousel: Alike::No,
        codecs: Codecs::ANY,
        frame_rate: Measure::Fps,
        limits: &[
            // an error text of the network, subcode 1366046
            FileLimit::warned(
                MediaKind::Image,
                Measure::Bytes,
                None,
                Some(4_000_000.0),
                "Facebook may refuse pictures of that size.",
            ),
            // photos
            FileLimit::warned(
                MediaKind::Image,
                Measure::Bytes,
                None,
                Some(1_000_000.0),
                "Facebook blurs larger PNG pictures.",
            )
            .for_types(&["image/png"]),
            // photos: scaled down to that on the longer side
            FileLimit::warned(
                MediaKind::Image,
                Measure::LongSide,
                None,
                Some(2048.0),
                "Facebook scales it down.",
            ),
            // an error text of the network, subcode 1363022: less than 1 KB
            FileLimit::refused(MediaKind::Video, Measure::Bytes, Some(1_000.0), None)
                .for_every_account(),
            // clients only
            FileLimit::warned(
                MediaKind::Video,
                Measure::Bytes,
                None,
                Some(4_000_000_000.0),
                "Facebook may refuse videos of that size.",
            ),
            // reels-publishing
            FileLimit::refused(MediaKind::Video, Measure::Seconds, Some(3.0), Some(90.0))
                .in_placements(&[Placement::Reel]),
            // page-stories-api: its table says 90 seconds, its text 60
            FileLimit::refused(MediaKind::Video, Measure::Seconds, Some(3.0), Some(60.0))
                .in_placements(&[Placement::Story]),
            // reels-publishing, page-stories-api; film at 23.976 is called 24
            FileLimit::refused(MediaKind::Video, Measure::Fps, Some(24.0), Some(60.0))
                .in_placements(&[Placement::Reel, Placement::Story])
                .with_tolerance(0.03),
            // reels-publishing, page-stories-api: 540 x 960
            FileLimit::refused(MediaKind::Video, Measure::ShortSide, Some(540.0), None)
                .in_placements(&[Placement::Reel, Placement::Story]),
            FileLimit::refused(MediaKind::Video, Measure::LongSide, Some(960.0), None)
                .in_placements(&[Placement::Reel, Placement::Story]),
            // reels-publishing
            FileLimit::warned(
                MediaKind::Video,
                Measure::Ratio,
                Some(0.5625),
                Some(0.5625),
                "Facebook names 9:16 as the shape of a reel.",
            )
            .in_placements(&[Placement::Reel])
            .with_tolerance(0.01),
            // page-stories-api
            FileLimit::warned(
                MediaKind::Video,
                Measure::Ratio,
                Some(0.5625),
                Some(0.5625),
                "Facebook names 9:16 as the shape of a story.",
            )
            .in_placements(&[Placement::Story])
            .with_tolerance(0.01),
            FileLimit::warned(
                MediaKind::Image,
                Measure::Ratio,
                Some(0.5625),
                Some(0.5625),
                "A story is 9:16, which fills the screen.",
            )
            .in_placements(&[Placement::Story])
            .with_tolerance(0.01),
        ],
        // interface description, altTexts
        alt_text_limit: 1000,
        // photos, `alt_text_custom`
        alt_text_of_videos: false,
        details: &[],
        total_bytes: TotalBytes::ANY,
    },
    // feed, `link`
    link: LinkPlace::OwnFieldWithoutMedia,
    // reference of the Graph API v26.0
    checked: &[Checked::on("all", 2026, 11, 20)],
    options: &[
        CAPTION,
        SIGNATURE,
        // https://developers.facebook.com/docs/page-stories-api and reels-publishing
        OptionFact::new(
            "placement",
            "placement",
            "Placement",
            OptionValue::OneOf(&["feed", "reel", "story"]),
        )
        .about("Where it appears."),
        OptionFact::new("asReel", "as_reel", "asReel", OptionValue::Flag)
            .about("Publish the video as a reel, where `placement` does not say."),
        // videos and reels-publishing, `title`; clients go by this figure
        OptionFact::new(
            "title",
            "title",
            "The title",
            OptionValue::Text {
                bound: Some(TextBound { limit: 255, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            },
        )
        .about("The title of a video or reel."),
        // edge `thumbnails` of a video
        OptionFact::new("thumbnailMediaId", "thumbnail_media_id", "The cover", OptionValue::Uuid)
            .about("The id of an image, which must be `ready`: the cover of a video."),
        // feed, `text_format_preset_id`; ids have 15 digits, the bound is our decision
        OptionFact::new(
            "textBackground",
            "text_background",
            "The background",
            OptionValue::Digits { max_length: 32 },
        )
        .about("The id of a coloured background for a short text."),
        // feed and reels-publishing, `place`: the id of a Page; the bound is our decision
        OptionFact::new("placeId", "place_id", "The place", OptionValue::Digits { max_length: 32 })
            .about("The id of a Page with a place, where it was."),
        // reels-publishing, `is_ai_generated`
        OptionFact::new("aiGenerated", "ai_generated", "aiGenerated", OptionValue::Flag)
            .discloses(&[Disclosed::AiGenerated])
            .about("Label a reel as made by AI."),
        // feed, videos and reels-publishing, `targeting`; the bounds are those that clients use
        OptionFact::new(
            "targeting",
            "targeting",
            "Targeting",
            OptionValue::Shaped(&Shape::Object(&[
                Member::new("countries", Shape::List { item: &Shape::Text(2), max_items: 25 }),
                Member::new("ageMin", Shape::Integer { least: 13, most: 65 }),
            ])),
        )
        .about("Who alone sees it: those in these countries, and those of at least an age."),
        // edge `captions` of a video
        OptionFact::new(
            "subtitles",
            "subtitles",
            "Subtitles",
            OptionValue::Subtitles { max_name_length: 150, max_content_bytes: 1_048_576 },
        )
        .effective(Effect::WithVideo)
        .about("Captions of a video or reel, each in one language."),
        // no page of the network states it; the figure that clients use
        OptionFact::new(
            "firstComment",
            "first_comment",
            "The first comment",
            OptionValue::Text {
                bound: Some(TextBound { limit: 8000, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            },
        )
        .about("A comment of the account's own, written once the post is live."),
    ],
    prices: None,
    with_files: None,
};

options! {
    Facebook {
        /// Where it stands.
        placement: FacebookPlacement,
        /// Whether a video becomes a reel, where `placement` is not given.
        as_reel: bool,
        /// The title of a video.
        title: String,
        /// The uploaded image that a video is shown by until it plays.
        thumbnail_media_id: MediaId,
        /// The id of the coloured background of a short text.
        text_background: String,
        /// The id of a Page with a place.
        place_id: String,
        /// Whether a reel is labelled as made by AI.
        ai_generated: bool,
        /// Who alone sees it.
        targeting: FacebookTargeting,
        /// The captions of a video.
        subtitles: Vec<Subtitle>,
        /// A comment below it.
        first_comment: String,
    } where
    /// Where a post stands on Facebook.
    FacebookPlacement {
        /// In the feed.
        Feed = "feed",
        /// Among the reels.
        Reel = "reel",
        /// As a story.
        Story = "story",
    }
}

/// Who alone sees a post on Facebook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct FacebookTargeting {
    /// Those in these countries, as ISO 3166-1 names them, such as `DE`; at most 25.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub countries: Vec<String>,
    /// Those of at least so many years: 13 to 65.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age_min: Option<u32>,
}
