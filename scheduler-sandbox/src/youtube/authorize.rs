//! The page on which a person lets an application in: `/o/oauth2/v2/auth`.
//!
//! Source: <https://developers.google.com/identity/protocols/oauth2/web-server>.

use serde_json::{Map, Value};

use super::Youtube;
use super::oauth::{Code, SCOPE, SCOPES};
use crate::answer::Answer;
use crate::consent::{Consent, Decision, back};
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// The page.
const PAGE: Consent = Consent {
    title: "Choose a channel",
    handed_on: &[
        "client_id",
        "redirect_uri",
        "response_type",
        "scope",
        "state",
        "access_type",
        "code_challenge",
        "code_challenge_method",
    ],
    action: Some("auth"),
    asks: "asks to use a channel of this sandbox.",
    permissions: "Permissions",
    account: ("Channel", "channel"),
    allow: ("allow", "Continue"),
    deny: ("cancel", "Cancel"),
};

/// What an application asks for, after it was found to be in order.
struct Asked {
    client_id: String,
    redirect_uri: String,
    scopes: Vec<String>,
    state: Option<String>,
}

impl Youtube {
    /// Shows the page.
    pub(super) fn authorize_page(&self, request: &Request) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(answer) => return answer,
        };
        let channels = self.channels.values();
        let channels = channels.map(|channel| (channel.id.clone(), channel.title.clone()));
        PAGE.show(&params, &asked.client_id, &asked.scopes.join(" "), channels)
    }

    /// Takes the person's decision; `granted` narrows the permissions, as unticked boxes do.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let asked = match asked(&params) {
            Ok(asked) => asked,
            Err(answer) => return answer,
        };
        let state = ("state", asked.state.as_deref());
        let channel = match PAGE.decision(&params) {
            Decision::Denied => {
                return back(&asked.redirect_uri, &[state, ("error", Some("access_denied"))]);
            }
            Decision::New => self.add_channel(None, context.now).ok(),
            Decision::To(id) => Some(id).filter(|id| self.channels.contains_key(id)),
        };
        let Some(channel) = channel else { return PAGE.wrong("There is no such channel.") };
        let ticked = text(&params, "granted");
        let is_ticked = |scope: &String| {
            ticked.as_ref().is_none_or(|ticked| ticked.split(' ').any(|known| known == scope))
        };
        let scopes: Vec<String> =
            asked.scopes.iter().filter(|scope| is_ticked(scope)).cloned().collect();
        let code = random_secret();
        let shown = scopes.join(" ");
        let answer =
            back(&asked.redirect_uri, &[state, ("code", Some(&code)), ("scope", Some(&shown))]);
        let kept = Code {
            client_id: asked.client_id,
            channel,
            redirect_uri: asked.redirect_uri,
            scopes,
            challenge: text(&params, "code_challenge"),
            is_offline: text(&params, "access_type").as_deref() == Some("offline"),
            created_at: context.now,
        };
        self.codes.insert(code, kept);
        answer
    }
}

fn asked(params: &Map<String, Value>) -> Result<Asked, Answer> {
    let given = |name| text(params, name).filter(|value| !value.is_empty());
    let wrong = |why: &str| PAGE.wrong(&format!("Access blocked: {why}"));
    let client_id = given("client_id").ok_or_else(|| wrong("Error 401: invalid_client"))?;
    let redirect_uri = given("redirect_uri")
        .filter(|uri| uri.starts_with("http://") || uri.starts_with("https://"))
        .ok_or_else(|| wrong("Error 400: redirect_uri_mismatch"))?;
    if given("response_type").as_deref() != Some("code") {
        return Err(wrong("Error 400: unsupported_response_type"));
    }
    if given("code_challenge").is_some()
        && given("code_challenge_method").as_deref() != Some("S256")
    {
        return Err(wrong("Error 400: invalid_request"));
    }
    let scopes = given("scope").unwrap_or_default();
    let scopes: Vec<String> = scopes.split_whitespace().map(str::to_owned).collect();
    let is_known =
        |scope: &String| scope.strip_prefix(SCOPE).is_some_and(|name| SCOPES.contains(&name));
    if scopes.is_empty() || !scopes.iter().all(is_known) {
        return Err(wrong("Error 400: invalid_scope"));
    }
    Ok(Asked { client_id, redirect_uri, scopes, state: given("state") })
}
