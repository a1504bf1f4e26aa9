//! Everything that goes to standard output, and what is said beside it.

use std::borrow::Cow;
use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, Color, ContentArrangement, Table, presets};
use scheduler_core::rules::{Severity, ValidationIssue};
use serde::Serialize;

/// What a value of a table means, for its colour on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// It is as it should be.
    Good,
    /// It has failed.
    Bad,
    /// Somebody should look at it.
    Doubtful,
    /// It is still on its way.
    Plain,
}

/// Prints what a command has to say: text for a person, or JSON for a program.
///
/// With JSON nothing but documents goes to standard output. Messages always go to standard error.
/// Colours are used on a terminal only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printer {
    json: bool,
}

impl Printer {
    /// A printer of JSON documents, or of text.
    pub(crate) const fn new(json: bool) -> Self {
        Self { json }
    }

    /// True when documents are printed.
    pub(crate) const fn is_json(self) -> bool {
        self.json
    }

    /// Prints the one document of a command, or what `text` prints for a person.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn result(
        self,
        document: &impl Serialize,
        text: impl FnOnce(Self) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.json { self.document(document) } else { text(self) }
    }

    /// Prints a document, or this line for a person.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn report(self, document: &impl Serialize, line: &str) -> io::Result<()> {
        self.result(document, |printer| printer.line(line))
    }

    /// Prints a document on a line of its own.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn document(self, document: &impl Serialize) -> io::Result<()> {
        self.line(&serde_json::to_string(document)?)
    }

    /// Prints a line, or several, with what would command a terminal made visible.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn line(self, line: &str) -> io::Result<()> {
        self.styled(&visible(line, true))
    }

    /// Prints a line that has colours of our own, and nothing of others that is not
    /// [`harmless`].
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn styled(self, line: &str) -> io::Result<()> {
        let mut out = anstream::stdout().lock();
        writeln!(out, "{line}")?;
        out.flush()
    }

    /// Prints rows under their headings, or `empty` when there are none.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn table(
        self,
        headings: &[&str],
        rows: impl IntoIterator<Item = Vec<Cell>>,
        empty: &str,
    ) -> io::Result<()> {
        let mut table = Table::new();
        table
            .load_style(presets::NOTHING)
            // Ids and links stay whole on a narrow terminal, so that they can be copied.
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(headings.iter().map(|heading| cell(heading.to_uppercase())));
        table.add_rows(rows);
        if table.row_count() == 0 {
            return self.line(empty);
        }
        self.styled(&table.trim_fmt())
    }

    /// Says something beside the result, on standard error.
    pub(crate) fn message(self, message: &str) {
        self.say(Style::new(), "", message);
    }

    /// Says that something is wrong.
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
        let text = format!("{network}{} ({})", issue.message, issue.rule);
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

/// A cell of a table, on one line.
pub(crate) fn cell(text: impl ToString) -> Cell {
    Cell::new(harmless(&text.to_string()))
}

/// A text on one line that does nothing to a terminal: names of files, and what networks say, come
/// from others.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    visible(text, false)
}

/// Writes signs that move the cursor, change colours or turn the direction of the text as
/// `\u{1b}`.
fn visible(text: &str, keeps_lines: bool) -> Cow<'_, str> {
    let is_hidden = |sign: char| match sign {
        '\n' => !keeps_lines,
        // Overrides of the direction, which make `exe.png` of `gnp.exe`.
        '\u{202d}' | '\u{202e}' => true,
        _ => sign.is_control(),
    };
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        if is_hidden(sign) { shown.extend(sign.escape_default()) } else { shown.push(sign) }
    }
    Cow::Owned(shown)
}

/// A cell with the colour of its meaning.
pub(crate) fn toned(text: impl ToString, tone: Tone) -> Cell {
    let cell = cell(text);
    match tone {
        Tone::Good => cell.fg(Color::Green),
        Tone::Bad => cell.fg(Color::Red),
        Tone::Doubtful => cell.fg(Color::Yellow),
        Tone::Plain => cell,
    }
}

/// The beginning of a text on one line.
pub(crate) fn excerpt(text: &str, characters: usize) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = line.join(" ");
    if line.chars().count() <= characters {
        return line;
    }
    let start: String = line.chars().take(characters.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_others_commands_a_terminal() {
        for (name, text, line, lines) in [
            ("plain", "a é 😀", "a é 😀", "a é 😀"),
            ("an escape", "a\u{1b}[2Jb", "a\\u{1b}[2Jb", "a\\u{1b}[2Jb"),
            ("one in a sign", "\u{9b}31m", "\\u{9b}31m", "\\u{9b}31m"),
            ("back to the start", "a\rb\u{8}", "a\\rb\\u{8}", "a\\rb\\u{8}"),
            ("a line end", "a\nb", "a\\nb", "a\nb"),
            ("from right to left", "\u{202e}gnp.exe", "\\u{202e}gnp.exe", "\\u{202e}gnp.exe"),
        ] {
            assert_eq!(harmless(text), line, "{name}");
            assert_eq!(visible(text, true), lines, "{name}");
            assert_eq!(cell(text).content(), line, "{name}");
        }
    }

    #[test]
    fn excerpts() {
        for (name, text, want) in [
            ("short", "as it is", "as it is"),
            ("at the limit", "0123456789", "0123456789"),
            ("one over", "0123456789a", "012345678…"),
            ("no space before the sign", "0123 567 9a", "0123 567…"),
            ("lines", "a\n\nb", "a b"),
            ("empty", "", ""),
        ] {
            assert_eq!(excerpt(text, 10), want, "{name}");
        }
    }
}
