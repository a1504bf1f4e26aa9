//! What a check has to say about a post.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Detail;
#[cfg(feature = "engine")]
use super::{Place, phrase};
#[cfg(feature = "engine")]
use crate::error::NextStep;
use crate::platform::Platform;

/// Whether an issue stops a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The network would refuse the post; it is not created.
    Error,
    /// The network would take the post, but changes or ignores something in it.
    Warning,
}

/// One finding about a post, for one target or for the post as a whole.
///
/// Source: interface description, ValidationIssue; `rule`, `target` and `detail` are additions of
/// ours.
///
/// ```
/// use scheduler_core::rules::{Severity, ValidationIssue};
///
/// let json = r#"{"platform": "tumblr", "severity": "warning", "message": "…", "rule": "tumblr.x"}"#;
/// let issue: ValidationIssue = serde_json::from_str(json)?;
/// assert_eq!(issue.severity, Severity::Warning);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ValidationIssue {
    /// The network that it speaks of; absent for a problem of the post as a whole, such as a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<Platform>,
    /// Whether it stops the post.
    pub severity: Severity,
    /// What is wrong, how much, and what is allowed, for a person.
    pub message: String,
    /// With the limit of a plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["post_limit", "upload_limit", "channel_limit"])))]
    pub code: Option<Cow<'static, str>>,
    /// Stable id of the rule, such as `bluesky.text.too_long`.
    pub rule: Cow<'static, str>,
    /// Index into `targets` of the target that the issue speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<usize>,
    /// Index into the target's `thread` of the part that the issue speaks of, where it is about the
    /// files of a part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<usize>,
    /// What was found, as data; absent where a rule of one's own gives a sentence alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
}

impl ValidationIssue {
    /// What helps with it, where something does.
    #[cfg(feature = "engine")]
    #[must_use]
    pub fn next_step(&self) -> Option<NextStep> {
        let option = match &self.detail {
            Some(
                Detail::MissingOption { option, .. }
                | Detail::Malformed { place: Place::Option(option), .. },
            ) => &**option,
            _ => return None,
        };
        (option == "boardId").then_some(NextStep::ListBoards)
    }

    /// What was found of a target; `check` is the id of the rule without the network.
    #[cfg(feature = "engine")]
    pub(crate) fn of_target(
        index: usize,
        platform: Platform,
        severity: Severity,
        check: &str,
        detail: Detail,
    ) -> Self {
        Self {
            platform: Some(platform),
            severity,
            message: phrase::sentence(Some(platform), &detail),
            code: None,
            rule: Cow::Owned(format!("{platform}.{check}")),
            target: Some(index),
            part: None,
            detail: Some(detail),
        }
    }
}
