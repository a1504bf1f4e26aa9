//! Discord channels.

use chrono::TimeDelta;

use super::{
    Alike, AppSettings, BudgetScope, CAPTION, CapabilitySheet, Codecs, CommentLimit,
    ConnectingFacts, CountBounds, EntitySyntax, Field, FiguresCost, FileTypes, GifPlay,
    LimitWithMedia, LinkPlace, Measure, MediaFigures, OptionFact, OptionValue, PlacementChoice,
    Platform, Reaction, ReadingBudget, ReadingFigures, RedirectRule, Registration, RequestLimit,
    Required, RequiredMedia, TextBound, TextCleaning, TextFigures, TextUnit, TokenFacts,
    TotalBytes, Way,
};
use crate::media::VideoCodec;

/// What may be asked of Discord besides publishing, of what it allows a bot in one channel. It names its
/// limits in its answers alone; the least that was seen is assumed.
///
/// Source: <https://github.com/discord/discord-api-docs/issues/367>, 30 a minute for a channel.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::Account,
        requests: 7,
        per: TimeDelta::minutes(1),
        within: &[RequestLimit { requests: 30, per: TimeDelta::minutes(1) }],
    }],
    // the message, and the thread that it stands in
    figures: FiguresCost::Post(2),
    look: 1,
};

/// How accounts are connected.
///
/// Sources: <https://docs.discord.com/developers/resources/webhook>,
/// <https://docs.discord.com/developers/topics/oauth2>
const CONNECTING: ConnectingFacts = ConnectingFacts {
    ways: &[
        Way {
            name: "webhook",
            title: "with a webhook",
            explanation: "Make a webhook in the channel's settings under Integrations, Webhooks, \
                          and copy its URL. Whoever has it can post there.",
            fields: &[
                Field::secret("webhookUrl", "Webhook URL", "https://discord.com/api/webhooks/…"),
                Field::text("isForum", "Is the channel a forum?", "true or false").optional(),
            ],
            fixed: &[],
            opens_page: false,
        },
        Way {
            name: "page",
            title: "on its own page",
            explanation: "You go to Discord's own page and choose the server and the channel; \
                          Discord makes the webhook.",
            fields: &[],
            fixed: &[],
            opens_page: true,
        },
        Way {
            name: "bot",
            title: "with a bot",
            explanation: "Add your bot to the server with the rights to see the channel and to \
                          send messages and files in it.",
            fields: &[
                Field::secret("botToken", "Token of the bot", "from the Discord developer portal"),
                Field::text("channelId", "Channel", "its id; all are offered when left out")
                    .optional(),
            ],
            fixed: &[],
            opens_page: false,
        },
    ],
    registration: Some(Registration {
        place: "the Discord developer portal, under OAuth2",
        url: "https://discord.com/developers/applications",
        terms: "client ID and client secret",
    }),
    redirect: RedirectRule::Any,
    also_registered_at: None,
    settings: AppSettings::All,
    tokens: TokenFacts { renewed_by_app: false, renewed_after_expiry: true },
};

/// What Discord takes and offers, for webhooks and bots alike.
///
/// Source, unless a line names another: <https://docs.discord.com/developers/>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Discord,
    name: "Discord",
    // resources/webhook and resources/message
    char_limit: 2000,
    requires_media: RequiredMedia::None,
    // reference, "Uploading Files": any type is an attachment
    supports_image: true,
    supports_video: true,
    allows_empty_text: true,
    // https://github.com/discord/discord-api-spec, `attachments.maxItems`; error 30015
    max_media_per_post: 10,
    // reference, "Uploading Files": 10 MiB a file for everybody
    max_image_bytes: 10_485_760,
    max_video_bytes: 10_485_760,
    min_video_duration_seconds: None,
    max_video_duration_seconds: None,
    min_video_fps: None,
    max_video_fps: None,
    supports_thread: false,
    // attachment `description`
    supports_alt_text: true,
    supports_thumbnail: false,
    supports_first_comment: false,
    // resources/webhook, "Edit Webhook Message"
    can_edit_remote: true,
    // resources/webhook, "Delete Webhook Message"
    can_delete_remote: true,
    take_down_within: None,
    take_down_by_permission: false,
    // only a bot could
    can_read_comments: false,
    // a comment is a message
    comment_limit: CommentLimit::AsPost,
    reports_followers: false,
    reports_insights: false,
    metric_fields: &[],
    notes: "Up to 2000 characters and 10 files of 10 MiB, 25 MiB together. Forum channels need threadName. Mentions do not ping unless allowed.",
    short_name: "Discord",
    also_called: &[],
    manner: "a message to a community, relaxed and direct",
    api: Some("https://discord.com"),
    connecting: &CONNECTING,
    lists: &[],
    keeps_uploads: false,
    readings: READINGS,
    limits_differ: true,
    text: TextFigures {
        own_text: &["caption"],
        entities: EntitySyntax::Common,
        // https://github.com/discord/discord-api-docs/issues/1315
        unit: TextUnit::CodePoints,
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
        placement: PlacementChoice::ByFiles,
        fetched_by_address: false,
        max_images: 10,
        max_videos: 10,
        mixes_kinds: true,
        // reference, "Uploading Files"
        image_types: FileTypes::rather(
            &["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"],
            "Discord shows it as a file to download.",
        ),
        video_types: FileTypes::rather(
            &["video/mp4", "video/quicktime", "video/webm"],
            "Discord shows it as a file to download.",
        ),
        larger_images: Reaction::Refuses,
        gif: GifPlay::Plays,
        carousel: Alike::No,
        codecs: Codecs::rather(
            &[VideoCodec::H264, VideoCodec::Vp8, VideoCodec::Vp9, VideoCodec::Av1],
            "It may not play in Discord.",
        ),
        frame_rate: Measure::Fps,
        limits: &[],
        // 1024 on the network; interface description, altTexts
        alt_text_limit: 1000,
        alt_text_of_videos: true,
        // "Create Message": 25 MiB a request, less 64 KiB for its other parts (ours)
        total_bytes: TotalBytes { refused_above: Some(26_214_400 - 65_536), warned_above: None },
    },
    // the network unfolds links of the text
    link: LinkPlace::Text,
    options: &[
        CAPTION,
        OptionFact {
            key: "threadName",
            subject: "thread_name",
            label: "Thread name",
            required: Required::No,
            // resources/channel, "Start Thread in Forum"
            value: OptionValue::Text {
                bound: Some(TextBound { limit: 100, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            },
        },
    ],
};
