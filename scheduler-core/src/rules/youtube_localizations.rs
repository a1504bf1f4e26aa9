//! Titles and descriptions of a YouTube video in other languages.

use std::collections::BTreeSet;

use serde_json::Value;

use super::draft::widened;
use super::inspection::OfTarget;
use super::{Detail, Place, Rule};
use crate::platform::{Platform, TextUnit};
use crate::text::count;

/// Most bytes of a description.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos>, `snippet.description`.
const DESCRIPTION_BYTES: u32 = 5_000;

/// What neither titles nor descriptions may hold.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos>, `snippet.title` and
/// `snippet.description`.
const FORBIDDEN: [char; 2] = ['<', '>'];

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Youtube {
        return;
    }
    let no_language = on.error(
        ("localizations", "no_language"),
        "localizations are there without language, the one of title and description.",
    );
    let repeated =
        on.error(("localizations", "repeated"), "localizations name a language more than once.");
    let too_long = on.error(
        ("localizations", "too_long"),
        format_args!("A description in localizations has more than {DESCRIPTION_BYTES} bytes."),
    );
    let forbidden = on.error(
        ("localizations", "forbidden_character"),
        "A title or description in localizations holds \"<\" or \">\".",
    );
    let Some(target) = on.subject() else { return };
    let Some(all) = target.option("localizations").and_then(Value::as_array) else { return };
    if !all.is_empty() && target.option("language").is_none() {
        let sentence = "Set language, the one of title and description, beside localizations.";
        on.report(no_language, Detail::note_of("localizations", sentence));
    }
    let mut languages = BTreeSet::new();
    for (index, said) in all.iter().enumerate() {
        let text = |name: &str| said.get(name).and_then(Value::as_str).map(str::trim);
        if text("language").is_some_and(|language| !languages.insert(language.to_lowercase())) {
            let sentence = "Each language of localizations is there once.";
            on.report(repeated, Detail::note_of("localizations", sentence));
        }
        let place = |name: &str| Place::Option(format!("localizations[{index}].{name}").into());
        for name in ["title", "description"] {
            let Some(text) = text(name) else { continue };
            if let Some(found) = text.chars().find(|sign| FORBIDDEN.contains(sign)) {
                on.report(forbidden, Detail::ForbiddenCharacter { found, place: place(name) });
            }
        }
        let (unit, most) = (TextUnit::Bytes, widened(DESCRIPTION_BYTES));
        if let Some(found) = text("description").and_then(|text| count::over(unit, text, most)) {
            on.report(too_long, Detail::too_long(unit, found, most, place("description")));
        }
    }
}
