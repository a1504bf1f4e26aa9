//! Whether a text fits a network, and making it fit.

mod split;

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::Map;
use unicode_segmentation::UnicodeSegmentation as _;

use super::{Context, Draft, DraftTarget, Severity, check};
use crate::platform::{AccountLimits, Platform};
use crate::post::CONTENT_MAX_CHARACTERS;
use crate::text::{entities, twitter};

pub use split::{split, split_for_all};

/// What a network would refuse in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The rule without the network, such as `text.too_long`.
    pub(crate) rule: String,
    /// What is wrong, how much, and what is allowed.
    pub(crate) message: String,
}

/// The subjects of rules that look at a text alone, whatever else a post needs.
const SUBJECTS: [&str; 5] = ["text.", "hashtags.", "mentions.", "links.", "cashtags."];

/// How often a text is made shorter before it is given up.
const ROUNDS: usize = 64;

/// What a network would refuse in a text, by the rules that a post is checked by.
#[must_use]
pub(crate) fn findings(platform: Platform, text: &str) -> Vec<Finding> {
    let limits = AccountLimits::default();
    let options = Map::new();
    let target = DraftTarget::new(platform, &options, &limits);
    let draft = Draft {
        content: text,
        link_url: None,
        media: &[],
        alt_texts: &[],
        targets: std::slice::from_ref(&target),
    };
    let issues = check(&draft, &Context::default());
    let errors = issues.into_iter().filter(|issue| issue.severity == Severity::Error);
    errors
        .filter_map(|issue| {
            let (_, rule) = issue.rule.split_once('.')?;
            let is_of_text = SUBJECTS.iter().any(|subject| rule.starts_with(subject));
            is_of_text.then(|| Finding { rule: rule.to_owned(), message: issue.message })
        })
        .collect()
}

/// A text as a network takes it: hashtags, mentions, cashtags and links beyond what it allows are
/// dropped, the last ones first, and what is too long is cut at the end of a word, by the network's
/// own count; never inside a grapheme cluster, a link or a word. `None` when nothing would be left
/// to read, such as of one word that is too long.
#[must_use]
pub fn fitted(platform: Platform, text: &str) -> Option<String> {
    let forbidden = platform.sheet().text.forbidden;
    let mut text = beginning(text).replace(|character: char| forbidden.contains(&character), "");
    for _ in 0..ROUNDS {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return None;
        }
        if trimmed.len() < text.len() {
            text = trimmed.to_owned();
        }
        let found = findings(platform, &text);
        if found.is_empty() {
            return Some(text);
        }
        let is_too_much = |finding: &Finding| finding.rule.ends_with(".too_many");
        text = if found.iter().any(is_too_much) {
            without_surplus(platform, &text)
        } else {
            text[..longest_fitting(platform, &text)].to_owned()
        };
    }
    None
}

/// As much of a text as any post may hold, so that what follows stays quick.
fn beginning(text: &str) -> &str {
    let Some((end, _)) = text.char_indices().nth(CONTENT_MAX_CHARACTERS) else { return text };
    let start = &text[..end];
    start.rsplit_once(char::is_whitespace).map_or(start, |(whole_words, _)| whole_words)
}

/// The text without the hashtags, mentions, cashtags and links beyond the network's limits.
fn without_surplus(platform: Platform, text: &str) -> String {
    let figures = &platform.sheet().text;
    let finders = entities::Finders::of(platform);
    let kept = |limit: Option<u32>| limit.and_then(|limit| usize::try_from(limit).ok());
    let mut surplus: Vec<Range<usize>> = Vec::new();
    for (limit, find) in [
        (figures.hashtags.refused_above, finders.hashtags),
        (figures.mentions.refused_above, finders.mentions),
        (figures.cashtags.refused_above, finders.cashtags),
    ] {
        let Some(limit) = kept(limit) else { continue };
        surplus.extend(find(text).into_iter().skip(limit));
    }
    if let Some(limit) = kept(figures.links.refused_above) {
        let mut different: BTreeSet<&str> = BTreeSet::new();
        surplus.extend(entities::links(text).into_iter().filter(|link| {
            let link = &text[link.clone()];
            if different.len() < limit {
                different.insert(link);
            }
            !different.contains(link)
        }));
    }
    surplus.sort_unstable_by_key(|range| range.start);
    let mut left = String::with_capacity(text.len());
    let mut from = 0;
    for range in surplus {
        if range.start < from {
            continue;
        }
        let before = &text[from..range.start];
        // The space before what goes, goes with it.
        left.push_str(before.strip_suffix(' ').unwrap_or(before));
        from = range.end;
    }
    left.push_str(&text[from..]);
    left
}

