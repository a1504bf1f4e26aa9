//! The fields of an account's options, made from the table of its network.

use std::collections::BTreeMap;

use scheduler_core::account::AccountView;
use scheduler_core::ids::AccountId;
use scheduler_core::platform::{
    CAPTION, CapabilitySheet, OptionFact, OptionValue, Required, THREAD, TagBounds, TextBound,
    TextUnit,
};
use scheduler_http::visit::Declined;

use crate::visitor::Visitor;

/// The options whose values an account has at its network.
const BOARD: &str = "boardId";
const PLAYLIST: &str = "playlistId";

/// A field of an option.
pub(super) struct Field {
    /// The id of the field.
    pub(super) id: String,
    account: AccountId,
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) about: &'static str,
    /// What the value may be, in words.
    pub(super) bounds: String,
    pub(super) is_required: bool,
    pub(super) value: String,
    pub(super) control: Control,
    /// Why the values of the account are not known.
    pub(super) problem: Option<String>,
}

impl Field {
    /// The name under which it is sent.
    pub(super) fn name(&self) -> String {
        format!("option.{}.{}", self.account, self.key)
    }

    /// Whether its values are those that the account has at its network.
    pub(super) fn is_of_account(&self) -> bool {
        [BOARD, PLAYLIST].contains(&self.key)
    }

    /// Whether one of several values is chosen.
    pub(super) fn has(&self, value: &str) -> bool {
        self.value.split(',').any(|one| one.trim() == value)
    }
}

/// How a value is chosen or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// One of these: what is sent, and its word.
    Select(Vec<(String, String)>),
    /// One of these few.
    Radio(Vec<&'static str>),
    /// Any of these.
    Ticks(&'static [&'static str]),
    Number {
        least: i64,
        most: i64,
    },
    /// One line, as an input of this type.
    Line(&'static str),
    /// Several lines.
    Text,
}

/// Choices up to which all of them are shown at once.
///
/// Source: our decision.
const SHOWN_AT_ONCE: usize = 4;

/// The fields of an account's options, but for its text and a thread, which the composer has apart;
/// `files` are those that an option can name, with their names.
pub(super) fn fields_of(
    account: &AccountView,
    given: Option<&BTreeMap<String, String>>,
    files: &[(String, String)],
) -> Vec<Field> {
    let shown = account.platform.sheet().options.iter().filter(|fact| is_shown(fact));
    shown
        .map(|fact| {
            let (label, about) = named(fact);
            Field {
                id: format!("o-{}-{}", account.id, fact.key),
                account: account.id,
                key: fact.key,
                label,
                about,
                bounds: bounds(fact),
                is_required: matches!(fact.required, Required::Always(_)),
                value: given.and_then(|given| given.get(fact.key)).cloned().unwrap_or_default(),
                control: control(fact, files),
                problem: None,
            }
        })
        .collect()
}

/// What an option is called, and what else is said of it. Where its label is its key, it is called by
/// the first sentence of what it is for.
pub(super) fn named(fact: &OptionFact) -> (&'static str, &'static str) {
    if fact.label != fact.key || fact.about.is_empty() {
        return (fact.label, fact.about);
    }
    fact.about.split_once(". ").unwrap_or_else(|| (fact.about.trim_end_matches('.'), ""))
}

/// True for an option that has a field here.
fn is_shown(fact: &OptionFact) -> bool {
    let is_file = matches!(fact.value, OptionValue::Subtitles { .. });
    fact.key != CAPTION.key && fact.key != THREAD.key && !is_file
}

/// True for a key of a network's option that has a field here.
pub(super) fn has_field(sheet: &CapabilitySheet, key: &str) -> bool {
    sheet.option(key).is_some_and(is_shown)
}

/// How the value of an option is chosen or written.
fn control(fact: &OptionFact, files: &[(String, String)]) -> Control {
    let pair = |value: &str, word: &str| (value.to_owned(), word.to_owned());
    match fact.value {
        // What is not said is not sent, and is for the network to decide.
        OptionValue::Flag => Control::Select(vec![pair("true", "yes"), pair("false", "no")]),
        OptionValue::OneOf(words) if words.len() <= SHOWN_AT_ONCE => Control::Radio(words.to_vec()),
        OptionValue::OneOf(words) => {
            Control::Select(words.iter().map(|word| pair(word, word)).collect())
        }
        OptionValue::SomeOf(words) => Control::Ticks(words),
        OptionValue::Tags(TagBounds { words, .. }) if !words.is_empty() => Control::Ticks(words),
        OptionValue::Integer { least, most } => Control::Number { least, most },
        OptionValue::Uuid => Control::Select(files.to_vec()),
        OptionValue::Address { .. } => Control::Line("url"),
        OptionValue::Texts { .. } | OptionValue::Poll(_) | OptionValue::Shaped(_) => Control::Text,
        _ => Control::Line("text"),
    }
}

