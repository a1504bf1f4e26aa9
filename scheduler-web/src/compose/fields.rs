//! The fields of an account's options, made from the table of its network.

use std::collections::BTreeMap;

use scheduler_core::account::AccountView;
use scheduler_core::platform::{CAPTION, OptionValue, Required, THREAD};

/// A field of an option.
pub(super) struct Field {
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) about: &'static str,
    pub(super) is_required: bool,
    pub(super) value: String,
    pub(super) control: Control,
}

/// How a value is chosen or written.
pub(super) enum Control {
    /// One of these.
    Select(Vec<(&'static str, &'static str)>),
    Number {
        least: i64,
        most: i64,
    },
    Line,
    /// Several lines.
    Text,
}

/// The fields of an account's options, but for its text and a thread, which the composer has apart.
pub(super) fn fields_of(
    account: &AccountView,
    given: Option<&BTreeMap<String, String>>,
) -> Vec<Field> {
    let sheet = account.platform.sheet();
    let shown = sheet.options.iter().filter(|fact| {
        let is_file = matches!(fact.value, OptionValue::Subtitles { .. });
        fact.key != CAPTION.key && fact.key != THREAD.key && !is_file
    });
    shown
        .map(|fact| Field {
            key: fact.key,
            label: fact.label,
            about: match (fact.about, fact.value) {
                ("", OptionValue::Texts { .. }) => "one a line",
                ("", OptionValue::Poll(_) | OptionValue::Shaped(_)) => "as JSON",
                (
                    "",
                    OptionValue::Tags(_)
                    | OptionValue::SomeOf(_)
                    | OptionValue::UserNames { .. }
                    | OptionValue::Languages { .. },
                ) => "with commas between",
                (about, _) => about,
            },
            is_required: matches!(fact.required, Required::Always(_)),
            value: given.and_then(|given| given.get(fact.key)).cloned().unwrap_or_default(),
            control: match fact.value {
                OptionValue::Flag => Control::Select(vec![("true", "yes"), ("false", "no")]),
                OptionValue::OneOf(words) => {
                    Control::Select(words.iter().map(|word| (*word, *word)).collect())
                }
                OptionValue::Integer { least, most } => Control::Number { least, most },
                OptionValue::Texts { .. } | OptionValue::Poll(_) | OptionValue::Shaped(_) => {
                    Control::Text
                }
                _ => Control::Line,
            },
        })
        .collect()
}
