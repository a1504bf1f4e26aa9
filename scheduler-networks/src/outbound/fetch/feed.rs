//! Reading feeds: RSS, Atom and JSON Feed.

use std::time::Duration;

use feed_rs::model::{Entry, Link, Text};
use feed_rs::parser;
use reqwest::Response;
use reqwest::header::{ETAG, LAST_MODIFIED};
use scheduler_core::feeds::{FeedDocument, FeedItem, ITEMS_MAX, ITEMS_READ_MAX, ItemHash};
use scheduler_core::ports::FetchError;
use tokio::task::spawn_blocking;
use url::Url;

use super::super::client::reason;
use super::answer::text;
use super::host;
use crate::html::{Author, plain};

/// What is asked for.
pub(super) const FEEDS: &str = "application/rss+xml, application/atom+xml, application/feed+json, \
    application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1";

/// Bytes of a feed that are read; a longer one is refused.
///
/// Source: our decision; feeds with whole articles reach 1 MB.
pub(super) const BYTES_MAX: usize = 5_000_000;

/// How long reading a feed may take in all, redirects included.
///
/// Source: our decision.
pub(super) const WITHIN: Duration = Duration::from_secs(30);

/// Bytes of a header that is sent back at most; a longer one is not kept.
///
/// Source: our decision.
const VALIDATOR_MAX_BYTES: usize = 1_000;

/// Reads an answer that is a feed.
///
/// # Errors
/// [`FetchError::Refused`] where it is none, or too long; [`FetchError::Temporary`] where it broke
/// off.
pub(super) async fn read(mut answer: Response, url: &Url) -> Result<FeedDocument, FetchError> {
    let host = host(url).to_owned();
    let validator = |name| {
        text(&answer, &name).filter(|value| value.len() <= VALIDATOR_MAX_BYTES).map(str::to_owned)
    };
    let (etag, last_modified) = (validator(ETAG), validator(LAST_MODIFIED));
    let mut bytes = Vec::new();
    loop {
        match answer.chunk().await {
            Ok(Some(piece)) => bytes.extend_from_slice(&piece),
            Ok(None) => break,
            Err(error) => {
                let sentence = format!("{host} broke off: {}.", reason(&error));
                return Err(FetchError::Temporary(sentence));
            }
        }
        if bytes.len() > BYTES_MAX {
            let sentence =
                format!("The feed at {host} is longer than the {BYTES_MAX} bytes that are read.");
            return Err(FetchError::Refused(sentence));
        }
    }
    if has_too_many_items(&bytes) {
        let sentence =
            format!("The feed at {host} has more than the {ITEMS_MAX} items that are taken.");
        return Err(FetchError::Refused(sentence));
    }
    let base = url.clone();
    let read = spawn_blocking(move || document(&bytes, &base)).await.ok().flatten();
    let document = read.ok_or_else(|| {
        FetchError::Refused(format!("{host} answered with no feed of RSS, Atom or JSON Feed."))
    })?;
    Ok(FeedDocument { etag, last_modified, ..document })
}

/// True for a feed with more items than are taken, counted by what begins them: in JSON Feed by ten
/// braces, since its authors and files are objects too.
fn has_too_many_items(bytes: &[u8]) -> bool {
    if bytes.trim_ascii_start().starts_with(b"{") {
        return bytes.iter().filter(|byte| **byte == b'{').count() > ITEMS_MAX * 10;
    }
    let tags = bytes.split(|byte| *byte == b'<').skip(1);
    // A prefix of a namespace may stand before the name.
    let named = tags.filter(|tag| {
        let end = tag.iter().position(|byte| !is_of_name(*byte)).unwrap_or(tag.len());
        let name = tag[..end].rsplit(|byte| *byte == b':').next().unwrap_or_default();
        name == b"item" || name == b"entry"
    });
    named.take(ITEMS_MAX + 1).count() > ITEMS_MAX
}

