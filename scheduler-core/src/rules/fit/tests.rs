use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation as _;

use super::*;
use crate::platform::TextUnit;
use crate::text::count;

fn rules(platform: Platform, text: &str) -> String {
    let rules: Vec<String> =
        findings(platform, text).into_iter().map(|finding| finding.rule).collect();
    rules.join(" ")
}

#[test]
fn only_what_is_wrong_with_the_text_is_found() {
    for (name, platform, text, want) in [
        ("a video is missing", Platform::Youtube, "Hi".to_owned(), ""),
        ("a picture is missing", Platform::Instagram, "Hi".to_owned(), ""),
        ("a board is missing", Platform::Pinterest, "Hi".to_owned(), ""),
        ("too long", Platform::Twitter, "a ".repeat(200), "text.too_long"),
        ("too many bytes", Platform::Bluesky, "👨‍👩‍👧‍👦".repeat(200), "text.too_many_bytes"),
        ("a bracket", Platform::Youtube, "1 < 2".to_owned(), "text.forbidden_character"),
        ("hashtags", Platform::Instagram, "#a1 ".repeat(31), "hashtags.too_many"),
        ("paragraphs", Platform::Tumblr, "a\n\n".repeat(1_001), "text.too_many_paragraphs"),
        ("nothing to see", Platform::Telegram, "\u{200b}".to_owned(), "text.missing"),
        ("a mention is a warning", Platform::Twitter, "hi @bob".to_owned(), ""),
    ] {
        assert_eq!(rules(platform, &text), want, "{name}");
    }
}

#[test]
fn texts_are_cut_at_the_end_of_a_word() {
    let link = format!("https://example.com/{}", "a".repeat(300));
    for (name, platform, text, want) in [
        ("it fits", Platform::Twitter, " Hello ".to_owned(), Some("Hello".to_owned())),
        (
            "a word over the limit goes whole",
            Platform::Twitter,
            format!("{}bbbb", "a ".repeat(139)),
            Some("a ".repeat(139).trim_end().to_owned()),
        ),
        (
            "a link counts 23 on X and stays whole",
            Platform::Twitter,
            format!("{}{link} b", "a ".repeat(128)),
            Some(format!("{}{link}", "a ".repeat(128))),
        ),
        (
            "a link that does not fit goes whole",
            Platform::Twitter,
            format!("{}{link} b", "a ".repeat(129)),
            Some("a ".repeat(129).trim_end().to_owned()),
        ),
        (
            "a family is one character",
            Platform::Bluesky,
            "👨‍👩‍👧 ".repeat(151),
            Some("👨‍👩‍👧 ".repeat(150).trim_end().to_owned()),
        ),
        ("Japanese", Platform::Twitter, format!("今日 {}", "日".repeat(200)), {
            Some(format!("今日 {}", "日".repeat(137)))
        }),
        (
            "a link after Japanese",
            Platform::Twitter,
            format!("{}https://例え.jp/見", "日".repeat(139)),
            Some("日".repeat(139)),
        ),
        (
            "a hashtag in Japanese stays whole",
            Platform::Twitter,
            format!("{}。#日本語日本語", "日".repeat(137)),
            Some(format!("{}。", "日".repeat(137))),
        ),
        (
            "more than any post holds",
            Platform::Facebook,
            "word ".repeat(100_000),
            Some("word ".repeat(12_641).trim_end().to_owned()),
        ),
        ("one word that is too long", Platform::Twitter, "a".repeat(281), None),
        ("one link that is too long", Platform::Bluesky, link.clone(), None),
        ("nothing", Platform::Bluesky, " \n".to_owned(), None),
        ("nothing to see", Platform::Telegram, "\u{200b}".to_owned(), None),
        ("brackets go", Platform::Youtube, "1 < 2 > 0".to_owned(), Some("1  2  0".to_owned())),
    ] {
        assert_eq!(fitted(platform, &text), want, "{name}");
    }
}

