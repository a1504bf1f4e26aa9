//! Rows of `passkeys` and `challenges`.

use scheduler_core::connecting::PassHash;
use scheduler_core::ids::{PasskeyId, PersonId, SessionId, WorkspaceId};
use scheduler_core::passkey::{Challenge, Passkey};
use scheduler_core::ports::StoreError;
use scheduler_core::session::Person;
use uuid::Uuid;

use super::session::hash;
use super::workspace::WorkspaceRow;
use super::{parse, row};
use crate::instant::Instant;

row! {
    /// A row of `passkeys`.
    pub(crate) struct PasskeyRow by passkey_columns {
        k {
            id: Uuid,
            workspace_id: Uuid,
            person_id: Uuid,
            person_name: String,
            role: String,
            made_in: String,
            credential: Vec<u8>,
            public: Vec<u8>,
            state: Vec<u8>,
            created_at: Instant,
            used_at: Option<Instant>,
        }
    }
}

row! {
    /// A row of `passkeys` with that of its workspace.
    pub(crate) struct PasskeyAndWorkspaceRow {
        ..pub(crate) passkey: PasskeyRow,
        ..pub(crate) workspace: WorkspaceRow,
    }
}

row! {
    /// A row of `challenges`.
    pub(crate) struct ChallengeRow by challenge_columns {
        c {
            pass: Vec<u8>,
            session: Option<Uuid>,
            state: Vec<u8>,
            expires_at: Instant,
        }
    }
}

impl PasskeyRow {
    pub(crate) fn read(self) -> Result<Passkey, StoreError> {
        let name = parse("passkeys.person_name", &self.person_name)?;
        Ok(Passkey {
            id: PasskeyId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            person: Person { id: PersonId(self.person_id), name },
            role: parse("passkeys.role", &self.role)?,
            made_in: self.made_in,
            credential: self.credential,
            public: self.public,
            state: self.state,
            created_at: self.created_at.0,
            used_at: self.used_at.map(|at| at.0),
        })
    }
}

impl ChallengeRow {
    pub(crate) fn read(self) -> Result<Challenge, StoreError> {
        Ok(Challenge {
            pass: PassHash(hash("challenges.pass", self.pass)?),
            session: self.session.map(SessionId),
            state: self.state,
            expires_at: self.expires_at.0,
        })
    }
}
