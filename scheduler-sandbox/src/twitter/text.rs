//! Counting a text, and finding what stands in it.
//!
//! Source: <https://docs.x.com/fundamentals/counting-characters> and
//! <https://github.com/twitter/twitter-text>, `config/v3.json`.

use std::ops::Range;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use unicode_segmentation::UnicodeSegmentation;

/// What a link counts, however long it is.
const LINK: usize = 23;
/// What an emoji and every character counts that is not light.
const HEAVY: usize = 2;
/// Longest label of a domain.
const MAX_LABEL: usize = 63;

/// Says whether a text holds a character that makes it invalid.
pub(super) fn has_forbidden(text: &str) -> bool {
    text.contains(['\u{fffe}', '\u{feff}', '\u{ffff}'])
}

/// Counts a text.
pub(super) fn length(text: &str) -> usize {
    let mut sum = 0;
    let mut from = 0;
    for link in links(text) {
        sum += weight(&text[from..link.start]) + LINK;
        from = link.end;
    }
    sum + weight(&text[from..])
}

fn weight(text: &str) -> usize {
    text.graphemes(true).map(|cluster| if is_emoji(cluster) { HEAVY } else { plain(cluster) }).sum()
}

/// Says whether a cluster of several characters is one emoji.
fn is_emoji(cluster: &str) -> bool {
    let mut letters = cluster.chars();
    let Some(first) = letters.next() else { return false };
    let is_regional = |letter: char| ('\u{1f1e6}'..='\u{1f1ff}').contains(&letter);
    letters.any(|letter| match letter {
        '\u{fe0f}' | '\u{20e3}' => true,
        '\u{200d}' => first >= '\u{2190}',
        '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}' => true,
        letter => is_regional(first) && is_regional(letter),
    })
}

/// Weighs a cluster that is no emoji. A letter and its accents count as the one character that
/// they are in normal form.
fn plain(cluster: &str) -> usize {
    let accents = '\u{300}'..='\u{36f}';
    let letters = cluster.chars().enumerate();
    letters
        .filter(|(at, letter)| *at == 0 || !accents.contains(letter))
        .map(|(_, letter)| match letter {
            '\0'..='\u{10ff}'
            | '\u{2000}'..='\u{200d}'
            | '\u{2010}'..='\u{201f}'
            | '\u{2032}'..='\u{2037}' => 1,
            _ => HEAVY,
        })
        .sum()
}

/// Counts the cashtags of a text.
pub(super) fn cashtags(text: &str) -> usize {
    let is_cashtag = |word: &&str| {
        let Some(symbol) = word.strip_prefix('$') else { return false };
        let letters = symbol.bytes().take_while(u8::is_ascii_alphabetic).count();
        let follows = symbol[letters..].chars().next();
        (1..=6).contains(&letters) && follows.is_none_or(|letter| letter.is_ascii_punctuation())
    };
    text.split_whitespace().filter(is_cashtag).count()
}

/// Says whether a text mentions an account.
pub(super) fn mentions(text: &str, username: &str) -> bool {
    let is_inner = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    text.split('@').skip(1).any(|after| {
        let name = &after[..after.find(|letter| !is_inner(letter)).unwrap_or(after.len())];
        name.eq_ignore_ascii_case(username)
    })
}

/// Returns a text with every link shortened, and what each short link stands for.
pub(super) fn shortened(text: &str, id: u64) -> (String, Vec<Value>) {
    let mut short = String::new();
    let mut urls = Vec::new();
    let mut from = 0;
    for (number, link) in links(text).into_iter().enumerate() {
        short.push_str(&text[from..link.start]);
        from = link.end;
        let whole = &text[link];
        let expanded =
            if whole.contains("://") { whole.to_owned() } else { format!("http://{whole}") };
        let hash = hex::encode(Sha256::digest(format!("{id}/{number}/{whole}")));
        let url = format!("https://t.co/{}", &hash[..10]);
        let start = short.chars().count();
        short.push_str(&url);
        urls.push(json!({
            "start": start,
            "end": short.chars().count(),
            "url": url,
            "expanded_url": expanded,
            "display_url": expanded.split_once("://").map_or(whole, |(_, rest)| rest),
        }));
    }
    short.push_str(&text[from..]);
    (short, urls)
}

/// Finds links: with a scheme, or domains that end in a known top-level domain.
pub(super) fn links(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut end = 0;
    let mut before = None;
    for (at, letter) in text.char_indices() {
        if at >= end
            && letter.is_alphanumeric()
            && let Some(range) = link(text, at, before)
        {
            end = range.end;
            found.push(range);
        }
        before = Some(letter);
    }
    found
}

fn link(text: &str, start: usize, before: Option<char>) -> Option<Range<usize>> {
    let cannot_follow = |letter: char| letter.is_ascii_alphanumeric() || "@＠$#＃".contains(letter);
    if before.is_some_and(cannot_follow) {
        return None;
    }
    let rest = &text[start..];
    let scheme = ["https://", "http://"].into_iter().find(|scheme| {
        rest.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    });
    if scheme.is_none() && before.is_some_and(|letter| "-_./".contains(letter)) {
        return None;
    }
    let host = start + scheme.map_or(0, str::len);
    let end = host + host_length(&text[host..], scheme.is_none())?;
    let end = end + port_length(&text[end..]);
    Some(start..end + tail_length(&text[end..]))
}

