//! Passkeys of people: adding, signing in, removing.

use super::{ClaimedSession, Member, Scheduler};
use crate::connecting::Pass;
use crate::error::{AppError, ErrorCode, NotFound, Refusal, Resource};
use crate::ids::{PasskeyId, PersonId, SessionId, WorkspaceId};
use crate::passkey::{
    CHALLENGE_LIFETIME, CHALLENGES_MAX, CREDENTIAL_MAX_BYTES, Challenge, PASSKEYS_MAX, Passkey,
};
use crate::session::{CLIENT_MAX_CHARACTERS, Person, PersonName, Role, Session};
use crate::workspace::Workspace;

/// What a passkey is added for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PasskeyOffer {
    /// Whose it will be.
    pub person: Person,
    /// The credentials that the person has already.
    pub known: Vec<Vec<u8>>,
}

/// A passkey that an authenticator has made, and that was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPasskey {
    /// The highest role of the sessions that it opens.
    pub role: Role,
    /// Where it was made, such as the name of the browser.
    pub made_in: String,
    /// The id by which its authenticator knows it.
    pub credential: Vec<u8>,
    /// Its public key and what else stays, as the verifier has written it.
    pub public: Vec<u8>,
    /// How often it has signed and what else changes, as the verifier has written it.
    pub state: Vec<u8>,
}

impl Scheduler {
    /// Says whose the passkey will be that a session adds: of the person whom it names already, else
    /// of somebody new of this name. A person has the id of the session that has first named them,
    /// so that what was done in it before is theirs.
    ///
    /// # Errors
    /// `forbidden` without a session; `invalid_request` naming `name` for a text that is no name, a
    /// name that another person of the workspace has, and a workspace with [`PASSKEYS_MAX`]
    /// passkeys.
    pub async fn offer_passkey(
        &self,
        member: &Member,
        name: &str,
    ) -> Result<PasskeyOffer, AppError> {
        let session = session_of(member)?;
        let passkeys = self.store().passkeys(member.workspace.id).await?;
        if passkeys.len() >= PASSKEYS_MAX as usize {
            let message = format!(
                "This workspace has {PASSKEYS_MAX} passkeys, which is the limit; remove one first."
            );
            return Err(Refusal::invalid("name", message).into());
        }
        let person = match &session.person {
            Some(person) => person.clone(),
            None => {
                let name: PersonName = name.parse().map_err(|problem| {
                    Refusal::invalid("name", format!("Say who you are: {problem}."))
                })?;
                let of_passkeys = passkeys.iter().map(|passkey| &passkey.person);
                let sessions = self.sessions(member.workspace.id).await?;
                let of_sessions = sessions.iter().filter_map(|session| session.person.as_ref());
                if of_passkeys.chain(of_sessions).any(|other| other.name.is_same_as(&name)) {
                    let message = format!(
                        "There is somebody named {name} in this workspace already. If that is you, sign in as {name} to add another passkey; else take another name."
                    );
                    return Err(Refusal::invalid("name", message).into());
                }
                Person { id: PersonId(session.id.0), name }
            }
        };
        let mine = passkeys.into_iter().filter(|passkey| passkey.person.id == person.id);
        let known = mine.map(|passkey| passkey.credential).collect();
        Ok(PasskeyOffer { person, known })
    }

    /// Keeps what a passkey is asked, until it answers: of a session that adds one, or of a browser
    /// that signs in. Whoever shows the pass answers.
    ///
    /// # Errors
    /// `unavailable` while [`CHALLENGES_MAX`] are open.
    pub async fn keep_challenge(
        &self,
        session: Option<SessionId>,
        state: Vec<u8>,
    ) -> Result<Pass, AppError> {
        let now = self.ports.clock.now();
        let pass = self.new_pass();
        let expires_at = now + CHALLENGE_LIFETIME;
        let challenge = Challenge { pass: pass.hash(), session, state, expires_at };
        if self.store().keep_challenge(&challenge, now, CHALLENGES_MAX).await? {
            return Ok(pass);
        }
        let message = "Too many people sign in at this moment. Try again in five minutes.";
        Err(Refusal::new(ErrorCode::Unavailable, message).into())
    }