#[test]
fn what_is_too_much_is_dropped_from_the_end() {
    let links = |count: usize| {
        let links: Vec<String> = (0..count).map(|n| format!("https://example.com/{n}")).collect();
        links.join(" ")
    };
    for (name, platform, text, want) in [
        ("hashtags", Platform::Instagram, "#t1 ".repeat(40), "#t1 ".repeat(30)),
        ("mentions", Platform::Instagram, format!("{}end", "@u1 ".repeat(22)), {
            format!("{}end", "@u1 ".repeat(20))
        }),
        ("cashtags", Platform::Twitter, "Buy $A not $B.".to_owned(), "Buy $A not.".to_owned()),
        ("links", Platform::Threads, links(7), links(5)),
        (
            "a link that is repeated",
            Platform::Threads,
            format!("{} https://example.com/0", links(6)),
            format!("{} https://example.com/0", links(5)),
        ),
    ] {
        assert_eq!(fitted(platform, &text).as_deref(), Some(want.trim_end()), "{name}");
    }
}

fn platforms() -> impl Strategy<Value = Platform> {
    proptest::sample::select(Platform::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_was_made_to_fit_fits(
        platform in platforms(),
        words in proptest::collection::vec(
            prop_oneof![
                8 => "[a-z]{1,12}",
                2 => "#[a-z]{1,8}",
                1 => "@[a-z]{1,8}",
                1 => "\\$[A-Z]{1,4}",
                2 => "https://[a-z]{1,8}\\.com/[a-z]{0,40}",
                2 => "[日本語にほん]{1,40}",
                1 => "(👨‍👩‍👧|🇫🇷|👍🏽|e\u{301}){1,6}",
                1 => "[<>\u{feff}\u{200b}]{1,3}",
            ],
            1..1_200,
        ),
        space in prop_oneof![Just(" "), Just("\n\n"), Just(" \u{301}")],
    ) {
        // A first word that fits everywhere, so that something is always left.
        let text = format!("Hello{space}{}", words.join(space));
        let fit = fitted(platform, &text);
        prop_assert!(fit.is_some(), "{platform}: nothing is left");
        let fit = fit.unwrap_or_default();
        prop_assert_eq!(rules(platform, &fit), "", "{}", platform);
        prop_assert!(fit.len() <= text.len());
    }

    #[test]
    fn a_cut_stands_between_words(
        platform in platforms(),
        words in proptest::collection::vec("[a-z]{1,12}|https://[a-z]{1,8}\\.com/[a-z]{0,40}|日本|👨‍👩‍👧", 1..1_500),
    ) {
        let text = words.join(" ");
        let Some(fit) = fitted(platform, &text) else { return Ok(()) };
        // Links that a network does not allow so often may be gone.
        if platform == Platform::Threads {
            return Ok(());
        }
        prop_assert!(text.starts_with(&fit));
        let is_border = text.grapheme_indices(true).any(|(at, _)| at == fit.len());
        prop_assert!(is_border || fit.len() == text.len());
        for link in entities::links(&text) {
            prop_assert!(fit.len() <= link.start || fit.len() >= link.end, "a cut link");
        }
        // As much as fits is kept: one more word would be too long.
        if fit.len() < text.len() {
            let rest = text[fit.len()..].trim_start();
            let next = rest.split(' ').next().unwrap_or_default();
            let longer = &text[..text.len() - rest.len() + next.len()];
            prop_assert!(!rules(platform, longer).is_empty(), "{} more would fit", platform);
        }
    }

    #[test]
    fn texts_of_any_characters_fit_or_are_given_up(platform in platforms(), text in "\\PC{0,700}") {
        if let Some(fit) = fitted(platform, &text) {
            prop_assert_eq!(rules(platform, &fit), "");
            prop_assert!(!fit.trim().is_empty());
            prop_assert!(count::length(TextUnit::CodePoints, &fit) <= text.chars().count());
        }
    }
}
