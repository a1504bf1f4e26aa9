//! Mastodon's count: links weigh a fixed number, the domain of a mention weighs nothing.

use std::ops::Range;

use super::chars::{balanced_end, before, is_word, run_end};
use super::count::graphemes;
use super::tld;

/// What a link counts by default, in characters, whatever its length.
///
/// Source: <https://github.com/mastodon/mastodon/blob/v4.6.5/app/validators/status_length_validator.rb>.
pub const CHARACTERS_RESERVED_PER_URL: usize = 23;

/// Longest text that is still a link, in characters.
const MAX_URL_LENGTH: usize = 4096;

/// Longest domain of a mention, in characters.
const MAX_MENTION_DOMAIN_LENGTH: usize = 253;

/// Longest label of a domain, in bytes after encoding.
const MAX_LABEL_LENGTH: usize = 63;

/// Schemes that make a link.
const SCHEMES: [&str; 9] =
    ["https", "http", "dat", "dweb", "ipfs", "ipns", "ssb", "gopher", "gemini"];

/// What the server puts in the place of a blank text beside a content warning; an emoji when there
/// are files.
const FILLING: &str = ".";

/// Counts a status: the content warning as it stands, and the text with its discounts.
///
/// A text of white space alone counts nothing; beside a content warning the server puts one
/// character in its place, which counts.
///
/// Source: <https://github.com/mastodon/mastodon/blob/v4.6.5/app/services/post_status_service.rb>
/// (`fill_blank_text!`) and <https://github.com/mastodon/mastodon/blob/v4.6.5/app/validators/status_length_validator.rb>.
///
/// ```
/// use scheduler_core::text::mastodon::length;
/// assert_eq!(length("@ana@example.social hi", "", 23), "@ana hi".len());
/// assert_eq!(length("https://example.com/a/long/way", "cw", 23), 25);
/// ```
#[must_use]
pub fn length(text: &str, spoiler: &str, reserved_per_url: usize) -> usize {
    let counted = match (text.trim().is_empty(), spoiler.is_empty()) {
        (true, true) => "",
        (true, false) => FILLING,
        (false, _) => text,
    };
    let discounts = discounts(counted);
    if discounts.is_empty() && spoiler.is_empty() {
        return graphemes(counted);
    }
    let mut rewritten = String::with_capacity(spoiler.len() + counted.len());
    rewritten.push_str(spoiler);
    let (mut from, mut added) = (0, 0_usize);
    for discount in discounts {
        rewritten.push_str(&counted[from..discount.range.start]);
        match discount.kind {
            // One stand-in character is enough: the others would be clusters of their own.
            Kind::Url if reserved_per_url > 0 => {
                rewritten.push('x');
                added = added.saturating_add(reserved_per_url - 1);
            }
            Kind::Url => {}
            Kind::MentionDomain => {}
        }
        from = discount.range.end;
    }
    rewritten.push_str(&counted[from..]);
    graphemes(&rewritten).saturating_add(added)
}

/// Counts a status if it is longer than `limit`; `None` when it is within.
#[must_use]
pub fn over(text: &str, spoiler: &str, reserved_per_url: usize, limit: usize) -> Option<usize> {
    // Only a link and what fills a blank text can count more than their bytes.
    let at_most = text.len().max(FILLING.len()) + spoiler.len();
    if at_most <= limit && !text.contains("://") {
        return None;
    }
    Some(length(text, spoiler, reserved_per_url)).filter(|length| *length > limit)
}

struct Discount {
    range: Range<usize>,
    kind: Kind,
}

enum Kind {
    Url,
    MentionDomain,
}

fn discounts(text: &str) -> Vec<Discount> {
    let mut found: Vec<(usize, Discount)> = Vec::new();
    let mut from = 0;
    for (at, _) in text.match_indices("://") {
        if at < from {
            continue;
        }
        let Some(range) = url_around(text, at).filter(|range| range.start >= from) else {
            continue;
        };
        from = range.end;
        if text[range.clone()].chars().count() <= MAX_URL_LENGTH {
            found.push((range.start, Discount { range, kind: Kind::Url }));
        }
    }
    let mut from = 0;
    for (at, _) in text.match_indices('@') {
        if at < from {
            continue;
        }
        if let Some((end, domain)) = mention_at(text, at) {
            from = end;
            if let Some(range) = domain {
                found.push((at, Discount { range, kind: Kind::MentionDomain }));
            }
        }
    }
    found.sort_by_key(|(start, _)| *start);
    let mut end = 0;
    found.retain(|(start, discount)| {
        let is_free = *start >= end;
        if is_free {
            end = discount.range.end;
        }
        is_free
    });
    found.into_iter().map(|(_, discount)| discount).collect()
}

/// The link whose `://` is at byte `at`.
fn url_around(text: &str, at: usize) -> Option<Range<usize>> {
    let scheme = SCHEMES.into_iter().find(|scheme| {
        at.checked_sub(scheme.len())
            .and_then(|start| text.as_bytes().get(start..at))
            .is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
    })?;
    let start = at - scheme.len();
    if before(text, start).is_some_and(forbids_url) {
        return None;
    }
    let mut end = domain_end(text, at + "://".len())?;
    if text[end..].starts_with(':') {
        let port_end = run_end(text, end + 1, |character| character.is_ascii_digit());
        if port_end > end + 1 {
            end = port_end;
        }
    }
    end = query_end(text, path_end(text, end));
    Some(start..end)
}

