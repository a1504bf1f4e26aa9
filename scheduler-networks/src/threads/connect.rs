//! Connecting: on the network's page, or with a token that a person has made for themselves.
//!
//! Source:
//! <https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions>.

use chrono::DateTime;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError, NetworkErrorKind,
};
use scheduler_core::target::FailureCode;
use secrecy::{ExposeSecret, SecretString};

use super::api::Api;
use super::errors::failure;
use super::refresh::{
    self, credentials, credentials_of_unknown_age, credentials_until, unversioned,
};
use super::wire::{GivenToken, Profile, TokenFacts, Tokens};
use crate::conversation::{Answer, Body, Request, Turn, TurnResult};
use crate::endpoint::Endpoint;
use crate::graph::lacks;
use crate::settings::Client;

/// What an account cannot do without a scope.
const LACKS: [(&str, &str); 5] = [
    ("threads_content_publish", "Posts cannot be published: threads_content_publish is missing."),
    ("threads_read_replies", "Comments cannot be read: threads_read_replies is missing."),
    (
        "threads_manage_replies",
        "Comments cannot be answered or hidden: threads_manage_replies is missing.",
    ),
    ("threads_manage_insights", "Figures cannot be read: threads_manage_insights is missing."),
    ("threads_delete", "Posts cannot be taken down: threads_delete is missing."),
];

/// The page on which a person lets us in. Threads knows no PKCE.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`] where the operator has no application.
pub(super) fn authorize(
    site: &Endpoint,
    client: Option<&Client>,
    scopes: &[String],
    input: &AuthorizeInput,
) -> Result<Authorization, NetworkError> {
    let client = client.ok_or_else(no_client)?;
    let pairs = [
        ("client_id", client.id.as_str()),
        ("redirect_uri", &input.redirect_uri),
        ("scope", &scopes.join(",")),
        ("response_type", "code"),
        ("state", &input.state),
    ];
    let url = site.query(["oauth", "authorize"], &pairs);
    Ok(Authorization { url: url.into(), kept: ConnectInput::default() })
}

/// The next turn of connecting an account. Reads `code` and `redirectUri`, or `accessToken` alone.
///
/// # Errors
/// [`NetworkError`] by kind.
pub(super) fn connect(
    api: &Api,
    client: Option<&Client>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let mut answers = answers.iter();
    let (token, lives) = match input.given("accessToken") {
        Some(token) => (SecretString::from(token), None),
        None => {
            let Some(answer) = answers.next() else {
                return Ok(Turn::Send(exchange_code(api, client, input)?));
            };
            let short: GivenToken = taken(answer)?;
            let Some(answer) = answers.next() else {
                return Ok(Turn::Send(exchange_short(api, client, &short.access_token)?));
            };
            let long: GivenToken = taken(answer)?;
            (long.access_token, Some((answer, long.expires_in)))
        }
    };

    let Some(answer) = answers.next() else {
        let fields = "id,username,name,threads_profile_picture_url";
        let url = api.query(&["me"], &[("fields", fields)]);
        return Ok(Turn::Send(Request::read(url).bearer(token.expose_secret())));
    };
    let me: Profile = taken(answer)?;
    let tokens = Tokens { access_token: token, user_id: me.id.clone() };

    // Whatever becomes of these, the account is connected.
    let facts = match client {
        Some(client) => match token_facts(api, client, &tokens, &mut answers) {
            Turn::Send(request) => return Ok(Turn::Send(request)),
            Turn::Done(facts) => facts,
        },
        None => None,
    };
    let ends_at = facts.as_ref().and_then(|(_, facts)| facts.data.expires_at);
    let ends_at = ends_at.filter(|seconds| *seconds > 0);
    let ends_at = ends_at.and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    let credentials = match (lives, &facts, ends_at) {
        (Some((answer, seconds)), _, _) => credentials(&tokens, answer, seconds),
        (None, Some((answer, _)), Some(ends_at)) => credentials_until(&tokens, answer, ends_at),
        (None, _, _) => {
            let Some(answer) = answers.next() else {
                return Ok(Turn::Send(refresh::request(api, tokens.access_token.expose_secret())));
            };
            let new: Option<GivenToken> = answer.is_success().then(|| answer.json()).flatten();
            match new {
                Some(new) => {
                    let tokens = Tokens { access_token: new.access_token, ..tokens };
                    credentials(&tokens, answer, new.expires_in)
                }
                None => credentials_of_unknown_age(&tokens, answer),
            }
        }
    };
    let scopes = facts.and_then(|(_, facts)| facts.data.scopes);
    let takes_down =
        scopes.as_ref().map(|granted| granted.iter().any(|scope| scope == "threads_delete"));
    Ok(Turn::Done(vec![Connected {
        username: me.username,
        display_name: me.name.filter(|name| !name.is_empty()),
        avatar_url: me.threads_profile_picture_url,
        lacks: scopes.as_deref().map(|granted| lacks(&LACKS, granted)).unwrap_or_default(),
        limits: AccountLimits { takes_down, ..AccountLimits::default() },
        ..Connected::new(me.id, credentials)
    }]))
}

