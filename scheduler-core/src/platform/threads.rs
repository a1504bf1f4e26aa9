//! Threads.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::options::options;
use super::{
    Alike, BudgetScope, CAPTION, CapabilitySheet, Checked, Codecs, CommentLimit, ConnectingFacts,
    CountBounds, Counted, DocumentFigures, Effect, EntitySyntax, FiguresCost, FileLimit, FileTypes,
    GifPlay, LimitSpan, LimitWithMedia, LinkPlace, Measure, MediaFigures, Member, Metric,
    OptionFact, OptionValue, PlacementChoice, Platform, Poll, PollDuration, PollFigures,
    PublishingLimit, ReadingBudget, ReadingFigures, RedirectRule, Registration, RequestLimit,
    RequiredMedia, SIGNATURE, Shape, THREAD, TextBound, TextCleaning, TextFigures, TextUnit,
    TextWarning, ThreadPart, TokenFacts, TotalBytes, WEB, link_card,
};
use crate::media::{MediaKind, Recipe, VideoCodec};

/// What may be asked of Threads besides publishing: 600 an hour is our choice, far below the limit.
///
/// Source: <https://developers.facebook.com/documentation/threads/overview>, 4 800 calls in 24 hours
/// for each impression, of which at least 10 are counted.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::Account,
        requests: 600,
        per: TimeDelta::hours(1),
        within: &[RequestLimit { requests: 48_000, per: TimeDelta::hours(24) }],
    }],
    figures: FiguresCost::Post(1),
    look: 1,
};

/// How long a used-up quota of posts is waited for. Quotas count the last 24 hours, and the network
/// does not say when the oldest post drops out; ten waits of this length reach that far.
pub const QUOTA_WAIT: TimeDelta = TimeDelta::minutes(150);

/// How many posts and replies are published for a profile.
///
/// Source: <https://developers.facebook.com/documentation/threads/overview>: 250 posts and 1 000
/// replies in 24 hours.
const PUBLISHING: &[PublishingLimit] = &[
    PublishingLimit::account(Counted::Posts, 250, LimitSpan::Sliding(TimeDelta::hours(24)))
        .waits(QUOTA_WAIT),
    PublishingLimit::account(Counted::Replies, 1_000, LimitSpan::Sliding(TimeDelta::hours(24)))
        .waits(QUOTA_WAIT),
];

/// How accounts are connected.
///
/// Source: <https://developers.facebook.com/docs/threads/get-started>
const CONNECTING: ConnectingFacts = ConnectingFacts::on_page(
    Registration {
        place: "the Meta app dashboard, under Use cases, Access the Threads API",
        url: "https://developers.facebook.com/apps/",
        terms: "Threads app ID and Threads app secret",
    },
    RedirectRule::Https,
    TokenFacts { renewed_by_app: false, renewed_after_expiry: false },
)
.about("Threads, on its own page");

/// What a poll may be.
///
/// Source: create-posts/polls. How long it lasts stands on no page of the network; a day is what
/// users see.
const POLL: PollFigures = PollFigures {
    min_items: 2,
    max_items: 4,
    max_length: 25,
    warns_of_bytes: true,
    max_question: None,
    duration: PollDuration::Fixed(Poll::DEFAULT_MINUTES),
    multiple: false,
    hides_results: false,
};

