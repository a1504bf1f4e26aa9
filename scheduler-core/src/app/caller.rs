//! Who calls.

use crate::error::{AccessRefusal, AppError, Refusal};
use crate::ids::{KeyId, SessionId};
use crate::key::{KeyValue, Scope, Scopes};
use crate::plan::Plan;
use crate::ports::StoreError;
use crate::session::SessionValue;
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
}

/// Someone who has shown a valid key, or a session that does for one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The workspace that the key opens.
    pub workspace: Workspace,
    /// What has let them in.
    pub by: Credential,
    /// What it allows.
    pub scopes: Scopes,
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
    /// # assert!(may_publish(Workspace { id, name, plan, timezone: None, picture: None, created_at }));
    /// ```
    #[must_use]
    pub fn for_workspace(workspace: Workspace) -> Self {
        Self { workspace, by: Credential::Program, scopes: Scopes::of(&[Scope::All]) }
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
            scopes: key.scopes,
        }))
    }

    async fn caller_in(&self, value: &SessionValue) -> Result<Option<Caller>, AppError> {
        let found = self.open_session_of(value).await?;
        Ok(found.filter(|(session, _)| session.api).map(|(session, workspace)| Caller {
            workspace,
            by: Credential::Session(session.id),
            scopes: session.role.scopes(),
        }))
    }
}
