//! Discord channels.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::options::options;
use super::{
    Alike, AppSettings, Argument, ArgumentKind, BudgetScope, CAPTION, CapabilitySheet, Checked,
    Codecs, CommandFacts, CommentLimit, ConnectingFacts, CountBounds, Counted, DOCUMENTS,
    DocumentFigures, Effect, EntitySyntax, Field, FiguresCost, FileDetail, FileTypes, GifPlay,
    LimitSpan, LimitWithMedia, LinkPlace, Measure, MediaFigures, Member, OptionFact, OptionValue,
    PlacementChoice, Platform, Poll, PollDuration, PollFigures, PublishingLimit, ReadingBudget,
    ReadingFigures, RedirectRule, Registration, RequestLimit, RequiredMedia, SIGNATURE, Shape,
    TextBound, TextCleaning, TextFigures, TextUnit, TokenFacts, TotalBytes, WEB, Way,
};
use crate::media::{Recipe, VideoCodec};

/// What may be asked of Discord besides publishing, of what it allows a bot in one channel. It
/// names its limits in its answers alone; the least that was seen is assumed.
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

/// How many messages go to a channel.
///
/// Source: <https://github.com/discord/discord-api-docs/issues/367>: 30 a minute.
const PUBLISHING: &[PublishingLimit] =
    &[PublishingLimit::account(Counted::Parts, 30, LimitSpan::Fixed(TimeDelta::minutes(1)))];

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
                Field::flag("isForum", "The channel is a forum"),
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
    command: CommandFacts {
        about: "Discord channels, by webhook, by bot or on Discord's own page",
        examples: ["", "--channel 112233445566778899"],
        arguments: &[
            Argument::new(
                ArgumentKind::Secret { prompt: "URL of the webhook" },
                "webhookUrl",
                "webhook-url",
                "URL",
                "The URL of a webhook",
            )
            .excludes(&["sandbox", "in_browser", "channel"]),
            Argument::new(
                ArgumentKind::Flag,
                "isForum",
                "forum",
                "",
                "The channel of the webhook is a forum",
            )
            .excludes(&["sandbox", "in_browser", "channel"]),
            Argument::new(
                ArgumentKind::Text,
                "channelId",
                "channel",
                "ID",
                "The id of a channel, to post there by a bot instead of a webhook",
            )
            .excludes(&["sandbox", "in_browser"]),
            Argument::new(
                ArgumentKind::Secret { prompt: "Token of the bot" },
                "botToken",
                "bot-token",
                "TOKEN",
                "The token of the bot",
            )
            .requires("channel"),
        ],
    },
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
    traffic_sources: &[],
    metric_fields: &[],
    metric_changes: &[],
    notes: "Up to 2000 characters and 10 files of 10 MiB, 25 MiB together. Forum channels need threadName. Mentions do not ping unless allowed.",
    short_name: "Discord",
    also_called: &[],
    // a webhook has no page
    profile: None,
    without_link: "",
    manner: "a message to a community, relaxed and direct",
    api: Some("https://discord.com"),
    connecting: &CONNECTING,
    lists: &[],
    keeps_uploads: false,
    refuses_repeats: false,
    readings: READINGS,
    publishing: PUBLISHING,
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
        documents: DocumentFigures {
            most: 10,
            max_bytes: 10_485_760,
            types: FileTypes::only(&DOCUMENTS),
            go_beside_others: true,
            pages: None,
        },
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
        // ours: three of that size fit into one request
        picture_recipe: Some(
            Recipe::jpeg("discord-image", 4096, 8_000_000)
                .with_types(&["image/jpeg", "image/webp"]),
        ),
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
        details: &[FileDetail::Spoiler],
        // "Create Message": 25 MiB a request, less 64 KiB for its other parts (ours)
        total_bytes: TotalBytes { refused_above: Some(26_214_400 - 65_536), warned_above: None },
    },
    // the network unfolds links of the text
    link: LinkPlace::Text,
    // https://github.com/discord/discord-api-docs
    checked: &[Checked::on("all", 2026, 8, 6)],
    options: &[
        CAPTION,
        SIGNATURE,
        // resources/channel, "Start Thread in Forum"
        OptionFact::new(
            "threadName",
            "thread_name",
            "Thread name",
            OptionValue::Text {
                bound: Some(TextBound { limit: 100, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            },
        )
        .about("The name of the thread that the post begins."),
        // resources/webhook, `thread_id`; an id has at most 20 digits
        OptionFact::new(
            "threadId",
            "thread_id",
            "threadId",
            OptionValue::Digits { max_length: 20 },
        )
        .about("The thread that it goes to, which is there already."),
        // resources/channel, "Start Thread in Forum", `applied_tags`
        OptionFact::new("forumTags", "forum_tags", "forumTags", FORUM_TAGS)
            .about("The ids of the tags that the post of a forum has."),
        OptionFact::new("embeds", "embeds", "embeds", EMBEDS).about("Cards below the text."),
        OptionFact::new("mentions", "mentions", "mentions", MENTIONS)
            .about("Who is told of it; nobody without it, whatever the text says."),
        // resources/webhook, `username`
        OptionFact::new(
            "username",
            "username",
            "username",
            OptionValue::Text {
                bound: Some(TextBound { limit: 80, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            },
        )
        .about("The name under which a webhook posts it."),
        // resources/webhook, `avatar_url`; its length is that of addresses in embeds
        OptionFact::new(
            "avatarUrl",
            "avatar_url",
            "avatarUrl",
            OptionValue::Address { max_length: Some(2_048) },
        )
        .about("The picture under which a webhook posts it."),
        // resources/message, SUPPRESS_NOTIFICATIONS
        OptionFact::new("silent", "silent", "silent", OptionValue::Flag)
            .about("Send it without a notification."),
        // resources/message, SUPPRESS_EMBEDS
        OptionFact::new(
            "hideLinkPreviews",
            "hide_link_previews",
            "hideLinkPreviews",
            OptionValue::Flag,
        )
        .about("Show no previews of its links."),
        OptionFact::new("spoilerFiles", "spoiler_files", "spoilerFiles", OptionValue::Flag)
            .about("Cover the files until somebody asks for them.")
            .effective(Effect::WithFiles),
        // resources/message, "Crosspost Message"
        OptionFact::new("crosspost", "crosspost", "crosspost", OptionValue::Flag)
            .about("Publish it to the servers that follow an announcement channel."),
        OptionFact::new("poll", "poll", "Poll", OptionValue::Poll(POLL)),
    ],
    prices: None,
    with_files: None,
};

/// Source: resources/channel, "Start Thread in Forum", `applied_tags`.
const FORUM_TAGS: OptionValue =
    OptionValue::Shaped(&Shape::List { item: &Shape::Digits(20), max_items: 5 });

/// Source: resources/message, "Allowed Mentions Object".
const MENTIONS: OptionValue = OptionValue::Shaped(&Shape::Object(&[
    Member::new("everyone", Shape::Flag),
    Member::new("roles", TOLD),
    Member::new("users", TOLD),
]));

const TOLD: Shape = Shape::List { item: &Shape::Digits(20), max_items: 100 };

/// Longest address in a card. Source: <https://github.com/discord/discord-api-spec>, `RichEmbed`.
const URL: Shape = Shape::Address(WEB, 2_048);

/// Source: resources/message, "Embed Limits".
const EMBEDS: OptionValue = OptionValue::Shaped(&Shape::List {
    item: &Shape::Object(&[
        Member::new("title", Shape::Text(256)),
        Member::new("description", Shape::Text(4_096)),
        Member::new("url", URL),
        Member::new("color", Shape::Color),
        Member::new("timestamp", Shape::Instant),
        Member::new(
            "author",
            Shape::Object(&[
                Member::new("name", Shape::Text(256)).required(),
                Member::new("url", URL),
                Member::new("iconUrl", URL),
            ]),
        ),
        Member::new(
            "footer",
            Shape::Object(&[
                Member::new("text", Shape::Text(2_048)).required(),
                Member::new("iconUrl", URL),
            ]),
        ),
        Member::new("image", URL),
        Member::new("thumbnail", URL),
        Member::new("fields", Shape::List { item: &FIELD, max_items: 25 }),
    ]),
    max_items: 10,
});

const FIELD: Shape = Shape::Object(&[
    Member::new("name", Shape::Text(256)).required(),
    Member::new("value", Shape::Text(1_024)).required(),
    Member::new("inline", Shape::Flag),
]);

/// Source: resources/poll, "Poll Create Request Object"; that two answers are needed is ours.
const POLL: PollFigures = PollFigures {
    min_items: 2,
    max_items: 10,
    max_length: 55,
    warns_of_bytes: false,
    max_question: Some(300),
    // 1 to 768 hours
    duration: PollDuration::WholeHours(60, 46_080),
    multiple: true,
    hides_results: false,
};

options! {
    Discord {
        /// The name of the thread that it opens.
        thread_name: String,
        /// The thread that it goes to, which is there already.
        thread_id: String,
        /// The tags of a post of a forum.
        forum_tags: Vec<String>,
        /// Cards below the text.
        embeds: Vec<Embed>,
        /// Who is told of it.
        mentions: Mentions,
        /// The name under which a webhook posts it.
        username: String,
        /// The picture under which a webhook posts it.
        avatar_url: String,
        /// Whether it comes without a notification.
        silent: bool,
        /// Whether its links are shown without previews.
        hide_link_previews: bool,
        /// Whether its files are covered until somebody asks for them.
        spoiler_files: bool,
        /// Whether servers that follow the channel are sent it.
        crosspost: bool,
        /// A poll, to which the text belongs.
        poll: Poll,
    }
}

/// Who is told of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mentions {
    /// Everybody, where the text says `@everyone` or `@here`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub everyone: Option<bool>,
    /// Roles that the text names, by their ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// People whom the text names, by their ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub users: Vec<String>,
}

/// A card below a message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Embed {
    /// Its title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What its title opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The colour of its edge, as `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// An instant below it, as RFC 3339 writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp: Option<String>,
    /// Who stands above it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<EmbedAuthor>,
    /// What stands below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub footer: Option<EmbedFooter>,
    /// The address of its picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// The address of a small picture beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<String>,
    /// Pairs of names and values in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<EmbedField>,
}

/// Who stands above a card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmbedAuthor {
    /// The name.
    pub name: String,
    /// What the name opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The address of a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon_url: Option<String>,
}

/// What stands below a card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmbedFooter {
    /// The text.
    pub text: String,
    /// The address of a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon_url: Option<String>,
}

/// A pair of a name and a value in a card.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EmbedField {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
    /// Whether it stands beside the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inline: Option<bool>,
}
