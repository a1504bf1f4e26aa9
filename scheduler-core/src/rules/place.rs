//! Where in a post something was found, and figures that were measured.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::detail::Word;

/// Where in a post something was found.
///
/// As JSON it is up to three fields: `file`, an index into the files of the post; `option`, a key
/// of the target's options; `part`, which is `text`, `link`, `alt_text` or `comment`, or an index
/// into the option as a string.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Fields", into = "Fields")]
#[non_exhaustive]
pub enum Place {
    /// The post as a whole.
    Post,
    /// The text, or the first part of a thread.
    Text,
    /// The link of the post.
    Link,
    /// A comment.
    Comment,
    /// The file with this index.
    File(usize),
    /// The alternative text of the file with this index.
    AltText(usize),
    /// The option with this key.
    Option(Word),
    /// An item of the option with this key, by its index: a later part of a `thread`, an option of
    /// a `poll`, a tag.
    Item(Word, usize),
}

impl Place {
    /// The option with this key.
    pub(super) const fn option(key: &'static str) -> Self {
        Self::Option(Cow::Borrowed(key))
    }

    /// An item of the option with this key.
    pub(super) const fn item(key: &'static str, index: usize) -> Self {
        Self::Item(Cow::Borrowed(key), index)
    }
}

/// A [`Place`] as JSON has it.
#[derive(Default, Serialize, Deserialize)]
struct Fields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    option: Option<Word>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<Word>,
}

impl From<Place> for Fields {
    fn from(place: Place) -> Self {
        let part = |part: &'static str| Self { part: Some(part.into()), ..Self::default() };
        match place {
            Place::Post => Self::default(),
            Place::Text => part("text"),
            Place::Link => part("link"),
            Place::Comment => part("comment"),
            Place::File(file) => Self { file: Some(file), ..Self::default() },
            Place::AltText(file) => Self { file: Some(file), ..part("alt_text") },
            Place::Option(key) => Self { option: Some(key), ..Self::default() },
            Place::Item(key, index) => {
                Self { option: Some(key), part: Some(index.to_string().into()), file: None }
            }
        }
    }
}

impl From<Fields> for Place {
    fn from(Fields { file, option, part }: Fields) -> Self {
        match (option, file, part.as_deref()) {
            (Some(key), _, Some(part)) => match part.parse() {
                Ok(index) => Self::Item(key, index),
                Err(_) => Self::Option(key),
            },
            (Some(key), _, None) => Self::Option(key),
            (None, Some(file), Some(_)) => Self::AltText(file),
            (None, Some(file), None) => Self::File(file),
            (None, None, Some("text")) => Self::Text,
            (None, None, Some("link")) => Self::Link,
            (None, None, Some("comment")) => Self::Comment,
            (None, None, _) => Self::Post,
        }
    }
}

/// A measured figure or a bound; never NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure(f64);

impl Eq for Figure {}

impl Figure {
    /// This value; 0 for NaN.
    #[must_use]
    pub const fn new(value: f64) -> Self {
        Self(if value.is_nan() { 0.0 } else { value })
    }

    /// The value.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// The greatest number up to which a float counts by one.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// What stands in JSON for a figure without end, which JSON does not have.
const ENDLESS: f64 = 1e300;

impl Serialize for Figure {
    /// A whole number without a decimal point.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() <= WHOLE_MAX {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
            return serializer.serialize_i64(self.0 as i64);
        }
        serializer.serialize_f64(self.0.clamp(-ENDLESS, ENDLESS))
    }
}

impl<'de> Deserialize<'de> for Figure {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn places_as_json() {
        for (place, want) in [
            (Place::Post, json!({})),
            (Place::Text, json!({"part": "text"})),
            (Place::Link, json!({"part": "link"})),
            (Place::Comment, json!({"part": "comment"})),
            (Place::File(2), json!({"file": 2})),
            (Place::AltText(1), json!({"file": 1, "part": "alt_text"})),
            (Place::option("title"), json!({"option": "title"})),
            (Place::item("thread", 0), json!({"option": "thread", "part": "0"})),
        ] {
            assert_eq!(serde_json::to_value(&place).unwrap(), want);
            assert_eq!(serde_json::from_value::<Place>(want).unwrap(), place);
        }
    }

    #[test]
    fn figures_as_json() {
        for (value, want) in
            [(30.0, "30"), (0.5625, "0.5625"), (-1.0, "-1"), (f64::NAN, "0"), (1e300, "1e+300")]
        {
            assert_eq!(serde_json::to_string(&Figure::new(value)).unwrap(), want);
        }
        let endless = serde_json::to_string(&Figure::new(f64::INFINITY)).unwrap();
        assert!(serde_json::from_str::<Figure>(&endless).unwrap().get() > 1e299, "{endless}");
    }
}
