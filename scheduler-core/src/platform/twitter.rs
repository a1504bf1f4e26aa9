//! X, under the name that the interface description gives it.

use chrono::TimeDelta;

use super::disclosed::Disclosed;
use super::options::options;
use super::{
    Amount, AppSettings, BudgetScope, CAPTION, CapabilitySheet, Checked, Codecs, CommentLimit,
    ConnectingFacts, CountBounds, Counted, Effect, EntitySyntax, FiguresCost, FileLimit, FileTypes,
    GifPlay, LimitSpan, LimitWithMedia, LinkPlace, Measure, MediaFigures, Metric, OptionFact,
    OptionValue, Platform, Poll, PollDuration, PollFigures, Prices, PublishingLimit, ReadingBudget,
    ReadingFigures, RedirectRule, Registration, RequestLimit, RequiredMedia, SIGNATURE, Shape,
    THREAD, TextCleaning, TextFigures, TextUnit, ThreadPart, TokenFacts,
};
use crate::media::{MediaKind, Recipe, VideoCodec};

/// What may be asked of X besides publishing. X charges the operator for everything that is read,
/// so this is far less than it allows: twelve requests a day, which is our choice.
///
/// Source: <https://docs.x.com/x-api/fundamentals/rate-limits>, 75 in 15 minutes for
/// `GET /2/users/me`; posts are allowed more.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::Account,
        requests: 2,
        per: TimeDelta::hours(4),
        within: &[RequestLimit { requests: 75, per: TimeDelta::minutes(15) }],
    }],
    figures: FiguresCost::Call(1),
    look: 1,
};

/// The span of most limits; also how long a publish waits when X names no time.
///
/// Source: <https://docs.x.com/x-api/fundamentals/rate-limits>.
pub const WINDOW: TimeDelta = TimeDelta::minutes(15);

/// How many posts are published.
///
/// Source: <https://docs.x.com/x-api/fundamentals/rate-limits>, `POST /2/tweets`: 100 in 15 minutes
/// for a user, 10 000 in 24 hours for an app; and
/// <https://help.x.com/en/rules-and-policies/x-limits>: 2 400 a day for an account.
const PUBLISHING: &[PublishingLimit] = &[
    PublishingLimit::account(Counted::Parts, 100, LimitSpan::Fixed(WINDOW)),
    PublishingLimit::account(Counted::Parts, 2_400, LimitSpan::Fixed(TimeDelta::hours(24)))
        .waits(WINDOW),
    PublishingLimit::app(Counted::Parts, 10_000, LimitSpan::Fixed(TimeDelta::hours(24))),
];

/// How accounts are connected.
///
/// Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>
const CONNECTING: ConnectingFacts = ConnectingFacts {
    settings: AppSettings::WithoutVersion,
    ..ConnectingFacts::on_page(
        Registration {
            place: "the X developer console, under the app's user authentication settings",
            url: "https://developer.x.com/en/portal/dashboard",
            terms: "OAuth 2.0 client ID and client secret",
        },
        RedirectRule::HttpsOrLoopback,
        TokenFacts { renewed_by_app: true, renewed_after_expiry: true },
    )
    .about(
        "X, on its own page; accounts that are connected already, unless the operator allows \
         others",
    )
};

/// What X charges.
///
/// Source: <https://docs.x.com/x-api/getting-started/pricing>: posts created, with a URL and
/// without, and media metadata.
const PRICES: Prices = Prices {
    currency: "USD",
    post: Amount::thousandths(15),
    post_with_link: Amount::thousandths(200),
    described_file: Amount::thousandths(5),
    checked: Checked::on("prices", 2026, 8, 22),
};

/// What a poll may be.
///
/// Source: openapi.json, `poll`.
const POLL: PollFigures = PollFigures {
    min_items: 2,
    max_items: 4,
    max_length: 25,
    warns_of_bytes: false,
    max_question: None,
    duration: PollDuration::Between(5, 10_080),
    multiple: false,
    hides_results: false,
};

/// What X takes and offers, as far as the service uses it for every account: text only.
///
/// X weighs its characters: links 23, most letters 1, emoji and CJK 2.
pub const SHEET: CapabilitySheet = CapabilitySheet { with_files: Some(&WITH_FILES), ..TEXT_ONLY };

