//! Mentions, hashtags and cashtags as X finds them.

use std::ops::Range;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use super::super::chars::{before, is_script_space, is_word, run_end};
use super::domain::{is_latin_accent, is_space};
use super::links::links;

/// Longest user name, in characters.
///
/// Source: <https://help.x.com/en/managing-your-account/x-username-rules>.
const MAX_NAME_LENGTH: usize = 15;

/// Longest cashtag before its `.` or `_`, in letters.
const MAX_SYMBOL_LENGTH: usize = 6;

/// Longest part of a cashtag after its `.` or `_`, in letters.
const MAX_SYMBOL_SUFFIX_LENGTH: usize = 2;

/// Finds mentions: `@` and a user name of 1 to 15 of `A-Z a-z 0-9 _`, outside links.
///
/// The ranges are bytes of `text`, the `@` included.
///
/// Source: <https://github.com/twitter/twitter-text>, `extractMentionsWithIndices`.
#[must_use]
pub fn mentions(text: &str) -> Vec<Range<usize>> {
    let found = signed(text, &['@', '＠'], |start, from| {
        let end = run_end(text, from, |c| c.is_ascii_alphanumeric() || c == '_');
        let rest = &text[end..];
        let goes_on = rest.starts_with(|next| matches!(next, '@' | '＠') || is_latin_accent(next))
            || rest.starts_with("://");
        // A slash and a letter make it the name of a list.
        let is_list = rest
            .strip_prefix('/')
            .is_some_and(|list| list.starts_with(|first: char| first.is_ascii_alphabetic()));
        let is_name = (1..=MAX_NAME_LENGTH).contains(&(end - from));
        (is_name && !is_list && !goes_on && may_mention_after(text, start)).then_some(end)
    });
    outside_links(text, found)
}

fn may_mention_after(text: &str, at: usize) -> bool {
    let Some(previous) = before(text, at) else { return true };
    if !previous.is_ascii_alphanumeric() && !"_!#$%&*@＠".contains(previous) {
        return true;
    }
    // The sign of a repeated post may touch the name.
    let Some(head) = at.checked_sub(2).and_then(|start| text.get(start..at)) else { return false };
    head.eq_ignore_ascii_case("rt")
        && before(text, at - 2).is_none_or(|character| {
            !character.is_ascii_alphanumeric() && !"_+~.-".contains(character)
        })
}

/// Finds hashtags: `#`, letters, marks and digits of any script, at least one of them no digit,
/// outside links.
///
/// The ranges are bytes of `text`, the `#` included.
///
/// Source: <https://github.com/twitter/twitter-text>, `extractHashtagsWithIndices`.
#[must_use]
pub fn hashtags(text: &str) -> Vec<Range<usize>> {
    let found = signed(text, &['#', '＃'], |start, from| {
        let may_start = before(text, start).is_none_or(|previous| {
            matches!(previous, '\u{fe0e}' | '\u{fe0f}')
                || !(in_hashtag(previous) || previous == '&')
        });
        let end = run_end(text, from, in_hashtag);
        let rest = &text[end..];
        let is_keycap = text[from..].starts_with(['\u{fe0f}', '\u{20e3}']);
        let goes_on = rest.starts_with(['#', '＃']) || rest.starts_with("://");
        let has_letter = text[from..end].contains(is_letter_or_mark);
        (may_start && has_letter && !is_keycap && !goes_on).then_some(end)
    });
    outside_links(text, found)
}

fn in_hashtag(character: char) -> bool {
    is_word(character)
        || matches!(
            character,
            '\u{200c}'
                | '\u{200d}'
                | '\u{a67e}'
                | '\u{5be}'
                | '\u{5f3}'
                | '\u{5f4}'
                | '\u{ff5e}'
                | '\u{301c}'
                | '\u{309b}'
                | '\u{309c}'
                | '\u{30a0}'
                | '\u{30fb}'
                | '\u{3003}'
                | '\u{f0b}'
                | '\u{f0c}'
                | '\u{b7}'
        )
}

fn is_letter_or_mark(character: char) -> bool {
    matches!(
        character.general_category_group(),
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark
    )
}

/// Finds cashtags: `$` and 1 to 6 letters, which `.` or `_` and 1 or 2 letters may follow, after
/// white space and before white space or punctuation.
///
/// The ranges are bytes of `text`, the `$` included.
///
/// Source: <https://github.com/twitter/twitter-text>, `extractCashtagsWithIndices`.
#[must_use]
pub fn cashtags(text: &str) -> Vec<Range<usize>> {
    signed(text, &['$'], |start, from| {
        let letters_end = |from: usize| run_end(text, from, |c| c.is_ascii_alphabetic());
        let ends = |end: usize| {
            text[end..].chars().next().is_none_or(|next| {
                is_script_space(next) || (next.is_ascii_punctuation() && !"\"`".contains(next))
            })
        };
        let end = letters_end(from);
        if !before(text, start).is_none_or(is_space)
            || !(1..=MAX_SYMBOL_LENGTH).contains(&(end - from))
        {
            return None;
        }
        let suffixed = text[end..].starts_with(['.', '_']).then(|| letters_end(end + 1));
        suffixed
            .filter(|long| {
                (1..=MAX_SYMBOL_SUFFIX_LENGTH).contains(&(long - end - 1)) && ends(*long)
            })
            .or_else(|| ends(end).then_some(end))
    })
}

/// Finds what `end_of` accepts, given the start of a sign and the byte after it.
fn signed(
    text: &str,
    signs: &[char],
    end_of: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut free_from = 0;
    for (start, sign) in text.match_indices(signs) {
        if start >= free_from
            && let Some(end) = end_of(start, start + sign.len())
        {
            found.push(start..end);
            free_from = end;
        }
    }
    found
}

/// Drops what starts inside a link; what a link starts in stays.
fn outside_links(text: &str, mut found: Vec<Range<usize>>) -> Vec<Range<usize>> {
    if !found.is_empty() {
        let mut links = links(text).into_iter().peekable();
        found.retain(|range| {
            while links.next_if(|link| link.end <= range.start).is_some() {}
            links.peek().is_none_or(|link| link.start >= range.start)
        });
    }
    found
}
