//! Rules of one's own: what a house, a client or a law asks beyond what the networks do.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::draft::TargetView;
use super::issues::Issues;
use super::{Context, Draft, Severity, ValidationIssue, run_rules};
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
///     Context, CustomRule, CustomRules, Draft, DraftTarget, Findings, OutgoingTarget,
/// };
///
/// /// Every post names its campaign.
/// struct Campaign;
///
/// impl CustomRule for Campaign {
///     fn id(&self) -> &str {
///         "house.campaign"
///     }
///
///     fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
///         if !target.text().contains("#spring") {
///             findings.error("The text has to name the campaign: #spring.");
///         }
///     }
/// }
///
/// let (options, limits) = (Default::default(), AccountLimits::default());
/// let target = DraftTarget {
///     platform: Platform::Bluesky,
///     options: &options,
///     limits: &limits,
///     thumbnail: None,
/// };
/// let draft = Draft {
///     content: "Tulips",
///     link_url: None,
///     media: &[],
///     alt_texts: &[],
///     targets: &[target],
/// };
/// let issues = CustomRules::new().with(Campaign).check(&draft, &Context::default());
/// assert_eq!(issues[0].rule, "bluesky.house.campaign");
/// ```
pub trait CustomRule: Send + Sync {
    /// Its name, without the network: lower-case words with dots between, such as
    /// `house.campaign`. Issues carry it behind `post.` or the network, as those of built-in rules
    /// do. A first word of one's own keeps it apart from built-in rules, also from later ones.
    fn id(&self) -> &str;

    /// Looks at the post as a whole, once.
    fn check_post(&self, draft: &Draft<'_>, findings: &mut Findings<'_>) {
        let _ = (draft, findings);
    }

    /// Looks at what one target will get.
    fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
        let _ = (target, findings);
    }
}

/// Where a rule of one's own puts what it finds. An error stops the post, a warning does not.
pub struct Findings<'a> {
    issues: &'a mut Issues,
    id: &'a str,
}

impl Findings<'_> {
    /// Adds an error: what is wrong, and what is allowed, for a person.
    pub fn error(&mut self, message: impl Into<String>) {
        self.issues.own(Severity::Error, self.id, message.into(), None);
    }

    /// Adds a warning.
    pub fn warning(&mut self, message: impl Into<String>) {
        self.issues.own(Severity::Warning, self.id, message.into(), None);
    }
}

impl fmt::Debug for Findings<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Findings").field("id", &self.id).finish_non_exhaustive()
    }
}

/// One target of a post, as it will go out.
#[derive(Clone, Copy)]
pub struct OutgoingTarget<'a>(&'a TargetView<'a>);

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

    /// The target's own settings.
    #[must_use]
    pub const fn options(&self) -> &'a Map<String, Value> {
        self.0.options
    }

    /// What the network says for this account.
    #[must_use]
    pub const fn limits(&self) -> &'a AccountLimits {
        self.0.limits
    }

    /// The post that it belongs to: its files, its link, its alternative texts.
    #[must_use]
    pub const fn draft(&self) -> &'a Draft<'a> {
        self.0.draft
    }
}

impl fmt::Debug for OutgoingTarget<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("OutgoingTarget").field(&self.platform()).finish()
    }
}

/// The rules of one's own that run together with the built-in ones, in the order in which they
/// were added.
#[derive(Clone, Default)]
pub struct CustomRules {
    rules: Vec<Arc<dyn CustomRule>>,
}

impl CustomRules {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { rules: Vec::new() }
    }

    /// These and one more.
    #[must_use]
    pub fn with(mut self, rule: impl CustomRule + 'static) -> Self {
        self.rules.push(Arc::new(rule));
        self
    }

    /// Checks a post as [`check`](super::check) does, and by these rules: issues of the post as a
    /// whole come first, then those of each target; in each place the built-in rules speak first.
    #[must_use]
    pub fn check(&self, draft: &Draft<'_>, context: &Context) -> Vec<ValidationIssue> {
        run_rules(draft, context, self)
    }

    pub(super) fn check_post(&self, draft: &Draft<'_>, issues: &mut Issues) {
        for rule in &self.rules {
            rule.check_post(draft, &mut Findings { issues, id: rule.id() });
        }
    }

    pub(super) fn check_target(&self, target: &TargetView<'_>, issues: &mut Issues) {
        for rule in &self.rules {
            let target = OutgoingTarget(target);
            rule.check_target(&target, &mut Findings { issues, id: rule.id() });
        }
    }
}

impl fmt::Debug for CustomRules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.rules.iter().map(|rule| rule.id())).finish()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::issues::LISTED_MAX;
    use super::super::{DraftTarget, check};
    use super::*;

    /// Says of everything what it sees.
    struct Tells;

    impl CustomRule for Tells {
        fn id(&self) -> &str {
            "house.tells"
        }

        fn check_post(&self, draft: &Draft<'_>, findings: &mut Findings<'_>) {
            findings.warning(draft.content);
        }

        fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
            findings.error(format!("{target:?}: {}", target.text()));
        }
    }

    /// Never stops.
    struct Floods;

    impl CustomRule for Floods {
        fn id(&self) -> &str {
            "house.floods"
        }

        fn check_post(&self, _: &Draft<'_>, findings: &mut Findings<'_>) {
            (0..=LISTED_MAX).for_each(|_| findings.error("again"));
        }
    }

    fn found(rules: &CustomRules, content: &str) -> Vec<ValidationIssue> {
        let limits = AccountLimits::default();
        let plain = Map::new();
        let own = json!({"caption": "Its own"}).as_object().cloned().unwrap_or_default();
        let target =
            |platform, options| DraftTarget { platform, options, limits: &limits, thumbnail: None };
        let targets = [target(Platform::Telegram, &plain), target(Platform::Tumblr, &own)];
        let draft = Draft {
            content,
            link_url: Some("https://a.example/"),
            media: &[],
            alt_texts: &[],
            targets: &targets,
        };
        let issues = rules.check(&draft, &Context::default());
        if rules.rules.is_empty() {
            assert_eq!(issues, check(&draft, &Context::default()));
        }
        issues
    }

    #[test]
    fn issues_have_the_rules_own_id_and_their_place() {
        let found = found(&CustomRules::new().with(Tells), "Shared");
        let found: Vec<_> = found
            .iter()
            .map(|issue| (&*issue.rule, issue.target, issue.severity, &*issue.message))
            .collect();
        let (error, warning) = (Severity::Error, Severity::Warning);
        assert_eq!(
            found,
            [
                ("post.house.tells", None, warning, "Shared"),
                (
                    "telegram.house.tells",
                    Some(0),
                    error,
                    "OutgoingTarget(Telegram): Shared\nhttps://a.example/"
                ),
                ("tumblr.house.tells", Some(1), error, "OutgoingTarget(Tumblr): Its own"),
            ]
        );
    }

    #[test]
    fn built_in_rules_come_first_and_stay_as_they_are() {
        let long = "a".repeat(4_097);
        let without = found(&CustomRules::new(), &long);
        let with = found(&CustomRules::new().with(Tells), &long);
        assert_eq!(without.len(), 1, "{without:?}");
        let rules: Vec<_> = with.iter().map(|issue| &*issue.rule).collect();
        let want =
            ["post.house.tells", &*without[0].rule, "telegram.house.tells", "tumblr.house.tells"];
        assert_eq!(rules, want);
    }

    #[test]
    fn a_rule_cannot_flood_an_answer() {
        assert_eq!(found(&CustomRules::new().with(Floods), "a").len(), LISTED_MAX);
    }
}
