//! API keys: their values, scopes, presets and expiry.

mod agents;
mod scope;
mod value;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::{KeyId, WorkspaceId};

pub use agents::{AgentPolicy, Confirmation, UnknownConfirmation};
pub use scope::{Preset, Scope, Scopes, UnknownPreset, UnknownScope};
pub(crate) use value::base62;
pub use value::{KeyHash, KeyValue, WebhookSecret};

/// A key as it is kept: never its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its id.
    pub id: KeyId,
    /// The one workspace that it opens.
    pub workspace_id: WorkspaceId,
    /// What a person calls it.
    pub name: String,
    /// The SHA-256 of its value.
    pub hash: KeyHash,
    /// The first 8 characters of its value, to recognise it by.
    pub hint: String,
    /// What it allows.
    pub scopes: Scopes,
    /// What it asks of programs that act for a person.
    pub agents: AgentPolicy,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// From when on it is refused.
    pub expires_at: DateTime<Utc>,
}

impl Key {
    /// True while the key opens its workspace.
    #[must_use]
    pub fn is_valid_at(&self, now: DateTime<Utc>) -> bool {
        now < self.expires_at
    }
}

/// A key as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Key"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct KeyView {
    /// Its id.
    pub id: KeyId,
    /// What a person calls it.
    pub name: String,
    /// What it allows.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub scopes: Scopes,
    /// For which calls of a program that works with it through the Model Context Protocol the person
    /// has to confirm.
    pub confirm: Confirmation,
    /// After how many calls of such a program in an hour something may go out.
    pub live_per_hour: u32,
    /// The first 8 characters of its value, to recognise it by.
    pub hint: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// From when on it is refused.
    pub expires_at: DateTime<Utc>,
    /// Its value; only in the answer to its creation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

impl From<&Key> for KeyView {
    /// Without the value.
    fn from(key: &Key) -> Self {
        Self {
            id: key.id,
            name: key.name.clone(),
            scopes: key.scopes,
            confirm: key.agents.confirmation,
            live_per_hour: key.agents.live_per_hour,
            hint: key.hint.clone(),
            created_at: key.created_at,
            expires_at: key.expires_at,
            key: None,
        }
    }
}

/// How long a new key is valid.
///
/// Source: interface description, Authentication.
///
/// ```
/// use chrono::TimeDelta;
/// use scheduler_core::key::Expiry;
/// assert_eq!(Expiry::default().duration(), TimeDelta::days(365));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Expiry {
    /// 30 days.
    #[serde(rename = "30d")]
    Days30,
    /// 90 days.
    #[serde(rename = "90d")]
    Days90,
    /// A year (365 days).
    #[default]
    #[serde(rename = "1y")]
    Year,
}

impl Expiry {
    /// The length of the validity.
    #[must_use]
    pub const fn duration(self) -> TimeDelta {
        match self {
            Self::Days30 => TimeDelta::days(30),
            Self::Days90 => TimeDelta::days(90),
            Self::Year => TimeDelta::days(365),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Preset;
    use uuid::Uuid;

    #[test]
    fn a_key_is_refused_from_its_last_instant_on() {
        let created_at: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().unwrap();
        for (name, expiry, last) in [
            ("30 days", Expiry::Days30, "2026-01-31T00:00:00Z"),
            ("90 days", Expiry::Days90, "2026-04-01T00:00:00Z"),
            ("a year, the default", Expiry::default(), "2027-01-01T00:00:00Z"),
        ] {
            let value = KeyValue::from_random([7; 32]);
            let key = Key {
                id: KeyId(Uuid::nil()),
                workspace_id: WorkspaceId(Uuid::nil()),
                name: "test".into(),
                hash: value.hash(),
                hint: value.hint(),
                scopes: Preset::Full.scopes(),
                agents: AgentPolicy::default(),
                created_at,
                expires_at: created_at + expiry.duration(),
            };
            let last: DateTime<Utc> = last.parse().unwrap();
            assert!(key.is_valid_at(last - TimeDelta::microseconds(1)), "{name}");
            assert!(!key.is_valid_at(last), "{name}");
        }
    }
}
