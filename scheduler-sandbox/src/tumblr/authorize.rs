//! The page on which a person lets an application in: `/oauth2/authorize`.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Authorization Request".

use http::StatusCode;
use serde_json::{Map, Value};

use super::Tumblr;
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
    state: String,
}

impl Tumblr {
    /// Shows the page.
    pub(super) fn authorize_page(&self, request: &Request) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(answer) => return *answer,
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
            let blogs = escape(&user.blogs.join(", "));
            let own = user.blogs.first().map(|name| escape(name)).unwrap_or_default();
            users += &format!("<option value=\"{own}\">{blogs}</option>");
        }
        page(
            StatusCode::OK,
            &format!(
                "<p><strong>{}</strong> asks to use blogs of this sandbox.</p><p>Scopes: {}</p>\
                 <form method=\"post\" action=\"authorize\">{fields}<p><label>User \
                 <select name=\"user\">{users}<option value=\"new\">a new one</option></select>\
                 </label></p><p><button name=\"decision\" value=\"allow\">Allow</button> \
                 <button name=\"decision\" value=\"deny\">Deny</button></p></form>",
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
            Err(answer) => return *answer,
        };
        if text(&params, "decision").as_deref() == Some("deny") {
            let why = [("error", "access_denied"), ("state", asked.state.as_str())];
            return back(&asked.redirect_uri, &why);
        }
        let user = match text(&params, "user").as_deref() {
            None | Some("new") => self.add_user(None).ok(),
            Some(name) => self.blog(name).map(|blog| blog.owner),
        };
        let Some(user) = user else {
            return page(StatusCode::BAD_REQUEST, "<p>There is no such user.</p>");
        };
        let code = random_secret();
        let pairs = [("code", code.as_str()), ("state", asked.state.as_str())];
        let answer = back(&asked.redirect_uri, &pairs);
        let kept = Code {
            client_id: asked.client_id,
            user,
            redirect_uri: asked.redirect_uri,
            scopes: asked.scopes,
            made_at: context.now,
        };
        self.codes.insert(code, kept);
        answer
    }
}

fn asked(params: &Map<String, Value>) -> Result<Asked, Box<Answer>> {
    let given = |name| text(params, name).filter(|value| !value.is_empty());
    let wrong =
        |why: &str| Box::new(page(StatusCode::BAD_REQUEST, &format!("<p>{}</p>", escape(why))));
    let client_id = given("client_id").ok_or_else(|| wrong("The client_id is missing."))?;
    let redirect_uri = given("redirect_uri")
        .filter(|uri| uri.starts_with("http://") || uri.starts_with("https://"))
        .ok_or_else(|| wrong("The redirect_uri is not one of the application's."))?;
    let state = given("state").ok_or_else(|| wrong("The state is missing."))?;
    let refused = |error: &str| {
        Err(Box::new(back(&redirect_uri, &[("error", error), ("state", state.as_str())])))
    };
    if given("response_type").as_deref() != Some("code") {
        return refused("unsupported_response_type");
    }
    let scopes = given("scope").unwrap_or_default();
    let scopes: Vec<String> = scopes.split_whitespace().map(str::to_owned).collect();
    let is_known = |scope: &String| SCOPES.contains(&scope.as_str());
    if scopes.is_empty() || !scopes.iter().all(is_known) {
        return refused("invalid_scope");
    }
    Ok(Asked { client_id, redirect_uri, scopes, state })
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
