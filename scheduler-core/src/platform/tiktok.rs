//! TikTok.

use chrono::TimeDelta;

use super::{
    AccountList, Alike, BudgetScope, CAPTION, CapabilitySheet, Codecs, CommentLimit,
    ConnectingFacts, CountBounds, EntitySyntax, FiguresCost, FileLimit, FileTypes, GifPlay,
    LimitWithMedia, LinkPlace, Measure, MediaFigures, Metric, OptionFact, OptionValue,
    PlacementChoice, Platform, Reaction, ReadingBudget, ReadingFigures, RedirectRule, Registration,
    RequestLimit, Required, RequiredMedia, TextCleaning, TextFigures, TextUnit, TokenFacts,
    TotalBytes,
};
use crate::media::{MediaKind, VideoCodec};

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
);

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
    reports_insights: false,
    // tiktok-api-v2-video-query
    metric_fields: &[Metric::Views, Metric::Likes, Metric::Comments, Metric::Shares],
    notes: "A video, or up to 35 photos, never both. Set tiktok.privacy to one of the levels that the account allows. Until TikTok has audited the app, posts go out as SELF_ONLY, from private accounts only. Drafts land in the app's inbox and are finished there.",
    short_name: "TikTok",
    also_called: &[],
    manner: "short and lively, with a few fitting hashtags at the end",
    api: Some("https://open.tiktokapis.com"),
    connecting: &CONNECTING,
    lists: &[AccountList::CreatorSettings],
    keeps_uploads: false,
    readings: READINGS,
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
        mixes_kinds: false,
        // media
        image_types: FileTypes::only(&["image/jpeg", "image/webp"]),
        video_types: FileTypes::only(&["video/mp4", "video/quicktime", "video/webm"]),
        larger_images: Reaction::Refuses,
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
        total_bytes: TotalBytes::ANY,
    },
    link: LinkPlace::Text,
    options: &[
        CAPTION,
        OptionFact {
            key: "privacy",
            subject: "privacy",
            label: "Privacy",
            required: Required::Unless {
                flag: "asDraft",
                sentence: "tiktok.privacy is required: choose one of",
            },
            // content-posting-api-reference-query-creator-info, `privacy_level_options`
            value: OptionValue::OneOf(&[
                "PUBLIC_TO_EVERYONE",
                "MUTUAL_FOLLOW_FRIENDS",
                "FOLLOWER_OF_CREATOR",
                "SELF_ONLY",
            ]),
        },
        OptionFact {
            key: "allowComments",
            subject: "allow_comments",
            label: "allowComments",
            required: Required::No,
            value: OptionValue::Flag,
        },
        OptionFact {
            key: "asDraft",
            subject: "as_draft",
            label: "asDraft",
            required: Required::No,
            value: OptionValue::Flag,
        },
    ],
};
