//! Options that are lists: tags, user names, subtitles.

use std::collections::BTreeSet;

use serde_json::Value;

use super::catalogue::Catalogue;
use super::draft::widened;
use super::issues::Issues;
use super::{Counted, Detail, Form, Place, phrase};
use crate::platform::{OptionFact, TagBounds, TextUnit};
use crate::text::count;

/// The items of an array of strings; `None` for anything else.
pub(super) fn strings(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

/// The tags of an array of strings, or of one string with commas, without `#` and outer spaces,
/// and without repeats that differ only in case.
pub(super) fn tags(value: &Value) -> Option<Vec<&str>> {
    let items = match value {
        Value::String(text) => text.split(',').filter(|tag| !tag.trim().is_empty()).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            strings(value)?
        }
    };
    let mut seen = BTreeSet::new();
    Some(
        items
            .into_iter()
            .map(|tag| tag.trim().trim_start_matches('#').trim_start())
            .filter(|tag| seen.insert(tag.to_lowercase()))
            .collect(),
    )
}

pub(super) fn check_tags(
    option: &OptionFact,
    tags: &[&str],
    bounds: &TagBounds,
    issues: &mut Issues,
) {
    let OptionFact { key, subject, .. } = *option;
    let counted = |most: u32| (Counted::Tags, tags.len(), widened(most), Place::option(key));
    let over = |bound: Option<u32>| bound.filter(|bound| tags.len() > widened(*bound));
    if let Some(limit) = over(bounds.max_items) {
        let (unit, found, most, place) = counted(limit);
        let detail = Detail::TooMany { unit, found, most, place };
        issues.error(&format!("{subject}.too_many"), detail);
    } else if let Some(limit) = over(bounds.warned_above) {
        let (unit, found, most, place) = counted(limit);
        let detail = Detail::Many { unit, found, most, place };
        issues.warning(&format!("{subject}.many"), detail);
    }
    for (index, tag) in tags.iter().enumerate() {
        let length = count::code_points(tag);
        let place = || Place::item(key, index);
        if tag.is_empty() {
            issues.error(&format!("{subject}.empty"), Detail::Empty { place: place() });
        }
        if let Some(limit) = bounds.max_length.filter(|limit| length > widened(*limit)) {
            let detail = Detail::too_long(TextUnit::CodePoints, length, widened(limit), place());
            issues.error(&format!("{subject}.too_long"), detail);
        }
        if let Some(character) = bounds.forbidden.iter().find(|c| tag.contains(**c)) {
            let detail = Detail::ForbiddenCharacter { found: *character, place: place() };
            issues.error(&format!("{subject}.forbidden_character"), detail);
        }
    }
    let total = count::tags_together(tags);
    if let Some(limit) = bounds.max_total.filter(|limit| total > widened(*limit)) {
        let (unit, place) = (TextUnit::CodePoints, Place::option(key));
        let detail = Detail::too_long(unit, total, widened(limit), place);
        issues.error(&format!("{subject}.too_long"), detail);
    }
}

pub(super) fn describe_tags(option: &OptionFact, bounds: &TagBounds, list: &mut Catalogue) {
    let OptionFact { key, subject, .. } = *option;
    let check = |check: &str| format!("{subject}.{check}");
    list.error(&check("wrong_type"), format!("{key} is not an array of strings."));
    list.error(&check("empty"), "A tag is empty.");
    if let Some(limit) = bounds.max_items {
        list.error(&check("too_many"), format!("There are more than {limit} tags."));
    }
    if let Some(limit) = bounds.warned_above {
        list.warning(
            &check("many"),
            format!("There are more than {limit} tags, the rest of which search does not find."),
        );
    }
    if let Some(limit) = bounds.max_length {
        list.error(&check("too_long"), format!("A tag has more than {limit} characters."));
    }
    if let Some(limit) = bounds.max_total {
        list.error(
            &check("too_long"),
            format!("The tags have more than {limit} characters together."),
        );
    }
    if !bounds.forbidden.is_empty() {
        let signs: Vec<String> = bounds.forbidden.iter().map(|sign| phrase::shown(*sign)).collect();
        list.error(&check("forbidden_character"), format!("A tag holds {}.", signs.join(" or ")));
    }
}

