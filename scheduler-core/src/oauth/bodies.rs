//! What clients and people get about grants.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{Grant, TokenValue};
use crate::ids::GrantId;
use crate::key::Scopes;
use crate::session::Person;

/// The tokens that a client gets.
///
/// Source: OAuth 2.1, section 3.2.3.
#[derive(Serialize)]
pub struct TokensView {
    access_token: String,
    token_type: &'static str,
    expires_in: i64,
    refresh_token: String,
    scope: String,
}

impl fmt::Debug for TokensView {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TokensView").field("scope", &self.scope).finish_non_exhaustive()
    }
}

impl TokensView {
    /// Tokens that allow this, of which the first lasts for so many seconds.
    #[must_use]
    pub fn new(access: &TokenValue, expires_in: i64, refresh: &TokenValue, scopes: Scopes) -> Self {
        Self {
            access_token: access.expose().to_owned(),
            token_type: "Bearer",
            expires_in,
            refresh_token: refresh.expose().to_owned(),
            scope: scopes.to_string(),
        }
    }
}

/// A connected program as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Grant"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GrantView {
    /// Its id.
    pub id: GrantId,
    /// What the program calls itself.
    pub client_name: String,
    /// The address of the document in which it says who it is: its host can be relied on.
    #[cfg_attr(feature = "schema", schemars(url))]
    pub client_id: String,
    /// What it may do.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub scopes: Scopes,
    /// Who has connected it; absent where their session named nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
    /// When it was connected.
    pub created_at: DateTime<Utc>,
    /// When it last got a token, which it does about once an hour while it is used.
    pub last_used_at: DateTime<Utc>,
    /// From when on it is refused, unless it is used before.
    pub expires_at: DateTime<Utc>,
}

impl From<&Grant> for GrantView {
    fn from(grant: &Grant) -> Self {
        Self {
            id: grant.id,
            client_name: grant.client_name.clone(),
            client_id: grant.client_id.as_str().to_owned(),
            scopes: grant.scopes,
            person: grant.person.clone(),
            created_at: grant.created_at,
            last_used_at: grant.used_at.unwrap_or(grant.created_at),
            expires_at: grant.expires_at,
        }
    }
}