const fn forbids_url(character: char) -> bool {
    character.is_ascii_alphanumeric()
        || matches!(character, '@' | '＠' | '$' | '#' | '＃' | '\u{fffe}' | '\u{feff}' | '\u{ffff}')
}

/// Whether a character may stand in a label of a domain besides `-` and `_`.
fn is_label_character(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    !character.is_whitespace() && !matches!(character, '\u{fffe}' | '\u{feff}' | '\u{ffff}')
}

/// The end of the longest domain from byte `start` that ends in a known top-level domain.
fn domain_end(text: &str, start: usize) -> Option<usize> {
    let end = run_end(text, start, |character| {
        is_label_character(character) || matches!(character, '-' | '_' | '.')
    });
    let mut best = None;
    let mut label_start = start;
    let mut previous_is_name = false;
    for label in text[start..end].split('.') {
        if previous_is_name {
            best = top_level_domain_end(text, label_start, label).or(best);
        }
        let is_valid = label.starts_with(is_label_character)
            && label.ends_with(is_label_character)
            && fits_label(label);
        if !is_valid {
            break;
        }
        // The label right before the top-level domain holds no underscore.
        previous_is_name = !label.contains('_');
        label_start += label.len() + 1;
    }
    best
}

fn fits_label(label: &str) -> bool {
    if label.is_ascii() {
        return label.len() <= MAX_LABEL_LENGTH;
    }
    // An encoded label is never shorter than its characters, so a long one need not be encoded.
    label.chars().take(MAX_LABEL_LENGTH + 1).count() <= MAX_LABEL_LENGTH
        && idna::domain_to_ascii(label).is_ok_and(|encoded| encoded.len() <= MAX_LABEL_LENGTH)
}

/// The end of the top-level domain that `label` starts with, if it does.
fn top_level_domain_end(text: &str, start: usize, label: &str) -> Option<usize> {
    let head_length =
        run_end(label, 0, |character| character.is_ascii_alphanumeric() || character == '-');
    let head = &label[..head_length];
    if head.len() > 4 && head.as_bytes()[..4].eq_ignore_ascii_case(b"xn--") {
        return Some(start + head.len());
    }
    let follows = |end: usize| !text[end..].starts_with(['@', '+']);
    if tld::exists_in_any_case(head) && follows(start + head.len()) {
        return Some(start + head.len());
    }
    let is_known = !label.is_ascii()
        && label.chars().take(MAX_LABEL_LENGTH + 1).count() <= MAX_LABEL_LENGTH
        && idna::domain_to_ascii(label).is_ok_and(|encoded| tld::exists(&encoded));
    (is_known && follows(start + label.len())).then_some(start + label.len())
}

/// The end of the path that starts at byte `start`, or `start` when there is none.
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
        } else if character == '(' {
            let Some(closed) = balanced_end(text, at, is_path_character) else { break };
            at = closed;
            end = closed;
        } else {
            break;
        }
    }
    end
}

fn is_path_character(character: char) -> bool {
    !character.is_whitespace() && !matches!(character, '<' | '>' | '(' | ')' | '?')
}

/// Whether a path may end with this one of its characters.
fn may_end_path(character: char) -> bool {
    !"!*\"'「」;:=,.$%[]~&|@".contains(character)
}

/// The end of the query that starts at byte `start`, or `start` when there is none.
fn query_end(text: &str, start: usize) -> usize {
    if !text[start..].starts_with('?') {
        return start;
    }
    let mut end = start;
    for (offset, character) in text[start + 1..].char_indices() {
        if !is_query_character(character) {
            break;
        }
        if may_end_query(character) {
            end = start + 1 + offset + character.len_utf8();
        }
    }
    end
}

fn is_query_character(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric()
            || "!?*'();:&=+$/%#[]-_.,~|@^".contains(character);
    }
    is_url_unicode(character)
}

fn may_end_query(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || "_&=#/-".contains(character);
    }
    is_url_unicode(character)
}

/// The characters outside ASCII that a query may hold.
///
/// Source: RFC 3987, `ucschar` and `iprivate`.
fn is_url_unicode(character: char) -> bool {
    let number = u32::from(character);
    number >= 0xa0
        && !matches!(number, 0xfdd0..=0xfdef | 0xfff0..=0xffff | 0xe_0000..=0xe_0fff)
        && number & 0xfffe != 0xfffe
}

