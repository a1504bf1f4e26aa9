//! Links in a text, as far as they are sure.

use std::ops::Range;

use crate::text::entities;

/// Finds the http and https links of a text.
///
/// They are those of [`entities::links`] without what rather belongs to the sentence: quotation
/// marks, marks of direction and full stops of other scripts end a link, as do a bracket that it
/// does not open and the signs of Markdown. Networks differ in where a link ends that is followed by
/// a script without spaces, or by another link without a space; neither is found. In a text with
/// tags the names of `<`, `>` and `"` end a link as these do, and one that has characters by number
/// is not found.
pub(super) fn links(text: &str, has_tags: bool) -> Vec<Range<usize>> {
    let found = entities::links(text).into_iter();
    let sure_ones = found.filter_map(|Range { start, end }| {
        // The sign that ends a name was taken for one of the sentence.
        let end = end + usize::from(has_tags && text[end..].starts_with(';'));
        Some(start..start + sure(&text[start..end], has_tags)?)
    });
    sure_ones.collect()
}

/// True for a text that is one link and nothing else.
pub(super) fn is_link(text: &str, has_tags: bool) -> bool {
    matches!(&links(text, has_tags)[..], [link] if *link == (0..text.len()))
}

/// How many bytes of what was found are a link for sure.
fn sure(found: &str, has_tags: bool) -> Option<usize> {
    let mut end = found.find(ends).unwrap_or(found.len());
    if has_tags {
        let names = ["&lt;", "&gt;", "&quot;"].into_iter();
        end = names.filter_map(|name| found[..end].find(name)).min().unwrap_or(end);
    }
    let found = &found[..end];
    if has_another(found) || has_tags && has_number(found) {
        return None;
    }
    let mut link = trimmed(found);
    let mut open = link.matches(')').count().saturating_sub(link.matches('(').count());
    while open > 0 && link.ends_with(')') {
        link = trimmed(&link[..link.len() - 1]);
        open -= 1;
    }
    if has_tags && link.ends_with("&amp") {
        return None;
    }
    let (scheme, rest) = link.split_once("://")?;
    let is_web = ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let ending = host.rsplit('.').next().unwrap_or_default();
    let is_mixed = !ending.is_ascii() && ending.chars().any(|letter| letter.is_ascii_alphabetic());
    let is_sure = is_web && !host.is_empty() && !is_mixed && !path.contains(is_without_spaces);
    is_sure.then_some(link.len())
}

/// True where another link begins within: behind a sign that stands between two, not in a path or a
/// query, as the address of an archive has one.
fn has_another(link: &str) -> bool {
    link.match_indices("://").skip(1).any(|(at, _)| {
        let before = &link.as_bytes()[..at];
        let without = |scheme: &[u8]| {
            let (rest, end) = before.split_at_checked(before.len().checked_sub(scheme.len())?)?;
            end.eq_ignore_ascii_case(scheme).then_some(rest)
        };
        let sign = without(b"https").or_else(|| without(b"http")).and_then(<[u8]>::last);
        sign.is_some_and(|sign| !sign.is_ascii_alphanumeric() && !b"/=?&#:%-_".contains(sign))
    })
}

/// True where a character is written by its number, as `&#39;` is.
fn has_number(link: &str) -> bool {
    link.match_indices("&#").any(|(at, mark)| {
        let number = link[at + mark.len()..].trim_start_matches(['x', 'X']);
        number.starts_with(|sign: char| sign.is_ascii_hexdigit())
    })
}

fn trimmed(link: &str) -> &str {
    link.trim_end_matches(|sign: char| {
        matches!(sign, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | ']' | '}' | '*' | '|' | '`' | '~')
    })
}

/// True for what stands in no link: quotation marks, the ellipsis, marks of direction, and the
/// punctuation of scripts without spaces.
fn ends(sign: char) -> bool {
    matches!(sign, '«' | '»' | '\u{200b}'..='\u{200f}' | '\u{2018}'..='\u{201f}' | '\u{2026}'
        | '\u{202a}'..='\u{202e}' | '\u{2039}' | '\u{203a}' | '\u{2060}'..='\u{206f}'
        | '\u{3000}'..='\u{3020}' | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}'
        | '\u{ff3b}'..='\u{ff40}' | '\u{ff5b}'..='\u{ff65}')
}

/// True for letters of scripts in which a word follows a link without a space: Thai to Myanmar,
/// Khmer, Han, Kana and Hangul.
fn is_without_spaces(sign: char) -> bool {
    matches!(sign, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}'
        | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}
