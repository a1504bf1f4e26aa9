//! The rules that a check runs: the built-in ones, those of one's own, and which warnings count.

use std::fmt;
use std::sync::Arc;

use super::catalogue::Catalogue;
use super::custom::{CustomRule, Findings, Listing, OutgoingTarget};
use super::draft::TargetView;
use super::issues::Issues;
use super::{CatalogueEntry, Context, Draft, Severity, ValidationIssue, catalogue, run_rules};
use crate::platform::Platform;

/// The built-in rules, with rules of one's own behind them in the order in which they were added.
///
/// An error of a network always stays an error: the network would refuse the post. Its warnings can
/// be made errors or left out, by the id of the rule, with `*` for any run of characters.
///
/// ```
/// use scheduler_core::rules::{RuleSet, RuleSetError};
///
/// let strict = RuleSet::new().deny_warnings("bluesky.*")?.without("youtube.media.fps_low")?;
/// assert!(strict.catalogue().iter().all(|entry| entry.rule != "youtube.media.fps_low"));
/// let refused = RuleSet::new().without("bluesky.text.too_long");
/// assert!(matches!(refused, Err(RuleSetError::IsError(_))));
/// # Ok::<(), RuleSetError>(())
/// ```
#[derive(Clone, Default)]
pub struct RuleSet {
    own: Vec<Arc<dyn CustomRule>>,
    denied: Vec<String>,
    left_out: Vec<String>,
}

/// A set of rules cannot be what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RuleSetError {
    /// The id of a rule of one's own is not two or more lower-case words with dots between.
    #[error(
        "{0:?} cannot name a rule: take two or more words of a to z, 0 to 9 and _, each with a letter first, with dots between"
    )]
    Id(String),
    /// The first word of the id is a network, or a word of built-in rules.
    #[error("{0:?} begins like the id of a built-in rule: take another first word")]
    Reserved(String),
    /// Another rule of the set has the id.
    #[error("there is a rule {0:?} already")]
    Taken(String),
    /// No rule of the set has an id of that pattern.
    #[error("no rule is called {0:?}")]
    Unknown(String),
    /// All rules of that pattern find errors, which stay errors.
    #[error("{0:?} is an error, which cannot be changed")]
    IsError(String),
}

impl RuleSet {
    /// The built-in rules alone.
    #[must_use]
    pub const fn new() -> Self {
        Self { own: Vec::new(), denied: Vec::new(), left_out: Vec::new() }
    }

    /// These and one more.
    ///
    /// # Errors
    /// [`RuleSetError::Id`], [`RuleSetError::Reserved`] or [`RuleSetError::Taken`] for an id that
    /// the rule cannot have.
    pub fn with(mut self, rule: impl CustomRule + 'static) -> Result<Self, RuleSetError> {
        let id = rule.id();
        if !is_id(id) {
            return Err(RuleSetError::Id(id.to_owned()));
        }
        let first = first_word(id);
        let is_built_in = |entry: &CatalogueEntry| {
            entry.rule.split_once('.').is_some_and(|(_, check)| first_word(check) == first)
        };
        let is_network = first == "post" || Platform::known().any(|it| it.as_str() == first);
        if is_network || catalogue().iter().any(is_built_in) {
            return Err(RuleSetError::Reserved(id.to_owned()));
        }
        if self.own.iter().any(|other| other.id() == id) {
            return Err(RuleSetError::Taken(id.to_owned()));
        }
        self.own.push(Arc::new(rule));
        Ok(self)
    }

    /// The same with warnings of this pattern as errors, which stop a post.
    ///
    /// # Errors
    /// [`RuleSetError::Unknown`] or [`RuleSetError::IsError`] when no rule of the set finds
    /// warnings under that pattern.
    pub fn deny_warnings(mut self, pattern: &str) -> Result<Self, RuleSetError> {
        self.require_warnings(pattern)?;
        self.denied.push(pattern.to_owned());
        Ok(self)
    }

