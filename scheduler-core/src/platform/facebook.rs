//! Facebook pages.

use chrono::TimeDelta;

use super::{
    Alike, BudgetScope, CAPTION, CapabilitySheet, Codecs, CommentLimit, ConnectingFacts,
    CountBounds, EntitySyntax, FiguresCost, FileLimit, FileTypes, GifPlay, LimitWithMedia,
    LinkPlace, Measure, MediaFigures, Metric, OptionFact, OptionValue, Placement, PlacementChoice,
    Platform, Reaction, ReadingBudget, ReadingFigures, RedirectRule, Registration, RequestLimit,
    Required, RequiredMedia, TextBound, TextCleaning, TextFigures, TextUnit, TextWarning,
    TokenFacts, TotalBytes,
};
use crate::media::MediaKind;

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

/// What may be asked of Facebook besides publishing: half of the calls that it allows an account, at
/// least 4 800 in 24 hours.
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
);

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
    take_down_within: None,
    take_down_by_permission: false,
    can_read_comments: true,
    // no page of the network states it; the figure that clients use
    comment_limit: CommentLimit::Bound(TextBound { limit: 8000, unit: TextUnit::CodePoints }),
    // `followers_count`
    reports_followers: true,
    reports_insights: false,
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
    also_called: &["fb"],
    manner: "warm and conversational, hardly any hashtags",
    api: Some("https://graph.facebook.com"),
    connecting: &CONNECTING,
    lists: &[],
    keeps_uploads: false,
    readings: READINGS,
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
        placement: PlacementChoice::ReelFlag("asReel"),
        fetched_by_address: false,
        max_images: 10,
        max_videos: 1,
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
        larger_images: Reaction::Refuses,
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
            // reels-publishing; film at 23.976 is called 24
            FileLimit::refused(MediaKind::Video, Measure::Fps, Some(24.0), Some(60.0))
                .in_placements(&[Placement::Reel])
                .with_tolerance(0.03),
            // reels-publishing: 540 x 960
            FileLimit::refused(MediaKind::Video, Measure::ShortSide, Some(540.0), None)
                .in_placements(&[Placement::Reel]),
            FileLimit::refused(MediaKind::Video, Measure::LongSide, Some(960.0), None)
                .in_placements(&[Placement::Reel]),
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
        ],
        // interface description, altTexts
        alt_text_limit: 1000,
        // photos, `alt_text_custom`
        alt_text_of_videos: false,
        total_bytes: TotalBytes::ANY,
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
