//! Options that are lists: tags, user names, subtitles.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::Value;

use super::draft::widened;
use super::inspection::OfTarget;
use super::option_values::{one_of, wrong_type};
use super::{Counted, Detail, Form, Place, Word};
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

/// Longest word that is shown whole, in characters.
const SHOWN_LIMIT: usize = 64;

/// Looks at the tags of an option, where it has any.
pub(super) fn check_tags(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    bounds: &TagBounds,
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let of_wrong_type =
        on.error((subject, "wrong_type"), format_args!("{key} is not an array of strings."));
    let empty = on.error((subject, "empty"), "A tag is empty.");
    let too_many = bounds.max_items.map(|most| {
        let when = format_args!("There are more than {most} tags.");
        (on.error((subject, "too_many"), when), widened(most))
    });
    let many = bounds.warned_above.map(|most| {
        let when = format_args!(
            "There are more than {most} tags, the rest of which search does not find."
        );
        (on.warning((subject, "many"), when), widened(most))
    });
    let too_long = bounds.max_length.map(|most| {
        let when = format_args!("A tag has more than {most} characters.");
        (on.error((subject, "too_long"), when), widened(most))
    });
    let too_long_together = bounds.max_total.map(|most| {
        let when = format_args!("The tags have more than {most} characters together.");
        (on.error((subject, "too_long"), when), widened(most))
    });
    let forbidden = (!bounds.forbidden.is_empty()).then(|| {
        let when = format_args!("A tag holds {}.", one_of(bounds.forbidden));
        on.error((subject, "forbidden_character"), when)
    });
    let list = fmt::from_fn(|f| f.write_str(&bounds.words.join(", ")));
    let not_allowed = (!bounds.words.is_empty()).then(|| {
        on.error((subject, "not_allowed"), format_args!("An item of {key} is none of {list}."))
    });
    let Some(value) = value else { return };
    let Some(tags) = tags(value) else {
        return on.report(of_wrong_type, wrong_type(key, value, "an array of strings"));
    };
    let (unit, found) = (Counted::Tags, tags.len());
    let over = |bound: &(_, usize)| found > bound.1;
    if let Some((finding, most)) = too_many.filter(over) {
        on.report(finding, Detail::TooMany { unit, found, most, place: Place::option(key) });
    } else if let Some((finding, most)) = many.filter(over) {
        on.report(finding, Detail::Many { unit, found, most, place: Place::option(key) });
    }
    let unit = TextUnit::CodePoints;
    for (index, tag) in tags.iter().enumerate() {
        let place = || Place::item(key, index);
        if tag.is_empty() {
            on.report(empty, Detail::Empty { place: place() });
        }
        let length = count::code_points(tag);
        if let Some((finding, most)) = too_long.filter(|(_, most)| length > *most) {
            on.report(finding, Detail::too_long(unit, length, most, place()));
        }
        if let Some(finding) = forbidden
            && let Some(found) = bounds.forbidden.iter().copied().find(|sign| tag.contains(*sign))
        {
            on.report(finding, Detail::ForbiddenCharacter { found, place: place() });
        }
        if let Some(finding) = not_allowed
            && !tag.is_empty()
            && !bounds.words.contains(tag)
        {
            let shown: String = tag.chars().take(SHOWN_LIMIT).collect();
            let detail = Detail::Option {
                option: key.into(),
                found: shown.into(),
                allowed: bounds.words.iter().copied().map(Word::Borrowed).collect(),
                is_of_account: false,
            };
            on.report(finding, detail);
        }
    }
    let total = count::tags_together(&tags);
    if let Some((finding, most)) = too_long_together.filter(|(_, most)| total > *most) {
        on.report(finding, Detail::too_long(unit, total, most, Place::option(key)));
    }
}

