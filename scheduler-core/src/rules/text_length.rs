//! How long a text is, as the network counts it.

use super::Rule;
use super::catalogue::Catalogue;
use super::draft::{TargetView, widened};
use super::issues::Issues;
use crate::platform::{CapabilitySheet, LimitWithMedia, TextUnit, TextWarning};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target { describe, run };

/// The limit that holds for the text of a target, in the unit of its sheet.
pub(super) fn limit(target: &TargetView<'_>) -> u32 {
    let figure = full_limit(target);
    match target.sheet.text.limit_with_media {
        LimitWithMedia::AnyFile(limit) if target.images + target.videos > 0 => limit,
        LimitWithMedia::OnlyImages(limit) if target.images > 0 && target.videos == 0 => limit,
        LimitWithMedia::Same | LimitWithMedia::AnyFile(_) | LimitWithMedia::OnlyImages(_) => figure,
    }
}

fn full_limit(target: &TargetView<'_>) -> u32 {
    target.limits.text_limit.unwrap_or(target.sheet.char_limit)
}

/// What a person should know of how a unit counts, for the end of a sentence.
pub(super) const fn hint(unit: TextUnit) -> &'static str {
    match unit {
        TextUnit::Bytes => " (emoji and accents take several bytes)",
        TextUnit::Utf16Units => " (emoji count 2 or more)",
        TextUnit::TwitterCharacters => " (links count 23, emoji and CJK count 2)",
        TextUnit::CodePoints | TextUnit::Graphemes | TextUnit::MastodonCharacters => "",
    }
}

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    if !target.carries_text() {
        return;
    }
    let (sheet, text, limit) = (target.sheet, target.composed.text(), limit(target));
    let (name, unit) = (sheet.short_name, sheet.text.unit);
    if let Some(length) = target.length_over(text, limit) {
        let beside = if limit < full_limit(target) { " beside files" } else { "" };
        let with = if target.composed.spoiler.is_some() { " with its content warning" } else { "" };
        issues.error(
            "text.too_long",
            format!(
                "Text{with} is {length} {} for {name}, the limit is {limit}{beside}{}.",
                unit.noun(),
                hint(unit)
            ),
        );
    } else if let Some(TextWarning { bound, sentence }) = sheet.text.warning
        && let Some(length) = count::over(bound.unit, text, widened(bound.limit))
    {
        issues.warning(
            "text.long",
            format!(
                "Text is {length} characters for {name}, more than {}. {sentence}",
                bound.limit
            ),
        );
    }
    if let Some(limit) = sheet.text.byte_limit
        && let Some(length) = count::over(TextUnit::Bytes, text, widened(limit))
    {
        issues.error(
            "text.too_many_bytes",
            format!(
                "Text is {length} bytes for {name}, the limit is {limit}{}.",
                hint(TextUnit::Bytes)
            ),
        );
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    let figures = &sheet.text;
    let (unit, hint) = (figures.unit.noun(), hint(figures.unit));
    let beside = match figures.limit_with_media {
        LimitWithMedia::Same => String::new(),
        LimitWithMedia::AnyFile(limit) => format!(", or {limit} beside files"),
        LimitWithMedia::OnlyImages(limit) => format!(", or {limit} beside images alone"),
    };
    list.error(
        "text.too_long",
        format!("The text has more than {} {unit}{hint}{beside}.", sheet.char_limit),
    );
    if let Some(limit) = figures.byte_limit {
        list.error("text.too_many_bytes", format!("The text has more than {limit} bytes."));
    }
    if let Some(TextWarning { bound, sentence }) = figures.warning {
        list.warning(
            "text.long",
            format!(
                "The text has more than {} {}. {sentence}",
                bound.limit,
                bound.unit.definition()
            ),
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image};
    use crate::platform::{AccountLimits, Platform};

    /// Source: the text vectors of each network.
    #[test]
    fn at_and_over_the_limit_of_every_network() {
        let family = "👨‍👩‍👧‍👦";
        for (name, platform, text, files, want) in [
            ("youtube 7", Platform::Youtube, "a".repeat(5000), 0, None),
            ("youtube 8", Platform::Youtube, "é".repeat(2500), 0, None),
            ("youtube 9", Platform::Youtube, "é".repeat(2501), 0, Some(5002)),
            ("youtube 10", Platform::Youtube, "日".repeat(1667), 0, Some(5001)),
            ("tiktok 3", Platform::Tiktok, format!("{}👍", "a".repeat(2198)), 0, None),
            ("tiktok 4", Platform::Tiktok, format!("{}👍", "a".repeat(2199)), 0, Some(2201)),
            ("tiktok 11", Platform::Tiktok, "a".repeat(4000), 1, None),
            ("tiktok 11, one over", Platform::Tiktok, "a".repeat(4001), 1, Some(4001)),
            ("tiktok 8", Platform::Tiktok, "日".repeat(2200), 0, None),
            ("instagram 2", Platform::Instagram, "a".repeat(2200), 1, None),
            ("instagram 2, one over", Platform::Instagram, "a".repeat(2201), 1, Some(2201)),
            ("facebook 2", Platform::Facebook, "a".repeat(63_206), 0, None),
            ("facebook 2, one over", Platform::Facebook, "a".repeat(63_207), 0, Some(63_207)),
            ("facebook 4", Platform::Facebook, "日".repeat(63_206), 0, None),
            ("threads 3", Platform::Threads, format!("{}’", "a".repeat(497)), 0, None),
            (
                "threads 3, one over",
                Platform::Threads,
                format!("{}’", "a".repeat(498)),
                0,
                Some(501),
            ),
            ("threads 6", Platform::Threads, "日".repeat(166), 0, None),
            ("threads 6, one over", Platform::Threads, "日".repeat(167), 0, Some(501)),
            ("twitter 2", Platform::Twitter, "a".repeat(280), 0, None),
            ("twitter 2, one over", Platform::Twitter, "a".repeat(281), 0, Some(281)),
            ("twitter 3", Platform::Twitter, "の".repeat(140), 0, None),
            ("twitter 3, one over", Platform::Twitter, "の".repeat(141), 0, Some(282)),
            (
                "twitter 6",
                Platform::Twitter,
                format!("Look https://example.com/{}", "p".repeat(300)),
                0,
                None,
            ),
            ("twitter 9", Platform::Twitter, family.repeat(140), 0, None),
            ("twitter 9, one over", Platform::Twitter, family.repeat(141), 0, Some(282)),
            ("twitter short links", Platform::Twitter, "t.co ".repeat(12), 0, Some(288)),
            ("linkedin 4", Platform::Linkedin, "😀".repeat(1500), 0, None),
            ("linkedin 4, one over", Platform::Linkedin, "😀".repeat(1501), 0, Some(3002)),
            ("pinterest 5", Platform::Pinterest, "😀".repeat(800), 1, None),
            ("pinterest 5, one over", Platform::Pinterest, "😀".repeat(801), 1, Some(801)),
            ("bluesky 2", Platform::Bluesky, "a".repeat(300), 0, None),
            ("bluesky 2, one over", Platform::Bluesky, "a".repeat(301), 0, Some(301)),
            ("bluesky 3", Platform::Bluesky, family.repeat(120), 0, None),
            ("bluesky 7", Platform::Bluesky, "a\r\n".repeat(150), 0, None),
            ("mastodon 7", Platform::Mastodon, family.repeat(500), 0, None),
            ("mastodon 2", Platform::Mastodon, "a".repeat(501), 0, Some(501)),
            ("telegram 4", Platform::Telegram, family.repeat(585), 0, None),
            ("telegram 5", Platform::Telegram, family.repeat(586), 0, Some(4102)),
            ("telegram 12", Platform::Telegram, "a".repeat(1024), 1, None),
            ("telegram 13", Platform::Telegram, "a".repeat(1025), 3, Some(1025)),
            ("discord 3", Platform::Discord, "👍".repeat(2000), 0, None),
            ("discord 5", Platform::Discord, family.repeat(286), 0, Some(2002)),
            ("tumblr 8", Platform::Tumblr, "a".repeat(64_000), 0, None),
            ("tumblr 9", Platform::Tumblr, "a".repeat(64_001), 0, Some(64_001)),
        ] {
            let mut post = Post::new(&text).to(platform, json!({}));
            post.media = vec![image(); files];
            let found = post.issues("text.too_long");
            let unit = platform.sheet().text.unit.noun();
            let start = want.map(|length| format!("Text is {length} {unit} for "));
            assert_eq!(found.len(), usize::from(want.is_some()), "{name}: {found:?}");
            if let (Some(issue), Some(start)) = (found.first(), start) {
                assert!(issue.message.starts_with(&start), "{name}: {}", issue.message);
            }
        }
    }

    #[test]
    fn the_message_says_how_long_and_what_is_allowed() {
        let found = Post::new(&"a".repeat(312)).to(Platform::Bluesky, json!({})).check();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].message, "Text is 312 characters for Bluesky, the limit is 300.");
        assert_eq!(found[0].rule, "bluesky.text.too_long");
        assert_eq!((found[0].platform, found[0].target), (Some(Platform::Bluesky), Some(0)));
    }

    #[test]
    fn the_message_says_that_files_lower_the_limit() {
        let mut post = Post::new(&"a".repeat(4097)).to(Platform::Telegram, json!({}));
        for (files, want) in [(0, "4096."), (1, "1024 beside files.")] {
            post.media = vec![image(); files];
            let want = format!("Text is 4097 characters for Telegram, the limit is {want}");
            assert_eq!(post.check()[0].message, want);
        }
    }

    #[test]
    fn the_message_for_x_says_how_x_counts() {
        let found = Post::new(&"の".repeat(141)).to(Platform::Twitter, json!({})).check();
        assert_eq!(
            found[0].message,
            "Text is 282 characters for X, the limit is 280 (links count 23, emoji and CJK count 2)."
        );
    }

    #[test]
    fn the_appended_link_counts_as_a_link() {
        for (letters, want) in [(256, 0), (257, 1)] {
            let mut post = Post::new(&"a".repeat(letters)).to(Platform::Twitter, json!({}));
            post.link_url = Some(format!("https://example.com/{}", "p".repeat(300)));
            assert_eq!(post.issues("text.too_long").len(), want, "{letters}");
        }
    }

    #[test]
    fn bluesky_counts_bytes_as_well() {
        let post = Post::new(&"👨‍👩‍👧‍👦".repeat(121)).to(Platform::Bluesky, json!({}));
        assert_eq!(
            post.check()[0].message,
            "Text is 3025 bytes for Bluesky, the limit is 3000 (emoji and accents take several bytes)."
        );
    }

    #[test]
    fn a_server_may_set_another_limit() {
        let mut post = Post::new(&"a".repeat(501)).to(Platform::Mastodon, json!({}));
        assert_eq!(post.issues("text.too_long").len(), 1);
        post.limits = AccountLimits { text_limit: Some(5000), ..AccountLimits::default() };
        assert_eq!(post.issues("text.too_long").len(), 0);
    }

    #[test]
    fn the_content_warning_counts_with_the_text() {
        let post = Post::new(&"a".repeat(499)).to(Platform::Mastodon, json!({"spoilerText": "CW"}));
        assert_eq!(
            post.check()[0].message,
            "Text with its content warning is 501 characters for Mastodon, the limit is 500."
        );
    }

    #[test]
    fn lengths_to_warn_of() {
        for (name, platform, text, want) in [
            ("instagram 3", Platform::Instagram, format!("{}👍", "a".repeat(2199)), 1),
            ("instagram 2", Platform::Instagram, "a".repeat(2200), 0),
            ("facebook 3", Platform::Facebook, format!("{}👍", "a".repeat(63_205)), 1),
            ("pinterest 2", Platform::Pinterest, "a".repeat(500), 0),
            ("pinterest 2, one over", Platform::Pinterest, "a".repeat(501), 1),
        ] {
            let post = Post::new(&text).to(platform, json!({}));
            assert_eq!(post.issues("text.long").len(), want, "{name}");
        }
    }
}
