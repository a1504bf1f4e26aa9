//! Who somebody is, where they have said it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::PersonId;

/// The longest name of a person, in characters.
///
/// Source: our decision.
pub const PERSON_MAX_CHARACTERS: usize = 60;

/// A person whom a session names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct Person {
    /// Who they are, whatever they are called and however they have signed in.
    pub id: PersonId,
    /// What they are called.
    pub name: PersonName,
}

impl Person {
    /// True when nothing tells the two apart for sure: they are one, or are called the same.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.id == other.id || self.name.is_same_as(&other.name)
    }
}

/// What a person is called, such as `Ana`: 1 to [`PERSON_MAX_CHARACTERS`] characters in one line,
/// without a space at its ends.
///
/// ```
/// use scheduler_core::session::PersonName;
///
/// let name: PersonName = " Ana ".parse()?;
/// assert_eq!(name.as_str(), "Ana");
/// assert!("Ana\nowner".parse::<PersonName>().is_err());
/// # Ok::<(), scheduler_core::session::NoPersonName>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PersonName(String);

impl PersonName {
    /// The name nearest to what others call somebody: on one line, without signs that cannot be
    /// seen, and cut where it is too long; `None` where nothing is left.
    ///
    /// ```
    /// use scheduler_core::session::PersonName;
    ///
    /// let name = PersonName::nearest_to("Ana\n  María\u{202e}").ok_or("there is one")?;
    /// assert_eq!(name.as_str(), "Ana María");
    /// assert!(PersonName::nearest_to(" \u{200b}").is_none());
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn nearest_to(text: &str) -> Option<Self> {
        let seen = |sign: &char| !is_unseen(*sign) && (!sign.is_control() || sign.is_whitespace());
        let text: String = text.chars().filter(seen).collect();
        let words: Vec<&str> = text.split_whitespace().collect();
        let name: String = words.join(" ").chars().take(PERSON_MAX_CHARACTERS).collect();
        name.parse().ok()
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True when both are read as one: case does not matter.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.0.to_lowercase() == other.0.to_lowercase()
    }
}

impl fmt::Display for PersonName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The text is not the name of a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a person has a name of 1 to {PERSON_MAX_CHARACTERS} characters in one line, without signs \
     that cannot be seen"
)]
pub struct NoPersonName;

impl FromStr for PersonName {
    type Err = NoPersonName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim();
        let is_name = (1..=PERSON_MAX_CHARACTERS).contains(&name.chars().count())
            && !name.chars().any(|sign| sign.is_control() || is_unseen(sign));
        if is_name { Ok(Self(name.to_owned())) } else { Err(NoPersonName) }
    }
}

impl TryFrom<String> for PersonName {
    type Error = NoPersonName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<PersonName> for String {
    fn from(name: PersonName) -> Self {
        name.0
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for PersonName {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PersonName".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "minLength": 1,
            "maxLength": PERSON_MAX_CHARACTERS,
        })
    }
}

/// Signs that have no shape of their own, or turn the direction of others: with them two names
/// that look alike would be two.
///
/// Source: <https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing> and the characters
/// of the category `Cf` beside them.
const fn is_unseen(sign: char) -> bool {
    matches!(sign,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people() {
        let longest = "é".repeat(PERSON_MAX_CHARACTERS);
        let too_long = "é".repeat(PERSON_MAX_CHARACTERS + 1);
        for (name, text, want) in [
            ("one word", "Ana", Some("Ana")),
            ("several", "Ana María", Some("Ana María")),
            ("an address", "ana@example.com", Some("ana@example.com")),
            ("spaces at its ends", "  Ana\t", Some("Ana")),
            ("another script", "أنا", Some("أنا")),
            ("the longest", longest.as_str(), Some(longest.as_str())),
            ("one sign too long", too_long.as_str(), None),
            ("nothing", "", None),
            ("spaces alone", "   ", None),
            ("two lines", "Ana\nBen", None),
            ("a direction override", "Ana\u{202e}neB", None),
            ("a sign of no width", "A\u{200b}na", None),
            ("a null", "Ana\0", None),
        ] {
            let read = text.parse::<PersonName>().ok();
            assert_eq!(read.as_ref().map(PersonName::as_str), want, "{name}");
            let json = serde_json::to_string(text).unwrap();
            assert_eq!(serde_json::from_str::<PersonName>(&json).ok(), read, "{name}, as JSON");
        }
    }

    #[test]
    fn names_that_are_read_as_one() {
        for (one, other, want) in
            [("Ana", "ANA", true), ("Ána", "ána", true), ("Ana", "Ann", false)]
        {
            let read = |text: &str| text.parse::<PersonName>().unwrap();
            assert_eq!(read(one).is_same_as(&read(other)), want, "{one} and {other}");
        }
    }
}
