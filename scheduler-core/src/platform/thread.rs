//! A later part of a thread: its text and its files.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{Platform, THREAD};
use crate::ids::MediaId;

/// A post that follows the first as a part of a thread.
///
/// As JSON it is a string where it has no files, else an object of `text`, `mediaIds` and
/// `altTexts`.
///
/// ```
/// use scheduler_core::platform::ThreadPart;
///
/// let parts: Vec<ThreadPart> = serde_json::from_str(r#"["Two", {"text": "Three"}]"#)?;
/// assert_eq!(parts, [ThreadPart::from("Two"), ThreadPart::from("Three")]);
/// assert_eq!(serde_json::to_string(&parts)?, r#"["Two","Three"]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadPart {
    /// Its text; may be empty where it has files.
    pub text: String,
    /// Its files, in order.
    pub media_ids: Vec<MediaId>,
    /// What each file shows, for those who cannot see it, in the same order; may be shorter.
    pub alt_texts: Vec<Option<String>>,
}

impl ThreadPart {
    /// The later parts of a thread among the options of a target; none where the network knows no
    /// threads, or where one of them has another form.
    #[must_use]
    pub fn all(platform: Platform, options: &Map<String, Value>) -> Vec<Self> {
        if platform.sheet().option(THREAD.key).is_none() {
            return Vec::new();
        }
        let items = options.get(THREAD.key).and_then(Value::as_array);
        items.into_iter().flatten().map(Self::read).collect::<Option<_>>().unwrap_or_default()
    }

    /// A part as it was sent; `None` where it has another form.
    pub(crate) fn read(item: &Value) -> Option<Self> {
        Self::deserialize(item).ok()
    }

    /// What a file shows, for those who cannot see it.
    #[must_use]
    pub fn alt_text(&self, file: usize) -> Option<&str> {
        self.alt_texts.get(file)?.as_deref()
    }
}

impl From<String> for ThreadPart {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl From<&str> for ThreadPart {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// The form with files.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WithFiles {
    #[serde(default)]
    text: String,
    #[serde(default)]
    media_ids: Vec<MediaId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    alt_texts: Vec<Option<String>>,
}

impl Serialize for ThreadPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.media_ids.is_empty() && self.alt_texts.is_empty() {
            return serializer.serialize_str(&self.text);
        }
        let Self { text, media_ids, alt_texts } = self.clone();
        WithFiles { text, media_ids, alt_texts }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ThreadPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PartVisitor;

        impl<'de> Visitor<'de> for PartVisitor {
            type Value = ThreadPart;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string or an object")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<ThreadPart, E> {
                Ok(text.into())
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ThreadPart, A::Error> {
                let part = WithFiles::deserialize(MapAccessDeserializer::new(map))?;
                let WithFiles { text, media_ids, alt_texts } = part;
                Ok(ThreadPart { text, media_ids, alt_texts })
            }
        }

        deserializer.deserialize_any(PartVisitor)
    }
}