/// True for a byte of a name of XML; what ends one is none.
const fn is_of_name(byte: u8) -> bool {
    !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'>' | b'/' | b'=')
}

/// What a feed says; `None` for what is none.
fn document(bytes: &[u8], base: &Url) -> Option<FeedDocument> {
    // An item without an id is told from others by its link, else its title: what changes with each
    // answer would make it a new one each time.
    let of_item = |links: &[Link], title: &Option<Text>, _: Option<&str>| {
        let link = links.first().map(|link| link.href.clone());
        link.or_else(|| Some(title.as_ref()?.content.clone())).unwrap_or_default()
    };
    let parser = parser::Builder::new().base_uri(Some(base)).id_generator(of_item).build();
    let feed = parser.parse(bytes).ok()?;
    let title = feed.title.map(|title| words(&title)).filter(|title| !title.is_empty());
    let mut entries = feed.entries.into_iter().filter(|entry| !entry.id.is_empty());
    let items = entries.by_ref().take(ITEMS_READ_MAX).map(item).collect();
    let beyond = entries.take(ITEMS_MAX - ITEMS_READ_MAX);
    let beyond = beyond.map(|entry| ItemHash::of(&entry.id)).collect();
    Some(FeedDocument { title, items, beyond, ..FeedDocument::default() })
}

fn item(entry: Entry) -> FeedItem {
    let summary = match (&entry.summary, &entry.content) {
        (Some(summary), _) => plain(&summary.content, Author::Server),
        (None, Some(content)) => plain(content.body.as_deref().unwrap_or_default(), Author::Server),
        (None, None) => String::new(),
    };
    let authors: Vec<String> =
        entry.authors.iter().filter_map(|author| author.name.clone()).collect();
    FeedItem {
        link: link(&entry.links),
        title: entry.title.as_ref().map(words).unwrap_or_default(),
        summary: clean(&summary),
        author: clean(&authors.join(", ")),
        published_at: entry.published.or(entry.updated),
        id: entry.id,
    }
}

/// The page of an item: the link that is said to be it, else the first one.
fn link(links: &[Link]) -> Option<String> {
    let is_page = |link: &&Link| link.rel.as_deref().is_none_or(|rel| rel == "alternate");
    let found = links.iter().find(is_page).or(links.first())?;
    let url = Url::parse(&found.href).ok()?;
    ["http", "https"].contains(&url.scheme()).then(|| url.into())
}

