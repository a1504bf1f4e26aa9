//! Who calls.

use crate::audit::ActorKind;
use crate::error::{AccessRefusal, AppError, Refusal};
use crate::ids::{GrantId, KeyId, SessionId};
use crate::key::{AgentPolicy, KeyValue, Scope, Scopes};
use crate::plan::Plan;
use crate::ports::StoreError;
use crate::post::{Author, Post, decide};
use crate::session::{Person, SessionValue};
use crate::workspace::Workspace;

use super::Scheduler;

/// What has let a caller in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Credential {
    /// The program itself.
    Program,
    /// A key.
    Key(KeyId),
    /// The session of a person.
    Session(SessionId),
    /// What a person has granted a program.
    Grant(GrantId),
}

/// Someone who has shown a valid key, or a session or a token that does for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The workspace that the key opens.
    pub workspace: Workspace,
    /// What has let them in.
    pub by: Credential,
    /// Who they are, or whose program it is, where the session that it began with names somebody.
    pub person: Option<Person>,
    /// What it allows.
    pub scopes: Scopes,
    /// What is asked of a program that acts for them.
    pub agents: AgentPolicy,
}

impl Caller {
    /// Somebody whom the program has let into a workspace without a key, and who may do anything
    /// there.
    ///
    /// ```
    /// use scheduler_core::app::Caller;
    /// use scheduler_core::key::Scope;
    /// use scheduler_core::workspace::Workspace;
    ///
    /// fn may_publish(workspace: Workspace) -> bool {
    ///     Caller::for_workspace(workspace).require(Scope::PostsPublish).is_ok()
    /// }
    /// # let id = scheduler_core::ids::WorkspaceId(scheduler_core::uuid::Uuid::nil());
    /// # let (name, plan) = (String::new(), scheduler_core::plan::Plan::Studio);
    /// # let created_at = scheduler_core::chrono::DateTime::UNIX_EPOCH;
    /// # assert!(may_publish(Workspace { id, name, plan, timezone: None, picture: None, second_pair: false, links: Default::default(), created_at }));
    /// ```
    #[must_use]
    pub fn for_workspace(workspace: Workspace) -> Self {
        Self {
            workspace,
            by: Credential::Program,
            person: None,
            scopes: Scopes::of(&[Scope::All]),
            agents: AgentPolicy::default(),
        }
    }

    /// Refuses a caller whose key lacks a scope.
    ///
    /// # Errors
    /// `forbidden`, naming the scope.
    pub fn require(&self, scope: Scope) -> Result<(), Refusal> {
        self.require_any(&[scope])
    }

    /// Refuses a caller whose key has none of these scopes.
    ///
    /// # Errors
    /// `forbidden`, naming the scopes.
    pub fn require_any(&self, scopes: &[Scope]) -> Result<(), Refusal> {
        if scopes.iter().any(|scope| self.scopes.allows(*scope)) {
            return Ok(());
        }
        Err(AccessRefusal::MissingScope(scopes.to_vec()).into())
    }

    /// The author of what they write.
    #[must_use]
    pub fn author(&self) -> Author {
        let (kind, id) = match self.by {
            Credential::Key(id) => (ActorKind::Key, Some(id.0)),
            Credential::Session(id) => (ActorKind::Session, Some(id.0)),
            Credential::Grant(id) => (ActorKind::Grant, Some(id.0)),
            Credential::Program => (ActorKind::Server, None),
        };
        Author { kind, id, person: self.person.clone() }
    }

    /// Notes that they say what a post says now, where it is not what it said before.
    pub(super) fn write(&self, before: Option<&Post>, after: &mut Post) {
        decide::rewritten(before, after, self.author(), self.workspace.second_pair);
    }

    pub(super) const fn plan(&self) -> Plan {
        self.workspace.plan
    }
}

impl Scheduler {
    /// Finds out who calls.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// # use std::sync::Arc;
    /// # use scheduler_core::app::{Scheduler, Settings};
    /// # use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
    /// # use scheduler_core::platform::Platform;
    /// # use scheduler_core::ports::{ConnectInput, Networks};
    /// # use serde_json::json;
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// # let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    /// # let mut ports = test_ports(clock.clone());
    /// # ports.networks = Networks::default().with(Platform::Bluesky, Arc::new(MemoryNetwork::new()));
    /// # let scheduler = Scheduler::new(ports, Settings::default());
    /// # let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    /// # let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    /// # scheduler.connect_account(&caller.workspace, Platform::Bluesky, &ConnectInput::default()).await?;
    /// use scheduler_core::key::Scope;
    /// let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    /// assert!(caller.scopes.allows(Scope::PostsPublish));
    /// assert!(scheduler.authenticate(Some("sk_guessed")).await.is_err());
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `unauthorized` for a key that is missing, unknown or expired; the same of a session, and of
    /// one that was not opened for the API.
    pub async fn authenticate(&self, key: Option<&str>) -> Result<Caller, AppError> {
        let (value, session) = (key.and_then(KeyValue::parse), key.and_then(SessionValue::parse));
        let caller = match (value, session) {
            (Some(value), _) => self.caller_of(&value).await?,
            (None, Some(session)) => self.caller_in(&session).await?,
            (None, None) => None,
        };
        caller.ok_or_else(|| {
            let refusal = match key {
                // By its form alone, which tells nothing of whether it is valid.
                Some(sent) if SessionValue::is_meant(sent) => AccessRefusal::SessionForKey,
                Some(_) => AccessRefusal::UnknownKey,
                None => AccessRefusal::NoKey,
            };
            refusal.into()
        })
    }

    async fn caller_of(&self, value: &KeyValue) -> Result<Option<Caller>, StoreError> {
        let found = self.store().key_by_hash(value.hash()).await?;
        let now = self.ports.clock.now();
        Ok(found.filter(|(key, _)| key.is_valid_at(now)).map(|(key, workspace)| Caller {
            workspace,
            by: Credential::Key(key.id),
            person: None,
            scopes: key.scopes,
            agents: key.agents,
        }))
    }

    async fn caller_in(&self, value: &SessionValue) -> Result<Option<Caller>, AppError> {
        let found = self.open_session_of(value).await?;
        Ok(found.filter(|(session, _)| session.api).map(|(session, workspace)| Caller {
            workspace,
            by: Credential::Session(session.id),
            scopes: session.role.scopes(),
            person: session.person,
            agents: AgentPolicy::default(),
        }))
    }
}
