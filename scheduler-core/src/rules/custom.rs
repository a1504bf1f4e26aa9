//! Rules of one's own: what a house, a client or a law asks beyond what the networks do.

use std::fmt;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, Draft, DraftAccount, Severity};
use crate::platform::{AccountLimits, Platform};
use crate::text::Composed;

/// A rule of one's own, run after the built-in ones wherever a post is checked: in a dry run, on
/// create and update, before an edit of a live post, and right before a post is sent.
///
/// A rule decides by what it is given alone, the same each time: one that asks a clock or a server
/// would accept a post and refuse it when it goes out. It runs within the check, so it has to be
/// quick.
///
/// ```
/// use scheduler_core::platform::{AccountLimits, Platform};
/// use scheduler_core::rules::{
///     Context, CustomRule, Draft, DraftTarget, Findings, Listing, OutgoingTarget, RuleSet,
/// };
///
/// /// Every post of the brand's account names its campaign.
/// struct Campaign;
///
/// impl CustomRule for Campaign {
///     fn id(&self) -> &str {
///         "house.campaign"
///     }
///
///     fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
///         let is_brand = target.account().is_none_or(|account| account.username == Some("brand"));
///         if is_brand && !target.text().contains("#spring") {
///             findings.error("The text has to name the campaign: #spring.");
///         }
///     }
///
///     fn describe(&self, listing: &mut Listing<'_>) {
///         if listing.platform().is_some() {
///             listing.error("The text does not name the campaign.");
///         }
///     }
/// }
///
/// let (options, limits) = (Default::default(), AccountLimits::default());
/// let target = DraftTarget::new(Platform::Bluesky, &options, &limits);
/// let draft = Draft {
///     content: "Tulips",
///     link_url: None,
///     media: &[],
///     alt_texts: &[],
///     targets: &[target],
/// };
/// let rules = RuleSet::new().with(Campaign)?;
/// let issues = rules.check(&draft, &Context::default());
/// assert_eq!(issues[0].rule, "bluesky.house.campaign");
/// assert!(rules.catalogue().iter().any(|entry| entry.rule == "bluesky.house.campaign"));
/// # Ok::<(), scheduler_core::rules::RuleSetError>(())
/// ```
pub trait CustomRule: Send + Sync {
    /// Its name, without the network: two or more lower-case words with dots between, such as
    /// `house.campaign`. Issues carry it behind `post.` or the network, as those of built-in rules
    /// do. Its first word is no network, and no word with which an id of a built-in rule goes on;
    /// one that is clearly the house's own keeps it apart from later rules as well.
    fn id(&self) -> &str;

    /// Looks at the post as a whole, once.
    fn check_post(&self, draft: &Draft<'_>, findings: &mut Findings<'_>) {
        let _ = (draft, findings);
    }

    /// Looks at what one target will get.
    fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
        let _ = (target, findings);
    }

    /// Says for [`RuleSet::catalogue`](super::RuleSet::catalogue) what it can find: asked once for
    /// posts as a whole, and once for each network.
    fn describe(&self, listing: &mut Listing<'_>) {
        let _ = listing;
    }
}

/// Where a rule of one's own says what it can find: in posts as a whole, or in those to one
/// network.
pub struct Listing<'a> {
    pub(super) catalogue: &'a mut Catalogue,
    pub(super) id: &'a str,
}

impl Listing<'_> {
    /// The network; `None` for posts as a whole.
    #[must_use]
    pub const fn platform(&self) -> Option<Platform> {
        self.catalogue.platform
    }

    /// Names an error that the rule can find, and when it does, as a sentence.
    pub fn error(&mut self, when: &str) {
        self.catalogue.add(Severity::Error, format_args!("{}", self.id), when);
    }

    /// Names a warning that the rule can find, and when it does, as a sentence.
    pub fn warning(&mut self, when: &str) {
        self.catalogue.add(Severity::Warning, format_args!("{}", self.id), when);
    }
}

impl fmt::Debug for Listing<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Listing").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Something that a rule of one's own has found: a sentence, data, or both.
///
/// ```
/// use scheduler_core::rules::{Detail, Finding, Place};
///
/// let sentence = Finding::from("The text has to name the campaign.");
/// let place = Finding::from(Detail::Empty { place: Place::Text }).saying("Write something.");
/// assert_ne!(sentence, place);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    message: Option<String>,
    detail: Option<Detail>,
}

impl Finding {
    /// The same in other words, for a person: what is wrong, and what is allowed.
    #[must_use]
    pub fn saying(self, message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), ..self }
    }
}

impl From<String> for Finding {
    /// A sentence alone.
    fn from(message: String) -> Self {
        Self { message: Some(message), detail: None }
    }
}

impl From<&str> for Finding {
    /// A sentence alone.
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl From<Detail> for Finding {
    /// Data, and the English sentence that a built-in rule would make of it.
    fn from(detail: Detail) -> Self {
        Self { message: None, detail: Some(detail) }
    }
}

/// Where a rule of one's own puts what it finds. An error stops the post, a warning does not.
pub struct Findings<'a> {
    pub(super) issues: &'a mut Issues,
    pub(super) id: &'a str,
}

impl Findings<'_> {
    /// Adds an error: a sentence for a person, with what is wrong and what is allowed, or a
    /// [`Detail`].
    pub fn error(&mut self, finding: impl Into<Finding>) {
        self.add(Severity::Error, finding.into());
    }

    /// Adds a warning.
    pub fn warning(&mut self, finding: impl Into<Finding>) {
        self.add(Severity::Warning, finding.into());
    }

    fn add(&mut self, severity: Severity, Finding { message, detail }: Finding) {
        self.issues.own(severity, self.id, message, detail);
    }
}

impl fmt::Debug for Findings<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Findings").field("id", &self.id).finish_non_exhaustive()
    }
}

/// One target of a post, as it will go out.
#[derive(Clone, Copy)]
pub struct OutgoingTarget<'a>(pub(super) &'a TargetView<'a>);

impl<'a> OutgoingTarget<'a> {
    /// The network.
    #[must_use]
    pub const fn platform(&self) -> Platform {
        self.0.sheet.platform
    }

    /// The text that the network will get, or the first part of a thread: its own caption or the
    /// shared text, with the link where the network has no other place for it.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.0.composed.text()
    }

    /// The whole of what the network will get as text: all parts, the link card, the content
    /// warning.
    #[must_use]
    pub const fn composed(&self) -> &'a Composed {
        &self.0.composed
    }

    /// The target's settings, with the labels that its post sets for all.
    #[must_use]
    pub fn options(&self) -> &'a Map<String, Value> {
        &self.0.options
    }

    /// What the network says for this account.
    #[must_use]
    pub const fn limits(&self) -> &'a AccountLimits {
        self.0.limits
    }

    /// Who posts it, and in which workspace; `None` in a check by sheets alone, and of a network
    /// without a connected account.
    #[must_use]
    pub const fn account(&self) -> Option<DraftAccount<'a>> {
        self.0.target.account
    }

    /// When it goes out: known from the creation of a post on, not in a dry run, and not of a
    /// draft. A queued post is checked at its creation for the slot that is free then.
    #[must_use]
    pub const fn due_at(&self) -> Option<DateTime<Utc>> {
        self.0.target.due_at
    }

    /// The post that it belongs to: its files, its link, its alternative texts.
    #[must_use]
    pub const fn draft(&self) -> &'a Draft<'a> {
        &self.0.draft
    }
}

impl fmt::Debug for OutgoingTarget<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("OutgoingTarget").field(&self.platform()).finish()
    }
}
