//! What follows the domain of a link: port, path and query.

use super::super::chars::{balanced_end, run_end};
use super::domain::is_latin_accent;

/// Longest name behind `t.co/`, in characters.
///
/// Source: <https://github.com/twitter/twitter-text>, `MAX_TCO_SLUG_LENGTH`.
const MAX_SLUG_LENGTH: usize = 40;

/// The parts of a link after its domain.
#[derive(Clone, Copy)]
pub(super) struct Tail {
    /// Whether there is a path.
    pub(super) has_path: bool,
    /// The byte after the last part.
    pub(super) end: usize,
}

/// Reads the parts after the domain that ends at byte `at`.
pub(super) fn tail(text: &str, at: usize) -> Tail {
    let mut end = at;
    if text[end..].starts_with(':') {
        let port = run_end(text, end + 1, |character| character.is_ascii_digit());
        if port > end + 1 {
            end = port;
        }
    }
    let path = path_end(text, end);
    Tail { has_path: path > end, end: query_end(text, path) }
}

/// The end of a link of X's own shortener, which has only one name after its domain.
///
/// `None` when `url` is no such link.
pub(super) fn short_link(url: &str) -> Option<ShortLink> {
    let start = ["https://t.co/", "http://t.co/"].into_iter().find_map(|head| {
        let start = url.as_bytes().get(..head.len())?;
        start.eq_ignore_ascii_case(head.as_bytes()).then_some(head.len())
    })?;
    let end = run_end(url, start, |character| character.is_ascii_alphanumeric());
    if end == start {
        return None;
    }
    if end - start > MAX_SLUG_LENGTH {
        return Some(ShortLink::TooLong);
    }
    Some(ShortLink::EndsAt(query_end(url, end)))
}

/// What a link of X's own shortener is.
pub(super) enum ShortLink {
    /// It ends at this byte.
    EndsAt(usize),
    /// Its name is too long, so that it is no link.
    TooLong,
}

/// The end of a path: what may end one, or parentheses that stand right behind that. Parentheses
/// behind punctuation belong to the path only where something follows that may end it.
///
/// Source: <https://github.com/twitter/twitter-text>, `validUrlPath`, whose alternatives are not
/// grouped.
fn path_end(text: &str, start: usize) -> usize {
    if !text[start..].starts_with('/') {
        return start;
    }
    let mut at = start + 1;
    let mut end = at;
    while let Some(character) = text[at..].chars().next() {
        if is_path_character(character) {
            at += character.len_utf8();
            if may_end_path(character) {
                end = at;
            }
        } else if character == '('
            && let Some(closed) = balanced_end(text, at, is_path_character)
        {
            if end == at {
                end = closed;
            }
            at = closed;
        } else {
            break;
        }
    }
    end
}

const fn is_path_letter(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '\u{400}'..='\u{4ff}')
        || is_latin_accent(character)
}

const fn is_path_character(character: char) -> bool {
    is_path_letter(character)
        || matches!(
            character,
            '!' | '*'
                | '\''
                | ';'
                | ':'
                | '='
                | '+'
                | ','
                | '.'
                | '$'
                | '/'
                | '%'
                | '#'
                | '['
                | ']'
                | '-'
                | '\u{2013}'
                | '_'
                | '~'
                | '@'
                | '|'
                | '&'
        )
}

const fn may_end_path(character: char) -> bool {
    is_path_letter(character) || matches!(character, '+' | '-' | '=' | '_' | '#' | '/')
}

fn query_end(text: &str, start: usize) -> usize {
    if !text[start..].starts_with('?') {
        return start;
    }
    let run = &text[start + 1..run_end(text, start + 1, is_query_character)];
    run.rfind(may_end_query).map_or(start, |last| start + 1 + last + 1)
}

fn is_query_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "!?*'@();:&=+$/%#[]-_.,~|".contains(character)
}

fn may_end_query(character: char) -> bool {
    character.is_ascii_alphanumeric() || "-_&=#/".contains(character)
}
