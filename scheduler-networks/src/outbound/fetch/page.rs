//! Reading what a web page says of itself, for the card of a link to it.

use std::time::Duration;

use encoding_rs::{Encoding, UTF_8};
use html5gum::Tokenizer;
use html5gum::emitters::default::{DefaultEmitter, Token};
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use scheduler_core::ports::FetchError;
use url::Url;

use super::super::client::reason;
use super::answer::{HTML, text};
use super::host;

/// Bytes of a page that are read. What it says of itself stands at its beginning.
///
/// Source: our decision.
const BYTES_MAX: usize = 512 * 1024;

/// How long reading a page may take in all, redirects included. Whoever saves a post waits for it.
///
/// Source: our decision.
pub(super) const WITHIN: Duration = Duration::from_secs(2);

/// Redirects that are followed at most.
///
/// Source: our decision.
pub(super) const REDIRECTS_MAX: u32 = 3;

/// Bytes in which a page names its encoding.
///
/// Source: <https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding>.
const PRESCAN_BYTES: usize = 1_024;

/// Names of what a page says, the one that counts most first.
///
/// Source: <https://ogp.me>, <https://developer.x.com/en/docs/x-for-websites/cards/overview/markup>.
const TITLES: &[&str] = &["og:title", "twitter:title"];
const DESCRIPTIONS: &[&str] = &["og:description", "twitter:description", "description"];
const IMAGES: &[&str] = &["og:image:secure_url", "og:image", "og:image:url", "twitter:image"];

/// Bytes of the picture that a page names, at most. Our decision: larger ones are for people who
/// look at them whole.
pub(super) const IMAGE_BYTES_MAX: u64 = 5_000_000;

/// What a page says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PageSaid {
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    /// The address of its picture, which may be a part of one.
    pub(super) image: Option<String>,
}

/// Reads the beginning of an answer that is a page.
///
/// # Errors
/// [`FetchError::Refused`] where it is no page; [`FetchError::Temporary`] where it broke off.
pub(super) async fn read(mut answer: Response, url: &Url) -> Result<PageSaid, FetchError> {
    let host = host(url);
    let media_type = text(&answer, &CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
    if !HTML.iter().any(|page| media_type.starts_with(page)) {
        return Err(FetchError::Refused(format!("{host} answered with no web page.")));
    }
    let mut bytes = Vec::new();
    while bytes.len() < BYTES_MAX {
        match answer.chunk().await {
            Ok(Some(piece)) => bytes.extend_from_slice(&piece),
            Ok(None) => break,
            Err(error) => {
                let sentence = format!("{host} broke off: {}.", reason(&error));
                return Err(FetchError::Temporary(sentence));
            }
        }
    }
    bytes.truncate(BYTES_MAX);
    let (page, ..) = encoding(&media_type, &bytes).decode(&bytes);
    Ok(facts(&page))
}

/// The encoding that the header or the page itself names; UTF-8 where neither does.
fn encoding(media_type: &str, bytes: &[u8]) -> &'static Encoding {
    let named = |text: &str| {
        let (_, label) = text.split_once("charset=")?;
        let label = label.trim_start_matches(['"', '\'']);
        let end = label.find(|it: char| !(it.is_ascii_alphanumeric() || "-_:.".contains(it)));
        Encoding::for_label(&label.as_bytes()[..end.unwrap_or(label.len())])
    };
    let beginning = bytes.get(..PRESCAN_BYTES).unwrap_or(bytes);
    let beginning = String::from_utf8_lossy(beginning).to_ascii_lowercase();
    named(media_type).or_else(|| named(&beginning)).unwrap_or(UTF_8)
}

