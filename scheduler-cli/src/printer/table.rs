//! Tables that fit the terminal.
//!
//! Ids, links and numbers stay whole, so that they can be copied. What a terminal is too narrow for
//! is taken from columns of text: they are cut, or wrapped. Where even that is not enough, a row
//! becomes a block of lines, `name: value`.

use comfy_table::{
    Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table, presets,
};
use scheduler_core::rules::Severity;
use unicode_width::UnicodeWidthStr as _;

use super::text::{escape_control, fitted, wrapped};

/// Columns of a terminal between two columns of a table.
const GAP: usize = 2;

/// Columns of a terminal that are left to a text; with less, rows become blocks.
const TEXT_MIN: usize = 16;

/// What a value of a table means, for its colour on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// It is as it should be.
    Good,
    Bad,
    /// Somebody should look at it.
    Doubtful,
    /// It is still on its way.
    Plain,
}

/// What becomes of a value for which the terminal is too narrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Whole,
    Cut,
    Wrapped,
}

/// A column, and what it shows of a row.
pub(crate) type Shows<T> = (Column, fn(&T) -> Cell);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    heading: String,
    alignment: CellAlignment,
    fit: Fit,
}

impl Column {
    /// A column of words, which stay whole: ids, links, names of states.
    pub(crate) fn words(heading: &str) -> Self {
        Self::new(heading, CellAlignment::Left, Fit::Whole)
    }

    /// A column of numbers, which end under each other.
    pub(crate) fn numbers(heading: &str) -> Self {
        Self::new(heading, CellAlignment::Right, Fit::Whole)
    }

    /// A column of texts whose beginning is enough.
    pub(crate) fn text(heading: &str) -> Self {
        Self::new(heading, CellAlignment::Left, Fit::Cut)
    }

    /// A column of sentences, which are read to their end.
    pub(crate) fn sentences(heading: &str) -> Self {
        Self::new(heading, CellAlignment::Left, Fit::Wrapped)
    }

    fn new(heading: &str, alignment: CellAlignment, fit: Fit) -> Self {
        Self { heading: heading.to_uppercase(), alignment, fit }
    }

    /// The least that the column takes of a terminal.
    fn width_min(&self, natural: usize) -> usize {
        match self.fit {
            Fit::Whole => natural,
            Fit::Cut | Fit::Wrapped => natural.min(TEXT_MIN.max(self.heading.width())),
        }
    }

    /// A value in so many columns of a terminal.
    fn arranged(&self, cell: Cell, width: usize) -> Cell {
        let text = cell.content();
        if text.width() <= width {
            return cell;
        }
        match self.fit {
            Fit::Whole => cell,
            Fit::Cut => Cell::new(fitted(&text, width)),
            Fit::Wrapped => Cell::new(wrapped(&text, width).join("\n")),
        }
    }
}

/// Who reads a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Screen {
    /// How many columns the terminal has; `None` for a file or a program, for which nothing is
    /// cut.
    pub(crate) columns: Option<usize>,
    /// Whether values are written with their colours. What is no terminal gets none even so.
    pub(crate) is_coloured: bool,
}

impl Screen {
    /// Who reads standard output.
    pub(crate) fn of_output() -> Self {
        let columns = Table::new().width().map(usize::from).filter(|columns| *columns > 0);
        Self { columns, is_coloured: true }
    }

    /// How many columns the terminal has, as tables of the library want it.
    pub(crate) fn width(self) -> Option<u16> {
        self.columns.and_then(|columns| u16::try_from(columns).ok())
    }
}

/// Rows under their headings, whole and without colours; `None` when there are no rows.
#[cfg(test)]
pub(crate) fn table(
    columns: &[Column],
    rows: impl IntoIterator<Item = Vec<Cell>>,
) -> Option<String> {
    arranged(columns, rows, Screen::default())
}

