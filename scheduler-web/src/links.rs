//! Short links: whoever follows one is sent on to where it leads.

use http::header::{CACHE_CONTROL, LOCATION, REFERRER_POLICY, USER_AGENT};
use http::{HeaderValue, Method, StatusCode};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Visit};
use warp::Reply as _;
use warp::reply::Response;

use crate::door;

pub(crate) static FOLLOW: Endpoint =
    Endpoint::page("follow_short_link", Method::GET, "/l/{name}", |visit| Box::pin(follow(visit)));

/// What is encoded of an address in a header; letters that are none of ASCII always are.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ');

/// What networks that look at a link before anybody follows it say of themselves, in small letters.
///
/// Source: <https://developers.facebook.com/docs/sharing/webmasters/web-crawlers> for Facebook,
/// Instagram and Threads; the others as their requests name them: Twitterbot/1.0,
/// Mastodon/4.2.10 (http.rb/5.1.1; …), Bluesky Cardyb/1.1, LinkedInBot/1.0, Pinterestbot/1.0,
/// TelegramBot (like TwitterBot), Discordbot/2.0.
const LOOKERS: [&str; 8] = [
    "facebookexternalhit",
    "twitterbot",
    "mastodon/",
    "cardyb",
    "linkedinbot",
    "pinterestbot",
    "telegrambot",
    "discordbot",
];

async fn follow(visit: Visit) -> Response {
    let (assets, title) = (door::assets(&visit), "Short link");
    let counted = visit.method() == Method::GET && !is_looker(visit.header(&USER_AGENT));
    match visit.scheduler().follow_short_link(visit.segment("name"), counted).await {
        Ok(Some(destination)) => match HeaderValue::from_str(&header(&destination)) {
            Ok(destination) => sent_on(destination),
            Err(_) => unknown(&visit),
        },
        Ok(None) => unknown(&visit),
        Err(error) => Declined::from(error).into_page(|status, message| {
            door::told(assets, status, title, message, "Try again in a moment.", None)
        }),
    }
}

fn unknown(visit: &Visit) -> Response {
    let message = "There is no short link of this address.";
    let advice = "See that it is complete, or ask whoever has sent you here.";
    door::told(door::assets(visit), StatusCode::NOT_FOUND, "Short link", message, advice, None)
}

/// Sends the browser on, and has nobody between keep the answer, so that each time is counted. The
/// page it comes to is told of no address but its own.
fn sent_on(destination: HeaderValue) -> Response {
    let mut response = StatusCode::FOUND.into_response();
    let headers = response.headers_mut();
    headers.insert(LOCATION, destination);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// An address as headers take it: other letters than those of ASCII by their bytes.
fn header(address: &str) -> String {
    utf8_percent_encode(address, ENCODED).to_string()
}

fn is_looker(agent: Option<&str>) -> bool {
    let agent = agent.unwrap_or_default().to_ascii_lowercase();
    LOOKERS.iter().any(|looker| agent.contains(looker))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_in_a_header() {
        for (address, want) in [
            ("https://example.com/a?b=c#d", "https://example.com/a?b=c#d"),
            ("https://example.com/Käse", "https://example.com/K%C3%A4se"),
        ] {
            assert_eq!(header(address), want);
        }
    }

    #[test]
    fn who_only_looks() {
        for (agent, want) in [
            (None, false),
            (Some("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"), false),
            (
                Some("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"),
                true,
            ),
            (Some("Twitterbot/1.0"), true),
            (Some("Mastodon/4.5.0 (http.rb/5.3.1; +https://mastodon.example/)"), true),
        ] {
            assert_eq!(is_looker(agent), want, "{agent:?}");
        }
    }
}
