//! The page on which a person lets an application in: `/v2/auth/authorize/`.
//!
//! A person may take scopes out of what is asked for.
//!
//! Source: <https://developers.tiktok.com/docs/en/login-kit-web>,
//! <https://developers.tiktok.com/docs/en/login-kit-desktop>.

use http::StatusCode;
use serde_json::{Map, Value};

use super::Tiktok;
use super::oauth::{Code, SCOPES};
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::page::escape;
use crate::params::{params, text};
use crate::request::Request;

/// Accounts that the page offers.
const OFFERED_ACCOUNTS: usize = 50;
/// What the page hands on from the address to the form.
const HANDED_ON: [&str; 7] = [
    "client_key",
    "redirect_uri",
    "response_type",
    "scope",
    "state",
    "code_challenge",
    "code_challenge_method",
];

/// What an application asks for, after it was found to be in order.
struct Asked {
    client_key: String,
    redirect_uri: String,
    scopes: Vec<String>,
    state: String,
    challenge: Option<String>,
}

impl Tiktok {
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
        let mut accounts = String::new();
        for account in self.accounts.values().take(OFFERED_ACCOUNTS) {
            let name = escape(&account.name);
            accounts += &format!("<option value=\"{}\">{name}</option>", account.open_id);
        }
        page(
            StatusCode::OK,
            &format!(
                "<p><strong>{}</strong> asks to use an account of this sandbox.</p><p>Scopes: \
                 {}</p><form method=\"post\">{fields}<p><label>Account <select \
                 name=\"account\">{accounts}<option value=\"new\">a new one</option></select>\
                 </label></p><p><button name=\"decision\" value=\"allow\">Continue</button> \
                 <button name=\"decision\" value=\"cancel\">Cancel</button></p></form>",
                escape(&asked.client_key),
                escape(&asked.scopes.join(", ")),
            ),
        )
    }

    /// Takes the person's decision; `allowed` names the scopes that are left, where some are not.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(answer) => return answer,
        };
        let state = asked.state.as_str();
        if text(&params, "decision").as_deref() == Some("cancel") {
            let why = "User denied the request.";
            let pairs = [("error", "access_denied"), ("error_description", why), ("state", state)];
            return back(&asked.redirect_uri, &pairs);
        }
        let open_id = match text(&params, "account").as_deref() {
            None | Some("new") => self.add_account(None).ok(),
            Some(id) => self.accounts.contains_key(id).then(|| id.to_owned()),
        };
        let Some(open_id) = open_id else {
            return page(StatusCode::BAD_REQUEST, "<p>There is no such account.</p>");
        };
        let allowed = text(&params, "allowed");
        let is_allowed = |scope: &String| {
            let allowed = allowed.as_deref();
            allowed.is_none_or(|allowed| allowed.split(',').any(|known| known == scope))
        };
        let scopes: Vec<String> = asked.scopes.into_iter().filter(is_allowed).collect();
        // Signs that have to be encoded in an address, as the network's own codes have.
        let code = format!("{}*v!4321.e1", random_secret());
        let given = scopes.join(",");
        let pairs = [("code", code.as_str()), ("scopes", given.as_str()), ("state", state)];
        let answer = back(&asked.redirect_uri, &pairs);
        let kept = Code {
            client_key: asked.client_key,
            open_id,
            redirect_uri: asked.redirect_uri,
            scopes,
            challenge: asked.challenge,
            created_at: context.now,
        };
        self.codes.insert(code, kept);
        answer
    }
}

fn asked(params: &Map<String, Value>) -> Result<Asked, Answer> {
    let given = |name| text(params, name).filter(|value| !value.is_empty());
    let wrong = |why: &str| page(StatusCode::BAD_REQUEST, &format!("<p>{}</p>", escape(why)));
    let client_key = given("client_key").ok_or_else(|| wrong("client_key"))?;
    let redirect_uri = given("redirect_uri").unwrap_or_default();
    let is_local = ["http://localhost", "http://127.0.0.1", "http://[::1]"]
        .iter()
        .any(|host| redirect_uri.starts_with(host));
    if !redirect_uri.starts_with("https://") && !is_local {
        return Err(wrong("redirect_uri"));
    }
    let state = given("state").ok_or_else(|| wrong("state"))?;
    let challenge = given("code_challenge");
    let is_digest =
        |text: &String| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    // Applications on the person's own computer have to prove that who asked is who comes back.
    let is_proven = challenge.as_ref().is_some_and(is_digest)
        && given("code_challenge_method").as_deref() == Some("S256");
    if (is_local || challenge.is_some()) && !is_proven {
        return Err(wrong("code_challenge"));
    }
    if given("response_type").as_deref() != Some("code") {
        return Err(wrong("response_type"));
    }
    let scopes = given("scope").unwrap_or_default();
    let scopes: Vec<String> = scopes.split(',').map(str::to_owned).collect();
    if scopes.iter().any(|scope| !SCOPES.contains(&scope.as_str())) {
        return Err(wrong("scope"));
    }
    Ok(Asked { client_key, redirect_uri, scopes, state, challenge })
}

/// Sends the browser back to the application.
fn back(redirect_uri: &str, pairs: &[(&str, &str)]) -> Answer {
    let separator = if redirect_uri.contains('?') { '&' } else { '?' };
    let query = serde_urlencoded::to_string(pairs).unwrap_or_default();
    Answer::redirect(&format!("{redirect_uri}{separator}{query}"))
}

fn page(status: StatusCode, content: &str) -> Answer {
    Answer::html(
        status,
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta \
             name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Log in\
             </title><style>:root{{color-scheme:light dark}}body{{max-width:32rem;margin:3rem \
             auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}}button,select{{font:inherit;\
             padding:.4rem .9rem}}</style></head><body><h1>Log in</h1>{content}</body></html>\n"
        ),
    )
}
