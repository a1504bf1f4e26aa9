//! The use cases: one function for each thing that the API and the application offer.
//!
//! Each reads what it needs through the ports, decides by the pure functions of the resource's
//! module, and has the result stored in one operation.

mod account_sets;
mod accounts;
mod acting;
mod agents;
mod analytics;
mod answers;
mod approvals;
mod assistant;
mod audit;
mod calendar;
mod caller;
mod changes;
mod check;
mod connecting;
mod feeds;
mod inbox;
mod item_page;
mod keys;
mod links;
pub(crate) mod media;
mod notifiers;
mod oauth;
mod openid;
mod passkeys;
mod platforms;
mod posts;
mod queue;
mod recurrences;
mod rehearsal;
mod repeating;
mod sessions;
mod sign_in;
mod snippets;
mod targets;
mod webhooks;
mod workspaces;

use std::fmt;
use std::sync::Arc;

use chrono::TimeDelta;
use futures_util::lock::Mutex;

use crate::engine::Refreshes;
use crate::links::ShortLinks;
use crate::media::Decoding;
use crate::oauth::OAuth;
use crate::openid::OpenId;
use crate::plan::Plans;
use crate::platform::Amount;
use crate::ports::{
    After, Assistant, Clock, EventSender, Examiner, Fetcher, Files, Ids, Mailer, Networks, Random,
    Store, Tasks, Wake,
};
use crate::retry::Waits;
use crate::rules::RuleSet;
use crate::webhook::HISTORY_KEPT;
use crate::workspace::Workspace;

use answers::Answers;

pub use accounts::{
    AUDIENCE_DAYS_DEFAULT, AUDIENCE_DAYS_MAX, AccountDetail, AccountHealth, AccountPage,
    AccountPicture, AccountState, AudienceReading, AudienceSeries, ConnectedAccount, DUE_SHOWN,
    DefaultsInput, DueChoice, Ending, MENTION_QUERY_MAX_CHARACTERS, NewPlaylistInput,
    ScheduleInput, ScheduleView, SchedulesInput, ZoneInput,
};
pub use analytics::{Asked, Gains, GoodTimes, PostGains};
pub use approvals::{
    APPROVAL_POSTS_MAX, ApprovalAnswer, ApprovalFile, ApprovalInput, ApprovalLinkView,
    ApprovalNews, ApprovalPage, ApprovalPost, ApprovalTarget, ApprovalView, Decided, FileNews,
    NewApproval, OpenedApproval, PostReviewInput, RemarkInput, TargetNews,
};
pub use assistant::{CaptionAllowance, Captions, CaptionsInput, ReviewInput};
pub use calendar::{CalendarPage, NewCalendarFeed};
pub use caller::{Caller, Credential};
pub use check::{CheckInput, CheckReport, MediaItem, TargetLink, TargetTime, TextCount};
pub use connecting::{
    Browser, Choice, ConnectLinkInput, ConnectLinkView, ConnectingView, Invitation, OpenedPage,
    Returned, StageView,
};
pub use feeds::{FeedTrial, TRIED_ITEMS, TriedItem};
pub use keys::{NewKey, NewKeyInput};
pub use links::{SHORT_LINKS_DEFAULT, SHORT_LINKS_MAX};
pub use media::{
    CompleteInput, ListedMedia, MediaPage, NewUploadLink, OpenUploadLink, PartView, ShownMedia,
    UploadInstructions, UploadView,
};
pub use notifiers::{NotifierInput, NotifierTest};
pub use oauth::{Asking, Consent, TokenError};
pub use openid::{BegunSignIn, ProviderAnswer, SignedIn};
pub use passkeys::{NewPasskey, PasskeyOffer};
pub use posts::{
    BATCH_MAX_COUNT, BatchInput, BatchItem, BatchReport, BatchResult, ChangeView, PostOrigin,
    RETRY_MAX_POSTS, RetryInput, RetryReport, VersionView,
};
pub use queue::{FREE_SLOTS_DAYS, QUEUE_SLOTS, QueueSlot, SlotMove, SlotOrder, SlotSwap};
pub use sessions::{ClaimedSession, Member, RequestedLogin};
pub use sign_in::SignInLink;
pub use targets::{
    AccountChoice, CommentInput, CommentOutcome, CommentsView, EditInput, InsightsView,
    READINGS_MAX, TakeDownReport, TakeDownResult, TakenDown,
};
pub use webhooks::WebhookInput;
pub use workspaces::{FirstStart, NewWorkspace, WorkspaceChange};

