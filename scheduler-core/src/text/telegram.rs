//! What Telegram's server does to a text before it counts it.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// Cleans a text as Telegram's server does, so that counting it gives the server's number.
///
/// CR and the marks U+0333, U+033F and U+030A are removed, as are U+2028 to U+202E; other control
/// characters become spaces; spaces and line feeds at the start and white space at the end go.
///
/// Source: <https://github.com/tdlib/td>, `misc.cpp` (`clean_input_string`) and
/// `MessageEntity.cpp` (`fix_formatted_text`).
///
/// ```
/// use scheduler_core::text::telegram::clean;
/// assert_eq!(clean("  One\r\nTwo\t!  "), "One\nTwo !");
/// ```
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(|character| is_removed(character) || becomes_space(character)) {
        return Cow::Borrowed(trim(text));
    }
    let cleaned: String = text
        .chars()
        .filter(|character| !is_removed(*character))
        .map(|character| if becomes_space(character) { ' ' } else { character })
        .collect();
    Cow::Owned(trim(&cleaned).to_owned())
}

/// The characters of a text, each once and in order, that the server takes out of it wherever they
/// stand.
#[must_use]
pub fn removed(text: &str) -> BTreeSet<char> {
    text.chars().filter(|character| is_removed(*character)).collect()
}

/// Whether the server finds nothing to see in a cleaned text, and refuses it without files.
///
/// Source: <https://github.com/tdlib/td>, `misc.cpp` (`is_empty_string`) and `MessageEntity.cpp`
/// (`fix_formatted_text`).
#[must_use]
pub fn is_empty(text: &str) -> bool {
    text.chars().all(is_unseen)
}

const fn is_unseen(character: char) -> bool {
    matches!(
        character,
        ' ' | '\n'
            | '\u{a0}'
            | '\u{1680}'
            | '\u{180e}'
            | '\u{2000}'..='\u{200f}'
            | '\u{202e}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{2800}'
            | '\u{3000}'
            | '\u{feff}'
            | '\u{fffc}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

fn trim(text: &str) -> &str {
    text.trim_end().trim_start_matches([' ', '\n'])
}

const fn is_removed(character: char) -> bool {
    matches!(character, '\r' | '\u{2028}'..='\u{202e}' | '\u{333}' | '\u{33f}' | '\u{30a}')
}

const fn becomes_space(character: char) -> bool {
    character < ' ' && character != '\n' && character != '\r'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left() {
        for (name, text, want) in [
            ("a tab is a space", "a\tb\t", "a b"),
            ("a line end is a line feed", "line1\r\nline2", "line1\nline2"),
            ("marks", "A\u{30a}\u{333}\u{33f}\u{2028}\u{202e}", "A"),
            ("other marks", "e\u{301}", "e\u{301}"),
            ("space around", " \n a \n\u{a0}", "a"),
            ("space alone", " \n \n", ""),
        ] {
            assert_eq!(clean(text), want, "{name}");
        }
    }

    #[test]
    fn texts_in_which_nothing_is_seen() {
        for (name, text, want) in [
            ("empty", "", true),
            ("a zero-width joiner", "\u{200d}", true),
            ("no-break and ideographic spaces", "\u{a0}\u{3000}", true),
            ("a blank pattern of Braille", "\u{2800}\u{2800}", true),
            ("tags without a flag", "\u{e0067}\u{e007f}", true),
            ("a byte order mark", "\u{feff}", true),
            ("a flag of tags", "🏴\u{e0067}\u{e007f}", false),
            ("a soft hyphen", "\u{ad}", false),
            ("a letter among them", "\u{200b}a", false),
            ("a character of the same bytes", "\u{e0100}", false),
        ] {
            assert_eq!(is_empty(text), want, "{name}");
        }
    }

    #[test]
    fn what_is_removed_is_named() {
        let found = removed("A\u{30a} \u{202e}b\u{30a}\tc\n");
        assert_eq!(found.into_iter().collect::<String>(), "\u{30a}\u{202e}");
        assert_eq!(removed(" e\u{301} \n").len(), 0);
    }
}
