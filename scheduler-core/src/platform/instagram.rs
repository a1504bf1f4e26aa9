//! Instagram, business and creator accounts.

use chrono::TimeDelta;

use super::disclosed::Disclosed;
use serde::{Deserialize, Serialize};

use super::options::options;
use super::{
    Alike, AppSettings, BudgetScope, CAPTION, CapabilitySheet, Checked, Codecs, CommandFacts,
    CommentLimit, ConnectingFacts, CountBounds, Counted, DocumentFigures, EntitySyntax,
    FiguresCost, FileDetail, FileLimit, FileTypes, GifPlay, LimitSpan, LimitWithMedia, LinkPlace,
    Measure, MediaFigures, Member, Metric, OptionFact, OptionValue, Placement, PlacementChoice,
    Platform, PublishingLimit, ReadingBudget, ReadingFigures, RedirectRule, Registration,
    RequestLimit, RequiredMedia, SIGNATURE, Shape, TextBound, TextCleaning, TextFigures, TextUnit,
    TextWarning, TokenFacts, TotalBytes, Way,
};
use crate::ids::MediaId;
use crate::media::{MediaKind, Recipe, VideoCodec};

/// What may be asked of Instagram besides publishing: half of the calls that it allows an account,
/// at least 4 800 in 24 hours.
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

/// How long a publish waits that the limit of a day keeps back: a place is free whenever a post of
/// the day before is older than 24 hours. Our decision.
pub const DAY_LIMIT_WAIT: TimeDelta = TimeDelta::hours(3);

