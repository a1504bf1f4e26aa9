//! `scheduler workspace`: makes, lists and changes workspaces.

use clap::{Args, Subcommand};
use scheduler_core::app::NewWorkspace;
use scheduler_core::plan::Plan;
use scheduler_core::timing::Zone;
use scheduler_core::workspace::Workspace;
use serde_json::{Value, json};

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
    /// Change a workspace's plan
    #[command(after_help = "Example:\n  scheduler workspace set-plan acme studio")]
    SetPlan(PlanArguments),
    /// Change the zone of a workspace's accounts that have none of their own
    #[command(after_help = "Example:\n  scheduler workspace set-timezone acme Europe/Berlin")]
    SetTimezone(ZoneArguments),
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

/// Does what was asked.
pub(crate) async fn run(context: Context, command: WorkspaceCommand) -> Result<Exit, Failure> {
    match command {
        WorkspaceCommand::Create(arguments) => {
            let application = Application::make(&context, arguments.storage).await?;
            let input = NewWorkspace { name: arguments.name, plan: arguments.plan };
            let workspace = application.scheduler.create_workspace(&input).await?;
            let line = format!("workspace {} ({})", workspace.name, workspace.id);
            context.done(&document(&workspace), &line)
        }
        WorkspaceCommand::List(storage) => {
            let application = Application::open(&context, storage).await?;
            list(&context, &application.scheduler.workspaces().await?)
        }
        WorkspaceCommand::SetPlan(arguments) => {
            let (application, workspace) =
                Application::of_workspace(&context, arguments.storage, Some(&arguments.workspace))
                    .await?;
            application.scheduler.set_plan(&workspace, arguments.plan).await?;
            let workspace = Workspace { plan: arguments.plan, ..workspace };
            let line = format!("{} is on plan {}", workspace.name, workspace.plan);
            context.done(&document(&workspace), &line)
        }
        WorkspaceCommand::SetTimezone(arguments) => {
            let (application, workspace) =
                Application::of_workspace(&context, arguments.storage, Some(&arguments.workspace))
                    .await?;
            let zone = Some(arguments.zone);
            application.scheduler.set_workspace_timezone(&workspace, zone).await?;
            let workspace = Workspace { timezone: zone, ..workspace };
            let line = format!("{} reads times in {}", workspace.name, arguments.zone);
            context.done(&document(&workspace), &line)
        }
    }
}

fn list(context: &Context, workspaces: &[Workspace]) -> Result<Exit, Failure> {
    let documents: Vec<Value> = workspaces.iter().map(document).collect();
    let columns: [Shows<Workspace>; 5] = [
        (Column::words("id"), |workspace| cell(workspace.id)),
        (Column::text("name"), |workspace| cell(&workspace.name)),
        (Column::words("plan"), |workspace| cell(workspace.plan)),
        (Column::words("zone"), |workspace| {
            cell(workspace.timezone.map(Zone::name).unwrap_or_default())
        }),
        (Column::words("created"), |workspace| cell(instant(workspace.created_at))),
    ];
    context.list(&json!({"data": documents}), workspaces, &columns, "No workspaces.")
}

fn document(workspace: &Workspace) -> Value {
    json!({
        "id": workspace.id,
        "name": workspace.name,
        "plan": workspace.plan,
        "timezone": workspace.timezone,
        "createdAt": workspace.created_at,
    })
}
