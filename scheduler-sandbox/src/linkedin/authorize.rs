//! The page on which a person lets an application in: `/oauth/v2/authorization`.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>.

use http::StatusCode;
use serde_json::{Map, Value};

use super::Linkedin;
use super::oauth::{Code, SCOPES};
use crate::answer::Answer;
use crate::network::Context;
use crate::outside::random_secret;
use crate::page::escape;
use crate::params::{params, text};
use crate::request::Request;

/// Members that the page offers.
const OFFERED_MEMBERS: usize = 50;
/// What the page hands on from the address to the form.
const HANDED_ON: [&str; 5] = ["client_id", "redirect_uri", "response_type", "scope", "state"];

/// What an application asks for, after it was found to be in order.
struct Asked {
    client_id: String,
    redirect_uri: String,
    scopes: Vec<String>,
    state: Option<String>,
}

impl Linkedin {
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
        let mut members = String::new();
        for member in self.members.values().take(OFFERED_MEMBERS) {
            let name = escape(&member.name);
            members += &format!("<option value=\"{}\">{name}</option>", member.id);
        }
        page(
            StatusCode::OK,
            &format!(
                "<p><strong>{}</strong> asks to use an account of this sandbox.</p><p>Permissions: \
                 {}</p><form method=\"post\" action=\"authorization\">{fields}<p><label>Member \
                 <select name=\"member\">{members}<option value=\"new\">a new one</option></select>\
                 </label></p><p><button name=\"decision\" value=\"allow\">Allow</button> \
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
            let why = [("error", "user_cancelled_authorize")];
            return back(&asked.redirect_uri, &why, state);
        }
        let member = match text(&params, "member").as_deref() {
            None | Some("new") => self.add_member(None, context.now).ok(),
            Some(id) => self.members.contains_key(id).then(|| id.to_owned()),
        };
        let Some(member) = member else {
            return page(StatusCode::BAD_REQUEST, "<p>There is no such member.</p>");
        };
        let code = random_secret();
        let answer = back(&asked.redirect_uri, &[("code", &code)], state);
        let kept = Code {
            client_id: asked.client_id,
            member,
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
    let client_id = given("client_id").ok_or_else(|| wrong("The client_id is missing."))?;
    let redirect_uri = given("redirect_uri")
        .filter(|uri| uri.starts_with("http://") || uri.starts_with("https://"))
        .ok_or_else(|| wrong("The redirect_uri does not match the registered value."))?;
    let state = given("state");
    if given("response_type").as_deref() != Some("code") {
        let why = [("error", "unsupported_response_type")];
        return Err(back(&redirect_uri, &why, state.as_deref()));
    }
    let scopes = given("scope").unwrap_or_default();
    let scopes: Vec<String> = scopes.split_whitespace().map(str::to_owned).collect();
    if let Some(unknown) = scopes.iter().find(|scope| !SCOPES.contains(&scope.as_str())) {
        let why = format!("Scope \"{unknown}\" is not authorized for your application");
        let why = [("error", "unauthorized_scope_error"), ("error_description", &why)];
        return Err(back(&redirect_uri, &why, state.as_deref()));
    }
    Ok(Asked { client_id, redirect_uri, scopes, state })
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
             name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>Sign in\
             </title><style>:root{{color-scheme:light dark}}body{{max-width:32rem;margin:3rem \
             auto;padding:0 1rem;font:16px/1.5 system-ui,sans-serif}}button,select{{font:inherit;\
             padding:.4rem .9rem}}</style></head><body><h1>Sign in</h1>{content}</body></html>\n"
        ),
    )
}
