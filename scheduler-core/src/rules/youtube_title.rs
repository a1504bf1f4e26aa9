//! The title that a video cannot do without, from the option or from the text.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use crate::platform::{CapabilitySheet, Platform};

/// Reports a title that is neither given nor to be had from the text.
pub(super) fn check(target: &TargetView<'_>, issues: &mut Issues) {
    let needs_title = target.sheet.platform == Platform::Youtube
        && target.option("title").is_none()
        && !target.composed.text().lines().any(has_title);
    if needs_title {
        issues.error("title.missing", "YouTube needs a title: set youtube.title.");
    }
}

/// Whether something is left of a line without the characters that titles may not hold.
fn has_title(line: &str) -> bool {
    line.chars().any(|character| !character.is_whitespace() && character != '<' && character != '>')
}

pub(super) fn describe(sheet: &CapabilitySheet, list: &mut Catalogue) {
    if sheet.platform == Platform::Youtube {
        list.error("title.missing", "There is no title, and no text to take one from.");
    }
}
