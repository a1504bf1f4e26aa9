//! Where rules put what they find.

use std::borrow::Cow;
use std::fmt;

use super::inspection::Id;
use super::{Detail, Severity, ValidationIssue, phrase};
use crate::platform::Platform;

/// Most errors, and most warnings, that are listed of one target or of the post as a whole.
///
/// Ours: more than 35 files break in every way, and more than a person reads. A body of 1 MiB has
/// room for half a million wrong entries of a list.
pub(super) const LISTED_MAX: usize = 500;

/// The issues found so far, and the target that the next ones speak of.
pub(super) struct Issues {
    pub(super) found: Vec<ValidationIssue>,
    target: Option<(usize, Platform)>,
    part: Option<usize>,
    errors: usize,
    warnings: usize,
}

impl Issues {
    pub(super) const fn of_post() -> Self {
        Self { found: Vec::new(), target: None, part: None, errors: 0, warnings: 0 }
    }

    /// What comes next is about the files of this part of the target's thread.
    pub(super) const fn turn_to_part(&mut self, part: usize) {
        self.part = Some(part);
    }

    pub(super) fn turn_to(&mut self, index: usize, platform: Platform) {
        *self = Self {
            found: std::mem::take(&mut self.found),
            target: Some((index, platform)),
            ..Self::of_post()
        };
    }

    /// Adds what a built-in rule has found.
    pub(super) fn add(
        &mut self,
        severity: Severity,
        (subject, wrong): Id,
        code: Option<Cow<'static, str>>,
        detail: Detail,
    ) {
        if self.takes_place(severity) {
            let message = phrase::sentence(self.platform(), &detail);
            self.push(severity, format_args!("{subject}.{wrong}"), code, message, Some(detail));
        }
    }

    /// Adds what a rule of one's own has found, in its own words if it has some; `id` is without
    /// the network.
    pub(super) fn own(
        &mut self,
        severity: Severity,
        id: &str,
        message: Option<String>,
        detail: Option<Detail>,
    ) {
        if self.takes_place(severity) {
            let sentence = |detail: &Detail| phrase::sentence(self.platform(), detail);
            let message = message.or_else(|| detail.as_ref().map(sentence)).unwrap_or_default();
            self.push(severity, format_args!("{id}"), None, message, detail);
        }
    }

    fn platform(&self) -> Option<Platform> {
        self.target.map(|(_, platform)| platform)
    }

    /// Takes a place in the list, if there is one.
    fn takes_place(&mut self, severity: Severity) -> bool {
        let listed = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        let is_free = *listed < LISTED_MAX;
        *listed += usize::from(is_free);
        is_free
    }

    fn push(
        &mut self,
        severity: Severity,
        id: fmt::Arguments<'_>,
        code: Option<Cow<'static, str>>,
        message: String,
        detail: Option<Detail>,
    ) {
        let platform = self.platform();
        let prefix = platform.map_or("post", Platform::as_str);
        let message = match self.part {
            // The first part is the text of the post.
            Some(part) => format!("Thread part {}: {message}", part + 2),
            None => message,
        };
        self.found.push(ValidationIssue {
            platform,
            severity,
            message,
            code,
            rule: Cow::Owned(format!("{prefix}.{id}")),
            target: self.target.map(|(index, _)| index),
            part: self.part,
            detail,
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tests::Post;
    use super::*;

    #[test]
    fn a_list_of_wrong_entries_does_not_flood_the_answer() {
        let count = LISTED_MAX + 9;
        let keys = |start: &str| (0..count).map(|n| (format!("{start}{n}"), json!(1))).collect();
        let parts: Value = vec!["same"; count].into();
        for (name, platform, options, errors, warnings) in [
            ("subtitles", Platform::Youtube, json!({"subtitles": vec![0; count]}), LISTED_MAX, 0),
            (
                "names",
                Platform::Instagram,
                json!({"collaborators": vec![""; count]}),
                LISTED_MAX,
                0,
            ),
            ("parts", Platform::Twitter, json!({"thread": parts}), LISTED_MAX, 0),
            ("keys", Platform::Bluesky, Value::Object(keys("key")), 0, LISTED_MAX),
            (
                "a target after others",
                Platform::Mastodon,
                json!({"visibility": "wall", "typo": 1}),
                1,
                1,
            ),
        ] {
            let full = json!({"subtitles": vec![0; count], "title": "T"});
            let post = Post::new("Hi").to(Platform::Youtube, full).to(platform, options);
            let count = |severity| {
                let of_last = |issue: &&ValidationIssue| {
                    issue.target == Some(1) && issue.severity == severity
                };
                post.check().iter().filter(of_last).count()
            };
            assert_eq!(
                (count(Severity::Error), count(Severity::Warning)),
                (errors, warnings),
                "{name}"
            );
        }
    }
}
