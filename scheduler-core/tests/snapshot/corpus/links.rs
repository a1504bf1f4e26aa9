//! Links in the text: what is one, where it ends, and how many there are.

use crate::case::{Case, text};

pub(super) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = [
        ("a link alone", "https://example.com"),
        ("a link at the end of a sentence", "See https://example.com/a."),
        ("a link before a comma", "https://example.com/a, and more"),
        ("a link before an exclamation mark", "https://example.com!"),
        ("a link in brackets", "(https://example.com/a)"),
        ("a link with brackets", "https://en.wikipedia.org/wiki/Rust_(language)"),
        ("a link in quotes", "\"https://example.com/a\""),
        ("a link in angle brackets", "<https://example.com/a>"),
        ("a link as markup", "[here](https://example.com/a)"),
        ("a link with a query and a fragment", "https://example.com/a?b=c&d=e#f"),
        ("a link with a port", "http://example.com:8080/a"),
        ("a link with a user", "https://user@example.com/"),
        ("a link in capitals", "HTTPS://EXAMPLE.COM/A"),
        ("a link with letters outside ASCII", "https://example.com/ä/日本"),
        ("a link to a name outside ASCII", "https://münchen.de/a"),
        ("a link to a name in Punycode", "https://xn--mnchen-3ya.de/a"),
        ("a link of Chinese words", "看https://example.com/a看"),
        ("a link after a letter", "xhttps://example.com"),
        ("a link to an address", "http://127.0.0.1:8080/a"),
        ("a link without a host", "https://"),
        ("a link to an unknown domain", "https://example.notadomain/a"),
        ("a link with a percent sign", "https://example.com/%E2%9C%93"),
        ("a link over two lines", "https://example.com/a\nb"),
        ("two links side by side", "https://a.com https://b.com"),
        ("two links with a comma between", "https://a.com,https://b.com"),
        ("one link twice", "https://a.com https://a.com"),
        ("one link with and without a slash", "https://a.com https://a.com/"),
        ("a bare domain", "example.com"),
        ("a bare domain with a path", "see example.com/a for more"),
        ("a bare domain with www", "www.example.com"),
        ("a bare domain at the end of a sentence", "It is example.com."),
        ("a file name", "main.rs and README.md"),
        ("an abbreviation", "e.g. this, i.e. that"),
        ("a missing space", "End.Start"),
        ("a version", "1.2.3"),
        ("an e-mail address", "mail me@example.com"),
        ("a mailto link", "mailto:me@example.com"),
        ("another scheme", "ftp://example.com/a"),
    ]
    .into_iter()
    .map(|(name, content)| text(name, content))
    .collect();
    let many = |count: usize| -> String {
        (0..count).map(|number| format!("https://example.com/{number} ")).collect()
    };
    for count in [5, 6, 12, 13, 100, 101] {
        cases.push(text(format!("{count} links"), many(count)));
    }
    cases.push(text("6 links in Japanese", many(6).replace("https", "見https")));
    cases.push(text("one link six times", "https://a.co ".repeat(6)));
    cases
}