/// What Threads takes and offers.
///
/// Source, unless a line names another: <https://developers.facebook.com/documentation/threads/>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Threads,
    name: "Threads",
    // posts
    char_limit: 500,
    requires_media: RequiredMedia::None,
    supports_image: true,
    supports_video: true,
    // posts: `text` is required of a post of type TEXT
    allows_empty_text: true,
    // posts: carousel of 2 to 20
    max_media_per_post: 20,
    // posts, "Image specifications"
    max_image_bytes: 8_000_000,
    // posts, "Video specifications"
    max_video_bytes: 1_000_000_000,
    // "more than 0" is no bound
    min_video_duration_seconds: None,
    max_video_duration_seconds: Some(300),
    // posts, "Video specifications"
    min_video_fps: Some(23),
    max_video_fps: Some(60),
    // reference/publishing, `reply_to_id`
    supports_thread: true,
    // reference/publishing, `alt_text`
    supports_alt_text: true,
    supports_thumbnail: false,
    // a reply to one's own post
    supports_first_comment: true,
    can_edit_remote: false,
    // reference/publishing
    can_delete_remote: true,
    take_down_within: None,
    // deleting posts needs the permission threads_delete
    take_down_by_permission: true,
    // reply-management
    can_read_comments: true,
    // a reply is a post
    comment_limit: CommentLimit::AsPost,
    // insights, `followers_count`
    reports_followers: true,
    traffic_sources: &[],
    // insights
    metric_fields: &[
        Metric::Views,
        Metric::Likes,
        Metric::Comments,
        Metric::Reposts,
        Metric::Quotes,
        Metric::Shares,
    ],
    metric_changes: &[],
    notes: "500 characters of text, of which most emoji count 4 and more; Threads may refuse more than 500 bytes. At most 5 links and one topic tag. Up to 20 pictures and videos mixed. Files must be reachable from the internet.",
    short_name: "Threads",
    also_called: &[],
    profile: Some("https://www.threads.com/@"),
    without_link: "",
    manner: "casual, as one would begin a conversation, at most one hashtag",
    api: Some("https://graph.threads.net"),
    connecting: &CONNECTING,
    lists: &[],
    keeps_uploads: false,
    refuses_repeats: false,
    readings: READINGS,
    publishing: PUBLISHING,
    limits_differ: false,
    text: TextFigures {
        own_text: &["caption"],
        entities: EntitySyntax::OutsideLinks,
        // reference/publishing, `text`: "emojis are counted as the number of UTF-8 bytes"
        unit: TextUnit::EmojiInBytes,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        // a text of 498 letters and 504 bytes was refused, of other scripts nothing is known:
        // https://github.com/gitroomhq/postiz-app/pull/1946
        warning: Some(TextWarning {
            bound: TextBound { limit: 500, unit: TextUnit::Bytes },
            sentence: "Threads may count bytes and refuse the text.",
        }),
        forbidden: &[],
        // posts: the first tag is the topic, the others stay text
        hashtags: CountBounds { refused_above: None, warned_above: Some(1) },
        mentions: CountBounds::NONE,
        // changelog of 2025-12-22
        links: CountBounds { refused_above: Some(5), warned_above: None },
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        cleaning: TextCleaning::Trim,
    },
    media: MediaFigures {
        placement: PlacementChoice::ByFiles,
        fetched_by_address: true,
        max_images: 20,
        max_videos: 20,
        documents: DocumentFigures::NONE,
        mixes_kinds: true,
        // posts, "Image specifications"
        image_types: FileTypes::only(&["image/jpeg", "image/png"]),
        // posts, "Video specifications"
        video_types: FileTypes::only(&["video/mp4", "video/quicktime"]),
        // posts, "Image specifications"; the longest side is ours
        picture_recipe: Some(
            Recipe::jpeg("threads-image", 4096, 8_000_000).with_types(&["image/jpeg", "image/png"]),
        ),
        gif: GifPlay::Plays,
        carousel: Alike::No,
        // posts, "Video specifications"
        codecs: Codecs::only(&[VideoCodec::H264, VideoCodec::Hevc]),
        frame_rate: Measure::Fps,
        // posts, "Image specifications" and "Video specifications"
        limits: &[
            FileLimit::refused(MediaKind::Image, Measure::Ratio, None, Some(10.0)),
            // "10:1" may be meant in both directions
            FileLimit::warned(
                MediaKind::Image,
                Measure::Ratio,
                Some(0.1),
                None,
                "Threads states a limit of 10:1 and may refuse taller pictures.",
            ),
            FileLimit::warned(
                MediaKind::Image,
                Measure::Width,
                Some(320.0),
                Some(1440.0),
                "Threads scales it.",
            ),
            FileLimit::refused(MediaKind::Video, Measure::Ratio, Some(0.01), Some(10.0)),
            // "more than 0" seconds
            FileLimit::refused(MediaKind::Video, Measure::Seconds, Some(0.001), None),
            FileLimit::refused(MediaKind::Video, Measure::BitRate, None, Some(100_000_000.0)),
            FileLimit::warned(
                MediaKind::Video,
                Measure::Width,
                None,
                Some(1920.0),
                "Threads names 1920 pixels as the most.",
            ),
            FileLimit::warned(
                MediaKind::Video,
                Measure::Ratio,
                Some(0.5625),
                Some(0.5625),
                "Threads advises 9:16.",
            )
            .with_tolerance(0.01),
        ],
        // reference/publishing, `alt_text`
        alt_text_limit: 1000,
        alt_text_of_videos: true,
        details: &[],
        total_bytes: TotalBytes::ANY,
    },
    // posts, `link_attachment` of a post of type TEXT
    link: LinkPlace::OwnFieldWithoutMedia,
    // pages of the Threads API
    checked: &[
        Checked::on("posts", 2026, 4, 14),
        Checked::on("polls and text attachments", 2026, 7, 2),
    ],
    options: &[
        CAPTION,
        SIGNATURE,
        THREAD,
        // create-posts/polls
        OptionFact::new("poll", "poll", "Poll", OptionValue::Poll(POLL)),
        // reference/publishing, `topic_tag`
        OptionFact::new(
            "topicTag",
            "topic_tag",
            "The topic",
            OptionValue::Text {
                bound: Some(TextBound { limit: 50, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &['.', '&'],
            },
        )
        .about("The topic that it is filed under, with or without a `#` before it."),
        // reference/publishing, `reply_control`; parent_post_author_only is of replies
        OptionFact::new(
            "replyControl",
            "reply_control",
            "Who may reply",
            OptionValue::OneOf(&["everyone", "following", "followers", "mentioned"]),
        )
        .about("Who may reply."),
        // reference/publishing, `enable_reply_approvals`
        OptionFact::new("replyApprovals", "reply_approvals", "replyApprovals", OptionValue::Flag)
            .about("Whether replies wait until they are approved."),
        // reference/publishing, `quote_post_id`; ids have 17 digits, the bound is our decision
        OptionFact::new(
            "quote",
            "quote",
            "The quoted post",
            OptionValue::Digits { max_length: 32 },
        )
        .about("The id of the post that it quotes."),
        // create-posts/spoilers, `is_spoiler_media`
        OptionFact::new("spoilerMedia", "spoiler_media", "spoilerMedia", OptionValue::Flag)
            .effective(Effect::WithFiles)
            .about("Blur the files until they are asked for."),
        // create-posts/spoilers, `text_entities`: at most 10
        OptionFact::new(
            "spoilers",
            "spoilers",
            "Spoilers",
            OptionValue::Texts {
                min_items: 1,
                max_items: 10,
                bound: TextBound { limit: 500, unit: TextUnit::CodePoints },
            },
        )
        .about("Passages of the text that are blurred until they are asked for."),
        // create-posts/text-attachments, `text_attachment`
        OptionFact::new(
            "textAttachment",
            "text_attachment",
            "The attached text",
            OptionValue::Shaped(&TEXT_ATTACHMENT),
        )
        .effective(Effect::WithoutFiles)
        .about("A long text behind the post."),
        // posts, `link_attachment`, which is left out then
        OptionFact::new(
            "linkCard",
            "link_card",
            "The card of the link",
            OptionValue::Shaped(&Shape::Object(&[link_card::HIDE])),
        )
        .effective(Effect::WithLinkAlone)
        .about("Whether the link goes into the text and has no card: `hide`."),
        // create-posts/ghost-posts, `is_ghost_post`
        OptionFact::new("ghost", "ghost", "ghost", OptionValue::Flag)
            .about("Archive it after 24 hours; it is a text and nothing else."),
        // reference/publishing, `reply_to_id`: a reply is a post
        OptionFact::new(
            "firstComment",
            "first_comment",
            "The first comment",
            OptionValue::Text {
                bound: Some(TextBound { limit: 500, unit: TextUnit::EmojiInBytes }),
                needs_text: true,
                forbidden: &[],
            },
        )
        .about("A comment of the account's own, written once the post is live."),
    ],
    prices: None,
    with_files: None,
};

/// A long text behind a post.
///
/// Source: <https://developers.facebook.com/documentation/threads/create-posts/text-attachments>.
/// How many stretches can be styled is not documented; the bound is ours.
const TEXT_ATTACHMENT: Shape = Shape::Object(&[
    Member::new("text", Shape::Text(10_000)).required(),
    Member::new("link", Shape::Address(WEB, 2_048)),
    Member::new(
        "styles",
        Shape::List {
            item: &Shape::Object(&[
                Member::new("offset", Shape::Integer { least: 0, most: 10_000 }).required(),
                Member::new("length", Shape::Integer { least: 1, most: 10_000 }).required(),
                Member::new(
                    "style",
                    Shape::List {
                        item: &Shape::OneOf(&[
                            "bold",
                            "italic",
                            "highlight",
                            "underline",
                            "strikethrough",
                        ]),
                        max_items: 5,
                    },
                )
                .required(),
            ]),
            max_items: 100,
        },
    ),
]);

options! {
    Threads {
        /// The posts that follow the first.
        thread: Vec<ThreadPart>,
        /// A poll.
        poll: Poll,
        /// The topic that it is filed under, with or without a `#` before it.
        topic_tag: String,
        /// Who may reply.
        reply_control: ThreadsReplyControl,
        /// Whether replies wait until they are approved.
        reply_approvals: bool,
        /// The id of the post that it quotes.
        quote: String,
        /// Whether the files are blurred until they are asked for.
        spoiler_media: bool,
        /// Passages of the text that are blurred until they are asked for.
        spoilers: Vec<String>,
        /// A long text behind it.
        text_attachment: ThreadsAttachment,
        /// Whether the link has no card.
        link_card: ThreadsLinkCard,
        /// Whether it is archived after 24 hours.
        ghost: bool,
        /// A reply below it.
        first_comment: String,
    } where
    /// Who may reply to a post on Threads.
    ThreadsReplyControl {
        /// Anybody.
        Everyone = "everyone",
        /// The profiles that the account follows.
        Following = "following",
        /// Those who follow the account.
        Followers = "followers",
        /// Those who are mentioned.
        Mentioned = "mentioned",
    }
}

/// What Threads shows of the link of a post.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadsLinkCard {
    /// Whether there is none: the link goes into the text.
    pub hide: bool,
}

/// A long text behind a post on Threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadsAttachment {
    /// The text: 1 to 10 000 characters.
    pub text: String,
    /// A link below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// How stretches of it look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub styles: Vec<ThreadsStyle>,
}

/// How a stretch of an attached text looks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThreadsStyle {
    /// Where it begins, in code points from 0.
    pub offset: u32,
    /// How long it is, in code points.
    pub length: u32,
    /// Some of `bold`, `italic`, `highlight`, `underline` and `strikethrough`.
    pub style: Vec<String>,
}
