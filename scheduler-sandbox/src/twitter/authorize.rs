//! The page on which a person lets an application in: `/i/oauth2/authorize`.
//!
//! Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>.

use http::StatusCode;
use serde_json::{Map, Value};

use super::Twitter;
use super::oauth::{Challenge, Code, SCOPES};
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::page::escape;
use crate::params::{params, text};
use crate::request::Request;

/// Accounts that the page offers.
const OFFERED_USERS: usize = 50;
/// Longest state.
const MAX_STATE: usize = 500;
/// What the page hands on from the address to the form.
const HANDED_ON: [&str; 7] = [
    "client_id",
    "code_challenge",
    "code_challenge_method",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
];

/// What an application asks for, after it was found to be in order.
struct Asked {
    client_id: String,
    redirect_uri: String,
    scopes: Vec<String>,
    state: String,
    challenge: Challenge,
}

impl Twitter {
    /// Shows the page.
    pub(super) fn authorize_page(&self, request: &Request) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(why) => return wrong(why),
        };
        let mut fields = String::new();
        for name in HANDED_ON {
            if let Some(value) = text(&params, name) {
                let value = escape(&value);
                fields += &format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">");
            }
        }
        let mut users = String::new();
        for user in self.users.values().take(OFFERED_USERS) {
            let name = escape(&user.username);
            users += &format!("<option value=\"{}\">@{name}</option>", user.id);
        }
        page(
            StatusCode::OK,
            &format!(
                "<p><strong>{}</strong> wants to access an account of this sandbox.</p>\
                 <p>Permissions: {}</p><form method=\"post\" action=\"authorize\">{fields}\
                 <p><label>Account <select name=\"user\">{users}\
                 <option value=\"new\">a new one</option></select></label></p><p>\
                 <button name=\"decision\" value=\"allow\">Authorize app</button> \
                 <button name=\"decision\" value=\"cancel\">Cancel</button></p></form>",
                escape(&asked.client_id),
                escape(&asked.scopes.join(" ")),
            ),
        )
    }

    /// Takes the person's decision.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(why) => return wrong(why),
        };
        let state = ("state", asked.state.as_str());
        if text(&params, "decision").as_deref() == Some("cancel") {
            return back(&asked.redirect_uri, &[("error", "access_denied"), state]);
        }
        let user = match text(&params, "user").as_deref() {
            None | Some("new") => self.add_user(None, context.now).ok(),
            Some(id) => id.parse().ok().filter(|id| self.users.contains_key(id)),
        };
        let Some(user) = user else { return wrong("There is no such account.") };
        let code = random_secret();
        let answer = back(&asked.redirect_uri, &[state, ("code", &code)]);
        let kept = Code {
            client_id: asked.client_id,
            user,
            redirect_uri: asked.redirect_uri,
            scopes: asked.scopes,
            challenge: asked.challenge,
            created_at: context.now,
        };
        self.codes.insert(code, kept);
        answer
    }
}

fn asked(params: &Map<String, Value>) -> Result<Asked, &'static str> {
    let given = |name| text(params, name).filter(|value| !value.is_empty());
    let client_id = given("client_id").ok_or("The client_id is missing.")?;
    let redirect_uri = given("redirect_uri")
        .filter(|uri| uri.starts_with("http://") || uri.starts_with("https://"))
        .ok_or("The redirect_uri does not match a registered one.")?;
    if given("response_type").as_deref() != Some("code") {
        return Err("The response_type has to be code.");
    }
    let state = given("state")
        .filter(|state| state.chars().count() <= MAX_STATE)
        .ok_or("The state is missing or longer than 500 characters.")?;
    let scopes = given("scope").unwrap_or_default();
    let scopes: Vec<String> = scopes.split_whitespace().map(str::to_owned).collect();
    if scopes.is_empty() || scopes.iter().any(|scope| !SCOPES.contains(&scope.as_str())) {
        return Err("A scope is not known.");
    }
    let challenge = given("code_challenge").ok_or("The code_challenge is missing.")?;
    let challenge = match given("code_challenge_method").as_deref() {
        Some("S256") => Challenge::Sha256(challenge),
        Some("plain") => Challenge::Plain(challenge),
        _ => return Err("The code_challenge_method has to be S256 or plain."),
    };
    Ok(Asked { client_id, redirect_uri, scopes, state, challenge })
}

/// Sends the browser back to the application.
fn back(redirect_uri: &str, pairs: &[(&str, &str)]) -> Answer {
    let separator = if redirect_uri.contains('?') { '&' } else { '?' };
    let query = serde_urlencoded::to_string(pairs).unwrap_or_default();
    Answer::redirect(&format!("{redirect_uri}{separator}{query}"))
}

fn wrong(why: &str) -> Answer {
    let content = format!("<p>Something went wrong. {}</p>", escape(why));
    page(StatusCode::BAD_REQUEST, &content)
}

fn page(status: StatusCode, content: &str) -> Answer {
    Answer::html(
        status,
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta \
             name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Authorize app\
             </title><style>:root{{color-scheme:light dark}}body{{max-width:32rem;margin:3rem \
             auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}}button,select{{font:inherit;\
             padding:.4rem .9rem}}</style></head><body><h1>Authorize app</h1>{content}</body></html>\n"
        ),
    )
}
