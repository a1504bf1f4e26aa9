//! How browsers reach the pages on which accounts are connected, and what networks need for them.

use std::collections::BTreeMap;

use scheduler_core::platform::Platform;
use scheduler_http::ConnectPages;
use url::Url;

use crate::config::{NetworkSettings, variable};
use crate::failure::Failure;

/// The pages of a server that browsers reach at this address.
///
/// The networks of a sandbox need nothing.
pub(crate) fn pages(networks: &NetworkSettings, server: Url) -> ConnectPages {
    let mut pages = ConnectPages::at(server);
    if networks.sandbox {
        pages.any_redirect = true;
        return pages;
    }
    let of = |platform| Some((platform, unregistered(networks, &pages, platform)?));
    let unregistered: BTreeMap<Platform, String> =
        Platform::ALL.into_iter().filter_map(of).collect();
    pages.unregistered = unregistered;
    pages
}

/// Where a link for connecting an account of a network leads.
///
/// # Errors
/// [`Failure::Usage`] when the network can be connected only by a page that sends no browser back
/// to this server.
pub(crate) fn link_address(pages: &ConnectPages, platform: Platform) -> Result<String, Failure> {
    pages.address(platform).or_else(|error| {
        if platform.sheet().connecting.needs_no_registration() {
            return Ok(pages.server.as_str().trim_end_matches('/').to_owned());
        }
        let name = platform.sheet().name;
        Err(Failure::Usage(format!(
            "{name}: {error}; set SCHEDULER_PUBLIC_URL to the https address of the server, here and for `scheduler serve`"
        )))
    })
}

/// What an operator has to do before a network's own page can be opened.
fn unregistered(
    networks: &NetworkSettings,
    pages: &ConnectPages,
    platform: Platform,
) -> Option<String> {
    let facts = platform.sheet().connecting;
    let registration = facts.registration?;
    let is_set = |platform| networks.adapters.of(platform).client.is_some();
    if is_set(platform) || facts.also_registered_at.is_some_and(is_set) {
        return None;
    }
    let name = platform.sheet().name;
    let redirect = pages.address(platform).map_or_else(
        |_| format!("https://…/connect/{platform}/callback (the public address of the server)"),
        |address| format!("{address}/connect/{platform}/callback"),
    );
    let id = variable(&format!("{platform}_client_id"));
    let secret = variable(&format!("{platform}_client_secret"));
    let (place, url, terms) = (registration.place, registration.url, registration.terms);
    Some(format!(
        "{name} is not set up on this server. Register an application at {url} ({place}), enter {redirect} as its redirect address, set {id} and {secret} to its {terms}, and start the server again."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    fn at(server: &str, variables: &[(&str, &str)]) -> ConnectPages {
        let networks = NetworkSettings::load(&sources(variables, &[])).unwrap();
        pages(&networks, server.parse().unwrap())
    }

    #[test]
    fn a_network_without_a_client_says_what_to_do() {
        let bare = at("https://s.example", &[]);
        let reason = &bare.unregistered[&Platform::Youtube];
        for part in [
            "https://console.cloud.google.com/apis/credentials",
            "https://s.example/connect/youtube/callback",
            "SCHEDULER_YOUTUBE_CLIENT_ID",
            "SCHEDULER_YOUTUBE_CLIENT_SECRET",
        ] {
            assert!(reason.contains(part), "{reason}");
        }
        for platform in [Platform::Bluesky, Platform::Mastodon, Platform::Telegram] {
            assert!(!bare.unregistered.contains_key(&platform), "{platform} needs none");
        }
        let set = at("https://s.example", &[("SCHEDULER_YOUTUBE_CLIENT_ID", "x")]);
        assert!(!set.unregistered.contains_key(&Platform::Youtube));
    }

    #[test]
    fn a_sandbox_needs_nothing() {
        let pages = at("http://127.0.0.1:8080", &[("SCHEDULER_SANDBOX", "true")]);
        assert!(pages.unregistered.is_empty());
        assert!(link_address(&pages, Platform::Tiktok).is_ok());
    }

    #[test]
    fn links_lead_where_the_network_sends_browsers_back() {
        for (server, platform, want) in [
            ("http://127.0.0.1:8080", Platform::Youtube, Some("http://localhost:8080")),
            ("http://127.0.0.1:8080", Platform::Twitter, Some("http://127.0.0.1:8080")),
            ("http://127.0.0.1:8080", Platform::Tiktok, None),
            ("http://127.0.0.1:8080", Platform::Bluesky, Some("http://127.0.0.1:8080")),
            ("https://s.example/a/", Platform::Tiktok, Some("https://s.example/a")),
        ] {
            let found = link_address(&at(server, &[]), platform).ok();
            assert_eq!(found.as_deref(), want, "{server} {platform}");
        }
    }
}
