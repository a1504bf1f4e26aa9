//! The page on which a person lets an app in: `/v26.0/dialog/oauth`.

use http::StatusCode;

use super::Facebook;
use super::oauth::{Code, SCOPES};
use crate::answer::Answer;
use crate::consent::{self, Consent, Decision, back};
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// The page.
const PAGE: Consent = Consent {
    title: "Facebook (sandbox)",
    handed_on: &["client_id", "redirect_uri", "response_type", "scope", "state"],
    action: None,
    asks: "asks to use a Page of this sandbox.",
    permissions: "Scopes",
    account: ("Page", "account"),
    allow: ("allow", "Allow"),
    deny: ("deny", "Deny"),
};

impl Facebook {
    /// Shows the page.
    pub(super) fn page(&self, request: &Request) -> Answer {
        let params = params(request);
        if let Some(sentence) = fault(request) {
            return PAGE.wrong(sentence);
        }
        let accounts = self.accounts.values().rev();
        let accounts = accounts.map(|account| (account.id.to_string(), account.name.clone()));
        PAGE.show(&params, "An app", &text(&params, "scope").unwrap_or_default(), accounts)
    }

    /// Takes the person's decision.
    pub(super) fn decide(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        if let Some(sentence) = fault(request) {
            return PAGE.wrong(sentence);
        }
        let redirect_uri = text(&params, "redirect_uri").unwrap_or_default();
        let state = text(&params, "state");
        let state = ("state", state.as_deref());
        let page = match PAGE.decision(&params) {
            Decision::Denied => {
                let why = ("error_reason", Some("user_denied"));
                return back(&redirect_uri, &[("error", Some("access_denied")), why, state]);
            }
            Decision::New => self.add_account(None).ok(),
            Decision::To(id) => id.parse().ok().filter(|id| self.accounts.contains_key(id)),
        };
        let Some(page) = page else {
            let content = "<p>There is no such Page.</p>";
            return consent::page(StatusCode::UNPROCESSABLE_ENTITY, PAGE.title, content);
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
        back(&redirect_uri, &[("code", Some(&code)), state])
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
