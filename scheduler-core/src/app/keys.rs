//! API keys, as the application makes and revokes them.

use serde::{Deserialize, Serialize};

use crate::error::{AppError, Refusal, Resource};
use crate::ids::{KeyId, WorkspaceId};
use crate::key::{AgentPolicy, Confirmation, Expiry, Key, KeyValue, Preset};
use crate::object::only_from_object;
use crate::workspace::Workspace;

use super::Scheduler;

/// What a person says of a new key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct NewKeyInput {
    /// What to call it.
    pub name: String,
    /// What it allows.
    pub preset: Preset,
    /// How long it is valid; a year unless that is said.
    #[serde(default, rename = "expires")]
    pub expiry: Expiry,
    /// For which calls of a program that works with it through the Model Context Protocol the person
    /// has to confirm: `live` unless that is said, and `always` of the preset `agent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirmation>,
    /// After how many calls of such a program in an hour something may go out: 0 to 1000, 20 unless
    /// that is said.
    #[serde(default, rename = "livePerHour", skip_serializing_if = "Option::is_none")]
    pub live_per_hour: Option<u32>,
}

impl NewKeyInput {
    /// A key of this name and preset, with what is usual for the rest.
    #[must_use]
    pub fn new(name: impl Into<String>, preset: Preset) -> Self {
        let expiry = Expiry::default();
        Self { name: name.into(), preset, expiry, confirm: None, live_per_hour: None }
    }

    /// What it asks of programs that act for a person.
    fn agents(&self) -> AgentPolicy {
        let usual = AgentPolicy::of(self.preset);
        AgentPolicy {
            confirmation: self.confirm.unwrap_or(usual.confirmation),
            live_per_hour: self.live_per_hour.unwrap_or(usual.live_per_hour),
        }
    }
}

only_from_object!(NewKeyInput);

/// A key that was just made, with its value, which is shown this once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NewKey {
    /// The key as it is kept.
    pub key: Key,
    /// Its value.
    pub value: KeyValue,
}

impl Scheduler {
    /// Makes a key for a workspace.
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
    /// use scheduler_core::app::NewKeyInput;
    /// use scheduler_core::key::{Preset, Scope};
    ///
    /// let wanted = NewKeyInput::new("a script", Preset::Drafts);
    /// let made = scheduler.create_key(&caller.workspace, &wanted).await?;
    /// let script = scheduler.authenticate(Some(made.value.expose())).await?;
    /// assert!(!script.scopes.allows(Scope::PostsPublish));
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `api_not_on_plan` when the plan includes no API; `invalid_request` for an empty name, and for
    /// a limit of an hour that is out of range.
    pub async fn create_key(
        &self,
        workspace: &Workspace,
        input: &NewKeyInput,
    ) -> Result<NewKey, AppError> {
        let plans = &self.settings.plans;
        if !plans.of(workspace.plan).api {
            return Err(plans.api_not_on_plan(workspace.plan).into());
        }
        if input.name.trim().is_empty() {
            return Err(Refusal::invalid("name", "A key needs a name.").into());
        }
        if input.live_per_hour.is_some_and(|limit| limit > AgentPolicy::LIVE_PER_HOUR_MAX) {
            let most = AgentPolicy::LIVE_PER_HOUR_MAX;
            let message = format!(
                "A key lets programs send out at most {most} times an hour; give a number from 0 to {most}."
            );
            return Err(Refusal::invalid("livePerHour", message).into());
        }
        let new = self.make_key(workspace.id, input);
        self.store().create_key(&new.key).await?;
        Ok(new)
    }

    /// The keys of a workspace, oldest first.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn keys(&self, workspace: WorkspaceId) -> Result<Vec<Key>, AppError> {
        Ok(self.store().keys(workspace).await?)
    }

    /// Makes a key of a workspace worthless at once.
    ///
    /// # Errors
    /// `not_found` when the workspace has none of that id.
    pub async fn revoke_key_of(&self, workspace: WorkspaceId, id: KeyId) -> Result<(), AppError> {
        if self.keys(workspace).await?.iter().any(|key| key.id == id) {
            return self.revoke_key(id).await;
        }
        Err(Refusal::not_found(Resource::Key).into())
    }

    /// Makes a key worthless at once.
    ///
    /// # Errors
    /// `not_found` when there is none of that id.
    pub async fn revoke_key(&self, id: KeyId) -> Result<(), AppError> {
        if self.store().revoke_key(id).await? {
            Ok(())
        } else {
            Err(Refusal::not_found(Resource::Key).into())
        }
    }

    pub(super) fn make_key(&self, workspace_id: WorkspaceId, input: &NewKeyInput) -> NewKey {
        let now = self.ports.clock.now();
        let value = KeyValue::from_random(self.ports.random.bytes());
        let key = Key {
            id: KeyId(self.ports.ids.next(now)),
            workspace_id,
            name: input.name.trim().to_owned(),
            hash: value.hash(),
            hint: value.hint(),
            scopes: input.preset.scopes(),
            agents: input.agents(),
            created_at: now,
            expires_at: now + input.expiry.duration(),
        };
        NewKey { key, value }
    }
}
