//! The page on which a person lets an application in: `/oauth2/authorize`.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Authorization Request".

use serde_json::{Map, Value};

use super::Tumblr;
use super::oauth::{Code, SCOPES};
use crate::answer::Answer;
use crate::consent::{Consent, Decision, back};
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// The page.
const PAGE: Consent = Consent {
    title: "Log in",
    handed_on: &["client_id", "redirect_uri", "response_type", "scope", "state"],
    action: Some("authorize"),
    asks: "asks to use blogs of this sandbox.",
    permissions: "Scopes",
    account: ("User", "user"),
    allow: ("allow", "Allow"),
    deny: ("deny", "Deny"),
};

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
        let users = self
            .users
            .values()
            .map(|user| (user.blogs.first().cloned().unwrap_or_default(), user.blogs.join(", ")));
        PAGE.show(&params, &asked.client_id, &asked.scopes.join(" "), users)
    }

    /// Takes the person's decision.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(answer) => return *answer,
        };
        let state = ("state", Some(asked.state.as_str()));
        let user = match PAGE.decision(&params) {
            Decision::Denied => {
                return back(&asked.redirect_uri, &[("error", Some("access_denied")), state]);
            }
            Decision::New => self.add_user(None).ok(),
            Decision::To(name) => self.blog(&name).map(|blog| blog.owner),
        };
        let Some(user) = user else { return PAGE.wrong("There is no such user.") };
        let code = random_secret();
        let answer = back(&asked.redirect_uri, &[("code", Some(&code)), state]);
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
    let wrong = |why: &str| Box::new(PAGE.wrong(why));
    let client_id = given("client_id").ok_or_else(|| wrong("The client_id is missing."))?;
    let redirect_uri = given("redirect_uri")
        .filter(|uri| uri.starts_with("http://") || uri.starts_with("https://"))
        .ok_or_else(|| wrong("The redirect_uri is not one of the application's."))?;
    let state = given("state").ok_or_else(|| wrong("The state is missing."))?;
    let refused = |error: &str| {
        let pairs = [("error", Some(error)), ("state", Some(state.as_str()))];
        Err(Box::new(back(&redirect_uri, &pairs)))
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
