//! Mastodon and servers that speak its API.

use chrono::TimeDelta;

use super::options::options;
use super::{
    Alike, AppSettings, Argument, ArgumentKind, BudgetScope, CAPTION, CapabilitySheet, Checked,
    Codecs, CommandFacts, CommentLimit, ConnectingFacts, CountBounds, Counted, DocumentFigures,
    Effect, EntitySyntax, Field, FiguresCost, FileDetail, FileLimit, FileTypes, GifPlay, LimitSpan,
    LimitWithMedia, LinkPlace, Measure, MediaFigures, Metric, OptionFact, OptionValue,
    PlacementChoice, Platform, Poll, PollDuration, PollFigures, PublishingLimit, ReadingBudget,
    ReadingFigures, RedirectRule, RequestLimit, RequiredMedia, SIGNATURE, THREAD, TextCleaning,
    TextFigures, TextUnit, ThreadPart, TokenFacts, TotalBytes, Way,
};
use crate::ids::MediaId;
use crate::media::{MediaKind, Recipe, VideoCodec};

/// What may be asked of a server besides publishing: half of the requests that it allows an
/// account.
///
/// Source: <https://github.com/mastodon/mastodon/tree/v4.6.5>, `config/initializers/rack_attack.rb`,
/// 300 in 5 minutes.
const READINGS: ReadingFigures = ReadingFigures {
    budgets: &[ReadingBudget {
        scope: BudgetScope::Account,
        requests: 75,
        per: TimeDelta::minutes(5),
        within: &[RequestLimit { requests: 300, per: TimeDelta::minutes(5) }],
    }],
    // one for all, and one for each of the 20 on servers that cannot show several
    figures: FiguresCost::Call(21),
    // the second version of what a server tells of itself, and the first where it has no second
    look: 2,
};

/// How many statuses and files an account sends, unless its server has set others.
///
/// Source: `app/lib/rate_limiter.rb` and `config/initializers/rack_attack.rb` of the server.
const PUBLISHING: &[PublishingLimit] = &[
    PublishingLimit::account(Counted::Parts, 300, LimitSpan::Fixed(TimeDelta::hours(3))),
    PublishingLimit::account(Counted::Files, 30, LimitSpan::Fixed(TimeDelta::minutes(30))),
];

/// How accounts are connected.
///
/// Source: <https://docs.joinmastodon.org/client/authorized/>
const CONNECTING: ConnectingFacts = ConnectingFacts {
    ways: &[
        Way {
            name: "page",
            title: "on the server's own page",
            explanation: "You go to your server's own page, sign in there and allow it. Your \
                          password stays with the server.",
            fields: &[Field::text("instance", "Server", "mastodon.example")],
            fixed: &[],
            opens_page: true,
        },
        Way {
            name: "token",
            title: "with an access token",
            explanation: "Make an application on your server under Preferences, Development, with \
                          the scopes read and write, and copy its access token.",
            fields: &[
                Field::text("instance", "Server", "mastodon.example"),
                Field::secret("accessToken", "Access token", "of the application"),
            ],
            fixed: &[],
            opens_page: false,
        },
    ],
    registration: None,
    redirect: RedirectRule::Any,
    also_registered_at: None,
    settings: AppSettings::AddressOnly,
    tokens: TokenFacts { renewed_by_app: false, renewed_after_expiry: true },
    command: CommandFacts {
        about: "Mastodon, and servers that speak its API, by access token or on the server's own \
                page",
        examples: ["--instance mastodon.social", "--in-browser"],
        arguments: &[
            Argument::new(
                ArgumentKind::Text,
                "instance",
                "instance",
                "URL",
                "The server, such as mastodon.social",
            )
            .needed_without(&["sandbox", "in_browser"])
            .excludes(&["sandbox"]),
            Argument::new(
                ArgumentKind::Secret { prompt: "Access token" },
                "accessToken",
                "token",
                "TOKEN",
                "The access token",
            )
            .excludes(&["sandbox", "in_browser"]),
        ],
    },
};

/// What a poll may be by default; a server may say otherwise.
///
/// Source: <https://github.com/mastodon/mastodon/tree/v4.6.5>, `app/validators/poll_options_validator.rb`
/// and `poll_expiration_validator.rb`: 300 to 2 629 746 seconds.
const POLL: PollFigures = PollFigures {
    min_items: 2,
    max_items: 4,
    max_length: 50,
    warns_of_bytes: false,
    max_question: None,
    duration: PollDuration::Between(5, 43_829),
    multiple: true,
    hides_results: true,
};

