//! `scheduler log`: who changed what, and what agents have called.

use clap::Args;
use scheduler_core::audit::{ActorKind, AuditPage, AuditView};
use uuid::Uuid;

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::instant;
use crate::printer::{Column, Shows, cell, one_line};

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler log
  scheduler log --limit 200 --json
  scheduler log --calls --by 01993b5c-2b7e-7000-8000-000000000001";

/// How much of the log is shown.
#[derive(Args, Debug)]
pub(crate) struct LogArguments {
    /// At most so many entries, the newest
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,
    /// Calls of tools in place of changes, by programs that act for people (see `scheduler mcp`)
    #[arg(long)]
    calls: bool,
    /// Only entries of this key or session, by its id
    #[arg(long, value_name = "ID")]
    by: Option<Uuid>,
    #[command(flatten)]
    of: OfWorkspace,
}

pub(crate) async fn run(context: Context, arguments: LogArguments) -> Result<Exit, Failure> {
    let client = arguments.of.open(&context).await?;
    let call = Call::get("/log").query("limit", Some(arguments.limit)).query("by", arguments.by);
    let answer = client.ask(call.query("calls", arguments.calls.then_some(true))).await?;
    let page: AuditPage = answer.read()?;
    let columns: [Shows<AuditView>; 4] = [
        (Column::words("when"), |entry| cell(instant(entry.at))),
        (Column::words("who"), |entry| cell(who(entry))),
        (Column::words("what"), |entry| cell(entry.operation.replace('_', " "))),
        (Column::words("where"), |entry| cell(place(entry))),
    ];
    let none = if arguments.calls { "No tool was called." } else { "Nothing was changed yet." };
    context.list(&answer.body, &page.data, &columns, none)
}

/// What was changed; of a call of a tool, who called it and what came of it.
fn place(entry: &AuditView) -> String {
    match &entry.call {
        None => entry.path.clone(),
        Some(call) => format!("by {}: {}", one_line(&call.client), call.outcome.replace('_', " ")),
    }
}

/// Who has changed something, by name where there is one.
fn who(entry: &AuditView) -> String {
    let by = &entry.by;
    if let Some(person) = &by.person {
        return one_line(person.name.as_str());
    }
    match (by.kind, &by.name, by.id) {
        (ActorKind::Server, ..) => "on the server".to_owned(),
        (kind, Some(name), _) => format!("{} {}", kind.as_str(), one_line(name)),
        (kind, None, Some(id)) => format!("{} {id}", kind.as_str()),
        (kind, None, None) => kind.as_str().to_owned(),
    }
}
