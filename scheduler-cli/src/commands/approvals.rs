//! `scheduler approvals`: shows posts to clients, who approve them before they go out.

use chrono::TimeDelta;
use clap::{Args, Subcommand};
use scheduler_core::app::ApprovalView;
use scheduler_core::ids::PostId;
use scheduler_core::post::ApprovalState;
use serde_json::json;
use url::Url;

use super::Context;
use crate::config::StorageOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names;
use crate::node::public_url;
use crate::posting::instant;
use crate::printer::{Column, cell, harmless, one_line};
use crate::runtime::Application;

/// What to do with approval links.
#[derive(Debug, Subcommand)]
pub(crate) enum ApprovalsCommand {
    /// Make the link under which a client sees a post and approves it; shows it, this once
    ///
    /// From then on the post goes out only with their approval: at its time it waits for them. A
    /// new link takes the place of an earlier one of the same post.
    #[command(
        after_help = "Example:\n  scheduler approvals create 01993b5c-2b7e-7000-8000-000000000001 --expires 7d"
    )]
    Create(CreateArguments),
    /// List the links of a workspace, newest first
    #[command(after_help = "Example:\n  scheduler approvals list")]
    List(ListArguments),
    /// Show what the client of a post has said
    #[command(
        after_help = "Example:\n  scheduler approvals show 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Show(PostArguments),
    /// Remove the link of a post, which then goes out without an approval
    #[command(
        after_help = "Example:\n  scheduler approvals withdraw 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Withdraw(PostArguments),
}

/// A new link.
#[derive(Args, Debug)]
pub(crate) struct CreateArguments {
    /// The post's id
    #[arg(value_parser = names::post_id)]
    post: PostId,
    /// How long the link is valid, such as 36h or 14d: an hour to 365 days
    #[arg(long, default_value = "14d", value_parser = lifetime)]
    expires: TimeDelta,
    /// The workspace of the post, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    /// How browsers reach the server [env: SCHEDULER_PUBLIC_URL]
    #[arg(long, value_name = "URL")]
    public_url: Option<Url>,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Whose links.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// The workspace, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    /// At most so many
    #[arg(long, default_value_t = 50)]
    limit: u32,
    #[command(flatten)]
    storage: StorageOptions,
}

/// A post that was shown to a client.
#[derive(Args, Debug)]
pub(crate) struct PostArguments {
    /// The post's id
    #[arg(value_parser = names::post_id)]
    post: PostId,
    /// The workspace of the post, by name or id; the only one when left out
    #[arg(long)]
    workspace: Option<String>,
    #[command(flatten)]
    storage: StorageOptions,
}

/// Does what was asked.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, command: ApprovalsCommand) -> Result<Exit, Failure> {
    match command {
        ApprovalsCommand::Create(arguments) => create(&context, arguments).await?,
        ApprovalsCommand::List(arguments) => {
            let application = Application::open(&context, arguments.storage).await?;
            let workspace = application.workspace(arguments.workspace.as_deref()).await?;
            let views = application.scheduler.approvals(workspace.id, arguments.limit).await?;
            list(&context, &views)?;
        }
        ApprovalsCommand::Show(arguments) => {
            let application = Application::open(&context, arguments.storage).await?;
            let workspace = application.workspace(arguments.workspace.as_deref()).await?;
            let view = application.scheduler.approval(workspace.id, arguments.post).await?;
            show(&context, &view)?;
        }
        ApprovalsCommand::Withdraw(arguments) => {
            let application = Application::open(&context, arguments.storage).await?;
            let workspace = application.workspace(arguments.workspace.as_deref()).await?;
            application.scheduler.withdraw_approval(workspace.id, arguments.post).await?;
            context.print(&json!({"postId": arguments.post, "withdrawn": true}), "withdrawn")?;
        }
    }
    Ok(Exit::Done)
}

async fn create(context: &Context, arguments: CreateArguments) -> Result<(), Failure> {
    let server = public_url(context, None, arguments.public_url)?;
    let application = Application::open(context, arguments.storage).await?;
    let workspace = application.workspace(arguments.workspace.as_deref()).await?;
    let new = application
        .scheduler
        .create_approval(workspace.id, arguments.post, arguments.expires)
        .await?;
    let server = server.as_str().trim_end_matches('/');
    let url = format!("{server}/approve/{}", new.pass.expose());
    let document = json!({
        "postId": new.view.post_id,
        "approvalState": new.view.approval_state,
        "expiresAt": new.view.expires_at,
        "url": url,
    });
    context.print(&document, &url)?;
    if !context.printer.is_json() {
        context.printer.message(&format!(
            "the link is shown this once and valid until {}; the server has to run at {server}",
            instant(new.view.expires_at)
        ));
    }
    Ok(())
}

fn list(context: &Context, views: &[ApprovalView]) -> Result<(), Failure> {
    let rows = views.iter().map(|view| {
        vec![
            cell(view.post_id),
            cell(view.post_status.as_str()),
            cell(state(view)),
            cell(view.decided_at.map(instant).unwrap_or_default()),
            cell(instant(view.expires_at)),
            cell(one_line(view.note.as_deref().unwrap_or_default())),
        ]
    });
    let printed = context.printer.result(&json!({"data": views}), |printer| {
        let columns = [
            Column::words("post"),
            Column::words("status"),
            Column::words("approval"),
            Column::words("decided"),
            Column::words("link until"),
            Column::text("note"),
        ];
        printer.columns(&columns, rows, "No approval links.")
    });
    Ok(printed.map_err(anyhow::Error::from)?)
}

fn show(context: &Context, view: &ApprovalView) -> Result<(), Failure> {
    let printed = context.printer.result(view, |printer| {
        printer.line(&format!("post     {} ({})", view.post_id, view.post_status.as_str()))?;
        printer.line(&format!("approval {}", state(view)))?;
        if let Some(at) = view.decided_at {
            printer.line(&format!("decided  {}", instant(at)))?;
        }
        printer.line(&format!("link     until {}", instant(view.expires_at)))?;
        match &view.note {
            Some(note) => printer.line(&format!("note     {}", harmless(note))),
            None => Ok(()),
        }
    });
    Ok(printed.map_err(anyhow::Error::from)?)
}

fn state(view: &ApprovalView) -> &'static str {
    view.approval_state.map_or("none", ApprovalState::as_str)
}

/// Reads how long a link is valid.
fn lifetime(text: &str) -> Result<TimeDelta, &'static str> {
    let wrong = "say how long in hours or days, such as 36h or 14d";
    let (number, unit): (_, fn(i64) -> Option<TimeDelta>) =
        if let Some(number) = text.strip_suffix('d') {
            (number, TimeDelta::try_days)
        } else if let Some(number) = text.strip_suffix('h') {
            (number, TimeDelta::try_hours)
        } else {
            return Err(wrong);
        };
    number.parse().ok().and_then(unit).ok_or(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifetimes() {
        for (text, want) in [
            ("14d", Some(TimeDelta::days(14))),
            ("36h", Some(TimeDelta::hours(36))),
            ("14", None),
            ("d", None),
            ("1w", None),
            ("1.5d", None),
            ("9223372036854775807d", None),
        ] {
            assert_eq!(lifetime(text).ok(), want, "{text}");
        }
    }
}