/// Everything from outside that the core works with.
#[derive(Clone)]
pub struct Ports {
    /// What is kept.
    pub store: Arc<dyn Store>,
    /// The networks that are built in.
    pub networks: Networks,
    /// What the networks offer once a post is live.
    pub after: After,
    /// Writes and judges texts.
    pub assistant: Arc<dyn Assistant>,
    /// Sends events.
    pub sender: Arc<dyn EventSender>,
    /// Sends mail.
    pub mail: Arc<dyn Mailer>,
    /// Keeps the bytes of files.
    pub files: Arc<dyn Files>,
    /// Fetches files from elsewhere.
    pub fetcher: Arc<dyn Fetcher>,
    /// Finds out what files are.
    pub examiner: Arc<dyn Examiner>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes ids.
    pub ids: Arc<dyn Ids>,
    /// Gives randomness.
    pub random: Arc<dyn Random>,
    /// Wakes the engine.
    pub wake: Arc<dyn Wake>,
    /// Runs what nothing may cut off, and waits.
    pub tasks: Arc<dyn Tasks>,
}

impl fmt::Debug for Ports {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Ports").field("networks", &self.networks).finish_non_exhaustive()
    }
}

/// What an operator can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What each plan allows.
    pub plans: Plans,
    /// How long to wait after a failure.
    pub waits: Waits,
    /// Whether accounts of X can be connected, and send files.
    pub connect_twitter: bool,
    /// Whether the pages that posts link to are read for the cards of their links, as the posts are
    /// saved.
    pub read_link_pages: bool,
    /// What the posts of an account may cost in a calendar month of UTC, at a network that charges
    /// for posts and in its currency; `None` sets no bound.
    pub account_monthly_cap: Option<Amount>,
    /// Bytes of the largest file that the server takes, whatever the plan.
    pub file_bytes_max: u64,
    /// How long a workspace waits between two requests for fresh readings.
    pub refresh_every: TimeDelta,
    /// How long events and their deliveries are kept after their end.
    pub history_kept: TimeDelta,
}

/// How long a workspace waits between two requests for fresh readings, unless the operator sets
/// another time: 10 minutes.
///
/// Source: our decision; the interface description does not show the figure.
pub const REFRESH_EVERY: TimeDelta = TimeDelta::minutes(10);

/// Bytes of the largest file that the server takes unless the operator sets another figure:
/// 10 GiB.
///
/// Source: our decision; the interface description does not show the figure.
pub const FILE_BYTES_MAX: u64 = 10 << 30;

impl Default for Settings {
    fn default() -> Self {
        Self {
            plans: Plans::default(),
            waits: Waits::default(),
            connect_twitter: false,
            read_link_pages: true,
            account_monthly_cap: None,
            file_bytes_max: FILE_BYTES_MAX,
            refresh_every: REFRESH_EVERY,
            history_kept: HISTORY_KEPT,
        }
    }
}

/// The scheduler: the use cases and the engine over the ports.
///
/// Cloning it is cheap; every clone works on the same ports.
#[derive(Clone, Debug)]
pub struct Scheduler {
    ports: Ports,
    settings: Settings,
    rules: RuleSet,
    /// Who lets people in beside links and keys.
    openid: Option<OpenId>,
    /// Who lets programs in beside keys.
    oauth: Option<OAuth>,
    /// Where the pages for people are.
    pages: Option<Arc<str>>,
    /// What makes short links, where the server has an address.
    short_links: Option<ShortLinks>,
    refreshes: Refreshes,
    answers: Answers,
    /// Held by the one that does all due work.
    turns: Arc<Mutex<()>>,
}

