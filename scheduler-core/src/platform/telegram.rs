//! Telegram channels and groups, through a bot.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::options::options;
use super::{
    Alike, AppSettings, Argument, ArgumentKind, BudgetScope, CAPTION, CapabilitySheet, Checked,
    Codecs, CommandFacts, CommentLimit, ConnectingFacts, CountBounds, Counted, DOCUMENTS,
    DocumentFigures, Effect, EntitySyntax, Field, FiguresCost, FileDetail, FileLimit, FileTypes,
    GifPlay, LimitSpan, LimitWithMedia, LinkPlace, Measure, MediaFigures, Member, OptionFact,
    OptionValue, Placement, PlacementChoice, Platform, Poll, PollDuration, PollFigures,
    PublishingLimit, ReadingBudget, ReadingFigures, RedirectRule, RequestLimit, RequiredMedia,
    SIGNATURE, Shape, TextCleaning, TextFigures, TextUnit, TokenFacts, TotalBytes, WEB, Way,
};
use crate::ids::MediaId;
use crate::media::{MediaKind, Recipe, VideoCodec};

/// What may be asked of Telegram besides publishing, of what it allows a bot in one chat. It names
/// a limit for messages alone; that the same goes for questions is our assumption.
///
/// Source: <https://core.telegram.org/bots/faq>, 20 messages a minute to a group.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::Account,
        requests: 5,
        per: TimeDelta::minutes(1),
        within: &[RequestLimit { requests: 20, per: TimeDelta::minutes(1) }],
    }],
    figures: FiguresCost::Post(1),
    // a group that was upgraded is asked again under its new id
    look: 2,
};

/// How many messages a bot sends to a group or a channel.
///
/// Source: <https://core.telegram.org/bots/faq>: 20 a minute.
const PUBLISHING: &[PublishingLimit] =
    &[PublishingLimit::account(Counted::Parts, 20, LimitSpan::Fixed(TimeDelta::minutes(1)))];

/// How accounts are connected.
///
/// Source: <https://core.telegram.org/bots/features#botfather>
const CONNECTING: ConnectingFacts = ConnectingFacts {
    ways: &[Way {
        name: "bot",
        title: "with a bot",
        explanation: "Make a bot with @BotFather and add it to the channel as an administrator who \
                      may post messages, or to the group as a member.",
        fields: &[
            Field::secret("botToken", "Token of the bot", "123456:ABC…, from @BotFather"),
            Field::text("chatId", "Channel or group", "@name, or its numeric id").optional(),
            Field::text("connectCode", "Or a code", "that you have posted there: /connect CODE")
                .optional(),
        ],
        fixed: &[],
        opens_page: false,
    }],
    registration: None,
    redirect: RedirectRule::Any,
    also_registered_at: None,
    settings: AppSettings::AddressAndFileBytes,
    tokens: TokenFacts { renewed_by_app: false, renewed_after_expiry: true },
    command: CommandFacts {
        about: "Telegram channels and groups, by bot",
        examples: ["--chat @news", "--connect-code 4711"],
        arguments: &[
            Argument::new(
                ArgumentKind::Id,
                "chatId",
                "chat",
                "CHAT",
                "The channel or group, such as @news, or its numeric id",
            )
            .needed_without(&["connect-code", "sandbox", "in_browser"])
            .excludes(&["sandbox"]),
            Argument::new(
                ArgumentKind::Text,
                "connectCode",
                "connect-code",
                "CODE",
                "For a chat without a name: a code of your own that you have posted there as \
                 /connect CODE",
            )
            .excludes(&["chat", "sandbox", "in_browser"]),
            Argument::new(
                ArgumentKind::Secret { prompt: "Token of the bot" },
                "botToken",
                "bot-token",
                "TOKEN",
                "The token of the bot",
            )
            .excludes(&["sandbox", "in_browser"]),
        ],
    },
};

