//! Counting a status and finding what stands in it.
//!
//! Source: `app/validators/status_length_validator.rb`, `app/lib/extractor.rb`,
//! `app/models/account.rb` and `config/initializers/twitter_regex.rb` of the server.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// Longest status, content warning included, in grapheme clusters.
///
/// Source: `app/validators/status_length_validator.rb`, `MAX_CHARS`.
pub(super) const MAX_CHARACTERS: usize = 500;
/// What an address counts, however long it is.
///
/// Source: `app/validators/status_length_validator.rb`, `URL_PLACEHOLDER_CHARS`.
pub(super) const URL_CHARACTERS: usize = 23;
/// Longest address that is one.
const MAX_URL_CHARACTERS: usize = 4096;
/// Longest domain of a mention.
const MAX_DOMAIN_CHARACTERS: usize = 253;

const SCHEMES: [&str; 9] =
    ["http", "https", "dat", "dweb", "ipfs", "ipns", "ssb", "gopher", "gemini"];

/// Something in a text that is more than text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entity {
    /// An address with a scheme.
    Url,
    /// A user name, with the domain when one was given.
    Mention { username: String, domain: Option<String> },
    /// A hashtag without its sign.
    Tag(String),
}

/// Counts a status as the server does.
pub(super) fn count(spoiler_text: &str, text: &str) -> usize {
    let mut counted = spoiler_text.to_owned();
    let mut at = 0;
    for (range, entity) in entities(text) {
        match entity {
            Entity::Url => {
                counted.push_str(&text[at..range.start]);
                counted.extend(std::iter::repeat_n('x', URL_CHARACTERS));
            }
            Entity::Mention { username, .. } => {
                counted.push_str(&text[at..range.start]);
                counted.push('@');
                counted.push_str(&username);
            }
            Entity::Tag(_) => counted.push_str(&text[at..range.end]),
        }
        at = range.end;
    }
    counted.push_str(&text[at..]);
    counted.graphemes(true).count()
}

/// Finds addresses, mentions and hashtags; of two that overlap the earlier one stays.
pub(super) fn entities(text: &str) -> Vec<(Range<usize>, Entity)> {
    let mut found = Vec::new();
    let mut end = 0;
    let mut before = None;
    for (at, letter) in text.char_indices() {
        if at >= end {
            let entity = match letter {
                '@' => mention(text, at, before),
                '#' => tag(text, at, before),
                _ if letter.is_ascii_alphabetic() => {
                    url(text, at, before).map(|range| (range, Entity::Url))
                }
                _ => None,
            };
            if let Some((range, entity)) = entity {
                end = range.end;
                found.push((range, entity));
            }
        }
        before = Some(letter);
    }
    found
}

fn url(text: &str, start: usize, before: Option<char>) -> Option<Range<usize>> {
    if before.is_some_and(|letter| letter.is_alphanumeric() || "@＠$#＃".contains(letter)) {
        return None;
    }
    let rest = &text[start..];
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let scheme = &rest[..letters];
    if !rest[letters..].starts_with("://")
        || !SCHEMES.iter().any(|known| known.eq_ignore_ascii_case(scheme))
    {
        return None;
    }
    let host_at = start + letters + 3;
    let mut end = host_at + host_length(&text[host_at..])?;
    end += port_length(&text[end..]);
    end += path_length(&text[end..]);
    end += query_length(&text[end..]);
    (text[start..end].chars().count() <= MAX_URL_CHARACTERS).then_some(start..end)
}

/// Returns the length of a host that ends in a known top-level domain.
fn host_length(text: &str) -> Option<usize> {
    let is_inner = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let run = &text[..text.find(|letter| !is_inner(letter)).unwrap_or(text.len())];
    let mut end = run.len();
    loop {
        let (name, last) = run[..end].rsplit_once('.')?;
        let label = last.to_lowercase();
        let is_known =
            tld::exist(&label) || label.strip_prefix("xn--").is_some_and(|rest| !rest.is_empty());
        let labels_fit = name
            .split('.')
            .all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'));
        let follows = text[end..].chars().next();
        let ends_here = follows.is_none_or(|letter| {
            !letter.is_ascii_alphanumeric() && !matches!(letter, '@' | '+' | '-')
        });
        if is_known && labels_fit && ends_here {
            return Some(end);
        }
        end = name.len();
    }
}

fn port_length(text: &str) -> usize {
    let Some(rest) = text.strip_prefix(':') else { return 0 };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 { 0 } else { 1 + digits }
}

/// Returns the length of a path up to the last character that may end one.
fn path_length(text: &str) -> usize {
    if !text.starts_with('/') {
        return 0;
    }
    let mut length = 0;
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        match letter {
            '(' => match balanced_length(&text[at..]) {
                Some(inner) => {
                    at += inner;
                    length = at;
                }
                None => break,
            },
            ')' | '?' | '<' | '>' => break,
            _ if letter.is_whitespace() => break,
            _ => {
                at += letter.len_utf8();
                if !"!*\"'「」;:=,.$%[]~&|@".contains(letter) {
                    length = at;
                }
            }
        }
    }
    length
}

