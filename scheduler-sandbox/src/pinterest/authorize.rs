//! The page on which a person lets an application in: `/oauth/`.
//!
//! Source: <https://developers.pinterest.com/docs/>, "getting-started/set-up-authentication".

use http::StatusCode;
use serde_json::{Map, Value};

use super::Pinterest;
use super::oauth::{Code, SCOPES};
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::page::escape;
use crate::params::{params, text};
use crate::request::Request;

/// Users that the page offers.
const OFFERED_USERS: usize = 50;
/// What the page hands on from the address to the form.
const HANDED_ON: [&str; 5] = ["client_id", "redirect_uri", "response_type", "scope", "state"];

/// What an application asks for, after it was found to be in order.
struct Asked {
    client_id: String,
    redirect_uri: String,
    scopes: Vec<String>,
    state: Option<String>,
}

impl Pinterest {
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
        let mut users = String::new();
        for user in self.users.values().take(OFFERED_USERS) {
            let name = escape(&user.name);
            users += &format!("<option value=\"{}\">{name}</option>", user.id);
        }
        page(
            StatusCode::OK,
            &format!(
                "<p><strong>{}</strong> would like access to an account of this sandbox.</p><p>\
                 Permissions: {}</p><form method=\"post\" action=\"\">{fields}<p><label>Account \
                 <select name=\"user\">{users}<option value=\"new\">a new one</option></select>\
                 </label></p><p><button name=\"decision\" value=\"allow\">Give access</button> \
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
            Err(answer) => return answer,
        };
        let state = asked.state.as_deref();
        if text(&params, "decision").as_deref() == Some("cancel") {
            return back(&asked.redirect_uri, &[("error", "access_denied")], state);
        }
        let user = match text(&params, "user").as_deref() {
            None | Some("new") => self.add_user(None, context.now).ok(),
            Some(id) => self.users.contains_key(id).then(|| id.to_owned()),
        };
        let Some(user) = user else {
            return page(StatusCode::BAD_REQUEST, "<p>There is no such account.</p>");
        };
        let code = random_secret();
        let answer = back(&asked.redirect_uri, &[("code", &code)], state);
        let kept = Code {
            client_id: asked.client_id,
            user,
            redirect_uri: asked.redirect_uri,
            scopes: asked.scopes,
            created_at: context.now,
        };
        self.codes.insert(code, kept);
        answer
    }
}

fn asked(params: &Map<String, Value>) -> Result<Asked, Answer> {
    let given = |name| text(params, name).filter(|value| !value.is_empty());
    let wrong = |why: &str| page(StatusCode::BAD_REQUEST, &format!("<p>{}</p>", escape(why)));
    let client_id = given("client_id").ok_or_else(|| wrong("Missing the client_id."))?;
    let redirect_uri = given("redirect_uri")
        .filter(|uri| uri.starts_with("http://") || uri.starts_with("https://"))
        .ok_or_else(|| wrong("The redirect_uri does not match the registered value."))?;
    if given("response_type").as_deref() != Some("code") {
        return Err(wrong("The response_type must be code."));
    }
    let scopes = given("scope").unwrap_or_default();
    let scopes = scopes.split(',').map(str::trim).filter(|scope| !scope.is_empty());
    let scopes: Vec<String> = scopes.map(str::to_owned).collect();
    if scopes.is_empty() {
        return Err(wrong("Missing the scope."));
    }
    if let Some(unknown) = scopes.iter().find(|scope| !SCOPES.contains(&scope.as_str())) {
        return Err(wrong(&format!("The scope {unknown} is unknown.")));
    }
    Ok(Asked { client_id, redirect_uri, scopes, state: given("state") })
}

/// Sends the browser back to the application.
fn back(redirect_uri: &str, pairs: &[(&str, &str)], state: Option<&str>) -> Answer {
    let mut pairs = pairs.to_vec();
    pairs.extend(state.map(|state| ("state", state)));
    let separator = if redirect_uri.contains('?') { '&' } else { '?' };
    let query = serde_urlencoded::to_string(pairs).unwrap_or_default();
    Answer::redirect(&format!("{redirect_uri}{separator}{query}"))
}

fn page(status: StatusCode, content: &str) -> Answer {
    Answer::html(
        status,
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta \
             name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Give access\
             </title><style>:root{{color-scheme:light dark}}body{{max-width:32rem;margin:3rem \
             auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}}button,select{{font:inherit;\
             padding:.4rem .9rem}}</style></head><body><h1>Give access</h1>{content}</body></html>\n"
        ),
    )
}