/// What X takes of accounts that may send files, which the operator decides.
///
/// Source: <https://docs.x.com/x-api/media/quickstart/best-practices>, unless a line names
/// another.
const WITH_FILES: CapabilitySheet = CapabilitySheet {
    supports_image: true,
    supports_video: true,
    // openapi.json, `text` is required unless media is given
    allows_empty_text: true,
    max_media_per_post: 4,
    max_image_bytes: 5_000_000,
    max_video_bytes: 512_000_000,
    min_video_duration_seconds: None,
    max_video_duration_seconds: Some(140),
    min_video_fps: None,
    max_video_fps: Some(60),
    supports_alt_text: true,
    notes: "4 images, 1 GIF or 1 video. Links count 23 characters and make the post about 13 times dearer. Replies only in your own thread. Identical text is refused.",
    media: MediaFigures {
        max_images: 4,
        max_videos: 1,
        image_types: FileTypes::only(&["image/jpeg", "image/png", "image/gif", "image/webp"]),
        video_types: FileTypes::only(&["video/mp4", "video/quicktime"]),
        picture_recipe: Some(Recipe::jpeg("twitter-image", 4096, 5_000_000).with_types(&[
            "image/jpeg",
            "image/png",
            "image/webp",
        ])),
        gif: GifPlay::Alone,
        codecs: Codecs::only(&[VideoCodec::H264]),
        limits: &[
            FileLimit::refused(MediaKind::Image, Measure::Bytes, None, Some(15_000_000.0))
                .for_types(GIF),
            FileLimit::refused(MediaKind::Image, Measure::LongSide, None, Some(1_280.0))
                .for_types(GIF),
            FileLimit::refused(MediaKind::Image, Measure::ShortSide, None, Some(1_080.0))
                .for_types(GIF),
            FileLimit::refused(MediaKind::Image, Measure::Frames, None, Some(350.0)).for_types(GIF),
            FileLimit::refused(MediaKind::Video, Measure::Seconds, Some(0.5), None),
            FileLimit::refused(MediaKind::Video, Measure::ShortSide, Some(32.0), None),
            FileLimit::refused(MediaKind::Video, Measure::Ratio, Some(1.0 / 3.0), Some(3.0))
                .with_tolerance(0.01),
        ],
        // openapi.json, `alt_text.text`
        alt_text_limit: 1000,
        ..MediaFigures::NONE
    },
    ..TEXT_ONLY
};

const GIF: &[&str] = &["image/gif"];

