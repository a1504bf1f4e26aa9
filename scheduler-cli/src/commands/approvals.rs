//! `scheduler approvals`: shows posts to clients, who approve them before they go out.

use chrono::TimeDelta;
use clap::{Args, Subcommand};
use scheduler_core::app::ApprovalView;
use scheduler_core::ids::PostId;
use scheduler_core::post::ApprovalState;
use serde_json::json;
use url::Url;

use crate::config::StorageOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names;
use crate::node::public_url;
use crate::posting::instant;
use crate::printer::{Column, Shows, cell, escape_control, one_line};
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

pub(crate) async fn run(context: Context, command: ApprovalsCommand) -> Result<Exit, Failure> {
    match command {
        ApprovalsCommand::Create(arguments) => create(&context, arguments).await,
        ApprovalsCommand::List(ListArguments { workspace, limit, storage }) => {
            let (application, workspace) =
                Application::of_workspace(&context, storage, workspace.as_deref()).await?;
            list(&context, &application.scheduler.approvals(workspace.id, limit).await?)
        }
        ApprovalsCommand::Show(PostArguments { post, workspace, storage }) => {
            let (application, workspace) =
                Application::of_workspace(&context, storage, workspace.as_deref()).await?;
            show(&context, &application.scheduler.approval(workspace.id, post).await?)
        }
        ApprovalsCommand::Withdraw(PostArguments { post, workspace, storage }) => {
            let (application, workspace) =
                Application::of_workspace(&context, storage, workspace.as_deref()).await?;
            application.scheduler.withdraw_approval(workspace.id, post).await?;
            context.done(&json!({"postId": post, "withdrawn": true}), "withdrawn")
        }
    }
}

async fn create(context: &Context, arguments: CreateArguments) -> Result<Exit, Failure> {
    let server = public_url(context, None, arguments.public_url)?;
    let (application, workspace) =
        Application::of_workspace(context, arguments.storage, arguments.workspace.as_deref())
            .await?;
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
    Ok(Exit::Done)
}

fn list(context: &Context, views: &[ApprovalView]) -> Result<Exit, Failure> {
    let columns: [Shows<ApprovalView>; 6] = [
        (Column::words("post"), |view| cell(view.post_id)),
        (Column::words("status"), |view| cell(view.post_status.as_str())),
        (Column::words("approval"), |view| cell(state(view))),
        (Column::words("decided"), |view| cell(decided(view).unwrap_or_default())),
        (Column::words("link until"), |view| cell(instant(view.expires_at))),
        (Column::text("note"), |view| cell(one_line(view.note.as_deref().unwrap_or_default()))),
    ];
    context.list(&json!({"data": views}), views, &columns, "No approval links.")
}

fn show(context: &Context, view: &ApprovalView) -> Result<Exit, Failure> {
    context.show(view, |printer| {
        printer.line(&format!("post     {} ({})", view.post_id, view.post_status.as_str()))?;
        printer.line(&format!("approval {}", state(view)))?;
        if let Some(decided) = decided(view) {
            printer.line(&format!("decided  {decided}"))?;
        }
        printer.line(&format!("link     until {}", instant(view.expires_at)))?;
        match &view.note {
            Some(note) => printer.line(&format!("note     {}", escape_control(note))),
            None => Ok(()),
        }
    })
}

/// When the client has decided; a post that has changed since is pending again.
fn decided(view: &ApprovalView) -> Option<String> {
    let at = instant(view.decided_at?);
    let is_of_now = view.approval_state != Some(ApprovalState::Pending);
    Some(if is_of_now { at } else { format!("{at}, before it changed") })
}

fn state(view: &ApprovalView) -> &'static str {
    view.approval_state.map_or("none", ApprovalState::as_str)
}

fn lifetime(text: &str) -> Result<TimeDelta, &'static str> {
    let length = match text.split_at_checked(text.len().saturating_sub(1)) {
        Some((days, "d")) => days.parse().ok().and_then(TimeDelta::try_days),
        Some((hours, "h")) => hours.parse().ok().and_then(TimeDelta::try_hours),
        _ => None,
    };
    length.ok_or("say how long in hours or days, such as 36h or 14d")
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
