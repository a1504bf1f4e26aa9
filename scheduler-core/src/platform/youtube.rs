//! YouTube.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use super::disclosed::Disclosed;
use super::options::options;
pub use super::subtitle::Subtitle;
use super::{
    AccountList, Alike, BudgetScope, CAPTION, CapabilitySheet, Checked, Codecs, CommentLimit,
    ConnectingFacts, CountBounds, Counted, DocumentFigures, EntitySyntax, FiguresCost, FileLimit,
    FileTypes, GifPlay, LimitSpan, LimitWithMedia, LinkPlace, Measure, MediaFigures, Member,
    Metric, MetricChange, OptionFact, OptionValue, PlacementChoice, Platform, PublishingLimit,
    ReadingBudget, ReadingFigures, RedirectRule, Registration, RequestLimit, RequiredMedia,
    SIGNATURE, Shape, TagBounds, TextBound, TextCleaning, TextFigures, TextUnit, TokenFacts,
    TotalBytes,
};
use crate::ids::MediaId;
use crate::media::{MediaKind, Recipe, VideoCodec};

/// Characters that YouTube refuses in titles and descriptions: angle brackets, and control
/// characters but tab, line feed and carriage return.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos>; of control characters
/// <https://github.com/FriendTeamInc/VodBot/issues/46>, where a description with U+0007 is refused.
const FORBIDDEN: &[char] = &[
    '<', '>', '\0', '\u{1}', '\u{2}', '\u{3}', '\u{4}', '\u{5}', '\u{6}', '\u{7}', '\u{8}',
    '\u{b}', '\u{c}', '\u{e}', '\u{f}', '\u{10}', '\u{11}', '\u{12}', '\u{13}', '\u{14}', '\u{15}',
    '\u{16}', '\u{17}', '\u{18}', '\u{19}', '\u{1a}', '\u{1b}', '\u{1c}', '\u{1d}', '\u{1e}',
    '\u{1f}',
];

/// Characters of a playlist's title at most.
///
/// Source: the application itself; the API answers 400 to a longer one and names no figure.
pub const PLAYLIST_TITLE_MAX_CHARACTERS: usize = 150;

/// Where viewers of a video come from, in words.
///
/// Source: <https://developers.google.com/youtube/analytics/dimensions>, `insightTrafficSourceType`.
const TRAFFIC_SOURCES: [(&str, &str); 21] = [
    ("ADVERTISING", "Advertisements"),
    ("ANNOTATION", "Annotations in other videos"),
    ("CAMPAIGN_CARD", "Campaign cards in other videos"),
    ("END_SCREEN", "End screens of other videos"),
    ("EXT_URL", "Links on other sites"),
    ("HASHTAGS", "Pages of hashtags"),
    ("IMMERSIVE_LIVE", "The feed of live streams"),
    ("LIVE_REDIRECT", "Live streams that led on"),
    ("NO_LINK_EMBEDDED", "Players on other sites"),
    ("NO_LINK_OTHER", "Directly, or not known"),
    ("NOTIFICATION", "Notifications and emails"),
    ("PLAYLIST", "Playlists"),
    ("PRODUCT_PAGE", "Pages of products"),
    ("PROMOTED", "Promotion by YouTube"),
    ("RELATED_VIDEO", "Suggestions beside other videos"),
    ("SHORTS", "The feed of Shorts"),
    ("SOUND_PAGE", "Pages of sounds"),
    ("SUBSCRIBER", "Home page and subscriptions"),
    ("YT_CHANNEL", "The channel's own page"),
    ("YT_OTHER_PAGE", "Other pages of YouTube"),
    ("YT_SEARCH", "Search on YouTube"),
];

/// What may be asked of YouTube besides publishing: half of the units of a day, of which a request
/// that reads costs one. Counted by the hour, so that no day is used up at its begin.
///
/// Source: <https://developers.google.com/youtube/v3/determine_quota_cost>, 10 000 units a day of a
/// project; uploads have a quota of their own.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::App,
        requests: 200,
        per: TimeDelta::hours(1),
        within: &[RequestLimit { requests: 10_000, per: TimeDelta::hours(24) }],
    }],
    figures: FiguresCost::Call(1),
    look: 1,
};

/// How many videos are uploaded.
///
/// Source: <https://developers.google.com/youtube/v3/determine_quota_cost>: 100 calls of
/// `videos.insert` a day of a project, from midnight Pacific time.
const PUBLISHING: &[PublishingLimit] =
    &[PublishingLimit::app(Counted::Posts, 100, LimitSpan::Day("America/Los_Angeles"))];

