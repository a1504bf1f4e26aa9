//! What is shown of a text: the little text format.
//!
//! An unescaped sign of the format raises no error; the text ends there.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format>;
//! the silent cut: <https://github.com/n8n-io/n8n/issues/22899>.

/// The signs of the format.
const RESERVED: [char; 15] =
    ['|', '{', '}', '@', '[', ']', '(', ')', '<', '>', '#', '\\', '*', '_', '~'];

/// Returns what is shown of a text.
pub(super) fn shown(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let after = &rest[sign.len_utf8()..];
        let (taken, left) = match sign {
            '\\' => match after.chars().next().filter(|next| RESERVED.contains(next)) {
                Some(next) => (next.to_string(), &after[next.len_utf8()..]),
                None => break,
            },
            '{' => match template(after) {
                Some(found) => found,
                None => break,
            },
            '@' => match mention(after) {
                Some(found) => found,
                None => break,
            },
            // A hashtag needs no notation.
            '#' if after.starts_with(char::is_alphanumeric) => ("#".to_owned(), after),
            reserved if RESERVED.contains(&reserved) => break,
            plain => (plain.to_string(), after),
        };
        shown.push_str(&taken);
        rest = left;
    }
    shown
}

/// Reads `hashtag|\#|word}`.
fn template(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix("hashtag|")?;
    let text = text.strip_prefix("\\#|").or_else(|| text.strip_prefix("#|"))?;
    let (word, rest) = text.split_once('}')?;
    Some((format!("#{}", shown(word)), rest))
}

/// Reads `[Name](urn:li:…)`.
fn mention(text: &str) -> Option<(String, &str)> {
    let (name, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (urn, rest) = rest.split_once(')')?;
    let is_known = urn.starts_with("urn:li:organization:") || urn.starts_with("urn:li:person:");
    is_known.then(|| (shown(name), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_unescaped_signs() {
        for (name, text, want) in [
            ("plain", "Hello, world!", "Hello, world!"),
            ("escaped", r"\(a\_b\) \@c", "(a_b) @c"),
            ("unescaped brackets", "Hello (world) again", "Hello "),
            ("unescaped underscore", "snake_case", "snake"),
            ("a template", r"{hashtag|\#|AI\_x} now", "#AI_x now"),
            ("a bare hashtag", "#rust now", "#rust now"),
            ("a bare sign", "C# now", "C"),
            ("a mention", "Hi @[Acme](urn:li:organization:1)!", "Hi Acme!"),
            ("a bare at", "me@example.com", "me"),
            ("a backslash", r"a\\b", r"a\b"),
            ("a lone backslash", r"a\b", "a"),
        ] {
            assert_eq!(shown(text), want, "{name}");
        }
    }
}
