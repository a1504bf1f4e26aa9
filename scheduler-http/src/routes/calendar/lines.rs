//! Lines of iCalendar.
//!
//! They are written here since a feed has hundreds of thousands of them: by the crate `icalendar`,
//! which keeps the properties of an entry in a map, those of 10 000 posts took longer than reading
//! the posts.
//!
//! Source: RFC 5545, sections 3.1 and 3.3.

use std::borrow::Cow;
use std::fmt::Write as _;

use chrono::{DateTime, Datelike as _, Timelike as _, Utc};

/// Bytes of a line at most, without its end.
///
/// Source: RFC 5545, section 3.1.
const LINE_BYTES: usize = 75;

/// Lines, one after the other.
#[derive(Debug, Default)]
pub(super) struct Lines {
    written: String,
    /// The line that is being written, before it is folded.
    line: String,
}

impl Lines {
    /// A property whose value stands as it is, such as a name of the format.
    pub(super) fn value(&mut self, name: &str, value: &str) {
        self.begin(name);
        self.line.push_str(value);
        self.end();
    }

    /// A property whose value is a text.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        self.begin(name);
        for sign in plain(text).chars() {
            match sign {
                '\n' => self.line.push_str("\\n"),
                '\\' | ';' | ',' => self.line.extend(['\\', sign]),
                sign => self.line.push(sign),
            }
        }
        self.end();
    }

    /// A property whose value is an instant, in UTC.
    pub(super) fn instant(&mut self, name: &str, at: DateTime<Utc>) {
        self.begin(name);
        let (year, month, day) = (at.year(), at.month(), at.day());
        let (hour, minute, second) = (at.hour(), at.minute(), at.second());
        // Writing to a text does not fail.
        let _ = write!(self.line, "{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z");
        self.end();
    }

    /// Everything.
    pub(super) fn into_text(self) -> String {
        self.written
    }

    fn begin(&mut self, name: &str) {
        self.line.clear();
        self.line.push_str(name);
        self.line.push(':');
    }

    /// Folds the line: each further piece begins with a space, and no character is divided.
    fn end(&mut self) {
        let (mut rest, mut room) = (self.line.as_str(), LINE_BYTES);
        while rest.len() > room {
            let (piece, left) = rest.split_at(rest.floor_char_boundary(room));
            self.written.push_str(piece);
            self.written.push_str("\r\n ");
            (rest, room) = (left, LINE_BYTES - 1);
        }
        self.written.push_str(rest);
        self.written.push_str("\r\n");
    }
}

/// A text as iCalendar can hold it: no control characters but line feeds and tabs.
///
/// Source: RFC 5545, section 3.1, CONTROL.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let is_held = |sign: char| matches!(sign, '\n' | '\t') || !sign.is_control();
    if text.chars().all(is_held) {
        return text.into();
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|sign| is_held(*sign)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut Lines)) -> String {
        let mut lines = Lines::default();
        write(&mut lines);
        lines.into_text()
    }

    #[test]
    fn each_value_is_written_as_its_type_is() {
        let at = "2026-12-04T09:05:06.999999Z".parse().unwrap();
        for (name, written, want) in [
            ("as it is", written(|it| it.value("A", "b;c,d")), "A:b;c,d\r\n"),
            (
                "a text",
                written(|it| it.text("A", "b;c,d\\e\nf: \"g\"")),
                "A:b\\;c\\,d\\\\e\\nf: \"g\"\r\n",
            ),
            (
                "ends of lines",
                written(|it| it.text("A", "b\r\nc\rd\te\u{7}\u{85}")),
                "A:b\\nc\\nd\te\r\n",
            ),
            ("an instant", written(|it| it.instant("A", at)), "A:20261204T090506Z\r\n"),
            ("nothing", written(|it| it.text("A", "")), "A:\r\n"),
        ] {
            assert_eq!(written, want, "{name}");
        }
    }

    #[test]
    fn long_lines_are_folded_between_characters() {
        for sign in ["a", "ö", "日", "👩", "\\"] {
            for length in 0..200 {
                let text = sign.repeat(length);
                let written = written(|it| it.text("SUMMARY", &text));
                let lines: Vec<&str> =
                    written.strip_suffix("\r\n").unwrap().split("\r\n").collect();
                assert!(lines.iter().all(|line| line.len() <= LINE_BYTES), "{written}");
                let unfolded = written.replace("\r\n ", "");
                let want = text.replace('\\', "\\\\");
                assert_eq!(unfolded, format!("SUMMARY:{want}\r\n"));
                // No line is shorter than it has to be.
                let (_, full) = lines.split_last().unwrap();
                assert!(full.iter().all(|line| line.len() + 4 > LINE_BYTES), "{written}");
            }
        }
    }
}
