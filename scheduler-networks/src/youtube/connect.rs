//! Connecting by Google's own page, and the exchange of tokens.
//!
//! One grant opens one channel: the person picks it on Google's page.
//!
//! Source: <https://developers.google.com/identity/protocols/oauth2/web-server>.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError, NetworkErrorKind,
};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::api::Api;
use super::errors::{failure, token_failure, unreadable};
use super::wire::{
    COMMENTING, Channel, Items, MANAGING, PUBLISHING, READING, REPORTS, SCOPE, Tokens,
};
use crate::conversation::{Answer, Body, Request, Turn, TurnResult};
use crate::oauth_tokens::{TokenAnswer, scopes};
use crate::settings::Client;

/// What a person is asked to allow unless the operator chooses.
///
/// Source: <https://developers.google.com/youtube/v3/guides/auth/server-side-web-apps>, "Scopes".
const SCOPES: [&str; 5] =
    ["youtube.upload", "youtube", "youtube.force-ssl", "youtube.readonly", "yt-analytics.readonly"];

/// What an account lacks without permissions, of which the person may untick some.
const LACKS: [(&[&str], &str); 5] = [
    (PUBLISHING, "It cannot publish: the permission youtube.upload was not given."),
    (
        MANAGING,
        "Videos cannot be changed or deleted, and playlists not used: the permission youtube was not given.",
    ),
    (
        COMMENTING,
        "Comments and subtitles cannot be used: the permission youtube.force-ssl was not given.",
    ),
    (READING, "Figures cannot be read: the permission youtube.readonly was not given."),
    (REPORTS, "Insights cannot be read: the permission yt-analytics.readonly was not given."),
];

/// The permissions that are asked for, under their full names.
pub(super) fn usual_scopes() -> Vec<String> {
    SCOPES.iter().map(|name| format!("{SCOPE}{name}")).collect()
}

/// The page on which a person lets us in. It is asked for consent each time: without, Google gives
/// no refresh token to who has had one.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`] where the operator has set no application.
pub(super) fn authorize(
    api: &Api,
    client: Option<&Client>,
    scopes: &[String],
    input: &AuthorizeInput,
) -> TurnResult<Authorization> {
    let client = client.ok_or_else(no_client)?;
    let challenge = Sha256::digest(input.code_verifier.expose_secret());
    let mut url = api.authorization();
    url.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &client.id)
        .append_pair("redirect_uri", &input.redirect_uri)
        .append_pair("scope", &scopes.join(" "))
        .append_pair("state", &input.state)
        .append_pair("access_type", "offline")
        .append_pair("prompt", "consent")
        .append_pair("include_granted_scopes", "true")
        .append_pair("code_challenge", &URL_SAFE_NO_PAD.encode(challenge))
        .append_pair("code_challenge_method", "S256");
    Ok(Turn::Done(Authorization { url: url.into(), kept: ConnectInput::default() }))
}

/// The next turn of opening channels. Reads `code`, `redirectUri` and `codeVerifier`, or else
/// `accessToken` and, where there are any, `refreshToken` and `scope`.
pub(super) fn connect(
    api: &Api,
    client: Option<&Client>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let mut answers = answers.iter();
    let (tokens, expires_at) = match input.given("code") {
        Some(code) => {
            let missing = |name: &str| NetworkError::permanent(format!("{name} is missing."));
            let redirect_uri = input.given("redirectUri").ok_or_else(|| missing("redirectUri"))?;
            let verifier = input.given("codeVerifier").ok_or_else(|| missing("codeVerifier"))?;
            let client = client.ok_or_else(no_client)?;
            let Some(answer) = answers.next() else {
                let fields = vec![
                    ("grant_type", "authorization_code".to_owned()),
                    ("code", code.to_owned()),
                    ("redirect_uri", redirect_uri.to_owned()),
                    ("code_verifier", verifier.to_owned()),
                ];
                return Ok(Turn::Send(token_call(api, client, fields)));
            };
            exchanged(answer, None).map_err(not_connected)?
        }
        None => {
            let token = input.given("accessToken").ok_or_else(|| {
                NetworkError::permanent("accessToken is missing: connect on Google's page, or give a token that was made for your application.")
            })?;
            let tokens = Tokens {
                access_token: SecretString::from(token),
                refresh_token: input.given("refreshToken").map(SecretString::from),
                scopes: input.given("scope").map(scopes),
                uploads: None,
            };
            (tokens, None)
        }
    };
    let Some(answer) = answers.next() else {
        let pairs = [("part", "snippet,statistics,contentDetails"), ("mine", "true")];
        return Ok(Turn::Send(api.read(&tokens.access_token, "channels", &pairs)));
    };
    if !answer.is_success() {
        return Err(not_connected(failure(answer, false, None)));
    }
    let channels: Items<Channel> = answer.json().ok_or_else(unreadable)?;
    if channels.items.is_empty() {
        return Err(NetworkError::permanent(
            "This Google account has no YouTube channel. Make one on youtube.com, then connect it again.",
        ));
    }
    let connected = channels.items.into_iter().map(|channel| opened(channel, &tokens, expires_at));
    Ok(Turn::Done(connected.collect()))
}

