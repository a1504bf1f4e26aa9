//! What a key asks of programs that work with it through the Model Context Protocol.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// For which calls of a program its person has to confirm first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Confirmation {
    /// For each that changes something.
    Always,
    /// For those after which something goes out, or changes or goes that is live.
    #[default]
    Live,
    /// For none.
    Never,
}

impl Confirmation {
    /// Every choice. Tables in tests run over it.
    pub const ALL: [Self; 3] = [Self::Always, Self::Live, Self::Never];

    /// The name that is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Live => "live",
            Self::Never => "never",
        }
    }
}

impl fmt::Display for Confirmation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The text is not the name of a choice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} says not when a person confirms; that is always, live or never")]
pub struct UnknownConfirmation(pub String);

impl FromStr for Confirmation {
    type Err = UnknownConfirmation;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.as_str() == text).ok_or_else(|| UnknownConfirmation(text.to_owned()))
    }
}

/// What a key asks of programs that work with it through the Model Context Protocol.
///
/// ```
/// use scheduler_core::key::{AgentPolicy, Confirmation, Preset};
///
/// assert_eq!(AgentPolicy::of(Preset::Agent).confirmation, Confirmation::Always);
/// assert_eq!(AgentPolicy::of(Preset::Publish), AgentPolicy::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentPolicy {
    /// For which calls the person has to confirm.
    pub confirmation: Confirmation,
    /// Calls in an hour, from one full hour to the next, after which something goes out: at most
    /// [`LIVE_PER_HOUR_MAX`](Self::LIVE_PER_HOUR_MAX).
    pub live_per_hour: u32,
}

impl AgentPolicy {
    /// The largest limit of an hour. Source: our decision.
    pub const LIVE_PER_HOUR_MAX: u32 = 1_000;

    /// That of a new key of a preset, where nothing else is said.
    #[must_use]
    pub fn of(preset: super::Preset) -> Self {
        let confirmation = match preset {
            super::Preset::Agent => Confirmation::Always,
            _ => Confirmation::default(),
        };
        Self { confirmation, ..Self::default() }
    }
}

impl Default for AgentPolicy {
    /// Source: our decision.
    fn default() -> Self {
        Self { confirmation: Confirmation::default(), live_per_hour: 20 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_written_and_read() {
        for confirmation in Confirmation::ALL {
            assert_eq!(confirmation.as_str().parse(), Ok(confirmation));
            assert_eq!(serde_json::to_value(confirmation).unwrap(), confirmation.as_str());
        }
        assert!("sometimes".parse::<Confirmation>().is_err());
    }
}
