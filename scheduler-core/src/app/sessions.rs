//! People who log in, and their sessions.

use chrono::{DateTime, Utc};

use super::posts::too_busy;
use super::{Caller, Credential, DECIDE_ATTEMPTS, Scheduler};
use crate::connecting::Pass;
use crate::error::{AccessRefusal, AppError, NotFound, Refusal, Resource};
use crate::ids::{SessionId, WorkspaceId};
use crate::key::{AgentPolicy, KeyValue};
use crate::ports::LoginOf;
use crate::session::{
    CLIENT_MAX_CHARACTERS, LOGIN_LIFETIME, Login, LoginCode, MeView, Person, Role,
    SESSION_LIFETIME, Session, SessionValue, SessionView,
};
use crate::workspace::{Workspace, WorkspaceView};

/// A login that was just asked for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RequestedLogin {
    /// What a person confirms.
    pub code: LoginCode,
    /// What the program claims the session with.
    pub secret: Pass,
    /// Until when.
    pub expires_at: DateTime<Utc>,
}

/// A session that a program has claimed, with its value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClaimedSession {
    /// The session as it is kept.
    pub session: Session,
    /// Its value.
    pub value: SessionValue,
    /// The workspace that it opens.
    pub workspace: Workspace,
}

/// A person in a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The workspace.
    pub workspace: Workspace,
    /// What the person may do there.
    pub role: Role,
    /// Their session; `None` for somebody whom the program has let in by itself.
    pub session: Option<Session>,
}

impl Member {
    /// Somebody whom the program has let into a workspace without a session, and who may do anything
    /// there.
    #[must_use]
    pub const fn owner_of(workspace: Workspace) -> Self {
        Self { workspace, role: Role::Owner, session: None }
    }

    /// What has let them in.
    #[must_use]
    pub fn by(&self) -> Credential {
        let session = self.session.as_ref();
        session.map_or(Credential::Program, |session| Credential::Session(session.id))
    }

    /// Who they are, where their session names somebody.
    #[must_use]
    pub fn person(&self) -> Option<&Person> {
        self.session.as_ref()?.person.as_ref()
    }

    /// The same, as who calls the use cases: with what their role allows.
    #[must_use]
    pub fn caller(&self) -> Caller {
        Caller {
            workspace: self.workspace.clone(),
            by: self.by(),
            person: self.person().cloned(),
            scopes: self.role.scopes(),
            agents: AgentPolicy::default(),
        }
    }

    /// Who they are, and where.
    #[must_use]
    pub fn view(&self) -> MeView {
        MeView {
            role: self.role,
            workspace: WorkspaceView::from(&self.workspace),
            session: self.session.as_ref().map(SessionView::from),
        }
    }

    /// Refuses whoever may less than this role.
    ///
    /// # Errors
    /// `forbidden`, naming the role.
    pub fn require(&self, least: Role) -> Result<(), Refusal> {
        if self.role >= least { Ok(()) } else { Err(AccessRefusal::MissingRole(least).into()) }
    }
}

impl Scheduler {
    /// Takes a program's wish to log somebody in: it shows the code, and claims the session once a
    /// person has confirmed it.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// # use std::sync::Arc;
    /// # use scheduler_core::app::{Scheduler, Settings};
    /// # use scheduler_core::memory::{ManualClock, test_ports};
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// # let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    /// # let scheduler = Scheduler::new(test_ports(clock), Settings::default());
    /// # let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    /// use scheduler_core::session::Role;
    ///
    /// let login = scheduler.request_login("a laptop", false).await?;
    /// assert!(scheduler.claim_session(&login.secret).await?.is_none(), "nobody has confirmed it");
    /// scheduler.confirm_login(first.workspace.id, &login.code, Role::Editor).await?;
    /// let claimed = scheduler.claim_session(&login.secret).await?.ok_or("it was confirmed")?;
    /// let member = scheduler.member(Some(claimed.value.expose())).await?;
    /// assert_eq!(member.role, Role::Editor);
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `invalid_request` for a client without a name, or with one of more than
    /// [`CLIENT_MAX_CHARACTERS`] characters.
    pub async fn request_login(&self, client: &str, api: bool) -> Result<RequestedLogin, AppError> {
        let client = client.trim();
        if client.is_empty() || client.chars().count() > CLIENT_MAX_CHARACTERS {
            let message =
                format!("A client has a name of 1 to {CLIENT_MAX_CHARACTERS} characters.");
            return Err(Refusal::invalid("client", message).into());
        }
        let now = self.ports.clock.now();
        self.store().remove_expired_sessions(now).await?;
        let secret = self.new_pass();
        for _ in 0..DECIDE_ATTEMPTS {
            let login = Login {
                id: SessionId(self.ports.ids.next(now)),
                code: LoginCode::from_random(self.ports.random.bytes()),
                secret: secret.hash(),
                session: SessionValue::of_login(&secret).hash(),
                client: client.to_owned(),
                api,
                created_at: now,
                expires_at: now + LOGIN_LIFETIME,
            };
            if self.store().create_login(&login).await? {
                let Login { code, expires_at, .. } = login;
                return Ok(RequestedLogin { code, secret, expires_at });
            }
        }
        Err(too_busy().into())
    }

