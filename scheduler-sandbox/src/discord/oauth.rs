//! Letting an application in: a page with a button, a code, and the webhook that it is worth.
//!
//! Source: <https://docs.discord.com/developers/topics/oauth2>.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use http::StatusCode;
use serde_json::{Value, json};

use super::model::TEXT;
use super::{CLIENT_ID, CLIENT_SECRET, Discord, view};
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::page::escape;
use crate::params::{params, text};
use crate::request::Request;

const SCOPE: &str = "webhook.incoming";
/// How long a code is good for. Invented; the network's is short as well.
const CODE_LIFE: TimeDelta = TimeDelta::minutes(10);
/// How long a token lives, in seconds.
const TOKEN_LIFE_SECONDS: u32 = 604_800;

/// A code that was given out.
#[derive(Clone, Debug)]
pub(super) struct Code {
    redirect_uri: String,
    expires_at: DateTime<Utc>,
}

impl Discord {
    /// Answers the page on which a person lets the application in.
    pub(super) fn authorize_page(request: &Request) -> Answer {
        let given = params(request);
        let of = |name: &str| text(&given, name).unwrap_or_default();
        let fault = if of("client_id") != CLIENT_ID {
            "Unknown application."
        } else if of("scope").split(' ').any(|scope| scope == "bot") {
            "The bot of the sandbox is in its server already."
        } else if of("response_type") != "code" {
            "Unsupported response type."
        } else if !of("scope").split(' ').any(|scope| scope == SCOPE) {
            "Unknown scope."
        } else if of("redirect_uri").is_empty() {
            "Invalid OAuth2 redirect_uri."
        } else {
            ""
        };
        if !fault.is_empty() {
            let page = format!("<!doctype html>\n<title>Discord</title><p>{fault}</p>\n");
            return Answer::html(StatusCode::BAD_REQUEST, page);
        }
        let fields = ["redirect_uri", "state"].map(|name| {
            format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", escape(&of(name)))
        });
        Answer::html(
            StatusCode::OK,
            format!(
                "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Discord</title>\
                 <h1>Make a webhook in a channel?</h1><form method=\"post\">{}\
                 <button name=\"decision\" value=\"allow\">Authorize</button>\
                 <button name=\"decision\" value=\"deny\">Cancel</button></form></html>\n",
                fields.concat()
            ),
        )
    }

    /// Takes the person's decision and sends the browser back.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let given = params(request);
        let redirect_uri = text(&given, "redirect_uri").unwrap_or_default();
        let state = text(&given, "state").unwrap_or_default();
        let mut pairs = if text(&given, "decision").as_deref() == Some("allow") {
            let code = random_secret();
            let expires_at = context.now + CODE_LIFE;
            let redirect_uri = redirect_uri.clone();
            self.codes.insert(code.clone(), Code { redirect_uri, expires_at });
            vec![("code", code)]
        } else {
            let words = "The resource owner or authorization server denied the request";
            vec![("error", "access_denied".to_owned()), ("error_description", words.to_owned())]
        };
        pairs.push(("state", state));
        let query = serde_urlencoded::to_string(pairs).unwrap_or_default();
        let sign = if redirect_uri.contains('?') { '&' } else { '?' };
        Answer::redirect(&format!("{redirect_uri}{sign}{query}"))
    }

    /// Exchanges a code for a webhook in a channel of a new server.
    pub(super) fn token(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let given = params(request);
        let of = |name: &str| text(&given, name).unwrap_or_default();
        let client = client(request).unwrap_or_else(|| (of("client_id"), of("client_secret")));
        if client != (CLIENT_ID.to_owned(), CLIENT_SECRET.to_owned()) {
            let body = json!({ "error": "invalid_client" });
            return Answer::json(StatusCode::UNAUTHORIZED, &body);
        }
        if of("grant_type") != "authorization_code" {
            return refused("unsupported_grant_type", "Unsupported grant type.");
        }
        let code = self.codes.remove(&of("code"));
        let is_good = code.is_some_and(|code| {
            code.redirect_uri == of("redirect_uri") && context.now < code.expires_at
        });
        if !is_good {
            return refused("invalid_grant", "Invalid \"code\" in request.");
        }
        let guild = self.add_guild("Granted", context);
        let channel = self.add_channel(guild, TEXT, "general", context);
        let webhook = self.add_webhook(guild, channel, "Scheduler", context);
        Answer::ok(&json!({
            "token_type": "Bearer",
            "access_token": random_secret(),
            "expires_in": TOKEN_LIFE_SECONDS,
            "refresh_token": random_secret(),
            "scope": SCOPE,
            "webhook": view::webhook(&webhook, context),
        }))
    }
}

fn refused(error: &str, description: &str) -> Answer {
    let body: Value = json!({ "error": error, "error_description": description });
    Answer::json(StatusCode::BAD_REQUEST, &body)
}

/// Returns id and secret of an application from a header of the basic scheme.
fn client(request: &Request) -> Option<(String, String)> {
    let encoded = request.header("authorization")?.strip_prefix("Basic ")?;
    let text = String::from_utf8(STANDARD.decode(encoded).ok()?).ok()?;
    let (id, secret) = text.split_once(':')?;
    Some((id.to_owned(), secret.to_owned()))
}
