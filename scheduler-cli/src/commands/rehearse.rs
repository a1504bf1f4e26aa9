//! `scheduler rehearse`: what would go out when, and what would keep posts back.

use std::io;

use clap::Args;
use scheduler_core::rehearsal::{
    DAYS_DEFAULT, DAYS_MAX, Rehearsal, RehearsalFinding, RehearsedOutcome, RehearsedTarget,
};

use crate::client::Call;
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::instant;
use crate::printer::{Column, Printer, Shows, Tone, cell, toned};

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler rehearse
  scheduler rehearse --days 7 --all
  scheduler rehearse --json";

/// What is rehearsed.
#[derive(Args, Debug)]
pub(crate) struct RehearseArguments {
    #[arg(
        long,
        help = format!("How many days from now on, 1 to {DAYS_MAX}"),
        default_value_t = DAYS_DEFAULT,
        value_parser = clap::value_parser!(i64).range(1..=DAYS_MAX)
    )]
    days: i64,
    /// Show also the posts that go out when they are due
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    of: OfWorkspace,
}

/// A line of the table of posts.
struct Line<'a> {
    target: &'a RehearsedTarget,
    account: &'a str,
    finding: Option<&'a RehearsalFinding>,
}

/// Rehearses the calendar.
pub(crate) async fn run(context: Context, arguments: RehearseArguments) -> Result<Exit, Failure> {
    let RehearseArguments { days, all, of } = arguments;
    let client = of.open(&context).await?;
    let call = Call::get("/rehearsal").query("days", Some(days));
    let found: Rehearsal = client.ask(call).await?.read()?;
    context.show(&found, |printer| told(printer, &found, all))
}

fn told(printer: Printer, found: &Rehearsal, all: bool) -> io::Result<()> {
    printer.line(&found.summary(&instant(found.until)))?;
    if !found.findings.is_empty() {
        printer.line("")?;
        let columns: [Shows<RehearsalFinding>; 4] = [
            (Column::words("what"), |finding| cell(finding.kind.title())),
            (Column::words("from"), |finding| cell(instant(finding.first_at))),
            (Column::sentences("found"), |finding| cell(&finding.message)),
            (Column::sentences("what mends it"), |finding| cell(&finding.remedy.message)),
        ];
        printer.list(&found.findings, &columns, "")?;
    }
    let shown = found.targets.iter();
    let shown = shown.filter(|target| all || target.outcome != RehearsedOutcome::OnTime);
    let lines: Vec<Line<'_>> = shown
        .map(|target| Line {
            target,
            account: found.account(target.account_id).map_or("", |of| &of.label),
            finding: found.finding_of(target),
        })
        .collect();
    if lines.is_empty() {
        return Ok(());
    }
    printer.line("")?;
    let columns: [Shows<Line<'_>>; 5] = [
        (Column::words("due"), |line| cell(instant(line.target.due_at))),
        (Column::words("goes out"), |line| goes_out(line.target)),
        (Column::text("account"), |line| cell(line.account)),
        (Column::words("post"), |line| cell(line.target.post_id)),
        (Column::words("why"), |line| {
            cell(line.finding.map_or("", |finding| finding.kind.title()))
        }),
    ];
    printer.list(&lines, &columns, "")
}

fn goes_out(target: &RehearsedTarget) -> comfy_table::Cell {
    match (target.outcome, target.at) {
        (RehearsedOutcome::OnTime, _) => toned("then", Tone::Good),
        (RehearsedOutcome::Delayed, Some(at)) => toned(instant(at), Tone::Doubtful),
        (RehearsedOutcome::Delayed, None) => toned("later", Tone::Doubtful),
        (RehearsedOutcome::Stopped, _) => toned("not", Tone::Bad),
    }
}
