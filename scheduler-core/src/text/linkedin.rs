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
