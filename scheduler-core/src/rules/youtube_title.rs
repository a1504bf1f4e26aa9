//! The title that a video cannot do without, from the option or from the text, and its length.

use super::catalogue::Catalogue;
use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Detail, Place, WhyLong, option_required};
use crate::platform::{CapabilitySheet, OptionValue, Platform, TextBound, TextUnit};
use crate::text::count;

/// Reports a title that is neither given nor to be had from the text, and one that is too long if
/// YouTube counts UTF-16 units, which it does not say.
pub(super) fn check(target: &TargetView<'_>, issues: &mut Issues) {
    if target.sheet.platform != Platform::Youtube {
        return;
    }
    let Some(title) = target.option("title") else {
        if !target.composed.text().lines().any(has_title) {
            let how = "YouTube needs a title: set youtube.title.";
            issues.error("title.missing", option_required::missing("title", Vec::new(), how));
        }
        return;
    };
    let Some(TextBound { limit, unit }) = bound(target.sheet) else { return };
    let (title, limit) = (title.as_str().unwrap_or_default().trim(), widened(limit));
    if let Some(length) = count::over(TextUnit::Utf16Units, title, limit)
        && count::over(unit, title, limit).is_none()
    {
        let detail = Detail::Long {
            unit: TextUnit::Utf16Units,
            found: length,
            most: limit,
            place: Place::option("title"),
            why: WhyLong::EmojiAsTwo,
        };
        issues.warning("title.long", detail);
    }
}

/// The sheet's limit of a title.
fn bound(sheet: &CapabilitySheet) -> Option<TextBound> {
    let OptionValue::Text { bound, .. } = sheet.option("title")?.value else { return None };
    bound
}

/// Whether something is left of a line without the characters that titles may not hold.
fn has_title(line: &str) -> bool {
    line.chars().any(|character| !character.is_whitespace() && character != '<' && character != '>')
}

pub(super) fn describe(sheet: &CapabilitySheet, list: &mut Catalogue) {
    if sheet.platform != Platform::Youtube {
        return;
    }
    list.error("title.missing", "There is no title, and no text to take one from.");
    if let Some(TextBound { limit, .. }) = bound(sheet) {
        list.warning(
            "title.long",
            format!("The title has more than {limit} characters if an emoji counts as two."),
        );
    }
}