/// What holds with files and without.
///
/// Source, unless a line names another: <https://docs.x.com>.
const TEXT_ONLY: CapabilitySheet = CapabilitySheet {
    platform: Platform::Twitter,
    name: "X (Twitter)",
    // fundamentals/counting-characters
    char_limit: 280,
    requires_media: RequiredMedia::None,
    // interface description: text-only
    supports_image: false,
    supports_video: false,
    allows_empty_text: false,
    max_media_per_post: 0,
    max_image_bytes: 0,
    max_video_bytes: 0,
    min_video_duration_seconds: Some(0),
    max_video_duration_seconds: Some(0),
    min_video_fps: Some(0),
    max_video_fps: Some(0),
    // openapi.json, `reply.in_reply_to_tweet_id`
    supports_thread: true,
    supports_alt_text: false,
    supports_thumbnail: false,
    supports_first_comment: false,
    can_edit_remote: false,
    // openapi.json, DELETE /2/tweets/{id}
    can_delete_remote: true,
    take_down_within: None,
    take_down_by_permission: false,
    // replies are only reachable through a paid search of the last 7 days
    can_read_comments: false,
    comment_limit: CommentLimit::Unknown,
    // openapi.json, /2/users/me, `public_metrics.followers_count`
    reports_followers: true,
    traffic_sources: &[],
    // openapi.json, `public_metrics` of a post
    metric_fields: &[
        Metric::Impressions,
        Metric::Likes,
        Metric::Comments,
        Metric::Shares,
        Metric::Quotes,
        Metric::Saves,
    ],
    metric_changes: &[],
    notes: "Text only. Links count 23 characters and make the post about 13 times dearer. Replies only in your own thread. Identical text is refused.",
    short_name: "X",
    also_called: &["x"],
    profile: Some("https://x.com/"),
    without_link: "",
    manner: "one pointed statement",
    api: Some("https://api.x.com"),
    connecting: &CONNECTING,
    lists: &[],
    keeps_uploads: false,
    refuses_repeats: true,
    readings: READINGS,
    publishing: PUBLISHING,
    limits_differ: false,
    text: TextFigures {
        own_text: &["caption"],
        entities: EntitySyntax::TwitterText,
        unit: TextUnit::TwitterCharacters,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: None,
        // https://github.com/twitter/twitter-text, regexp/invalidCharsGroup
        forbidden: &['\u{fffe}', '\u{feff}', '\u{ffff}'],
        hashtags: CountBounds::NONE,
        // changelog of 2026-02-23: self-serve apps are restricted in mentioning
        mentions: CountBounds { refused_above: None, warned_above: Some(0) },
        links: CountBounds::NONE,
        // manage-tweets/integrate
        cashtags: CountBounds { refused_above: Some(1), warned_above: None },
        is_optional_beside_link: false,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures { alt_text_limit: 1000, ..MediaFigures::NONE },
    link: LinkPlace::Text,
    // openapi.json 2.167
    checked: &[Checked::on("all", 2026, 8, 22), PRICES.checked],
    prices: Some(&PRICES),
    with_files: None,
    options: &[
        CAPTION,
        SIGNATURE,
        THREAD,
        // openapi.json, `reply_settings`; everyone is to leave it out
        OptionFact::new(
            "replyControl",
            "reply_control",
            "Who may answer",
            OptionValue::OneOf(&["everyone", "following", "mentioned", "subscribers", "verified"]),
        )
        .about("Who may answer the first post."),
        // openapi.json, `paid_partnership`
        OptionFact::new(
            "paidPartnership",
            "paid_partnership",
            "Label of paid promotion",
            OptionValue::Flag,
        )
        .discloses(&[Disclosed::PaidPartnership])
        .about("Label the first post as paid promotion."),
        // openapi.json, `made_with_ai`; the label speaks of files
        OptionFact::new("aiGenerated", "ai_generated", "Label of AI", OptionValue::Flag)
            .discloses(&[Disclosed::AiGenerated])
            .effective(Effect::WithFiles)
            .about("Label the files of the first post as made with AI."),
        // openapi.json, `sensitive_media_warning` of a file's metadata; its words are those that
        // X's own pages show
        OptionFact::new(
            "sensitive",
            "sensitive",
            "Content warning",
            OptionValue::SomeOf(&["adult", "violence", "other"]),
        )
        .effective(Effect::WithFiles)
        .about("What a warning in front of the files says."),
        // openapi.json, `media.tagged_user_ids`: at most 10 of ^[0-9]{1,19}$
        OptionFact::new(
            "taggedUsers",
            "tagged_users",
            "Tagged users",
            OptionValue::Shaped(&Shape::List { item: &Shape::Digits(19), max_items: 10 }),
        )
        .effective(Effect::WithImages)
        .about("The ids of those who are seen in the images of the first post."),
        // openapi.json, `community_id`: ^[0-9]{1,19}$
        OptionFact::new(
            "communityId",
            "community_id",
            "Community",
            OptionValue::Digits { max_length: 19 },
        )
        .about("The community that the first post goes to: the digits of its address."),
        OptionFact::new("poll", "poll", "Poll", OptionValue::Poll(POLL)),
    ],
};

options! {
    Twitter {
        /// The posts that follow the first.
        thread: Vec<ThreadPart>,
        /// Who may answer the first post.
        reply_control: TwitterReplyControl,
        /// Whether the first post is labelled as paid promotion.
        paid_partnership: bool,
        /// Whether the files of the first post are labelled as made with AI.
        ai_generated: bool,
        /// What a warning in front of the files says: some of `adult`, `violence`, `other`.
        sensitive: Vec<String>,
        /// The ids of those who are seen in the images of the first post.
        tagged_users: Vec<String>,
        /// The community that the first post goes to.
        community_id: String,
        /// A poll below the first post.
        poll: Poll,
    } where
    /// Who may answer a post on X.
    TwitterReplyControl {
        /// Everybody.
        Everyone = "everyone",
        /// Whom the account follows.
        Following = "following",
        /// Whom the post mentions.
        Mentioned = "mentioned",
        /// Subscribers of the account.
        Subscribers = "subscribers",
        /// Verified accounts.
        Verified = "verified",
    }
}