/// The length in bytes of the longest start of a text that ends a word and has no finding.
fn longest_fitting(platform: Platform, text: &str) -> usize {
    let fits = |end: usize| end == 0 || findings(platform, text[..end].trim_end()).is_empty();
    let longest = |ends: &[usize]| longest_among(ends, fits).unwrap_or_default();
    let by_space = longest(&ends_before_space(text));
    let by_word = longest(&ends_inside_scripts(platform, text));
    // Scripts without spaces have long runs; what a space leaves of them may be next to nothing.
    if by_space * 2 >= by_word { by_space } else { by_word }
}

/// The last of these ends, which are in order, that fits.
fn longest_among(ends: &[usize], fits: impl Fn(usize) -> bool) -> Option<usize> {
    let mut index = ends.partition_point(|end| fits(*end));
    // A start of a text need not count less than the whole; look before believing it.
    while index > 0 && !fits(ends[index - 1]) {
        index -= (index / 32).max(1);
    }
    index.checked_sub(1).map(|last| ends[last])
}

/// The bytes at which a run of characters ends before white space, on the border of a grapheme
/// cluster.
fn ends_before_space(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut was_space = true;
    for (at, cluster) in text.grapheme_indices(true) {
        let is_space = cluster.starts_with(char::is_whitespace);
        if is_space && !was_space {
            ends.push(at);
        }
        was_space = cluster.ends_with(char::is_whitespace);
    }
    ends
}

/// The bytes at which a word ends between two letters of scripts that set no spaces, or before a
/// link, a hashtag or a mention; never inside of these.
fn ends_inside_scripts(platform: Platform, text: &str) -> Vec<usize> {
    let borders: BTreeSet<usize> = text.grapheme_indices(true).map(|(at, _)| at).collect();
    let finders = entities::Finders::of(platform);
    let finders = [entities::links, twitter::links, finders.hashtags, finders.mentions];
    let mut wholes: Vec<Range<usize>> = finders.into_iter().flat_map(|find| find(text)).collect();
    wholes.sort_unstable_by_key(|range| range.start);
    let mut wholes = wholes.into_iter().peekable();
    let mut whole_end = 0;
    let mut ends = Vec::new();
    for (at, _) in text.split_word_bound_indices() {
        while let Some(whole) = wholes.next_if(|whole| whole.start < at) {
            whole_end = whole_end.max(whole.end);
        }
        let (before, after) = (text[..at].chars().next_back(), text[at..].chars().next());
        let is_of_script = |character: Option<char>| {
            character.is_some_and(|character| !character.is_ascii() && !is_spaced(character))
        };
        let begins_whole = wholes.peek().is_some_and(|whole| whole.start == at);
        let is_end = is_of_script(before) && (is_of_script(after) || begins_whole);
        if at >= whole_end && borders.contains(&at) && is_end {
            ends.push(at);
        }
    }
    ends
}

/// Whether a character is of a script that sets spaces between words, or white space itself.
fn is_spaced(character: char) -> bool {
    // Latin to Sinhala; Thai follows.
    const LAST_SPACED: char = '\u{0dff}';
    character.is_whitespace() || character <= LAST_SPACED
}

#[cfg(test)]
mod tests;
