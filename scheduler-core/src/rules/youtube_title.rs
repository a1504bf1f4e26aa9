//! The title that a video cannot do without, from the option or from the text, and its length.

use super::draft::widened;
use super::inspection::OfTarget;
use super::{Detail, Place, WhyLong, option_required};
use crate::platform::{CapabilitySheet, OptionValue, Platform, TextBound, TextUnit};
use crate::text::count;

/// Reports a title that is neither given nor to be had from the text, and one that is too long if
/// YouTube counts UTF-16 units, which it does not say.
pub(super) fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Youtube {
        return;
    }
    let missing =
        on.error(("title", "missing"), "There is no title, and no text to take one from.");
    let long = bound(on.sheet).map(|TextBound { limit, unit }| {
        let when =
            format_args!("The title has more than {limit} characters if an emoji counts as two.");
        (on.warning(("title", "long"), when), unit, widened(limit))
    });
    let Some(target) = on.subject() else { return };
    let Some(title) = target.option("title") else {
        if !target.composed.text().lines().any(has_title) {
            let how = "YouTube needs a title: set youtube.title.";
            on.report(missing, option_required::missing("title", Vec::new(), how));
        }
        return;
    };
    let Some((long, unit, most)) = long else { return };
    let title = title.as_str().unwrap_or_default().trim();
    if let Some(found) = count::over(TextUnit::Utf16Units, title, most)
        && count::over(unit, title, most).is_none()
    {
        let (unit, why) = (TextUnit::Utf16Units, WhyLong::EmojiAsTwo);
        on.report(long, Detail::Long { unit, found, most, place: Place::option("title"), why });
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
