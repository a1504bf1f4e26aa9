//! `scheduler reply` and `scheduler comment`: what is done with one comment, publicly and as the
//! connected account.

use clap::{Args, Subcommand};
use scheduler_core::error::ErrorCode;
use serde_json::{Value, json};

use crate::client::{Call, segment};
use crate::config::ClientOptions;
use crate::confirming::confirm;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::{Failure, List};
use crate::posting::TargetArguments;
use crate::printer::escape_control;

pub(super) const REPLY_EXAMPLE: &str = "\
Example:
  scheduler reply 01993b5c-2b7e-7000-8000-000000000001 mastodon 115012345 \"Thank you!\"";

/// A comment of a live post.
#[derive(Args, Debug)]
pub(crate) struct CommentArguments {
    #[command(flatten)]
    target: TargetArguments,
    /// The comment's id, as `scheduler comments` shows it
    comment: String,
    #[command(flatten)]
    client: ClientOptions,
}

/// A comment and a text.
#[derive(Args, Debug)]
pub(crate) struct TextArguments {
    #[command(flatten)]
    comment: CommentArguments,
    /// The text
    text: String,
}

/// A comment to delete.
#[derive(Args, Debug)]
pub(crate) struct DeleteArguments {
    #[command(flatten)]
    comment: CommentArguments,
    /// Delete it without asking
    #[arg(long)]
    yes: bool,
}

/// What to do with a comment.
#[derive(Debug, Subcommand)]
pub(crate) enum CommentCommand {
    /// Change a comment of the connected account
    #[command(
        after_help = "Example:\n  scheduler comment edit 01993b5c-2b7e-7000-8000-000000000001 youtube UgxA7 \"Thank you all!\""
    )]
    Edit(TextArguments),
    /// Hide a comment from others
    #[command(
        after_help = "Example:\n  scheduler comment hide 01993b5c-2b7e-7000-8000-000000000001 instagram 178912"
    )]
    Hide(CommentArguments),
    /// Show a hidden comment again
    #[command(
        after_help = "Example:\n  scheduler comment unhide 01993b5c-2b7e-7000-8000-000000000001 instagram 178912"
    )]
    Unhide(CommentArguments),
    /// Like a comment
    #[command(
        after_help = "Example:\n  scheduler comment like 01993b5c-2b7e-7000-8000-000000000001 facebook 12_345"
    )]
    Like(CommentArguments),
    /// Take a like back
    #[command(
        after_help = "Example:\n  scheduler comment unlike 01993b5c-2b7e-7000-8000-000000000001 facebook 12_345"
    )]
    Unlike(CommentArguments),
    /// Delete a comment; asks first on a terminal
    #[command(
        after_help = "Example:\n  scheduler comment delete 01993b5c-2b7e-7000-8000-000000000001 facebook 12_345"
    )]
    Delete(DeleteArguments),
}

pub(crate) async fn reply(context: Context, arguments: TextArguments) -> Result<Exit, Failure> {
    let body = json!({"action": "reply", "text": arguments.text});
    let sent = act(&context, arguments.comment, &body).await.inspect_err(|failure| {
        if matches!(failure, Failure::Unreachable { .. }) {
            context.printer.message(
                "no answer has come, so the reply may be there; look with `scheduler comments` \
                 before you send it again",
            );
        }
    })?;
    let line = match sent.get("id").and_then(Value::as_str) {
        Some(id) => format!("replied: {id}"),
        None => "replied".to_owned(),
    };
    context.done(&sent, &line)
}

/// Does something else with a comment.
pub(crate) async fn run(context: Context, command: CommentCommand) -> Result<Exit, Failure> {
    let (comment, body, line) = match command {
        CommentCommand::Edit(arguments) => {
            let body = json!({"action": "edit", "text": arguments.text});
            (arguments.comment, body, "changed")
        }
        CommentCommand::Hide(comment) => (comment, json!({"action": "hide"}), "hidden"),
        CommentCommand::Unhide(comment) => (comment, json!({"action": "unhide"}), "shown again"),
        CommentCommand::Like(comment) => (comment, json!({"action": "like"}), "liked"),
        CommentCommand::Unlike(comment) => (comment, json!({"action": "unlike"}), "not liked"),
        CommentCommand::Delete(arguments) => {
            let comment = arguments.comment;
            let question = format!(
                "Delete comment {} on {}? It cannot be undone",
                escape_control(&comment.comment),
                comment.target.name()
            );
            confirm(arguments.yes, &question)?;
            (comment, json!({"action": "delete"}), "deleted")
        }
    };
    let answer = act(&context, comment, &body).await?;
    context.done(&answer, line)
}

async fn act(context: &Context, comment: CommentArguments, body: &Value) -> Result<Value, Failure> {
    let id = segment(&comment.comment)?;
    let client = context.client(comment.client).await?;
    let path = format!("{}/comments/{id}", comment.target.path(&client).await?);
    match client.send(Call::post(&path, body)).await.map_err(Failure::from) {
        Ok(answer) => Ok(answer.body),
        // Of a target that is there, it is the comment that is not.
        Err(Failure::Refused(refused))
            if refused.error.code == ErrorCode::NotFound
                && comment.target.exists(&client).await =>
        {
            Err(refused.looked_up_in(List::Comments).into())
        }
        Err(failure) => Err(failure),
    }
}
