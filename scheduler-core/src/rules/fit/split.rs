//! Cutting a long text into the parts of a thread.

use super::{ends_before_space, ends_inside_scripts, findings, longest_among};
use crate::platform::{OptionValue, Platform, THREAD};

/// Of the text that a part may hold, how much of it a part has at least where a better place to cut
/// is looked for: a half.
///
/// Source: our decision.
const LEAST_SHARE: usize = 2;

/// A long text as the parts of a thread, each of which its network takes by its own count: cut
/// between paragraphs, else sentences, else words, and numbered at the ends, such as `(1/3)`. A text
/// that the network takes as it is stays one part without a number.
///
/// `None` when the network has no threads, when a word is too long for a part, when there are more
/// parts than a thread may have, and when the network would refuse the text for something else than
/// its length.
///
/// ```
/// use scheduler_core::platform::Platform;
/// use scheduler_core::rules::split;
///
/// let text = format!("{}\n\n{}", "First. ".repeat(40), "Second. ".repeat(20));
/// let parts = split(Platform::Bluesky, &text).unwrap();
/// assert_eq!(parts.len(), 2);
/// assert!(parts[0].ends_with("First. (1/2)") && parts[1].starts_with("Second."));
/// assert_eq!(split(Platform::Bluesky, "Short.").unwrap(), ["Short."]);
/// assert_eq!(split(Platform::Linkedin, &text), None, "it has no threads");
/// ```
#[must_use]
pub fn split(platform: Platform, text: &str) -> Option<Vec<String>> {
    let most = parts_max(platform)?;
    let text = text.trim();
    if findings(platform, text).is_empty() {
        return Some(vec![text.to_owned()]);
    }
    // The number takes room, and how much depends on how many parts there are.
    (1..=most.to_string().len()).find_map(|digits| {
        let numbered = "9".repeat(digits);
        let parts = cut(&[platform], text, &format!(" ({numbered}/{numbered})"), most)?;
        let count = parts.len();
        if count.to_string().len() > digits {
            return None;
        }
        let number = |(index, part)| format!("{part} ({}/{count})", index + 1);
        Some(parts.into_iter().enumerate().map(number).collect())
    })
}

/// A long text as the parts of a thread, each of which all of these networks take: cut as [`split`]
/// does and without numbers, so that the parts can be put in another order.
///
/// `None` where [`split`] has none for one of them, and without a network.
///
/// ```
/// use scheduler_core::platform::Platform;
/// use scheduler_core::rules::split_for_all;
///
/// let text = format!("{}\n\n{}", "First. ".repeat(40), "Second. ".repeat(20));
/// let parts = split_for_all(&[Platform::Bluesky, Platform::Twitter], &text).unwrap();
/// assert_eq!(parts.len(), 2);
/// assert!(parts[0].ends_with("First.") && parts[1].starts_with("Second."));
/// ```
#[must_use]
pub fn split_for_all(platforms: &[Platform], text: &str) -> Option<Vec<String>> {
    let most = platforms.iter().map(|platform| parts_max(*platform)).min()??;
    let parts = cut(platforms, text.trim(), "", most)?;
    Some(parts.into_iter().map(str::to_owned).collect())
}

/// How many parts a thread has at most; `None` for a network without threads.
fn parts_max(platform: Platform) -> Option<usize> {
    let OptionValue::Thread { max_items } = platform.sheet().option(THREAD.key)?.value else {
        return None;
    };
    Some(usize::try_from(max_items).unwrap_or(usize::MAX).saturating_add(1))
}

/// The parts of a text that fit on each of these networks with `number` behind them, at most so many.
fn cut<'a>(
    platforms: &[Platform],
    text: &'a str,
    number: &str,
    most: usize,
) -> Option<Vec<&'a str>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if parts.len() == most {
            return None;
        }
        let fits = |end: usize| {
            let part = format!("{}{number}", rest[..end].trim_end());
            platforms.iter().all(|platform| findings(*platform, &part).is_empty())
        };
        let end = if fits(rest.len()) { rest.len() } else { place_to_cut(platforms, rest, fits)? };
        parts.push(rest[..end].trim_end());
        rest = rest[end..].trim_start();
    }
    Some(parts)
}

