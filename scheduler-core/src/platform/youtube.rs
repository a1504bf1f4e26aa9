//! YouTube.

use chrono::TimeDelta;

use super::{
    AccountList, Alike, BudgetScope, CAPTION, CapabilitySheet, Codecs, CommentLimit,
    ConnectingFacts, CountBounds, EntitySyntax, FiguresCost, FileLimit, FileTypes, GifPlay,
    LimitWithMedia, LinkPlace, Measure, MediaFigures, Metric, OptionFact, OptionValue,
    PlacementChoice, Platform, Reaction, ReadingBudget, ReadingFigures, RedirectRule, Registration,
    RequestLimit, Required, RequiredMedia, TagBounds, TextBound, TextCleaning, TextFigures,
    TextUnit, TokenFacts, TotalBytes,
};
use crate::media::{MediaKind, VideoCodec};

/// Characters that YouTube refuses in titles, descriptions and tags.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos>.
const ANGLE_BRACKETS: &[char] = &['<', '>'];

/// Characters of a playlist's title at most.
///
/// Source: the application itself; the API answers 400 to a longer one and names no figure.
pub const PLAYLIST_TITLE_MAX_CHARACTERS: usize = 150;

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
);

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
    reports_insights: true,
    // VideoStatistics
    metric_fields: &[Metric::Views, Metric::Likes, Metric::Comments],
    notes: "One video per post. Title up to 100 characters, description up to 5000 bytes (letters outside ASCII count 2 to 4), neither with < or >. Unverified channels: 15 minutes. Vertical or square videos up to 3 minutes become Shorts.",
    short_name: "YouTube",
    also_called: &["yt"],
    manner: "the description of a video: the first two lines say what it is about, details follow",
    api: Some("https://www.googleapis.com"),
    connecting: &CONNECTING,
    lists: &[AccountList::Playlists],
    keeps_uploads: true,
    readings: READINGS,
    limits_differ: false,
    text: TextFigures {
        own_text: &["description", "caption"],
        entities: EntitySyntax::Common,
        // videos, `snippet.description`
        unit: TextUnit::Bytes,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: None,
        forbidden: ANGLE_BRACKETS,
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
        larger_images: Reaction::Refuses,
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
        total_bytes: TotalBytes::ANY,
    },
    link: LinkPlace::Text,
    options: &[
        CAPTION,
        OptionFact {
            key: "title",
            subject: "title",
            label: "Title",
            required: Required::No,
            // videos, `snippet.title`
            value: OptionValue::Text {
                bound: Some(TextBound { limit: 100, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: ANGLE_BRACKETS,
            },
        },
        OptionFact {
            key: "description",
            subject: "description",
            label: "Description",
            required: Required::No,
            // it is the text of the post, in place of the content
            value: OptionValue::Caption,
        },
        OptionFact {
            key: "tags",
            subject: "tags",
            label: "Tags",
            required: Required::No,
            value: OptionValue::Tags(TagBounds {
                max_items: None,
                warned_above: None,
                max_length: None,
                // videos, `snippet.tags[]`
                max_total: Some(500),
                forbidden: &[',', '<', '>'],
            }),
        },
        OptionFact {
            key: "categoryId",
            subject: "category_id",
            label: "categoryId",
            required: Required::No,
            // videoCategories; that 4 digits are enough is ours
            value: OptionValue::Digits { max_length: 4 },
        },
        OptionFact {
            key: "privacy",
            subject: "privacy",
            label: "Privacy",
            required: Required::No,
            // videos, `status.privacyStatus`
            value: OptionValue::OneOf(&["public", "unlisted", "private"]),
        },
        OptionFact {
            key: "playlistId",
            subject: "playlist_id",
            label: "playlistId",
            required: Required::No,
            // ids are of letters, digits, - and _; these are what their addresses have besides
            value: OptionValue::Text {
                bound: None,
                needs_text: true,
                forbidden: &['/', '?', '=', '&', ':', '.'],
            },
        },
        OptionFact {
            key: "thumbnailMediaId",
            subject: "thumbnail_media_id",
            label: "thumbnailMediaId",
            required: Required::No,
            value: OptionValue::Uuid,
        },
        OptionFact {
            key: "subtitles",
            subject: "subtitles",
            label: "Subtitles",
            required: Required::No,
            // https://developers.google.com/youtube/v3/docs/captions, `snippet.name`; 1 MiB is ours
            value: OptionValue::Subtitles { max_name_length: 150, max_content_bytes: 1_048_576 },
        },
        OptionFact {
            key: "firstComment",
            subject: "first_comment",
            label: "The first comment",
            required: Required::No,
            // no page of the network states it; the figure that clients use
            value: OptionValue::Text {
                bound: Some(TextBound { limit: 10_000, unit: TextUnit::CodePoints }),
                needs_text: true,
                forbidden: &[],
            },
        },
    ],
};