/// What Mastodon takes and offers by default; a server may say otherwise for its accounts.
///
/// Source, unless a line names another: <https://github.com/mastodon/mastodon/tree/v4.6.5>.
pub const SHEET: CapabilitySheet = CapabilitySheet {
    platform: Platform::Mastodon,
    name: "Mastodon",
    // app/validators/status_length_validator.rb; content warning and text together
    char_limit: 500,
    // app/models/status.rb
    requires_media: RequiredMedia::None,
    // app/models/media_attachment.rb
    supports_image: true,
    supports_video: true,
    // app/services/post_status_service.rb: only with files
    allows_empty_text: true,
    // app/models/status.rb, MEDIA_ATTACHMENTS_LIMIT
    max_media_per_post: 4,
    // app/models/media_attachment.rb: less than 16 MiB
    max_image_bytes: 16_777_215,
    // app/models/media_attachment.rb: less than 99 MiB
    max_video_bytes: 103_809_023,
    min_video_duration_seconds: Some(0),
    // long videos are cut at 36 000 frames, not refused
    max_video_duration_seconds: None,
    min_video_fps: None,
    // app/models/media_attachment.rb; the rate is rounded down first
    max_video_fps: Some(120),
    // `in_reply_to_id`
    supports_thread: true,
    // media `description`
    supports_alt_text: true,
    supports_thumbnail: true,
    supports_first_comment: false,
    // https://docs.joinmastodon.org/methods/statuses/#edit
    can_edit_remote: true,
    // https://docs.joinmastodon.org/methods/statuses/#delete
    can_delete_remote: true,
    take_down_within: None,
    take_down_by_permission: false,
    // https://docs.joinmastodon.org/methods/statuses/#context
    can_read_comments: true,
    // a comment is a status
    comment_limit: CommentLimit::AsPost,
    // https://docs.joinmastodon.org/entities/Account/#followers_count
    reports_followers: true,
    traffic_sources: &[],
    // favourites_count, reblogs_count, replies_count, quotes_count
    metric_fields: &[Metric::Likes, Metric::Shares, Metric::Comments, Metric::Quotes],
    metric_changes: &[],
    notes: "Limits shown are the Mastodon defaults; a server may set its own. Links count 23 characters, the domain of a mention does not count. Video cannot be mixed with other files. Edits replace the whole post.",
    short_name: "Mastodon",
    also_called: &[],
    // each server shows its own
    profile: None,
    without_link: "",
    manner: "plain and friendly, hashtags in camel case, without marketing language",
    api: None,
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
        unit: TextUnit::MastodonCharacters,
        byte_limit: None,
        limit_with_media: LimitWithMedia::Same,
        warning: None,
        forbidden: &[],
        hashtags: CountBounds::NONE,
        mentions: CountBounds::NONE,
        links: CountBounds::NONE,
        cashtags: CountBounds::NONE,
        is_optional_beside_link: false,
        // app/models/status.rb, prepare_contents; of the content warning as well
        cleaning: TextCleaning::TrimAscii,
    },
    media: MediaFigures {
        placement: PlacementChoice::ByFiles,
        fetched_by_address: false,
        max_images: 4,
        // app/services/post_status_service.rb: a video is the only file
        max_videos: 1,
        documents: DocumentFigures::NONE,
        mixes_kinds: false,
        // app/models/media_attachment.rb
        image_types: FileTypes::only(&["image/jpeg", "image/png", "image/gif", "image/webp"])
            .changing(&[
                ("image/heic", "Mastodon turns it into JPEG."),
                ("image/heif", "Mastodon turns it into JPEG."),
                ("image/avif", "Mastodon turns it into JPEG."),
            ]),
        // the ending .m4v is named among those that are taken, its type is not
        video_types: FileTypes::only(&["video/mp4"]).changing(&[
            ("video/webm", "Mastodon converts it to MP4."),
            ("video/quicktime", "Mastodon converts it to MP4."),
            ("video/ogg", "Mastodon converts it to MP4."),
            ("video/x-m4v", "Mastodon may know it by its ending only."),
        ]),
        // https://docs.joinmastodon.org/user/posting/ allows one alone, the source more
        // app/models/media_attachment.rs: larger ones are scaled down to so many pixels
        picture_recipe: Some(
            Recipe {
                pixels_max: Some(8_294_400),
                ..Recipe::jpeg("mastodon-image", 7680, 16_000_000)
            }
            .with_types(&["image/jpeg", "image/png"]),
        ),
        gif: GifPlay::RatherAlone,
        carousel: Alike::No,
        // app/models/media_attachment.rb
        codecs: Codecs::rather(&[VideoCodec::H264], "Mastodon converts it."),
        // app/models/concerns/attachmentable.rb
        frame_rate: Measure::WholeFps,
        // app/models/media_attachment.rb
        limits: &[
            // 7680 x 4320
            FileLimit::refused(MediaKind::Image, Measure::Pixels, None, Some(33_177_600.0)),
            // 1280 x 720
            FileLimit::refused(MediaKind::Image, Measure::Pixels, None, Some(921_600.0))
                .for_types(&["image/gif"]),
            // 3840 x 2160
            FileLimit::warned(
                MediaKind::Image,
                Measure::Pixels,
                None,
                Some(8_294_400.0),
                "Mastodon scales it down.",
            ),
            // 3840 x 2160
            FileLimit::refused(MediaKind::Video, Measure::Pixels, None, Some(8_294_400.0)),
            FileLimit::warned(
                MediaKind::Video,
                Measure::Frames,
                None,
                Some(36_000.0),
                "Mastodon cuts a video there when it has to convert it.",
            ),
        ],
        // interface description, altTexts; 4.5 and older take 1500
        alt_text_limit: 1000,
        alt_text_of_videos: true,
        details: &[FileDetail::Focus],
        total_bytes: TotalBytes::ANY,
    },
    link: LinkPlace::Text,
    // source of Mastodon 4.6.5
    checked: &[Checked::on("all", 2026, 8, 6)],
    options: &[
        CAPTION,
        SIGNATURE,
        THREAD,
        // https://docs.joinmastodon.org/methods/statuses/#create
        OptionFact::new(
            "visibility",
            "visibility",
            "Visibility",
            OptionValue::OneOf(&["public", "unlisted", "private", "direct"]),
        )
        .about("Who sees it."),
        // counted together with the text
        OptionFact::new(
            "spoilerText",
            "spoiler_text",
            "Content warning",
            OptionValue::Text { bound: None, needs_text: false, forbidden: &[] },
        )
        .about("A content warning that hides the text; it counts with the text."),
        // https://docs.joinmastodon.org/methods/statuses/#create
        OptionFact::new("language", "language", "Language", OptionValue::Language)
            .about("The language of the text; the account's own setting without it."),
        // https://docs.joinmastodon.org/methods/statuses/#create
        OptionFact::new("sensitive", "sensitive", "Hidden files", OptionValue::Flag)
            .about("Hide the files until somebody asks for them.")
            .effective(Effect::WithFiles),
        // https://docs.joinmastodon.org/methods/statuses/#create, since 4.5
        OptionFact::new(
            "quotePolicy",
            "quote_policy",
            "Who may quote it",
            OptionValue::OneOf(&["public", "followers", "nobody"]),
        )
        .about("Who may quote it."),
        // https://docs.joinmastodon.org/methods/statuses/#create, `quoted_status_id`, since 4.5
        OptionFact::new(
            "quote",
            "quote",
            "The quoted post",
            OptionValue::Address { max_length: Some(2_048) },
        )
        .about("The address of the post that it quotes."),
        // https://docs.joinmastodon.org/methods/media/#v2, `thumbnail`
        OptionFact::new("thumbnailMediaId", "thumbnail_media_id", "The cover", OptionValue::Uuid)
            .about("The id of an image, which must be `ready`: what its video is shown by.")
            .effective(Effect::WithVideo),
        OptionFact::new("poll", "poll", "Poll", OptionValue::Poll(POLL)),
    ],
    prices: None,
    with_files: None,
};

options! {
    Mastodon {
        /// The posts that follow the first.
        thread: Vec<ThreadPart>,
        /// Who sees it.
        visibility: MastodonVisibility,
        /// A content warning, behind which it is hidden.
        spoiler_text: String,
        /// The language of its text, such as `en`.
        language: String,
        /// Whether its files are hidden until somebody asks for them.
        sensitive: bool,
        /// Who may quote it.
        quote_policy: MastodonQuotePolicy,
        /// The address of the post that it quotes.
        quote: String,
        /// The uploaded image that stands for its video.
        thumbnail_media_id: MediaId,
        /// A poll below the first post.
        poll: Poll,
    } where
    /// Who sees a post on Mastodon.
    MastodonVisibility {
        /// Everybody, in public timelines.
        Public = "public",
        /// Everybody, in no public timeline.
        Unlisted = "unlisted",
        /// Followers.
        Private = "private",
        /// Whom it mentions.
        Direct = "direct",
    } where
    /// Who may quote a post on Mastodon.
    MastodonQuotePolicy {
        /// Everybody.
        Public = "public",
        /// Followers.
        Followers = "followers",
        /// Nobody but its author.
        Nobody = "nobody",
    }
}