    /// The same without the warnings of this pattern; errors are found as before.
    ///
    /// # Errors
    /// [`RuleSetError::Unknown`] or [`RuleSetError::IsError`] when no rule of the set finds
    /// warnings under that pattern.
    pub fn without(mut self, pattern: &str) -> Result<Self, RuleSetError> {
        self.require_warnings(pattern)?;
        self.left_out.push(pattern.to_owned());
        Ok(self)
    }

    /// Checks a post as [`check`](super::check) does, and by these rules: issues of the post as a
    /// whole come first, then those of each target; in each place the built-in rules speak first.
    #[must_use]
    pub fn check(&self, draft: &Draft<'_>, context: &Context) -> Vec<ValidationIssue> {
        let mut issues = run_rules(draft, context, self);
        if !self.denied.is_empty() || !self.left_out.is_empty() {
            issues.retain_mut(|issue| self.counts(&issue.rule, &mut issue.severity));
        }
        issues
    }

    /// Lists every rule of the set, as [`catalogue`](super::catalogue()) lists the built-in ones:
    /// in each place those of one's own come last, as far as they describe themselves.
    #[must_use]
    pub fn catalogue(&self) -> Vec<CatalogueEntry> {
        let mut entries = Catalogue::of_all(|catalogue| {
            for rule in &self.own {
                rule.describe(&mut Listing { catalogue, id: rule.id() });
            }
        });
        entries.retain_mut(|entry| self.counts(&entry.rule, &mut entry.severity));
        entries
    }

    /// Whether there are rules of one's own.
    #[cfg(any(test, feature = "engine"))]
    pub(crate) const fn has_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// Whether what a rule finds counts, with the severity that it has then.
    fn counts(&self, rule: &str, severity: &mut Severity) -> bool {
        let is_any = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, rule));
        if *severity == Severity::Error {
            return true;
        }
        if is_any(&self.denied) {
            *severity = Severity::Error;
        }
        !is_any(&self.left_out)
    }

    fn require_warnings(&self, pattern: &str) -> Result<(), RuleSetError> {
        let mut severities = self
            .catalogue()
            .into_iter()
            .filter(|entry| matches(pattern, &entry.rule))
            .map(|entry| entry.severity)
            .peekable();
        // A rule of one's own may find what it does not describe.
        let is_own = || {
            let places = Platform::known().map(Platform::as_str).chain(["post"]);
            let mut ids = places.flat_map(|place| {
                self.own.iter().map(move |rule| format!("{place}.{}", rule.id()))
            });
            ids.any(|id| matches(pattern, &id))
        };
        let is_known = severities.peek().is_some();
        if severities.any(|severity| severity == Severity::Warning) || is_own() {
            return Ok(());
        }
        let pattern = pattern.to_owned();
        Err(if is_known { RuleSetError::IsError(pattern) } else { RuleSetError::Unknown(pattern) })
    }

    pub(super) fn check_post(&self, draft: &Draft<'_>, issues: &mut Issues) {
        for rule in &self.own {
            rule.check_post(draft, &mut Findings { issues, id: rule.id() });
        }
    }

    pub(super) fn check_target(&self, target: &TargetView<'_>, issues: &mut Issues) {
        for rule in &self.own {
            let target = OutgoingTarget(target);
            rule.check_target(&target, &mut Findings { issues, id: rule.id() });
        }
    }
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.own.iter().map(|rule| rule.id())).finish()
    }
}

/// Whether a text is two or more lower-case words with dots between.
fn is_id(id: &str) -> bool {
    let is_word = |word: &str| {
        let holds = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        word.starts_with(|first: char| first.is_ascii_lowercase()) && word.bytes().all(holds)
    };
    id.contains('.') && id.split('.').all(is_word)
}

fn first_word(id: &str) -> &str {
    id.split_once('.').map_or(id, |(first, _)| first)
}

/// Whether an id is of a pattern, in which `*` stands for any run of characters.
fn matches(pattern: &str, id: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == id,
        Some((start, rest)) => id.strip_prefix(start).is_some_and(|id| {
            let mut ends = id.char_indices().map(|(at, _)| at).chain([id.len()]);
            ends.any(|at| matches(rest, &id[at..]))
        }),
    }
}
