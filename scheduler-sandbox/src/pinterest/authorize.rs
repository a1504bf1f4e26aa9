//! The page on which a person lets an application in: `/oauth/`.
//!
//! Source: <https://developers.pinterest.com/docs/>, "getting-started/set-up-authentication".

use serde_json::{Map, Value};

use super::Pinterest;
use super::oauth::{Code, SCOPES};
use crate::answer::Answer;
use crate::consent::{Consent, Decision, back};
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// The page.
const PAGE: Consent = Consent {
    title: "Give access",
    handed_on: &["client_id", "redirect_uri", "response_type", "scope", "state"],
    action: Some(""),
    asks: "would like access to an account of this sandbox.",
    permissions: "Permissions",
    account: ("Account", "user"),
    allow: ("allow", "Give access"),
    deny: ("cancel", "Cancel"),
};

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
        let users = self.users.values().map(|user| (user.id.clone(), user.name.clone()));
        PAGE.show(&params, &asked.client_id, &asked.scopes.join(" "), users)
    }

    /// Takes the person's decision.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(answer) => return answer,
        };
        let state = ("state", asked.state.as_deref());
        let user = match PAGE.decision(&params) {
            Decision::Denied => {
                return back(&asked.redirect_uri, &[("error", Some("access_denied")), state]);
            }
            Decision::New => self.add_user(None, context.now).ok(),
            Decision::To(id) => Some(id).filter(|id| self.users.contains_key(id)),
        };
        let Some(user) = user else { return PAGE.wrong("There is no such account.") };
        let code = random_secret();
        let answer = back(&asked.redirect_uri, &[("code", Some(&code)), state]);
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
    let wrong = |why: &str| PAGE.wrong(why);
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