    /// What was asked under a pass, once; `None` when nothing was, when it was answered, when its
    /// time is over, and when another session has asked.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn take_challenge(
        &self,
        pass: &Pass,
        session: Option<SessionId>,
    ) -> Result<Option<Vec<u8>>, AppError> {
        let now = self.ports.clock.now();
        let taken = self.store().take_challenge(pass.hash()).await?;
        let valid = taken.filter(|taken| now < taken.expires_at && taken.session == session);
        Ok(valid.map(|taken| taken.state))
    }

    /// Adds a passkey, with the role that is asked for or, where that is higher, with the one of
    /// the session; from then on the session, and what was granted in it, names the person.
    ///
    /// # Errors
    /// Those of [`Self::offer_passkey`]; `invalid_request` naming `answer` for a credential that is
    /// known already, or whose id is too long.
    pub async fn add_passkey(
        &self,
        member: &Member,
        name: &str,
        new: NewPasskey,
    ) -> Result<Passkey, AppError> {
        let offer = self.offer_passkey(member, name).await?;
        let session = session_of(member)?;
        let now = self.ports.clock.now();
        let passkey = Passkey {
            id: PasskeyId(self.ports.ids.next(now)),
            workspace_id: member.workspace.id,
            person: offer.person,
            role: new.role.min(member.role),
            made_in: new.made_in.chars().take(CLIENT_MAX_CHARACTERS).collect(),
            credential: new.credential,
            public: new.public,
            state: new.state,
            created_at: now,
            used_at: None,
        };
        let is_short = passkey.credential.len() <= CREDENTIAL_MAX_BYTES;
        if !is_short || !self.store().create_passkey(&passkey).await? {
            let message = "This passkey is known already. Sign in with it.";
            return Err(Refusal::invalid("answer", message).into());
        }
        if session.person.is_none() {
            let (workspace, id) = (member.workspace.id, session.id);
            self.store().name_session(workspace, id, &passkey.person).await?;
            self.store().name_grants(workspace, id, &passkey.person).await?;
        }
        Ok(passkey)
    }

    /// The passkeys of a workspace, oldest first.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn passkeys(&self, workspace: WorkspaceId) -> Result<Vec<Passkey>, AppError> {
        Ok(self.store().passkeys(workspace).await?)
    }

    /// The passkey of a credential, and the workspace that it opens.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn passkey_of(
        &self,
        credential: &[u8],
    ) -> Result<Option<(Passkey, Workspace)>, AppError> {
        if credential.len() > CREDENTIAL_MAX_BYTES {
            return Ok(None);
        }
        Ok(self.store().passkey_by_credential(credential).await?)
    }

    /// Signs a browser in by a passkey whose answer was verified, and keeps the state that it has
    /// now. `None` when it was removed meanwhile, or another answer of it was quicker.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn sign_in_by_passkey(
        &self,
        passkey: &Passkey,
        workspace: Workspace,
        state: &[u8],
        client: &str,
    ) -> Result<Option<ClaimedSession>, AppError> {
        let now = self.ports.clock.now();
        if !self.store().use_passkey(passkey, state, now).await? {
            return Ok(None);
        }
        let person = Some(passkey.person.clone());
        self.sign_in(workspace, passkey.role, person, client).await.map(Some)
    }

    /// Removes a passkey, of one's own or, as an owner, of anybody; other sessions of its person
    /// end with it, and so does whatever they have granted programs.
    ///
    /// # Errors
    /// `forbidden` for the passkey of somebody else; `not_found`.
    pub async fn remove_passkey(&self, member: &Member, id: PasskeyId) -> Result<(), AppError> {
        let workspace = member.workspace.id;
        let passkeys = self.store().passkeys(workspace).await?;
        let passkey = passkeys.into_iter().find(|passkey| passkey.id == id);
        let missing = || NotFound::Resource(Resource::Passkey);
        let passkey = passkey.ok_or_else(missing)?;
        let person = passkey.person.id;
        if member.person().is_none_or(|mine| mine.id != person) {
            member.require(Role::Owner)?;
        }
        if !self.store().remove_passkey(workspace, id).await? {
            return Err(missing().into());
        }
        let own = member.session.as_ref().map(|session| session.id);
        for session in self.store().sessions(workspace).await? {
            let is_theirs = session.person.as_ref().is_some_and(|of| of.id == person);
            if is_theirs && own != Some(session.id) {
                self.store().remove_session(workspace, session.id).await?;
            }
        }
        self.remove_grants_of(workspace, person).await
    }
}

fn session_of(member: &Member) -> Result<&Session, Refusal> {
    let message = "A passkey is added in a session of a browser.";
    member.session.as_ref().ok_or_else(|| Refusal::new(ErrorCode::Forbidden, message))
}
