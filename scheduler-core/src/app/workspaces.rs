//! Workspaces, as the application makes and changes them.

use crate::error::{AppError, Invalid, NotFound, Refusal, Resource};
use crate::ids::WorkspaceId;
use crate::key::{Expiry, Preset};
use crate::plan::Plan;
use crate::timing::Zone;
use crate::workspace::Workspace;

use super::{NewKey, NewKeyInput, Scheduler};

/// What a person says of a new workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewWorkspace {
    /// What to call it.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
}

/// What the first start has made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FirstStart {
    /// The first workspace.
    pub workspace: Workspace,
    /// A key to everything in it.
    pub key: NewKey,
}

impl Scheduler {
    /// Makes a workspace on plan studio and a Full access key, unless there is any workspace.
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
    /// assert!(first.key.value.expose().starts_with("sk_"));
    /// assert!(scheduler.first_start().await?.is_none(), "there is a workspace already");
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn first_start(&self) -> Result<Option<FirstStart>, AppError> {
        let workspace =
            self.make_workspace(&NewWorkspace { name: "default".into(), plan: Plan::Studio });
        let input =
            NewKeyInput { name: "first".into(), preset: Preset::Full, expiry: Expiry::default() };
        let key = self.make_key(workspace.id, &input);
        let created = self.store().create_first_workspace(&workspace, &key.key).await?;
        Ok(created.then_some(FirstStart { workspace, key }))
    }

    /// Makes a workspace.
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
    /// use scheduler_core::app::NewWorkspace;
    /// use scheduler_core::plan::Plan;
    ///
    /// let wanted = NewWorkspace { name: "a client".to_owned(), plan: Plan::Pro };
    /// let made = scheduler.create_workspace(&wanted).await?;
    /// assert_eq!(scheduler.workspace_named(Some("a client")).await?.id, made.id);
    /// assert!(scheduler.create_workspace(&wanted).await.is_err(), "names are unique");
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// `invalid_request` for an empty name or one that is taken.
    pub async fn create_workspace(&self, input: &NewWorkspace) -> Result<Workspace, AppError> {
        if input.name.trim().is_empty() {
            return Err(Refusal::invalid("name", "A workspace needs a name.").into());
        }
        let workspace = self.make_workspace(input);
        if self.store().create_workspace(&workspace).await? {
            return Ok(workspace);
        }
        Err(Refusal::invalid("name", Invalid::WorkspaceExists(workspace.name)).into())
    }

    /// Every workspace, oldest first.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn workspaces(&self) -> Result<Vec<Workspace>, AppError> {
        Ok(self.store().workspaces().await?)
    }

    /// The workspace that a person names by id or by name; the only one when they name none.
    ///
    /// # Errors
    /// `not_found` when there is none of that name; `invalid_request` when none is named and
    /// there are several.
    pub async fn workspace_named(&self, name: Option<&str>) -> Result<Workspace, AppError> {
        let mut workspaces = self.store().workspaces().await?;
        let Some(name) = name else {
            return match workspaces.len() {
                1 => Ok(workspaces.swap_remove(0)),
                0 => Err(NotFound::AnyWorkspace.into()),
                _ => {
                    let names = workspaces.into_iter().map(|workspace| workspace.name).collect();
                    Err(Refusal::invalid("workspace", Invalid::WhichWorkspace(names)).into())
                }
            };
        };
        let position = workspaces
            .iter()
            .position(|workspace| workspace.name == name || workspace.id.to_string() == name);
        match position {
            Some(index) => Ok(workspaces.swap_remove(index)),
            None => Err(NotFound::WorkspaceNamed(name.to_owned()).into()),
        }
    }

    /// Changes a workspace's plan.
    ///
    /// # Errors
    /// `not_found` when it is gone.
    pub async fn set_plan(&self, workspace: &Workspace, plan: Plan) -> Result<(), AppError> {
        self.save_workspace(&Workspace { plan, ..workspace.clone() }).await
    }

    /// Changes a workspace's zone. What is already scheduled does not move.
    ///
    /// # Errors
    /// `not_found` when it is gone.
    pub async fn set_workspace_timezone(
        &self,
        workspace: &Workspace,
        zone: Option<Zone>,
    ) -> Result<(), AppError> {
        self.save_workspace(&Workspace { timezone: zone, ..workspace.clone() }).await
    }

    async fn save_workspace(&self, workspace: &Workspace) -> Result<(), AppError> {
        if self.store().update_workspace(workspace).await? {
            Ok(())
        } else {
            Err(Refusal::not_found(Resource::Workspace).into())
        }
    }

    fn make_workspace(&self, input: &NewWorkspace) -> Workspace {
        let now = self.ports.clock.now();
        Workspace {
            id: WorkspaceId(self.ports.ids.next(now)),
            name: input.name.trim().to_owned(),
            plan: input.plan,
            timezone: None,
            created_at: now,
        }
    }
}
