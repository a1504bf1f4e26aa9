//! Alternative texts of the post: their number and length.

use super::inspection::OfPost;
use super::{Counted, Detail, Place, Rule};
use crate::platform::TextUnit;
use crate::text::count;

pub(super) const RULE: Rule = Rule::Post(rule);

/// Longest alternative text, in code points.
///
/// Source: interface description, altTexts.
pub(super) const LIMIT: usize = 1000;

fn rule(on: &mut OfPost<'_, '_>) {
    let too_many =
        on.error(("alt_texts", "too_many"), "There are more alternative texts than files.");
    let too_few = on.warning(
        ("alt_texts", "too_few"),
        "There are fewer alternative texts than files; the last files go without.",
    );
    let too_long = on.error(
        ("alt_texts", "too_long"),
        format_args!("An alternative text has more than {LIMIT} characters."),
    );
    let Some(post) = on.subject() else { return };
    let (texts, files) = (post.draft.alt_texts.len(), post.draft.media.len());
    let unit = Counted::AltTexts;
    if texts > files {
        let place = Place::Post;
        on.report(too_many, Detail::TooMany { unit, found: texts, most: files, place });
    } else if texts > 0 && texts < files {
        on.report(too_few, Detail::TooFew { unit, found: texts, least: files, place: Place::Post });
    }
    for (index, text) in post.draft.alt_texts.iter().enumerate() {
        let unit = TextUnit::CodePoints;
        if let Some(length) = text.as_deref().and_then(|text| count::over(unit, text, LIMIT)) {
            on.report(too_long, Detail::too_long(unit, length, LIMIT, Place::AltText(index)));
        }
    }
}
