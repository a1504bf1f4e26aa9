//! Connecting by Instagram's own login, and renewing its tokens. What both logins share is here
//! too.
//!
//! Source:
//! <https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError};
use secrecy::{ExposeSecret, SecretString};

use super::connect_page;
use super::errors::{Described, Meaning, failure, unreadable};
use super::hosts::{Host, Hosts};
use super::wire::{Me, Token, Tokens, Way};
use crate::conversation::{Answer, Body, Request, Turn, TurnResult};
use crate::graph::lacks;
use crate::settings::Client;

/// What is asked for in Instagram's own login, and what the account cannot do without each.
const SCOPES: [(&str, &str); 4] = [
    (
        "instagram_business_basic",
        "The account cannot be read: instagram_business_basic was not allowed.",
    ),
    (
        "instagram_business_content_publish",
        "Nothing can be published: instagram_business_content_publish was not allowed.",
    ),
    (
        "instagram_business_manage_comments",
        "Comments can be neither read nor answered: instagram_business_manage_comments was not allowed.",
    ),
    (
        "instagram_business_manage_insights",
        "There are no figures but likes and comments: instagram_business_manage_insights was not allowed.",
    ),
];

/// How the names begin that only Instagram's own login knows.
const DIRECT_SCOPES: &str = "instagram_business_";

/// What part of a token's life passes before it is renewed. Tokens live for 60 days and can be
/// renewed while they do: one that is used once a month never runs out.
const RENEWAL_SHARE: i32 = 2;

/// The operator's applications.
#[derive(Clone, Debug)]
pub(super) struct Apps {
    /// That of Instagram's own login.
    pub(super) direct: Option<Client>,
    /// That of Facebook's login.
    pub(super) via_page: Option<Client>,
    /// What is asked for in place of what this adapter can use, by the logins that know it.
    pub(super) scopes: Option<Vec<String>>,
}

impl Apps {
    /// The application of a login.
    pub(super) fn client(&self, way: Way) -> Result<&Client, NetworkError> {
        let client = match way {
            Way::Direct => &self.direct,
            Way::ViaPage => &self.via_page,
        };
        client.as_ref().ok_or_else(|| {
            NetworkError::permanent(match way {
                Way::Direct => "This server has no client id for Instagram. Make an app at developers.facebook.com, add the product Instagram, and set the Instagram app id and secret as the client of instagram.",
                Way::ViaPage => "This server has no client id for Facebook's login. Make an app at developers.facebook.com, and set its app id and secret as the client of facebook.",
            })
        })
    }

    fn scopes(&self, way: Way) -> Vec<&str> {
        let known: &[(&str, &str)] = match way {
            Way::Direct => &SCOPES,
            Way::ViaPage => &connect_page::SCOPES,
        };
        // A login refuses everything that is asked for together with a name of the other's.
        let is_of_way = |scope: &&str| scope.starts_with(DIRECT_SCOPES) == (way == Way::Direct);
        let chosen = self.scopes.iter().flatten().map(String::as_str);
        let chosen: Vec<&str> = chosen.filter(is_of_way).collect();
        if chosen.is_empty() { known.iter().map(|(scope, _)| *scope).collect() } else { chosen }
    }
}

/// The page of a login. Neither of them offers a proof key.
pub(super) fn authorize(
    hosts: &Hosts,
    apps: &Apps,
    input: &AuthorizeInput,
) -> Result<Authorization, NetworkError> {
    let way = way(&input.values)?;
    let client = apps.client(way)?;
    let scopes = apps.scopes(way).join(",");
    let pairs = [
        ("client_id", client.id.as_str()),
        ("redirect_uri", &input.redirect_uri),
        ("response_type", "code"),
        ("scope", &scopes),
        ("state", &input.state),
    ];
    let url = match way {
        Way::Direct => hosts.host(Host::InstagramPages)?.query(["oauth", "authorize"], &pairs),
        Way::ViaPage => {
            hosts.host(Host::FacebookPages)?.query([hosts.version(), "dialog", "oauth"], &pairs)
        }
    };
    let tokens = [("connection".to_owned(), way.name().to_owned())];
    Ok(Authorization { url: url.into(), kept: ConnectInput(tokens.into()) })
}

/// The next turn of opening accounts. Reads `connection` (`direct` or `via_page`), and `code` and
/// `redirectUri` of what came back from the page, or `accessToken`.
pub(super) fn connect(
    hosts: &Hosts,
    apps: &Apps,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    match way(input)? {
        Way::Direct => direct(hosts, apps, input, answers),
        Way::ViaPage => connect_page::connect(hosts, apps, input, answers),
    }
}

fn way(input: &ConnectInput) -> Result<Way, NetworkError> {
    let name = input.value("connection").map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name else { return Ok(Way::Direct) };
    Way::named(name)
        .ok_or_else(|| NetworkError::permanent("connection must be direct or via_page."))
}