impl Scheduler {
    /// A scheduler over these ports.
    #[must_use]
    pub fn new(ports: Ports, settings: Settings) -> Self {
        Self {
            ports,
            settings,
            rules: RuleSet::new(),
            openid: None,
            oauth: None,
            pages: None,
            short_links: None,
            refreshes: Refreshes::default(),
            answers: Answers::default(),
            turns: Arc::default(),
        }
    }

    /// The same with rules of one's own, in place of those that it had. Every process that works
    /// on a store needs the same ones: they run again right before a post is sent.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use scheduler_core::app::{Scheduler, Settings};
    /// use scheduler_core::memory::{ManualClock, test_ports};
    /// use scheduler_core::rules::{CustomRule, RuleSet, Draft, Findings};
    ///
    /// /// No post is empty of thought.
    /// struct Thought;
    ///
    /// impl CustomRule for Thought {
    ///     fn id(&self) -> &str {
    ///         "house.thought"
    ///     }
    ///
    ///     fn check_post(&self, draft: &Draft<'_>, findings: &mut Findings<'_>) {
    ///         if draft.content.trim() == "First!" {
    ///             findings.error("Say something.");
    ///         }
    ///     }
    /// }
    ///
    /// let ports = test_ports(Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?)));
    /// let rules = RuleSet::new().with(Thought)?;
    /// let scheduler = Scheduler::new(ports, Settings::default()).with_rules(rules);
    /// assert_eq!(format!("{:?}", scheduler.rules()), r#"["house.thought"]"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_rules(self, rules: RuleSet) -> Self {
        Self { rules, ..self }
    }

    /// The same with an OpenID provider that lets people in.
    #[must_use]
    pub fn with_openid(self, openid: OpenId) -> Self {
        Self { openid: Some(openid), ..self }
    }

    /// The same with programs let in by OAuth.
    #[must_use]
    pub fn with_oauth(self, oauth: OAuth) -> Self {
        Self { oauth: Some(oauth), ..self }
    }

    /// The same with pages for people at an address, such as `https://posts.example`, to which the
    /// messages to people link.
    #[must_use]
    pub fn with_pages(self, address: &str) -> Self {
        Self { pages: Some(address.trim_end_matches('/').into()), ..self }
    }

    /// The same over another view of its store, such as one with connections of its own.
    #[must_use]
    pub fn with_store(&self, store: Arc<dyn Store>) -> Self {
        Self { ports: Ports { store, ..self.ports.clone() }, ..self.clone() }
    }

    /// The rules of one's own.
    #[must_use]
    pub const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// What the server can read of pictures.
    pub(crate) fn decoding(&self) -> Decoding {
        self.ports.examiner.decoding()
    }

    pub(crate) const fn refreshes(&self) -> &Refreshes {
        &self.refreshes
    }

    pub(crate) const fn answers(&self) -> &Answers {
        &self.answers
    }

    pub(crate) fn turns(&self) -> &Mutex<()> {
        &self.turns
    }

    /// What it works with.
    #[must_use]
    pub const fn ports(&self) -> &Ports {
        &self.ports
    }

    /// What the operator has set.
    #[must_use]
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    fn store(&self) -> &dyn Store {
        &*self.ports.store
    }

    /// Where the pages of a workspace are, where there are any.
    pub(crate) fn pages_of(&self, workspace: &Workspace) -> Option<String> {
        let pages = self.pages.as_deref()?;
        Some(format!("{pages}/w/{}", workspace.short_name()))
    }
}

/// How often a use case decides anew when another was faster, before it gives up.
const DECIDE_ATTEMPTS: u32 = 100;
