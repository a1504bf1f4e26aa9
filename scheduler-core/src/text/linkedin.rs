//! LinkedIn's little text format: what is sent for the text that readers see.

use std::borrow::Cow;

use super::entities::hashtags_outside_links;

/// Signs that LinkedIn reads as its own unless a backslash stands before them.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format>.
pub const RESERVED: [char; 15] =
    ['|', '{', '}', '@', '[', ']', '(', ')', '<', '>', '#', '\\', '*', '_', '~'];

/// Writes a text in the little text format, so that readers see exactly that text.
///
/// Each reserved sign gets a backslash, inside links too, and each hashtag becomes the template
/// `{hashtag|\#|word}`. Nobody is mentioned: that takes the identifier of a person or page.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format>.
///
/// ```
/// use scheduler_core::text::linkedin::little_text;
/// assert_eq!(little_text("Join (us) #now"), r"Join \(us\) {hashtag|\#|now}");
/// ```
#[must_use]
pub fn little_text(text: &str) -> Cow<'_, str> {
    if !text.contains(RESERVED) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() * 2);
    let mut from = 0;
    for hashtag in hashtags_outside_links(text) {
        escape(&text[from..hashtag.start], &mut written);
        written.push_str("{hashtag|\\#|");
        escape(&text[hashtag.start + 1..hashtag.end], &mut written);
        written.push('}');
        from = hashtag.end;
    }
    escape(&text[from..], &mut written);
    Cow::Owned(written)
}

/// What can be shared, by the word in the middle of its name.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>,
/// "Reshare a post"; the network's answer to another name is "Allowed URN types are groupPost, share,
/// ugcPost".
const SHARED: [&str; 3] = ["share", "ugcPost", "groupPost"];

/// The name of the post that a name or an address speaks of, where LinkedIn lets it be shared:
/// `urn:li:share:1`, `urn:li:ugcPost:1` or `urn:li:groupPost:1-2`.
///
/// `None` for anything else, such as the name of an activity, which most addresses of posts hold:
/// nothing tells the post that it belongs to.
///
/// ```
/// use scheduler_core::text::linkedin::shared_post;
/// let address = "https://www.linkedin.com/feed/update/urn:li:share:7141138937766391808/";
/// assert_eq!(shared_post(address).as_deref(), Some("urn:li:share:7141138937766391808"));
/// assert_eq!(shared_post("urn:li:activity:7141138937766391808"), None);
/// ```
#[must_use]
pub fn shared_post(text: &str) -> Option<String> {
    let text = text.trim().replace("%3A", ":").replace("%3a", ":");
    let is_name = text.starts_with("urn:li:");
    let is_address = ["https://www.linkedin.com/", "https://linkedin.com/"]
        .iter()
        .any(|start| text.starts_with(start));
    SHARED.iter().find_map(|kind| {
        let name = text.split_once(&format!("urn:li:{kind}:")).map(|(_, after)| after);
        // An address in words: `/posts/acme_we-are-hiring-share-7141138937766391808-abcd`.
        let words = || text.split_once(&format!("-{kind}-")).map(|(_, after)| after);
        let after = match (is_name, is_address) {
            (true, _) => name?,
            (false, true) => name.or_else(words)?,
            (false, false) => return None,
        };
        let is_of_group = *kind == "groupPost";
        let end = after.find(|sign: char| !(sign.is_ascii_digit() || (is_of_group && sign == '-')));
        let number = &after[..end.unwrap_or(after.len())];
        let is_whole = !is_name || end.is_none();
        let number = Some(number.trim_end_matches('-')).filter(|number| !number.is_empty());
        number.filter(|_| is_whole).map(|number| format!("urn:li:{kind}:{number}"))
    })
}

fn escape(text: &str, written: &mut String) {
    for character in text.chars() {
        if RESERVED.contains(&character) {
            written.push('\\');
        }
        written.push(character);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn posts_that_can_be_shared() {
        for (text, want) in [
            ("urn:li:share:714", Some("urn:li:share:714")),
            (" urn:li:ugcPost:714 ", Some("urn:li:ugcPost:714")),
            ("urn:li:groupPost:12-714", Some("urn:li:groupPost:12-714")),
            ("https://www.linkedin.com/feed/update/urn:li:share:714/", Some("urn:li:share:714")),
            (
                "https://www.linkedin.com/feed/update/urn%3Ali%3AugcPost%3A714?x=1",
                Some("urn:li:ugcPost:714"),
            ),
            (
                "https://www.linkedin.com/posts/acme_we-are-hiring-share-714-AbCd",
                Some("urn:li:share:714"),
            ),
            ("https://www.linkedin.com/posts/acme_we-are-hiring-activity-714-AbCd", None),
            ("https://www.linkedin.com/feed/update/urn:li:activity:714/", None),
            ("urn:li:activity:714", None),
            ("urn:li:share:", None),
            ("urn:li:share:714x", None),
            ("https://example.com/urn:li:share:714", None),
            ("714", None),
            ("", None),
        ] {
            assert_eq!(shared_post(text).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn texts_as_they_are_sent() {
        for (name, text, want) in [
            ("nothing reserved", "Hello, world!", "Hello, world!"),
            ("every sign", "|{}@[]()<>#\\*_~", r"\|\{\}\@\[\]\(\)\<\>\#\\\*\_\~"),
            ("a hashtag", "#rust now", r"{hashtag|\#|rust} now"),
            ("two", "#a, #b", r"{hashtag|\#|a}, {hashtag|\#|b}"),
            ("a hashtag in brackets", "(#a)", r"\({hashtag|\#|a}\)"),
            ("any script", "#AI_마케팅", r"{hashtag|\#|AI\_마케팅}"),
            ("digits only", "#2024", r"\#2024"),
            ("after a word", "C# a#b", r"C\# a\#b"),
            ("a fragment", "https://a.example/#top", r"https://a.example/\#top"),
            (
                "a fragment, then a hashtag",
                "https://a.example/#top #b",
                r"https://a.example/\#top {hashtag|\#|b}",
            ),
            ("a mention", "@[Name](urn:li:person:a)", r"\@\[Name\]\(urn:li:person:a\)"),
            ("a template", r"{hashtag|\#|a}", r"\{hashtag\|\\\#\|a\}"),
            ("line feeds", "a\n\nb", "a\n\nb"),
        ] {
            assert_eq!(little_text(text), want, "{name}");
        }
    }

    /// What a reader sees of a little text: templates and escapes taken out again.
    fn seen(written: &str) -> Option<String> {
        let (mut seen, mut rest) = (String::new(), written);
        while let Some(character) = rest.chars().next() {
            rest = &rest[character.len_utf8()..];
            match character {
                '\\' => {
                    let escaped = rest.chars().next().filter(|sign| RESERVED.contains(sign))?;
                    seen.push(escaped);
                    rest = &rest[1..];
                }
                '{' => {
                    rest = rest.strip_prefix("hashtag|\\#|")?;
                    seen.push('#');
                }
                // The end of a template, which holds no other brace.
                '}' => {}
                reserved if RESERVED.contains(&reserved) => return None,
                plain => seen.push(plain),
            }
        }
        Some(seen)
    }

    proptest! {
        #[test]
        fn readers_see_the_text(
            text in "(\\PC|[|{}@\\[\\]()<>#*_~\\\\]|#[a-z_0-9]{1,4}|https://a\\.b/| |\n){0,60}"
        ) {
            let written = little_text(&text);
            let seen = seen(&written);
            prop_assert_eq!(seen.as_deref(), Some(text.as_str()));
            prop_assert!(written.len() >= text.len());
        }
    }
}
