//! Sentences about options.

use super::Speaker;
use crate::rules::Place;
use crate::rules::detail::{Counted, Detail, Form, Word};

impl Speaker {
    /// The sentence of a detail about an option; `None` for any other.
    pub(super) fn of_options(self, detail: &Detail) -> Option<String> {
        let name = self.name();
        Some(match detail {
            Detail::TooMany { unit: Counted::Posts, found, most, .. } => {
                format!("A thread on {name} can have at most {most} follow-up posts, not {found}.")
            }
            Detail::TooMany { unit: Counted::Tags, found, most, .. } => {
                format!("{name} takes at most {most} tags, not {found}.")
            }
            Detail::TooMany { unit: Counted::Names, found, most, place } => {
                format!("{name} allows {most} {}, not {found}.", place_in_options(place))
            }
            Detail::TooMany { unit: Counted::Items, found, most, place } => {
                let value = place_in_options(place);
                format!("{value} holds {found} items; {name} takes at most {most}.")
            }
            Detail::TooFew { unit: Counted::Items, found, least, place } => {
                let value = place_in_options(place);
                let items = if *least == 1 { "item" } else { "items" };
                let found = if *found == 0 { "none".to_owned() } else { found.to_string() };
                format!("{value} has {found}; {name} needs at least {least} {items}.")
            }
            Detail::OptionOutOfBounds { option, found, least, most } => {
                format!("{option} is {found}; {name} takes {least} to {most}.")
            }
            Detail::Many { most, .. } => {
                format!("Only the first {most} tags are found by search on {name}.")
            }
            Detail::PollOptions { found, least, most, .. } => {
                format!("A poll has {least} to {most} options, not {found}.")
            }
            Detail::MissingOption { allowed, how, .. } if allowed.is_empty() => {
                how.clone().into_owned()
            }
            Detail::MissingOption { allowed, how, .. } => format!("{how} {}.", listed(allowed)),
            Detail::Empty { place: Place::Option(key) } if key == "thread" => {
                "thread has no parts; leave it out instead.".to_owned()
            }
            Detail::Empty { place: place @ Place::Option(_) } => {
                format!("{} is empty for {name}.", self.subject(place))
            }
            Detail::Empty { place } => format!("{} is empty.", self.subject(place)),
            Detail::Option { option, found, allowed, is_of_account } => {
                let allowed = listed(allowed);
                if *is_of_account {
                    format!("{option} is {found:?}; this account allows {allowed}.")
                } else {
                    format!("{option} is {found:?}; {name} takes {allowed}.")
                }
            }
            Detail::OptionType { option, found, expected } if found.is_empty() => {
                format!("{option} must be {expected}.")
            }
            Detail::OptionType { option, found, expected } => {
                format!("{option} {found}; it must be {expected}.")
            }
            Detail::Malformed { place, form } => malformed(&place_in_options(place), form),
            Detail::UnknownOption { option, allowed: [nearest] } => format!(
                "{option:?} is not an option of {name}; it is kept and not used. The nearest is \"{nearest}\"."
            ),
            Detail::Repeated { place: Place::Item(key, index), earlier: Some(earlier) }
                if key == "thread" =>
            {
                // The first part is the text of the post.
                let (first, second) = (earlier + 1, index + 2);
                format!(
                    "Thread parts {first} and {second} are identical; {name} refuses repeated text."
                )
            }
            Detail::Repeated { place: place @ Place::Item(key, _), .. } if key == "subtitles" => {
                format!("{} has the language and name of an earlier one.", self.subject(place))
            }
            Detail::Repeated { place, .. } => {
                format!("{} is the same as an earlier one.", self.subject(place))
            }
            _ => return None,
        })
    }
}

/// An option or an item of one, by its key.
fn place_in_options(place: &Place) -> String {
    match place {
        Place::Option(key) => key.clone().into_owned(),
        Place::Item(key, index) => format!("{key}[{index}]"),
        _ => String::new(),
    }
}

fn malformed(value: &str, form: &Form) -> String {
    match form {
        Form::Unknown => format!("{value} has not the form that it must have."),
        Form::Digits { most, how: "" } => {
            format!("{value} must be a number of at most {most} digits in a string.")
        }
        Form::Digits { most, how } => {
            format!("{value} must be a number of at most {most} digits in a string. {how}")
        }
        Form::FileId => format!("{value} must be the id of a file, a UUID."),
        Form::LanguageTag => format!("{value} must be a language tag such as en or pt-BR."),
        Form::Address { most: None } => {
            format!("{value} must be an address that begins with https:// or http://.")
        }
        Form::Address { most: Some(most) } => format!(
            "{value} must be an address of at most {most} characters that begins with https:// or http://."
        ),
        Form::UserName { most } => {
            format!("{value} must be a user name of at most {most} characters.")
        }
        Form::Subtitle => {
            format!("{value} must be an object with language, format and content.")
        }
        Form::Language => format!("{value}.language must be a language tag such as en or pt-BR."),
        Form::Format => format!("{value}.format must be srt or vtt."),
        Form::Name => format!("{value}.name must be a string."),
        Form::NameUpTo(most) => format!("{value}.name is over the limit of {most} characters."),
        Form::Content => format!("{value}.content must be a text."),
        Form::SomeContent => format!("{value}.content is empty."),
        Form::ContentUpTo(most) => {
            format!("{value}.content is over the limit of {most} bytes.")
        }
    }
}

/// Words in a row.
fn listed(words: &[Word]) -> String {
    words.iter().map(Word::as_ref).collect::<Vec<&str>>().join(", ")
}
