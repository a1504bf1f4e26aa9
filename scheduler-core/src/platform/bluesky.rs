//! Bluesky.

use chrono::TimeDelta;

use super::options::options;
use super::{
    Alike, AppSettings, Argument, ArgumentKind, BudgetScope, CAPTION, CapabilitySheet, Checked,
    Codecs, CommandFacts, CommentLimit, ConnectingFacts, CountBounds, Counted, DocumentFigures,
    Effect, EntitySyntax, Field, FiguresCost, FileTypes, GifPlay, LimitSpan, LimitWithMedia,
    LinkCard, LinkPlace, Measure, MediaFigures, Metric, OptionFact, OptionValue, PlacementChoice,
    Platform, PublishingLimit, ReadingBudget, ReadingFigures, RedirectRule, RequestLimit,
    RequiredMedia, SIGNATURE, Shape, Subtitle, THREAD, TagBounds, TextCleaning, TextFigures,
    TextUnit, ThreadPart, TokenFacts, TotalBytes, Way, link_card,
};
use crate::media::{Recipe, VideoCodec};

/// What may be asked of a server of Bluesky besides publishing: half of the requests that it allows
/// an address, which all accounts of an installation share.
///
/// Source: <https://docs.bsky.app/docs/advanced-guides/rate-limits>, 3 000 in 5 minutes.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::App,
        requests: 750,
        per: TimeDelta::minutes(5),
        within: &[RequestLimit { requests: 3_000, per: TimeDelta::minutes(5) }],
    }],
    figures: FiguresCost::Call(1),
    look: 1,
};

const HANDLE: Field = Field::text("identifier", "Handle", "you.bsky.social");

const SERVER: Field =
    Field::text("pds", "Server", "only when it cannot be found by the handle").optional();

/// How long a publish waits when the account has no videos left for the day; the service that takes
/// them says only how many are left. Our decision.
pub const DAILY_WAIT: TimeDelta = TimeDelta::hours(1);

/// How many records are made for an account: a record counts 3 points.
///
/// Source: <https://docs.bsky.app/docs/advanced-guides/rate-limits> (5 000 points an hour and 35 000 a
/// day) and <https://docs.bsky.app/docs/tutorials/video> (25 videos a day).
const PUBLISHING: &[PublishingLimit] = &[
    PublishingLimit::account(Counted::Parts, 1_666, LimitSpan::Fixed(TimeDelta::hours(1))),
    PublishingLimit::account(Counted::Parts, 11_666, LimitSpan::Fixed(TimeDelta::hours(24))),
    PublishingLimit::account(Counted::Videos, 25, LimitSpan::Fixed(TimeDelta::hours(24)))
        .waits(DAILY_WAIT),
];

/// How accounts are connected.
///
/// Source: <https://atproto.com/specs/oauth> and
/// <https://docs.bsky.app/docs/advanced-guides/posts>
const CONNECTING: ConnectingFacts = ConnectingFacts {
    ways: &[
        Way {
            name: "page",
            title: "on your server's own page",
            explanation: "You go to the page of the server that holds the account, such as \
                          bsky.social, sign in there and allow it. Your password stays there.",
            fields: &[HANDLE, SERVER],
            fixed: &[],
            opens_page: true,
        },
        Way {
            name: "appPassword",
            title: "with an app password",
            explanation: "Make an app password in Bluesky under Settings, Privacy and security, \
                          App passwords. It cannot change the account, and you can take it back \
                          there.",
            fields: &[
                HANDLE,
                Field::secret("appPassword", "App password", "xxxx-xxxx-xxxx-xxxx"),
                SERVER,
            ],
            fixed: &[],
            opens_page: false,
        },
    ],
    registration: None,
    redirect: RedirectRule::HttpsOrLoopback,
    also_registered_at: None,
    settings: AppSettings::AddressOnly,
    tokens: TokenFacts { renewed_by_app: false, renewed_after_expiry: true },
    command: CommandFacts {
        about: "Bluesky, by app password or on the page of the account's server",
        examples: ["--identifier me.bsky.social", "--in-browser"],
        arguments: &[
            Argument::new(
                ArgumentKind::Text,
                "identifier",
                "identifier",
                "IDENTIFIER",
                "The handle, such as me.bsky.social",
            )
            .needed_without(&["sandbox", "in_browser"])
            .excludes(&["sandbox"]),
            Argument::new(
                ArgumentKind::Secret { prompt: "App password" },
                "appPassword",
                "app-password",
                "PASSWORD",
                "The app password",
            )
            .excludes(&["sandbox", "in_browser"]),
            Argument::new(
                ArgumentKind::Text,
                "pds",
                "pds",
                "URL",
                "The account's server, when it cannot be found by the handle",
            )
            .excludes(&["sandbox"]),
        ],
    },
};

