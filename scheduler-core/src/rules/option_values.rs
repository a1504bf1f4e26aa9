//! Options of the wrong type, or of a value that the network does not take.

use std::fmt::{self, Display};

use serde_json::Value;

use super::draft::{TargetView, widened};
use super::inspection::OfTarget;
use super::{Detail, Form, Place, Rule, Word, option_forms, option_items, option_shape, phrase};
use crate::platform::{OptionFact, OptionValue, Platform, Required, TextBound};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    for option in on.sheet.options {
        let value = on.subject().and_then(|target| target.option(option.key));
        // Without a value there is nothing to look at, and only the catalogue asks for more.
        if value.is_some() || on.subject().is_none() {
            check_value(on, option, value);
        }
    }
}

/// The values that a target may have for an option; empty where any is allowed.
pub(super) fn allowed(target: &TargetView<'_>, option: &'static OptionFact) -> Vec<Word> {
    let OptionValue::OneOf(values) = option.value else { return Vec::new() };
    match target.limits.privacy_levels.as_deref() {
        Some(levels) if is_of_account(target, option) => {
            levels.iter().cloned().map(Word::Owned).collect()
        }
        _ => values.iter().copied().map(Word::Borrowed).collect(),
    }
}

fn check_value(on: &mut OfTarget<'_, '_>, option: &'static OptionFact, value: Option<&Value>) {
    match option.value {
        OptionValue::Caption => {
            text_of(on, option, "a string", value);
        }
        OptionValue::Text { bound, needs_text, forbidden } => {
            check_text(on, option, (bound, needs_text, forbidden), value);
        }
        OptionValue::OneOf(values) => check_choice(on, option, values, value),
        OptionValue::Flag => {
            let OptionFact { key, subject, .. } = *option;
            let when = format_args!("{key} is neither true nor false.");
            let finding = on.error((subject, "wrong_type"), when);
            if let Some(value) = value.filter(|value| !value.is_boolean()) {
                on.report(finding, wrong_type(key, value, "true or false"));
            }
        }
        OptionValue::Digits { max_length } => check_digits(on, option, max_length, value),
        OptionValue::Uuid => {
            let OptionFact { key, subject, .. } = *option;
            let text = text_of(on, option, "the id of a file, a UUID", value);
            let malformed = on.error((subject, "malformed"), format_args!("{key} is not a UUID."));
            if text.is_some_and(|text| uuid::Uuid::try_parse(text).is_err()) {
                let (place, form) = (Place::option(key), Form::FileId);
                on.report(malformed, Detail::Malformed { place, form });
            }
        }
        OptionValue::SomeOf(values) => option_forms::check_some_of(on, option, values, value),
        OptionValue::Integer { least, most } => {
            option_forms::check_integer(on, option, (least, most), value);
        }
        OptionValue::Language => option_forms::check_language(on, option, value),
        OptionValue::Languages { max_items } => {
            option_forms::check_languages(on, option, max_items, value);
        }
        OptionValue::Address { max_length } => {
            option_forms::check_address(on, option, max_length, value);
        }
        OptionValue::Texts { min_items, max_items, bound } => {
            option_forms::check_texts(on, option, (min_items, max_items), bound, value);
        }
        OptionValue::Tags(bounds) => option_items::check_tags(on, option, &bounds, value),
        OptionValue::UserNames { max_items, max_length } => {
            option_items::check_user_names(on, option, (max_items, max_length), value);
        }
        OptionValue::Subtitles { max_name_length, max_content_bytes } => {
            let bounds = (max_name_length, max_content_bytes);
            option_items::check_subtitles(on, option, bounds, value);
        }
        OptionValue::Shaped(shape) => option_shape::check(on, option, shape, value),
        // These have rules of their own.
        OptionValue::Poll(_) | OptionValue::Thread { .. } => {}
    }
}

/// The text of an option; one of another type is reported.
pub(super) fn text_of<'v>(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    expected: &'static str,
    value: Option<&'v Value>,
) -> Option<&'v str> {
    let OptionFact { key, subject, .. } = *option;
    let finding = on.error((subject, "wrong_type"), format_args!("{key} is not a string."));
    let value = value?;
    if !value.is_string() {
        on.report(finding, wrong_type(key, value, expected));
    }
    value.as_str()
}