/// Looks at the user names of an option, where it has any.
pub(super) fn check_user_names(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    (max_items, max_length): (u32, u32),
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let of_wrong_type =
        on.error((subject, "wrong_type"), format_args!("{key} is not an array of strings."));
    let too_many =
        on.error((subject, "too_many"), format_args!("{key} has more than {max_items} names."));
    let malformed = on.error(
        (subject, "malformed"),
        format_args!(
            "{key} holds an entry that is not a user name of at most {max_length} characters."
        ),
    );
    let Some(value) = value else { return };
    let Some(names) = strings(value) else {
        return on.report(of_wrong_type, wrong_type(key, value, "an array of user names"));
    };
    let (found, most) = (names.len(), widened(max_items));
    if found > most {
        let (unit, place) = (Counted::Names, Place::option(key));
        on.report(too_many, Detail::TooMany { unit, found, most, place });
    }
    for (index, user) in names.iter().enumerate() {
        if !is_user_name(user, max_length) {
            let (place, form) = (Place::item(key, index), Form::UserName { most: max_length });
            on.report(malformed, Detail::Malformed { place, form });
        }
    }
}

/// Whether it may name an account, with or without an @ before it; `most` is in characters.
pub(super) fn is_user_name(name: &str, most: u32) -> bool {
    let name = name.strip_prefix('@').unwrap_or(name);
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_';
    !name.is_empty() && name.len() <= widened(most) && name.bytes().all(is_allowed)
}

/// Looks at the subtitles of an option, where it has any.
pub(super) fn check_subtitles(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    (max_name_length, max_content_bytes): (u32, u32),
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let of_wrong_type =
        on.error((subject, "wrong_type"), format_args!("{key} is not an array of objects."));
    let malformed = on.error(
        (subject, "malformed"),
        format_args!(
            "An item of {key} has no language tag, a format other than srt and vtt, a name of more than {max_name_length} characters, or a content that is empty or of more than {max_content_bytes} bytes."
        ),
    );
    let repeated = on.error(
        (subject, "repeated"),
        format_args!("Two items of {key} have the same language and name."),
    );
    let Some(value) = value else { return };
    let Some(items) = value.as_array() else {
        let expected = "an array of {language, name, format, content}";
        return on.report(of_wrong_type, wrong_type(key, value, expected));
    };
    let mut seen = BTreeSet::new();
    for (index, item) in items.iter().enumerate() {
        for form in wrong_forms(item, widened(max_name_length), widened(max_content_bytes)) {
            on.report(malformed, Detail::Malformed { place: Place::item(key, index), form });
        }
        if let (Some(language), Some(name)) = (text_of(item, "language"), name_of(item))
            && !seen.insert((language.to_ascii_lowercase(), name))
        {
            let place = Place::item(key, index);
            on.report(repeated, Detail::Repeated { place, earlier: None });
        }
    }
}

/// What is wrong with the form of a subtitle.
fn wrong_forms(item: &Value, max_name_length: usize, max_content_bytes: usize) -> Vec<Form> {
    if !item.is_object() {
        return vec![Form::Subtitle];
    }
    let language =
        (!text_of(item, "language").is_some_and(is_language_tag)).then_some(Form::Language);
    let format = (!matches!(text_of(item, "format"), Some("srt" | "vtt"))).then_some(Form::Format);
    let name = match name_of(item) {
        None => Some(Form::Name),
        Some(name) => count::over(TextUnit::CodePoints, name, max_name_length)
            .map(|_| Form::NameUpTo(max_name_length)),
    };
    let content = match text_of(item, "content") {
        None => Some(Form::Content),
        Some(content) if content.trim().is_empty() => Some(Form::SomeContent),
        Some(content) => {
            (content.len() > max_content_bytes).then_some(Form::ContentUpTo(max_content_bytes))
        }
    };
    [language, format, name, content].into_iter().flatten().collect()
}

fn text_of<'a>(item: &'a Value, key: &str) -> Option<&'a str> {
    item.get(key).and_then(Value::as_str)
}

/// The name of a subtitle, empty where none is given; `None` for one that is no text.
fn name_of(item: &Value) -> Option<&str> {
    match item.get("name") {
        None | Some(Value::Null) => Some(""),
        Some(name) => name.as_str(),
    }
}

/// Whether a text has the form of a language tag: letters, then groups of letters and digits.
///
/// Source: BCP 47, section 2.1.
pub(super) fn is_language_tag(text: &str) -> bool {
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
