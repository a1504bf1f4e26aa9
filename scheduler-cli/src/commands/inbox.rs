//! `scheduler inbox`: what others have written under live posts.

use clap::{Args, Subcommand};
use comfy_table::Cell;
use scheduler_core::ids::{AccountId, CommentId};
use scheduler_core::inbox::{CommentView, InboxPage, MarkedView};
use scheduler_core::platform::Platform;
use serde_json::json;

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::{self, OneOf};
use crate::posting::instant;
use crate::printer::{Column, Tone, cell, one_line, toned};

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler inbox
  scheduler inbox --unread --network mastodon
  scheduler inbox read 01993b5c-2b7e-7000-8000-000000000001
  scheduler inbox read --all";

/// What to do with the inbox; listing it when nothing is said.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct InboxArguments {
    #[command(subcommand)]
    command: Option<InboxCommand>,
    #[command(flatten)]
    list: ListArguments,
}

#[derive(Debug, Subcommand)]
enum InboxCommand {
    /// Mark comments as read, for everybody in the workspace
    #[command(
        after_help = "Examples:\n  scheduler inbox read 01993b5c-2b7e-7000-8000-000000000001\n  scheduler inbox read --all"
    )]
    Read(MarkArguments),
    /// Mark comments as unread again
    #[command(
        after_help = "Example:\n  scheduler inbox unread 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Unread(MarkArguments),
}

/// Which comments are listed.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// Only those that are unread
    #[arg(long)]
    unread: bool,
    /// Only those on this network
    #[arg(long, value_name = "NETWORK", value_parser = OneOf::<Platform>::new())]
    network: Option<Platform>,
    /// Only those on what this account has published
    #[arg(long, value_name = "ID", value_parser = names::account_id)]
    account: Option<AccountId>,
    /// At most so many, the newest
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Which comments are marked.
#[derive(Args, Debug)]
pub(crate) struct MarkArguments {
    /// Their ids, as `scheduler inbox` shows them
    #[arg(value_name = "COMMENT", value_parser = names::comment_id, required_unless_present = "all")]
    comments: Vec<CommentId>,
    /// All that are there by now
    #[arg(long, conflicts_with = "comments")]
    all: bool,
    #[command(flatten)]
    of: OfWorkspace,
}

pub(crate) async fn run(context: Context, arguments: InboxArguments) -> Result<Exit, Failure> {
    match arguments.command {
        Some(InboxCommand::Read(marked)) => mark(&context, marked, false).await,
        Some(InboxCommand::Unread(marked)) => mark(&context, marked, true).await,
        None => list(&context, arguments.list).await,
    }
}

async fn mark(context: &Context, marked: MarkArguments, unread: bool) -> Result<Exit, Failure> {
    let MarkArguments { comments, all, of } = marked;
    let body = if all {
        json!({"all": true, "unread": unread})
    } else {
        json!({"ids": comments, "unread": unread})
    };
    let client = of.open(context).await?;
    let marked: MarkedView = client.ask(Call::post("/inbox/read", &body)).await?.read()?;
    let word = if unread { "unread again" } else { "read" };
    let line = format!("{} {word}, {} unread", marked.changed, marked.unread);
    context.done(&marked, &line)
}

async fn list(context: &Context, arguments: ListArguments) -> Result<Exit, Failure> {
    let ListArguments { unread, network, account, limit, of } = arguments;
    let client = of.open(context).await?;
    let call = Call::get("/inbox")
        .query("unread", unread.then_some(true))
        .query("platform", network.map(Platform::as_str))
        .query("accountId", account)
        .query("limit", Some(limit));
    let answer = client.ask(call).await?;
    let page: InboxPage = answer.read()?;
    context.show(&answer.body, |printer| {
        printer.columns(&columns(), page.data.iter().map(row), "No comments.")?;
        if page.data.is_empty() {
            return Ok(());
        }
        printer.line("")?;
        let more = if page.next_cursor.is_some() { " There are more: --limit." } else { "" };
        printer.line(&format!(
            "{} unread.{more} Answer one: scheduler reply POST NETWORK COMMENT \"text\"",
            page.unread
        ))
    })
}

fn columns() -> [Column; 8] {
    [
        Column::words("is"),
        Column::words("when"),
        Column::words("network"),
        Column::words("author"),
        Column::text("text"),
        Column::words("post"),
        Column::words("comment"),
        Column::words("id"),
    ]
}

fn row(comment: &CommentView) -> Vec<Cell> {
    let is = match (comment.unread, comment.hidden) {
        (true, false) => toned("new", Tone::Good),
        (true, true) => toned("new, hidden", Tone::Doubtful),
        (false, true) => toned("hidden", Tone::Doubtful),
        (false, false) => cell(""),
    };
    vec![
        is,
        cell(instant(comment.at)),
        cell(comment.platform),
        cell(comment.author.as_deref().unwrap_or_default()),
        cell(one_line(&comment.text)),
        cell(comment.post_id),
        cell(&comment.comment_id),
        cell(comment.id),
    ]
}
