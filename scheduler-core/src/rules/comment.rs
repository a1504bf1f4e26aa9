//! How long a comment is.

use super::draft::widened;
use super::{Detail, Place, phrase};
use crate::platform::{AccountLimits, CommentLimit, Platform, TextBound, TextUnit};
use crate::text::{self, count};

/// What is wrong with the length of a comment on a network, as a sentence; `None` when nothing is
/// that is known.
///
/// ```
/// use scheduler_core::platform::{AccountLimits, Platform};
/// use scheduler_core::rules::comment_over_limit;
/// let limits = AccountLimits::default();
/// assert!(comment_over_limit(Platform::Instagram, &limits, &"a".repeat(300)).is_none());
/// assert!(comment_over_limit(Platform::Instagram, &limits, &"a".repeat(301)).is_some());
/// ```
#[must_use]
pub fn comment_over_limit(
    platform: Platform,
    limits: &AccountLimits,
    text: &str,
) -> Option<String> {
    let sheet = platform.sheet();
    let bound = match sheet.comment_limit {
        CommentLimit::Unknown => return None,
        CommentLimit::Bound(bound) => bound,
        CommentLimit::AsPost => TextBound {
            limit: limits.text_limit.unwrap_or(sheet.char_limit),
            unit: sheet.text.unit,
        },
    };
    let TextBound { limit, unit } = bound;
    let length = match unit {
        TextUnit::MastodonCharacters => {
            let reserved = limits
                .characters_reserved_per_url
                .map_or(text::mastodon::CHARACTERS_RESERVED_PER_URL, widened);
            text::mastodon::over(text, "", reserved, widened(limit))
        }
        TextUnit::CodePoints
        | TextUnit::Utf16Units
        | TextUnit::Bytes
        | TextUnit::EmojiInBytes
        | TextUnit::Graphemes
        | TextUnit::TwitterCharacters => count::over(unit, text, widened(limit)),
    }?;
    let detail = Detail::too_long(unit, length, widened(limit), Place::Comment);
    Some(phrase::sentence(Some(platform), &detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_of_comments() {
        use Platform as P;
        for (platform, fits, over) in [
            (P::Facebook, "é".repeat(8_000), Some("8001 characters for Facebook")),
            (P::Instagram, "é".repeat(300), Some("301 characters for Instagram")),
            (P::Linkedin, "😀".repeat(625), Some("1251 characters for LinkedIn")),
            (P::Bluesky, "👨‍👩‍👧".repeat(300), Some("301 characters for Bluesky")),
            (P::Mastodon, "é".repeat(500), Some("501 characters for Mastodon")),
            (P::Threads, "e".repeat(500), Some("501 ")),
            (P::Discord, "e".repeat(2_000), Some("2001 characters for Discord")),
            (P::Youtube, "e".repeat(20_000), None),
            (P::Telegram, "e".repeat(20_000), None),
        ] {
            let limits = AccountLimits::default();
            assert_eq!(comment_over_limit(platform, &limits, &fits), None, "{platform}");
            let found = comment_over_limit(platform, &limits, &format!("{fits}e"));
            let says = |found: &String| over.is_some_and(|over| found.contains(over));
            assert_eq!(found.as_ref().is_some_and(says), over.is_some(), "{platform}: {found:?}");
        }
    }

    #[test]
    fn a_server_may_set_another_limit() {
        let limits = AccountLimits { text_limit: Some(5_000), ..AccountLimits::default() };
        let found = comment_over_limit(Platform::Mastodon, &limits, &"e".repeat(5_000));
        assert_eq!(found, None);
        let found = comment_over_limit(Platform::Mastodon, &limits, &"e".repeat(5_001));
        assert!(found.is_some_and(|found| found.contains("the limit is 5000")));
    }
}
