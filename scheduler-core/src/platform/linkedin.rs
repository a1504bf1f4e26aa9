//! LinkedIn, members and pages.

use chrono::TimeDelta;

use super::options::options;
use super::{
    Alike, BudgetScope, CAPTION, CapabilitySheet, Checked, Codecs, CommentLimit, ConnectingFacts,
    CountBounds, Counted, DOCUMENTS, DocumentFigures, Effect, EntitySyntax, FiguresCost, FileLimit,
    FileTypes, GifPlay, LimitSpan, LimitWithMedia, LinkCard, LinkPlace, Measure, MediaFigures,
    Member, Metric, OptionFact, OptionValue, PageFigures, PlacementChoice, Platform, Poll,
    PollDuration, PollFigures, PublishingLimit, ReadingBudget, ReadingFigures, RedirectRule,
    Registration, RequestLimit, RequiredMedia, SIGNATURE, Shape, TextBound, TextCleaning,
    TextFigures, TextUnit, TokenFacts, TotalBytes, link_card,
};
use crate::ids::MediaId;
use crate::media::{MediaKind, Recipe, VideoCodec};
use crate::text::linkedin::{MENTIONED, Mention};

/// What may be asked of LinkedIn besides publishing: half of the calls that it allows a member and
/// an app in a day. The spans are long, so that the figures of a post and what a person asks fit
/// into one.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management-app-review>,
/// development tier; the figures of the standard tier are not published.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[
        ReadingBudget {
            scope: BudgetScope::App,
            requests: 27,
            per: TimeDelta::hours(3),
            within: &[RequestLimit { requests: 500, per: TimeDelta::hours(24) }],
        },
        ReadingBudget {
            scope: BudgetScope::Account,
            requests: 16,
            per: TimeDelta::hours(12),
            within: &[RequestLimit { requests: 100, per: TimeDelta::hours(24) }],
        },
    ],
    // a member's: one for each figure, and one more for the other name of a post
    figures: FiguresCost::Post(8),
    look: 1,
};

/// How many calls publish for a member. A post takes one, and a file at least two more.
///
/// Source:
/// <https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/share-on-linkedin>:
/// 150 a day, from midnight UTC.
const PUBLISHING: &[PublishingLimit] =
    &[PublishingLimit::account(Counted::Calls { post: 1, file: 2 }, 150, LimitSpan::Day("UTC"))];

/// How accounts are connected.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>
const CONNECTING: ConnectingFacts = ConnectingFacts::on_page(
    Registration {
        place: "LinkedIn Developers, under My apps, Auth",
        url: "https://www.linkedin.com/developers/apps",
        terms: "client ID and primary client secret",
    },
    RedirectRule::HttpsOrLocalhost,
    TokenFacts { renewed_by_app: true, renewed_after_expiry: false },
)
.about("LinkedIn members and pages, on LinkedIn's own page");

/// What a poll may be.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/poll-post-api>;
/// the lengths of question and options are those of clients.
const POLL: PollFigures = PollFigures {
    min_items: 2,
    max_items: 4,
    max_length: 30,
    warns_of_bytes: false,
    max_question: Some(140),
    duration: PollDuration::OneOf(&[1_440, 4_320, 10_080, 20_160]),
    multiple: false,
    hides_results: false,
};

