//! Links, hashtags, mentions and cashtags in a text, for networks that bound their number.

use std::collections::BTreeSet;
use std::ops::Range;

use super::chars::{before, is_word, run_end};
use super::twitter;
use crate::platform::{EntitySyntax, Platform};

/// What finds the hashtags, mentions and cashtags of a text as one network does.
///
/// Each gives bytes of the text, the sign included, in order.
///
/// ```
/// use scheduler_core::platform::Platform;
/// use scheduler_core::text::entities::Finders;
/// let text = "https://example.com/a#part";
/// assert!((Finders::of(Platform::Linkedin).hashtags)(text).is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Finders {
    /// Finds hashtags.
    pub hashtags: fn(&str) -> Vec<Range<usize>>,
    /// Finds mentions.
    pub mentions: fn(&str) -> Vec<Range<usize>>,
    /// Finds cashtags.
    pub cashtags: fn(&str) -> Vec<Range<usize>>,
}

impl Finders {
    /// Those of a network; most share the common ones.
    #[must_use]
    pub fn of(platform: Platform) -> Self {
        match platform.sheet().text.entities {
            EntitySyntax::Common => Self { hashtags, mentions, cashtags },
            EntitySyntax::OutsideLinks => {
                Self { hashtags: hashtags_outside_links, mentions, cashtags }
            }
            EntitySyntax::TwitterText => Self {
                hashtags: twitter::hashtags,
                mentions: twitter::mentions,
                cashtags: twitter::cashtags,
            },
        }
    }
}

/// Finds links: `http://…`, `https://…` and `www.…`, not after an ASCII letter or digit, up to white
/// space, without the punctuation that follows them.
///
/// Scripts without spaces write a link right after a word, so other letters may stand before it.
///
/// The ranges are bytes of `text`.
///
/// ```
/// use scheduler_core::text::entities::links;
/// let text = "Read www.example.com/a, now.";
/// let found: Vec<&str> = links(text).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(found, ["www.example.com/a"]);
/// ```
#[must_use]
pub fn links(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(offset) = text[from..].find(['h', 'H', 'w', 'W']) {
        let start = from + offset;
        let head = ["https://", "http://", "www."]
            .into_iter()
            .find(|head| starts_with_ignoring_case(&text[start..], head));
        let is_inside_word = before(text, start).is_some_and(|c| c.is_ascii() && is_word(c));
        let Some(head) = head.filter(|_| !is_inside_word) else {
            from = start + 1;
            continue;
        };
        let end = run_end(text, start, |character| {
            !character.is_whitespace() && !matches!(character, '<' | '>' | '"')
        });
        let link = without_trailing_punctuation(&text[start..end]);
        if link.len() > head.len() {
            found.push(start..start + link.len());
        }
        from = end;
    }
    found
}

/// Counts different links, with one more when `also` is given and is not among them.
#[must_use]
pub fn different_links(text: &str, also: Option<&str>) -> usize {
    let mut different: BTreeSet<&str> = links(text).into_iter().map(|range| &text[range]).collect();
    different.extend(also);
    different.len()
}

/// Finds hashtags: `#` and a word in any script that is not only digits, not after a word.
///
/// The ranges are bytes of `text`, the `#` included.
///
/// ```
/// use scheduler_core::text::entities::hashtags;
/// let text = "#rust, #größe and #2026";
/// let found: Vec<&str> = hashtags(text).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(found, ["#rust", "#größe"]);
/// ```
#[must_use]
pub fn hashtags(text: &str) -> Vec<Range<usize>> {
    signed(text, '#', is_word, |word| word.chars().any(|character| !character.is_numeric()))
}

/// Finds the hashtags that are not the fragment of a link.
///
/// The ranges are bytes of `text`, the `#` included.
#[must_use]
pub fn hashtags_outside_links(text: &str) -> Vec<Range<usize>> {
    let mut found = hashtags(text);
    if found.is_empty() {
        return found;
    }
    let mut links = links(text).into_iter().peekable();
    found.retain(|hashtag| {
        while links.next_if(|link| link.end <= hashtag.start).is_some() {}
        links.peek().is_none_or(|link| hashtag.start < link.start)
    });
    found
}

/// Finds mentions: `@` and up to 30 of `A-Z a-z 0-9 . _`, not after a word.
///
/// The ranges are bytes of `text`, the `@` included.
///
/// ```
/// use scheduler_core::text::entities::mentions;
/// let text = "Thanks @ana.b. Write to a@b.example";
/// let found: Vec<&str> = mentions(text).into_iter().map(|range| &text[range]).collect();
/// assert_eq!(found, ["@ana.b"]);
/// ```
#[must_use]
pub fn mentions(text: &str) -> Vec<Range<usize>> {
    let is_name =
        |character: char| character.is_ascii_alphanumeric() || character == '.' || character == '_';
    let mut found = signed(text, '@', is_name, |name| !name.chars().all(|c| c == '.'));
    for range in &mut found {
        let name = text[range.start + 1..range.end].trim_end_matches('.');
        range.end = range.start + 1 + name.len().min(30);
    }
    found
}

