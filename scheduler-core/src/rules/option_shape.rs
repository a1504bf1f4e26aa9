//! Options that are objects and lists of them.

use std::borrow::Cow;

use chrono::{DateTime, NaiveDate};
use serde_json::Value;
use url::Url;
use uuid::Uuid;

use super::draft::widened;
use super::inspection::OfTarget;
use super::option_items::is_language_tag;
use super::option_values::{kind_of, wrong_type};
use super::{Counted, Detail, Place};
use crate::platform::{Member, OptionFact, Shape, TextUnit};
use crate::text::{count, is_given};

/// Findings of one option that are listed.
const LISTED_MAX: usize = 20;

/// Looks at a value of a shape, at every depth.
pub(super) fn check(
    on: &mut OfTarget<'_, '_>,
    option: &'static OptionFact,
    shape: &'static Shape,
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let expected = expected(shape);
    let of_wrong_type = on.error((subject, "wrong_type"), format_args!("{key} is not {expected}."));
    let malformed = on.error(
        (subject, "malformed"),
        format_args!("{key} holds a value that {} does not take.", on.sheet.short_name),
    );
    let has_members = has_members(shape);
    let unknown = has_members.then(|| {
        let when = format_args!("{key} holds a key that is not known; it is kept and not used.");
        on.warning((subject, "unknown_key"), when)
    });
    let Some(value) = value else { return };
    if !is_of_kind(shape, value) {
        return on.report(of_wrong_type, wrong_type(key, value, expected));
    }
    let mut found = Found::default();
    found.look(key.to_owned(), shape, value);
    for detail in found.malformed.into_iter().take(LISTED_MAX) {
        on.report(malformed, detail);
    }
    if let Some(unknown) = unknown {
        for path in found.unknown.into_iter().take(LISTED_MAX) {
            let sentence = format!("{path} is not known; it is kept and not used.").into();
            on.report(unknown, Detail::Note { option: Some(key.into()), sentence });
        }
    }
}

/// What a value should be, for a sentence.
const fn expected(shape: &Shape) -> &'static str {
    match shape {
        Shape::Text(_) | Shape::OneOf(_) => "a string",
        Shape::Flag => "true or false",
        Shape::Digits(_) => "a number in a string",
        Shape::Integer { .. } => "a whole number",
        Shape::Uuid => "the id of a file",
        Shape::Color => "a colour such as \"#1e90ff\"",
        Shape::Instant => "an instant such as \"2026-12-01T20:00:00Z\"",
        Shape::Date => "a day such as \"2026-12-01\"",
        Shape::Language => "a language tag",
        Shape::Address(..) => "an address",
        Shape::List { .. } => "an array",
        Shape::Object(_) => "an object",
        Shape::FalseOr(_) => "false or an object",
    }
}

/// Whether a value is of the type of JSON that a shape has.
fn is_of_kind(shape: &Shape, value: &Value) -> bool {
    match shape {
        Shape::Text(_)
        | Shape::OneOf(_)
        | Shape::Digits(_)
        | Shape::Uuid
        | Shape::Color
        | Shape::Instant
        | Shape::Date
        | Shape::Language
        | Shape::Address(..) => value.is_string(),
        Shape::Flag => value.is_boolean(),
        Shape::Integer { .. } => value.is_u64(),
        Shape::List { .. } => value.is_array(),
        Shape::Object(_) => value.is_object(),
        Shape::FalseOr(inner) => *value == false || is_of_kind(inner, value),
    }
}

/// Whether a value of a shape has keys.
const fn has_members(shape: &Shape) -> bool {
    match shape {
        Shape::Object(_) => true,
        Shape::List { item, .. } => has_members(item),
        Shape::FalseOr(inner) => has_members(inner),
        _ => false,
    }
}

/// What was found in a value.
#[derive(Default)]
struct Found {
    malformed: Vec<Detail>,
    /// Paths of keys that no object has.
    unknown: Vec<String>,
}

