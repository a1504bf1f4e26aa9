//! Alternative texts of the post: their number and length.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::media_kind::counted;
use super::{Context, Draft, Rule};
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
        issues.error(
            "alt_texts.too_many",
            format!("{} for {}.", there_are(texts), counted(files, "file")),
        );
    } else if texts > 0 && texts < files {
        issues.warning(
            "alt_texts.too_few",
            format!("{} for {files} files; the last files go without.", there_are(texts)),
        );
    }
    for (index, text) in draft.alt_texts.iter().enumerate() {
        let length =
            text.as_deref().and_then(|text| count::over(TextUnit::CodePoints, text, LIMIT));
        if let Some(length) = length {
            issues.error(
                "alt_texts.too_long",
                format!(
                    "Alternative text {} is {length} characters, the limit is {LIMIT}.",
                    index + 1
                ),
            );
        }
    }
}

fn there_are(texts: usize) -> String {
    let verb = if texts == 1 { "is" } else { "are" };
    format!("There {verb} {}", counted(texts, "alternative text"))
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
