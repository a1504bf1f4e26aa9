//! The addresses of Discord, and what every call to it carries.

use secrecy::ExposeSecret;
use url::Url;

use super::wire::{Sender, Webhook};
use crate::conversation::{ApiVersion, Request};
use crate::endpoint::Endpoint;

/// Where Discord is.
///
/// Source: <https://docs.discord.com/developers/reference>, "Base URL".
const DISCORD: &str = "https://discord.com";

/// The version of the API that this adapter was written for.
///
/// Source: <https://docs.discord.com/developers/reference>, "API Versioning".
const VERSION: &str = "v10";

/// What Discord wants to know of every caller: without it a call is turned away.
///
/// Source: <https://docs.discord.com/developers/reference>, "User Agent".
const USER_AGENT: &str =
    concat!("DiscordBot (https://scheduler.example, ", env!("CARGO_PKG_VERSION"), ")");

/// Where calls go.
#[derive(Clone, Debug)]
pub(super) struct Hosts {
    base: Endpoint,
    version: String,
    /// True when an operator has chosen another address.
    is_other: bool,
}

impl Hosts {
    /// Discord, or what stands at `base` in its place.
    pub(super) fn new(base: Option<Url>, version: Option<String>) -> Self {
        let is_other = base.is_some();
        #[expect(clippy::expect_used, reason = "it is a constant, and every test reads it")]
        let base = base.unwrap_or_else(|| Url::parse(DISCORD).expect("an address"));
        let version = version.unwrap_or_else(|| VERSION.to_owned());
        Self { base: Endpoint::new(base), version, is_other }
    }

    /// The version of the API; Discord names no day on which it ends.
    pub(super) fn version(&self) -> ApiVersion {
        ApiVersion { name: self.version.clone(), retires_on: None }
    }

    /// The address of the server where it is not Discord's own.
    pub(super) fn other_address(&self) -> Option<&str> {
        self.is_other.then(|| self.base.address())
    }

    /// The address of a call.
    pub(super) fn api(&self, segments: &[&str], query: &[(&str, &str)]) -> Url {
        let segments = ["api", self.version.as_str()].into_iter().chain(segments.iter().copied());
        match query {
            [] => self.base.at(segments),
            query => self.base.query(segments, query),
        }
    }

    /// The address of a call of a webhook, which is what lets it in.
    pub(super) fn webhook(
        &self,
        webhook: &Webhook,
        segments: &[&str],
        query: &[(&str, &str)],
    ) -> Url {
        let start = ["webhooks", webhook.id.as_str(), webhook.token.expose_secret()];
        let segments: Vec<&str> = start.into_iter().chain(segments.iter().copied()).collect();
        self.api(&segments, query)
    }

    /// The page on which a person lets us in.
    pub(super) fn authorize_page(&self, query: &[(&str, &str)]) -> Url {
        self.base.query(["oauth2", "authorize"], query)
    }

    /// The address at which codes are exchanged; it has no version.
    pub(super) fn token(&self) -> Url {
        self.base.at(["api", "oauth2", "token"])
    }

    /// The page of a message.
    pub(super) fn message_page(&self, guild: &str, channel: &str, message: &str) -> String {
        self.base.at(["channels", guild, channel, message]).to_string()
    }
}

/// The request with what every call carries, and with the token of a bot. A webhook is let in by
/// its address.
pub(super) fn called(request: Request, sender: &Sender) -> Request {
    match sender {
        Sender::Webhook(_) => introduced(request),
        Sender::Bot(bot) => called_by_bot(request, bot.token.expose_secret()),
    }
}

/// The request with what every call carries, and with a token of a bot.
pub(super) fn called_by_bot(request: Request, token: &str) -> Request {
    introduced(request).secret_header("authorization", format!("Bot {token}"))
}

/// The request with what every call carries.
pub(super) fn introduced(request: Request) -> Request {
    request.header("user-agent", USER_AGENT.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_stands_for_all_of_discords() {
        for (base, version, api, page, token) in [
            (
                None,
                None,
                "https://discord.com/api/v10/users/@me",
                "https://discord.com/channels/1/2/3",
                "https://discord.com/api/oauth2/token",
            ),
            (
                Some("http://127.0.0.1:9/discord/"),
                Some("v11"),
                "http://127.0.0.1:9/discord/api/v11/users/@me",
                "http://127.0.0.1:9/discord/channels/1/2/3",
                "http://127.0.0.1:9/discord/api/oauth2/token",
            ),
        ] {
            let url = base.map(|base| Url::parse(base).unwrap());
            let hosts = Hosts::new(url, version.map(str::to_owned));
            assert_eq!(hosts.api(&["users", "@me"], &[]).as_str(), api);
            assert_eq!(hosts.message_page("1", "2", "3"), page);
            assert_eq!(hosts.token().as_str(), token);
            assert_eq!(hosts.other_address().is_some(), base.is_some());
        }
    }

    #[test]
    fn the_heart_is_written_as_the_documentation_has_it() {
        let url = Hosts::new(None, None).api(&["reactions", "❤️", "@me"], &[]);
        assert_eq!(url.path(), "/api/v10/reactions/%E2%9D%A4%EF%B8%8F/@me");
    }
}
