//! What a longer text does to its count, in each unit.

use proptest::prelude::*;
use scheduler_core::platform::TextUnit;
use scheduler_core::text::count::length;

/// Characters that join, split or change their neighbours, beside ordinary ones.
fn any_character() -> impl Strategy<Value = char> {
    prop_oneof![
        any::<char>(),
        prop::sample::select(vec![
            'a',
            ' ',
            '\r',
            '\n',
            '.',
            '/',
            '@',
            '#',
            '\u{301}',
            '\u{200d}',
            '\u{fe0f}',
            '\u{20e3}',
            '👨',
            '👩',
            '\u{1f3fd}',
            '🇫',
            '🇷',
            'क',
            '\u{94d}',
            'ष',
            'ᄒ',
            'ᅡ',
            'ᆫ',
            '日',
        ]),
    ]
}

fn any_text() -> impl Strategy<Value = String> {
    prop::collection::vec(any_character(), 0..40).prop_map(|text| text.into_iter().collect())
}

proptest! {
    /// Code points, UTF-16 units and bytes count each character for itself, wherever it stands.
    #[test]
    fn a_character_counts_for_itself(text in any_text(), added in any_character(), at in 0..41_usize) {
        let at = text.char_indices().map(|(at, _)| at).nth(at).unwrap_or(text.len());
        let longer = format!("{}{added}{}", &text[..at], &text[at..]);
        for (unit, own) in [
            (TextUnit::CodePoints, 1),
            (TextUnit::Utf16Units, added.len_utf16()),
            (TextUnit::Bytes, added.len_utf8()),
        ] {
            prop_assert_eq!(length(unit, &longer), length(unit, &text) + own, "{:?}", unit);
        }
    }

    /// A character at the end joins the last cluster or begins a new one, and changes no other.
    #[test]
    fn a_character_at_the_end_makes_at_most_one_grapheme_cluster(
        text in any_text(),
        added in any_character(),
    ) {
        let before = length(TextUnit::Graphemes, &text);
        let after = length(TextUnit::Graphemes, &format!("{text}{added}"));
        prop_assert!(after == before || after == before + 1, "{before}, then {after}");
    }

    /// Clusters are never more than the code points that they are made of.
    #[test]
    fn units_are_ordered(text in any_text()) {
        let of = |unit| length(unit, &text);
        prop_assert!(of(TextUnit::Graphemes) <= of(TextUnit::CodePoints));
        prop_assert!(of(TextUnit::CodePoints) <= of(TextUnit::Utf16Units));
        prop_assert!(of(TextUnit::Utf16Units) <= of(TextUnit::Bytes));
        prop_assert!(of(TextUnit::CodePoints) <= of(TextUnit::EmojiInBytes));
        prop_assert!(of(TextUnit::EmojiInBytes) <= of(TextUnit::Bytes));
    }
}

/// Where a longer text may count less: a character that joins two clusters, or makes a link.
#[test]
fn a_longer_text_that_counts_less() {
    let path = "p".repeat(40);
    for (name, unit, text, longer) in [
        ("joined in the middle", TextUnit::Graphemes, "👨👩".to_owned(), "👨\u{200d}👩".to_owned()),
        (
            "a link for Mastodon",
            TextUnit::MastodonCharacters,
            format!("ttps://example.com/{path}"),
            format!("https://example.com/{path}"),
        ),
        (
            "a link for X",
            TextUnit::TwitterCharacters,
            format!("https://example.co_/{path}"),
            format!("https://example.com/{path}"),
        ),
    ] {
        assert!(length(unit, &longer) < length(unit, &text), "{name}");
    }
}