impl Found {
    /// Looks at a value that stands at a path.
    fn look(&mut self, path: String, shape: &Shape, value: &Value) {
        if !is_of_kind(shape, value) {
            let found = format!("is {}", kind_of(value)).into();
            let (option, expected) = (path.into(), expected(shape).into());
            return self.malformed.push(Detail::OptionType { option, found, expected });
        }
        let text = value.as_str().unwrap_or_default();
        match *shape {
            Shape::Text(_) if text.trim().is_empty() => {
                self.malformed.push(Detail::Empty { place: Place::Option(path.into()) });
            }
            Shape::Text(most) => self.bound(path, text, most),
            Shape::Flag => {}
            Shape::OneOf(values) if values.contains(&text) => {}
            Shape::OneOf(values) => self.say(&path, &format!("is none of {}", values.join(", "))),
            Shape::Digits(most) => {
                let is_number = (1..=widened(most)).contains(&text.len())
                    && text.bytes().all(|byte| byte.is_ascii_digit());
                if !is_number {
                    self.say(&path, &format!("is not a number of at most {most} digits"));
                }
            }
            Shape::Integer { least, most } => {
                let is_within = value
                    .as_u64()
                    .is_some_and(|number| (least.into()..=most.into()).contains(&number));
                if !is_within {
                    self.say(&path, &format!("is not a whole number from {least} to {most}"));
                }
            }
            Shape::Uuid => {
                if Uuid::parse_str(text).is_err() {
                    self.say(&path, "is not the id of a file");
                }
            }
            Shape::Color => {
                let digits = text.strip_prefix('#').unwrap_or_default();
                if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    self.say(&path, "is not a colour such as #1e90ff");
                }
            }
            Shape::Instant => {
                if DateTime::parse_from_rfc3339(text).is_err() {
                    self.say(&path, "is not an instant such as 2026-12-01T20:00:00Z");
                }
            }
            Shape::Date => {
                if text.parse::<NaiveDate>().is_err() {
                    self.say(&path, "is not a day such as 2026-12-01");
                }
            }
            Shape::Language => {
                if !is_language_tag(text) {
                    self.say(&path, "is not a language tag such as de or pt-BR");
                }
            }
            Shape::Address(schemes, most) => {
                let is_address = Url::parse(text).is_ok()
                    && schemes.iter().any(|scheme| text.starts_with(scheme));
                match is_address {
                    true => self.bound(path, text, most),
                    false => {
                        self.say(&path, &format!("does not begin with {}", schemes.join(" or ")));
                    }
                }
            }
            Shape::List { item, max_items } => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                if items.len() > widened(max_items) {
                    let (unit, found, most) = (Counted::Items, items.len(), widened(max_items));
                    let place = Place::Option(path.clone().into());
                    self.malformed.push(Detail::TooMany { unit, found, most, place });
                }
                for (index, value) in items.iter().enumerate().take(widened(max_items)) {
                    self.look(format!("{path}[{index}]"), item, value);
                }
            }
            Shape::Object(members) => self.look_at_members(&path, members, value),
            Shape::FalseOr(inner) if *value != false => self.look(path, inner, value),
            Shape::FalseOr(_) => {}
        }
    }

    fn look_at_members(&mut self, path: &str, members: &[Member], value: &Value) {
        for Member { key, is_required, shape } in members {
            match value.get(key).filter(|value| is_given(value)) {
                Some(value) => self.look(format!("{path}.{key}"), shape, value),
                None if *is_required => self.say(path, &format!("has no {key}")),
                None => {}
            }
        }
        let keys = value.as_object().into_iter().flat_map(|object| object.keys());
        let unknown = keys.filter(|key| members.iter().all(|member| member.key != *key));
        self.unknown.extend(unknown.map(|key| format!("{path}.{}", shortened(key))));
    }

    fn bound(&mut self, path: String, text: &str, most: u32) {
        let (unit, most) = (TextUnit::CodePoints, widened(most));
        if let Some(length) = count::over(unit, text, most) {
            let place = Place::Option(path.into());
            self.malformed.push(Detail::too_long(unit, length, most, place));
        }
    }

    fn say(&mut self, path: &str, what: &str) {
        let option = path.split(['.', '[']).next().unwrap_or(path).to_owned();
        let sentence = format!("{path} {what}.").into();
        self.malformed.push(Detail::Note { option: Some(option.into()), sentence });
    }
}

/// A key that somebody has sent, as long as it may be shown.
pub(super) fn shortened(key: &str) -> Cow<'_, str> {
    const SHOWN: usize = 64;
    match key.char_indices().nth(SHOWN) {
        Some((end, _)) => Cow::Owned(key[..end].to_owned()),
        None => Cow::Borrowed(key),
    }
}
