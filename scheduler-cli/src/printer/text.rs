//! Texts and numbers as a terminal shows them.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// A text on one line that does nothing to a terminal: names of files, and what networks say, come
/// from others.
pub(crate) fn escape_control(text: &str) -> Cow<'_, str> {
    visible(text, false)
}

/// True for a sign that moves the cursor, changes colours or turns the direction of the text.
fn commands_terminal(sign: char) -> bool {
    // Overrides of the direction make `exe.png` of `gnp.exe`.
    matches!(sign, '\u{202d}' | '\u{202e}') || sign.is_control()
}

/// A JSON document with such signs in the form in which JSON writes them, such as `\u202e`: they
/// stand in its strings alone.
pub(super) fn visible_json(document: &str) -> String {
    let mut shown = String::with_capacity(document.len());
    for sign in document.chars() {
        if commands_terminal(sign) && sign != '\n' {
            // All of them are of the first plane.
            shown.push_str(&format!("\\u{:04x}", u32::from(sign)));
        } else {
            shown.push(sign);
        }
    }
    shown
}

/// Writes signs that command a terminal as `\u{1b}`.
pub(super) fn visible(text: &str, keeps_lines: bool) -> Cow<'_, str> {
    let is_hidden = |sign: char| commands_terminal(sign) && !(keeps_lines && sign == '\n');
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        if is_hidden(sign) { shown.extend(sign.escape_default()) } else { shown.push(sign) }
    }
    Cow::Owned(shown)
}

/// A text on one line, with one space where it has several or a line end.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}

/// The beginning of a text on one line.
pub(crate) fn excerpt(text: &str, characters: usize) -> String {
    let line = one_line(text);
    if line.chars().count() <= characters {
        return line;
    }
    let start: String = line.chars().take(characters.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

/// The beginning of a text on one line that takes at most so many columns of a terminal.
pub(super) fn fitted(text: &str, columns: usize) -> String {
    let line = escape_control(&one_line(text)).into_owned();
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

/// A text in lines that take at most so many columns of a terminal, broken between words where
/// that is possible.
pub(crate) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let gap = usize::from(used > 0);
        if used + gap + word.width() <= columns {
            if let Some(line) = lines.last_mut() {
                line.extend((gap > 0).then_some(' '));
                line.push_str(word);
            }
            used += gap + word.width();
            continue;
        }
        if used > 0 {
            lines.push(String::new());
            used = 0;
        }
        for sign in word.chars() {
            let width = sign.width().unwrap_or_default();
            if used > 0 && used + width > columns {
                lines.push(String::new());
                used = 0;
            }
            if let Some(line) = lines.last_mut() {
                line.push(sign);
            }
            used += width;
        }
    }
    lines
}

/// A count with its thousands apart.
#[expect(clippy::cast_precision_loss, reason = "counts are far below where that begins")]
pub(crate) fn count(count: u64) -> String {
    number(count as f64)
}

/// A count with its noun.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(number as u64), if number == 1 { "" } else { "s" })
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
            assert_eq!(escape_control(text), line, "{name}");
            assert_eq!(visible(text, true), lines, "{name}");
            assert_eq!(crate::printer::cell(text).content(), line, "{name}");
        }
    }

    #[test]
    fn a_document_stays_one_whatever_stands_in_it() {
        let document = serde_json::json!({"note": "\u{202e}gpj.exe \u{9b}31m \u{7f}\n\u{1b} é😀"});
        let shown = visible_json(&document.to_string());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).unwrap(), document);
        assert!(!shown.contains(commands_terminal), "{shown}");
    }

    #[test]
    fn a_text_is_wrapped_between_words() {
        for (name, text, columns, want) in [
            ("it fits", "one two", 7, &["one two"][..]),
            ("one over", "one two", 6, &["one", "two"]),
            ("a word that is too long", "a 0123456789 b", 4, &["a", "0123", "4567", "89 b"]),
            ("wide signs", "日本語 日本", 5, &["日本", "語", "日本"]),
            ("an emoji", "a😀b c", 4, &["a😀b", "c"]),
            ("spaces", "  a   b ", 9, &["a b"]),
            ("nothing", "", 9, &[""]),
            ("no room", "ab", 0, &["a", "b"]),
        ] {
            assert_eq!(wrapped(text, columns), want, "{name}");
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

    #[test]
    fn counts_have_their_nouns() {
        assert_eq!(counted(1, "line"), "1 line");
        assert_eq!(counted(10_000, "line"), "10,000 lines");
    }
}