/// The next turn of asking what a token may do; `None` where the network does not say.
fn token_facts<'a>(
    api: &Api,
    client: &Client,
    tokens: &Tokens,
    answers: &mut impl Iterator<Item = &'a Answer>,
) -> Turn<Option<(&'a Answer, TokenFacts)>> {
    let Some(answer) = answers.next() else {
        let pairs = [
            ("client_id", client.id.as_str()),
            ("client_secret", client.secret.expose_secret()),
            ("grant_type", "client_credentials"),
        ];
        let url = api.server.query(["oauth", "access_token"], &pairs);
        return Turn::Send(Request::read(url));
    };
    let of_app: Option<GivenToken> = answer.is_success().then(|| answer.json()).flatten();
    let Some(of_app) = of_app else { return Turn::Done(None) };
    let Some(answer) = answers.next() else {
        let token = tokens.access_token.expose_secret();
        let url = api.query(&["debug_token"], &[("input_token", token)]);
        return Turn::Send(Request::read(url).bearer(of_app.access_token.expose_secret()));
    };
    let facts: Option<TokenFacts> = answer.is_success().then(|| answer.json()).flatten();
    Turn::Done(facts.map(|facts| (answer, facts)))
}

/// The request that makes a token of a code. It lives for an hour.
fn exchange_code(
    api: &Api,
    client: Option<&Client>,
    input: &ConnectInput,
) -> Result<Request, NetworkError> {
    let code = input.given("code").ok_or_else(|| {
        NetworkError::permanent(
            "code is missing: Threads needs code and redirectUri of its page, or accessToken.",
        )
    })?;
    let redirect_uri = input
        .given("redirectUri")
        .ok_or_else(|| NetworkError::permanent("redirectUri is missing."))?;
    let client = client.ok_or_else(no_client)?;
    let body = Body::Form(vec![
        ("client_id", client.id.clone()),
        ("client_secret", client.secret.expose_secret().to_owned()),
        // The page hangs this onto every code.
        ("code", code.strip_suffix("#_").unwrap_or(code).to_owned()),
        ("grant_type", "authorization_code".to_owned()),
        ("redirect_uri", redirect_uri.to_owned()),
    ]);
    Ok(Request::act(api.server.at(["oauth", "access_token"]), body))
}

/// The request that makes of that token one that lives for 60 days.
fn exchange_short(
    api: &Api,
    client: Option<&Client>,
    token: &SecretString,
) -> Result<Request, NetworkError> {
    let client = client.ok_or_else(no_client)?;
    let pairs = [
        ("grant_type", "th_exchange_token"),
        ("client_secret", client.secret.expose_secret()),
        ("access_token", token.expose_secret()),
    ];
    Ok(Request::read(unversioned(api, "access_token", &pairs)))
}

/// What an answer holds.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`] in place of a reconnection: there is no account yet.
fn taken<T: serde::de::DeserializeOwned>(answer: &Answer) -> Result<T, NetworkError> {
    if !answer.is_success() {
        let error = failure(answer, false, None);
        if error.kind != NetworkErrorKind::Reconnect {
            return Err(error);
        }
        let message = format!("Threads did not let us in. {}", error.message);
        return Err(NetworkError::permanent(message));
    }
    answer.json().ok_or_else(|| NetworkError::temporary("The answer of Threads cannot be read."))
}

fn no_client() -> NetworkError {
    NetworkError::permanent(
        "This server has no application at Threads: set the client id (the Threads app id) and the client secret of one, from https://developers.facebook.com/apps.",
    )
    .with_code(FailureCode::Unsupported)
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
