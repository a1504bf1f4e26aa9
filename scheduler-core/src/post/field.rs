//! A field of a body, as it was sent or not.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A field of a body that may be absent, `null`, or hold a value; absent is not `null`.
///
/// ```
/// use scheduler_core::post::{Field, PostInput};
///
/// let change: PostInput = serde_json::from_str(r#"{"content": "New", "linkUrl": null}"#)?;
/// assert_eq!(change.content, Field::Value("New".to_owned()));
/// assert_eq!(change.link_url.or_current(Some("https://a.example".into())), None, "cleared");
/// assert!(!change.targets.is_sent(), "stays as it is");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Field<T> {
    /// Not sent: leave it as it is.
    #[default]
    Absent,
    /// Sent as `null`: clear it.
    Null,
    /// Sent with a value.
    Value(T),
}

impl<T> Field<T> {
    /// The value, when there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Absent | Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }

    /// True when the field was sent, be it as `null`.
    pub const fn is_sent(&self) -> bool {
        !matches!(self, Self::Absent)
    }

    /// True when the field was not sent: a body that is written leaves it out.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// The field's new content: `current` when it was not sent, `None` for `null`.
    pub fn or_current(self, current: Option<T>) -> Option<T> {
        match self {
            Self::Absent => current,
            Self::Null => None,
            Self::Value(value) => Some(value),
        }
    }
}

impl<T> Field<T> {
    /// The same, or the other where this was not sent.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        match self {
            Self::Absent => other,
            Self::Null | Self::Value(_) => self,
        }
    }
}

impl<T: Clone + Default> Field<T> {
    /// Changes `current` to what was sent: to nothing for `null`.
    pub(super) fn apply_to(&self, current: &mut T) {
        if self.is_sent() {
            *current = self.value().cloned().unwrap_or_default();
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Field<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Option::deserialize(deserializer).map(|value| value.map_or(Self::Null, Self::Value))
    }
}

impl<T> From<T> for Field<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

impl<T: Serialize> Serialize for Field<T> {
    /// As `null` where it is not sent; the bodies of this crate leave it out.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}