    /// The login with this code, which nobody has confirmed yet, so that whoever confirms it sees
    /// who asks.
    ///
    /// # Errors
    /// `not_found` when there is no login with this code, when its time is over, and when it was
    /// confirmed before.
    pub async fn waiting_login(&self, code: &LoginCode) -> Result<Login, AppError> {
        let now = self.ports.clock.now();
        let of = LoginOf::Code(code.clone());
        let found = self.store().login(&of).await?.filter(|login| now < login.expires_at);
        let login = found.ok_or(NotFound::Login)?;
        if self.store().session_by_hash(login.session).await?.is_some() {
            return Err(NotFound::Login.into());
        }
        Ok(login)
    }

    /// Lets the program whose login this is into a workspace.
    ///
    /// # Errors
    /// `not_found` when there is no login with this code, when its time is over, and when it was
    /// confirmed before.
    pub async fn confirm_login(
        &self,
        workspace: WorkspaceId,
        code: &LoginCode,
        role: Role,
    ) -> Result<Session, AppError> {
        let login = self.waiting_login(code).await?;
        let now = self.ports.clock.now();
        let session = Session {
            id: login.id,
            workspace_id: workspace,
            hash: login.session,
            role,
            person: None,
            client: login.client,
            api: login.api,
            created_at: now,
            expires_at: now + SESSION_LIFETIME,
        };
        if self.store().open_session(&session).await? {
            return Ok(session);
        }
        Err(NotFound::Login.into())
    }

    /// The session of a login whose secret this is; `None` until somebody has confirmed it. The
    /// same to whoever asks again.
    ///
    /// # Errors
    /// `not_found` when there is no such login, and when its time is over.
    pub async fn claim_session(&self, secret: &Pass) -> Result<Option<ClaimedSession>, AppError> {
        let now = self.ports.clock.now();
        let of = LoginOf::Secret(secret.hash());
        let found = self.store().login(&of).await?.filter(|login| now < login.expires_at);
        found.ok_or(NotFound::Login)?;
        let value = SessionValue::of_login(secret);
        let found = self.store().session_by_hash(value.hash()).await?;
        Ok(found.map(|(session, workspace)| ClaimedSession { session, value, workspace }))
    }

    /// Finds out which person calls.
    ///
    /// # Errors
    /// `unauthorized` for a session that is missing, unknown, ended or expired.
    pub async fn member(&self, session: Option<&str>) -> Result<Member, AppError> {
        let Some(session) = session else { return Err(AccessRefusal::NoSession.into()) };
        // By its form alone, which tells nothing of whether it is valid.
        if KeyValue::is_meant(session) {
            return Err(AccessRefusal::KeyForSession.into());
        }
        let found = match SessionValue::parse(session) {
            Some(value) => self.open_session_of(&value).await?,
            None => None,
        };
        let (session, workspace) = found.ok_or(AccessRefusal::UnknownSession)?;
        Ok(Member { workspace, role: session.role, session: Some(session) })
    }

    /// The session of this value, as long as it lasts.
    pub(super) async fn open_session_of(
        &self,
        value: &SessionValue,
    ) -> Result<Option<(Session, Workspace)>, AppError> {
        let now = self.ports.clock.now();
        let found = self.store().session_by_hash(value.hash()).await?;
        Ok(found.filter(|(session, _)| now < session.expires_at))
    }

    /// The sessions of a workspace that last, oldest first.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn sessions(&self, workspace: WorkspaceId) -> Result<Vec<Session>, AppError> {
        let now = self.ports.clock.now();
        let mut sessions = self.store().sessions(workspace).await?;
        sessions.retain(|session| now < session.expires_at);
        Ok(sessions)
    }

    /// Ends a session at once, and with it what was granted in it by somebody without a name, who
    /// could not remove it any more.
    ///
    /// # Errors
    /// `not_found` when the workspace has none of that id.
    pub async fn end_session(&self, workspace: WorkspaceId, id: SessionId) -> Result<(), AppError> {
        let is_ended = self.store().remove_session(workspace, id).await?;
        // Also of one that is gone: a call before may have failed half-way.
        self.store().remove_grants_of_session(workspace, id).await?;
        if is_ended {
            return Ok(());
        }
        Err(Refusal::not_found(Resource::Session).into())
    }
}