/// The next turn of exchanging the refresh token for another access token. The refresh token stays
/// as it is.
pub(super) fn refresh(
    api: &Api,
    client: Option<&Client>,
    tokens: Tokens,
    answers: &[Answer],
) -> TurnResult<Credentials> {
    let Some(refresh_token) = &tokens.refresh_token else {
        return Err(NetworkError::new(
            NetworkErrorKind::Reconnect,
            "Google's access has run out after an hour, and there is nothing to renew it with. Connect the account again.",
        ));
    };
    let client = client.ok_or_else(no_client)?;
    let Some(answer) = answers.first() else {
        let token = refresh_token.expose_secret().to_owned();
        let fields = vec![("grant_type", "refresh_token".to_owned()), ("refresh_token", token)];
        return Ok(Turn::Send(token_call(api, client, fields)));
    };
    let (tokens, expires_at) = exchanged(answer, Some(tokens))?;
    Ok(Turn::Done(Credentials::new(tokens.to_text(), expires_at)))
}

fn token_call(api: &Api, client: &Client, mut fields: Vec<(&'static str, String)>) -> Request {
    fields.push(("client_id", client.id.clone()));
    fields.push(("client_secret", client.secret.expose_secret().to_owned()));
    Request::act(api.token(), Body::Form(fields))
}

/// What is kept once tokens were given, and when the access ends. What `before` had and the answer
/// does not tell stays.
fn exchanged(
    answer: &Answer,
    before: Option<Tokens>,
) -> Result<(Tokens, Option<DateTime<Utc>>), NetworkError> {
    if !answer.is_success() {
        return Err(token_failure(answer));
    }
    let token: TokenAnswer = answer.json().ok_or_else(unreadable)?;
    let (old_token, old_scopes, uploads) = before
        .map_or((None, None, None), |before| (before.refresh_token, before.scopes, before.uploads));
    let life = token.life();
    let tokens = Tokens {
        access_token: token.access_token,
        refresh_token: token.refresh_token.or(old_token),
        scopes: token.scope.as_deref().map(scopes).or(old_scopes),
        uploads,
    };
    Ok((tokens, answer.given_at().zip(life).map(|(at, life)| at + life)))
}

fn opened(channel: Channel, tokens: &Tokens, expires_at: Option<DateTime<Utc>>) -> Connected {
    let content = channel.content_details;
    let tokens = Tokens {
        access_token: tokens.access_token.clone(),
        refresh_token: tokens.refresh_token.clone(),
        scopes: tokens.scopes.clone(),
        uploads: content.and_then(|content| content.related_playlists.uploads),
    };
    let credentials = Credentials::new(tokens.to_text(), expires_at);
    let mut connected = Connected::new(channel.id, credentials);
    let lacking = LACKS.iter().filter(|(scopes, _)| !tokens.may(scopes));
    connected.lacks = lacking.map(|(_, sentence)| (*sentence).to_owned()).collect();
    if let Some(snippet) = channel.snippet {
        let handle = snippet.custom_url.as_deref();
        connected.username = handle.map(|handle| handle.trim_start_matches('@').to_owned());
        connected.display_name = snippet.title;
        let picture = snippet.thumbnails.pointer("/default/url").and_then(Value::as_str);
        connected.avatar_url = picture.map(str::to_owned);
    }
    connected
}

/// An error while there is no account yet that could be connected again.
fn not_connected(error: NetworkError) -> NetworkError {
    error.while_connecting("Google does not accept this code or token, or the permission to read the channel was not given. Connect once more.")
}

fn no_client() -> NetworkError {
    NetworkError::permanent(
        "This server knows no application at Google: the operator has to set its client id and secret.",
    )
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
