//! Everything that goes to standard output, and what is said beside it.
//!
//! What lives here: the [`Printer`]; `table` (rows that fit the terminal), `text` (what is shown of
//! texts and numbers).

mod table;
mod text;

use std::borrow::Cow;
use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use comfy_table::Cell;
use scheduler_core::error::NextStep;
use scheduler_core::rules::{Severity, ValidationIssue};
use scheduler_http::directions;
use serde::Serialize;

#[cfg(test)]
pub(crate) use table::table;
pub(crate) use table::{
    Column, Screen, Shows, Tone, arranged, cell, findings_table, severity_cell, toned,
};
pub(crate) use text::{count, counted, escape_control, excerpt, number, one_line, wrapped};

use text::{visible, visible_json};

/// The message of an issue for somebody who works with commands.
pub(crate) fn message(issue: &ValidationIssue) -> Cow<'_, str> {
    directions::message_with(issue, |step| match (step, issue.platform) {
        (NextStep::ListBoards, Some(platform)) => {
            Some(format!(" (`scheduler channels boards {platform}` lists them)."))
        }
        _ => None,
    })
}

/// Prints what a command has to say: text for a person, or JSON for a program.
///
/// With JSON nothing but documents goes to standard output. Messages always go to standard error.
/// Colours are used on a terminal only. What prints fails when standard output cannot be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    json: bool,
}

impl Printer {
    /// A printer of JSON documents, or of text.
    pub(crate) const fn new(json: bool) -> Self {
        Self { json }
    }

    pub(crate) const fn is_json(self) -> bool {
        self.json
    }

    /// Prints the one document of a command, or what `text` prints for a person.
    pub(crate) fn result(
        self,
        document: &impl Serialize,
        text: impl FnOnce(Self) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.json { self.document(document) } else { text(self) }
    }

    /// Prints a document, or this line for a person.
    pub(crate) fn report(self, document: &impl Serialize, line: &str) -> io::Result<()> {
        self.result(document, |printer| printer.line(line))
    }

    /// Prints a document on a line of its own.
    pub(crate) fn document(self, document: &impl Serialize) -> io::Result<()> {
        self.styled(&visible_json(&serde_json::to_string(document)?))
    }

    /// Prints a line, or several, with what would command a terminal made visible.
    pub(crate) fn line(self, line: &str) -> io::Result<()> {
        self.styled(&visible(line, true))
    }

    /// Prints a line that has colours of our own, and whose other text went through
    /// [`escape_control`].
    pub(crate) fn styled(self, line: &str) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        writeln!(out, "{line}")?;
        out.flush()
    }

    /// Prints text that was made by a library of ours, as it is: a script, or a page of a manual.
    pub(crate) fn verbatim(self, text: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text)?;
        out.flush()
    }

    /// Prints rows under their headings, or `empty` when there are none. Every value stays whole.
    pub(crate) fn table(
        self,
        headings: &[&str],
        rows: impl IntoIterator<Item = Vec<Cell>>,
        empty: &str,
    ) -> io::Result<()> {
        let columns: Vec<Column> = headings.iter().map(|heading| Column::words(heading)).collect();
        self.columns(&columns, rows, empty)
    }

    /// Prints rows under these columns, or `empty` when there are none.
    pub(crate) fn columns(
        self,
        columns: &[Column],
        rows: impl IntoIterator<Item = Vec<Cell>>,
        empty: &str,
    ) -> io::Result<()> {
        match arranged(columns, rows, Screen::of_output()) {
            Some(table) => self.styled(&table),
            None => self.line(empty),
        }
    }

    /// Prints a row for each of `rows`, or `empty` when there are none.
    pub(crate) fn list<T>(self, rows: &[T], columns: &[Shows<T>], empty: &str) -> io::Result<()> {
        let rows = rows.iter().map(|row| columns.iter().map(|(_, shown)| shown(row)).collect());
        let headings: Vec<Column> = columns.iter().map(|(heading, _)| heading.clone()).collect();
        self.columns(&headings, rows, empty)
    }

    /// Says something beside the result, on standard error.
    pub(crate) fn message(self, message: &str) {
        self.say(Style::new(), "", message);
    }

    pub(crate) fn error(self, message: &str) {
        self.say(AnsiColor::Red.on_default().bold(), "error: ", message);
    }

    /// Says what somebody should look at.
    pub(crate) fn warning(self, message: &str) {
        self.say(AnsiColor::Yellow.on_default().bold(), "warning: ", message);
    }

    /// Says what can be done next.
    pub(crate) fn advice(self, message: &str) {
        self.say(AnsiColor::Cyan.on_default(), "next: ", message);
    }

    /// Says what a check has found in a refused post.
    pub(crate) fn issue(self, issue: &ValidationIssue) {
        let network = issue.platform.map_or_else(String::new, |platform| format!("{platform}: "));
        let text = format!("{network}{} ({})", message(issue), issue.rule);
        match issue.severity {
            Severity::Error => self.error(&text),
            Severity::Warning => self.warning(&text),
        }
    }

    fn say(self, style: Style, label: &str, message: &str) {
        let message = visible(message, true);
        // Nobody is left to hear it when standard error is closed.
        let _ = writeln!(anstream::stderr().lock(), "{style}{label}{style:#}{message}");
    }
}
