//! Handles and addresses of posts on Bluesky.

/// A post on Bluesky, by its author and the key of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostAddress<'a> {
    /// The author's DID or handle.
    pub author: &'a str,
    /// The key of the record.
    pub key: &'a str,
}

/// The post that an address names: its page at bsky.app, or its at-uri.
///
/// Source: <https://atproto.com/specs/at-uri-scheme>; of the key,
/// <https://atproto.com/specs/record-key>.
///
/// ```
/// use scheduler_core::text::bluesky::post_address;
/// let page = post_address("https://bsky.app/profile/ana.example/post/3mabcdefghi2k").unwrap();
/// assert_eq!((page.author, page.key), ("ana.example", "3mabcdefghi2k"));
/// assert_eq!(post_address("https://bsky.app/profile/ana.example"), None);
/// ```
#[must_use]
pub fn post_address(text: &str) -> Option<PostAddress<'_>> {
    let text = text.trim();
    let (author, key) = if let Some(rest) = text.strip_prefix("at://") {
        rest.split_once("/app.bsky.feed.post/")?
    } else {
        let page = text.strip_prefix("https://bsky.app/profile/")?;
        page.split(['?', '#']).next()?.trim_end_matches('/').split_once("/post/")?
    };
    let is_key_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"._:~-".contains(&byte);
    let is_key = (1..=512).contains(&key.len()) && key.bytes().all(is_key_sign);
    let is_author = match author.strip_prefix("did:") {
        Some(rest) => {
            !rest.is_empty() && author.bytes().all(|byte| is_key_sign(byte) || byte == b'%')
        }
        None => is_handle(author),
    };
    (is_key && is_author).then_some(PostAddress { author, key })
}

/// Whether a text can be somebody's handle: a host name of at least two labels, of which the last
/// begins with a letter.
///
/// Source: <https://atproto.com/specs/handle>, "Handle Identifier Syntax".
///
/// ```
/// use scheduler_core::text::bluesky::is_handle;
/// assert!(is_handle("ana.example"));
/// assert!(!is_handle("ana") && !is_handle("ana.-example"));
/// ```
#[must_use]
pub fn is_handle(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    text.len() <= 253
        && text.contains('.')
        && text.split('.').all(is_label)
        && last.starts_with(|first: char| first.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_posts() {
        for (text, want) in [
            ("https://bsky.app/profile/ana.test/post/3mabc", Some(("ana.test", "3mabc"))),
            ("https://bsky.app/profile/did:plc:abc/post/3mabc/", Some(("did:plc:abc", "3mabc"))),
            ("https://bsky.app/profile/ana.test/post/3mabc?ref=x", Some(("ana.test", "3mabc"))),
            (" at://did:plc:abc/app.bsky.feed.post/3mabc ", Some(("did:plc:abc", "3mabc"))),
            ("at://ana.test/app.bsky.feed.post/3mabc", Some(("ana.test", "3mabc"))),
            ("at://did:plc:abc/app.bsky.feed.like/3mabc", None),
            ("https://bsky.app/profile/ana.test", None),
            ("https://bsky.app/profile/ana.test/post/", None),
            ("https://bsky.app/profile/ana/post/3mabc", None),
            ("https://bsky.app/profile/ana.test/post/3m/liked-by", None),
            ("https://example.com/profile/ana.test/post/3mabc", None),
            ("3mabc", None),
            ("", None),
        ] {
            let found = post_address(text).map(|found| (found.author, found.key));
            assert_eq!(found, want, "{text}");
        }
    }
}
