//! What readers see of a text in LinkedIn's little text format.

/// The text that readers see: escapes, hashtags and mentions taken out of their notation.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format>.
pub(super) fn visible(little: &str) -> String {
    let mut seen = String::with_capacity(little.len());
    let mut rest = little;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        match character {
            '\\' => {
                if let Some(escaped) = rest.chars().next() {
                    seen.push(escaped);
                    rest = &rest[escaped.len_utf8()..];
                }
            }
            '{' => match hashtag(rest) {
                Some((word, after)) => {
                    seen.push('#');
                    seen.push_str(&visible(word));
                    rest = after;
                }
                None => seen.push('{'),
            },
            '@' => match mention(rest) {
                Some((name, after)) => {
                    seen.push_str(&visible(name));
                    rest = after;
                }
                None => seen.push('@'),
            },
            other => seen.push(other),
        }
    }
    seen
}

/// The word of a hashtag and what follows it, behind its brace.
fn hashtag(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix("hashtag|")?;
    let text = text.strip_prefix("\\#|").or_else(|| text.strip_prefix("#|"))?;
    text.split_once('}')
}

/// The name of a mention and what follows it, behind its sign.
fn mention(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.strip_prefix('[')?.split_once("](")?;
    let (_, after) = after.split_once(')')?;
    Some((name, after))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use scheduler_core::text::linkedin::little_text;

    use super::*;

    #[test]
    fn notations_as_readers_see_them() {
        for (name, little, want) in [
            ("plain", "Hello", "Hello"),
            ("escapes", r"\(a\) b\_c \\", r"(a) b_c \"),
            ("a hashtag", r"{hashtag|\#|AI\_마케팅} now", "#AI_마케팅 now"),
            ("a hashtag as it is read back", "{hashtag|#|rust}", "#rust"),
            ("a mention", "Hi @[Devtestco](urn:li:organization:1)!", "Hi Devtestco!"),
            ("an escaped sign", r"me\@example.com", "me@example.com"),
            ("nothing of it", "{a} @b", "{a} @b"),
            ("an escape at the end", "a\\", "a"),
        ] {
            assert_eq!(visible(little), want, "{name}");
        }
    }

    proptest! {
        #[test]
        fn what_is_sent_is_seen(text in "(\\PC|[|{}@\\[\\]()<>#*_~\\\\]|#[a-z_0-9]{1,4}| |\n){0,40}") {
            prop_assert_eq!(visible(&little_text(&text, &[])), text);
        }
    }
}