/// What Bluesky takes and offers.
///
/// Source, unless a line names another: the lexicons of
/// <https://github.com/bluesky-social/atproto/tree/main/lexicons>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Bluesky,
    name: "Bluesky",
    // app/bsky/feed/post.json, `maxGraphemes`
    char_limit: 300,
    requires_media: RequiredMedia::None,
    // app/bsky/embed/images.json, gallery.json, video.json
    supports_image: true,
    supports_video: true,
    // `text` may be "", which makes sense only beside files
    allows_empty_text: true,
    // app/bsky/embed/gallery.json: soft limit 10 in its description
    max_media_per_post: 10,
    // app/bsky/embed/images.json, `maxSize`
    max_image_bytes: IMAGE_BYTES_MAX,
    // app/bsky/embed/video.json, `maxSize`
    max_video_bytes: 300_000_000,
    min_video_duration_seconds: Some(0),
    // 10 minutes since September 2026: https://github.com/williamsdb/php2Bluesky/issues/40
    max_video_duration_seconds: Some(600),
    // no figure in any source
    min_video_fps: None,
    max_video_fps: None,
    // app/bsky/feed/post.json, `reply`
    supports_thread: true,
    // app/bsky/embed/images.json and video.json, `alt`
    supports_alt_text: true,
    supports_thumbnail: false,
    supports_first_comment: false,
    // interface description, "Remote edit"
    can_edit_remote: false,
    // com.atproto.repo.deleteRecord
    can_delete_remote: true,
    take_down_within: None,
    take_down_by_permission: false,
    // app.bsky.feed.getPostThread
    can_read_comments: true,
    // a comment is a post
    comment_limit: CommentLimit::AsPost,
    // app.bsky.actor.getProfile, `followersCount`
    reports_followers: true,
    traffic_sources: &[],
    // app.bsky.feed.getPosts, the counts of postView; no impressions
    metric_fields: &[
        Metric::Likes,
        Metric::Comments,
        Metric::Shares,
        Metric::Quotes,
        Metric::Saves,
    ],
    metric_changes: &[],
    notes: "300 characters and 3000 bytes. Links count in full. Up to 10 images of 2 MB or one MP4 of 300 MB and 10 minutes. Images and video cannot be mixed. Posts cannot be edited.",
    short_name: "Bluesky",
    also_called: &["bsky"],
    profile: Some("https://bsky.app/profile/"),
    without_link: "",
    manner: "short and natural, without marketing language",
    api: None,
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
        unit: TextUnit::Graphemes,
        // app/bsky/feed/post.json, `maxLength`
        byte_limit: Some(3000),
        limit_with_media: LimitWithMedia::Same,
        warning: None,
        forbidden: &[],
        hashtags: CountBounds::NONE,
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: true,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        placement: PlacementChoice::ByFiles,
        fetched_by_address: false,
        max_images: 10,
        max_videos: 1,
        documents: DocumentFigures::NONE,
        mixes_kinds: false,
        // the lexicon takes image/*; these are shown by every client
        image_types: FileTypes::only(&["image/jpeg", "image/png", "image/webp", "image/gif"]),
        // what the video service takes: https://github.com/bluesky-social/social-app,
        // src/lib/constants.ts
        video_types: FileTypes::only(&["video/mp4"]).changing(&[
            ("video/quicktime", "Bluesky converts it to MP4."),
            ("video/webm", "Bluesky converts it to MP4."),
            ("video/mpeg", "Bluesky converts it to MP4."),
        ]),
        // see there
        picture_recipe: Some(IMAGE_RECIPE),
        gif: GifPlay::StandsStill,
        carousel: Alike::No,
        codecs: Codecs::rather(&[VideoCodec::H264], "Bluesky converts it."),
        frame_rate: Measure::Fps,
        // the lexicon sets no pixels and no ratio
        limits: &[],
        // the lexicon sets none; interface description, altTexts
        alt_text_limit: 1000,
        alt_text_of_videos: true,
        details: &[],
        total_bytes: TotalBytes::ANY,
    },
    // app/bsky/embed/external.json; a post has one embed
    link: LinkPlace::OwnFieldWithoutMedia,
    // lexicons of https://github.com/bluesky-social/atproto
    checked: &[Checked::on("all", 2026, 8, 20)],
    options: &[
        CAPTION,
        SIGNATURE,
        THREAD,
        // app/bsky/feed/post.json, `langs`
        OptionFact::new(
            "languages",
            "languages",
            "Languages",
            OptionValue::Languages { max_items: 3 },
        )
        .about("The languages of the text."),
        OptionFact::new("labels", "labels", "Labels", words(LABELS))
            .about(
                "What a warning in front of the files says: sexual, nudity, porn, graphic-media.",
            )
            .effective(Effect::WithFiles),
        OptionFact::new("replyControl", "reply_control", "Who may answer", words(REPLY_CONTROL))
            .about("Who may answer: everyone, nobody, or some of mentioned, followers, following."),
        // app/bsky/feed/postgate.json, `embeddingRules`
        OptionFact::new(
            "quoting",
            "quoting",
            "Who may quote it",
            OptionValue::OneOf(&["everyone", "nobody"]),
        )
        .about("Who may quote it."),
        // app/bsky/embed/record.json, recordWithMedia.json
        OptionFact::new(
            "quote",
            "quote",
            "The post to quote",
            OptionValue::Text { bound: None, needs_text: true, forbidden: &[] },
        )
        .about("The post that it quotes: the address of its page at bsky.app, or its at-uri."),
        // app/bsky/embed/external.json; it states no lengths, these are ours
        link_card::option(&Shape::Object(&[
            link_card::title(300),
            link_card::description(1000),
            link_card::IMAGE,
            link_card::HIDE,
            link_card::READ_FROM,
            link_card::IMAGE_READ_FROM,
        ])),
        // app/bsky/embed/video.json, `captions`; names are not shown
        OptionFact::new(
            "subtitles",
            "subtitles",
            "Subtitles",
            OptionValue::Subtitles { max_name_length: 150, max_content_bytes: 20_000 },
        )
        .effective(Effect::WithVideo)
        .about("Captions of the video, each in one language."),
        // app/bsky/feed/post.json, `tags`: 640 bytes and 64 graphemes each
        OptionFact::new(
            "tags",
            "tags",
            "Tags",
            OptionValue::Tags(TagBounds {
                max_items: Some(8),
                warned_above: None,
                max_length: Some(64),
                max_total: None,
                forbidden: &[],
                words: &[],
            }),
        )
        .about("Tags that the text does not show."),
    ],
    prices: None,
    with_files: None,
};

