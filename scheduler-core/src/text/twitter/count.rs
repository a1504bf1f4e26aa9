//! The walk over a text that adds up its weights.

use std::borrow::Cow;

use icu_normalizer::ComposingNormalizerBorrowed;

use super::emoji::{self, COMBINING_KEYCAP, PRESENTATION_SELECTOR};
use super::links::links;

/// What a link counts, whatever its length.
///
/// Source: <https://github.com/twitter/twitter-text>, config/v3.json, `transformedURLLength`.
pub const WEIGHT_OF_LINK: usize = 23;

/// What an emoji counts, and every character that is not light.
///
/// Source: <https://github.com/twitter/twitter-text>, config/v3.json, `defaultWeight` by `scale`.
const WEIGHT_BY_DEFAULT: usize = 2;

/// Fewest bytes of a link: `t.co`.
const SHORTEST_LINK_BYTES: usize = 4;

/// Counts a text as X does.
///
/// The text is normalised to NFC first; it counts what it counts in that form.
///
/// Source: <https://github.com/twitter/twitter-text>, config/v3.json.
///
/// ```
/// use scheduler_core::text::twitter::length;
/// assert_eq!(length("日本"), 4);
/// assert_eq!(length("https://example.com/a/long/way"), 23);
/// ```
#[must_use]
pub fn length(text: &str) -> usize {
    if text.is_ascii() && !text.contains('.') {
        return text.len();
    }
    let text = normalized(text);
    let mut from = 0;
    let mut sum = 0;
    for link in links(&text) {
        sum += weight(&text[from..link.start]) + WEIGHT_OF_LINK;
        from = link.end;
    }
    sum + weight(&text[from..])
}

/// Counts a text if it is longer than `limit`; `None` when it is within.
#[must_use]
pub fn over(text: &str, limit: usize) -> Option<usize> {
    // Nothing but a link counts more than its bytes, and a link holds a full stop. Outside ASCII,
    // normalising can make more of a character: six of weight for four bytes is the most.
    let characters = if text.is_ascii() { text.len() } else { text.len().div_ceil(2) * 3 };
    let dots = text.bytes().filter(|byte| *byte == b'.').count();
    let at_most = characters + dots * (WEIGHT_OF_LINK - SHORTEST_LINK_BYTES);
    if at_most <= limit {
        return None;
    }
    Some(length(text)).filter(|length| *length > limit)
}

/// Brings a text into the normal form in which X counts and stores it, NFC.
#[must_use]
pub fn normalized(text: &str) -> Cow<'_, str> {
    const { ComposingNormalizerBorrowed::new_nfc() }.normalize(text)
}

/// The weight of a stretch without links.
fn weight(text: &str) -> usize {
    let mut sum = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let ascii = rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
        // Only a keycap starts with a character of ASCII.
        let is_keycap = rest[ascii..].starts_with([PRESENTATION_SELECTOR, COMBINING_KEYCAP]);
        let plain = if is_keycap { ascii.saturating_sub(1) } else { ascii };
        sum += plain;
        at += plain;
        let Some(first) = text[at..].chars().next() else { break };
        if let Some(end) = emoji::sequence_end(text, at) {
            sum += WEIGHT_BY_DEFAULT;
            at = end;
        } else {
            sum += weight_of(first);
            at += first.len_utf8();
        }
    }
    sum
}

/// The weight of one character.
///
/// Source: <https://github.com/twitter/twitter-text>, config/v3.json, `ranges`.
pub(super) const fn weight_of(character: char) -> usize {
    match character {
        '\0'..='\u{10ff}'
        | '\u{2000}'..='\u{200d}'
        | '\u{2010}'..='\u{201f}'
        | '\u{2032}'..='\u{2037}' => 1,
        _ => WEIGHT_BY_DEFAULT,
    }
}
