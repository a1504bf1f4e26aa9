//! What the network counts in texts.
//!
//! Source: <https://developers.facebook.com/documentation/threads/posts>; links since 2025-12-22
//! in <https://developers.facebook.com/documentation/threads/changelog>.

use std::collections::BTreeSet;

use super::error::ApiError;

/// Longest text, in bytes.
const TEXT_BYTES: usize = 500;
/// Most different links of a post.
const LINKS: usize = 5;

/// Checks a text and the link beside it.
///
/// # Errors
/// It is too long, or has too many links.
pub(super) fn check(text: &str, link: Option<&str>) -> Result<(), ApiError> {
    if text.len() > TEXT_BYTES {
        return Err(ApiError::parameter("Param text must be at most 500 characters long"));
    }
    let mut links = links(text);
    links.extend(link);
    if links.len() > LINKS {
        return Err(ApiError::parameter("THREADS_API__LINK_LIMIT_EXCEEDED"));
    }
    Ok(())
}

/// Returns the different links of a text.
fn links(text: &str) -> BTreeSet<&str> {
    let begins = ["http://", "https://", "www."];
    let words = text.split_whitespace().filter_map(|word| {
        let at = begins.iter().filter_map(|begin| word.find(begin)).min()?;
        let link = word.get(at..)?;
        Some(link.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']', '"', '\'']))
    });
    words.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_at_their_limits() {
        let urls = |count: usize| {
            (0..count).map(|at| format!("https://a.example/{at}")).collect::<Vec<_>>().join(" ")
        };
        let other = Some("https://b.example/");
        for (name, text, link, want) in [
            ("at the limit", "a".repeat(500), None, true),
            ("one over", "a".repeat(501), None, false),
            ("an apostrophe of 3 bytes", format!("{}’", "a".repeat(497)), None, true),
            ("one over with it", format!("{}’", "a".repeat(498)), None, false),
            ("an emoji of 4", format!("{}👍", "a".repeat(496)), None, true),
            ("one over with the emoji", format!("{}👍", "a".repeat(497)), None, false),
            ("a family of 25", format!("{}👨‍👩‍👧‍👦", "a".repeat(475)), None, true),
            ("166 signs of 3", "日".repeat(166), None, true),
            ("167 of them", "日".repeat(167), None, false),
            ("five links", urls(5), None, true),
            ("six links", urls(6), None, false),
            ("one link six times", "https://a.example ".repeat(6), None, true),
            ("five and another", urls(5), other, false),
            ("five and one of them", urls(5), Some("https://a.example/0"), true),
        ] {
            assert_eq!(check(&text, link).is_ok(), want, "{name}");
        }
    }
}