/// Where the first part of a text ends, as far as possible behind its begin.
fn place_to_cut(platforms: &[Platform], text: &str, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let mut words = ends_before_space(text);
    for platform in platforms {
        words.extend(ends_inside_scripts(*platform, text));
    }
    words.sort_unstable();
    words.dedup();
    let word = longest_among(&words, &fits).filter(|end| *end > 0)?;
    let least = word / LEAST_SHARE;
    let last = |is_better: &dyn Fn(usize) -> bool| {
        let candidates = words.iter().rev().copied();
        candidates
            .skip_while(|end| *end > word)
            .take_while(|end| *end >= least)
            .find(|end| is_better(*end) && fits(*end))
    };
    let ends_paragraph = |end: usize| {
        let space: &str = &text[end..end + leading_space(&text[end..])];
        space.matches('\n').count() > 1
    };
    let ends_sentence = |end: usize| {
        let before = text[..end].trim_end_matches(['"', '\'', ')', ']', '”', '’', '»']);
        before.ends_with(['.', '!', '?', '…', '。', '！', '？'])
    };
    last(&ends_paragraph).or_else(|| last(&ends_sentence)).or(Some(word))
}

fn leading_space(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_cut_for_all_is_taken_by_each() {
        use Platform::{Bluesky, Linkedin, Mastodon, Twitter};
        let text = "A cake for you. ".repeat(40);
        let japanese = "あ".repeat(200);
        let link = format!("https://example.com/{}", "a".repeat(130));
        let mixed = format!("{}\n\n{link} {link} {link}", "あ".repeat(250));
        for (name, platforms, text, want) in [
            ("nobody", vec![], text.as_str(), None),
            ("no threads", vec![Bluesky, Linkedin], &text, None),
            ("one", vec![Mastodon], &text, Some(2)),
            ("the shortest counts", vec![Mastodon, Bluesky, Twitter], &text, Some(3)),
            ("as it is", vec![Bluesky, Mastodon], "Hello", Some(1)),
            ("two for each letter on X alone", vec![Bluesky, Twitter], &japanese, Some(2)),
            ("each refuses the cut of the other", vec![Bluesky, Twitter], &mixed, Some(5)),
            ("nothing", vec![Bluesky], " ", Some(0)),
        ] {
            let parts = split_for_all(&platforms, text);
            assert_eq!(parts.as_ref().map(Vec::len), want, "{name}");
            for part in parts.iter().flatten() {
                for platform in &platforms {
                    assert!(findings(*platform, part).is_empty(), "{name}: {part}");
                }
            }
        }
    }

    #[test]
    fn texts_are_cut_where_people_would() {
        let sentence = "A cake for you. ";
        let (half, whole) = (sentence.repeat(9), sentence.repeat(17));
        for (name, platform, text, want) in [
            ("short", Platform::Twitter, "Hello".to_owned(), Some(vec!["Hello".to_owned()])),
            (
                "at a paragraph",
                Platform::Twitter,
                format!("{}\n\n{}", half.trim(), whole.trim()),
                Some(vec![format!("{} (1/2)", half.trim()), format!("{} (2/2)", whole.trim())]),
            ),
            (
                "at a sentence",
                Platform::Twitter,
                format!("{whole}And now a longer one than would still fit"),
                Some(vec![
                    format!("{} (1/2)", whole.trim()),
                    "And now a longer one than would still fit (2/2)".to_owned(),
                ]),
            ),
            (
                "at a word",
                Platform::Twitter,
                format!("{} {}", "a".repeat(200), "b".repeat(100)),
                Some(vec![
                    format!("{} (1/2)", "a".repeat(200)),
                    format!("{} (2/2)", "b".repeat(100)),
                ]),
            ),
            ("a word that is too long", Platform::Twitter, "a".repeat(300), None),
            ("no threads", Platform::Linkedin, "a ".repeat(4_000), None),
            ("more than a thread", Platform::Threads, "a ".repeat(64_000), None),
        ] {
            assert_eq!(split(platform, &text), want, "{name}");
        }
        let many = split(Platform::Bluesky, &sentence.repeat(250)).unwrap();
        assert!(many.len() > 9 && many[0].ends_with(&format!("(1/{})", many.len())), "{many:?}");
    }

    proptest! {
        #[test]
        fn every_part_fits_and_nothing_is_lost(
            words in proptest::collection::vec("[a-zäß🍰.!?]{1,20}|\n\n", 1..300),
        ) {
            let text = words.join(" ");
            for platform in [Platform::Bluesky, Platform::Mastodon, Platform::Twitter] {
                let Some(parts) = split(platform, &text) else { continue };
                for part in &parts {
                    prop_assert_eq!(findings(platform, part), vec![], "{}", part);
                }
                let count = parts.len();
                let unnumbered = parts.iter().enumerate().map(|(index, part)| match count {
                    1 => part.as_str(),
                    _ => part.strip_suffix(&format!(" ({}/{count})", index + 1)).unwrap(),
                });
                let got: String = unnumbered.flat_map(|part| part.split_whitespace()).collect();
                let want: String = text.split_whitespace().collect();
                prop_assert_eq!(got, want);
            }
        }
    }
}
