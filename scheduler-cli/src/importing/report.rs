//! What was found in a file, and what came of it, for a person and for a program.

use comfy_table::{Cell, CellAlignment};
use serde::Serialize;
use serde_json::Value;

use super::fault::Fault;
use crate::printer::{cell, escape_control, findings_table, severity_cell};

/// Characters that a sentence needs; on a narrower terminal what to do goes below the problem.
const SENTENCE_WIDTH: usize = 40;

/// The faults of a file under their headings.
pub(super) fn table(faults: &[Fault], width: Option<u16>) -> String {
    let is_narrow = width.is_some_and(|width| usize::from(width) < 3 * SENTENCE_WIDTH);
    let rows = faults.iter().map(|fault| {
        let (message, advice) = (&fault.message, fault.advice.as_deref().unwrap_or_default());
        let mut row = vec![cell(fault.line), severity_cell(fault.severity), cell(&fault.field)];
        if !is_narrow {
            row.extend([cell(message), cell(advice)]);
        } else if advice.is_empty() {
            row.push(cell(message));
        } else {
            let (message, advice) = (escape_control(message), escape_control(advice));
            row.push(Cell::new(format!("{message}\n→ {advice}")));
        }
        row
    });
    let headings = ["LINE", "SEVERITY", "FIELD", "PROBLEM", "WHAT TO DO"];
    let headings = &headings[..if is_narrow { 4 } else { 5 }];
    let mut table = findings_table(headings, rows, &[0, 1, 2], width);
    if let Some(column) = table.column_mut(0) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

/// The one document of an import.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report {
    pub(super) dry_run: bool,
    /// Posts in the file.
    pub(super) lines: usize,
    /// Lines with an error.
    pub(super) faulty_lines: usize,
    /// Lines that earlier runs have made.
    pub(super) already_imported: usize,
    /// Posts that this run has made.
    pub(super) created: usize,
    /// Posts that the server had of an earlier run.
    pub(super) known: usize,
    pub(super) faults: Vec<Fault>,
    pub(super) posts: Vec<Value>,
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
}
