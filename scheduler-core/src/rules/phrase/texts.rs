//! Sentences about texts: their length, and what they hold.

use super::{Speaker, counted};
use crate::platform::{OptionValue, Platform, TextUnit};
use crate::rules::Place;
use crate::rules::detail::{Counted, Detail, WhyLong};

impl Speaker {
    /// The sentence of a detail about a text; `None` for any other.
    pub(super) fn of_texts(self, detail: &Detail) -> Option<String> {
        let name = self.name();
        Some(match detail {
            Detail::TooLong { unit, found, most, place, with_warning, beside_files } => {
                let mut sentence = self.subject(place);
                match place {
                    Place::Text if *with_warning => sentence += " with its content warning",
                    Place::Item(..) if *with_warning => sentence += " with the content warning",
                    _ => {}
                }
                let verb = if self.is_tags(place) { "take" } else { "is" };
                sentence += &format!(" {verb} {found} {}", unit.noun());
                if self.sheet.is_some() && !matches!(place, Place::Item(key, _) if key == "poll") {
                    sentence += &format!(" for {name}");
                }
                sentence += &format!(", the limit is {most}");
                if *beside_files {
                    sentence += " beside files";
                }
                if self.is_tags(place) {
                    sentence += " together";
                }
                sentence + self.hint_at(place, *unit) + "."
            }
            Detail::Long { unit, found, most, place, why } => {
                let subject = self.subject(place);
                match why {
                    WhyLong::Sheet(outcome) => format!(
                        "{subject} is {found} {} for {name}, more than {most}. {outcome}",
                        unit.noun()
                    ),
                    WhyLong::Escaped => format!(
                        "{subject} is {found} characters for {name} with its escape signs; it may refuse more than {most}."
                    ),
                    WhyLong::EmojiAsTwo => format!(
                        "{subject} is {found} characters for {name} if it counts an emoji as two, the limit is {most}."
                    ),
                    WhyLong::InBytes => format!(
                        "{subject} is {found} {}; the limit of {most} may be meant in bytes.",
                        unit.noun()
                    ),
                }
            }
            Detail::TooMany { unit, found, most, place } if is_in_texts(*unit) => {
                let subject = self.subject(place);
                format!("{subject} has {found} {}; {name} allows {most}.", unit.noun())
            }
            Detail::Many { unit, found, most, place } if is_in_texts(*unit) => {
                let subject = self.subject(place);
                let found = counted(*found, unit.noun());
                match self.sheet.and_then(|sheet| known_outcome(sheet.platform, *unit)) {
                    Some(outcome) => format!("{subject} has {found}; {outcome}."),
                    None => format!("{subject} has {found}; {name} may not use more than {most}."),
                }
            }
            Detail::Paragraphs { found, most, others, length } => {
                let rest = if *others > 0 {
                    format!(", of which the files and the link take {others}")
                } else {
                    String::new()
                };
                format!(
                    "Text makes {found} paragraphs of at most {length} characters for {name}, the limit is {most}{rest}."
                )
            }
            Detail::MissingText { .. } if self.sheet.is_none() => {
                "The post has neither text nor files.".to_owned()
            }
            Detail::MissingText { allowed, is_invisible } => match (allowed.len(), is_invisible) {
                (3.., _) => format!("{name} needs a text, a file or a link."),
                (2, true) => format!("{name} needs a text that can be seen, or a file."),
                (2, false) => format!("{name} needs a text or a file."),
                (..2, _) => format!("{name} needs a text."),
            },
            Detail::ForbiddenCharacter { found, place: Place::Text } => {
                format!("{name} refuses {} in a text.", shown(*found))
            }
            Detail::ForbiddenCharacter { found, place } => {
                format!("{} holds {}, which {name} refuses.", self.subject(place), shown(*found))
            }
            Detail::CharactersRemoved { found } => {
                let removed: Vec<String> = found.iter().copied().map(shown).collect();
                format!("{name} takes {} out of the text.", removed.join(", "))
            }
            _ => return None,
        })
    }

    /// Whether a place is all tags together.
    fn is_tags(self, place: &Place) -> bool {
        let Place::Option(key) = place else { return false };
        let option = self.sheet.and_then(|sheet| sheet.option(key));
        option.is_some_and(|option| matches!(option.value, OptionValue::Tags(_)))
    }

    /// What to know of how the network counts here.
    fn hint_at(self, place: &Place, unit: TextUnit) -> &'static str {
        let is_own_unit = self.sheet.is_some_and(|sheet| sheet.text.unit == unit);
        match place {
            Place::Text | Place::Comment => hint(unit),
            Place::Item(key, _) if key == "thread" && is_own_unit => hint(unit),
            _ => "",
        }
    }
}

const fn is_in_texts(unit: Counted) -> bool {
    matches!(unit, Counted::Hashtags | Counted::Mentions | Counted::Links | Counted::Cashtags)
}

/// What a person should know of how a unit counts, for the end of a sentence.
pub(in crate::rules) const fn hint(unit: TextUnit) -> &'static str {
    match unit {
        TextUnit::Bytes => " (emoji and accents take several bytes)",
        TextUnit::EmojiInBytes => " (most emoji count 4 or more)",
        TextUnit::Utf16Units => " (emoji count 2 or more)",
        TextUnit::TwitterCharacters => " (links count 23, emoji and CJK count 2)",
        TextUnit::CodePoints | TextUnit::Graphemes | TextUnit::MastodonCharacters => "",
    }
}

/// A character as a person can read it.
pub(in crate::rules) fn shown(character: char) -> String {
    if character.is_ascii_graphic() {
        format!("\"{character}\"")
    } else {
        format!("U+{:04X}", u32::from(character))
    }
}

/// What a network does with more hashtags or mentions than it uses, where it says so.
pub(in crate::rules) fn known_outcome(platform: Platform, unit: Counted) -> Option<&'static str> {
    match (platform, unit) {
        (Platform::Threads, Counted::Hashtags) => {
            Some("only the first is the topic, the others stay plain text")
        }
        (Platform::Twitter, Counted::Mentions) => {
            Some("X limits whom an app may mention and may refuse the post")
        }
        _ => None,
    }
}
