//! Connecting by server and access token, or by the code that the server's page has given.

use scheduler_core::account::Credentials;
use scheduler_core::ports::{ConnectInput, Connected, NetworkError, NetworkErrorKind};
use secrecy::ExposeSecret;
use serde_json::Value;
use url::Url;

use super::authorize::{exchange, token};
use super::errors::failure;
use super::wire::{Application, CredentialAccount, GivenToken, Instance, Tokens, instance};
use crate::conversation::{Answer, Request, Turn, TurnResult};
use crate::endpoint::Endpoint;
use crate::outbound::Guard;

/// Scopes, and what an account lacks without them.
///
/// Source: <https://docs.joinmastodon.org/api/oauth-scopes/>.
const LACKS: [(&str, &str); 6] = [
    ("write:statuses", "It cannot publish: the scope write:statuses was not given."),
    ("write:media", "It cannot send files: the scope write:media was not given."),
    (
        "read:statuses",
        "Comments and figures cannot be read: the scope read:statuses was not given.",
    ),
    ("write:favourites", "Comments cannot be liked: the scope write:favourites was not given."),
    ("read:search", "No post can be quoted: the scope read:search was not given."),
    ("read:accounts", "Names cannot be looked up: the scope read:accounts was not given."),
];

/// The next turn of connecting an account. Reads `instance` (a host, or an address or handle that
/// holds one) and `accessToken`, or `code` and what goes with it.
///
/// `api_base` is the operator's own choice of server for all accounts.
pub(super) fn connect(
    api_base: Option<&Endpoint>,
    guard: &Guard,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let server = server(api_base, guard, input)?;
    let mut answers = answers.iter();
    let GivenToken { access_token: token, scope } = match input.value("code") {
        None => GivenToken { access_token: given(input, "accessToken")?.into(), scope: None },
        Some(code) => {
            let Some(answer) = answers.next() else {
                return Ok(Turn::Send(exchange(&server, input, code)?));
            };
            token(&server, answer)?
        }
    };
    let read = |segments: &[&str]| Request::read(server.at(segments.iter().copied()));
    let authorized = |segments: &[&str]| Turn::Send(read(segments).bearer(token.expose_secret()));

    // The second version is newer than some servers, and the first is gone from some.
    let Some(answer) = answers.next() else {
        return Ok(Turn::Send(read(&["api", "v2", "instance"])));
    };
    let about = match described(answer)? {
        Some(about) => about,
        None => {
            let Some(answer) = answers.next() else {
                return Ok(Turn::Send(read(&["api", "v1", "instance"])));
            };
            described(answer)?.ok_or_else(|| {
                NetworkError::permanent(format!(
                    "{} does not speak the API of Mastodon.",
                    server.host()
                ))
            })?
        }
    };

    let Some(answer) = answers.next() else {
        return Ok(authorized(&["api", "v1", "accounts", "verify_credentials"]));
    };
    if !answer.is_success() {
        let error = failure(answer, false, None);
        // There is no account yet that could be connected again. Other software refuses a token
        // with a page.
        let is_refused = error.kind == NetworkErrorKind::Reconnect || answer.status == 422;
        return Err(if is_refused {
            NetworkError::permanent(format!(
                "{} does not accept this access token for reading the account. It needs the scopes read and write.",
                server.host()
            ))
        } else {
            error
        });
    }
    let account: CredentialAccount = answer
        .json()
        .ok_or_else(|| NetworkError::temporary("The answer of the server cannot be read."))?;

    let Some(answer) = answers.next() else {
        return Ok(authorized(&["api", "v1", "apps", "verify_credentials"]));
    };
    // Where the server does not tell, our own statuses are known by their text alone.
    let app: Option<Application> = answer.is_success().then(|| answer.json()).flatten();
    let (app_name, of_app) = app.map_or((None, None), |app| (Some(app.name), app.scopes));
    let of_token = scope.map(|scope| scope.split_whitespace().map(str::to_owned).collect());
    let scopes: Option<Vec<String>> = of_token.or(of_app);

    let tokens = Tokens {
        access_token: token,
        account_id: account.id,
        app_name,
        is_mastodon: about.is_mastodon(),
    };
    let network_id = format!("{}/{}", server.host(), tokens.account_id);
    Ok(Turn::Done(vec![Connected {
        server_url: Some(server.address().to_owned()),
        username: Some(account.acct),
        display_name: account.display_name.filter(|name| !name.is_empty()),
        avatar_url: account.avatar,
        lacks: scopes.as_deref().map(lacks).unwrap_or_default(),
        limits: about.limits(),
        ..Connected::new(network_id, Credentials::new(tokens.to_text(), None))
    }]))
}

/// What an account cannot do with these scopes; one of a kind, such as `read`, opens all of it.
fn lacks(scopes: &[String]) -> Vec<String> {
    let is_given = |scope: &str| {
        let kind = scope.split(':').next().unwrap_or(scope);
        scopes.iter().any(|known| known == scope || known == kind)
    };
    let lacking = LACKS.iter().filter(|(scope, _)| !is_given(scope));
    lacking.map(|(_, sentence)| (*sentence).to_owned()).collect()
}

/// The server that was given, or the operator's own choice.
pub(super) fn server(
    api_base: Option<&Endpoint>,
    guard: &Guard,
    input: &ConnectInput,
) -> Result<Endpoint, NetworkError> {
    match api_base {
        Some(base) => Ok(base.clone()),
        None => typed_server(given(input, "instance")?, guard),
    }
}

/// What the server says of itself; `None` when it does not know the call.
pub(super) fn described(answer: &Answer) -> Result<Option<Instance>, NetworkError> {
    if answer.status == 429 || answer.status >= 500 {
        return Err(failure(answer, false, None));
    }
    let body: Option<Value> = answer.is_success().then(|| answer.json()).flatten();
    Ok(body.as_ref().and_then(instance))
}

pub(super) fn given<'a>(input: &'a ConnectInput, name: &str) -> Result<&'a str, NetworkError> {
    input.given(name).ok_or_else(|| {
        NetworkError::permanent(format!(
            "{name} is missing: Mastodon needs instance (a host) and accessToken (Preferences, Development)."
        ))
    })
}

/// The server that somebody has typed: `m.example`, `https://m.example/@ana`, `@ana@m.example`.
fn typed_server(text: &str, guard: &Guard) -> Result<Endpoint, NetworkError> {
    let unreadable = || NetworkError::permanent("instance is not the host of a server.");
    let is_address = text.contains("://");
    let host = match text.rsplit_once('@') {
        Some((_, host)) if !is_address && !host.is_empty() && !text.contains('/') => host,
        Some(_) | None => text,
    };
    let address = if is_address { host.to_owned() } else { format!("https://{host}") };
    let typed = Url::parse(&address).map_err(|_| unreadable())?;
    if !matches!(typed.scheme(), "http" | "https") {
        return Err(unreadable());
    }
    if is_address && guard.allows_private() {
        // Development servers may stand at any address, without https and below a path.
        return Ok(Endpoint::new(typed));
    }
    let host = typed.host_str().ok_or_else(unreadable)?;
    let port = typed.port().map(|port| format!(":{port}")).unwrap_or_default();
    let url = Url::parse(&format!("https://{host}{port}")).map_err(|_| unreadable())?;
    guard.check(&url).map_err(|refusal| {
        NetworkError::permanent(format!("The instance is refused: {refusal}."))
    })?;
    Ok(Endpoint::new(url))
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
