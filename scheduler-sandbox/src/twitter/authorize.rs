//! The page on which a person lets an application in: `/i/oauth2/authorize`.
//!
//! Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>.

use serde_json::{Map, Value};

use super::Twitter;
use super::oauth::{Challenge, Code, SCOPES};
use crate::answer::Answer;
use crate::consent::{Consent, Decision, back};
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// Longest state.
const MAX_STATE: usize = 500;
/// The page.
const PAGE: Consent = Consent {
    title: "Authorize app",
    handed_on: &[
        "client_id",
        "code_challenge",
        "code_challenge_method",
        "redirect_uri",
        "response_type",
        "scope",
        "state",
    ],
    action: Some("authorize"),
    asks: "wants to access an account of this sandbox.",
    permissions: "Permissions",
    account: ("Account", "user"),
    allow: ("allow", "Authorize app"),
    deny: ("cancel", "Cancel"),
};

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
        let users = self.users.values();
        let users = users.map(|user| (user.id.to_string(), format!("@{}", user.username)));
        PAGE.show(&params, &asked.client_id, &asked.scopes.join(" "), users)
    }

    /// Takes the person's decision.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(why) => return wrong(why),
        };
        let state = ("state", Some(asked.state.as_str()));
        let user = match PAGE.decision(&params) {
            Decision::Denied => {
                return back(&asked.redirect_uri, &[("error", Some("access_denied")), state]);
            }
            Decision::New => self.add_user(None, context.now).ok(),
            Decision::To(id) => id.parse().ok().filter(|id| self.users.contains_key(id)),
        };
        let Some(user) = user else { return wrong("There is no such account.") };
        let code = random_secret();
        let answer = back(&asked.redirect_uri, &[state, ("code", Some(&code))]);
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

fn wrong(why: &str) -> Answer {
    PAGE.wrong(&format!("Something went wrong. {why}"))
}