/// What Telegram takes from a bot, and offers.
///
/// Source, unless a line names another: <https://core.telegram.org/bots/api>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Telegram,
    name: "Telegram",
    // sendMessage, `text`
    char_limit: 4096,
    requires_media: RequiredMedia::None,
    // sendPhoto, sendVideo, sendMediaGroup
    supports_image: true,
    supports_video: true,
    // `caption` 0 to 1024, `text` 1 to 4096
    allows_empty_text: true,
    // sendMediaGroup: 2 to 10
    max_media_per_post: 10,
    // sendPhoto; https://github.com/tdlib/td, td/telegram/files/FileLoaderUtils.cpp: 10 x 2^20
    max_image_bytes: 10_485_760,
    // sendVideo, on the public server; one of an operator's own may take up to 2000 MB
    max_video_bytes: 52_428_800,
    min_video_duration_seconds: Some(0),
    max_video_duration_seconds: None,
    min_video_fps: None,
    max_video_fps: None,
    supports_thread: false,
    supports_alt_text: false,
    supports_thumbnail: true,
    supports_first_comment: false,
    // editMessageText, editMessageCaption
    can_edit_remote: true,
    // deleteMessage; younger than 48 hours
    can_delete_remote: true,
    // deleteMessage; the bot's own messages
    take_down_within: Some(TimeDelta::hours(48)),
    take_down_by_permission: false,
    // a bot cannot read what was said before it listened
    can_read_comments: false,
    comment_limit: CommentLimit::Unknown,
    // getChatMemberCount
    reports_followers: true,
    traffic_sources: &[],
    // the API gives no views, forwards or reactions on request
    metric_fields: &[],
    metric_changes: &[],
    notes: "Text up to 4096 characters; 1024 when files are attached. Up to 10 files. A post can be taken down for 48 hours. Views are not available to bots.",
    short_name: "Telegram",
    also_called: &["tg"],
    profile: Some("https://t.me/"),
    without_link: "Telegram gives links to messages in channels and supergroups alone.",
    manner: "a message to subscribers: the news first, then details",
    api: Some("https://api.telegram.org"),
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
        // https://github.com/tdlib/td, MessageContent.cpp
        unit: TextUnit::CodePoints,
        byte_limit: None,
        // `caption` of sendPhoto and others
        limit_with_media: LimitWithMedia::AnyFile(1024),
        warning: None,
        forbidden: &[],
        hashtags: CountBounds::NONE,
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        // https://github.com/tdlib/td, misc.cpp and MessageEntity.cpp
        cleaning: TextCleaning::Telegram,
    },
    media: MediaFigures {
        placement: PlacementChoice::ByFiles,
        fetched_by_address: false,
        max_images: 10,
        max_videos: 10,
        // sendDocument, sendMediaGroup
        documents: DocumentFigures {
            most: 10,
            max_bytes: 52_428_800,
            types: FileTypes::only(&DOCUMENTS),
            go_beside_others: false,
            pages: None,
        },
        mixes_kinds: true,
        // sendPhoto; https://github.com/yagop/node-telegram-bot-api/issues/470
        image_types: FileTypes::only(&["image/jpeg", "image/gif"]).changing(&[
            ("image/png", "Telegram turns it into JPEG, without transparency."),
            ("image/webp", "Telegram turns it into JPEG, without transparency."),
        ]),
        // other containers arrive as a document
        video_types: FileTypes::only(&["video/mp4"]),
        // its apps show 2560 pixels at most
        picture_recipe: Some(Recipe::jpeg("telegram-image", 2560, 10_000_000)),
        gif: GifPlay::StandsStillInCarousel,
        carousel: Alike::No,
        // sendVideo
        codecs: Codecs::rather(&[VideoCodec::H264], "Telegram may show it as a file."),
        frame_rate: Measure::Fps,
        limits: &[
            // sendPhoto: width and height together, and their ratio
            FileLimit::refused(MediaKind::Image, Measure::SideSum, None, Some(10_000.0)),
            FileLimit::refused(MediaKind::Image, Measure::Ratio, Some(0.05), Some(20.0)),
            // sendAnimation: a GIF that is alone is no photo
            FileLimit::refused(MediaKind::Image, Measure::Bytes, None, Some(52_428_800.0))
                .for_types(&["image/gif"])
                .in_placements(&[Placement::Post]),
            FileLimit::refused(MediaKind::Image, Measure::SideSum, None, None)
                .for_types(&["image/gif"])
                .in_placements(&[Placement::Post]),
            FileLimit::refused(MediaKind::Image, Measure::Ratio, None, None)
                .for_types(&["image/gif"])
                .in_placements(&[Placement::Post]),
        ],
        // there is none; interface description, altTexts
        alt_text_limit: 1000,
        alt_text_of_videos: false,
        details: &[FileDetail::Spoiler],
        total_bytes: TotalBytes::ANY,
    },
    // a link in the text is previewed
    link: LinkPlace::Text,
    // https://core.telegram.org/bots/api, 10.3
    checked: &[Checked::on("all", 2026, 8, 24)],
    options: &[
        CAPTION,
        SIGNATURE,
        // "HTML style"; the tags become `entities`, which is what is sent
        OptionFact::new(
            "formatting",
            "formatting",
            "formatting",
            OptionValue::OneOf(&["none", "html"]),
        )
        .about("How the text is read: as it is, or with the tags that Telegram knows."),
        // sendMessage, `disable_notification`
        OptionFact::new("silent", "silent", "silent", OptionValue::Flag)
            .about("Send it without a sound."),
        // sendMessage, `protect_content`
        OptionFact::new("protect", "protect", "protect", OptionValue::Flag)
            .about("Nobody can forward it or save what it holds."),
        // sendMessage, `message_thread_id`
        OptionFact::new(
            "topicId",
            "topic_id",
            "topicId",
            OptionValue::Integer { least: 1, most: 2_147_483_647 },
        )
        .about("The topic of a forum that it goes to."),
        OptionFact::new("linkPreview", "link_preview", "linkPreview", LINK_PREVIEW)
            .about("How the link of the text is shown; false for not at all.")
            .effective(Effect::WithoutFiles),
        // sendPhoto, `show_caption_above_media`
        OptionFact::new("captionAbove", "caption_above", "captionAbove", OptionValue::Flag)
            .about("Show the text above the files.")
            .effective(Effect::WithImageOrVideo),
        // sendPhoto, `has_spoiler`
        OptionFact::new("spoilerMedia", "spoiler_media", "spoilerMedia", OptionValue::Flag)
            .about("Cover the files until somebody asks for them.")
            .effective(Effect::WithImageOrVideo),
        // sendVideo, `cover`
        OptionFact::new("thumbnailMediaId", "thumbnail_media_id", "The cover", OptionValue::Uuid)
            .about("The id of an image, which must be `ready`: the cover of the first video.")
            .effective(Effect::WithVideo),
        // pinChatMessage
        OptionFact::new("pin", "pin", "pin", OptionValue::Flag)
            .about("Pin it in the chat, without a sound where `silent` is set."),
        OptionFact::new("buttons", "buttons", "buttons", BUTTONS)
            .about("Rows of buttons below it, each with the address that it opens."),
        OptionFact::new("poll", "poll", "Poll", OptionValue::Poll(POLL)),
    ],
    prices: None,
    with_files: None,
};

