//! Workspaces, as the application makes and changes them.

use serde::{Deserialize, Serialize};

use crate::error::{AppError, Invalid, NotFound, Refusal, Resource};
use crate::ids::{MediaId, WorkspaceId};
use crate::key::Preset;
use crate::links::LinkRules;
use crate::media::{MediaKind, MediaStatus};
use crate::object::only_from_object;
use crate::plan::Plan;
use crate::ports::{RenameOutcome, StoreError};
use crate::post::Field;
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

/// What a person changes of a workspace; what is absent stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct WorkspaceChange {
    /// What to call it; unique, 1 to 100 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = NAME_MAX_CHARACTERS)))]
    pub name: Option<String>,
    /// Its plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// The zone of its accounts that have none of their own; `null` for UTC.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub timezone: Field<Zone>,
    /// The picture that clients see beside its name: the id of a picture among its files, ready to
    /// use; `null` for none.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<uuid::Uuid>"))]
    pub picture: Field<MediaId>,
    /// Whether its posts go out only once somebody else than their author has approved them.
    #[serde(default, rename = "secondPair", skip_serializing_if = "Option::is_none")]
    pub second_pair: Option<bool>,
}

only_from_object!(WorkspaceChange);

/// The longest name of a workspace, in characters.
///
/// Source: our decision.
const NAME_MAX_CHARACTERS: usize = 100;

/// The name of a workspace, without what stands around it.
///
/// # Errors
/// `invalid_request` for one that is empty or too long.
fn name_of(name: &str) -> Result<String, Refusal> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Refusal::invalid("name", "A workspace needs a name."));
    }
    if name.chars().count() > NAME_MAX_CHARACTERS {
        let message =
            format!("The name of a workspace has at most {NAME_MAX_CHARACTERS} characters.");
        return Err(Refusal::invalid("name", message));
    }
    Ok(name.to_owned())
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
        let input = NewKeyInput::new("first", Preset::Full);
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
        name_of(&input.name)?;
        let workspace = self.make_workspace(input);
        self.refuse_taken_address(&workspace).await?;
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
        let change = WorkspaceChange { plan: Some(plan), ..WorkspaceChange::default() };
        self.change_workspace(workspace, change).await.map(drop)
    }

    /// Changes a workspace's name, plan, zone, picture, or whether it asks for a second pair of eyes;
    /// returns it as it is then. What is already scheduled does not move.
    ///
    /// # Errors
    /// `not_found` when it is gone, or there is no file of that id; `invalid_request` for an empty
    /// name or one that is taken, and for a file that is no picture.
    pub async fn change_workspace(
        &self,
        workspace: &Workspace,
        change: WorkspaceChange,
    ) -> Result<Workspace, AppError> {
        self.rewrite_workspace(workspace.id, change, None).await
    }

    /// Changes a workspace as it is stored now, so that what others have set meanwhile stays.
    pub(super) async fn rewrite_workspace(
        &self,
        id: WorkspaceId,
        change: WorkspaceChange,
        links: Option<LinkRules>,
    ) -> Result<Workspace, AppError> {
        let stored = self.store().workspace(id).await?;
        let workspace = &stored.ok_or_else(|| Refusal::not_found(Resource::Workspace))?;
        let name = match change.name {
            Some(name) => name_of(&name)?,
            None => workspace.name.clone(),
        };
        if let Field::Value(id) = change.picture {
            self.refuse_no_picture(workspace, id).await?;
        }
        let changed = Workspace {
            name,
            plan: change.plan.unwrap_or(workspace.plan),
            timezone: change.timezone.or_current(workspace.timezone),
            picture: change.picture.or_current(workspace.picture),
            second_pair: change.second_pair.unwrap_or(workspace.second_pair),
            links: links.unwrap_or_else(|| workspace.links.clone()),
            ..workspace.clone()
        };
        if changed.short_name() != workspace.short_name() {
            self.refuse_taken_address(&changed).await?;
        }
        match self.store().update_workspace(&changed).await? {
            RenameOutcome::Saved => {
                if change.second_pair.is_some() {
                    self.ask_for_reviews(&changed).await?;
                }
                Ok(changed)
            }
            RenameOutcome::NameTaken => {
                Err(Refusal::invalid("name", Invalid::WorkspaceExists(changed.name)).into())
            }
            RenameOutcome::Missing => Err(Refusal::not_found(Resource::Workspace).into()),
        }
    }

    /// Refuses a name that stands in the addresses of pages as that of another workspace does. Two of
    /// one name are refused by the store.
    async fn refuse_taken_address(&self, workspace: &Workspace) -> Result<(), AppError> {
        let short = workspace.short_name();
        let is_other = |other: &&Workspace| {
            other.id != workspace.id && other.name != workspace.name && other.short_name() == short
        };
        let others = match self.store().workspaces().await {
            // A store that lists none keeps them for a program of its own, which has no pages.
            Err(StoreError::Unsupported) => Vec::new(),
            others => others?,
        };
        if let Some(other) = others.iter().find(is_other) {
            let message = format!(
                "In the addresses of pages this name becomes {short:?}, as that of the workspace {:?} does. Choose a name that differs in its letters or digits.",
                other.name
            );
            return Err(Refusal::invalid("name", message).into());
        }
        Ok(())
    }

    /// Refuses a file that is no picture which can be shown.
    async fn refuse_no_picture(&self, workspace: &Workspace, id: MediaId) -> Result<(), AppError> {
        let media = self.store().media(workspace.id, &[id]).await?.pop();
        let media = media.ok_or_else(|| Refusal::not_found(Resource::File).at("picture"))?;
        if media.kind != MediaKind::Image || media.status != MediaStatus::Ready {
            let message = "The picture of a workspace is an image that is ready to use.";
            return Err(Refusal::invalid("picture", message).into());
        }
        Ok(())
    }

    fn make_workspace(&self, input: &NewWorkspace) -> Workspace {
        let now = self.ports.clock.now();
        Workspace {
            id: WorkspaceId(self.ports.ids.next(now)),
            name: input.name.trim().to_owned(),
            plan: input.plan,
            timezone: None,
            picture: None,
            second_pair: false,
            links: Default::default(),
            created_at: now,
        }
    }
}
