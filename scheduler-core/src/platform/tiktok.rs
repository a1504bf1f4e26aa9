//! TikTok.

use chrono::TimeDelta;

use super::disclosed::Disclosed;
use super::options::options;
use super::{
    AccountList, Alike, BudgetScope, CAPTION, CapabilitySheet, Checked, Codecs, CommentLimit,
    ConnectingFacts, CountBounds, Counted, DocumentFigures, Effect, EntitySyntax, FiguresCost,
    FileLimit, FileTypes, GifPlay, LimitSpan, LimitWithMedia, LinkPlace, Measure, MediaFigures,
    Metric, OptionFact, OptionValue, PlacementChoice, Platform, PublishingLimit, ReadingBudget,
    ReadingFigures, RedirectRule, Registration, RequestLimit, Required, RequiredMedia, SIGNATURE,
    TextBound, TextCleaning, TextFigures, TextUnit, TokenFacts, TotalBytes,
};
use crate::media::{MediaKind, Recipe, VideoCodec};

/// What may be asked of TikTok besides publishing.
///
/// Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-rate-limit>, 600 a minute for
/// `user/info` and `video/query`, taken as those of the app; and
/// <https://developers.tiktok.com/docs/en/content-posting-api-reference-query-creator-info>, 20 a
/// minute of an account for `creator_info/query`.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[
        ReadingBudget {
            scope: BudgetScope::App,
            requests: 150,
            per: TimeDelta::minutes(1),
            within: &[RequestLimit { requests: 600, per: TimeDelta::minutes(1) }],
        },
        ReadingBudget {
            scope: BudgetScope::Account,
            requests: 5,
            per: TimeDelta::minutes(1),
            within: &[RequestLimit { requests: 20, per: TimeDelta::minutes(1) }],
        },
    ],
    figures: FiguresCost::Call(1),
    look: 1,
};

/// How long a publish waits that the limit of a day keeps back; no header says. Our decision.
pub const DAY_WAIT: TimeDelta = TimeDelta::hours(24);

/// How long a draft waits while too many are unfinished in the app: the person may have finished
/// one, and after a day they do not count any more. Our decision.
pub const DRAFTS_WAIT: TimeDelta = TimeDelta::hours(2);

/// How long a publish waits that the limit of a minute keeps back; no header says.
///
/// Source: <https://developers.tiktok.com/docs/en/tiktok-api-v2-rate-limit>.
pub const MINUTE_WAIT: TimeDelta = TimeDelta::seconds(60);

/// How many posts are published for a creator.
///
/// Source: <https://developers.tiktok.com/doc/content-sharing-guidelines> (about 15 direct posts in
/// 24 hours, 5 drafts that wait) and <https://developers.tiktok.com/doc/tiktok-api-v2-rate-limit>
/// (6 begun in a minute).
const PUBLISHING: &[PublishingLimit] = &[
    PublishingLimit::account(
        Counted::PostsWithout { flag: AS_DRAFT },
        15,
        LimitSpan::Sliding(TimeDelta::hours(24)),
    )
    .waits(DAY_WAIT),
    PublishingLimit::account(
        Counted::PostsWith { flag: AS_DRAFT, noun: "drafts" },
        5,
        LimitSpan::Sliding(TimeDelta::hours(24)),
    )
    .waits(DRAFTS_WAIT),
    PublishingLimit::account(CALLS_TO_BEGIN, 6, LimitSpan::Sliding(TimeDelta::minutes(1)))
        .waits(MINUTE_WAIT),
];

/// What begins a publish, be it a post or a draft.
const CALLS_TO_BEGIN: Counted = Counted::Calls { post: 1, file: 0 };

/// How accounts are connected.
///
/// Source: <https://developers.tiktok.com/doc/login-kit-web/>
const CONNECTING: ConnectingFacts = ConnectingFacts::on_page(
    Registration {
        place: "TikTok for Developers, under Manage apps",
        url: "https://developers.tiktok.com/apps/",
        terms: "client key and client secret",
    },
    RedirectRule::Https,
    TokenFacts { renewed_by_app: true, renewed_after_expiry: true },
)
.about("TikTok, on its own page");

