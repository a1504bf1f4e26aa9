//! Where rules put what they find.

use std::borrow::Cow;

use super::{Severity, ValidationIssue};
use crate::platform::Platform;

/// The issues found so far, and the target that the next ones speak of.
pub(super) struct Issues {
    pub(super) found: Vec<ValidationIssue>,
    target: Option<(usize, Platform)>,
}

impl Issues {
    pub(super) const fn of_post() -> Self {
        Self { found: Vec::new(), target: None }
    }

    pub(super) const fn turn_to(&mut self, index: usize, platform: Platform) {
        self.target = Some((index, platform));
    }

    /// Adds an error; `check` is the id of the rule without the network.
    pub(super) fn error(&mut self, check: &str, message: impl Into<String>) {
        self.add(Severity::Error, check, None, message.into());
    }

    /// Adds a warning; `check` is the id of the rule without the network.
    pub(super) fn warning(&mut self, check: &str, message: impl Into<String>) {
        self.add(Severity::Warning, check, None, message.into());
    }

    /// Adds a refusal of the plan, with the code of the interface description.
    pub(super) fn plan_limit(&mut self, check: &str, code: &'static str, message: String) {
        self.add(Severity::Error, check, Some(Cow::Borrowed(code)), message);
    }

    fn add(
        &mut self,
        severity: Severity,
        check: &str,
        code: Option<Cow<'static, str>>,
        message: String,
    ) {
        let platform = self.target.map(|(_, platform)| platform);
        let prefix = platform.map_or("post", Platform::as_str);
        self.found.push(ValidationIssue {
            platform,
            severity,
            message,
            code,
            rule: Cow::Owned(format!("{prefix}.{check}")),
            target: self.target.map(|(index, _)| index),
        });
    }
}
