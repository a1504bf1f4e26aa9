//! What a status says, from the HTML in which the API shows it.
//!
//! Source: <https://docs.joinmastodon.org/spec/activitypub/#sanitization>.

/// The plain text of HTML: a line for each line break, an empty line between paragraphs, nothing
/// of the tags.
pub(super) fn plain(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find(['<', '&']) {
        let (before, after) = rest.split_at(at);
        text.push_str(before);
        rest = match after.starts_with('<') {
            true => tag(after, &mut text),
            false => entity(after, &mut text),
        };
    }
    text.push_str(rest);
    text.trim().to_owned()
}

/// Passes over a tag, and writes what it stands for.
fn tag<'a>(html: &'a str, text: &mut String) -> &'a str {
    let Some(end) = html.find('>') else {
        // No tag at all.
        text.push('<');
        return &html[1..];
    };
    let (tag, rest) = (&html[1..end], &html[end + 1..]);
    let name = tag.split([' ', '/', '\n']).find(|part| !part.is_empty()).unwrap_or_default();
    match (name.to_ascii_lowercase().as_str(), tag.starts_with('/')) {
        ("br", _) => text.push('\n'),
        ("p" | "blockquote" | "ul" | "ol" | "pre" | "div", false) if !text.is_empty() => {
            text.truncate(text.trim_end_matches('\n').len());
            text.push_str("\n\n");
        }
        ("li", false) if !text.is_empty() && !text.ends_with('\n') => text.push('\n'),
        _ => {}
    }
    rest
}

/// Writes the character that an entity stands for; what is none stays as it is.
fn entity<'a>(html: &'a str, text: &mut String) -> &'a str {
    /// Characters of the longest entity that is read.
    const LONGEST: usize = 10;
    let name = html[1..].split_once(';').map(|(name, _)| name);
    let name = name.filter(|name| name.len() <= LONGEST);
    let number = |name: &str| {
        let digits = name.strip_prefix('#')?;
        let number = match digits.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => digits.parse().ok()?,
        };
        char::from_u32(number)
    };
    let character = name.and_then(|name| match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        name => number(name),
    });
    match (name, character) {
        (Some(name), Some(character)) => {
            text.push(character);
            &html[name.len() + 2..]
        }
        _ => {
            text.push('&');
            &html[1..]
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_statuses_look_like() {
        for (name, html, want) in [
            ("a paragraph", "<p>Hello</p>", "Hello"),
            ("two paragraphs", "<p>one</p><p>two</p>", "one\n\ntwo"),
            ("line breaks", "<p>one<br>two<br />three<BR/>four</p>", "one\ntwo\nthree\nfour"),
            (
                "a mention",
                r#"<p><span class="h-card"><a href="https://m.example/@ana" class="u-url mention">@<span>ana</span></a></span> thanks</p>"#,
                "@ana thanks",
            ),
            (
                "a shortened link",
                r#"<p><a href="https://a.example/x"><span class="invisible">https://</span><span class="ellipsis">a.example/</span><span class="invisible">x</span></a></p>"#,
                "https://a.example/x",
            ),
            (
                "entities",
                "<p>a &lt; b &amp;&amp; c &gt; d &quot;e&quot; &#39;f&#x27;</p>",
                "a < b && c > d \"e\" 'f'",
            ),
            ("entities of entities", "<p>&amp;lt;</p>", "&lt;"),
            ("no entity", "<p>R&D &c; &#xfffffff; AT&T</p>", "R&D &c; &#xfffffff; AT&T"),
            ("a list", "<p>of</p><ul><li>one</li><li>two</li></ul>", "of\n\none\ntwo"),
            ("a quote", "one<blockquote>two</blockquote><p>three</p>", "one\n\ntwo\n\nthree"),
            ("without tags", "plain", "plain"),
            ("no tag", "a < b", "a < b"),
            ("nothing", "", ""),
        ] {
            assert_eq!(plain(html), want, "{name}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_back(lines in proptest::collection::vec("[^\r\n\\s][^\r\n]{0,20}[^\r\n\\s]", 1..4)) {
            let escaped = |line: &String| {
                line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
            };
            let html: Vec<String> = lines.iter().map(escaped).collect();
            prop_assert_eq!(plain(&format!("<p>{}</p>", html.join("<br>"))), lines.join("\n"));
        }

        #[test]
        fn anything_is_read(html in ".{0,200}") {
            plain(&html);
        }
    }
}
