//! `scheduler undo`: takes back what was just done to a post.

use clap::Args;
use scheduler_core::app::ChangeView;
use scheduler_core::ids::PostId;
use scheduler_core::post::{ChangeKind, PostStatus, PostView};
use serde_json::json;

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{PostName, instant};
use crate::printer::{Column, Shows, cell};

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler undo
  scheduler undo 01993b5c
  scheduler undo --list";

/// What is taken back.
#[derive(Args, Debug)]
pub(crate) struct UndoArguments {
    /// The post; may be left out while only one was changed within ten minutes
    #[arg(conflicts_with = "list")]
    post: Option<PostName>,
    /// Show what can be taken back
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    of: OfWorkspace,
}

pub(crate) async fn run(context: Context, arguments: UndoArguments) -> Result<Exit, Failure> {
    let client = arguments.of.open(&context).await?;
    let id = match &arguments.post {
        Some(post) => post.id_of_application(&client).await?,
        None => {
            let changes: Vec<ChangeView> = client.ask(Call::get("/undo")).await?.data()?;
            if arguments.list {
                return list(&context, &changes);
            }
            only(&changes)?
        }
    };
    let answer = client.ask(Call::post(&format!("/posts/{id}/undo"), &json!({}))).await?;
    let post: PostView = answer.read()?;
    let line = match (post.status, post.scheduled_at) {
        (PostStatus::Scheduled, Some(at)) => format!("{id} goes out {} again", instant(at)),
        _ => format!("{id} is a draft again"),
    };
    context.done(&post, &line)
}

/// The only post that was changed.
fn only(changes: &[ChangeView]) -> Result<PostId, Failure> {
    match changes {
        [change] => Ok(change.post_id),
        [] => Err(Failure::advised(
            "no post was edited or cancelled within ten minutes",
            "a change can be taken back for ten minutes; `scheduler posts edit` makes another",
        )),
        [_, _, ..] => Err(Failure::advised(
            format!("{} posts were changed within ten minutes", changes.len()),
            "name one of them; `scheduler undo --list` shows them",
        )),
    }
}

fn list(context: &Context, changes: &[ChangeView]) -> Result<Exit, Failure> {
    let columns: [Shows<ChangeView>; 4] = [
        (Column::words("post"), |change| cell(change.post_id)),
        (Column::words("change"), |change| {
            cell(match change.change {
                ChangeKind::Edited => "edited",
                ChangeKind::Canceled => "canceled",
            })
        }),
        (Column::words("at"), |change| cell(instant(change.at))),
        (Column::words("until"), |change| cell(instant(change.until))),
    ];
    context.list(&json!({"data": changes}), changes, &columns, "Nothing can be undone.")
}
