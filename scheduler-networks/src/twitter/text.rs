//! Texts as X gives them back: links shortened, a few signs written as in HTML.

use scheduler_core::text::twitter::{links, normalized};

use super::wire::Link;

/// A post's text as it was sent, as far as that can be told, in the form of [`plain`].
///
/// X replaces each link by a short one and says which it stands for.
pub(super) fn as_shown(text: &str, shortened: &[Link]) -> String {
    let mut text = unescaped(text);
    // The longest first: no short link is a part of another's replacement then.
    let mut shortened: Vec<&Link> = shortened.iter().collect();
    shortened.sort_by_key(|link| std::cmp::Reverse(link.url.len()));
    for link in shortened {
        // X ends the text with a link for its files, which was not sent.
        let whole = link.media_key.as_ref().map_or(link.expanded_url.as_deref(), |_| Some(""));
        if let Some(whole) = whole.filter(|_| !link.url.is_empty()) {
            text = text.replace(&link.url, whole);
        }
    }
    plain(&text)
}

/// A text in the form in which two are compared: in normal form, with every link in one spelling,
/// and with one space where there is white space.
pub(super) fn plain(text: &str) -> String {
    let text = normalized(text);
    let mut spelled = String::with_capacity(text.len());
    let mut from = 0;
    for link in links(&text) {
        spelled.push_str(&text[from..link.start]);
        spelled.push_str(&link_of(&text[link.clone()]));
        from = link.end;
    }
    spelled.push_str(&text[from..]);
    spelled.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A link without what X adds or takes away: its scheme, the letter case of its host, and the slash
/// that is all of its path.
fn link_of(link: &str) -> String {
    let after = link.split_once("://").map_or(link, |(_, after)| after);
    let host = after.find(['/', '?', '#']).unwrap_or(after.len());
    let (host, path) = after.split_at(host);
    let path = if path == "/" { "" } else { path };
    format!("{}{path}", host.to_lowercase())
}

/// Source: <https://docs.x.com/x-api/fundamentals/data-dictionary>, `text`.
fn unescaped(text: &str) -> String {
    // The ampersand last: what it makes is no sign again.
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(url: &str, whole: &str) -> Link {
        Link { url: url.to_owned(), expanded_url: Some(whole.to_owned()), media_key: None }
    }

    #[test]
    fn texts_are_compared_without_what_x_changes() {
        let a = short("https://t.co/a", "https://example.com/a?x=1&y=2");
        let bare = short("https://t.co/b", "http://Example.com");
        let home = short("https://t.co/c", "https://example.com/");
        for (name, sent, listed, links, want) in [
            ("the same", "Hello", "Hello", vec![], true),
            ("another", "Hello", "Hello!", vec![], false),
            ("letter case", "Hello", "hello", vec![], false),
            ("a link", "See https://example.com/a?x=1&y=2.", "See https://t.co/a.", vec![&a], true),
            ("another link", "See https://example.com/b", "See https://t.co/a", vec![&a], false),
            ("a bare domain", "at example.com now", "at https://t.co/b now", vec![&bare], true),
            ("a slash", "https://example.com", "https://t.co/c", vec![&home], true),
            (
                "two links",
                "example.com https://example.com/a?x=1&y=2",
                "https://t.co/b https://t.co/a",
                vec![&a, &bare],
                true,
            ),
            ("a link that is not told", "https://example.com", "https://t.co/a", vec![], false),
            ("signs of HTML", "1 < 2 & 3 > 2", "1 &lt; 2 &amp; 3 &gt; 2", vec![], true),
            ("such a sign as text", "write &lt;", "write &amp;lt;", vec![], true),
            ("decomposed", "cafe\u{301}", "caf\u{e9}", vec![], true),
            ("line ends", "a\r\nb", "a\nb", vec![], true),
            ("space around", " a \n", "a", vec![], true),
        ] {
            let links: Vec<Link> = links
                .into_iter()
                .map(|link| short(&link.url, link.expanded_url.as_deref().unwrap()))
                .collect();
            assert_eq!(as_shown(listed, &links) == plain(sent), want, "{name}");
        }
    }
}
