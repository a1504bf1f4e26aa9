//! Lengths, in the units that networks count in.

use unicode_segmentation::UnicodeSegmentation;

use super::{mastodon, twitter};
use crate::platform::TextUnit;

/// Counts extended grapheme clusters, what a reader takes for one character.
///
/// Source: <https://www.unicode.org/reports/tr29/>.
///
/// ```
/// use scheduler_core::text::count::{code_points, graphemes, utf8_bytes, utf16_units};
/// let family = "👨‍👩‍👧";
/// assert_eq!(graphemes(family), 1);
/// assert_eq!((code_points(family), utf16_units(family), utf8_bytes(family)), (5, 8, 18));
/// ```
#[must_use]
pub fn graphemes(text: &str) -> usize {
    if text.is_ascii() {
        // Among ASCII only CR LF makes one cluster of two characters.
        return text.len() - text.matches("\r\n").count();
    }
    text.graphemes(true).count()
}

/// Counts bytes of UTF-8.
#[must_use]
pub fn utf8_bytes(text: &str) -> usize {
    text.len()
}

/// Counts UTF-16 code units.
#[must_use]
pub fn utf16_units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Counts Unicode code points.
#[must_use]
pub fn code_points(text: &str) -> usize {
    text.chars().count()
}

/// Counts Unicode code points, and bytes of UTF-8 in place of them for emoji.
///
/// A grapheme cluster is an emoji when one of its characters is one outside ASCII, asks for the
/// emoji form, or makes a keycap or a flag.
///
/// ```
/// use scheduler_core::text::count::code_points_and_bytes_of_emoji;
/// assert_eq!(code_points_and_bytes_of_emoji("日本 👍🏽 1️⃣"), 2 + 1 + 8 + 1 + 7);
/// ```
#[must_use]
pub fn code_points_and_bytes_of_emoji(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    let length = |cluster: &str| {
        let is_emoji = !cluster.is_ascii() && cluster.chars().any(makes_emoji);
        if is_emoji { utf8_bytes(cluster) } else { code_points(cluster) }
    };
    text.graphemes(true).map(length).sum()
}

/// Whether a cluster that holds a character is an emoji.
fn makes_emoji(character: char) -> bool {
    const PRESENTATION_SELECTOR: char = '\u{fe0f}';
    const COMBINING_KEYCAP: char = '\u{20e3}';
    let is_listed = || emojis::get(character.encode_utf8(&mut [0; 4])).is_some();
    match character {
        PRESENTATION_SELECTOR | COMBINING_KEYCAP | '\u{1f1e6}'..='\u{1f1ff}' => true,
        _ => !character.is_ascii() && is_listed(),
    }
}

/// Counts tags as YouTube does: code points, one for each comma between tags, and two for the
/// quotes of a tag that holds a space.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos#snippet.tags[]>.
///
/// ```
/// use scheduler_core::text::count::tags_together;
/// assert_eq!(tags_together(&["rust", "two words"]), 4 + 1 + 11);
/// ```
#[must_use]
pub fn tags_together(tags: &[&str]) -> usize {
    let one = |tag: &&str| code_points(tag) + if tag.contains(' ') { 2 } else { 0 };
    tags.iter().map(one).sum::<usize>() + tags.len().saturating_sub(1)
}

/// Counts a text in `unit`, with the default weight of links where the unit gives them one.
///
/// ```
/// use scheduler_core::platform::{Platform, TextUnit};
/// use scheduler_core::text::count::length;
/// let text = "See https://example.com/a/long/way/to/an/article";
/// assert_eq!(length(TextUnit::TwitterCharacters, text), 27, "a link counts 23");
/// assert_eq!(length(Platform::Bluesky.sheet().text.unit, text), 48);
/// ```
#[must_use]
pub fn length(unit: TextUnit, text: &str) -> usize {
    match unit {
        TextUnit::CodePoints => code_points(text),
        TextUnit::Utf16Units => utf16_units(text),
        TextUnit::Bytes => utf8_bytes(text),
        TextUnit::EmojiInBytes => code_points_and_bytes_of_emoji(text),
        TextUnit::Graphemes => graphemes(text),
        TextUnit::MastodonCharacters => {
            mastodon::length(text, "", mastodon::CHARACTERS_RESERVED_PER_URL)
        }
        TextUnit::TwitterCharacters => twitter::length(text),
    }
}