/// How accounts are connected.
///
/// Source: <https://developers.google.com/identity/protocols/oauth2/web-server>
const CONNECTING: ConnectingFacts = ConnectingFacts::on_page(
    Registration {
        place: "the Google Cloud console, under APIs & Services, Credentials",
        url: "https://console.cloud.google.com/apis/credentials",
        terms: "client ID and client secret",
    },
    RedirectRule::HttpsOrLocalhost,
    TokenFacts { renewed_by_app: true, renewed_after_expiry: true },
)
.about("YouTube, on Google's own page");

/// What YouTube takes and offers.
///
/// Source, unless a line names another:
/// <https://youtube.googleapis.com/$discovery/rest?version=v3>, revision 20261104; "videos" is
/// <https://developers.google.com/youtube/v3/docs/videos>, "help" <https://support.google.com/youtube>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Youtube,
    name: "YouTube",
    // videos, `snippet.description`
    char_limit: 5000,
    // one video is one post
    requires_media: RequiredMedia::Video,
    // an image only as thumbnail
    supports_image: false,
    supports_video: true,
    // videos: the description may be empty
    allows_empty_text: true,
    max_media_per_post: 1,
    // thumbnails.set, maxSize
    max_image_bytes: 52_428_800,
    // videos.insert, maxSize: 256 GiB
    max_video_bytes: 274_877_906_944,
    min_video_duration_seconds: None,
    // help, "Upload videos longer than 15 minutes": 12 hours
    max_video_duration_seconds: Some(43_200),
    min_video_fps: None,
    max_video_fps: None,
    supports_thread: false,
    supports_alt_text: false,
    // thumbnails.set
    supports_thumbnail: true,
    // commentThreads.insert
    supports_first_comment: true,
    // videos.update
    can_edit_remote: true,
    // videos.delete
    can_delete_remote: true,
    take_down_within: None,
    take_down_by_permission: false,
    // commentThreads.list
    can_read_comments: true,
    comment_limit: CommentLimit::Unknown,
    // ChannelStatistics
    reports_followers: true,
    traffic_sources: &TRAFFIC_SOURCES,
    // VideoStatistics
    metric_fields: &[Metric::Views, Metric::Likes, Metric::Comments],
    // <https://developers.google.com/youtube/v3/revision_history>, of that day
    metric_changes: &[MetricChange::on(
        Metric::Views,
        (2026, 8, 27),
        "YouTube counts a view at the start",
    )],
    notes: "One video per post. Title up to 100 characters, description up to 5000 bytes (letters outside ASCII count 2 to 4), neither with < or > or control characters. Unverified channels: 15 minutes. Vertical or square videos up to 3 minutes become Shorts.",
    short_name: "YouTube",
    also_called: &["yt"],
    profile: Some("https://www.youtube.com/@"),
    without_link: "",
    manner: "the description of a video: the first two lines say what it is about, details follow",
    api: Some("https://www.googleapis.com"),
    connecting: &CONNECTING,
    lists: &[AccountList::Playlists],
    keeps_uploads: true,
    refuses_repeats: false,
    readings: READINGS,
    publishing: PUBLISHING,
    limits_differ: false,
    text: TextFigures {
        own_text: &["description", "caption"],
        entities: EntitySyntax::Common,
        // videos, `snippet.description`
        unit: TextUnit::Bytes,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: None,
        forbidden: FORBIDDEN,
        // help, "Use hashtags": with more than 60 all are ignored
        hashtags: CountBounds { refused_above: None, warned_above: Some(60) },
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        placement: PlacementChoice::ByFiles,
        fetched_by_address: false,
        max_images: 0,
        max_videos: 1,
        documents: DocumentFigures::NONE,
        mixes_kinds: false,
        // those of the thumbnail: thumbnails.set
        image_types: FileTypes::only(&["image/jpeg", "image/png"]),
        // help, "Supported YouTube file formats"; every type is taken, some cannot be processed
        video_types: FileTypes::rather(
            &[
                "video/mp4",
                "video/quicktime",
                "video/webm",
                "video/x-msvideo",
                "video/mpeg",
                "video/3gpp",
            ],
            "YouTube takes it, but may not be able to process it.",
        ),
        // of a thumbnail; thumbnails.set named 2 MB for long, and every client shows that size
        picture_recipe: Some(Recipe::jpeg("youtube-thumbnail", 1920, 2_000_000)),
        gif: GifPlay::Plays,
        carousel: Alike::No,
        // help, "YouTube recommended upload encoding settings"
        codecs: Codecs::rather(&[VideoCodec::H264], "YouTube recommends H.264."),
        frame_rate: Measure::Fps,
        limits: &[
            // help, "Upload videos longer than 15 minutes"
            FileLimit::warned(
                MediaKind::Video,
                Measure::Seconds,
                None,
                Some(900.0),
                "Only verified channels may upload videos of that length.",
            ),
            // help, "YouTube recommended upload encoding settings"; film at 23.976 is called 24
            FileLimit::warned(
                MediaKind::Video,
                Measure::Fps,
                Some(24.0),
                Some(60.0),
                "YouTube recommends 24 to 60.",
            )
            .with_tolerance(0.03),
        ],
        // there is none; interface description, altTexts
        alt_text_limit: 1000,
        alt_text_of_videos: false,
        details: &[],
        total_bytes: TotalBytes::ANY,
    },
    link: LinkPlace::Text,
    // discovery document, revision 20261104
    checked: &[Checked::on("all", 2026, 11, 4)],
    options: &[
        CAPTION,
        SIGNATURE,
        // videos, `snippet.title`
        OptionFact::new(
            "title",
            "title",
            "Title",
            OptionValue::Text {
                bound: Some(TextBound { limit: 100, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: FORBIDDEN,
            },
        )
        .about("The title."),
        // it is the text of the post, in place of the content
        OptionFact::new("description", "description", "Description", OptionValue::Caption),
        OptionFact::new(
            "tags",
            "tags",
            "Tags",
            OptionValue::Tags(TagBounds {
                max_items: None,
                warned_above: None,
                max_length: None,
                // videos, `snippet.tags[]`
                max_total: Some(500),
                forbidden: &[',', '<', '>'],
                words: &[],
            }),
        ),
        // videoCategories; that 4 digits are enough is ours
        OptionFact::new(
            "categoryId",
            "category_id",
            "categoryId",
            OptionValue::Digits { max_length: 4 },
        )
        .about("YouTube's id of a category."),
        // videos, `status.privacyStatus`
        OptionFact::new(
            "privacy",
            "privacy",
            "Privacy",
            OptionValue::OneOf(&["public", "unlisted", "private"]),
        )
        .about("Who sees it."),
        // ids are of letters, digits, - and _; these are what their addresses have besides
        OptionFact::new(
            "playlistId",
            "playlist_id",
            "playlistId",
            OptionValue::Text {
                bound: None,
                needs_text: true,
                forbidden: &['/', '?', '=', '&', ':', '.'],
            },
        )
        .about("The playlist that the video is added to."),
        OptionFact::new(
            "thumbnailMediaId",
            "thumbnail_media_id",
            "thumbnailMediaId",
            OptionValue::Uuid,
        )
        .about("The id of an image, which must be `ready`: the thumbnail."),
        // https://developers.google.com/youtube/v3/docs/captions, `snippet.name`; 1 MiB is ours
        OptionFact::new(
            "subtitles",
            "subtitles",
            "Subtitles",
            OptionValue::Subtitles { max_name_length: 150, max_content_bytes: 1_048_576 },
        ),
        // no page of the network states it; the figure that clients use
        OptionFact::new(
            "firstComment",
            "first_comment",
            "The first comment",
            OptionValue::Text {
                bound: Some(TextBound { limit: 10_000, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            },
        )
        .about("A comment of the account's own, written once the post is live."),
        // videos.insert, `notifySubscribers`
        OptionFact::new(
            "notifySubscribers",
            "notify_subscribers",
            "notifySubscribers",
            OptionValue::Flag,
        )
        .about("Whether subscribers are told of it; they are unless this is `false`."),
        // videos, `status.selfDeclaredMadeForKids`
        OptionFact::new("madeForKids", "made_for_kids", "madeForKids", OptionValue::Flag)
            .about("Whether it is made for children, so that nobody can comment."),
        // videos, `status.containsSyntheticMedia`
        OptionFact::new("aiGenerated", "ai_generated", "aiGenerated", OptionValue::Flag)
            .discloses(&[Disclosed::AiGenerated])
            .about("Whether it is labelled as altered or made by AI."),
        // discovery document, `paidProductPlacementDetails.hasPaidProductPlacement`; the documented
        // list of what can be set does not name it
        OptionFact::new("paidPromotion", "paid_promotion", "paidPromotion", OptionValue::Flag)
            .discloses(&[Disclosed::PaidPartnership])
            .about("Whether it is labelled as including paid promotion."),
        // videos, `status.license`
        OptionFact::new(
            "license",
            "license",
            "License",
            OptionValue::OneOf(&["youtube", "creativeCommon"]),
        )
        .about("Its licence: YouTube's own, or CC BY."),
        // videos, `status.embeddable`
        OptionFact::new("embeddable", "embeddable", "embeddable", OptionValue::Flag)
            .about("Whether other sites may embed it; they may unless this is `false`."),
        // videos, `status.publicStatsViewable`
        OptionFact::new("publicStats", "public_stats", "publicStats", OptionValue::Flag)
            .about("Whether everybody sees its extended statistics."),
        // videos, `snippet.defaultLanguage`
        OptionFact::new("language", "language", "Language", OptionValue::Language)
            .about("The language of title and description."),
        // discovery document, `snippet.defaultAudioLanguage`
        OptionFact::new("audioLanguage", "audio_language", "audioLanguage", OptionValue::Language)
            .about("The language that is spoken in it."),
        // videos, `localizations.(key)`
        OptionFact::new(
            "localizations",
            "localizations",
            "Localizations",
            OptionValue::Shaped(&LOCALIZATIONS),
        )
        .about("Title and description in other languages; needs `language`."),
        // videos, `recordingDetails.recordingDate`
        OptionFact::new(
            "recordingDate",
            "recording_date",
            "Day of recording",
            OptionValue::Shaped(&Shape::Date),
        )
        .about("The day on which it was recorded."),
        // playlistItems.insert, once for each; how many is ours
        OptionFact::new(
            "playlistIds",
            "playlist_ids",
            "Playlists",
            OptionValue::Texts {
                min_items: 1,
                max_items: 10,
                bound: TextBound { limit: 100, unit: TextUnit::CodePoints },
            },
        )
        .about("The playlists that the video is added to, besides `playlistId`."),
    ],
    prices: None,
    with_files: None,
};

/// What a video is called in other languages.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos>, `localizations.(key)`; how many
/// is ours.
const LOCALIZATIONS: Shape = Shape::List {
    item: &Shape::Object(&[
        Member::new("language", Shape::Language).required(),
        Member::new("title", Shape::Text(100)).required(),
        Member::new("description", Shape::Text(5_000)),
    ]),
    max_items: 50,
};

options! {
    Youtube {
        /// Its title.
        title: String,
        /// Its description, in place of the text of the post.
        description: String,
        /// Its tags.
        tags: Vec<String>,
        /// The number of its category.
        category_id: String,
        /// Who sees it.
        privacy: YoutubePrivacy,
        /// The playlist that it joins.
        playlist_id: String,
        /// The uploaded image that stands for it.
        thumbnail_media_id: MediaId,
        /// Its subtitles.
        subtitles: Vec<Subtitle>,
        /// A comment below it.
        first_comment: String,
        /// Whether subscribers are told of it; they are unless this is `false`.
        notify_subscribers: bool,
        /// Whether it is made for children; it is not unless this is `true`.
        made_for_kids: bool,
        /// Whether it holds what AI has made or changed, and is labelled so.
        ai_generated: bool,
        /// Whether it promotes something for money, and is labelled so.
        paid_promotion: bool,
        /// Its licence: `youtube` or `creativeCommon`.
        license: String,
        /// Whether other sites may embed it.
        embeddable: bool,
        /// Whether everybody sees its extended statistics.
        public_stats: bool,
        /// The language of title and description, as a tag such as `pt-BR`.
        language: String,
        /// The language that is spoken in it.
        audio_language: String,
        /// Title and description in other languages.
        localizations: Vec<Localization>,
        /// The day on which it was recorded, as `2026-12-01`.
        recording_date: String,
        /// The playlists that it joins, besides `playlist_id`.
        playlist_ids: Vec<String>,
    } where
    /// Who sees a video on YouTube.
    YoutubePrivacy {
        /// Everybody.
        Public = "public",
        /// Whoever has the link.
        Unlisted = "unlisted",
        /// The channel and whom it invites.
        Private = "private",
    }
}

/// Title and description of a video in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Localization {
    /// The language, as a tag such as `de` or `pt-BR`.
    pub language: String,
    /// The title: 1 to 100 characters.
    pub title: String,
    /// The description: at most 5000 bytes of UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}
