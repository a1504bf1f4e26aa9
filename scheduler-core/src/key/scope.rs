//! What a key allows.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One thing that a key may allow.
///
/// Source: interface description, Authentication, Scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Reading posts and accounts.
    PostsRead,
    /// Drafts, deleting posts, captions.
    PostsWrite,
    /// Anything that goes live.
    PostsPublish,
    /// Reading media.
    MediaRead,
    /// Creating media.
    MediaWrite,
    /// Listing webhooks.
    WebhooksRead,
    /// Creating webhooks.
    WebhooksWrite,
    /// Everything.
    All,
}

impl Scope {
    /// Every scope. Tables in tests run over it.
    pub const ALL: [Self; 8] = [
        Self::PostsRead,
        Self::PostsWrite,
        Self::PostsPublish,
        Self::MediaRead,
        Self::MediaWrite,
        Self::WebhooksRead,
        Self::WebhooksWrite,
        Self::All,
    ];

    /// The wire name, such as `posts:read`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PostsRead => "posts:read",
            Self::PostsWrite => "posts:write",
            Self::PostsPublish => "posts:publish",
            Self::MediaRead => "media:read",
            Self::MediaWrite => "media:write",
            Self::WebhooksRead => "webhooks:read",
            Self::WebhooksWrite => "webhooks:write",
            Self::All => "*",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The wire names of [`Scope::ALL`].
const NAMES: [&str; Scope::ALL.len()] = {
    let mut names = [""; Scope::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = Scope::ALL[index].as_str();
        index += 1;
    }
    names
};

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The text is not the wire name of a scope.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a scope")]
pub struct UnknownScope(pub String);

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|scope| scope.as_str() == text)
            .ok_or_else(|| UnknownScope(text.to_owned()))
    }
}

/// A set of scopes. Written as their names with spaces between.
///
/// ```
/// use scheduler_core::key::{Preset, Scope, Scopes};
///
/// let drafts = Preset::Drafts.scopes();
/// assert!(drafts.allows(Scope::PostsWrite) && !drafts.allows(Scope::PostsPublish));
/// assert!(Preset::Full.scopes().allows(Scope::WebhooksWrite), "* allows everything");
/// assert_eq!("posts:read media:read".parse::<Scopes>()?.iter().count(), 2);
/// # Ok::<(), scheduler_core::key::UnknownScope>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scopes(u8);

impl Scopes {
    /// The set of these scopes.
    #[must_use]
    pub fn of(scopes: &[Scope]) -> Self {
        Self(scopes.iter().fold(0, |bits, scope| bits | scope.bit()))
    }

    /// True when the set allows what `scope` stands for; [`Scope::All`] allows everything.
    #[must_use]
    pub const fn allows(self, scope: Scope) -> bool {
        self.0 & (scope.bit() | Scope::All.bit()) != 0
    }

    /// True when the set allows whatever the others stand for.
    #[must_use]
    pub fn include(self, others: Self) -> bool {
        others.iter().all(|scope| self.allows(scope))
    }

    /// The scopes of the set, in the order of the interface description.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.0 & scope.bit() != 0)
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.iter().map(Scope::as_str).collect();
        formatter.write_str(&names.join(" "))
    }
}

impl FromStr for Scopes {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let scopes: Result<Vec<Scope>, _> = text.split_whitespace().map(str::parse).collect();
        scopes.map(|scopes| Self::of(&scopes))
    }
}

impl Serialize for Scopes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Scope::as_str))
    }
}

impl<'de> Deserialize<'de> for Scopes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let names: Vec<String> = Vec::deserialize(deserializer)?;
        names
            .join(" ")
            .parse::<Self>()
            .map_err(|UnknownScope(name)| serde::de::Error::unknown_variant(&name, &NAMES))
    }
}

/// A ready choice of scopes for a new key.
///
/// Source: interface description, Authentication; their contents are our decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Everything.
    Full,
    /// Reading, writing and publishing posts, and media.
    Publish,
    /// Reading and writing posts and media, nothing that goes live.
    Drafts,
    /// The same, for a program that acts on its own, such as a client of the Model Context
    /// Protocol.
    Agent,
    /// Reading only.
    Read,
}

impl Preset {
    /// Every preset. Tables in tests run over it.
    pub const ALL: [Self; 5] = [Self::Full, Self::Publish, Self::Drafts, Self::Agent, Self::Read];

    /// The name on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Publish => "publish",
            Self::Drafts => "drafts",
            Self::Agent => "agent",
            Self::Read => "read",
        }
    }

    /// The scopes that it stands for.
    #[must_use]
    pub fn scopes(self) -> Scopes {
        use Scope as S;
        match self {
            Self::Full => Scopes::of(&[S::All]),
            Self::Publish => Scopes::of(&[
                S::PostsRead,
                S::PostsWrite,
                S::PostsPublish,
                S::MediaRead,
                S::MediaWrite,
            ]),
            Self::Drafts | Self::Agent => {
                Scopes::of(&[S::PostsRead, S::PostsWrite, S::MediaRead, S::MediaWrite])
            }
            Self::Read => Scopes::of(&[S::PostsRead, S::MediaRead, S::WebhooksRead]),
        }
    }
}

/// The text is not the name of a preset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a preset; the presets are full, publish, drafts, agent and read")]
pub struct UnknownPreset(pub String);

impl FromStr for Preset {
    type Err = UnknownPreset;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|preset| preset.as_str() == text)
            .ok_or_else(|| UnknownPreset(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_and_scopes_as_a_matrix() {
        // read, write, publish, media:read, media:write, webhooks:read, webhooks:write, *
        for (preset, want) in [
            (Preset::Full, [true; 8]),
            (Preset::Publish, [true, true, true, true, true, false, false, false]),
            (Preset::Drafts, [true, true, false, true, true, false, false, false]),
            (Preset::Agent, [true, true, false, true, true, false, false, false]),
            (Preset::Read, [true, false, false, true, false, true, false, false]),
        ] {
            assert_eq!(Scope::ALL.map(|scope| preset.scopes().allows(scope)), want, "{preset:?}");
            assert_eq!(preset.as_str().parse(), Ok(preset));
        }
        assert!("admin".parse::<Preset>().is_err());
    }

    #[test]
    fn sets_are_written_and_read() {
        for preset in Preset::ALL {
            let scopes = preset.scopes();
            assert_eq!(scopes.to_string().parse(), Ok(scopes));
        }
        assert_eq!(Preset::Read.scopes().to_string(), "posts:read media:read webhooks:read");
        assert!("posts:read posts:steal".parse::<Scopes>().is_err());
        assert!(!Scopes::default().allows(Scope::PostsRead));
    }
}
