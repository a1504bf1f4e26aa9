//! What the network counts in texts.
//!
//! Source: <https://developers.facebook.com/documentation/threads/reference/publishing>, `text`; links since 2025-12-22
//! in <https://developers.facebook.com/documentation/threads/changelog>.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::error::ApiError;
use crate::params::text;

/// Longest text, in characters, of which emoji count their bytes.
const TEXT_LIMIT: usize = 500;
/// Most different links of a post.
const LINKS: usize = 5;
/// Most blurred stretches of a text.
const ENTITIES: usize = 10;
/// Longest text behind a post, in characters.
const ATTACHED: usize = 10_000;

/// Checks a text and the link beside it.
///
/// # Errors
/// It is too long, or has too many links.
pub(super) fn check(text: &str, link: Option<&str>) -> Result<(), ApiError> {
    if length(text) > TEXT_LIMIT {
        return Err(ApiError::parameter("Param text must be at most 500 characters long"));
    }
    let mut links = links(text);
    links.extend(link);
    if links.len() > LINKS {
        return Err(ApiError::parameter("THREADS_API__LINK_LIMIT_EXCEEDED"));
    }
    Ok(())
}

/// Checks which stretches of a text are blurred.
///
/// Source: <https://developers.facebook.com/documentation/threads/create-posts/spoilers>.
///
/// # Errors
/// They cannot be read, are too many, or are outside of the text.
pub(super) fn check_entities(params: &Map<String, Value>, said: &str) -> Result<(), ApiError> {
    let Some(given) = text(params, "text_entities") else { return Ok(()) };
    let entities: Vec<Value> = serde_json::from_str(&given)
        .map_err(|_| ApiError::parameter("Param text_entities must be an array"))?;
    let length = said.chars().count() as u64;
    let mut end = 0;
    let is_right = |entity: &Value| {
        let (Some(offset), Some(long)) = (entity["offset"].as_u64(), entity["length"].as_u64())
        else {
            return false;
        };
        let is_free = offset >= end && long > 0;
        end = offset.saturating_add(long);
        entity["entity_type"] == "SPOILER" && is_free && end <= length
    };
    match entities.len() <= ENTITIES && entities.iter().all(is_right) {
        true => Ok(()),
        false => {
            let message = "Param text_entities must have at most 10 spoilers within the text";
            Err(ApiError::parameter(message))
        }
    }
}

/// Checks the text behind a post.
///
/// Source: <https://developers.facebook.com/documentation/threads/create-posts/text-attachments>.
///
/// # Errors
/// It cannot be read, is too long, has too many links, or is beside what it does not go with.
pub(super) fn check_attachment(
    params: &Map<String, Value>,
    said: &str,
    is_text: bool,
    has_link: bool,
) -> Result<(), ApiError> {
    let Some(given) = text(params, "text_attachment") else { return Ok(()) };
    let attached: Map<String, Value> = serde_json::from_str(&given)
        .map_err(|_| ApiError::parameter("Param text_attachment must be an object"))?;
    let plain = attached.get("plaintext").and_then(Value::as_str).unwrap_or_default();
    let link = attached.get("link_attachment_url").and_then(Value::as_str);
    if !is_text || params.contains_key("poll_attachment") || (link.is_some() && has_link) {
        let message = "Param text_attachment is only allowed for text without a poll";
        return Err(ApiError::parameter(message));
    }
    let length = plain.chars().count();
    let is_right = |range: &Value| {
        let (offset, long) = (range["offset"].as_u64(), range["length"].as_u64());
        let end = offset.zip(long).map(|(offset, long)| offset.saturating_add(long));
        let styles = range["styling_info"].as_array();
        end.is_some_and(|end| end <= length as u64) && styles.is_some_and(|all| !all.is_empty())
    };
    let styled = attached.get("text_with_styling_info").and_then(Value::as_array);
    if !(1..=ATTACHED).contains(&length) || !styled.into_iter().flatten().all(is_right) {
        let message = "Param text_attachment must have at most 10000 characters and styles in them";
        return Err(ApiError::parameter(message));
    }
    let both = format!("{said} {plain}");
    let mut links = links(&both);
    links.extend(link);
    if links.len() > LINKS {
        return Err(ApiError::parameter("THREADS_API__LINK_LIMIT_EXCEEDED"));
    }
    Ok(())
}

/// Counts the characters of a text, and bytes in place of them for emoji.
fn length(text: &str) -> usize {
    let mut follows_emoji = false;
    let counts = |character: char| {
        follows_emoji = match character {
            '\u{1f000}'..='\u{1faff}'
            | '\u{231a}'..='\u{23ff}'
            | '\u{2600}'..='\u{27bf}'
            | '\u{2b05}'..='\u{2b55}'
            | '\u{fe0f}'
            | '\u{20e3}' => true,
            // A joiner, and the tags of flags of regions.
            '\u{200d}' | '\u{e0020}'..='\u{e007f}' => follows_emoji,
            _ => false,
        };
        if follows_emoji { character.len_utf8() } else { 1 }
    };
    text.chars().map(counts).sum()
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
            ("an apostrophe", format!("{}’", "a".repeat(499)), None, true),
            ("one over with it", format!("{}’", "a".repeat(500)), None, false),
            ("an emoji of 4", format!("{}👍", "a".repeat(496)), None, true),
            ("one over with the emoji", format!("{}👍", "a".repeat(497)), None, false),
            ("a family of 25", format!("{}👨‍👩‍👧‍👦", "a".repeat(475)), None, true),
            ("one over with the family", format!("{}👨‍👩‍👧‍👦", "a".repeat(476)), None, false),
            ("500 signs", "日".repeat(500), None, true),
            ("501 of them", "日".repeat(501), None, false),
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