/// What the value of an option may be, in words.
fn bounds(fact: &OptionFact) -> String {
    let length = |bound: TextBound| {
        let unit = if bound.unit == TextUnit::Bytes { "bytes" } else { "characters" };
        format!("up to {} {unit}", bound.limit)
    };
    match fact.value {
        OptionValue::Text { bound: Some(bound), .. } => length(bound),
        OptionValue::Digits { max_length } => format!("a number of up to {max_length} digits"),
        OptionValue::Tags(TagBounds { max_items, max_length, .. }) => {
            let items = max_items.map(|most| format!("up to {most}"));
            let each = max_length.map(|most| format!("each up to {most} characters"));
            let mut said = vec!["with commas between".to_owned()];
            said.extend(items);
            said.extend(each);
            said.join(", ")
        }
        OptionValue::UserNames { max_items, max_length } => {
            format!("with commas between, up to {max_items}, each up to {max_length} characters")
        }
        OptionValue::Integer { least, most } => format!("from {least} to {most}"),
        OptionValue::Language => "a language tag, such as en or pt-BR".to_owned(),
        OptionValue::Languages { max_items } => {
            format!("language tags with commas between, up to {max_items}")
        }
        OptionValue::Address { max_length: Some(most) } => format!("up to {most} characters"),
        OptionValue::Texts { min_items, max_items, bound } => {
            format!("one a line, {min_items} to {max_items}, each {}", length(bound))
        }
        OptionValue::Poll(_) | OptionValue::Shaped(_) => "as JSON".to_owned(),
        _ => String::new(),
    }
}

/// Fills the fields of options whose values the account has at its network: its boards, its
/// playlists. Where the network does not tell them, their ids can be written.
pub(super) async fn fill_from_account(
    visitor: &Visitor,
    account: &AccountView,
    fields: &mut [Field],
) {
    for field in fields {
        let (caller, id) = (visitor.caller.clone(), account.id);
        let told: Result<Vec<(String, String)>, Declined> = match field.key {
            BOARD => {
                let asked = visitor.visit().to_its_end(move |scheduler| async move {
                    scheduler.boards(&caller, id).await
                });
                asked
                    .await
                    .map(|boards| boards.into_iter().map(|board| (board.id, board.name)).collect())
            }
            PLAYLIST => {
                let asked = visitor.visit().to_its_end(move |scheduler| async move {
                    scheduler.playlists(&caller, id).await
                });
                asked
                    .await
                    .map(|playlists| playlists.into_iter().map(|one| (one.id, one.title)).collect())
            }
            _ => continue,
        };
        match told {
            Ok(mut choices) => {
                // What was chosen before stays, also where the account has it no more.
                if !field.value.is_empty() && !choices.iter().any(|(id, _)| *id == field.value) {
                    choices.push((field.value.clone(), field.value.clone()));
                }
                field.bounds = String::new();
                field.control = Control::Select(choices);
            }
            Err(declined) => field.problem = Some(declined.message().to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use scheduler_core::platform::Platform;

    use super::*;

    #[test]
    fn every_option_has_a_control_of_its_kind() {
        let files = [("id".to_owned(), "a file".to_owned())];
        for platform in Platform::ALL {
            for fact in platform.sheet().options {
                let name = format!("{platform}.{}", fact.key);
                assert!(!fact.label.is_empty(), "{name} has a label");
                let control = control(fact, &files);
                let is_right = match fact.value {
                    OptionValue::Flag => matches!(&control, Control::Select(two) if two.len() == 2),
                    OptionValue::OneOf(words) => match &control {
                        Control::Radio(shown) => shown == words && words.len() <= SHOWN_AT_ONCE,
                        Control::Select(shown) => shown.len() == words.len(),
                        _ => false,
                    },
                    OptionValue::SomeOf(words) => control == Control::Ticks(words),
                    OptionValue::Integer { least, most } => {
                        control == Control::Number { least, most }
                    }
                    OptionValue::Uuid => control == Control::Select(files.to_vec()),
                    OptionValue::Address { .. } => control == Control::Line("url"),
                    OptionValue::Texts { .. } | OptionValue::Poll(_) | OptionValue::Shaped(_) => {
                        control == Control::Text
                    }
                    OptionValue::Tags(bounds) if !bounds.words.is_empty() => {
                        control == Control::Ticks(bounds.words)
                    }
                    _ => control == Control::Line("text"),
                };
                assert!(is_right, "{name}: {control:?}");
                // A bound of the table is told, unless the control holds it.
                let is_bounded = match fact.value {
                    OptionValue::Text { bound, .. } => bound.is_some(),
                    OptionValue::Digits { .. }
                    | OptionValue::Tags(_)
                    | OptionValue::UserNames { .. }
                    | OptionValue::Integer { .. }
                    | OptionValue::Languages { .. }
                    | OptionValue::Texts { .. } => true,
                    OptionValue::Address { max_length } => max_length.is_some(),
                    _ => false,
                };
                assert!(!is_bounded || !bounds(fact).is_empty(), "{name} tells its bound");
            }
        }
    }
}