/// Returns the length of a host that ends in a known top-level domain.
fn host_length(text: &str, is_ascii: bool) -> Option<usize> {
    let is_inner = |letter: char| {
        let is_letter =
            if is_ascii { letter.is_ascii_alphanumeric() } else { letter.is_alphanumeric() };
        is_letter || matches!(letter, '-' | '_' | '.')
    };
    let run = &text[..text.find(|letter| !is_inner(letter)).unwrap_or(text.len())];
    let mut end = run.len();
    loop {
        let (name, last) = run[..end].rsplit_once('.')?;
        let fits = name.split('.').all(|label| {
            (1..=MAX_LABEL).contains(&label.len())
                && !label.starts_with('-')
                && !label.ends_with('-')
        });
        let follows = text[end..].chars().next();
        let ends_here = follows.is_none_or(|letter| {
            !letter.is_ascii_alphanumeric() && !matches!(letter, '@' | '+' | '-')
        });
        if tld::exist(&last.to_lowercase()) && fits && ends_here {
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

/// Returns the length of path, query and fragment, without the punctuation that follows them.
fn tail_length(text: &str) -> usize {
    if !text.starts_with(['/', '?', '#']) {
        return 0;
    }
    let ends = |letter: char| letter.is_whitespace() || "<>\"{}\\^`".contains(letter);
    let mut tail = &text[..text.find(ends).unwrap_or(text.len())];
    loop {
        let is_unbalanced = |tail: &str| {
            tail.ends_with(')') && tail.matches(')').count() > tail.matches('(').count()
        };
        let shorter = tail.trim_end_matches(['!', '?', '.', ',', ';', ':', '\'', '…', '*', '~']);
        let shorter = if is_unbalanced(shorter) { &shorter[..shorter.len() - 1] } else { shorter };
        let shorter = &shorter[..detached_parentheses(shorter).unwrap_or(shorter.len())];
        if shorter.len() == tail.len() {
            return tail.len();
        }
        tail = shorter;
    }
}

/// Returns where the parentheses at the end of a path begin, when punctuation stands before them:
/// the library leaves both out.
///
/// Source: <https://github.com/twitter/twitter-text>, `validUrlPath`.
fn detached_parentheses(tail: &str) -> Option<usize> {
    if !tail.ends_with(')') || tail.contains('?') {
        return None;
    }
    let mut depth = 0;
    let (open, _) = tail.rmatch_indices(['(', ')']).find(|(_, sign)| {
        depth += if *sign == ")" { 1 } else { -1 };
        depth == 0
    })?;
    tail[..open]
        .ends_with(|before: char| "!*';:,.$%[]\u{2013}~@|&".contains(before))
        .then_some(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_counted_as_the_network_counts() {
        let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦";
        for (name, text, want) in [
            ("letters", "Hello from the API!", 19),
            ("kana", &*"の".repeat(140), 280),
            ("a link", "Hi http://test.co", 26),
            ("a long link", &*format!("Look https://example.com/{}", "p".repeat(300)), 28),
            ("a bare domain", "see example.com now", 31),
            ("a full stop", "See https://example.com.", 28),
            ("brackets in a path", "https://e.com/X,_(Y)", 23),
            ("brackets behind punctuation", "https://e.com/a!(a)", 27),
            ("brackets behind a dot alone", "https://e.com/.(a)", 27),
            ("families", &*family.repeat(140), 280),
            ("a skin tone", "🙋🏽", 2),
            ("a flag", "🇺🇸", 2),
            ("a keycap", "1️⃣", 2),
            ("a heart", "❤️", 2),
            ("a trade mark", "™", 2),
            ("composed", "caf\u{e9}", 4),
            ("decomposed", "cafe\u{301}", 4),
            ("a line end of two", "a\r\nb", 4),
            ("an ellipsis", "…", 2),
            ("Thai", "สวัสดี", 6),
            ("Devanagari", "नमस्ते", 6),
            ("Arabic", "مرحبا", 5),
            ("a mail address", "me@example.com", 14),
            ("ten links", &*"https://www.twitter.com/aloha ".repeat(10), 240),
            ("nothing", "", 0),
        ] {
            assert_eq!(length(text), want, "{name}");
        }
    }

    #[test]
    fn links_are_found_and_shortened() {
        for (text, want) in [
            ("a https://a.co/x, b", vec!["https://a.co/x"]),
            ("(https://a.co/(x)) y", vec!["https://a.co/(x)"]),
            ("https://a.co/?q=1&x=2#y!", vec!["https://a.co/?q=1&x=2#y"]),
            ("ftp://a.co", vec![]),
            ("x.a.co -b.co _c.co .d.co", vec!["x.a.co"]),
            ("me@a.co $a.co #b.co", vec![]),
            ("no.invalidtld v1.2", vec![]),
            ("HTTPS://A.CO:80/x", vec!["HTTPS://A.CO:80/x"]),
        ] {
            let found: Vec<&str> = links(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, want, "{text}");
        }
        let (short, urls) = shortened("See a.co and https://b.co/x.", 7);
        let url = |at: usize, name: &str| urls[at][name].as_str().unwrap().to_owned();
        assert_eq!(short, format!("See {} and {}.", url(0, "url"), url(1, "url")));
        assert_eq!(url(0, "expanded_url"), "http://a.co");
        assert_eq!(url(1, "expanded_url"), "https://b.co/x");
        assert_eq!((&urls[0]["start"], &urls[0]["end"]), (&json!(4), &json!(27)));
    }

    #[test]
    fn what_stands_in_a_text() {
        for (text, want) in
            [("$A $B", 2), ("$TSLA, up", 1), ("$100 US$ a$B $toolong", 0), ("$A.", 1)]
        {
            assert_eq!(cashtags(text), want, "{text}");
        }
        assert!(mentions("Hi @Ana!", "ana") && !mentions("Hi @anabel", "ana"));
        assert!(has_forbidden("a\u{feff}b") && !has_forbidden("ab"));
    }
}