/// What LinkedIn takes and offers.
///
/// Source, unless a line names another: `community-management/shares` of
/// <https://learn.microsoft.com/en-us/linkedin/marketing>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Linkedin,
    name: "LinkedIn",
    // error text of the network
    char_limit: 3000,
    // posts-api
    requires_media: RequiredMedia::None,
    supports_image: true,
    supports_video: true,
    // post-api-schema: `commentary` may be ""
    allows_empty_text: true,
    // multiimage-post-api: 2 to 20 images
    max_media_per_post: 20,
    // ours: the network states pixels only
    max_image_bytes: 10_000_000,
    // videos-api
    max_video_bytes: 500_000_000,
    // videos-api: 3 s to 30 min
    min_video_duration_seconds: Some(3),
    max_video_duration_seconds: Some(1800),
    min_video_fps: None,
    max_video_fps: None,
    supports_thread: false,
    // posts-api, `altText`
    supports_alt_text: true,
    supports_thumbnail: true,
    // comments-api
    supports_first_comment: true,
    can_edit_remote: false,
    // posts-api
    can_delete_remote: true,
    take_down_within: None,
    take_down_by_permission: false,
    // comments-api
    can_read_comments: true,
    // comments-api, public help
    comment_limit: CommentLimit::Bound(TextBound { limit: 1250, unit: TextUnit::Utf16Units }),
    // organizations
    reports_followers: true,
    traffic_sources: &[],
    // social-metadata-api, members/post-statistics, organizations
    metric_fields: &[
        Metric::Impressions,
        Metric::Reach,
        Metric::Likes,
        Metric::Comments,
        Metric::Shares,
        Metric::Clicks,
        Metric::Saves,
    ],
    metric_changes: &[],
    notes: "3000 characters. 1 video, 1 document (PDF, PowerPoint or Word, up to 300 pages), or up to 20 images. MP4 only. No mixing. Identical posts within about 10 minutes are refused. Figures and comments need extra LinkedIn approval.",
    short_name: "LinkedIn",
    also_called: &["li"],
    // pages are shown by their number, people by another name than the handle
    profile: None,
    without_link: "",
    manner: "professional, a clear first sentence, short paragraphs, few hashtags",
    api: Some("https://api.linkedin.com"),
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
        // the unit is not stated; this one is never less than the others
        unit: TextUnit::Utf16Units,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: None,
        forbidden: &[],
        // ours: no limit is stated
        hashtags: CountBounds { refused_above: None, warned_above: Some(30) },
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        cleaning: TextCleaning::Nothing,
    },
    media: MediaFigures {
        placement: PlacementChoice::ByFiles,
        fetched_by_address: false,
        max_images: 20,
        max_videos: 1,
        // documents-api, without the older formats of Office; at most 300 pages, which are not
        // counted here
        documents: DocumentFigures {
            most: 1,
            max_bytes: 100_000_000,
            types: FileTypes::only(&DOCUMENTS),
            go_beside_others: false,
            pages: Some(PageFigures {
                option: "imagesAsDocument",
                // documents-api
                most: 300,
                // ours: 35 pages, the most files of a post, stay below the bytes of a document
                recipe: Recipe::jpeg("linkedin-page", 2160, 2_800_000),
            }),
        },
        mixes_kinds: false,
        // images-api
        image_types: FileTypes::only(&["image/jpeg", "image/png", "image/gif"]),
        // videos-api
        video_types: FileTypes::only(&["video/mp4"]),
        // help pages, for the bytes; the longest side is ours
        picture_recipe: Some(Recipe::jpeg("linkedin-image", 4096, 5_000_000)),
        gif: GifPlay::Plays,
        carousel: Alike::No,
        // no page states it; advised by clients
        codecs: Codecs::rather(&[VideoCodec::H264], "LinkedIn plays H.264 for certain."),
        frame_rate: Measure::Fps,
        limits: &[
            // images-api: fewer than 36 152 320 pixels
            FileLimit::refused(MediaKind::Image, Measure::Pixels, None, Some(36_152_319.0)),
            // images-api
            FileLimit::refused(MediaKind::Image, Measure::Frames, None, Some(250.0))
                .for_types(&["image/gif"]),
            // help pages; the API states no bytes
            FileLimit::warned(
                MediaKind::Image,
                Measure::Bytes,
                None,
                Some(5_000_000.0),
                "LinkedIn may refuse pictures of that size.",
            ),
            // clients only
            FileLimit::warned(
                MediaKind::Image,
                Measure::Ratio,
                Some(1.0 / 2.4),
                Some(2.4),
                "LinkedIn crops it.",
            )
            .with_tolerance(0.005),
            // videos-api: 75 KB
            FileLimit::refused(MediaKind::Video, Measure::Bytes, Some(75_000.0), None),
            // clients only
            FileLimit::warned(
                MediaKind::Video,
                Measure::Ratio,
                Some(1.0 / 2.4),
                Some(2.4),
                "LinkedIn crops it.",
            )
            .with_tolerance(0.005),
            FileLimit::warned(
                MediaKind::Video,
                Measure::Fps,
                None,
                Some(60.0),
                "LinkedIn advises at most 60.",
            ),
        ],
        // 4086 on the network; interface description, altTexts
        alt_text_limit: 1000,
        // posts-api, `altText`: nothing is said of videos
        alt_text_of_videos: false,
        details: &[],
        total_bytes: TotalBytes::ANY,
    },
    // posts-api, `content.article`
    link: LinkPlace::OwnFieldWithoutMedia,
    // pages of the Marketing API, 202607
    checked: &[Checked::on("all", 2026, 8, 13)],
    options: &[
        CAPTION,
        SIGNATURE,
        // comments-api, public help; an empty one is passed over
        OptionFact::new(
            "firstComment",
            "first_comment",
            "The first comment",
            OptionValue::Text {
                bound: Some(TextBound { limit: 1250, unit: TextUnit::Utf16Units }),
                needs_text: false,
                forbidden: &[],
            },
        )
        .about("A comment of the account's own, written once the post is live."),
        // posts-api, `visibility`; CONTAINER is for groups
        OptionFact::new(
            "visibility",
            "visibility",
            "Visibility",
            OptionValue::OneOf(&["public", "connections", "loggedIn"]),
        )
        .about("Who sees it."),
        // posts-api, `isReshareDisabledByAuthor`
        OptionFact::new("allowReshare", "allow_reshare", "allowReshare", OptionValue::Flag)
            .about("Whether others may share it; they may unless this is `false`."),
        // little-text-format; the bounds are ours
        OptionFact::new(
            "mentions",
            "mentions",
            "Mentions",
            OptionValue::Shaped(&Shape::List {
                item: &Shape::Object(&[
                    Member::new("name", Shape::Text(200)).required(),
                    Member::new("urn", Shape::Address(MENTIONED, 200)).required(),
                ]),
                max_items: 30,
            }),
        )
        .about("Whom the text mentions where it has `@` and the name: the full name of a page or a member, and its `urn:li:organization:…` or `urn:li:person:…`."),
        // posts-api, `reshareContext`
        OptionFact::new(
            "quote",
            "quote",
            "The post to share",
            OptionValue::Text { bound: None, needs_text: true, forbidden: &[] },
        )
        .about("The post that it shares: `urn:li:share:…`, `urn:li:ugcPost:…`, or an address with one."),
        // posts-api, `content.article`; the lengths are those of clients
        link_card::option(&Shape::Object(&[
            link_card::title(400),
            link_card::description(4086),
            link_card::IMAGE,
            link_card::HIDE,
            link_card::READ_FROM,
            link_card::IMAGE_READ_FROM,
        ])),
        // videos-api, `uploadThumbnail`
        OptionFact::new("thumbnailMediaId", "thumbnail_media_id", "The cover", OptionValue::Uuid)
            .about("The id of an image, which must be `ready`: what a video is shown by.")
            .effective(Effect::WithVideo),
        // documents-api; the document is made here
        OptionFact::new(
            "imagesAsDocument",
            "images_as_document",
            "Images as a document",
            OptionValue::Flag,
        )
        .effective(Effect::WithImages)
        .about("Make one PDF of the images, in their order, which readers leaf through."),
        // documents-api, `content.media.title`; the bound is that of clients
        OptionFact::new(
            "documentTitle",
            "document_title",
            "The title of the document",
            OptionValue::Text {
                bound: Some(TextBound { limit: 400, unit: TextUnit::Utf16Units }),
                needs_text: true,
                forbidden: &[],
            },
        )
        .effective(Effect::WithDocument)
        .about("What stands above the document; the name of its file where it is not given."),
        // poll-post-api
        OptionFact::new("poll", "poll", "Poll", OptionValue::Poll(POLL)),
    ],
    prices: None,
    with_files: None,
};

options! {
    Linkedin {
        /// A comment below it.
        first_comment: String,
        /// Who sees it.
        visibility: LinkedinVisibility,
        /// Whether others may share it; they may unless this is `false`.
        allow_reshare: bool,
        /// Whom its text mentions.
        mentions: Vec<Mention>,
        /// The post that it shares: a name such as `urn:li:share:1`, or an address with one.
        quote: String,
        /// What the card of its link shows.
        link_card: LinkCard,
        /// The uploaded image that stands for a video.
        thumbnail_media_id: MediaId,
        /// Whether the images become the pages of one PDF.
        images_as_document: bool,
        /// What stands above the document; the name of its file where it is not given.
        document_title: String,
        /// A poll; the member or page sees who has voted.
        poll: Poll,
    } where
    /// Who sees a post on LinkedIn.
    LinkedinVisibility {
        /// Everybody.
        Public = "public",
        /// The connections of the member; pages have none.
        Connections = "connections",
        /// Whoever is signed in.
        LoggedIn = "loggedIn",
    }
}
