//! `scheduler workspace`: makes, lists and changes workspaces.

use clap::{Args, Subcommand};
use scheduler_core::app::NewWorkspace;
use scheduler_core::plan::Plan;
use scheduler_core::timing::Zone;
use scheduler_core::workspace::Workspace;
use serde_json::{Value, json};

use super::Context;
use crate::config::StorageOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::{self, OneOf};
use crate::posting::instant;
use crate::printer::{Column, cell};
use crate::runtime::Application;

/// What to do with workspaces.
#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// Make a workspace
    #[command(after_help = "Example:\n  scheduler workspace create acme --plan pro")]
    Create(CreateArguments),
    /// List the workspaces
    #[command(after_help = "Example:\n  scheduler workspace list")]
    List(ListArguments),
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

/// Nothing but where everything is kept.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
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
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, command: WorkspaceCommand) -> Result<Exit, Failure> {
    match command {
        WorkspaceCommand::Create(arguments) => {
            let application = Application::open(&context, arguments.storage).await?;
            let input = NewWorkspace { name: arguments.name, plan: arguments.plan };
            let workspace = application.scheduler.create_workspace(&input).await?;
            let line = format!("workspace {} ({})", workspace.name, workspace.id);
            context.print(&document(&workspace), &line)?;
        }
        WorkspaceCommand::List(arguments) => {
            let application = Application::open(&context, arguments.storage).await?;
            list(&context, &application.scheduler.workspaces().await?)?;
        }
        WorkspaceCommand::SetPlan(arguments) => {
            let application = Application::open(&context, arguments.storage).await?;
            let workspace = application.workspace(Some(&arguments.workspace)).await?;
            application.scheduler.set_plan(&workspace, arguments.plan).await?;
            let workspace = Workspace { plan: arguments.plan, ..workspace };
            let line = format!("{} is on plan {}", workspace.name, workspace.plan);
            context.print(&document(&workspace), &line)?;
        }
        WorkspaceCommand::SetTimezone(arguments) => {
            let application = Application::open(&context, arguments.storage).await?;
            let workspace = application.workspace(Some(&arguments.workspace)).await?;
            let zone = Some(arguments.zone);
            application.scheduler.set_workspace_timezone(&workspace, zone).await?;
            let workspace = Workspace { timezone: zone, ..workspace };
            let line = format!("{} reads times in {}", workspace.name, arguments.zone);
            context.print(&document(&workspace), &line)?;
        }
    }
    Ok(Exit::Done)
}

fn list(context: &Context, workspaces: &[Workspace]) -> Result<(), Failure> {
    let documents: Vec<Value> = workspaces.iter().map(document).collect();
    let rows = workspaces.iter().map(|workspace| {
        vec![
            cell(workspace.id),
            cell(&workspace.name),
            cell(workspace.plan),
            cell(workspace.timezone.map(Zone::name).unwrap_or_default()),
            cell(instant(workspace.created_at)),
        ]
    });
    let printed = context.printer.result(&json!({"data": documents}), |printer| {
        let columns = [
            Column::words("id"),
            Column::text("name"),
            Column::words("plan"),
            Column::words("zone"),
            Column::words("created"),
        ];
        printer.columns(&columns, rows, "No workspaces.")
    });
    Ok(printed.map_err(anyhow::Error::from)?)
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
