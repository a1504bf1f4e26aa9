//! `scheduler log`: who changed what.

use clap::Args;
use scheduler_core::audit::{ActorKind, AuditPage, AuditView};

use super::of_workspace::OfWorkspace;
use crate::client::Call;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::instant;
use crate::printer::{Column, Shows, cell, one_line};

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler log
  scheduler log --limit 200 --json";

/// How much of the log is shown.
#[derive(Args, Debug)]
pub(crate) struct LogArguments {
    /// At most so many changes, the newest
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=200))]
    limit: u16,
    #[command(flatten)]
    of: OfWorkspace,
}

pub(crate) async fn run(context: Context, arguments: LogArguments) -> Result<Exit, Failure> {
    let client = arguments.of.open(&context).await?;
    let call = Call::get("/log").query("limit", Some(arguments.limit));
    let answer = client.ask(call).await?;
    let page: AuditPage = answer.read()?;
    let columns: [Shows<AuditView>; 4] = [
        (Column::words("when"), |entry| cell(instant(entry.at))),
        (Column::words("who"), |entry| cell(who(entry))),
        (Column::words("what"), |entry| cell(entry.operation.replace('_', " "))),
        (Column::words("where"), |entry| cell(&entry.path)),
    ];
    context.list(&answer.body, &page.data, &columns, "Nothing was changed yet.")
}

/// Who has changed something, by name where there is one.
fn who(entry: &AuditView) -> String {
    let by = &entry.by;
    match (by.kind, &by.name, by.id) {
        (ActorKind::Server, ..) => "on the server".to_owned(),
        (kind, Some(name), _) => format!("{} {}", kind.as_str(), one_line(name)),
        (kind, None, Some(id)) => format!("{} {id}", kind.as_str()),
        (kind, None, None) => kind.as_str().to_owned(),
    }
}