/// Returns the length of a group in parentheses, which may hold groups of one more level.
fn balanced_length(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            '?' => return None,
            _ if letter.is_whitespace() => return None,
            _ => {}
        }
        match depth {
            0 => return Some(at + 1),
            3 => return None,
            _ => {}
        }
    }
    None
}

/// Returns the length of a query up to the last character that may end one.
fn query_length(text: &str) -> usize {
    if !text.starts_with('?') {
        return 0;
    }
    let is_inner = |letter: char| {
        letter.is_ascii_alphanumeric() || "!?*'();:&=+$/%#[]-_.,~|@^".contains(letter)
    };
    let is_last = |letter: char| letter.is_ascii_alphanumeric() || "_&=#/-".contains(letter);
    let run = &text[..text.find(|letter| !is_inner(letter)).unwrap_or(text.len())];
    run.rfind(is_last).map_or(0, |last| last + 1)
}

fn mention(text: &str, start: usize, before: Option<char>) -> Option<(Range<usize>, Entity)> {
    if before.is_some_and(|letter| is_word(letter) || matches!(letter, '=' | '/')) {
        return None;
    }
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let name = dotted(&text[start + 1..], is_name);
    if name.is_empty() {
        return None;
    }
    let mut end = start + 1 + name.len();
    let mut domain = None;
    if let Some(rest) = text[end..].strip_prefix('@') {
        let found = dotted(rest, is_word);
        if found.chars().count() > MAX_DOMAIN_CHARACTERS {
            return None;
        }
        if !found.is_empty() {
            domain = Some(found.to_owned());
            end += 1 + found.len();
        }
    }
    Some((start..end, Entity::Mention { username: name.to_owned(), domain }))
}

/// Returns the longest beginning of words that are joined by dots and hyphens.
fn dotted(text: &str, is_inner: impl Fn(char) -> bool) -> &str {
    if !text.chars().next().is_some_and(&is_inner) {
        return "";
    }
    let is_allowed = |letter: char| is_inner(letter) || matches!(letter, '.' | '-');
    let run = &text[..text.find(|letter| !is_allowed(letter)).unwrap_or(text.len())];
    run.trim_end_matches(['.', '-'])
}

fn tag(text: &str, start: usize, before: Option<char>) -> Option<(Range<usize>, Entity)> {
    if before.is_some_and(|letter| !letter.is_whitespace()) {
        return None;
    }
    let is_inner = |letter: char| is_word(letter) || matches!(letter, '·' | '・' | '\u{200c}');
    let rest = &text[start + 1..];
    let run = &rest[..rest.find(|letter| !is_inner(letter)).unwrap_or(rest.len())];
    let has_letter = run.chars().any(char::is_alphabetic);
    has_letter.then(|| (start..start + 1 + run.len(), Entity::Tag(run.to_owned())))
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_counted_as_the_server_counts() {
        // Source: `spec/validators/status_length_validator_spec.rb` and rules of the server.
        let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦";
        let long = format!("{} https://example.com/{}", "a".repeat(477), "p".repeat(40));
        for (name, spoiler, text, want) in [
            ("letters", "", "a".repeat(500).as_str(), 500),
            ("address", "", "Hello https://example.com/a/very/long/path?query=1", 29),
            ("short address", "", "http://a.co", 23),
            ("no scheme", "", "example.com/page", 16),
            ("mention", "", "Hi @alice@mastodon.example!", 10),
            ("families", "", family.repeat(500).as_str(), 500),
            ("combining mark", "", "e\u{301}", 1),
            ("content warning", "CW", "a".repeat(499).as_str(), 501),
            ("letter before the scheme", "", "seehttps://example.com/x", 24),
            ("no top-level domain", "", "https://localhost:3000/x", 24),
            ("parentheses and a stop", "", "https://example.com/(test).", 24),
            ("address at the end", "", long.as_str(), 501),
            ("nothing", "", "", 0),
            ("address in the warning counts in full", "https://example.com/abcdefghijkl", "", 32),
            ("two addresses", "", "http://a.co http://b.co", 47),
            ("query", "", "https://example.com/?q=1&x=(2)!", 25),
            ("port", "", "https://example.com:8080/x", 23),
            ("unknown end of the host", "", "https://example.com.invalidtld/x", 36),
            ("mail address", "", "me@example.com", 14),
            ("mention in an address", "", "https://example.com/@alice@mastodon.example", 23),
            ("mention without domain", "", "@alice.", 7),
            ("other scheme", "", "ipfs://example.com/x", 23),
            ("unknown scheme", "", "xmpp:user@example.com", 21),
        ] {
            assert_eq!(count(spoiler, text), want, "{name}");
        }
    }

    #[test]
    fn what_is_more_than_text_is_found() {
        let kinds = |text: &str| -> Vec<String> {
            let found = entities(text);
            found.iter().map(|(range, _)| text[range.clone()].to_owned()).collect()
        };
        for (text, want) in [
            (
                "see https://a.co/x, @ana and #rust_lang!",
                vec!["https://a.co/x", "@ana", "#rust_lang"],
            ),
            ("#1 #a1 x#no", vec!["#a1"]),
            ("a@b =@c /@d .@e", vec!["@e"]),
            ("@a.b-@c", vec!["@a.b", "@c"]),
        ] {
            assert_eq!(kinds(text), want, "{text}");
        }
    }
}
