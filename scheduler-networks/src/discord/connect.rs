//! Connecting a webhook: by its address, or by Discord's own page, which makes one.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scheduler_core::account::Credentials;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError, NetworkErrorKind,
};
use secrecy::{ExposeSecret, SecretString};
use url::Url;

use super::connect_bot;
use super::errors::{failure, unreadable};
use super::hosts::{Hosts, introduced};
use super::wire::{Grant, Sender, Webhook, WebhookInfo, is_snowflake};
use crate::conversation::{Answer, Body, Request, Turn, TurnResult};
use crate::settings::Client;

/// What a person is asked to allow.
///
/// Source: <https://docs.discord.com/developers/topics/oauth2>, "Webhooks".
const SCOPE: &str = "webhook.incoming";

/// The hosts that webhooks are given out under.
///
/// Source: <https://docs.discord.com/developers/resources/webhook>; the client's test releases and
/// the old name answer as well.
const WEBHOOK_HOSTS: [&str; 4] =
    ["discord.com", "canary.discord.com", "ptb.discord.com", "discordapp.com"];

/// The type of a webhook that takes messages.
///
/// Source: <https://docs.discord.com/developers/resources/webhook>, "Webhook Types".
const INCOMING: u8 = 1;

/// The page on which a person picks a channel and lets us make a webhook in it.
pub(super) fn authorize(
    hosts: &Hosts,
    client: Option<&Client>,
    scopes: Option<&[String]>,
    input: &AuthorizeInput,
) -> Result<Authorization, NetworkError> {
    let client = client.ok_or_else(without_client)?;
    let scope = scopes.map_or_else(|| SCOPE.to_owned(), |scopes| scopes.join(" "));
    let url = hosts.authorize_page(&[
        ("response_type", "code"),
        ("client_id", &client.id),
        ("scope", &scope),
        ("state", &input.state),
        ("redirect_uri", &input.redirect_uri),
    ]);
    Ok(Authorization { url: url.into(), kept: ConnectInput::default() })
}

/// The next turn of connecting. Reads `code` and `redirectUri`, or `webhookUrl`, or `botToken`;
/// for a webhook also `isForum`, and for a bot also `channelId` and `guildId`.
pub(super) fn connect(
    hosts: &Hosts,
    client: Option<&Client>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    if let Some(code) = input.given("code") {
        return by_code(hosts, client, code, input, answers);
    }
    if let Some(address) = input.given("webhookUrl") {
        return by_address(hosts, address, input, answers);
    }
    match input.given("botToken") {
        Some(token) => connect_bot::connect(hosts, client, token, input, answers),
        None => Err(NetworkError::permanent(
            "Discord needs webhookUrl (channel settings, Integrations, Webhooks), or botToken (the page of your application, Bot).",
        )),
    }
}

fn by_address(
    hosts: &Hosts,
    address: &str,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let webhook = typed_webhook(hosts, address).ok_or_else(|| {
        NetworkError::permanent("webhookUrl is not the address of a webhook: copy it from the settings of the channel (Integrations, Webhooks).")
    })?;
    let Some(answer) = answers.first() else {
        let request = Request::read(hosts.webhook(&webhook, &[], &[]));
        return Ok(Turn::Send(introduced(request)));
    };
    let info: WebhookInfo = answer.taken(
        || refused(answer, "Discord does not know this webhook: make a new one."),
        unreadable,
    )?;
    connected(hosts, info, webhook.token, input).map(Turn::Done)
}

fn by_code(
    hosts: &Hosts,
    client: Option<&Client>,
    code: &str,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let client = client.ok_or_else(without_client)?;
    let Some(answer) = answers.first() else {
        let redirect_uri = input.given("redirectUri").unwrap_or_default();
        let form = vec![
            ("grant_type", "authorization_code".to_owned()),
            ("code", code.to_owned()),
            ("redirect_uri", redirect_uri.to_owned()),
        ];
        let pair = format!("{}:{}", client.id, client.secret.expose_secret());
        let request = introduced(Request::act(hosts.token(), Body::Form(form)));
        let authorization = format!("Basic {}", STANDARD.encode(pair));
        return Ok(Turn::Send(request.secret_header("authorization", authorization)));
    };
    if !answer.is_success() {
        return Err(match answer.words("error").as_str() {
            "invalid_grant" => {
                NetworkError::permanent("Discord does not accept the code any more: begin again.")
            }
            "invalid_client" => NetworkError::permanent(
                "Discord does not accept the application: check discord_client_id and discord_client_secret.",
            ),
            _ => refused(answer, "Discord does not let us in: begin again."),
        });
    }
    let grant: Grant = answer.json().ok_or_else(unreadable)?;
    let mut info = grant.webhook.ok_or_else(|| {
        NetworkError::permanent(
            "Discord made no webhook: allow it to, and pick a channel, when it asks.",
        )
    })?;
    let token = info.token.take().ok_or_else(unreadable)?;
    connected(hosts, info, token, input).map(Turn::Done)
}

