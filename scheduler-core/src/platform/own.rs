//! Networks of a program's own, beside those of the service.
//!
//! What is stored and sent names a network by a text, so a name stands for one network in the whole
//! process.

use std::fmt;
use std::sync::{PoisonError, RwLock};

use super::{
    CAPTION, CapabilitySheet, CommentLimit, ConnectingFacts, CountBounds, EntitySyntax,
    FiguresCost, LimitWithMedia, LinkPlace, MediaFigures, Platform, ReadingFigures, RequiredMedia,
    SIGNATURE, TextCleaning, TextFigures, TextUnit,
};

/// Longest wire name. Our decision.
const NAME_MAX: usize = 32;

static REGISTERED: RwLock<Vec<&'static CapabilitySheet>> = RwLock::new(Vec::new());

/// What a sheet describes that is not registered.
static PLAIN: CapabilitySheet = CapabilitySheet::plain("Unregistered", 0);

/// A network of a program's own, under its wire name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnNetwork(&'static str);

/// A network was not registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The wire name is not 1 to 32 small letters and digits with a letter first.
    #[error("{0:?} cannot name a network: take 1 to 32 of a to z and 0 to 9, with a letter first")]
    Name(String),
    /// A network of the service has the wire name, or one that was registered with another sheet.
    #[error("there is a network {0:?} already: take another name")]
    Taken(String),
}

impl Platform {
    /// Makes a network of the program's own known under a wire name, with its sheet.
    ///
    /// Rules, ids of rules, labels, events and metrics then speak of it by its own name and
    /// figures. To register the same again gives the same network. It is known until the process
    /// ends; register it before a store is read that names it. The server registers none.
    ///
    /// ```
    /// use scheduler_core::platform::{CapabilitySheet, Platform};
    ///
    /// let intranet = Platform::register("intranet", CapabilitySheet::plain("Intranet", 2_000))?;
    /// assert_eq!("intranet".parse(), Ok(intranet));
    /// assert_eq!(intranet.sheet().char_limit, 2_000);
    /// # Ok::<(), scheduler_core::platform::RegisterError>(())
    /// ```
    ///
    /// # Errors
    /// [`RegisterError::Name`] for a name that is not 1 to 32 of `a` to `z` and `0` to `9` with a
    /// letter first; [`RegisterError::Taken`] when a network of the service has it, or one that was
    /// registered with another sheet.
    pub fn register(name: &str, sheet: CapabilitySheet) -> Result<Self, RegisterError> {
        let begins = name.starts_with(|first: char| first.is_ascii_lowercase());
        let holds = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if !begins || !holds || name.len() > NAME_MAX {
            return Err(RegisterError::Name(name.to_owned()));
        }
        let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(earlier) = registered.iter().find(|earlier| earlier.platform.as_str() == name) {
            let platform = earlier.platform;
            let is_same = **earlier == CapabilitySheet { platform, ..sheet };
            return if is_same { Ok(platform) } else { Err(RegisterError::Taken(name.to_owned())) };
        }
        if Self::ALL.into_iter().any(|platform| platform.as_str() == name) {
            return Err(RegisterError::Taken(name.to_owned()));
        }
        // Both stay for as long as the process, as the networks of the service do.
        let platform = Self::Own(OwnNetwork(name.to_owned().leak()));
        registered.push(Box::leak(Box::new(CapabilitySheet { platform, ..sheet })));
        Ok(platform)
    }
}

/// The networks that were registered, in order.
pub(super) fn registered() -> Vec<Platform> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.iter().map(|sheet| sheet.platform).collect()
}

impl OwnNetwork {
    pub(super) const fn name(self) -> &'static str {
        self.0
    }

    pub(super) fn sheet(self) -> &'static CapabilitySheet {
        let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
        let own = registered.iter().find(|sheet| sheet.platform == Platform::Own(self));
        own.copied().unwrap_or(&PLAIN)
    }
}

impl CapabilitySheet {
    /// A network that takes text of at most `char_limit` code points, and nothing else: where a
    /// sheet for [`Platform::register`] begins.
    ///
    /// `name` is the name for people. Every field can then be set. Files need
    /// [`max_media_per_post`](Self::max_media_per_post), the flags and sizes of their kind, and in
    /// [`media`](Self::media) their number and types.
    ///
    /// ```
    /// use scheduler_core::platform::{CapabilitySheet, FileTypes};
    ///
    /// let mut sheet = CapabilitySheet::plain("Intranet", 2_000);
    /// sheet.supports_image = true;
    /// (sheet.max_media_per_post, sheet.max_image_bytes) = (4, 5_000_000);
    /// sheet.media.max_images = 4;
    /// sheet.media.image_types = FileTypes::only(&["image/jpeg", "image/png"]);
    /// ```
    #[must_use]
    pub const fn plain(name: &'static str, char_limit: u32) -> Self {
        Self {
            platform: Platform::Own(OwnNetwork("unregistered")),
            name,
            char_limit,
            requires_media: RequiredMedia::None,
            supports_image: false,
            supports_video: false,
            allows_empty_text: false,
            max_media_per_post: 0,
            max_image_bytes: 0,
            max_video_bytes: 0,
            min_video_duration_seconds: None,
            max_video_duration_seconds: None,
            min_video_fps: None,
            max_video_fps: None,
            supports_thread: false,
            supports_alt_text: false,
            supports_thumbnail: false,
            supports_first_comment: false,
            can_edit_remote: false,
            can_delete_remote: false,
            take_down_within: None,
            take_down_by_permission: false,
            can_read_comments: false,
            comment_limit: CommentLimit::Unknown,
            reports_followers: false,
            traffic_sources: &[],
            metric_fields: &[],
            metric_changes: &[],
            notes: "",
            short_name: name,
            also_called: &[],
            profile: None,
            without_link: "",
            manner: "plain and short",
            api: None,
            connecting: &ConnectingFacts::BY_PROGRAM,
            lists: &[],
            keeps_uploads: false,
            refuses_repeats: false,
            readings: ReadingFigures { budgets: &[], figures: FiguresCost::Call(0), look: 0 },
            publishing: &[],
            limits_differ: false,
            text: TextFigures {
                own_text: &[CAPTION.key],
                entities: EntitySyntax::Common,
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
            media: MediaFigures::NONE,
            link: LinkPlace::Text,
            checked: &[],
            options: &[CAPTION, SIGNATURE],
            prices: None,
            with_files: None,
        }
    }
}

impl fmt::Debug for OwnNetwork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