/// What the head of a page says.
fn facts(page: &str) -> PageSaid {
    let mut said: Vec<(String, String)> = Vec::new();
    let mut title = None;
    let mut is_title = false;
    let mut emitter = DefaultEmitter::<()>::default();
    // What stands in a script is no tag.
    emitter.naively_switch_states(true);
    for Ok(token) in Tokenizer::new_with_emitter(page, emitter) {
        match token {
            Token::StartTag(tag) => match &**tag.name {
                b"meta" => {
                    let of = |name: &[u8]| {
                        let value = tag.attributes.get(name)?;
                        Some(String::from_utf8_lossy(value).into_owned())
                    };
                    let name = of(b"property").or_else(|| of(b"name"));
                    if let Some((name, content)) = name.zip(of(b"content")) {
                        said.push((name.trim().to_ascii_lowercase(), content));
                    }
                }
                b"title" => is_title = title.is_none(),
                b"body" => break,
                _ => {}
            },
            Token::String(text) if is_title => {
                let text = String::from_utf8_lossy(&text);
                title.get_or_insert_with(String::new).push_str(&text);
            }
            Token::EndTag(tag) => match &**tag.name {
                b"title" => is_title = false,
                b"head" => break,
                _ => {}
            },
            _ => {}
        }
    }
    let first = |names: &[&str]| {
        let of = |name: &&str| {
            let said = said.iter().filter(|(said, _)| said == name);
            said.filter_map(|(_, text)| words(text)).next()
        };
        names.iter().find_map(of)
    };
    let title = first(TITLES).or_else(|| words(&title?));
    PageSaid { title, description: first(DESCRIPTIONS), image: first(IMAGES) }
}

/// A text with one space between its words; `None` without any.
fn words(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(title: &str, description: &str) -> PageSaid {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        PageSaid { title: given(title), description: given(description), image: None }
    }

    fn shows(image: &str, said: PageSaid) -> PageSaid {
        PageSaid { image: Some(image.to_owned()), ..said }
    }

    #[test]
    fn what_pages_say_of_themselves() {
        for (name, page, want) in [
            ("nothing", "", said("", "")),
            ("no markup", "just words", said("", "")),
            ("a title", "<title>\n Bread &amp; butter </title>", said("Bread & butter", "")),
            (
                "properties",
                r#"<html><head><title>Blog</title>
                   <meta property="og:title" content="Bread">
                   <meta name='description' content='Of bakers'>
                   <META PROPERTY="OG:Description" CONTENT="Why it &quot;rises&quot;"/>
                   <meta property=og:image content="/bread.jpg"></head>"#,
                shows("/bread.jpg", said("Bread", "Why it \"rises\"")),
            ),
            (
                "names of X",
                r#"<meta name="twitter:title" content="Bread"><meta name="twitter:image" content="https://cdn.example/b.png">"#,
                shows("https://cdn.example/b.png", said("Bread", "")),
            ),
            (
                "a picture under https before others",
                r#"<meta property="og:image" content="http://cdn.example/a.png"><meta property="og:image:secure_url" content="https://cdn.example/a.png">"#,
                shows("https://cdn.example/a.png", said("", "")),
            ),
            (
                "empty ones are passed over",
                r#"<meta property="og:title" content=" "><title>Bread</title>"#,
                said("Bread", ""),
            ),
            (
                "the first of several",
                r#"<meta property="og:title" content="One"><meta property="og:title" content="Two">"#,
                said("One", ""),
            ),
            (
                "what stands in scripts and comments is not said",
                r#"<script>"<meta property='og:title' content='Evil'>"</script>
                   <!-- <meta property="og:title" content="Old"> --><title>Bread</title>"#,
                said("Bread", ""),
            ),
            (
                "nor what stands in the body",
                r#"<title>Bread</title><body><meta property="og:title" content="Late"><svg><title>Logo</title></svg>"#,
                said("Bread", ""),
            ),
            ("a title that does not end", "<title>Bread", said("Bread", "")),
            (
                "a title with a tag in it",
                "<title>Bread <b>and</b> butter</title>",
                said("Bread <b>and</b> butter", ""),
            ),
        ] {
            assert_eq!(facts(page), want, "{name}");
        }
    }

    #[test]
    fn encodings() {
        for (name, media_type, bytes, want) in [
            ("none", "text/html", &b"<title>\xC3\xA9</title>"[..], "é"),
            ("in the header", "text/html; charset=iso-8859-1", &b"<title>\xE9</title>"[..], "é"),
            (
                "in the page",
                "text/html",
                &b"<meta charset='windows-1251'><title>\xFF</title>"[..],
                "я",
            ),
            ("one that is not known", "text/html; charset=x-y", &b"<title>e</title>"[..], "e"),
        ] {
            let (page, ..) = encoding(media_type, bytes).decode(bytes);
            assert_eq!(facts(&page).title.as_deref(), Some(want), "{name}");
        }
    }
}
