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
    fn what_is_removed_is_named() {
        let found = removed("A\u{30a} \u{202e}b\u{30a}\tc\n");
        assert_eq!(found.into_iter().collect::<String>(), "\u{30a}\u{202e}");
        assert_eq!(removed(" e\u{301} \n").len(), 0);
    }
}