/// How many posts are published for an account.
///
/// Source: <https://developers.facebook.com/docs/instagram-platform/content-publishing>: 100 in 24
/// hours, a carousel once.
const PUBLISHING: &[PublishingLimit] =
    &[PublishingLimit::account(Counted::Posts, 100, LimitSpan::Sliding(TimeDelta::hours(24)))
        .waits(DAY_LIMIT_WAIT)];

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
    command: CommandFacts {
        about: "Instagram, on its own page or through a Facebook page",
        ..CommandFacts::PAGE
    },
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
    // ig-user/media, `cover_url`
    supports_thumbnail: true,
    // reference of IG Media, comments
    supports_first_comment: true,
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
    traffic_sources: &[],
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
    metric_changes: &[],
    notes: "Business and creator accounts only. Up to 10 JPEG pictures and videos in a post; one video becomes a reel. Up to 30 hashtags and 20 mentions. Stories show no caption. Live posts can be taken down only when connected through a Facebook Page. Files must be reachable from the internet.",
    short_name: "Instagram",
    also_called: &["ig"],
    profile: Some("https://www.instagram.com/"),
    without_link: "",
    manner: "a strong first line, then short paragraphs, hashtags at the end",
    api: Some("https://graph.instagram.com"),
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
        documents: DocumentFigures::NONE,
        mixes_kinds: true,
        // ig-user/media; error 2207005
        image_types: FileTypes::only(&["image/jpeg"]),
        video_types: FileTypes::only(&["video/mp4", "video/quicktime"]),
        // see there
        picture_recipe: Some(IMAGE_RECIPE),
        gif: GifPlay::Plays,
        // ig-user/media, `children`
        carousel: Alike::Ratio,
        // ig-user/media, reels
        codecs: Codecs::only(&[VideoCodec::H264, VideoCodec::Hevc]),
        frame_rate: Measure::Fps,
        // ig-user/media, unless a line says otherwise
        limits: &[
            // error 2207009; half of the last digit stated, so that rounded sizes are taken. 3:4 is
            // taken over the API: https://github.com/mvdicarlo/postybirb/pull/762
            FileLimit::refused(MediaKind::Image, Measure::Ratio, Some(0.75), Some(1.91))
                .in_placements(&[Placement::Post, Placement::Carousel])
                .with_tolerance(0.005),
            // the pages of the API still name 4:5
            FileLimit::warned(
                MediaKind::Image,
                Measure::Ratio,
                Some(0.8),
                None,
                "Instagram takes 3:4, though its documentation names 4:5: it may refuse the picture.",
            )
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
        details: &[FileDetail::UserTags],
        total_bytes: TotalBytes::ANY,
    },
    link: LinkPlace::Text,
    // reference of the Graph API v26.0
    checked: &[Checked::on("all", 2026, 11, 20)],
    options: &[
        CAPTION,
        SIGNATURE,
        // interface description, TargetInput
        OptionFact::new("placement", "placement", "Placement", OptionValue::OneOf(&["feed", "reel", "story"]))
.about("Where it appears."),
        OptionFact::new("shareToFeed", "share_to_feed", "shareToFeed", OptionValue::Flag)
.about("Whether a reel appears in the feed as well."),
        // ig-user/media, `collaborators`
        OptionFact::new("collaborators", "collaborators", "Collaborators", OptionValue::UserNames { max_items: 3, max_length: 30 }),
        // ig-user/media, `cover_url`
        OptionFact::new("thumbnailMediaId", "thumbnail_media_id", "The cover", OptionValue::Uuid)
.about("The id of an image, which must be `ready`: the cover of a reel."),
        // ig-user/media, `thumb_offset`; the longest reel has 15 minutes
        OptionFact::new("coverTimestampMs", "cover_timestamp_ms", "coverTimestampMs", OptionValue::Integer { least: 0, most: 900_000 })
.about("The frame of a reel that is its cover, in milliseconds from its begin."),
        // ig-user/media, `location_id`: the id of a Page; the bound is our decision
        OptionFact::new("locationId", "location_id", "The place", OptionValue::Digits { max_length: 32 })
.about("The id of a Facebook Page with a place, where it was."),
        // content-publishing, `trial_params`, since 2025-12-03
        OptionFact::new("trial", "trial", "trial", OptionValue::OneOf(&["manual", "auto"]))
.about("Show a reel to others than followers first."),
        // changelog of 2026-06-22, `is_ai_generated`
        OptionFact::new("aiGenerated", "ai_generated", "aiGenerated", OptionValue::Flag)
            .discloses(&[Disclosed::AiGenerated])
.about("Label it as made by AI."),
        // changelog of 2026-04-22, `is_paid_partnership`
        OptionFact::new("paidPartnership", "paid_partnership", "paidPartnership", OptionValue::Flag)
            .discloses(&[Disclosed::PaidPartnership])
            .set_by_hand()
            .about("Label it as a paid partnership; needs an account connected through a Page."),
        // content-publishing, `branded_content_sponsor_ids`
        OptionFact::new("sponsors", "sponsors", "Sponsors", OptionValue::Shaped(&Shape::List {
            item: &Shape::Digits(32),
            max_items: 2,
        }))
        .about("The ids of the brands' professional accounts; needs a Page as well."),
        // content-publishing, `audio_configuration`, since 2026-06-01
        OptionFact::new("audio", "audio", "Music", OptionValue::Shaped(&Shape::Object(&[
            Member::new("id", Shape::Digits(32)).required(),
            Member::new("volume", Shape::Integer { least: 0, most: 100 }),
            Member::new("videoVolume", Shape::Integer { least: 0, most: 100 }),
        ])))
        .about("Music of a reel, by its id in Instagram's catalogue; needs a Page as well."),
        // reference of IG Media, `comment_enabled`
        OptionFact::new("allowComments", "allow_comments", "allowComments", OptionValue::Flag)
.about("Whether others may comment."),
        // reference of IG Media, comments
        OptionFact::new("firstComment", "first_comment", "The first comment", OptionValue::Text {
                bound: Some(TextBound { limit: 300, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            })
.about("A comment of the account's own, written once the post is live."),
    ],
    prices: None,
    with_files: None,
};

/// What Instagram's pictures are made to be.
///
/// Source: `ig-user/media`, `image_url`. It shows 1440 pixels at most; the longest side is our
/// decision, far above that.
pub const IMAGE_RECIPE: Recipe = Recipe::jpeg("instagram-image", 4096, 8_000_000);

options! {
    Instagram {
        /// Where it stands.
        placement: InstagramPlacement,
        /// Whether a reel stands in the feed as well.
        share_to_feed: bool,
        /// User names of those who are invited as authors.
        collaborators: Vec<String>,
        /// The uploaded image that a reel is shown by until it plays.
        thumbnail_media_id: MediaId,
        /// The frame of a reel that it is shown by until it plays, in milliseconds from its begin.
        cover_timestamp_ms: u32,
        /// The id of a Facebook Page with a place.
        location_id: String,
        /// Whether a reel is shown to others than followers first, and who ends that.
        trial: InstagramTrial,
        /// Whether it is labelled as made by AI.
        ai_generated: bool,
        /// Whether it is labelled as a paid partnership.
        paid_partnership: bool,
        /// The ids of the brands' accounts.
        sponsors: Vec<String>,
        /// Music of a reel.
        audio: InstagramAudio,
        /// Whether others may comment.
        allow_comments: bool,
        /// A comment below it.
        first_comment: String,
    } where
    /// Where a post stands on Instagram.
    InstagramPlacement {
        /// In the feed.
        Feed = "feed",
        /// Among the reels.
        Reel = "reel",
        /// As a story.
        Story = "story",
    } where
    /// Who ends the trial of a reel.
    InstagramTrial {
        /// A person, in the app.
        Manual = "manual",
        /// Instagram, when those who are no followers like it.
        Auto = "auto",
    }
}

/// Music of a reel on Instagram.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct InstagramAudio {
    /// Its id in Instagram's catalogue.
    pub id: String,
    /// How loud it is: 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<u32>,
    /// How loud the video's own sound is: 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video_volume: Option<u32>,
}
