//! What programs and people send and get about sessions.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

#[cfg(feature = "schema")]
use super::CLIENT_MAX_CHARACTERS;
use super::{Login, Person, Role, Session};
use crate::ids::SessionId;
use crate::object::only_from_object;
use crate::workspace::WorkspaceView;

/// A program's wish to log somebody in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct LoginInput {
    /// What the program calls itself, such as `scheduler on lap-7`.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = CLIENT_MAX_CHARACTERS)))]
    pub client: String,
    /// Whether the session shall open the API of the keys too; false unless it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<bool>,
}

only_from_object!(LoginInput);

/// A login that waits to be confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Login"))]
#[serde(rename_all = "camelCase")]
pub struct LoginView {
    /// What a person confirms, such as `WDJB-MJHT`.
    pub code: String,
    /// A page that says how.
    #[cfg_attr(feature = "schema", schemars(url))]
    pub url: String,
    /// What the program claims the session with; nobody else may see it.
    pub secret: String,
    /// Until when.
    pub expires_at: DateTime<Utc>,
    /// Seconds to wait between two claims.
    pub interval: i64,
}

/// A login that waits to be confirmed, as whoever confirms it sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WaitingLogin"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WaitingLoginView {
    /// What the program calls itself.
    pub client: String,
    /// Whether its session would open the API of the keys too.
    pub api: bool,
    /// When it has asked.
    pub created_at: DateTime<Utc>,
    /// Until when it can be confirmed.
    pub expires_at: DateTime<Utc>,
}

impl From<Login> for WaitingLoginView {
    fn from(login: Login) -> Self {
        let Login { client, api, created_at, expires_at, .. } = login;
        Self { client, api, created_at, expires_at }
    }
}

/// A claim of the session that a login has become.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ClaimInput {
    /// The secret of the login.
    pub secret: String,
}

only_from_object!(ClaimInput);

/// A session, with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NewSessionView {
    /// Its value, to be sent as `Authorization: Bearer …`.
    pub session: String,
    /// What the person may do.
    pub role: Role,
    /// The workspace that it opens.
    pub workspace: WorkspaceView,
    /// From when on it is refused.
    pub expires_at: DateTime<Utc>,
}

/// A person's word that a program may come in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct ConfirmInput {
    /// The code that the program shows; case, hyphens and spaces do not matter.
    pub code: String,
    /// What the person may do; an editor unless it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

only_from_object!(ConfirmInput);

/// A wish to let somebody in with a browser.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SignInInput {
    /// What the person may do; an owner unless it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

only_from_object!(SignInInput);

/// A link that signs one browser in, once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SignInLink"))]
#[serde(rename_all = "camelCase")]
pub struct SignInLinkView {
    /// The link; shown only now.
    #[cfg_attr(feature = "schema", schemars(url))]
    pub url: String,
    /// From when on it is refused.
    pub expires_at: DateTime<Utc>,
}

/// A session as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Session"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SessionView {
    /// Its id.
    pub id: SessionId,
    /// What the person may do.
    pub role: Role,
    /// Who they are; absent of a session that names nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

impl From<&Session> for SessionView {
    fn from(session: &Session) -> Self {
        Self {
            id: session.id,
            role: session.role,
            person: session.person.clone(),
            client: session.client.clone(),
            api: session.api,
            created_at: session.created_at,
            expires_at: session.expires_at,
        }
    }
}

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Me"))]
#[serde(rename_all = "camelCase")]
pub struct MeView {
    /// What the person may do.
    pub role: Role,
    /// The workspace.
    pub workspace: WorkspaceView,
    /// Their session; absent for a program of the server's own machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionView>,
}