/// By Instagram's own login.
fn direct(
    hosts: &Hosts,
    apps: &Apps,
    input: &ConnectInput,
    answers: &[Answer],
) -> TurnResult<Vec<Connected>> {
    let mut answers = answers.iter();
    let mut permissions = None;
    let (token, expires_at) = match given(input)? {
        Given::Token(token) => (token, None),
        Given::Code { code, redirect_uri } => {
            let client = apps.client(Way::Direct)?;
            let Some(answer) = answers.next() else {
                let url = hosts.host(Host::InstagramTokens)?.at(["oauth", "access_token"]);
                let fields = vec![
                    ("client_id", client.id.clone()),
                    ("client_secret", client.secret.expose_secret().to_owned()),
                    ("grant_type", "authorization_code".to_owned()),
                    ("redirect_uri", redirect_uri.to_owned()),
                    ("code", code.to_owned()),
                ];
                return Ok(Turn::Send(Request::act(url, Body::Form(fields))));
            };
            let short = token(answer)?;
            // An answer that names none does not say what was allowed.
            permissions = Some(short.permissions).filter(|granted| !granted.is_empty());
            let Some(answer) = answers.next() else {
                let pairs = [
                    ("grant_type", "ig_exchange_token"),
                    ("client_secret", client.secret.expose_secret()),
                    ("access_token", short.access_token.expose_secret()),
                ];
                let url = hosts.host(Host::InstagramGraph)?.query(["access_token"], &pairs);
                return Ok(Turn::Send(Request::read(url)));
            };
            let long = self::token(answer)?;
            let expires_at = renewal(answer, long.expires_in);
            (long.access_token, expires_at)
        }
    };
    let Some(answer) = answers.next() else {
        let fields = "user_id,username,name,account_type,profile_picture_url";
        let url = hosts.call(Way::Direct.host(), &["me"], &[("fields", fields)])?;
        return Ok(Turn::Send(Request::read(url).bearer(token.expose_secret())));
    };
    let me: Me = answer.taken(|| not_connected(answer), || unreadable(false))?;
    if me.account_type.as_deref() == Some("PERSONAL") {
        return Err(NetworkError::permanent(
            "Only business and creator accounts can be connected. Switch the account to one of them in Instagram's settings, then connect it again.",
        ));
    }
    let tokens = Tokens { access_token: token, user_id: me.user_id.clone(), way: Way::Direct };
    Ok(Turn::Done(vec![Connected {
        username: me.username,
        display_name: me.name.filter(|name| !name.is_empty()),
        avatar_url: me.profile_picture_url,
        connection: Some(Way::Direct.connection()),
        // Source: <https://developers.facebook.com/documentation/instagram-platform/changelog>,
        // 2025-12-03: only through a Page.
        limits: AccountLimits {
            takes_down: Some(false),
            via_page: Some(false),
            ..AccountLimits::default()
        },
        lacks: permissions.map_or_else(Vec::new, |granted| lacks(&SCOPES, &granted)),
        ..Connected::new(me.user_id, Credentials::new(tokens.to_text(), expires_at))
    }]))
}

/// The next turn of renewing a token.
pub(super) fn refresh(
    hosts: &Hosts,
    tokens: &Tokens,
    credentials: &Credentials,
    answers: &[Answer],
) -> TurnResult<Credentials> {
    if tokens.way == Way::ViaPage {
        return Ok(Turn::Done(credentials.clone()));
    }
    let Some(answer) = answers.first() else {
        let pairs = [
            ("grant_type", "ig_refresh_token"),
            ("access_token", tokens.access_token.expose_secret()),
        ];
        let url = hosts.host(Host::InstagramGraph)?.query(["refresh_access_token"], &pairs);
        return Ok(Turn::Send(Request::read(url)));
    };
    if !answer.is_success() {
        return Err(failure(answer, false, None));
    }
    let new = token(answer)?;
    let expires_at = renewal(answer, new.expires_in);
    let user_id = tokens.user_id.clone();
    let tokens = Tokens { access_token: new.access_token, user_id, way: tokens.way };
    Ok(Turn::Done(Credentials::new(tokens.to_text(), expires_at)))
}

/// What a person has given, or the page has given back.
pub(super) enum Given<'a> {
    /// A token.
    Token(SecretString),
    /// What is exchanged for one.
    Code {
        /// As it came back.
        code: &'a str,
        /// Where it came back to.
        redirect_uri: &'a str,
    },
}

pub(super) fn given(input: &ConnectInput) -> Result<Given<'_>, NetworkError> {
    let value = |name| input.given(name);
    if let Some(token) = value("accessToken") {
        return Ok(Given::Token(SecretString::from(token)));
    }
    match (value("code"), value("redirectUri")) {
        (Some(code), Some(redirect_uri)) => {
            Ok(Given::Code { code: code.strip_suffix("#_").unwrap_or(code), redirect_uri })
        }
        _ => Err(NetworkError::permanent(
            "Instagram is connected on its own page, which gives code and redirectUri, or with an accessToken.",
        )),
    }
}

/// The token in an answer.
fn token(answer: &Answer) -> Result<Token, NetworkError> {
    if !answer.is_success() {
        return Err(not_connected(answer));
    }
    answer.json().and_then(Token::read).ok_or_else(|| unreadable(false))
}

/// What a refusal means while there is no account yet that could be connected again.
pub(super) fn not_connected(answer: &Answer) -> NetworkError {
    let described = Described::read(answer);
    let is_trouble =
        matches!(described.meaning(), Meaning::Later | Meaning::Theirs | Meaning::Limited);
    if is_trouble {
        return failure(answer, false, None);
    }
    // The first token of Instagram's own login is refused in other words.
    let said = match (described.code, answer.words("error_message")) {
        (None, words) if !words.is_empty() => words,
        _ => described.said(),
    };
    NetworkError::permanent(format!(
        "Instagram did not let the account in. Begin anew; if it stays so, look at the app's settings. It says: {said}"
    ))
}

/// When a token is to be renewed, by the network's own clock; `None` when either is not told.
fn renewal(answer: &Answer, expires_in: Option<i64>) -> Option<DateTime<Utc>> {
    let now = answer.given_at()?;
    let life = TimeDelta::try_seconds(expires_in.filter(|seconds| *seconds > 0)?)?;
    now.checked_add_signed(life / RENEWAL_SHARE)
}

#[cfg(test)]
#[path = "connect_tests.rs"]
mod tests;
