//! `scheduler workspace`: makes, lists and changes workspaces.

use clap::{Args, Subcommand, ValueEnum};
use scheduler_core::app::NewWorkspace;
use scheduler_core::ids::MediaId;
use scheduler_core::plan::Plan;
use scheduler_core::timing::Zone;
use scheduler_core::workspace::WorkspaceView;
use serde_json::{Value, json};

use crate::client::Call;
use crate::config::StorageOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::{self, OneOf};
use crate::posting::instant;
use crate::printer::{Column, Shows, cell};
use crate::runtime::Application;

/// What to do with workspaces.
#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// Make a workspace
    #[command(after_help = "Example:\n  scheduler workspace create acme --plan pro")]
    Create(CreateArguments),
    /// List the workspaces
    #[command(after_help = "Example:\n  scheduler workspace list")]
    List(StorageOptions),
    /// Show a workspace
    #[command(after_help = "Example:\n  scheduler workspace show")]
    Show(ShowArguments),
    /// Give a workspace another name, which clients see who approve its posts
    #[command(after_help = "Example:\n  scheduler workspace rename default \"The bakery\"")]
    Rename(RenameArguments),
    /// Change a workspace's plan
    #[command(after_help = "Example:\n  scheduler workspace set-plan acme studio")]
    SetPlan(PlanArguments),
    /// Change the zone of a workspace's accounts that have none of their own
    #[command(after_help = "Example:\n  scheduler workspace set-timezone acme Europe/Berlin")]
    SetTimezone(ZoneArguments),
    /// Change the picture that clients see when they approve posts
    #[command(
        after_help = "Example:\n  scheduler workspace set-picture acme 01993b5c-2b7e-7000-8000-000000000001"
    )]
    SetPicture(PictureArguments),
    /// Have posts go out only once somebody else than their author has approved them
    #[command(after_help = "Example:\n  scheduler workspace set-second-pair acme on")]
    SetSecondPair(SecondPairArguments),
}

