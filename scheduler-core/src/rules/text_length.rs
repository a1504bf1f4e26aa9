//! How long a text is, as the network counts it.

use std::fmt;

use super::draft::{Part, TargetView, widened};
use super::inspection::OfTarget;
use super::{Detail, Place, Rule, WhyLong, phrase};
use crate::platform::{LimitWithMedia, TextBound, TextUnit, TextWarning};
use crate::text::count;

pub(super) const RULE: Rule = Rule::Target(rule);

/// The text of a target, or the first part of a thread, with its limit; `None` where the network
/// gets no text.
pub(super) fn part<'a>(target: &'a TargetView<'_>) -> Option<Part<'a>> {
    let (text, limit) = (target.composed.text(), widened(limit(target)));
    target.carries_text().then_some(Part { text, limit })
}

/// The limit that holds for the text of a target, in the unit of its sheet.
pub(super) fn limit(target: &TargetView<'_>) -> u32 {
    let figure = full_limit(target);
    match target.sheet.text.limit_with_media {
        LimitWithMedia::AnyFile(limit) if !target.media.is_empty() => limit,
        LimitWithMedia::OnlyImages(limit) if target.images > 0 && target.videos == 0 => limit,
        LimitWithMedia::Same | LimitWithMedia::AnyFile(_) | LimitWithMedia::OnlyImages(_) => figure,
    }
}

/// The limit of a text without files.
pub(super) fn full_limit(target: &TargetView<'_>) -> u32 {
    target.limits.text_limit.unwrap_or(target.sheet.char_limit)
}

fn rule(on: &mut OfTarget<'_, '_>) {
    let (sheet, figures) = (on.sheet, &on.sheet.text);
    let beside = fmt::from_fn(|f| match figures.limit_with_media {
        LimitWithMedia::Same => Ok(()),
        LimitWithMedia::AnyFile(limit) => write!(f, ", or {limit} beside files"),
        LimitWithMedia::OnlyImages(limit) => write!(f, ", or {limit} beside images alone"),
    });
    let (noun, hint) = (figures.unit.noun(), phrase::hint(figures.unit));
    let too_long = on.error(
        ("text", "too_long"),
        format_args!("The text has more than {} {noun}{hint}{beside}.", sheet.char_limit),
    );
    let too_many_bytes = figures.byte_limit.map(|limit| {
        let when = format_args!("The text has more than {limit} bytes.");
        (on.error(("text", "too_many_bytes"), when), widened(limit))
    });
    let long = figures.warning.map(|TextWarning { bound: TextBound { limit, unit }, sentence }| {
        let definition = unit.definition();
        let when = format_args!("The text has more than {limit} {definition}. {sentence}");
        (on.warning(("text", "long"), when), unit, widened(limit), WhyLong::Sheet(sentence))
    });
    let Some(target) = on.subject() else { return };
    let Some(Part { text, limit }) = part(target) else { return };
    if let Some(found) = target.length_over(text, limit) {
        let detail = Detail::TooLong {
            unit: figures.unit,
            found,
            most: limit,
            place: Place::Text,
            with_warning: target.composed.spoiler.is_some(),
            beside_files: limit < widened(full_limit(target)),
        };
        on.report(too_long, detail);
    } else if let Some((long, unit, most, why)) = long
        && let Some(found) = count::over(unit, text, most)
    {
        on.report(long, Detail::Long { unit, found, most, place: Place::Text, why });
    }
    if let Some((too_many_bytes, most)) = too_many_bytes
        && let Some(found) = count::over(TextUnit::Bytes, text, most)
    {
        on.report(too_many_bytes, Detail::too_long(TextUnit::Bytes, found, most, Place::Text));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image};
    use crate::platform::{AccountLimits, Platform};

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
    fn short_links_count_more_than_their_bytes() {
        let post = Post::new(&"t.co ".repeat(12)).to(Platform::Twitter, json!({}));
        assert!(post.check()[0].message.starts_with("Text is 288 characters for X"));
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