/// The option that hands a post over as a draft.
pub const AS_DRAFT: &str = "asDraft";

/// Said where a post discloses commercial content, and not whose.
///
/// Source, of this and the next six: content-sharing-guidelines, 3, 4 and 5, whose words they are.
pub const PROMOTES_NOTHING: &str =
    "You need to indicate if your content promotes yourself, a third party, or both.";

/// Said where branded content is to be seen by nobody else.
pub const BRANDED_IS_NOT_PRIVATE: &str = "Branded content visibility cannot be set to private.";

/// How a post that promotes the creator is labelled.
pub const PROMOTIONAL_CONTENT: &str = "Your photo/video will be labeled as 'Promotional content'.";

/// How a post that promotes somebody else is labelled.
pub const PAID_PARTNERSHIP: &str = "Your photo/video will be labeled as 'Paid partnership'.";

/// Where the Music Usage Confirmation stands, to which a creator agrees by posting.
pub const MUSIC_USAGE_CONFIRMATION: &str =
    "https://www.tiktok.com/legal/page/global/music-usage-confirmation/en";

/// Where the Branded Content Policy stands, to which a creator agrees by posting branded content.
pub const BRANDED_CONTENT_POLICY: &str = "https://www.tiktok.com/legal/page/global/bc-policy/en";

/// Said once a post is sent.
pub const SHOWN_LATER: &str = "TikTok takes a few minutes to show it.";