/// A new workspace.
#[derive(Args, Debug)]
pub(crate) struct CreateArguments {
    /// What to call it
    name: String,
    /// Its plan
    #[arg(long, default_value = "studio", value_parser = OneOf::<Plan>::new())]
    plan: Plan,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A workspace.
#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    /// The workspace, by name or id; the only one when left out
    workspace: Option<String>,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A workspace and its new name.
#[derive(Args, Debug)]
pub(crate) struct RenameArguments {
    /// The workspace, by name or id
    workspace: String,
    /// Its new name
    name: String,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A workspace and its new plan.
#[derive(Args, Debug)]
pub(crate) struct PlanArguments {
    /// The workspace, by name or id
    workspace: String,
    /// Its new plan
    #[arg(value_parser = OneOf::<Plan>::new())]
    plan: Plan,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A workspace and its new zone.
#[derive(Args, Debug)]
pub(crate) struct ZoneArguments {
    /// The workspace, by name or id
    workspace: String,
    /// An IANA time zone, such as Europe/Berlin
    #[arg(value_parser = names::zone)]
    zone: Zone,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A workspace and its new picture.
#[derive(Args, Debug)]
pub(crate) struct PictureArguments {
    /// The workspace, by name or id
    workspace: String,
    /// The id of a picture among its files, as `scheduler media list` shows it
    #[arg(value_parser = names::media_id, required_unless_present = "none")]
    picture: Option<MediaId>,
    /// Show clients no picture any more
    #[arg(long, conflicts_with = "picture")]
    none: bool,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A workspace, and whether it asks for a second pair of eyes.
#[derive(Args, Debug)]
pub(crate) struct SecondPairArguments {
    /// The workspace, by name or id
    workspace: String,
    /// Whether it asks for a second pair of eyes
    asks: Switch,
    #[command(flatten)]
    storage: StorageOptions,
}

/// What is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// It is.
    On,
    /// It is not.
    Off,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: WorkspaceCommand) -> Result<Exit, Failure> {
    match command {
        WorkspaceCommand::Create(arguments) => {
            context.need_local(&arguments.storage)?;
            let application = Application::make(&context, arguments.storage).await?;
            let input = NewWorkspace { name: arguments.name, plan: arguments.plan };
            let workspace = application.scheduler.create_workspace(&input).await?;
            let line = format!("workspace {} ({})", workspace.name, workspace.id);
            context.done(&WorkspaceView::from(&workspace), &line)
        }
        WorkspaceCommand::List(storage) => {
            if let Some(client) = context.remote(&storage, None)? {
                // A session opens one.
                let view: WorkspaceView = client.ask(Call::get("/workspace")).await?.read()?;
                return list(&context, &[view]);
            }
            let application = Application::open(&context, storage).await?;
            let workspaces = application.scheduler.workspaces().await?;
            list(&context, &workspaces.iter().map(WorkspaceView::from).collect::<Vec<_>>())
        }
        WorkspaceCommand::Show(ShowArguments { workspace, storage }) => {
            let client = context.application(storage, workspace.as_deref()).await?;
            let view: WorkspaceView = client.ask(Call::get("/workspace")).await?.read()?;
            let zone = view.timezone.map_or("UTC", Zone::name);
            let line = format!("{} ({}), plan {}, zone {zone}", view.name, view.id, view.plan);
            context.done(&view, &line)
        }
        WorkspaceCommand::Rename(RenameArguments { workspace, name, storage }) => {
            let changed = change(&context, storage, &workspace, &json!({"name": name})).await?;
            let line = format!("{workspace} is called {} now", changed.name);
            context.done(&changed, &line)
        }
        WorkspaceCommand::SetPlan(PlanArguments { workspace, plan, storage }) => {
            let changed = change(&context, storage, &workspace, &json!({"plan": plan})).await?;
            let line = format!("{} is on plan {}", changed.name, changed.plan);
            context.done(&changed, &line)
        }
        WorkspaceCommand::SetTimezone(ZoneArguments { workspace, zone, storage }) => {
            let changed = change(&context, storage, &workspace, &json!({"timezone": zone})).await?;
            let line = format!("{} reads times in {zone}", changed.name);
            context.done(&changed, &line)
        }
        WorkspaceCommand::SetPicture(PictureArguments { workspace, picture, none: _, storage }) => {
            let body = json!({ "picture": picture });
            let changed = change(&context, storage, &workspace, &body).await?;
            let line = match changed.picture {
                Some(picture) => format!("clients of {} see {picture}", changed.name),
                None => format!("clients of {} see no picture", changed.name),
            };
            context.done(&changed, &line)
        }
        WorkspaceCommand::SetSecondPair(SecondPairArguments { workspace, asks, storage }) => {
            let body = json!({ "secondPair": asks == Switch::On });
            let changed = change(&context, storage, &workspace, &body).await?;
            let line = if changed.second_pair {
                format!("posts of {} go out once somebody else has approved them", changed.name)
            } else {
                format!("posts of {} need nobody else of the team", changed.name)
            };
            context.done(&changed, &line)
        }
    }
}

async fn change(
    context: &Context,
    storage: StorageOptions,
    workspace: &str,
    body: &Value,
) -> Result<WorkspaceView, Failure> {
    let client = context.application(storage, Some(workspace)).await?;
    Ok(client.ask(Call::patch("/workspace", body)).await?.read()?)
}

fn list(context: &Context, workspaces: &[WorkspaceView]) -> Result<Exit, Failure> {
    let columns: [Shows<WorkspaceView>; 5] = [
        (Column::words("id"), |workspace| cell(workspace.id)),
        (Column::text("name"), |workspace| cell(&workspace.name)),
        (Column::words("plan"), |workspace| cell(workspace.plan)),
        (Column::words("zone"), |workspace| {
            cell(workspace.timezone.map(Zone::name).unwrap_or_default())
        }),
        (Column::words("created"), |workspace| cell(instant(workspace.created_at))),
    ];
    context.list(&json!({"data": workspaces}), workspaces, &columns, "No workspaces.")
}
