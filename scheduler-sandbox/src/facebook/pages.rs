//! The page on which a person lets an app in: `/v26.0/dialog/oauth`.

use http::StatusCode;

use super::Facebook;
use super::oauth::{Code, SCOPES};
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::page::escape;
use crate::params::{params, text};
use crate::request::Request;

/// Pages that are offered, newest first.
const OFFERED_PAGES: usize = 50;
/// What is handed on from the address to the form.
const HANDED_ON: [&str; 5] = ["client_id", "redirect_uri", "response_type", "scope", "state"];

impl Facebook {
    /// Shows the page.
    pub(super) fn page(&self, request: &Request) -> Answer {
        let params = params(request);
        if let Some(sentence) = fault(request) {
            return shown(StatusCode::BAD_REQUEST, &format!("<p>{sentence}</p>"));
        }
        let mut fields = String::new();
        for name in HANDED_ON {
            if let Some(value) = text(&params, name) {
                let value = escape(&value);
                fields += &format!("<input type=\"hidden\" name=\"{name}\" value=\"{value}\">");
            }
        }
        let mut pages = String::new();
        for account in self.accounts.values().rev().take(OFFERED_PAGES) {
            let name = escape(&account.name);
            pages += &format!("<option value=\"{}\">{name}</option>", account.id);
        }
        let scopes = escape(&text(&params, "scope").unwrap_or_default());
        shown(
            StatusCode::OK,
            &format!(
                "<p>An app asks to use a Page of this sandbox.</p><p>Scopes: {scopes}</p>\
                 <form method=\"post\">{fields}<p><label>Page <select name=\"account\">\
                 {pages}<option value=\"new\">a new one</option></select></label></p>\
                 <p><button name=\"decision\" value=\"allow\">Allow</button> \
                 <button name=\"decision\" value=\"deny\">Deny</button></p></form>"
            ),
        )
    }

    /// Takes the person's decision.
    pub(super) fn decide(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        if let Some(sentence) = fault(request) {
            return shown(StatusCode::BAD_REQUEST, &format!("<p>{sentence}</p>"));
        }
        let redirect_uri = text(&params, "redirect_uri").unwrap_or_default();
        let state = text(&params, "state");
        if text(&params, "decision").as_deref() == Some("deny") {
            let query = [("error", "access_denied"), ("error_reason", "user_denied")];
            return back(&redirect_uri, &query, state.as_deref());
        }
        let page = match text(&params, "account").as_deref() {
            None | Some("new") => self.add_account(None).ok(),
            Some(id) => id.parse().ok().filter(|id| self.accounts.contains_key(id)),
        };
        let Some(page) = page else {
            return shown(StatusCode::UNPROCESSABLE_ENTITY, "<p>There is no such Page.</p>");
        };
        let code = random_secret();
        let scopes = text(&params, "scope").unwrap_or_default();
        let scopes = scopes.split([',', ' ']).filter(|scope| !scope.is_empty());
        self.codes.insert(
            code.clone(),
            Code {
                client_id: text(&params, "client_id").unwrap_or_default(),
                redirect_uri: redirect_uri.clone(),
                page,
                scopes: scopes.map(str::to_owned).collect(),
                created_at: context.now,
            },
        );
        back(&redirect_uri, &[("code", &code)], state.as_deref())
    }
}

/// Says what is wrong with a request for consent.
fn fault(request: &Request) -> Option<&'static str> {
    let params = params(request);
    let is_given = |name: &str| text(&params, name).is_some_and(|value| !value.is_empty());
    let scopes = text(&params, "scope").unwrap_or_default();
    let mut scopes = scopes.split([',', ' ']).filter(|scope| !scope.is_empty());
    if !is_given("client_id") {
        Some("Invalid App ID: client_id is missing.")
    } else if !is_given("redirect_uri") {
        Some("Invalid redirect_uri.")
    } else if text(&params, "response_type").is_some_and(|kind| kind != "code") {
        Some("Invalid response_type.")
    } else if scopes.any(|scope| !SCOPES.contains(&scope)) {
        Some("Invalid Scopes.")
    } else {
        None
    }
}

fn back(target: &str, query: &[(&str, &str)], state: Option<&str>) -> Answer {
    let pairs = query.iter().copied().chain(state.map(|state| ("state", state)));
    let pairs: Vec<(&str, &str)> = pairs.collect();
    let query = serde_urlencoded::to_string(pairs).unwrap_or_default();
    let join = if target.contains('?') { '&' } else { '?' };
    Answer::redirect(&format!("{target}{join}{query}"))
}

fn shown(status: StatusCode, body: &str) -> Answer {
    Answer::html(
        status,
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Facebook (sandbox)</title></head><body><h1>Facebook (sandbox)</h1>{body}</body></html>\n"
        ),
    )
}
