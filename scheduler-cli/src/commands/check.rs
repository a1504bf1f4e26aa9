//! `scheduler check`: what creating a post would say, without creating it.

use comfy_table::Cell;
use scheduler_core::rules::{Severity, ValidationIssue};
use serde::Deserialize;

use super::Context;
use super::post::PostArguments;
use crate::client::Call;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{create_body, draft_of};
use crate::printer::{Printer, Tone, toned};

#[derive(Deserialize)]
struct Report {
    ok: bool,
    issues: Vec<ValidationIssue>,
}

/// Checks the post. Its time, its key and waiting for it are no part of a check.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(context: Context, arguments: PostArguments) -> Result<Exit, Failure> {
    let client = context.client(arguments.client)?;
    let body = create_body(&client, &arguments.content, &arguments.timing).await?;
    let answer = client.send(Call::post("/platforms/validate", &draft_of(body))).await?;
    let report: Report = answer.read()?;
    context
        .printer
        .result(&answer.body, |printer| show_issues(printer, &report.issues))
        .map_err(anyhow::Error::from)?;
    Ok(if report.ok { Exit::Done } else { Exit::Failed })
}

/// Prints what a check has found.
///
/// # Errors
/// When standard output cannot be written.
fn show_issues(printer: Printer, issues: &[ValidationIssue]) -> std::io::Result<()> {
    let rows = issues.iter().map(|issue| {
        let (severity, tone) = match issue.severity {
            Severity::Error => ("error", Tone::Bad),
            Severity::Warning => ("warning", Tone::Doubtful),
        };
        vec![
            toned(severity, tone),
            Cell::new(issue.platform.map_or("all", scheduler_core::platform::Platform::as_str)),
            Cell::new(&issue.message),
            Cell::new(&issue.rule),
        ]
    });
    printer.table(&["severity", "network", "message", "rule"], rows, "No network objects.")
}
