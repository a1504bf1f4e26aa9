//! What a person may do.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::key::{Preset, Scope, Scopes};

/// What a person may do in a workspace; each may what those before it may.
///
/// ```
/// use scheduler_core::key::Scope;
/// use scheduler_core::session::Role;
///
/// assert!(Role::Editor > Role::Drafter);
/// assert!(Role::Editor.scopes().allows(Scope::PostsPublish));
/// assert!(!Role::Drafter.scopes().allows(Scope::PostsPublish));
/// assert_eq!("owner".parse(), Ok(Role::Owner));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Sees everything but keys, webhooks and sessions.
    Reader,
    /// Writes drafts and files too, and asks clients for approval.
    Drafter,
    /// Schedules and publishes too, comments, retries, and sends events again.
    Editor,
    /// Everything: accounts, schedules, keys, webhooks, the workspace, sessions of others.
    Owner,
}

impl Role {
    /// Every role, the least first. Tables in tests run over it.
    pub const ALL: [Self; 4] = [Self::Reader, Self::Drafter, Self::Editor, Self::Owner];

    /// Its name, as the API spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Drafter => "drafter",
            Self::Editor => "editor",
            Self::Owner => "owner",
        }
    }

    /// What it allows in the API of the keys.
    #[must_use]
    pub fn scopes(self) -> Scopes {
        match self {
            Self::Reader => Scopes::of(&[Scope::PostsRead, Scope::MediaRead]),
            Self::Drafter => Preset::Drafts.scopes(),
            Self::Editor => Preset::Publish.scopes(),
            Self::Owner => Preset::Full.scopes(),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The text is not the name of a role.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a role; the roles are reader, drafter, editor and owner")]
pub struct UnknownRole(pub String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let role = Self::ALL.into_iter().find(|role| role.as_str() == text);
        role.ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_and_scopes_as_a_matrix() {
        // In the order of `Scope::ALL`.
        for (role, want) in [
            (Role::Reader, [true, false, false, true, false, false, false, false]),
            (Role::Drafter, [true, true, false, true, true, false, false, false]),
            (Role::Editor, [true, true, true, true, true, false, false, false]),
            (Role::Owner, [true; 8]),
        ] {
            assert_eq!(Scope::ALL.map(|scope| role.scopes().allows(scope)), want, "{role}");
            assert_eq!(role.as_str().parse(), Ok(role));
            assert_eq!(serde_json::to_value(role).unwrap(), role.as_str());
        }
        assert!(Role::ALL.is_sorted());
        assert!("admin".parse::<Role>().is_err());
    }
}
