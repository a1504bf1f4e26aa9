//! People who sign in with a browser.

use chrono::{DateTime, Utc};

use super::{Caller, ClaimedSession, Member, Scheduler};
use crate::connecting::Pass;
use crate::error::{AccessRefusal, AppError};
use crate::ids::{SessionId, WorkspaceId};
use crate::session::{
    BROWSER_IDLE, BROWSER_SESSION_LIFETIME, LINK_LIFETIME, Person, Role, Session, SessionHash,
    SessionValue,
};
use crate::workspace::Workspace;

/// What a session of a link that nobody has used yet is called in the list of sessions.
const UNUSED_LINK: &str = "a link to sign in, not used yet";

/// A link that signs one browser in, once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SignInLink {
    /// What the browser shows.
    pub pass: Pass,
    /// Until when.
    pub expires_at: DateTime<Utc>,
}

impl Scheduler {
    /// Makes a link that signs a browser into a workspace, once.
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
    /// let link = scheduler.create_sign_in_link(first.workspace.id, Role::Editor).await?;
    /// let session = scheduler.sign_in_by_link(&link.pass, "a browser").await?.ok_or("it is new")?;
    /// assert!(scheduler.sign_in_by_link(&link.pass, "another").await?.is_none(), "it works once");
    /// let visitor = scheduler.visitor(Some(session.value.expose())).await?;
    /// assert_eq!(visitor.role, Role::Editor);
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn create_sign_in_link(
        &self,
        workspace: WorkspaceId,
        role: Role,
    ) -> Result<SignInLink, AppError> {
        let now = self.ports.clock.now();
        self.store().remove_expired_sessions(now).await?;
        let pass = self.new_pass();
        let expires_at = now + LINK_LIFETIME;
        let unused = Session {
            id: SessionId(self.ports.ids.next(now)),
            workspace_id: workspace,
            hash: SessionHash::of_link(&pass),
            role,
            person: None,
            client: UNUSED_LINK.to_owned(),
            api: false,
            created_at: now,
            expires_at,
        };
        self.store().open_session(&unused).await?;
        Ok(SignInLink { pass, expires_at })
    }

    /// Signs a browser in by its link; `None` for a link that is unknown, used or expired. Of many
    /// browsers that show one link at once, one is let in.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn sign_in_by_link(
        &self,
        link: &Pass,
        client: &str,
    ) -> Result<Option<ClaimedSession>, AppError> {
        let now = self.ports.clock.now();
        let found = self.store().session_by_hash(SessionHash::of_link(link)).await?;
        let Some((unused, workspace)) = found else { return Ok(None) };
        if !self.store().remove_session(workspace.id, unused.id).await? || unused.expires_at <= now
        {
            return Ok(None);
        }
        self.sign_in(workspace, unused.role, None, client).await.map(Some)
    }

    /// Signs a browser in by a key: with the highest role that may do no more than the key.
    ///
    /// # Errors
    /// `unauthorized` for a key that is unknown or expired; `forbidden` for one that may not even
    /// do what a reader may.
    pub async fn sign_in_by_key(
        &self,
        key: &str,
        client: &str,
    ) -> Result<ClaimedSession, AppError> {
        let Caller { workspace, scopes, .. } = self.authenticate(Some(key)).await?;
        let roles = Role::ALL.into_iter().rev();
        let role = roles.into_iter().find(|role| scopes.include(role.scopes()));
        let role = role.ok_or(AccessRefusal::MissingRole(Role::Reader))?;
        self.sign_in(workspace, role, None, client).await
    }

    /// Signs a browser in, of whoever has shown in whatever way that they may come in; with the
    /// person whom it belongs to, where that is known.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn sign_in(
        &self,
        workspace: Workspace,
        role: Role,
        person: Option<Person>,
        client: &str,
    ) -> Result<ClaimedSession, AppError> {
        let now = self.ports.clock.now();
        let value = SessionValue::of_login(&self.new_pass());
        let session = Session {
            id: SessionId(self.ports.ids.next(now)),
            workspace_id: workspace.id,
            hash: value.hash(),
            role,
            person,
            client: client.to_owned(),
            api: false,
            created_at: now,
            expires_at: now + BROWSER_IDLE,
        };
        self.store().open_session(&session).await?;
        Ok(ClaimedSession { session, value, workspace })
    }

    /// Finds out which person visits with a browser. Their session ends [`BROWSER_IDLE`] after
    /// their last visit, and [`BROWSER_SESSION_LIFETIME`] after they have signed in.
    ///
    /// # Errors
    /// `unauthorized` for a session that is missing, unknown, ended or expired.
    pub async fn visitor(&self, session: Option<&str>) -> Result<Member, AppError> {
        let member = self.member(session).await?;
        if let Some(session) = &member.session {
            let until = self.ports.clock.now() + BROWSER_IDLE;
            let until = until.min(session.created_at + BROWSER_SESSION_LIFETIME);
            // Not with each of the requests of a page.
            if until - session.expires_at > BROWSER_IDLE / 100 {
                let (workspace, id) = (session.workspace_id, session.id);
                self.store().extend_session(workspace, id, until).await?;
            }
        }
        Ok(member)
    }
}
