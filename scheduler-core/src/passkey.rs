//! Passkeys: what a person signs in with in place of a link or a key.
//!
//! What a passkey says is read and verified by whoever shows the pages; what is kept of it, and
//! what follows from it, is decided here.

use chrono::{DateTime, TimeDelta, Utc};

use crate::connecting::PassHash;
use crate::ids::{PasskeyId, SessionId, WorkspaceId};
use crate::session::{Person, Role};

/// How long a passkey may take to answer.
///
/// Source: our decision; what <https://www.w3.org/TR/webauthn-3/#recommended-range-and-default-for-a-webauthn-ceremony-timeout>
/// recommends at least.
pub const CHALLENGE_LIFETIME: TimeDelta = TimeDelta::minutes(5);

/// Challenges that are open at once, in all workspaces together.
///
/// Source: our decision; about two megabytes.
pub const CHALLENGES_MAX: u32 = 10_000;

/// Passkeys that a workspace has at most.
///
/// Source: our decision.
pub const PASSKEYS_MAX: u32 = 500;

/// The longest id of a credential, in bytes.
///
/// Source: <https://www.w3.org/TR/webauthn-3/#credential-id>.
pub const CREDENTIAL_MAX_BYTES: usize = 1023;

/// A passkey of a person in a workspace, as it is kept: nothing of it is secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    /// Its id.
    pub id: PasskeyId,
    /// The one workspace that it opens.
    pub workspace_id: WorkspaceId,
    /// Whose it is.
    pub person: Person,
    /// What the person may do in a session that it opens.
    pub role: Role,
    /// Where it was made, such as the name of the browser.
    pub made_in: String,
    /// The id by which its authenticator knows it; unique.
    pub credential: Vec<u8>,
    /// Its public key and what else stays, as the verifier has written it.
    pub public: Vec<u8>,
    /// How often it has signed and what else changes, as the verifier has written it.
    pub state: Vec<u8>,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it has last signed in.
    pub used_at: Option<DateTime<Utc>>,
}

/// What a passkey was asked, until it answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The hash of what the browser that was asked shows with the answer.
    pub pass: PassHash,
    /// The session that adds a passkey; `None` where one signs in.
    pub session: Option<SessionId>,
    /// What was asked, as the verifier has written it.
    pub state: Vec<u8>,
    /// From when on an answer is refused.
    pub expires_at: DateTime<Utc>,
}
