//! The page on which a person lets an application in: `/v2/auth/authorize/`.
//!
//! A person may take scopes out of what is asked for.
//!
//! Source: <https://developers.tiktok.com/docs/en/login-kit-web>,
//! <https://developers.tiktok.com/docs/en/login-kit-desktop>.

use serde_json::{Map, Value};

use super::Tiktok;
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
    handed_on: &[
        "client_key",
        "redirect_uri",
        "response_type",
        "scope",
        "state",
        "code_challenge",
        "code_challenge_method",
    ],
    action: None,
    asks: "asks to use an account of this sandbox.",
    permissions: "Scopes",
    account: ("Account", "account"),
    allow: ("allow", "Continue"),
    deny: ("cancel", "Cancel"),
};

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
        let accounts = self.accounts.values();
        let accounts = accounts.map(|account| (account.open_id.clone(), account.name.clone()));
        PAGE.show(&params, &asked.client_key, &asked.scopes.join(", "), accounts)
    }

    /// Takes the person's decision; `allowed` names the scopes that are left, where some are not.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(answer) => return answer,
        };
        let state = ("state", Some(asked.state.as_str()));
        let open_id = match PAGE.decision(&params) {
            Decision::Denied => {
                let error = ("error", Some("access_denied"));
                let why = ("error_description", Some("User denied the request."));
                return back(&asked.redirect_uri, &[error, why, state]);
            }
            Decision::New => self.add_account(None).ok(),
            Decision::To(id) => Some(id).filter(|id| self.accounts.contains_key(id)),
        };
        let Some(open_id) = open_id else { return PAGE.wrong("There is no such account.") };
        let allowed = text(&params, "allowed");
        let is_allowed = |scope: &String| {
            let allowed = allowed.as_deref();
            allowed.is_none_or(|allowed| allowed.split(',').any(|known| known == scope))
        };
        let scopes: Vec<String> = asked.scopes.into_iter().filter(is_allowed).collect();
        // Signs that have to be encoded in an address, as the network's own codes have.
        let code = format!("{}*v!4321.e1", random_secret());
        let given = scopes.join(",");
        let pairs = [("code", Some(code.as_str())), ("scopes", Some(given.as_str())), state];
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
    let wrong = |why: &str| PAGE.wrong(why);
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