/// Rows under their headings, or as blocks, for this screen; `None` when there are no rows.
pub(crate) fn arranged(
    columns: &[Column],
    rows: impl IntoIterator<Item = Vec<Cell>>,
    screen: Screen,
) -> Option<String> {
    let rows: Vec<Vec<Cell>> = rows.into_iter().collect();
    if rows.is_empty() {
        return None;
    }
    let natural: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(place, column)| {
            let cells = rows.iter().filter_map(|row| row.get(place));
            cells.map(|cell| cell.content().width()).fold(column.heading.width(), usize::max)
        })
        .collect();
    let widths = match screen.columns {
        None => Some(natural),
        Some(terminal) => shares(columns, natural, terminal),
    };
    Some(match widths {
        Some(widths) => grid(columns, rows, &widths, screen),
        None => blocks(columns, rows, screen),
    })
}

/// How wide each column is; `None` when the terminal is too narrow even for the least of each.
fn shares(columns: &[Column], natural: Vec<usize>, terminal: usize) -> Option<Vec<usize>> {
    let gaps = GAP * columns.len().saturating_sub(1);
    if natural.iter().sum::<usize>() + gaps <= terminal {
        return Some(natural);
    }
    let mut widths: Vec<usize> =
        columns.iter().zip(&natural).map(|(column, natural)| column.width_min(*natural)).collect();
    let mut left = terminal.checked_sub(widths.iter().sum::<usize>() + gaps)?;
    // What is left goes round until no column wants more of it.
    while left > 0 {
        let before = left;
        for (width, natural) in widths.iter_mut().zip(&natural) {
            if left > 0 && *width < *natural {
                *width += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
    }
    Some(widths)
}

fn grid(columns: &[Column], rows: Vec<Vec<Cell>>, widths: &[usize], screen: Screen) -> String {
    let mut table = bare(screen);
    table.set_header(columns.iter().map(|column| cell(&column.heading)));
    table.add_rows(rows.into_iter().map(|row| {
        let cells = row.into_iter().zip(columns).zip(widths);
        cells.map(|((cell, column), width)| column.arranged(cell, *width)).collect::<Vec<Cell>>()
    }));
    finished(table, columns.iter().map(|column| column.alignment))
}

fn blocks(columns: &[Column], rows: Vec<Vec<Cell>>, screen: Screen) -> String {
    let names: Vec<String> =
        columns.iter().map(|column| format!("{}:", column.heading.to_lowercase())).collect();
    let widest = names.iter().map(|name| name.width()).max().unwrap_or_default();
    // With less than this a value is left to the terminal, which breaks the line by itself.
    let room = screen.columns.map(|columns| columns.saturating_sub(widest + GAP));
    let room = room.filter(|room| *room >= TEXT_MIN).unwrap_or(usize::MAX);
    let block = |row: Vec<Cell>| {
        let mut table = bare(screen);
        for ((cell_of_row, column), name) in row.into_iter().zip(columns).zip(&names) {
            if !cell_of_row.content().is_empty() {
                let value = column.arranged(cell_of_row, room);
                table.add_row(vec![cell(format!("{name:<widest$}")), value]);
            }
        }
        finished(table, [CellAlignment::Left; 2])
    };
    rows.into_iter().map(block).collect::<Vec<String>>().join("\n\n")
}

fn bare(screen: Screen) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    if screen.is_coloured {
        table.enforce_styling().style_text_only();
    } else {
        table.force_no_tty();
    }
    table
}

fn finished(mut table: Table, alignments: impl IntoIterator<Item = CellAlignment>) -> String {
    for (column, alignment) in table.column_iter_mut().zip(alignments) {
        column.set_cell_alignment(alignment);
        column.set_padding((0, GAP as u16));
    }
    let lines: Vec<String> = table.lines().map(|line| line.trim_end().to_owned()).collect();
    lines.join("\n")
}

/// A cell of a table, on one line.
pub(crate) fn cell(text: impl ToString) -> Cell {
    Cell::new(escape_control(&text.to_string()))
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

/// A cell that says how serious a finding is.
pub(crate) fn severity_cell(severity: Severity) -> Cell {
    match severity {
        Severity::Error => toned("error", Tone::Bad),
        Severity::Warning => toned("warning", Tone::Doubtful),
    }
}

/// Findings under their headings. On a terminal the columns beside those that stay `whole` are
/// wrapped.
pub(crate) fn findings_table(
    headings: &[&str],
    rows: impl IntoIterator<Item = Vec<Cell>>,
    whole: &[usize],
    width: Option<u16>,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(headings).add_rows(rows);
    match width {
        // What is read by a program stays on one line.
        None => table.set_content_arrangement(ContentArrangement::Disabled),
        Some(width) => table.set_width(width).set_content_arrangement(ContentArrangement::Dynamic),
    };
    for column in whole {
        if let Some(column) = table.column_mut(*column) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::printer::number;

    const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";

    fn posts() -> (Vec<Column>, Vec<Vec<Cell>>) {
        let columns = vec![
            Column::words("id"),
            Column::words("status"),
            Column::text("text"),
            Column::sentences("error"),
        ];
        let row =
            |status: Cell, text: &str, error: &str| vec![cell(ID), status, cell(text), cell(error)];
        let rows = vec![
            row(
                toned("done", Tone::Good),
                "日本語 the harbour at night, 😀😀 and a long walk home",
                "",
            ),
            row(
                toned("failed", Tone::Bad),
                "short",
                "The network says that the picture is larger than what it takes of anybody.",
            ),
        ];
        (columns, rows)
    }

    fn shown(columns: Option<usize>) -> String {
        let (of, rows) = posts();
        arranged(&of, rows, Screen { columns, is_coloured: false }).unwrap()
    }

    #[test]
    fn a_wide_terminal_cuts_texts_and_wraps_sentences() {
        insta::assert_snapshot!(shown(Some(120)), @r"
        ID                                    STATUS  TEXT                                  ERROR
        01993b5c-2b7e-7000-8000-000000000001  done    日本語 the harbour at night, 😀😀 a…
        01993b5c-2b7e-7000-8000-000000000001  failed  short                                 The network says that the picture is
                                                                                            larger than what it takes of
                                                                                            anybody.
        ");
    }

    #[test]
    fn a_terminal_that_is_just_wide_enough_for_the_least_of_each() {
        insta::assert_snapshot!(shown(Some(80)), @r"
        ID                                    STATUS  TEXT              ERROR
        01993b5c-2b7e-7000-8000-000000000001  done    日本語 the harb…
        01993b5c-2b7e-7000-8000-000000000001  failed  short             The network says
                                                                        that the picture
                                                                        is larger than
                                                                        what it takes of
                                                                        anybody.
        ");
    }

    #[test]
    fn a_terminal_that_is_too_narrow_shows_blocks() {
        insta::assert_snapshot!(shown(Some(40)), @r"
        id:      01993b5c-2b7e-7000-8000-000000000001
        status:  done
        text:    日本語 the harbour at night,…

        id:      01993b5c-2b7e-7000-8000-000000000001
        status:  failed
        text:    short
        error:   The network says that the
                 picture is larger than what it
                 takes of anybody.
        ");
    }

    #[test]
    fn nothing_is_wider_than_the_terminal_but_what_stays_whole() {
        for terminal in 1..200 {
            for line in shown(Some(terminal)).lines() {
                let is_whole = line.contains(ID) && terminal < ID.len() + "status:".len() + GAP;
                let is_tiny = terminal < "status:".len() + GAP + TEXT_MIN;
                assert!(line.width() <= terminal || is_whole || is_tiny, "{terminal}: {line}");
            }
            let ids = shown(Some(terminal)).matches(ID).count();
            assert_eq!(ids, 2, "{terminal}: ids stay whole");
        }
    }

    #[test]
    fn nothing_is_cut_for_a_program() {
        let piped = shown(None);
        assert_eq!(piped.lines().count(), 3, "{piped}");
        for whole in ["and a long walk home", "than what it takes of anybody."] {
            assert!(piped.contains(whole), "{piped}");
        }
        assert!(!piped.contains('…'), "{piped}");
    }

    #[test]
    fn colours_are_written_when_asked_for_and_take_no_room() {
        let (of, rows) = posts();
        let coloured =
            arranged(&of, rows, Screen { columns: Some(120), is_coloured: true }).unwrap();
        assert!(coloured.contains("\u{1b}["), "{coloured:?}");
        let plain = anstream::adapter::strip_str(&coloured).to_string();
        assert_eq!(plain, shown(Some(120)), "and leave no space at the end of a line");
    }

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
}
