//! Everything that goes to standard output, and what is said beside it.

use std::borrow::Cow;
use std::io::{self, Write as _};

use anstyle::{AnsiColor, Style};
use comfy_table::{Cell, CellAlignment, Color, ContentArrangement, Table, presets};
use scheduler_core::rules::{Severity, ValidationIssue};
use serde::Serialize;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

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

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    heading: String,
    alignment: CellAlignment,
}

impl Column {
    /// A column of words.
    pub(crate) fn words(heading: &str) -> Self {
        Self { heading: heading.to_uppercase(), alignment: CellAlignment::Left }
    }

    /// A column of numbers, which end under each other.
    pub(crate) fn numbers(heading: &str) -> Self {
        Self { heading: heading.to_uppercase(), alignment: CellAlignment::Right }
    }
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
        let columns: Vec<Column> = headings.iter().map(|heading| Column::words(heading)).collect();
        self.columns(&columns, rows, empty)
    }

    /// Prints rows under these columns, or `empty` when there are none.
    ///
    /// # Errors
    /// When standard output cannot be written.
    pub(crate) fn columns(
        self,
        columns: &[Column],
        rows: impl IntoIterator<Item = Vec<Cell>>,
        empty: &str,
    ) -> io::Result<()> {
        match table(columns, rows) {
            Some(table) => self.styled(&table),
            None => self.line(empty),
        }
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

/// Rows under their headings; `None` when there are no rows.
pub(crate) fn table(
    columns: &[Column],
    rows: impl IntoIterator<Item = Vec<Cell>>,
) -> Option<String> {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        // Ids and links stay whole on a narrow terminal, so that they can be copied.
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(columns.iter().map(|column| cell(&column.heading)));
    table.add_rows(rows);
    for (shown, column) in table.column_iter_mut().zip(columns) {
        shown.set_cell_alignment(column.alignment);
    }
    (table.row_count() > 0).then(|| table.trim_fmt())
}

/// How many columns the terminal has that reads standard output; `None` when none does.
pub(crate) fn terminal_columns() -> Option<usize> {
    Table::new().width().map(usize::from)
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

/// The beginning of a text on one line that takes at most so many columns of a terminal.
pub(crate) fn fitted(text: &str, columns: usize) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = harmless(&line.join(" ")).into_owned();
    if line.width() <= columns {
        return line;
    }
    let mut left = columns.saturating_sub(1);
    let mut start = String::new();
    for sign in line.chars() {
        let Some(rest) = left.checked_sub(sign.width().unwrap_or_default()) else { break };
        left = rest;
        start.push(sign);
    }
    format!("{}…", start.trim_end())
}

/// A count with its thousands apart.
#[expect(clippy::cast_precision_loss, reason = "counts are far below where that begins")]
pub(crate) fn count(count: u64) -> String {
    number(count as f64)
}

/// A number with its thousands apart, and at most two decimals.
pub(crate) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
    let (sign, digits) = match whole.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", whole),
    };
    let mut grouped = String::with_capacity(text.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match decimals.trim_end_matches('0') {
        "" if grouped == "0" => grouped,
        "" => format!("{sign}{grouped}"),
        decimals => format!("{sign}{grouped}.{decimals}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_under_each_other() {
        let columns = [Column::words("network"), Column::numbers("likes"), Column::words("read")];
        let row = |name: &str, likes: f64| vec![cell(name), cell(number(likes)), cell("now")];
        let shown = table(&columns, [row("bluesky", 7.0), row("x", 1_234_567.0)]).unwrap();
        let ends: Vec<usize> = ["LIKES", " 7", "1,234,567"]
            .iter()
            .zip(shown.lines())
            .map(|(text, line)| line.find(text).unwrap() + text.len())
            .collect();
        assert!(ends.windows(2).all(|pair| pair[0] == pair[1]), "{shown}");
        assert_eq!(table(&columns, []), None);
    }

    #[test]
    fn numbers_have_their_thousands_apart() {
        for (value, want) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-0.001, "0"),
            (7.0, "7"),
            (999.0, "999"),
            (1_000.0, "1,000"),
            (999_999.0, "999,999"),
            (1_234_567.0, "1,234,567"),
            (-1_000.0, "-1,000"),
            (-999.0, "-999"),
            (12.5, "12.5"),
            (1_234.567, "1,234.57"),
            (999.999, "1,000"),
        ] {
            assert_eq!(number(value), want, "{value}");
        }
    }

    #[test]
    fn a_text_is_cut_to_the_columns_it_takes() {
        for (name, text, columns, want) in [
            ("at the limit", "0123456789", 10, "0123456789"),
            ("one over", "0123456789a", 10, "012345678…"),
            ("wide signs fit", "日本語日本", 10, "日本語日本"),
            ("wide signs are cut", "日本語日本語", 10, "日本語日…"),
            ("an emoji is wide", "ab😀😀", 5, "ab😀…"),
            ("lines", "a\n b", 10, "a b"),
            ("an escape", "\u{1b}[2J0123", 10, "\\u{1b}[2J…"),
            ("no room", "abc", 0, "…"),
        ] {
            assert_eq!(fitted(text, columns), want, "{name}");
        }
    }

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
