//! `scheduler platforms --rules`: every rule that a post is checked against.

use scheduler_core::platform::Platform;
use scheduler_core::rules::{CatalogueEntry, Severity, catalogue};
use serde::Serialize;

use crate::printer::{Column, Printer, Tone, cell, toned};

/// The rules as one document.
#[derive(Serialize)]
struct Rules {
    data: Vec<CatalogueEntry>,
}

/// Shows the rules of one network, or all of them.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn show(printer: Printer, platform: Option<Platform>) -> std::io::Result<()> {
    let mut rules = Rules { data: catalogue() };
    if platform.is_some() {
        rules.data.retain(|rule| rule.platform == platform);
    }
    printer.result(&rules, |printer| {
        let rows = rules.data.iter().map(|rule| {
            let severity = match rule.severity {
                Severity::Error => toned("error", Tone::Bad),
                Severity::Warning => toned("warning", Tone::Doubtful),
            };
            vec![severity, cell(&rule.rule), cell(&rule.sentence)]
        });
        let columns = [Column::words("severity"), Column::words("rule"), Column::sentences("when")];
        printer.columns(&columns, rows, "No rules.")
    })
}
