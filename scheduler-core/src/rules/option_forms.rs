//! Options that are numbers, languages, addresses or lists of texts.

use serde_json::Value;
use url::Url;

use super::draft::widened;
use super::inspection::OfTarget;
use super::option_items::{is_language_tag, strings};
use super::option_values::{SHOWN_LIMIT, text_of, wrong_type};
use super::{Counted, Detail, Form, Place, Word};
use crate::platform::{OptionFact, TextBound};
use crate::text::count;

/// Looks at a whole number.
pub(super) fn check_integer(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    (least, most): (i64, i64),
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let of_wrong_type =
        on.error((subject, "wrong_type"), format_args!("{key} is not a whole number."));
    let out_of_bounds = on.error(
        (subject, "out_of_bounds"),
        format_args!("{key} is less than {least} or more than {most}."),
    );
    let Some(value) = value else { return };
    let Some(found) = value.as_i64() else {
        return on.report(of_wrong_type, wrong_type(key, value, "a whole number"));
    };
    if !(least..=most).contains(&found) {
        let detail = Detail::OptionOutOfBounds { option: key.into(), found, least, most };
        on.report(out_of_bounds, detail);
    }
}

/// Looks at a language tag.
pub(super) fn check_language(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let text = text_of(on, option, "a language tag", value);
    let malformed = on.error((subject, "malformed"), format_args!("{key} is not a language tag."));
    if text.is_some_and(|text| !is_language_tag(text)) {
        let (place, form) = (Place::option(key), Form::LanguageTag);
        on.report(malformed, Detail::Malformed { place, form });
    }
}

/// Looks at a list of language tags.
pub(super) fn check_languages(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    max_items: u32,
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let malformed = on.error(
        (subject, "malformed"),
        format_args!("{key} holds an entry that is not a language tag."),
    );
    let languages = items(on, option, (0, max_items), value);
    for (index, language) in languages.into_iter().flatten().enumerate() {
        if !is_language_tag(language) {
            let (place, form) = (Place::item(key, index), Form::LanguageTag);
            on.report(malformed, Detail::Malformed { place, form });
        }
    }
}

/// Looks at an address.
pub(super) fn check_address(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    max_length: Option<u32>,
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let text = text_of(on, option, "an address", value);
    let malformed = match max_length {
        Some(most) => on.error(
            (subject, "malformed"),
            format_args!("{key} is no http or https address, or has more than {most} characters."),
        ),
        None => {
            on.error((subject, "malformed"), format_args!("{key} is no http or https address."))
        }
    };
    if text.is_some_and(|text| !is_address(text, max_length)) {
        let (place, form) = (Place::option(key), Form::Address { most: max_length });
        on.report(malformed, Detail::Malformed { place, form });
    }
}

fn is_address(text: &str, max_length: Option<u32>) -> bool {
    max_length.is_none_or(|most| count::code_points(text) <= widened(most))
        && Url::parse(text)
            .is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

/// Looks at a list of texts.
pub(super) fn check_texts(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    numbers: (u32, u32),
    TextBound { limit, unit }: TextBound,
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let empty = on.error((subject, "empty"), format_args!("An item of {key} is empty."));
    let too_long = on.error(
        (subject, "too_long"),
        format_args!("An item of {key} has more than {limit} {}.", unit.noun()),
    );
    let most = widened(limit);
    let texts = items(on, option, numbers, value);
    for (index, text) in texts.into_iter().flatten().enumerate() {
        let place = || Place::item(key, index);
        if text.trim().is_empty() {
            on.report(empty, Detail::Empty { place: place() });
        } else if let Some(length) = count::over(unit, text, most) {
            on.report(too_long, Detail::too_long(unit, length, most, place()));
        }
    }
}

/// Looks at a list of words that are known.
pub(super) fn check_some_of(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    values: &'static [&'static str],
    value: Option<&Value>,
) {
    let OptionFact { key, subject, .. } = *option;
    let not_allowed = on.error(
        (subject, "not_allowed"),
        format_args!("An item of {key} is none of {}.", values.join(", ")),
    );
    let most = u32::try_from(values.len()).unwrap_or(u32::MAX);
    let items = items(on, option, (1, most), value);
    if let Some(other) = items.into_iter().flatten().find(|item| !values.contains(item)) {
        let shown: String = other.chars().take(SHOWN_LIMIT).collect();
        let detail = Detail::Option {
            option: key.into(),
            found: shown.into(),
            allowed: values.iter().copied().map(Word::Borrowed).collect(),
            is_of_account: false,
        };
        on.report(not_allowed, detail);
    }
}

/// The items of an array of strings; another type and another number of them are reported.
fn items<'v>(
    on: &mut OfTarget<'_, '_>,
    option: &OptionFact,
    (least, most): (u32, u32),
    value: Option<&'v Value>,
) -> Option<Vec<&'v str>> {
    let OptionFact { key, subject, .. } = *option;
    let of_wrong_type =
        on.error((subject, "wrong_type"), format_args!("{key} is not an array of strings."));
    let too_many =
        on.error((subject, "too_many"), format_args!("{key} has more than {most} items."));
    let too_few = (least > 0).then(|| {
        on.error((subject, "too_few"), format_args!("{key} has fewer than {least} items."))
    });
    let value = value?;
    let Some(items) = strings(value) else {
        on.report(of_wrong_type, wrong_type(key, value, "an array of strings"));
        return None;
    };
    let (unit, found) = (Counted::Items, items.len());
    if found > widened(most) {
        let (most, place) = (widened(most), Place::option(key));
        on.report(too_many, Detail::TooMany { unit, found, most, place });
    }
    if let Some(too_few) = too_few.filter(|_| found < widened(least)) {
        let detail = match option.when_empty {
            "" => {
                let place = Place::option(key);
                Detail::TooFew { unit, found, least: widened(least), place }
            }
            sentence => Detail::note_of(key, sentence),
        };
        on.report(too_few, detail);
    }
    Some(items)
}
