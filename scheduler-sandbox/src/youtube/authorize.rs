//! The page on which a person lets an application in: `/o/oauth2/v2/auth`.
//!
//! Source: <https://developers.google.com/identity/protocols/oauth2/web-server>.

use http::StatusCode;
use serde_json::{Map, Value};

use super::Youtube;
use super::oauth::{Code, SCOPE, SCOPES};
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::page::escape;
use crate::params::{params, text};
use crate::request::Request;

/// Channels that the page offers.
const OFFERED_CHANNELS: usize = 50;
/// What the page hands on from the address to the form.
const HANDED_ON: [&str; 8] = [
    "client_id",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
    "access_type",
    "code_challenge",
    "code_challenge_method",
];

/// What an application asks for, after it was found to be in order.
struct Asked {
    client_id: String,
    redirect_uri: String,
    scopes: Vec<String>,
    state: Option<String>,
}

impl Youtube {
    /// Shows the page.
    pub(super) fn authorize_page(&self, request: &Request) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(answer) => return answer,
        };
        let mut fields = String::new();
        for name in HANDED_ON {
            if let Some(value) = text(&params, name) {
                let value = escape(&value);
                fields += &format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">");
            }
        }
        let mut channels = String::new();
        for channel in self.channels.values().take(OFFERED_CHANNELS) {
            let title = escape(&channel.title);
            channels += &format!("<option value=\"{}\">{title}</option>", channel.id);
        }
        page(
            StatusCode::OK,
            &format!(
                "<p><strong>{}</strong> asks to use a channel of this sandbox.</p><p>Permissions: \
                 {}</p><form method=\"post\" action=\"auth\">{fields}<p><label>Channel \
                 <select name=\"channel\">{channels}<option value=\"new\">a new one</option></select>\
                 </label></p><p><button name=\"decision\" value=\"allow\">Continue</button> \
                 <button name=\"decision\" value=\"cancel\">Cancel</button></p></form>",
                escape(&asked.client_id),
                escape(&asked.scopes.join(" ")),
            ),
        )
    }

    /// Takes the person's decision; `granted` narrows the permissions, as unticked boxes do.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(answer) => return answer,
        };
        let state = asked.state.as_deref();
        if text(&params, "decision").as_deref() == Some("cancel") {
            return back(&asked.redirect_uri, &[("error", "access_denied")], state);
        }
        let channel = match text(&params, "channel").as_deref() {
            None | Some("new") => self.add_channel(None, context.now).ok(),
            Some(id) => self.channels.contains_key(id).then(|| id.to_owned()),
        };
        let Some(channel) = channel else {
            return page(StatusCode::BAD_REQUEST, "<p>There is no such channel.</p>");
        };
        let ticked = text(&params, "granted");
        let is_ticked = |scope: &String| {
            ticked.as_ref().is_none_or(|ticked| ticked.split(' ').any(|known| known == scope))
        };
        let scopes: Vec<String> =
            asked.scopes.iter().filter(|scope| is_ticked(scope)).cloned().collect();
        let code = random_secret();
        let shown = scopes.join(" ");
        let answer = back(&asked.redirect_uri, &[("code", &code), ("scope", &shown)], state);
        let kept = Code {
            client_id: asked.client_id,
            channel,
            redirect_uri: asked.redirect_uri,
            scopes,
            challenge: text(&params, "code_challenge"),
            is_offline: text(&params, "access_type").as_deref() == Some("offline"),
            created_at: context.now,
        };
        self.codes.insert(code, kept);
        answer
    }
}

fn asked(params: &Map<String, Value>) -> Result<Asked, Answer> {
    let given = |name| text(params, name).filter(|value| !value.is_empty());
    let wrong = |why: &str| {
        let why = escape(why);
        page(StatusCode::BAD_REQUEST, &format!("<p>Access blocked: {why}</p>"))
    };
    let client_id = given("client_id").ok_or_else(|| wrong("Error 401: invalid_client"))?;
    let redirect_uri = given("redirect_uri")
        .filter(|uri| uri.starts_with("http://") || uri.starts_with("https://"))
        .ok_or_else(|| wrong("Error 400: redirect_uri_mismatch"))?;
    if given("response_type").as_deref() != Some("code") {
        return Err(wrong("Error 400: unsupported_response_type"));
    }
    if given("code_challenge").is_some()
        && given("code_challenge_method").as_deref() != Some("S256")
    {
        return Err(wrong("Error 400: invalid_request"));
    }
    let scopes = given("scope").unwrap_or_default();
    let scopes: Vec<String> = scopes.split_whitespace().map(str::to_owned).collect();
    let is_known =
        |scope: &String| scope.strip_prefix(SCOPE).is_some_and(|name| SCOPES.contains(&name));
    if scopes.is_empty() || !scopes.iter().all(is_known) {
        return Err(wrong("Error 400: invalid_scope"));
    }
    Ok(Asked { client_id, redirect_uri, scopes, state: given("state") })
}

/// Sends the browser back to the application.
fn back(redirect_uri: &str, pairs: &[(&str, &str)], state: Option<&str>) -> Answer {
    let mut all: Vec<(&str, &str)> = state.map(|state| ("state", state)).into_iter().collect();
    all.extend(pairs);
    let separator = if redirect_uri.contains('?') { '&' } else { '?' };
    let query = serde_urlencoded::to_string(all).unwrap_or_default();
    Answer::redirect(&format!("{redirect_uri}{separator}{query}"))
}

fn page(status: StatusCode, content: &str) -> Answer {
    Answer::html(
        status,
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta \
             name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Choose a \
             channel</title><style>:root{{color-scheme:light dark}}body{{max-width:32rem;\
             margin:3rem auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}}button,select\
             {{font:inherit;padding:.4rem .9rem}}</style></head><body><h1>Choose a channel</h1>\
             {content}</body></html>\n"
        ),
    )
}