/// A text on one line: a title is HTML in many feeds, whatever they say of it.
fn words(text: &Text) -> String {
    let plain = clean(&plain(&text.content, Author::Server));
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text without control characters, which no post may hold.
fn clean(text: &str) -> String {
    text.chars().filter(|sign| *sign == '\n' || !sign.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<FeedDocument> {
        document(text.as_bytes(), &"https://blog.example/feeds/all".parse().unwrap())
    }

    #[test]
    fn each_kind_of_feed() {
        let rss = r#"<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
            <title>The Bakery</title><link>https://blog.example/</link><description>d</description>
            <item><guid isPermaLink="false">tag:1</guid><title>Bread &amp;amp; butter</title><link>/posts/1</link>
            <description>&lt;p&gt;One&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;</description><dc:creator>Ana</dc:creator>
            <pubDate>Tue, 01 Dec 2026 09:00:00 GMT</pubDate></item></channel></rss>"#;
        let atom = r#"<feed xmlns="http://www.w3.org/2005/Atom"><title>The Bakery</title><id>f</id><updated>2026-12-01T09:00:00Z</updated>
            <entry><id>tag:1</id><title type="html">Bread &amp;amp; butter</title><link rel="self" href="https://blog.example/x"/>
            <link rel="alternate" href="/posts/1"/><author><name>Ana</name></author>
            <content type="html">&lt;p&gt;One&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;</content><updated>2026-12-01T09:00:00Z</updated></entry></feed>"#;
        let json = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "The Bakery", "items": [{"id": "tag:1",
            "url": "https://blog.example/posts/1", "title": "Bread & butter", "summary": "One\n\ntwo",
            "authors": [{"name": "Ana"}], "date_published": "2026-12-01T09:00:00Z"}]}"#;
        for (name, text) in [("RSS", rss), ("Atom", atom), ("JSON Feed", json)] {
            let document = read(text).unwrap();
            assert_eq!(document.title.as_deref(), Some("The Bakery"), "{name}");
            let want = FeedItem {
                id: "tag:1".to_owned(),
                title: "Bread & butter".to_owned(),
                link: Some("https://blog.example/posts/1".to_owned()),
                summary: "One\n\ntwo".to_owned(),
                author: "Ana".to_owned(),
                published_at: Some("2026-12-01T09:00:00Z".parse().unwrap()),
            };
            assert_eq!(document.items, [want], "{name}");
        }
    }

    #[test]
    fn items_without_an_id_are_the_same_in_every_answer() {
        let of = |items: &str| {
            let text = format!(
                "<rss version=\"2.0\"><channel><title>B</title><link>l</link><description/>{items}</channel></rss>"
            );
            let ids = read(&text).unwrap().items.into_iter().map(|item| item.id);
            ids.collect::<Vec<String>>()
        };
        let link = "<item><link>https://blog.example/1</link><title>A</title></item>";
        assert_eq!(of(link), of(link));
        assert_eq!(of(link), of(&link.replace(">A<", ">B<")), "whatever its title becomes");
        assert_eq!(of("<item><title>A</title></item>"), ["A"]);
        assert!(of("<item><description>only text</description></item>").is_empty());
    }

    #[test]
    fn feeds_of_too_many_items_are_not_read() {
        let of = |item: &str, count: usize| {
            let text = format!("<rss><channel>{}</channel></rss>", item.repeat(count));
            has_too_many_items(text.as_bytes())
        };
        for one in ["<item/>", "<item >a</item>", "<rss:item></rss:item>", "<entry\n/>"] {
            assert!(!of(one, ITEMS_MAX), "{one}");
            assert!(of(one, ITEMS_MAX + 1), "{one}");
        }
        assert!(!of("<items/>", ITEMS_MAX + 1));
        let many = "<item><guid>GUID</guid></item>".repeat(ITEMS_READ_MAX + 1);
        let mut number = 0;
        let many = many.split("GUID").fold(String::new(), |all, part| {
            number += 1;
            format!("{all}{part}{number}")
        });
        let text = format!(
            "<rss version=\"2.0\"><channel><title>B</title><link>l</link><description/>{many}</channel></rss>"
        );
        let document = read(&text).unwrap();
        assert_eq!(document.items.len(), ITEMS_READ_MAX);
        assert_eq!(document.beyond, [ItemHash::of(&(ITEMS_READ_MAX + 1).to_string())]);
    }

    #[test]
    fn what_is_no_feed() {
        for (name, text) in [
            ("nothing", ""),
            ("a page", "<html><body>Hi</body></html>"),
            ("JSON", "{}"),
            ("half a feed", "<rss><channel>"),
            (
                "entities of entities",
                "<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><html>&b;</html>",
            ),
        ] {
            let items = read(text).map(|document| document.items);
            assert!(items.is_none_or(|items| items.is_empty()), "{name}");
        }
    }

    #[test]
    fn links_that_lead_nowhere_are_left_out() {
        let of = |href: &str| {
            let json = format!(
                r#"{{"version": "https://jsonfeed.org/version/1.1", "title": "B", "items": [{{"id": "1", "url": "{href}"}}]}}"#
            );
            read(&json).unwrap().items.remove(0).link
        };
        assert_eq!(of("https://a.example/?x=1"), Some("https://a.example/?x=1".to_owned()));
        for wrong in ["javascript:alert(1)", "data:text/html,x", "mailto:a@b.example"] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