/// Finds cashtags: `$` and 1 to 6 letters, standing alone.
///
/// The ranges are bytes of `text`, the `$` included.
#[must_use]
pub fn cashtags(text: &str) -> Vec<Range<usize>> {
    signed(text, '$', is_word, |word| {
        word.len() <= 6 && word.chars().all(|character| character.is_ascii_alphabetic())
    })
}

fn signed(
    text: &str,
    sign: char,
    inside: impl Fn(char) -> bool,
    accepts: impl Fn(&str) -> bool,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(offset) = text[from..].find(sign) {
        let start = from + offset;
        let end = run_end(text, start + 1, &inside);
        let word = &text[start + 1..end];
        if !word.is_empty() && !before(text, start).is_some_and(is_word) && accepts(word) {
            found.push(start..end);
        }
        from = end;
    }
    found
}

fn starts_with_ignoring_case(text: &str, head: &str) -> bool {
    text.as_bytes()
        .get(..head.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(head.as_bytes()))
}

fn without_trailing_punctuation(link: &str) -> &str {
    let opens = link.contains('(');
    link.trim_end_matches(|character| {
        matches!(character, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | ']' | '}')
            || (character == ')' && !opens)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str, ranges: Vec<Range<usize>>) -> Vec<&str> {
        ranges.into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn links_of_texts() {
        for (name, text, want) in [
            ("one", "see https://example.com/a now", vec!["https://example.com/a"]),
            ("full stop", "See https://example.com/a.", vec!["https://example.com/a"]),
            ("brackets around", "(https://example.com/a)", vec!["https://example.com/a"]),
            ("brackets inside", "https://e.example/a_(b)", vec!["https://e.example/a_(b)"]),
            ("upper case", "HTTP://A.EXAMPLE", vec!["HTTP://A.EXAMPLE"]),
            ("www", "www.example.com", vec!["www.example.com"]),
            ("only the scheme", "https:// x", vec![]),
            ("after a letter", "seehttps://example.com", vec![]),
            ("after a line", "_https://example.com", vec![]),
            (
                "after a kanji",
                "見https://example.com/a 見www.a.jp",
                vec!["https://example.com/a", "www.a.jp"],
            ),
            (
                "two",
                "http://a.example\nhttp://b.example",
                vec!["http://a.example", "http://b.example"],
            ),
            ("none", "how who www", vec![]),
        ] {
            assert_eq!(texts(text, links(text)), want, "{name}");
        }
    }

    #[test]
    fn the_same_link_counts_once() {
        let text = "https://a.example https://a.example https://b.example";
        assert_eq!(different_links(text, None), 2);
        assert_eq!(different_links(text, Some("https://b.example")), 2);
        assert_eq!(different_links(text, Some("https://c.example")), 3);
    }

    /// Source: the text vectors of Instagram, 11, and of LinkedIn, 9 and 10.
    #[test]
    fn hashtags_of_texts() {
        for (name, text, want) in [
            ("one", "Hello #rust", vec!["#rust"]),
            ("digits only", "#1 #2024", vec![]),
            ("digits first", "#1x", vec!["#1x"]),
            ("any script", "#AI_마케팅 now", vec!["#AI_마케팅"]),
            ("after a word", "C#sharp a#b", vec![]),
            ("after punctuation", "(#a)", vec!["#a"]),
            ("alone", "# #", vec![]),
            ("two in a row", "#a#b", vec!["#a"]),
        ] {
            assert_eq!(texts(text, hashtags(text)), want, "{name}");
        }
    }

    #[test]
    fn mentions_of_texts() {
        for (name, text, want) in [
            ("one", "hi @bob!", vec!["@bob"]),
            ("address", "mail me@example.com", vec![]),
            ("full stop", "with @bob.", vec!["@bob"]),
            ("inner stop", "with @bob.b", vec!["@bob.b"]),
            ("alone", "@ @.", vec![]),
        ] {
            assert_eq!(texts(text, mentions(text)), want, "{name}");
        }
    }

    #[test]
    fn cashtags_of_texts() {
        for (name, text, want) in [
            ("two", "$A $B", vec!["$A", "$B"]),
            ("a price", "$5 US$5", vec![]),
            ("too long", "$ABCDEFG", vec![]),
            ("six", "$ABCDEF.", vec!["$ABCDEF"]),
        ] {
            assert_eq!(texts(text, cashtags(text)), want, "{name}");
        }
    }

    proptest! {
        #[test]
        fn hashtags_are_those_outside_links(text in "(#|a|é|/|https://a\\.b/| ){0,40}") {
            let links = links(&text);
            let inside = |hashtag: &Range<usize>| {
                links.iter().any(|link| link.start <= hashtag.start && hashtag.start < link.end)
            };
            let want: Vec<_> =
                hashtags(&text).into_iter().filter(|hashtag| !inside(hashtag)).collect();
            prop_assert_eq!(hashtags_outside_links(&text), want);
        }

        #[test]
        fn finders_never_panic_and_give_ordered_ranges(
            text in "(\\PC|#|@|\\$|https://|www\\.|a|é| ){0,80}"
        ) {
            for ranges in [links(&text), hashtags(&text), mentions(&text), cashtags(&text)] {
                let mut end = 0;
                for range in ranges {
                    prop_assert!(range.start >= end && range.start < range.end);
                    prop_assert!(text.get(range.clone()).is_some());
                    end = range.end;
                }
            }
        }
    }
}
