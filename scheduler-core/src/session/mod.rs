//! People who have logged in: roles, sessions, and how one begins.
//!
//! A program asks for a login and shows its code; somebody who is in already confirms the code, and
//! the program claims the session with the secret that only it knows.

mod bodies;
mod code;
mod person;
mod role;
mod value;

use chrono::{DateTime, TimeDelta, Utc};

use crate::connecting::PassHash;
use crate::ids::{SessionId, WorkspaceId};

pub use bodies::{
    ClaimInput, ConfirmInput, LoginInput, LoginView, MeView, NewSessionView, SessionView,
    SignInInput, SignInLinkView, WaitingLoginView,
};
pub use code::{LoginCode, UnknownLoginCode};
pub use person::{NoPersonName, PERSON_MAX_CHARACTERS, Person, PersonName};
pub use role::{Role, UnknownRole};
pub use value::{SessionHash, SessionValue};

/// How long a login can be confirmed, and its session claimed.
///
/// Source: our decision.
pub const LOGIN_LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// How long a session lasts.
///
/// Source: our decision.
pub const SESSION_LIFETIME: TimeDelta = TimeDelta::days(90);

/// How long a link that signs a browser in works.
///
/// Source: our decision.
pub const LINK_LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// How long the session of a browser lasts at most.
///
/// Source: our decision.
pub const BROWSER_SESSION_LIFETIME: TimeDelta = TimeDelta::days(7);

/// How long the session of a browser lasts after its last request.
///
/// Source: our decision.
pub const BROWSER_IDLE: TimeDelta = TimeDelta::hours(12);

/// How long a program waits between two questions whether its login was confirmed.
///
/// Source: our decision.
pub const CLAIM_EVERY: TimeDelta = TimeDelta::seconds(2);

/// The longest name of a client, in characters.
///
/// Source: our decision.
pub const CLIENT_MAX_CHARACTERS: usize = 100;

/// A login that a program has asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// Its id, which becomes that of its session.
    pub id: SessionId,
    /// What a person confirms.
    pub code: LoginCode,
    /// The hash of what the program claims the session with.
    pub secret: PassHash,
    /// The hash of the session that it becomes.
    pub session: SessionHash,
    /// What the program calls itself, such as `scheduler on lap-7`.
    pub client: String,
    /// Whether the session shall open the API of the keys too.
    pub api: bool,
    /// When it was asked for.
    pub created_at: DateTime<Utc>,
    /// From when on it cannot be confirmed or claimed any more.
    pub expires_at: DateTime<Utc>,
}

/// A session of a person in a workspace, as it is kept: never its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// The one workspace that it opens.
    pub workspace_id: WorkspaceId,
    /// The SHA-256 of its value.
    pub hash: SessionHash,
    /// What the person may do.
    pub role: Role,
    /// Who they are; `None` for a session that names nobody, such as that of a link or a key.
    pub person: Option<Person>,
    /// What the program calls itself.
    pub client: String,
    /// Whether it opens the API of the keys too.
    pub api: bool,
    /// When it was confirmed.
    pub created_at: DateTime<Utc>,
    /// From when on it is refused.
    pub expires_at: DateTime<Utc>,
}