/// The end of the mention whose `@` is at byte `at`, and its domain with the `@` before it.
fn mention_at(text: &str, at: usize) -> Option<(usize, Option<Range<usize>>)> {
    if before(text, at).is_some_and(|c| is_word(c) || c == '=' || c == '/') {
        return None;
    }
    let is_name = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let name_end = dotted_end(text, at + 1, is_name)?;
    let domain_end = text[name_end..]
        .starts_with('@')
        .then(|| dotted_end(text, name_end + 1, is_word))
        .flatten();
    let end = domain_end.unwrap_or(name_end);
    let rest = &text[end..];
    if rest.starts_with(['@', '＠']) || rest.starts_with("://") {
        return None;
    }
    let domain = domain_end.map(|end| name_end..end);
    let is_too_long = domain
        .as_ref()
        .is_some_and(|range| text[range.clone()].chars().count() > MAX_MENTION_DOMAIN_LENGTH + 1);
    (!is_too_long).then_some((end, domain))
}

/// The end of a word from byte `start` that may hold runs of `.` and `-` inside.
fn dotted_end(text: &str, start: usize, inside: impl Fn(char) -> bool) -> Option<usize> {
    let end =
        run_end(text, start, |character| inside(character) || character == '.' || character == '-');
    let word = text[start..end].trim_end_matches(['.', '-']);
    word.starts_with(inside).then_some(start + word.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn count(text: &str) -> usize {
        length(text, "", CHARACTERS_RESERVED_PER_URL)
    }

    #[test]
    fn links_and_their_ends() {
        for (name, text, want) in [
            ("a full stop after", "https://example.com/a.", 24),
            ("a port", "https://example.com:8080/a b", 25),
            ("a query", "https://example.com/?a=1&b=2.", 24),
            ("a query without path", "https://example.com?a=1", 23),
            ("a foreign scheme", "ftp://example.com/a", 19),
            ("another scheme", "gemini://example.com/a", 23),
            ("an unknown end", "https://example.invalid/", 24),
            ("a known start of the domain", "https://example.com.invalid/", 23 + 9),
            ("letters right after", "https://example.comの", 24),
            ("a domain in another script", "https://例え.みんな/a", 23),
            ("punycode", "https://xn--r8jz45g.xn--q9jyb4c/a", 23),
            ("underscore in a subdomain", "https://a_b.example.com", 23),
            ("underscore in the name", "https://a_b.com", 15),
            ("nested brackets", "https://example.com/a_(b_(c))d e", 25),
            ("an open bracket", "https://example.com/a(b", 25),
            ("an address at the end", "https://example.com@a", 21),
            ("a sign before", "#https://example.com/aaaaa", 26),
            ("two links", "http://a.co http://b.co", 47),
            ("a label of 64", &format!("https://{}.com", "a".repeat(64)), 76),
            ("4096 characters", &format!("https://a.com/{}", "p".repeat(4082)), 23),
            ("4097 characters", &format!("https://a.com/{}", "p".repeat(4083)), 4097),
        ] {
            assert_eq!(count(text), want, "{name}");
        }
    }

    #[test]
    fn mentions_and_their_domains() {
        for (name, text, want) in [
            ("local", "@alice", 6),
            ("a full stop after", "@alice@a.example.", 7),
            ("after a letter", "x@alice@a.example", 17),
            ("after a slash", "/@alice@a.example", 17),
            ("three parts", "@a@b@c", 6),
            ("in a link", "https://a.com/@alice@b.example", 23),
            ("a domain of 253", &format!("@a@{}", "b".repeat(253)), 2),
            ("a domain of 254", &format!("@a@{}", "b".repeat(254)), 257),
        ] {
            assert_eq!(count(text), want, "{name}");
        }
    }

    #[test]
    fn the_server_may_set_another_weight_for_links() {
        assert_eq!(length("see http://a.co", "", 25), 29);
        assert_eq!(length("see http://a.co", "", 0), 4);
    }

    #[test]
    fn a_blank_text_is_filled_beside_a_warning() {
        for (name, text, spoiler, want) in [
            ("neither", "", "", 0),
            ("white space alone", " \n", "", 0),
            ("beside a warning", "", "CW", 3),
            ("white space beside a warning", " \u{3000}\n", "CW", 3),
        ] {
            assert_eq!(length(text, spoiler, 23), want, "{name}");
        }
        assert_eq!(over("", &"a".repeat(499), 23, 500), None);
        assert_eq!(over("", &"a".repeat(500), 23, 500), Some(501));
    }

    proptest! {
        #[test]
        fn never_panics_and_over_agrees(
            text in "(\\PC|@|/|\\(|\\)|\\.|\\?|https://|a\\.com|@a@b\\.c|の| ){0,60}",
            spoiler in ".{0,20}",
            limit in 0_usize..120,
        ) {
            let length = length(&text, &spoiler, 23);
            prop_assert_eq!(over(&text, &spoiler, 23, limit), (length > limit).then_some(length));
        }

        #[test]
        fn plain_words_count_as_graphemes(text in "[a-z é😀の]{0,80}") {
            let want = if text.trim().is_empty() { 0 } else { graphemes(&text) };
            prop_assert_eq!(count(&text), want);
        }

        #[test]
        fn a_link_counts_its_weight_wherever_it_stands(
            left in "[a-z ]{0,20} ", path in "[a-z0-9/]{0,60}", right in " [a-z ]{0,20}"
        ) {
            let text = format!("{left}https://example.com/{path}{right}");
            prop_assert_eq!(count(&text), left.len() + 23 + right.len());
        }
    }
}
