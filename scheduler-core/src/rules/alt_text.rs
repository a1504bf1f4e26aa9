//! Alternative texts of the post: their number and length.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Context, Counted, Detail, Draft, Place, Rule};
use crate::platform::TextUnit;
use crate::text::count;

pub(super) const RULE: Rule = Rule::Post { describe, run };

/// Longest alternative text, in code points.
///
/// Source: interface description, altTexts.
pub(super) const LIMIT: usize = 1000;

fn run(draft: &Draft<'_>, _: &Context, _: &[TargetView<'_>], issues: &mut Issues) {
    let (texts, files) = (draft.alt_texts.len(), draft.media.len());
    if texts > files {
        let (unit, place) = (Counted::AltTexts, Place::Post);
        let detail = Detail::TooMany { unit, found: texts, most: files, place };
        issues.error("alt_texts.too_many", detail);
    } else if texts > 0 && texts < files {
        let detail = Detail::TooFew { unit: Counted::AltTexts, found: texts, least: files };
        issues.warning("alt_texts.too_few", detail);
    }
    for (index, text) in draft.alt_texts.iter().enumerate() {
        let unit = TextUnit::CodePoints;
        if let Some(length) = text.as_deref().and_then(|text| count::over(unit, text, LIMIT)) {
            let detail = Detail::too_long(unit, length, LIMIT, Place::AltText(index));
            issues.error("alt_texts.too_long", detail);
        }
    }
}

fn describe(list: &mut Catalogue) {
    list.error("alt_texts.too_many", "There are more alternative texts than files.");
    list.warning(
        "alt_texts.too_few",
        "There are fewer alternative texts than files; the last files go without.",
    );
    list.error(
        "alt_texts.too_long",
        format!("An alternative text has more than {LIMIT} characters."),
    );
}
