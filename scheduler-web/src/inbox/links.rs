//! Links in what others have written: shown as the text that they are, and opened through a page
//! that says whereto they lead.

use askama::Template;
use http::Method;
use scheduler_core::error::Refusal;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use url::Url;
use warp::reply::Response;

use crate::filters::{self, cleaned};
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered, query};

/// The longest link that is one, in bytes.
const LINK_MAX: usize = 2_000;

/// Signs that end a sentence, and no link.
const AFTER: [char; 12] = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '"', '\'', '”'];

pub(crate) static LEAVE: Endpoint =
    Endpoint::page("web_leave", Method::GET, "/w/{workspaceId}/leave", |visit| {
        Box::pin(entered(visit, Role::Reader, leave))
    });

/// A piece of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    /// The page that asks before the link is opened, of one that is a link.
    pub(super) href: Option<String>,
}

#[derive(Template)]
#[template(path = "inbox/leave.html")]
struct Leave {
    frame: Frame,
    link: String,
    host: String,
}

/// The pieces of a text, with what could change how the rest is read made harmless.
pub(super) fn pieces(text: &str, leave: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece { text: String::new(), href: None }];
    for token in text.split_inclusive(char::is_whitespace) {
        let word = token.trim_end();
        let link = word.trim_end_matches(AFTER);
        if parsed(link).is_none() {
            match pieces.last_mut() {
                Some(Piece { text, href: None }) => text.push_str(token),
                _ => pieces.push(Piece { text: token.to_owned(), href: None }),
            }
            continue;
        }
        let href = format!("{leave}?{}", query(&[("to", link)]));
        pieces.push(Piece { text: link.to_owned(), href: Some(href) });
        pieces.push(Piece { text: token[link.len()..].to_owned(), href: None });
    }
    pieces.retain(|piece| !piece.text.is_empty());
    for piece in &mut pieces {
        piece.text = cleaned(&piece.text);
    }
    pieces
}

/// The address of a page on another server.
fn parsed(link: &str) -> Option<Url> {
    let is_written_out = ["http://", "https://"].into_iter().any(|scheme| {
        link.get(..scheme.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    });
    let url = Url::parse(link).ok().filter(|_| is_written_out && link.len() <= LINK_MAX)?;
    (url.host_str().is_some() && url.username().is_empty() && url.password().is_none())
        .then_some(url)
}

async fn leave(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let url = asked.only("to").and_then(parsed);
    let Some(url) = url else {
        return Err(Refusal::invalid("to", "This is not the address of a page.").into());
    };
    Ok(page::shown(&Leave {
        frame: Frame::of(&visitor, "inbox", "A link of somebody else").await?,
        // As it is read by browsers: a name in other letters stands in its plain form.
        host: url.host_str().unwrap_or_default().to_owned(),
        link: url.into(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_and_nothing_else() {
        for (text, want) in [
            ("No link here.", vec![("No link here.", false)]),
            (
                "See https://example.com/a?b=1, or HTTP://example.org!",
                vec![
                    ("See ", false),
                    ("https://example.com/a?b=1", true),
                    (", ", false),
                    ("or ", false),
                    ("HTTP://example.org", true),
                    ("!", false),
                ],
            ),
            (
                "javascript:alert(1) data:text/html,x",
                vec![("javascript:alert(1) data:text/html,x", false)],
            ),
            (
                "https://bank.example@evil.example/",
                vec![("https://bank.example@evil.example/", false)],
            ),
            ("https://\u{202e}moc.live", vec![("https://\u{fffd}moc.live", false)]),
            ("example.com <b>", vec![("example.com <b>", false)]),
        ] {
            let found = pieces(text, "/w/a/leave");
            let found: Vec<(&str, bool)> =
                found.iter().map(|piece| (piece.text.as_str(), piece.href.is_some())).collect();
            let joined: String = found.iter().map(|(text, _)| *text).collect();
            assert_eq!(joined, cleaned(text), "nothing is left out");
            let links = |pieces: &[(&str, bool)]| -> Vec<String> {
                pieces.iter().filter(|(_, is)| *is).map(|(text, _)| (*text).to_owned()).collect()
            };
            assert_eq!(links(&found), links(&want), "{text}");
        }
        let found = pieces("https://example.com/?a=1&b", "/w/a/leave");
        assert_eq!(
            found[0].href.as_deref(),
            Some("/w/a/leave?to=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b")
        );
    }
}