fn connected(
    hosts: &Hosts,
    info: WebhookInfo,
    token: SecretString,
    input: &ConnectInput,
) -> Result<Vec<Connected>, NetworkError> {
    if info.kind != INCOMING {
        return Err(NetworkError::permanent(
            "This webhook takes no messages: make one in the settings of a channel.",
        ));
    }
    let avatar_url = info.avatar.map(|avatar| avatar_url(&info.id, &avatar));
    let sender = Sender::Webhook(Webhook { id: info.id.clone(), token, guild_id: info.guild_id });
    Ok(vec![Connected {
        server_url: hosts.other_address().map(str::to_owned),
        username: info.name,
        avatar_url,
        limits: AccountLimits {
            is_forum: is_forum(input)?,
            posts_as_bot: Some(false),
            ..AccountLimits::default()
        },
        ..Connected::new(info.id, Credentials::new(sender.to_text(), None))
    }])
}

/// The picture of a user or a webhook.
///
/// Source: <https://docs.discord.com/developers/reference>, "Image Formatting".
pub(super) fn avatar_url(id: &str, avatar: &str) -> String {
    format!("https://cdn.discordapp.com/avatars/{id}/{avatar}.png")
}

/// What the person says of the channel, since a webhook cannot be asked.
fn is_forum(input: &ConnectInput) -> Result<Option<bool>, NetworkError> {
    match input.given("isForum") {
        None => Ok(None),
        Some("true" | "yes") => Ok(Some(true)),
        Some("false" | "no") => Ok(Some(false)),
        Some(_) => {
            Err(NetworkError::permanent("isForum is true or false: is the channel a forum?"))
        }
    }
}

/// The webhook of an address that somebody has typed, on one of Discord's hosts or on what stands
/// in its place.
fn typed_webhook(hosts: &Hosts, address: &str) -> Option<Webhook> {
    let url = Url::parse(address).ok()?;
    let path = match hosts.other_address().and_then(|base| address.strip_prefix(base)) {
        Some(_) => {
            let base = Url::parse(hosts.other_address()?).ok()?;
            url.path().strip_prefix(base.path().trim_end_matches('/'))?.to_owned()
        }
        None => {
            let is_discords = url.scheme() == "https"
                && url.port().is_none()
                && url.username().is_empty()
                && url.password().is_none()
                && WEBHOOK_HOSTS.contains(&url.host_str()?);
            is_discords.then(|| url.path().to_owned())?
        }
    };
    let segments: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
    let (id, token) = match segments.as_slice() {
        ["api", "webhooks", id, token] => (id, token),
        ["api", version, "webhooks", id, token] if is_version(version) => (id, token),
        _ => return None,
    };
    let is_token = !token.is_empty()
        && token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    (is_snowflake(id) && is_token).then(|| Webhook {
        id: (*id).to_owned(),
        token: SecretString::from((*token).to_owned()),
        guild_id: None,
    })
}

fn is_version(segment: &str) -> bool {
    let digits = segment.strip_prefix('v').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// What a refusal means while there is no account that could be connected again.
pub(super) fn refused(answer: &Answer, message: &str) -> NetworkError {
    let error = failure(answer, false, None);
    match error.kind == NetworkErrorKind::Reconnect {
        true => NetworkError::permanent(message),
        false => error,
    }
}

fn without_client() -> NetworkError {
    NetworkError::permanent(
        "Set discord_client_id and discord_client_secret first: Discord gives them in its Developer Portal, on the page OAuth2 of your application.",
    )
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