/// Some of these words.
const fn words(words: &'static [&'static str]) -> OptionValue {
    OptionValue::Tags(TagBounds {
        max_items: None,
        warned_above: None,
        max_length: None,
        max_total: None,
        forbidden: &[],
        words,
    })
}

/// What a post may say itself of its files.
///
/// Source: lexicons/com/atproto/label/defs.json, `labelValue`; those that the app offers.
pub const LABELS: &[&str] = &["sexual", "nudity", "porn", "graphic-media"];

/// Who may answer a post; the first two stand alone.
///
/// Source: lexicons/app/bsky/feed/threadgate.json, `allow`, whose lists of accounts are not offered.
pub const REPLY_CONTROL: &[&str] = &["everyone", "nobody", "mentioned", "followers", "following"];

/// Largest picture, in bytes; source: lexicons/app/bsky/embed/images.json, `maxSize`.
const IMAGE_BYTES_MAX: u64 = 2_000_000;

/// What a picture has to be before it is sent: blobs are public and handed out as they came.
///
/// Source: the size from [`SHEET`]; the longest side from
/// <https://github.com/bluesky-social/social-app/pull/10073>; metadata from
/// <https://docs.bsky.app/docs/advanced-guides/posts>.
pub const IMAGE_RECIPE: Recipe = Recipe {
    media_types: &["image/jpeg", "image/png", "image/webp", "image/gif"],
    ..Recipe::jpeg("bluesky-image", 4000, IMAGE_BYTES_MAX)
};

/// The same for a server before the limit was raised, which names its own when it refuses a record:
/// `blob too big (maximum 1000000, got …)`.
///
/// Source: <https://github.com/bluesky-social/atproto>, lexicons/app/bsky/embed/images.json of 2025,
/// `maxSize`, which PDS 0.4 carries.
pub const SMALL_IMAGE_RECIPE: Recipe =
    Recipe { name: "bluesky-image-small", bytes_max: 1_000_000, ..IMAGE_RECIPE };

options! {
    Bluesky {
        /// The posts that follow the first.
        thread: Vec<ThreadPart>,
        /// The languages of its text, such as `en`.
        languages: Vec<String>,
        /// What it says itself of its files, of [`LABELS`].
        labels: Vec<String>,
        /// Who may answer it, of [`REPLY_CONTROL`].
        reply_control: Vec<String>,
        /// Who may quote it.
        quoting: BlueskyQuoting,
        /// The post that it quotes: the address of its page at bsky.app, or its at-uri.
        quote: String,
        /// What the card of its link shows.
        link_card: LinkCard,
        /// The captions of its video.
        subtitles: Vec<Subtitle>,
        /// Tags that its text does not show.
        tags: Vec<String>,
    } where
    /// Who may quote a post on Bluesky.
    BlueskyQuoting {
        /// Everybody.
        Everyone = "everyone",
        /// Nobody.
        Nobody = "nobody",
    }
}