/// Counts a text in `unit` if it is longer than `limit`; `None` when it is within.
///
/// A text with no more bytes than the limit is within it in every unit that gives links no weight,
/// so that most texts are not counted at all.
///
/// ```
/// use scheduler_core::platform::TextUnit;
/// use scheduler_core::text::count::over;
/// assert_eq!(over(TextUnit::CodePoints, "four", 4), None);
/// assert_eq!(over(TextUnit::CodePoints, "fourth", 4), Some(6));
/// ```
#[must_use]
pub fn over(unit: TextUnit, text: &str, limit: usize) -> Option<usize> {
    match unit {
        TextUnit::CodePoints
        | TextUnit::Utf16Units
        | TextUnit::Bytes
        | TextUnit::EmojiInBytes
        | TextUnit::Graphemes
            if text.len() <= limit =>
        {
            None
        }
        TextUnit::CodePoints
        | TextUnit::Utf16Units
        | TextUnit::Bytes
        | TextUnit::EmojiInBytes
        | TextUnit::Graphemes
        | TextUnit::MastodonCharacters => Some(length(unit, text)).filter(|length| *length > limit),
        TextUnit::TwitterCharacters => twitter::over(text, limit),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Source: the text vectors of TikTok (UTF-16), Discord and Telegram (code points).
    #[test]
    fn units_and_code_points() {
        for (name, text, want) in [
            ("ASCII", "Hello", (5, 5)),
            ("thumb", "👍", (2, 1)),
            ("family of three", "👨‍👩‍👧", (8, 5)),
            ("flag", "🇫🇷", (4, 2)),
            ("skin tone", "👍🏽", (4, 2)),
            ("combining", "e\u{301}", (2, 2)),
            ("kanji", "日", (1, 1)),
            ("highest", "\u{10ffff} \u{ffff}", (4, 3)),
            ("flag of England", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", (14, 7)),
        ] {
            assert_eq!((utf16_units(text), code_points(text)), want, "{name}");
        }
    }

    proptest! {
        #[test]
        fn counts_agree_with_their_definitions(text in ".{0,200}") {
            prop_assert_eq!(code_points(&text), text.char_indices().count());
            let above: usize = text.chars().filter(|c| u32::from(*c) > 0xffff).count();
            prop_assert_eq!(utf16_units(&text), code_points(&text) + above);
            let joined: String = text.graphemes(true).collect();
            prop_assert_eq!(&joined, &text);
            prop_assert_eq!(graphemes(&text), text.grapheme_indices(true).count());
        }

        #[test]
        fn graphemes_of_ascii_take_the_short_way_to_the_same_number(text in "[\\x00-\\x7f]{0,80}") {
            prop_assert_eq!(graphemes(&text), text.graphemes(true).count());
        }

        #[test]
        fn over_is_length_above_the_limit(
            text in "(\\PC|https://a\\.com | |@a@b\\.c ){0,60}",
            limit in 0_usize..80,
        ) {
            for unit in [
                TextUnit::CodePoints,
                TextUnit::Utf16Units,
                TextUnit::Bytes,
                TextUnit::EmojiInBytes,
                TextUnit::Graphemes,
                TextUnit::MastodonCharacters,
                TextUnit::TwitterCharacters,
            ] {
                let length = length(unit, &text);
                prop_assert_eq!(over(unit, &text, limit), (length > limit).then_some(length));
            }
        }
    }
}
