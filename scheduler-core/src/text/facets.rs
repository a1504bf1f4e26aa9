//! Links, mentions and tags of a Bluesky post, as byte ranges beside the text.
//!
//! Nothing is resolved here: a mention carries the handle, and becomes a facet of the record only
//! after the handle has been resolved to an identity.

use std::ops::Range;

use super::chars::{before, is_punctuation, is_script_space, run_end};
use super::count::graphemes;
use super::tld;

/// Longest tag, in grapheme clusters.
///
/// Source: <https://github.com/bluesky-social/atproto>, `lexicons/app/bsky/richtext/facet.json`.
pub const TAG_LIMIT_GRAPHEMES: usize = 64;

/// Longest tag, in bytes.
///
/// Source: <https://github.com/bluesky-social/atproto>, `lexicons/app/bsky/richtext/facet.json`.
pub const TAG_LIMIT_BYTES: usize = 640;

/// A stretch of a text that may become a facet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetCandidate {
    /// Bytes of the text, on character boundaries, never empty.
    pub bytes: Range<usize>,
    /// What it is.
    pub feature: FacetFeature,
}

/// What a stretch of a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FacetFeature {
    /// A link; a domain without scheme has been given `https://`.
    Link {
        /// Where it leads.
        uri: String,
    },
    /// A mention of somebody.
    Mention {
        /// The handle, without `@`, still to be resolved.
        handle: String,
    },
    /// A hashtag or cashtag.
    Tag {
        /// The tag, without `#`; a cashtag keeps its `$` and is upper-case.
        tag: String,
    },
}

/// Finds the facets of a text, sorted and without overlap (the earlier one stays).
///
/// Two things differ from the reference library: a bare domain that starts with "http" gets
/// `https://` too (the library leaves it, and the record would hold an invalid uri), and what is
/// left of a link after trimming must hold more than the scheme.
///
/// Source: <https://github.com/bluesky-social/atproto>, `packages/api/src/rich-text`.
///
/// ```
/// use scheduler_core::text::facets::{FacetFeature, detect};
/// let text = "By @ana.bsky.social";
/// let found = detect(text);
/// assert_eq!(&text[found[0].bytes.clone()], "@ana.bsky.social");
/// assert_eq!(found[0].feature, FacetFeature::Mention { handle: "ana.bsky.social".into() });
/// ```
#[must_use]
pub fn detect(text: &str) -> Vec<FacetCandidate> {
    let mut found = Vec::new();
    mentions(text, &mut found);
    links(text, &mut found);
    tags(text, &mut found);
    cashtags(text, &mut found);
    found.sort_by_key(|candidate| candidate.bytes.start);
    let mut end = 0;
    found.retain(|candidate| {
        let is_free = candidate.bytes.start >= end;
        if is_free {
            end = candidate.bytes.end;
        }
        is_free
    });
    found
}

/// Whether a stretch may start at byte `at`: at the start, after white space or after `(`.
fn may_start(text: &str, at: usize) -> bool {
    before(text, at).is_none_or(|character| character == '(' || is_script_space(character))
}

fn mentions(text: &str, found: &mut Vec<FacetCandidate>) {
    for (start, _) in text.match_indices('@') {
        if !may_start(text, start) {
            continue;
        }
        let end = run_end(text, start + 1, |character| {
            character.is_ascii_alphanumeric() || character == '.' || character == '-'
        });
        let Some(handle) = up_to_word_boundary(text, start + 1..end) else { continue };
        if has_known_top_level_domain(handle) || handle.ends_with(".test") {
            found.push(FacetCandidate {
                bytes: start..start + 1 + handle.len(),
                feature: FacetFeature::Mention { handle: handle.to_owned() },
            });
        }
    }
}

/// The longest start of `run` that ends at a word boundary.
fn up_to_word_boundary(text: &str, run: Range<usize>) -> Option<&str> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = text.as_bytes();
    (run.start + 1..=run.end).rev().find_map(|end| {
        let after = bytes.get(end).copied().is_some_and(is_word);
        (is_word(bytes[end - 1]) != after).then(|| &text[run.start..end])
    })
}

fn has_known_top_level_domain(domain: &str) -> bool {
    domain.rsplit_once('.').is_some_and(|(_, last)| tld::exists(last))
}