/// How a link is shown.
///
/// Source: <https://core.telegram.org/bots/api#linkpreviewoptions>; the length of an address is
/// ours.
const LINK_PREVIEW: OptionValue = OptionValue::Shaped(&Shape::FalseOr(&Shape::Object(&[
    Member::new("url", Shape::Address(WEB, 2_048)),
    Member::new("size", Shape::OneOf(&["small", "large"])),
    Member::new("above", Shape::Flag),
])));

/// Buttons that open addresses.
///
/// Source: <https://core.telegram.org/bots/api#inlinekeyboardbutton>. It names no bounds; those
/// here are ours.
const BUTTONS: OptionValue = OptionValue::Shaped(&Shape::List {
    item: &Shape::List {
        item: &Shape::Object(&[
            Member::new("text", Shape::Text(64)).required(),
            Member::new("url", Shape::Address(&["https://", "http://", "tg://"], 2_048)).required(),
        ]),
        max_items: 8,
    },
    max_items: 12,
});

/// What a poll may be. Without a duration it stays open.
///
/// Source: <https://core.telegram.org/bots/api#sendpoll>; that two options are needed is ours.
const POLL: PollFigures = PollFigures {
    min_items: 2,
    max_items: 12,
    max_length: 100,
    warns_of_bytes: false,
    max_question: Some(300),
    duration: PollDuration::Between(1, 43_800),
    multiple: true,
    hides_results: true,
};

options! {
    Telegram {
        /// How its text is read.
        formatting: Formatting,
        /// Whether it comes without a sound.
        silent: bool,
        /// Whether nobody can forward it or save what it holds.
        protect: bool,
        /// The topic of a forum that it goes to.
        topic_id: u32,
        /// How its link is shown.
        link_preview: LinkPreview,
        /// Whether its text stands above its files.
        caption_above: bool,
        /// Whether its files are covered until somebody asks for them.
        spoiler_media: bool,
        /// The uploaded image that stands for the first video.
        thumbnail_media_id: MediaId,
        /// Whether it is pinned in the chat.
        pin: bool,
        /// Rows of buttons below it.
        buttons: Vec<Vec<Button>>,
        /// A poll, to which the text belongs.
        poll: Poll,
    } where
    /// How a text for Telegram is read.
    Formatting {
        /// As it is.
        None = "none",
        /// With the tags that Telegram knows, such as `<b>`.
        Html = "html",
    }
}

/// How the link of a message is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LinkPreview {
    /// `false`: not at all.
    Shown(bool),
    /// As a card of this form.
    Card(LinkCard),
}

/// The card of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkCard {
    /// The link, in place of the first of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How large its picture is: `small` or `large`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
    /// Whether it stands above the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<bool>,
}

/// A button that opens an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Button {
    /// What stands on it.
    pub text: String,
    /// What it opens.
    pub url: String,
}