/// What TikTok takes and offers.
///
/// Source, unless a line names another: <https://developers.tiktok.com/docs/en/>; "direct" is
/// `content-posting-api-reference-direct-post`, "photo" `content-posting-api-reference-photo-post`,
/// "media" `content-posting-api-media-transfer-guide`.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Tiktok,
    name: "TikTok",
    // direct, `title` of a video
    char_limit: 2200,
    requires_media: RequiredMedia::ImageOrVideo,
    supports_image: true,
    supports_video: true,
    allows_empty_text: true,
    // photo, `photo_images`
    max_media_per_post: 35,
    // media
    max_image_bytes: 20_000_000,
    // media
    max_video_bytes: 4_000_000_000,
    // clients only; the network answers `duration_check_failed` below
    min_video_duration_seconds: Some(3),
    // media; an account's own figure may be lower
    max_video_duration_seconds: Some(600),
    // media
    min_video_fps: Some(23),
    max_video_fps: Some(60),
    supports_thread: false,
    supports_alt_text: false,
    supports_thumbnail: false,
    // there is no comment API
    supports_first_comment: false,
    can_edit_remote: false,
    can_delete_remote: false,
    take_down_within: None,
    take_down_by_permission: false,
    can_read_comments: false,
    comment_limit: CommentLimit::Unknown,
    // tiktok-api-v2-get-user-info
    reports_followers: true,
    traffic_sources: &[],
    // tiktok-api-v2-video-query
    metric_fields: &[Metric::Views, Metric::Likes, Metric::Comments, Metric::Shares],
    metric_changes: &[],
    notes: "A video, or up to 35 photos, never both. Set tiktok.privacy to one of the levels that the account allows. Until TikTok has audited the app, posts go out as SELF_ONLY, from private accounts only. Drafts land in the app's inbox and are finished there.",
    short_name: "TikTok",
    also_called: &[],
    profile: Some("https://www.tiktok.com/@"),
    without_link: "TikTok gives a link to what everybody may see, some minutes after it is live.",
    manner: "short and lively, with a few fitting hashtags at the end",
    api: Some("https://open.tiktokapis.com"),
    connecting: &CONNECTING,
    lists: &[AccountList::CreatorSettings],
    keeps_uploads: false,
    refuses_repeats: false,
    readings: READINGS,
    publishing: PUBLISHING,
    limits_differ: true,
    text: TextFigures {
        own_text: &["caption"],
        entities: EntitySyntax::Common,
        // direct: "UTF-16 runes"
        unit: TextUnit::Utf16Units,
        byte_limit: None,
        // photo, `description`
        limit_with_media: LimitWithMedia::OnlyImages(4000),
        warning: None,
        forbidden: &[],
        // the app counts 5 since 2025; no page states it
        hashtags: CountBounds { refused_above: None, warned_above: Some(5) },
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        placement: PlacementChoice::ByFiles,
        fetched_by_address: true,
        max_images: 35,
        max_videos: 1,
        documents: DocumentFigures::NONE,
        mixes_kinds: false,
        // media
        image_types: FileTypes::only(&["image/jpeg", "image/webp"]),
        video_types: FileTypes::only(&["video/mp4", "video/quicktime", "video/webm"]),
        // media: 1080p, upright or not
        picture_recipe: Some(Recipe {
            shorter_side: Some(1080),
            ..Recipe::jpeg("tiktok-image", 1920, 20_000_000)
        }),
        gif: GifPlay::Plays,
        carousel: Alike::No,
        // media
        codecs: Codecs::only(&[
            VideoCodec::H264,
            VideoCodec::Hevc,
            VideoCodec::Vp8,
            VideoCodec::Vp9,
        ]),
        frame_rate: Measure::Fps,
        limits: &[
            // media: 1080p, upright or not
            FileLimit::refused(MediaKind::Image, Measure::LongSide, None, Some(1920.0)),
            FileLimit::refused(MediaKind::Image, Measure::ShortSide, None, Some(1080.0)),
            // media: each side 360 to 4096
            FileLimit::refused(MediaKind::Video, Measure::ShortSide, Some(360.0), None),
            FileLimit::refused(MediaKind::Video, Measure::LongSide, None, Some(4096.0)),
            // media: the most for any account, even where its own figure is higher
            FileLimit::refused(MediaKind::Video, Measure::Seconds, None, Some(600.0))
                .for_every_account(),
            // content-posting-api-reference-query-creator-info, `max_video_post_duration_sec`
            FileLimit::warned(
                MediaKind::Video,
                Measure::Seconds,
                None,
                Some(180.0),
                "Some accounts may post no longer videos.",
            ),
            // media: 9:16 is the shape of the player
            FileLimit::warned(
                MediaKind::Image,
                Measure::Ratio,
                None,
                Some(1.0),
                "TikTok shows upright pictures best.",
            ),
            FileLimit::warned(
                MediaKind::Video,
                Measure::Ratio,
                None,
                Some(1.0),
                "TikTok shows upright videos best.",
            ),
        ],
        // there is none; interface description, altTexts
        alt_text_limit: 1000,
        alt_text_of_videos: false,
        details: &[],
        total_bytes: TotalBytes::ANY,
    },
    link: LinkPlace::Text,
    // pages of the Content Posting API
    checked: &[Checked::on("all", 2026, 9, 11)],
    options: &[
        CAPTION,
        SIGNATURE,
        // content-posting-api-reference-query-creator-info, `privacy_level_options`
        OptionFact::new(
            "privacy",
            "privacy",
            "Privacy",
            OptionValue::OneOf(&[
                "PUBLIC_TO_EVERYONE",
                "MUTUAL_FOLLOW_FRIENDS",
                "FOLLOWER_OF_CREATOR",
                "SELF_ONLY",
            ]),
        )
        .about("Who sees it.")
        .required(Required::Unless {
            flag: AS_DRAFT,
            sentence: "tiktok.privacy is required: choose one of",
        }),
        OptionFact::new("allowComments", "allow_comments", "allowComments", OptionValue::Flag)
            .about("Whether others may comment."),
        OptionFact::new(AS_DRAFT, "as_draft", "asDraft", OptionValue::Flag)
            .about("Hand it to the creator as a draft, to be published by them."),
        // direct, `disable_duet`, `disable_stitch`: off unless a person turns them on, as
        // content-sharing-guidelines ask
        OptionFact::new("allowDuet", "allow_duet", "allowDuet", OptionValue::Flag)
            .about("Whether others may make duets with a video.")
            .effective(Effect::WithVideo),
        OptionFact::new("allowStitch", "allow_stitch", "allowStitch", OptionValue::Flag)
            .about("Whether others may stitch a video.")
            .effective(Effect::WithVideo),
        // direct, `is_aigc`; photos have no such field
        // content sharing guidelines, 3a: nothing of it is set beforehand
        OptionFact::new("aiGenerated", "ai_generated", "aiGenerated", OptionValue::Flag)
            .discloses(&[Disclosed::AiGenerated])
            .set_by_hand()
            .about("Whether a video is labelled as made by AI.")
            .effective(Effect::WithVideo),
        // content-sharing-guidelines, 3a; direct and photo, `brand_organic_toggle`,
        // `brand_content_toggle`
        OptionFact::new(
            "commercialContent",
            "commercial_content",
            "commercialContent",
            OptionValue::SomeOf(&["ownBrand", "brandedContent"]),
        )
        .discloses(&[Disclosed::PaidPartnership, Disclosed::OwnBrand])
        .set_by_hand()
        .when_empty(PROMOTES_NOTHING)
        .about("What the post promotes: `ownBrand`, `brandedContent` (of somebody else) or both."),
        // direct, `video_cover_timestamp_ms`; the longest video of any account
        OptionFact::new(
            "coverTimestampMs",
            "cover_timestamp_ms",
            "coverTimestampMs",
            OptionValue::Integer { least: 0, most: 600_000 },
        )
        .about("The frame of a video that is its cover, in milliseconds from its begin.")
        .effective(Effect::WithVideo),
        // photo, `photo_cover_index`; at most 35 photos
        OptionFact::new(
            "coverIndex",
            "cover_index",
            "coverIndex",
            OptionValue::Integer { least: 0, most: 34 },
        )
        .about("The photo that is the cover; the first is 0.")
        .effective(Effect::WithImages),
        // photo, `title`; of a video the text is the title
        OptionFact::new(
            "title",
            "title",
            "Title",
            OptionValue::Text {
                bound: Some(TextBound { limit: 90, unit: TextUnit::Utf16Units }),
                needs_text: false,
                forbidden: &[],
            },
        )
        .about("The title above the text of photos.")
        .effective(Effect::WithImages),
        // photo, `auto_add_music`
        OptionFact::new("autoMusic", "auto_music", "autoMusic", OptionValue::Flag)
            .about("Whether TikTok adds music to photos.")
            .effective(Effect::WithImages),
        // content-sharing-guidelines, 2d and 4: the creator agrees before a direct post; nothing
        // of it is sent
        OptionFact::new(
            "musicUsageConfirmed",
            "music_usage_confirmed",
            "musicUsageConfirmed",
            OptionValue::Flag,
        )
        .about("That the creator agrees to TikTok's Music Usage Confirmation, and for branded content to its Branded Content Policy; kept with the post."),
    ],
    prices: None,
    with_files: None,
};

