//! Instagram, business and creator accounts.

use chrono::TimeDelta;

use super::{
    Alike, AppSettings, BudgetScope, CAPTION, CapabilitySheet, Codecs, CommentLimit,
    ConnectingFacts, CountBounds, EntitySyntax, FiguresCost, FileLimit, FileTypes, GifPlay,
    LimitWithMedia, LinkPlace, Measure, MediaFigures, Metric, OptionFact, OptionValue, Placement,
    PlacementChoice, Platform, Reaction, ReadingBudget, ReadingFigures, RedirectRule, Registration,
    RequestLimit, Required, RequiredMedia, TextBound, TextCleaning, TextFigures, TextUnit,
    TextWarning, TokenFacts, TotalBytes, Way,
};
use crate::media::{MediaKind, VideoCodec};

/// What may be asked of Instagram besides publishing: half of the calls that it allows an account, at
/// least 4 800 in 24 hours.
///
/// Source: <https://developers.facebook.com/docs/graph-api/overview/rate-limiting/>, "Business Use
/// Case Rate Limits": 4 800 for each impression, of which one is assumed.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::Account,
        requests: 96,
        per: TimeDelta::hours(1),
        within: &[RequestLimit { requests: 4_800, per: TimeDelta::hours(24) }],
    }],
    // all figures at once, and each alone where that is refused
    figures: FiguresCost::Post(8),
    look: 1,
};

/// How accounts are connected.
///
/// Source: <https://developers.facebook.com/documentation/instagram-platform/>
const CONNECTING: ConnectingFacts = ConnectingFacts {
    ways: &[
        Way {
            name: "direct",
            title: "by Instagram's own login",
            explanation: "You sign in at Instagram with a business or creator account and allow \
                          it there.",
            fields: &[],
            fixed: &[("connection", "direct")],
            opens_page: true,
        },
        Way {
            name: "via_page",
            title: "through a Facebook page",
            explanation: "You sign in at Facebook and allow it for the page that the Instagram \
                          account belongs to.",
            fields: &[],
            fixed: &[("connection", "via_page")],
            opens_page: true,
        },
    ],
    registration: Some(Registration {
        place: "the Meta app dashboard, under Instagram, API setup with Instagram login",
        url: "https://developers.facebook.com/apps/",
        terms: "Instagram app ID and Instagram app secret",
    }),
    redirect: RedirectRule::Https,
    also_registered_at: Some(Platform::Facebook),
    settings: AppSettings::All,
    tokens: TokenFacts { renewed_by_app: false, renewed_after_expiry: false },
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
    take_down_within: None,
    // IG Media reference: deleting needs the login by Facebook and instagram_manage_contents
    take_down_by_permission: true,
    // comment-moderation
    can_read_comments: true,
    // reference of IG Media, comments
    comment_limit: CommentLimit::Bound(TextBound { limit: 300, unit: TextUnit::CodePoints }),
    // `followers_count`
    reports_followers: true,
    reports_insights: false,
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
    also_called: &["ig"],
    manner: "a strong first line, then short paragraphs, hashtags at the end",
    api: Some("https://graph.instagram.com"),
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
        placement: PlacementChoice::Named { option: "placement", video_alone: Placement::Reel },
        fetched_by_address: true,
        max_images: 10,
        max_videos: 10,
        mixes_kinds: true,
        // ig-user/media; error 2207005
        image_types: FileTypes::only(&["image/jpeg"]),
        video_types: FileTypes::only(&["video/mp4", "video/quicktime"]),
        larger_images: Reaction::Refuses,
        gif: GifPlay::Plays,
        // ig-user/media, `children`
        carousel: Alike::Ratio,
        // ig-user/media, reels
        codecs: Codecs::only(&[VideoCodec::H264, VideoCodec::Hevc]),
        frame_rate: Measure::Fps,
        // ig-user/media, unless a line says otherwise
        limits: &[
            // error 2207009; half of the last digit stated, so that rounded sizes are taken
            FileLimit::refused(MediaKind::Image, Measure::Ratio, Some(0.8), Some(1.91))
                .in_placements(&[Placement::Post, Placement::Carousel])
                .with_tolerance(0.005),
            FileLimit::warned(
                MediaKind::Image,
                Measure::Width,
                Some(320.0),
                Some(1440.0),
                "Instagram scales it.",
            )
            .in_placements(&[Placement::Post, Placement::Carousel]),
            FileLimit::refused(MediaKind::Video, Measure::Width, None, Some(1920.0)),
            FileLimit::refused(MediaKind::Video, Measure::Ratio, Some(0.01), Some(10.0)),
            FileLimit::warned(
                MediaKind::Video,
                Measure::BitRate,
                None,
                Some(25_000_000.0),
                "Instagram names 25 Mbit/s as the most.",
            ),
            // clients only
            FileLimit::warned(
                MediaKind::Video,
                Measure::Seconds,
                None,
                Some(60.0),
                "Instagram may refuse longer videos in a carousel.",
            )
            .in_placements(&[Placement::Carousel]),
            FileLimit::refused(MediaKind::Video, Measure::Seconds, None, Some(60.0))
                .in_placements(&[Placement::Story]),
            FileLimit::refused(MediaKind::Video, Measure::Bytes, None, Some(100_000_000.0))
                .in_placements(&[Placement::Story]),
            FileLimit::refused(MediaKind::Video, Measure::Ratio, Some(0.1), None)
                .in_placements(&[Placement::Story]),
            FileLimit::warned(
                MediaKind::Video,
                Measure::Ratio,
                Some(0.5625),
                Some(0.5625),
                "Instagram advises 9:16, which fills the screen.",
            )
            .in_placements(&[Placement::Reel, Placement::Story])
            .with_tolerance(0.01),
            FileLimit::warned(
                MediaKind::Image,
                Measure::Ratio,
                Some(0.5625),
                Some(0.5625),
                "Instagram advises 9:16, which fills the screen.",
            )
            .in_placements(&[Placement::Story])
            .with_tolerance(0.01),
        ],
        // ig-user/media, `alt_text`
        alt_text_limit: 1000,
        // ig-user/media, `alt_text`: images only
        alt_text_of_videos: false,
        total_bytes: TotalBytes::ANY,
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
