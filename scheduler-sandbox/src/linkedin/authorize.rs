//! The page on which a person lets an application in: `/oauth/v2/authorization`.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>.

use serde_json::{Map, Value};

use super::Linkedin;
use super::oauth::{Code, SCOPES};
use crate::answer::Answer;
use crate::consent::{Consent, Decision, back};
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// The page.
const PAGE: Consent = Consent {
    title: "Sign in",
    handed_on: &["client_id", "redirect_uri", "response_type", "scope", "state"],
    action: Some("authorization"),
    asks: "asks to use an account of this sandbox.",
    permissions: "Permissions",
    account: ("Member", "member"),
    allow: ("allow", "Allow"),
    deny: ("cancel", "Cancel"),
};

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
        let members = self.members.values();
        let members = members.map(|member| (member.id.clone(), member.name.clone()));
        PAGE.show(&params, &asked.client_id, &asked.scopes.join(" "), members)
    }

    /// Takes the person's decision.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(answer) => return answer,
        };
        let state = ("state", asked.state.as_deref());
        let member = match PAGE.decision(&params) {
            Decision::Denied => {
                let why = ("error", Some("user_cancelled_authorize"));
                return back(&asked.redirect_uri, &[why, state]);
            }
            Decision::New => self.add_member(None, context.now).ok(),
            Decision::To(id) => Some(id).filter(|id| self.members.contains_key(id)),
        };
        let Some(member) = member else { return PAGE.wrong("There is no such member.") };
        let code = random_secret();
        let answer = back(&asked.redirect_uri, &[("code", Some(&code)), state]);
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
    let wrong = |why: &str| PAGE.wrong(why);
    let client_id = given("client_id").ok_or_else(|| wrong("The client_id is missing."))?;
    let redirect_uri = given("redirect_uri")
        .filter(|uri| uri.starts_with("http://") || uri.starts_with("https://"))
        .ok_or_else(|| wrong("The redirect_uri does not match the registered value."))?;
    let state = given("state");
    if given("response_type").as_deref() != Some("code") {
        let why = ("error", Some("unsupported_response_type"));
        return Err(back(&redirect_uri, &[why, ("state", state.as_deref())]));
    }
    let scopes = given("scope").unwrap_or_default();
    let scopes: Vec<String> = scopes.split_whitespace().map(str::to_owned).collect();
    if let Some(unknown) = scopes.iter().find(|scope| !SCOPES.contains(&scope.as_str())) {
        let why = format!("Scope \"{unknown}\" is not authorized for your application");
        let error = ("error", Some("unauthorized_scope_error"));
        let why = ("error_description", Some(why.as_str()));
        return Err(back(&redirect_uri, &[error, why, ("state", state.as_deref())]));
    }
    Ok(Asked { client_id, redirect_uri, scopes, state })
}
