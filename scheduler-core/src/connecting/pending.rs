//! A connection that a person is making.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

use super::{Pass, PassHash};
use crate::ids::{AccountId, ConnectionId, WorkspaceId};
use crate::platform::Platform;
use crate::ports::{ConnectInput, Connected};

/// How long a person may take from the first link to the last click.
///
/// Source: our decision.
pub const LIFETIME: TimeDelta = TimeDelta::minutes(15);

/// A connection that a person is making in a browser.
#[derive(Clone, Debug)]
pub struct PendingConnection {
    /// Its id.
    pub id: ConnectionId,
    /// The workspace that will post as the accounts.
    pub workspace_id: WorkspaceId,
    /// The network.
    pub platform: Platform,
    /// The hash of what the browser has to show for the next step: the ticket of the link, later
    /// the cookie of the browser that has used it.
    pub pass: PassHash,
    /// How far it has come.
    pub stage: ConnectingStage,
    /// When the link was made.
    pub created_at: DateTime<Utc>,
    /// From when on no further step is taken.
    pub expires_at: DateTime<Utc>,
    /// Raised by every change.
    pub version: i64,
}

impl PendingConnection {
    /// True while a step can be taken.
    #[must_use]
    pub fn is_open_at(&self, now: DateTime<Utc>) -> bool {
        now < self.expires_at
    }

    /// The same for the browser that shows `pass`, at another stage.
    #[must_use]
    pub fn moved(self, pass: &Pass, stage: ConnectingStage) -> Self {
        Self { pass: pass.hash(), stage, ..self }
    }
}

/// How far a pending connection has come. What is secret of it prints as `[redacted]`.
#[derive(Clone, Debug)]
pub enum ConnectingStage {
    /// A person has the link, or has come back without a result and may begin again.
    Invited {
        /// What was given already, such as the server.
        given: ConnectInput,
    },
    /// The network's own page is open.
    Authorizing(Authorizing),
    /// The network has opened these accounts, and the person picks.
    Picking {
        /// The accounts.
        opened: Vec<Connected>,
    },
    /// It is over.
    Ended {
        /// What became of each account that was picked.
        outcomes: Vec<PickOutcome>,
    },
}

/// What has to be remembered while the network's page is open.
#[derive(Clone)]
pub struct Authorizing {
    /// The hash of the state that the network gives back.
    pub state: PassHash,
    /// The key that proves that who asked is who comes back.
    pub code_verifier: SecretString,
    /// Where the network sends the browser.
    pub redirect_uri: String,
    /// What the person gave before.
    pub given: ConnectInput,
    /// What the adapter needs when the browser comes back.
    pub kept: ConnectInput,
}

impl fmt::Debug for Authorizing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Authorizing")
            .field("redirect_uri", &self.redirect_uri)
            .field("given", &self.given)
            .field("kept", &self.kept)
            .finish_non_exhaustive()
    }
}

/// What became of an account that a person has picked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PickOutcome {
    /// Its name, for people.
    pub label: String,
    /// Its id, when it is connected.
    pub account_id: Option<AccountId>,
    /// True when the workspace had it before.
    pub was_known: bool,
    /// Why it is not connected.
    pub problem: Option<String>,
    /// What it cannot do since the person has not allowed it: a sentence for each.
    pub lacks: Vec<String>,
}