pub(super) fn check_user_names(
    option: &OptionFact,
    names: &[&str],
    (max_items, max_length): (u32, u32),
    issues: &mut Issues,
) {
    let OptionFact { key, subject, .. } = *option;
    if names.len() > widened(max_items) {
        let (unit, most) = (Counted::Names, widened(max_items));
        let detail = Detail::TooMany { unit, found: names.len(), most, place: Place::option(key) };
        issues.error(&format!("{subject}.too_many"), detail);
    }
    for (index, user) in names.iter().enumerate() {
        let user = user.strip_prefix('@').unwrap_or(user);
        let is_name = !user.is_empty()
            && user.len() <= widened(max_length)
            && user
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_');
        if !is_name {
            let form = Form::UserName { most: max_length };
            let detail = Detail::Malformed { place: Place::item(key, index), form };
            issues.error(&format!("{subject}.malformed"), detail);
        }
    }
}

pub(super) fn check_subtitles(
    items: &[Value],
    (max_name_length, max_content_bytes): (usize, usize),
    issues: &mut Issues,
) {
    let mut seen = BTreeSet::new();
    for (index, item) in items.iter().enumerate() {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        let name = match item.get("name") {
            None | Some(Value::Null) => Some(""),
            Some(name) => name.as_str(),
        };
        let place = || Place::item("subtitles", index);
        let mut malformed = |form| {
            issues.error("subtitles.malformed", Detail::Malformed { place: place(), form });
        };
        if !item.is_object() {
            malformed(Form::Subtitle);
            continue;
        }
        if !text("language").is_some_and(is_language_tag) {
            malformed(Form::Language);
        }
        if !matches!(text("format"), Some("srt" | "vtt")) {
            malformed(Form::Format);
        }
        match name {
            None => malformed(Form::Name),
            Some(name) if count::over(TextUnit::CodePoints, name, max_name_length).is_some() => {
                malformed(Form::NameUpTo(max_name_length));
            }
            Some(_) => {}
        }
        match text("content") {
            None => malformed(Form::Content),
            Some(content) if content.trim().is_empty() => {
                malformed(Form::SomeContent);
            }
            Some(content) if content.len() > max_content_bytes => {
                malformed(Form::ContentUpTo(max_content_bytes));
            }
            Some(_) => {}
        }
        if let (Some(language), Some(name)) = (text("language"), name)
            && !seen.insert((language.to_ascii_lowercase(), name))
        {
            let detail = Detail::Repeated { place: place(), earlier: None };
            issues.error("subtitles.repeated", detail);
        }
    }
}

/// Whether a text has the form of a language tag: letters, then groups of letters and digits.
///
/// Source: BCP 47, section 2.1.
fn is_language_tag(text: &str) -> bool {
    let mut groups = text.split('-');
    groups.next().is_some_and(|language| {
        (2..=8).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_alphabetic())
    }) && groups.all(|group| {
        (1..=8).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tags_without_signs_spaces_and_repeats() {
        for (name, value, want) in [
            ("as they are", json!(["a", "b c"]), Some(vec!["a", "b c"])),
            ("one string", json!("a, b,,#c"), Some(vec!["a", "b", "c"])),
            ("an empty string", json!(""), Some(vec![])),
            ("signs and spaces", json!([" #a ", "# b", "##c"]), Some(vec!["a", "b", "c"])),
            ("repeats", json!(["Rust", "#rust", "# RUST"]), Some(vec!["Rust"])),
            ("a sign alone", json!(["# "]), Some(vec![""])),
            ("a number", json!([1]), None),
            ("an object", json!({"a": "b"}), None),
        ] {
            assert_eq!(tags(&value), want, "{name}");
        }
    }
}
