//! `scheduler reply` and `scheduler comment`: what is done with one comment, publicly and as the
//! connected account.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::Context;
use crate::client::{Call, segment};
use crate::config::ClientOptions;
use crate::confirming::confirm;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::TargetArguments;
use crate::printer::harmless;

/// What the help of `scheduler reply` shows last.
pub(super) const REPLY_EXAMPLE: &str = "\
Example:
  scheduler reply 01993b5c-2b7e-7000-8000-000000000001 mastodon 115012345 \"Thank you!\"";

const EDIT_EXAMPLE: &str = "\
Example:
  scheduler comment edit 01993b5c-2b7e-7000-8000-000000000001 youtube UgxA7 \"Thank you all!\"";
const HIDE_EXAMPLE: &str =
    "Example:\n  scheduler comment hide 01993b5c-2b7e-7000-8000-000000000001 instagram 178912";
const UNHIDE_EXAMPLE: &str =
    "Example:\n  scheduler comment unhide 01993b5c-2b7e-7000-8000-000000000001 instagram 178912";
const LIKE_EXAMPLE: &str =
    "Example:\n  scheduler comment like 01993b5c-2b7e-7000-8000-000000000001 facebook 12_345";
const UNLIKE_EXAMPLE: &str =
    "Example:\n  scheduler comment unlike 01993b5c-2b7e-7000-8000-000000000001 facebook 12_345";
const DELETE_EXAMPLE: &str =
    "Example:\n  scheduler comment delete 01993b5c-2b7e-7000-8000-000000000001 facebook 12_345";

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
    #[command(after_help = EDIT_EXAMPLE)]
    Edit(TextArguments),
    /// Hide a comment from others
    #[command(after_help = HIDE_EXAMPLE)]
    Hide(CommentArguments),
    /// Show a hidden comment again
    #[command(after_help = UNHIDE_EXAMPLE)]
    Unhide(CommentArguments),
    /// Like a comment
    #[command(after_help = LIKE_EXAMPLE)]
    Like(CommentArguments),
    /// Take a like back
    #[command(after_help = UNLIKE_EXAMPLE)]
    Unlike(CommentArguments),
    /// Delete a comment; asks first on a terminal
    #[command(after_help = DELETE_EXAMPLE)]
    Delete(DeleteArguments),
}

/// Replies to a comment.
///
/// # Errors
/// [`Failure`] by variant.
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
    context.print(&sent, &line)?;
    Ok(Exit::Done)
}

/// Does something else with a comment.
///
/// # Errors
/// [`Failure`] by variant.
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
                harmless(&comment.comment),
                comment.target.name()
            );
            confirm(arguments.yes, &question)?;
            (comment, json!({"action": "delete"}), "deleted")
        }
    };
    let answer = act(&context, comment, &body).await?;
    context.print(&answer, line)?;
    Ok(Exit::Done)
}

async fn act(context: &Context, comment: CommentArguments, body: &Value) -> Result<Value, Failure> {
    let id = segment(&comment.comment)?;
    let client = context.client(comment.client)?;
    let path = format!("{}/comments/{id}", comment.target.path(&client).await?);
    Ok(client.send(Call::post(&path, body)).await?.body)
}