options! {
    Tiktok {
        /// Who sees it; needed unless it is a draft.
        privacy: TiktokPrivacy,
        /// Whether people may comment.
        allow_comments: bool,
        /// Whether it is finished in the app.
        as_draft: bool,
        /// Whether others may make duets with a video.
        allow_duet: bool,
        /// Whether others may stitch a video.
        allow_stitch: bool,
        /// Whether a video is made by AI, and labelled so.
        ai_generated: bool,
        /// What it promotes: `ownBrand`, `brandedContent` or both.
        commercial_content: Vec<String>,
        /// The frame of a video that is its cover, in milliseconds from its begin.
        cover_timestamp_ms: u32,
        /// The photo that is the cover, from 0 on.
        cover_index: u32,
        /// The title above the text of photos.
        title: String,
        /// Whether TikTok adds music to photos.
        auto_music: bool,
        /// Whether the creator agrees to TikTok's terms of music and branded content.
        music_usage_confirmed: bool,
    } where
    /// Who sees a post on TikTok.
    TiktokPrivacy {
        /// Everybody.
        Everyone = "PUBLIC_TO_EVERYONE",
        /// Followers who are followed back.
        Friends = "MUTUAL_FOLLOW_FRIENDS",
        /// Followers.
        Followers = "FOLLOWER_OF_CREATOR",
        /// The account itself.
        OnlyMe = "SELF_ONLY",
    }
}