/// An option of another type than `expected`, for a sentence.
pub(super) fn wrong_type(key: &'static str, value: &Value, expected: &'static str) -> Detail {
    let sent = kind_of(value);
    let found = if value.is_array() && expected.starts_with(sent) {
        "holds something else than strings".to_owned()
    } else {
        format!("is {sent}")
    };
    Detail::OptionType { option: key.into(), found: found.into(), expected: expected.into() }
}

/// What a JSON value is, for a sentence.
pub(super) const fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Characters of which each is meant, as a person can read them; control characters as one.
pub(super) fn one_of(signs: &[char]) -> impl Display + '_ {
    fmt::from_fn(move |f| {
        let (controls, signs): (Vec<char>, Vec<char>) =
            signs.iter().partition(|sign| sign.is_control());
        let mut signs: Vec<String> = signs.into_iter().map(phrase::shown).collect();
        if !controls.is_empty() {
            signs.push("a control character".to_owned());
        }
        f.write_str(&signs.join(" or "))
    })
}

/// Longest value that is shown whole, in characters.
pub(super) const SHOWN_LIMIT: usize = 64;

fn check_choice(
    on: &mut OfTarget<'_, '_>,
    option: &'static OptionFact,
    values: &[&str],
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let text = text_of(on, option, "a string", value);
    let values = fmt::from_fn(|f| f.write_str(&values.join(", ")));
    let not_allowed =
        on.error((subject, "not_allowed"), format_args!("{key} is none of {values}."));
    let (Some(target), Some(text)) = (on.subject(), text) else { return };
    let allowed = allowed(target, option);
    if !allowed.iter().any(|value| value == text) {
        let shown: String = text.chars().take(SHOWN_LIMIT).collect();
        let detail = Detail::Option {
            option: key.into(),
            found: shown.into(),
            allowed,
            is_of_account: is_of_account(target, option),
        };
        on.report(not_allowed, detail);
    }
}

/// Whether the account says itself which values it allows; a draft is sent without any.
fn is_of_account(target: &TargetView<'_>, option: &OptionFact) -> bool {
    target.sheet.platform == Platform::Tiktok
        && option.key == "privacy"
        && target.limits.privacy_levels.is_some()
        && !target.is_on("asDraft")
}

fn check_digits(on: &mut OfTarget<'_, '_>, option: &OptionFact, most: u32, value: Option<&Value>) {
    let OptionFact { key, subject, .. } = *option;
    let text = text_of(on, option, "a number in a string", value);
    let malformed = on.error(
        (subject, "malformed"),
        format_args!("{key} is not a number of at most {most} digits."),
    );
    let is_number = |text: &str| {
        !text.is_empty()
            && text.len() <= widened(most)
            && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if text.is_some_and(|text| !is_number(text)) {
        let how = match option.required {
            Required::Always(sentence) => sentence,
            Required::No | Required::Unless { .. } => "",
        };
        let (place, form) = (Place::option(key), Form::Digits { most, how });
        on.report(malformed, Detail::Malformed { place, form });
    }
}

fn check_text(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    (bound, needs_text, forbidden): (Option<TextBound>, bool, &[char]),
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let text = text_of(on, option, "a string", value);
    let empty = needs_text
        .then(|| on.error((subject, "empty"), format_args!("{key} has no visible character.")));
    let too_long = bound.map(|TextBound { limit, unit }| {
        let when = format_args!("{key} has more than {limit} {}.", unit.noun());
        (on.error((subject, "too_long"), when), unit, widened(limit))
    });
    let forbidden_character = (!forbidden.is_empty()).then(|| {
        let when = format_args!("{key} holds {}.", one_of(forbidden));
        on.error((subject, "forbidden_character"), when)
    });
    let Some(text) = text else { return };
    let place = || Place::option(key);
    if let Some(empty) = empty
        && text.trim().is_empty()
    {
        on.report(empty, Detail::Empty { place: place() });
    }
    if let Some((too_long, unit, most)) = too_long
        && let Some(length) = count::over(unit, text.trim(), most)
    {
        on.report(too_long, Detail::too_long(unit, length, most, place()));
    }
    if let Some(finding) = forbidden_character
        && let Some(found) = forbidden.iter().copied().find(|sign| text.contains(*sign))
    {
        on.report(finding, Detail::ForbiddenCharacter { found, place: place() });
    }
}
