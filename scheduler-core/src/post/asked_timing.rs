//! When a post was asked to go out, in the words of who asked.

use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};

use crate::timing::Timing;

/// How the time of a post was said, as its last change of time said it.
///
/// ```
/// use scheduler_core::post::AskedTiming;
/// let local = AskedTiming::Local { local: "2026-12-01T09:00:00".parse()? };
/// assert_eq!(serde_json::to_string(&local)?, r#"{"kind":"local","local":"2026-12-01T09:00"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AskedTiming"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AskedTiming {
    /// One instant for every target: the `scheduledAt` of the post.
    Instant,
    /// A wall-clock time, read in each account's zone.
    Local {
        /// That time, to the minute.
        #[serde(with = "local_text")]
        #[cfg_attr(
            feature = "schema",
            schemars(with = "String", regex(pattern = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$"))
        )]
        local: NaiveDateTime,
    },
    /// The next free slot of each account.
    Queue,
    /// At once.
    Now,
    /// Not at all: a draft.
    Draft,
}

impl From<Timing> for AskedTiming {
    fn from(timing: Timing) -> Self {
        match timing {
            Timing::At(_) => Self::Instant,
            Timing::Local(local) => Self::Local { local },
            Timing::NextSlot | Timing::Slot(_) => Self::Queue,
            Timing::Now => Self::Now,
            Timing::Draft => Self::Draft,
        }
    }
}

/// A local time as the contract writes it.
mod local_text {
    use chrono::NaiveDateTime;
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    use crate::timing::{format_local, parse_local};

    pub(super) fn serialize<S: Serializer>(
        local: &NaiveDateTime,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format_local(*local))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<NaiveDateTime, D::Error> {
        parse_local(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
