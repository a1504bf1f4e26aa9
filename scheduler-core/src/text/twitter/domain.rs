//! The characters of a domain, its labels and its end.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::super::{chars::run_end, tld};
use super::punycode;

/// Longest label, in bytes after encoding.
///
/// Source: RFC 1034, section 3.1.
const MAX_LABEL_BYTES: usize = 63;

/// What stands before an encoded label.
const ENCODED_PREFIX: &str = "xn--";

/// Whether a character may stand in a label besides `-` and `_`.
pub(super) fn is_label_character(character: char) -> bool {
    match character {
        '"' | '`' => true,
        '!'..='~' => character.is_ascii_alphanumeric(),
        _ => !is_space(character) && !is_invalid(character) && !is_directional(character),
    }
}

/// Whether a character is a space, as the library knows them.
pub(super) const fn is_space(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r'
            | ' '
            | '\u{85}'
            | '\u{a0}'
            | '\u{1680}'
            | '\u{180e}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
    )
}

const fn is_directional(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// Whether X refuses the character in any text.
pub(super) const fn is_invalid(character: char) -> bool {
    matches!(character, '\u{fffe}' | '\u{feff}' | '\u{ffff}')
}

/// Whether a character is a Latin letter with an accent, or an accent.
pub(super) const fn is_latin_accent(character: char) -> bool {
    matches!(
        character,
        '\u{c0}'..='\u{d6}'
            | '\u{d8}'..='\u{f6}'
            | '\u{f8}'..='\u{24f}'
            | '\u{253}'
            | '\u{254}'
            | '\u{256}'
            | '\u{257}'
            | '\u{259}'
            | '\u{25b}'
            | '\u{263}'
            | '\u{268}'
            | '\u{26f}'
            | '\u{272}'
            | '\u{289}'
            | '\u{28b}'
            | '\u{2bb}'
            | '\u{300}'..='\u{36f}'
            | '\u{1e00}'..='\u{1eff}'
    )
}

/// The top-level domains outside ASCII as people write them, by first character, longest first.
static NATIVE: LazyLock<BTreeMap<char, Vec<String>>> = LazyLock::new(|| {
    let mut names: BTreeMap<char, Vec<String>> = BTreeMap::new();
    let encoded = tld::all().filter_map(|name| name.strip_prefix(ENCODED_PREFIX));
    for name in encoded.filter_map(idna::punycode::decode_to_string) {
        if let Some(first) = name.chars().next() {
            names.entry(first).or_default().push(name);
        }
    }
    for names in names.values_mut() {
        names.sort_by_key(|name| Reverse(name.len()));
    }
    names
});

/// The end of the top-level domain that starts at byte `at`.
pub(super) fn top_level_domain_end(text: &str, at: usize) -> Option<usize> {
    let follows = |end: usize| {
        !text[end..].starts_with(|next: char| {
            next.is_ascii_alphanumeric() || matches!(next, '@' | '+' | '-')
        })
    };
    let end = run_end(text, at, |character| character.is_ascii_alphanumeric());
    let head = &text[at..end];
    // The list of the library has `onion`, which is no entry of the root zone.
    if end > at
        && follows(end)
        && (tld::exists_in_any_case(head) || head.eq_ignore_ascii_case("onion"))
    {
        return Some(end);
    }
    let goes_on = text[end..].starts_with(|next: char| !next.is_ascii());
    if let Some(end) = goes_on.then(|| native_end(text, at, follows)).flatten() {
        return Some(end);
    }
    let prefix = text.as_bytes().get(at..at + ENCODED_PREFIX.len())?;
    let start = at + ENCODED_PREFIX.len();
    if !prefix.eq_ignore_ascii_case(ENCODED_PREFIX.as_bytes()) {
        return None;
    }
    let end =
        run_end(text, start, |character| character.is_ascii_alphanumeric() || character == '-');
    (end > start).then_some(end)
}

fn native_end(text: &str, at: usize, follows: impl Fn(usize) -> bool) -> Option<usize> {
    let first = text[at..].chars().next()?;
    let names = NATIVE.get(&lower_case(first))?;
    names.iter().filter_map(|name| end_of_name(text, at, name)).find(|end| follows(*end))
}

/// The end of a name in lower case that starts at byte `at` in any case.
fn end_of_name(text: &str, at: usize, name: &str) -> Option<usize> {
    let mut end = at;
    let mut characters = text[at..].chars();
    for expected in name.chars() {
        let found = characters.next().filter(|found| lower_case(*found) == expected)?;
        end += found.len_utf8();
    }
    Some(end)
}

/// The character in lower case, where that is one character.
fn lower_case(character: char) -> char {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(lower), None) => lower,
        (Some(_), Some(_)) | (None, _) => character,
    }
}

/// Whether every label of a domain has a length that the name system takes.
pub(super) fn fits(domain: &str) -> bool {
    domain.split('.').all(|label| {
        // These count as dots for the encoder, and not for the search.
        let parts = label.split(['\u{3002}', '\u{ff0e}', '\u{ff61}']);
        let lengths = parts.map(|part| encoded_length(part).map(|length| length + ".".len()));
        let sum = lengths.sum::<Option<usize>>();
        !label.is_empty() && sum.is_some_and(|sum| sum <= MAX_LABEL_BYTES + ".".len())
    })
}

/// The length of a label after encoding; `None` when it is too long.
fn encoded_length(label: &str) -> Option<usize> {
    if label.is_ascii() {
        return Some(label.len());
    }
    let encoded = punycode::length(label, MAX_LABEL_BYTES - ENCODED_PREFIX.len())?;
    Some(ENCODED_PREFIX.len() + encoded)
}
