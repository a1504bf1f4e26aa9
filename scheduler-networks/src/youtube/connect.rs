//! Connecting by Google's own page, and the exchange of tokens.
//!
//! One grant opens one channel: the person picks it on Google's page.
//!
//! Source: <https://developers.google.com/identity/protocols/oauth2/web-server>.

use scheduler_core::account::Credentials;
use scheduler_core::ports::{ConnectInput, Connected, NetworkError};
use scheduler_core::target::FailureCode;
use serde_json::Value;

use super::api::Api;
use super::errors::{failure, token_failure, unreadable};
use super::wire::{
    COMMENTING, Channel, Items, MANAGING, PUBLISHING, READING, REPORTS, SCOPE, Tokens,
};
use crate::code_flow::Parameter::{ClientId, Is, RedirectUri, Scopes, State};
use crate::code_flow::{ClientProof, CodeFlow, Granted, ProofKey};
use crate::conversation::{Answer, Turn, TurnResult, or_send};
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

/// Consent is asked for each time: without, Google gives no refresh token to who has had one. The
/// refresh token stays as it is.
pub(super) const FLOW: CodeFlow = CodeFlow {
    page: &[
        ("response_type", Is("code")),
        ("client_id", ClientId),
        ("redirect_uri", RedirectUri),
        ("scope", Scopes),
        ("state", State),
        ("access_type", Is("offline")),
        ("prompt", Is("consent")),
        ("include_granted_scopes", Is("true")),
    ],
    separator: " ",
    proof: ProofKey::Base64,
    client: ClientProof::Form("client_id"),
    more: &[],
    life_share: (1, 1),
    read: |answer| answer.taken(|| token_failure(answer), unreadable),
    no_client: (
        FailureCode::NetworkRefused,
        "This server knows no application at Google: the operator has to set its client id and secret.",
    ),
    no_token: "accessToken is missing: connect on Google's page, or give a token that was made for your application.",
    no_refresh_token: "Google's access has run out after an hour, and there is nothing to renew it with. Connect the account again.",
    not_connected,
};

/// The next turn of opening channels.
pub(super) fn connect(
    api: &Api,
    client: Option<&Client>,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let mut answers = answers.iter();
    let call = |fields| api.token_call(fields);
    let granted = or_send!(FLOW.grant(client, input, &mut answers, call)?);
    let Some(answer) = answers.next() else {
        let pairs = [("part", "snippet,statistics,contentDetails"), ("mine", "true")];
        return Ok(Turn::Send(api.read(&granted.tokens.access_token, "channels", &pairs)));
    };
    let channels: Items<Channel> =
        answer.taken(|| not_connected(failure(answer, false, None)), unreadable)?;
    if channels.items.is_empty() {
        return Err(NetworkError::permanent(
            "This Google account has no YouTube channel. Make one on youtube.com, then connect it again.",
        ));
    }
    let connected = channels.items.into_iter().map(|channel| opened(channel, &granted));
    Ok(Turn::Done(connected.collect()))
}

/// The next turn of exchanging the refresh token for another access token.
pub(super) fn refresh(
    api: &Api,
    client: Option<&Client>,
    tokens: Tokens,
    answers: &[Answer],
) -> TurnResult<Credentials> {
    let Tokens { oauth, uploads } = tokens;
    let granted = FLOW.refresh(client, oauth, answers, |fields| api.token_call(fields))?;
    Ok(granted.map(|Granted { tokens, expires_at }| {
        Credentials::new(Tokens { oauth: tokens, uploads }.to_text(), expires_at)
    }))
}

fn opened(channel: Channel, granted: &Granted) -> Connected {
    let content = channel.content_details;
    let tokens = Tokens {
        oauth: granted.tokens.clone(),
        uploads: content.and_then(|content| content.related_playlists.uploads),
    };
    let credentials = Credentials::new(tokens.to_text(), granted.expires_at);
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

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
