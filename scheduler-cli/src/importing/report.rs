//! What was found in a file, and what came of it, for a person and for a program.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table, presets};
use scheduler_core::rules::Severity;
use serde_json::{Value, json};

use super::fault::Fault;
use crate::printer::{Tone, cell, harmless, toned};

/// Characters that a sentence needs; on a narrower terminal what to do goes below the problem.
const SENTENCE_WIDTH: usize = 40;

/// The faults of a file under their headings.
pub(super) fn table(faults: &[Fault], width: Option<u16>) -> String {
    let is_narrow = width.is_some_and(|width| usize::from(width) < 3 * SENTENCE_WIDTH);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let headings = ["LINE", "SEVERITY", "FIELD", "PROBLEM", "WHAT TO DO"];
    table.set_header(headings.iter().take(if is_narrow { 4 } else { 5 }));
    for fault in faults {
        let (severity, tone) = match fault.severity {
            Severity::Error => ("error", Tone::Bad),
            Severity::Warning => ("warning", Tone::Doubtful),
        };
        let advice = fault.advice.as_deref().unwrap_or_default();
        let mut row = vec![cell(fault.line), toned(severity, tone), cell(&fault.field)];
        if is_narrow && !advice.is_empty() {
            let text = format!("{}\n→ {}", harmless(&fault.message), harmless(advice));
            row.push(comfy_table::Cell::new(text));
        } else {
            row.push(cell(&fault.message));
        }
        if !is_narrow {
            row.push(cell(advice));
        }
        table.add_row(row);
    }
    match width {
        // What is read by a program stays on one line.
        None => table.set_content_arrangement(ContentArrangement::Disabled),
        Some(width) => table.set_width(width).set_content_arrangement(ContentArrangement::Dynamic),
    };
    for column in 0..3 {
        if let Some(column) = table.column_mut(column) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    if let Some(column) = table.column_mut(0) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

/// A count with its noun.
pub(super) fn counted(count: usize, noun: &str) -> String {
    let number = crate::printer::count(count as u64);
    format!("{number} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The numbers of an import.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// Posts in the file.
    pub(super) lines: usize,
    /// Lines with an error.
    pub(super) faulty: usize,
    /// Lines that earlier runs have made.
    pub(super) made_before: usize,
    /// Posts that this run has made.
    pub(super) created: usize,
    /// Posts that the server had of an earlier run.
    pub(super) known: usize,
}

/// The one document of an import.
pub(super) fn document(
    numbers: &Numbers,
    is_dry_run: bool,
    faults: &[Fault],
    posts: &[Value],
) -> Value {
    json!({
        "dryRun": is_dry_run,
        "lines": numbers.lines,
        "faultyLines": numbers.faulty,
        "alreadyImported": numbers.made_before,
        "created": numbers.created,
        "known": numbers.known,
        "faults": faults,
        "posts": posts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults() -> Vec<Fault> {
        vec![
            Fault::error(3, "at", "\"12/1/2026 9:00\" is not an instant").advised(
                "it can be read in two ways; write 2026-01-12T09:00:00Z or 2026-12-01T09:00:00Z",
            ),
            Fault::warning(10_000, "content", "Links are not clickable."),
        ]
    }

    #[test]
    fn a_table_for_a_program() {
        insta::assert_snapshot!(table(&faults(), None), @r#"
         LINE  SEVERITY  FIELD    PROBLEM                             WHAT TO DO
            3  error     at       "12/1/2026 9:00" is not an instant  it can be read in two ways; write 2026-01-12T09:00:00Z or 2026-12-01T09:00:00Z
        10000  warning   content  Links are not clickable.
        "#);
    }

    #[test]
    fn a_table_for_a_narrow_terminal() {
        let shown = table(&faults(), Some(70));
        assert!(shown.lines().all(|line| line.chars().count() <= 70), "{shown}");
        assert!(shown.contains("→ it can be read"), "{shown}");
    }

    #[test]
    fn counts_have_their_nouns() {
        assert_eq!(counted(1, "line"), "1 line");
        assert_eq!(counted(10_000, "line"), "10,000 lines");
    }
}