fn links(text: &str, found: &mut Vec<FacetCandidate>) {
    let mut free_from = 0;
    let starts = std::iter::once(0).chain(
        text.char_indices()
            .filter(|(_, character)| *character == '(' || is_script_space(*character))
            .map(|(at, character)| at + character.len_utf8()),
    );
    for start in starts {
        if start < free_from {
            continue;
        }
        let rest = &text[start..];
        let scheme = ["https://", "http://"].into_iter().find(|scheme| {
            rest.as_bytes()
                .get(..scheme.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
        });
        let domain = domain_at(rest);
        if scheme.is_none() && domain.is_none() {
            continue;
        }
        let end = run_end(text, start, |character| !is_script_space(character));
        let mut link = &text[start..end];
        if scheme.is_some_and(|scheme| link.len() == scheme.len()) {
            continue;
        }
        free_from = end;
        let prefix = match (scheme, domain) {
            // The library looks for a scheme in lower case.
            (Some(scheme), _) if link.starts_with(scheme) => "",
            (None, Some(domain)) if has_known_top_level_domain(domain) => "https://",
            _ => continue,
        };
        link = link.strip_suffix(['.', ',', ';', ':', '!', '?']).unwrap_or(link);
        if !link.contains('(') {
            link = link.strip_suffix(')').unwrap_or(link);
        }
        if scheme.is_some_and(|scheme| link.len() <= scheme.len()) {
            continue;
        }
        found.push(FacetCandidate {
            bytes: start..start + link.len(),
            feature: FacetFeature::Link { uri: format!("{prefix}{link}") },
        });
    }
}

/// The domain that `text` starts with: a letter, letters and digits, and at least one label more.
fn domain_at(text: &str) -> Option<&str> {
    if !text.starts_with(|character: char| character.is_ascii_alphabetic()) {
        return None;
    }
    let is_label = |character: char| character.is_ascii_alphanumeric();
    let mut end = run_end(text, 0, is_label);
    let mut labels = 1;
    while text[end..].starts_with('.') {
        let label_end = run_end(text, end + 1, is_label);
        if label_end == end + 1 {
            break;
        }
        end = label_end;
        labels += 1;
    }
    (labels > 1).then(|| &text[..end])
}

fn tags(text: &str, found: &mut Vec<FacetCandidate>) {
    for (start, sign) in text.match_indices(['#', '＃']) {
        if !before(text, start).is_none_or(is_script_space) {
            continue;
        }
        let from = start + sign.len();
        let run = &text[from..run_end(text, from, |c| !is_script_space(c) && !is_tag_end(c))];
        let is_content = |c: char| !c.is_ascii_digit() && !is_punctuation(c);
        if run.starts_with('\u{fe0f}') || !run.contains(is_content) {
            continue;
        }
        let tag = run.trim_end_matches(is_punctuation);
        if tag.len() <= TAG_LIMIT_BYTES && graphemes(tag) <= TAG_LIMIT_GRAPHEMES {
            found.push(FacetCandidate {
                bytes: start..from + tag.len(),
                feature: FacetFeature::Tag { tag: tag.to_owned() },
            });
        }
    }
}

/// Characters without width that end a tag.
const fn is_tag_end(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{2060}' | '\u{200a}'..='\u{200d}' | '\u{20e2}')
}

fn cashtags(text: &str, found: &mut Vec<FacetCandidate>) {
    for (start, _) in text.match_indices('$') {
        let end = run_end(text, start + 1, |character| character.is_ascii_alphanumeric());
        let name = &text[start + 1..end];
        let ends_here = text[end..].chars().next().is_none_or(|character| {
            is_script_space(character) || ".,;:!?)\"'\u{2019}".contains(character)
        });
        if may_start(text, start)
            && ends_here
            && name.len() <= 5
            && name.starts_with(|character: char| character.is_ascii_alphabetic())
        {
            found.push(FacetCandidate {
                bytes: start..end,
                feature: FacetFeature::Tag { tag: format!("${}", name.to_ascii_uppercase()) },
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> Vec<String> {
        detect(text)
            .into_iter()
            .map(|FacetCandidate { bytes, feature }| {
                let (kind, value) = match feature {
                    FacetFeature::Link { uri } => ("link", uri),
                    FacetFeature::Mention { handle } => ("mention", handle),
                    FacetFeature::Tag { tag } => ("tag", tag),
                };
                format!("{kind} {}-{} {value}", bytes.start, bytes.end)
            })
            .collect()
    }

    #[test]
    fn edges() {
        for (name, text, want) in [
            ("a test handle", "@a.test", vec!["mention 0-7 a.test"]),
            ("an unknown domain", "@a.invalid", vec![]),
            ("a handle before an underscore", "@a.com_x", vec![]),
            ("a handle before a full stop", "@a.com.", vec!["mention 0-6 a.com"]),
            ("a scheme in capitals", "HTTPS://a.example/x", vec![]),
            ("only a scheme", "https:// https://.", vec![]),
            (
                "a domain that starts with http",
                "httpbin.org/x",
                vec!["link 0-13 https://httpbin.org/x"],
            ),
            ("a word that starts with http", "httpfoo.notatld", vec![]),
            ("brackets inside a word", "foo(example.com", vec!["link 4-15 https://example.com"]),
            ("brackets inside a domain", "foo.notatld(example.com", vec![]),
            ("an emoji for a keycap", "#️⃣ x", vec![]),
            ("a tag ends at a joiner", "#a\u{200d}b", vec!["tag 0-2 a"]),
            ("punctuation alone", "#?!", vec![]),
            ("the mention in a tag is not free", "#x(@a.com", vec!["tag 0-9 x(@a.com"]),
        ] {
            assert_eq!(shown(text), want, "{name}");
        }
        let long = format!("#{}", "a".repeat(64));
        assert_eq!(detect(&long).len(), 1, "a tag of 64");
        assert_eq!(detect(&format!("{long}a")).len(), 0, "a tag of 65");
        assert_eq!(detect(&format!("#{}", "の".repeat(64))).len(), 1, "a wide tag of 64");
        assert_eq!(detect(&format!("#{}", "👨‍👩‍👧‍👦".repeat(26))).len(), 1, "joiners end the tag");
    }

    proptest! {
        #[test]
        fn ranges_are_sorted_apart_and_on_boundaries(
            text in "(\\PC|#|@|\\$|\\(| |\n|https://|a\\.com|b\\.test|😀){0,80}"
        ) {
            let mut end = 0;
            for FacetCandidate { bytes, feature } in detect(&text) {
                prop_assert!(bytes.start >= end && bytes.start < bytes.end);
                let stretch = text.get(bytes.clone());
                prop_assert!(stretch.is_some());
                let stretch = stretch.unwrap_or_default();
                match feature {
                    FacetFeature::Link { uri } => prop_assert!(uri.ends_with(stretch)),
                    FacetFeature::Mention { handle } => {
                        prop_assert_eq!(stretch, format!("@{handle}"));
                    }
                    FacetFeature::Tag { tag } => {
                        prop_assert!(stretch.ends_with(&tag) || tag.eq_ignore_ascii_case(stretch));
                    }
                }
                end = bytes.end;
            }
        }
    }
}
