//! Options of the wrong type, or of a value that the network does not take.

use serde_json::Value;

use super::catalogue::Catalogue;
use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Detail, Form, Place, Rule, Word, option_items, phrase};
use crate::platform::{CapabilitySheet, OptionFact, OptionValue, Platform, Required, TextBound};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    for option in target.sheet.options {
        if let Some(value) = target.option(option.key) {
            check_value(target, option, value, issues);
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

fn check_value(
    target: &TargetView<'_>,
    option: &'static OptionFact,
    value: &Value,
    issues: &mut Issues,
) {
    let OptionFact { key, subject, .. } = *option;
    let mut malformed = |form| {
        let detail = Detail::Malformed { place: Place::option(key), form };
        issues.error(&format!("{subject}.malformed"), detail);
    };
    let expected = match option.value {
        OptionValue::Caption => {
            if value.is_string() {
                return;
            }
            "a string"
        }
        OptionValue::Text { bound, needs_text, forbidden } => {
            if let Some(text) = value.as_str() {
                check_text(option, text, (bound, needs_text, forbidden), issues);
                return;
            }
            "a string"
        }
        OptionValue::OneOf(_) => {
            if let Some(text) = value.as_str() {
                check_choice(target, option, text, issues);
                return;
            }
            "a string"
        }
        OptionValue::Flag => {
            if value.is_boolean() {
                return;
            }
            "true or false"
        }
        OptionValue::Digits { max_length } => {
            if let Some(text) = value.as_str() {
                let is_number = !text.is_empty()
                    && text.len() <= widened(max_length)
                    && text.bytes().all(|byte| byte.is_ascii_digit());
                if !is_number {
                    let how = match option.required {
                        Required::Always(sentence) => sentence,
                        Required::No | Required::Unless { .. } => "",
                    };
                    malformed(Form::Digits { most: max_length, how });
                }
                return;
            }
            "a number in a string"
        }
        OptionValue::Uuid => {
            if let Some(text) = value.as_str() {
                if uuid::Uuid::try_parse(text).is_err() {
                    malformed(Form::FileId);
                }
                return;
            }
            "the id of a file, a UUID"
        }
        OptionValue::Tags(bounds) => {
            if let Some(tags) = option_items::tags(value) {
                option_items::check_tags(option, &tags, &bounds, issues);
                return;
            }
            "an array of strings"
        }
        OptionValue::UserNames { max_items, max_length } => {
            if let Some(names) = option_items::strings(value) {
                let bounds = (max_items, max_length);
                option_items::check_user_names(option, &names, bounds, issues);
                return;
            }
            "an array of user names"
        }
        OptionValue::Subtitles { max_name_length, max_content_bytes } => {
            if let Some(items) = value.as_array() {
                let bounds = (widened(max_name_length), widened(max_content_bytes));
                option_items::check_subtitles(items, bounds, issues);
                return;
            }
            "an array of {language, name, format, content}"
        }
        // These have rules of their own.
        OptionValue::Poll { .. } | OptionValue::Thread { .. } => return,
    };
    let sent = kind_of(value);
    let found = if value.is_array() && expected.starts_with(sent) {
        "holds something else than strings".to_owned()
    } else {
        format!("is {sent}")
    };
    issues.error(&format!("{subject}.wrong_type"), wrong_type(key, found, expected));
}

/// An option of another type than `expected`, with what it is or has; both for a sentence.
pub(super) fn wrong_type(
    key: &'static str,
    found: impl Into<Word>,
    expected: &'static str,
) -> Detail {
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

/// Longest value that is shown whole, in characters.
const SHOWN_LIMIT: usize = 64;

fn check_choice(
    target: &TargetView<'_>,
    option: &'static OptionFact,
    text: &str,
    issues: &mut Issues,
) {
    let allowed = allowed(target, option);
    if allowed.iter().any(|value| value == text) {
        return;
    }
    let shown: String = text.chars().take(SHOWN_LIMIT).collect();
    let detail = Detail::Option {
        option: option.key.into(),
        found: shown.into(),
        allowed,
        is_of_account: is_of_account(target, option),
    };
    issues.error(&format!("{}.not_allowed", option.subject), detail);
}

/// Whether the account says itself which values it allows; a draft is sent without any.
fn is_of_account(target: &TargetView<'_>, option: &OptionFact) -> bool {
    target.sheet.platform == Platform::Tiktok
        && option.key == "privacy"
        && target.limits.privacy_levels.is_some()
        && !target.is_on("asDraft")
}

fn check_text(
    option: &OptionFact,
    text: &str,
    (bound, needs_text, forbidden): (Option<TextBound>, bool, &[char]),
    issues: &mut Issues,
) {
    let OptionFact { key, subject, .. } = *option;
    if needs_text && text.trim().is_empty() {
        let detail = Detail::Empty { place: Place::option(key) };
        issues.error(&format!("{subject}.empty"), detail);
    }
    if let Some(TextBound { limit, unit }) = bound
        && let Some(length) = count::over(unit, text.trim(), widened(limit))
    {
        let detail = Detail::too_long(unit, length, widened(limit), Place::option(key));
        issues.error(&format!("{subject}.too_long"), detail);
    }
    if let Some(character) = forbidden.iter().find(|character| text.contains(**character)) {
        let detail = Detail::ForbiddenCharacter { found: *character, place: Place::option(key) };
        issues.error(&format!("{subject}.forbidden_character"), detail);
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    for option in sheet.options {
        let mut error = |check: &str, sentence: String| {
            list.error(&format!("{}.{check}", option.subject), sentence);
        };
        let key = option.key;
        match option.value {
            OptionValue::Caption => error("wrong_type", format!("{key} is not a string.")),
            OptionValue::Text { bound, needs_text, forbidden } => {
                error("wrong_type", format!("{key} is not a string."));
                if needs_text {
                    error("empty", format!("{key} has no visible character."));
                }
                if let Some(TextBound { limit, unit }) = bound {
                    error("too_long", format!("{key} has more than {limit} {}.", unit.noun()));
                }
                if !forbidden.is_empty() {
                    let signs: Vec<String> =
                        forbidden.iter().map(|sign| phrase::shown(*sign)).collect();
                    error("forbidden_character", format!("{key} holds {}.", signs.join(" or ")));
                }
            }
            OptionValue::OneOf(values) => {
                error("wrong_type", format!("{key} is not a string."));
                error("not_allowed", format!("{key} is none of {}.", values.join(", ")));
            }
            OptionValue::Flag => error("wrong_type", format!("{key} is neither true nor false.")),
            OptionValue::Digits { max_length } => {
                error("wrong_type", format!("{key} is not a string."));
                error(
                    "malformed",
                    format!("{key} is not a number of at most {max_length} digits."),
                );
            }
            OptionValue::Uuid => {
                error("wrong_type", format!("{key} is not a string."));
                error("malformed", format!("{key} is not a UUID."));
            }
            OptionValue::Tags(bounds) => option_items::describe_tags(option, &bounds, list),
            OptionValue::UserNames { max_items, max_length } => {
                error("wrong_type", format!("{key} is not an array of strings."));
                error("too_many", format!("{key} has more than {max_items} names."));
                error(
                    "malformed",
                    format!(
                        "{key} holds an entry that is not a user name of at most {max_length} characters."
                    ),
                );
            }
            OptionValue::Subtitles { max_name_length, max_content_bytes } => {
                error("wrong_type", format!("{key} is not an array of objects."));
                error(
                    "malformed",
                    format!(
                        "An item of {key} has no language tag, a format other than srt and vtt, a name of more than {max_name_length} characters, or a content that is empty or of more than {max_content_bytes} bytes."
                    ),
                );
                error("repeated", format!("Two items of {key} have the same language and name."));
            }
            // These have rules of their own.
            OptionValue::Poll { .. } | OptionValue::Thread { .. } => {}
        }
    }
}
