//! What a person has granted a client.

use chrono::{DateTime, Utc};

use super::{
    Challenge, ClientId, GRANT_LIFETIME, REFRESH_LIFETIME, Redirect, TokenHash, TokenKind,
};
use crate::app::Member;
use crate::ids::{GrantId, PersonId, SessionId, WorkspaceId};
use crate::key::Scopes;
use crate::session::Person;

/// What a person has granted a client, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// Its id.
    pub id: GrantId,
    /// The one workspace that it opens.
    pub workspace_id: WorkspaceId,
    /// The session in which it was given; `None` where the program itself has let the person in.
    pub session_id: Option<SessionId>,
    /// Who gave it; `None` where their session named nobody.
    pub person: Option<Person>,
    /// The client.
    pub client_id: ClientId,
    /// What the client called itself then.
    pub client_name: String,
    /// Where its person was sent back to.
    pub redirect: Redirect,
    /// What the client told of its verifier.
    pub challenge: Challenge,
    /// The address of what its tokens are for.
    pub resource: String,
    /// What it allows.
    pub scopes: Scopes,
    /// When it was given.
    pub created_at: DateTime<Utc>,
    /// When the client last got a token; `None` until it has exchanged the code.
    pub used_at: Option<DateTime<Utc>>,
    /// From when on it is refused: with its code, then with its latest refresh token.
    pub expires_at: DateTime<Utc>,
}

impl Grant {
    /// True while the client is connected.
    #[must_use]
    pub fn is_connected_at(&self, now: DateTime<Utc>) -> bool {
        self.used_at.is_some() && now < self.expires_at
    }

    /// The same once tokens are given at `now`.
    #[must_use]
    pub fn used(&self, now: DateTime<Utc>) -> Self {
        let expires_at = (now + REFRESH_LIFETIME).min(self.created_at + GRANT_LIFETIME);
        Self { used_at: Some(now), expires_at, ..self.clone() }
    }

    /// True when this member gave it: the same person, or somebody in this very session.
    #[must_use]
    pub fn is_of(&self, member: &Member) -> bool {
        let Some(own) = &member.session else { return false };
        let is_of_person = own.person.as_ref().is_some_and(|person| self.is_of_person(person.id));
        is_of_person || self.session_id == Some(own.id)
    }

    /// True when this person gave it.
    #[must_use]
    pub fn is_of_person(&self, person: PersonId) -> bool {
        self.person.as_ref().is_some_and(|of| of.id == person)
    }
}

/// A code or a token of a grant, as it is kept: never its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantToken {
    /// The SHA-256 of its value.
    pub hash: TokenHash,
    /// The grant that it is of.
    pub grant_id: GrantId,
    /// What it is for.
    pub kind: TokenKind,
    /// From when on it is refused.
    pub expires_at: DateTime<Utc>,
    /// When it was exchanged; those that are exchanged are kept until they expire, so that a second
    /// use is noticed.
    pub used_at: Option<DateTime<Utc>>,
}
