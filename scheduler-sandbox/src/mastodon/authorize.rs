//! The page on which a person allows an app to use an account: `/oauth/authorize`.

use http::StatusCode;
use serde_json::{Map, Value};

use super::Mastodon;
use super::oauth::{Code, OUT_OF_BAND, is_subset};
use crate::answer::Answer;
use crate::consent::{Consent, Decision, page};
use crate::network::Context;
use crate::outside::random_secret;
use crate::page::escape;
use crate::params::{params, text};
use crate::request::Request;

/// The page.
const PAGE: Consent = Consent {
    title: "Authorisation required",
    handed_on: &[
        "client_id",
        "redirect_uri",
        "response_type",
        "scope",
        "state",
        "code_challenge",
        "code_challenge_method",
    ],
    action: Some("authorize"),
    asks: "asks to use an account of this sandbox.",
    permissions: "Scopes",
    account: ("Account", "account"),
    allow: ("authorize", "Authorise"),
    deny: ("deny", "Deny"),
};

/// What an app asks for, after it was found to be in order.
struct Asked {
    client_id: String,
    app_name: String,
    redirect_uri: String,
    scopes: String,
    state: Option<String>,
    challenge: Option<String>,
}

/// Why a request for authorisation is not in order.
enum Wrong {
    /// The person is told; the app cannot be trusted with it.
    Page(StatusCode, &'static str),
    /// The app is told.
    Redirect { to: String, error: &'static str },
}

impl Mastodon {
    /// Shows the page.
    pub(super) fn authorize_page(&self, request: &Request) -> Answer {
        let params = params(request);
        let asked = match self.asked(&params) {
            Ok(asked) => asked,
            Err(wrong) => return wrong.into_answer(),
        };
        let accounts = self.accounts.values().rev();
        let accounts =
            accounts.map(|account| (account.id.to_string(), format!("@{}", account.username)));
        PAGE.show(&params, &asked.app_name, &asked.scopes, accounts)
    }

    /// Takes the person's decision.
    pub(super) fn authorize(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let asked = match self.asked(&params) {
            Ok(asked) => asked,
            Err(wrong) => return wrong.into_answer(),
        };
        let account = match PAGE.decision(&params) {
            Decision::Denied => {
                let to = with_state(asked.redirect_uri, asked.state.as_deref());
                return Wrong::Redirect { to, error: "access_denied" }.into_answer();
            }
            Decision::New => self.add_account(None, context.now).ok(),
            Decision::To(id) => id.parse().ok().filter(|id| self.accounts.contains_key(id)),
        };
        let Some(account) = account else {
            return Wrong::Page(StatusCode::UNPROCESSABLE_ENTITY, "There is no such account.")
                .into_answer();
        };
        let code = random_secret();
        let target = if asked.redirect_uri == OUT_OF_BAND {
            format!("{}/oauth/authorize/native?code={code}", context.base)
        } else {
            let target = with_parameter(asked.redirect_uri.clone(), "code", &code);
            with_state(target, asked.state.as_deref())
        };
        self.codes.insert(
            code,
            Code {
                client_id: asked.client_id,
                account,
                redirect_uri: asked.redirect_uri,
                scopes: asked.scopes,
                challenge: asked.challenge,
                created_at: context.now,
            },
        );
        Answer::redirect(&target)
    }

    /// Shows a code to the person, who carries it to the app by hand.
    pub(super) fn native_page(request: &Request) -> Answer {
        let code = escape(request.query("code").unwrap_or_default());
        page(
            StatusCode::OK,
            "Authorisation code",
            &format!("<p>Copy this code into the app:</p><p><code>{code}</code></p>"),
        )
    }

    fn asked(&self, params: &Map<String, Value>) -> Result<Asked, Wrong> {
        let client_id = text(params, "client_id").unwrap_or_default();
        let app = self.apps.get(&client_id).ok_or(Wrong::Page(
            StatusCode::UNAUTHORIZED,
            "Client authentication failed due to unknown client.",
        ))?;
        let redirect_uri = text(params, "redirect_uri").unwrap_or_default();
        if !app.redirect_uris.contains(&redirect_uri) {
            let message = "The redirect URI included is not valid.";
            return Err(Wrong::Page(StatusCode::BAD_REQUEST, message));
        }
        let state = text(params, "state");
        let wrong = |error| {
            Err(Wrong::Redirect { to: with_state(redirect_uri.clone(), state.as_deref()), error })
        };
        if text(params, "response_type").as_deref() != Some("code") {
            return wrong("unsupported_response_type");
        }
        let scopes = text(params, "scope").unwrap_or_else(|| "read".to_owned());
        if !is_subset(&scopes, &app.scopes) {
            return wrong("invalid_scope");
        }
        let challenge = text(params, "code_challenge").filter(|challenge| !challenge.is_empty());
        let method = text(params, "code_challenge_method");
        if challenge.is_some() && method.as_deref() != Some("S256") {
            return wrong("invalid_code_challenge_method");
        }
        let app_name = app.name.clone();
        Ok(Asked { client_id, app_name, redirect_uri, scopes, state, challenge })
    }
}

impl Wrong {
    fn into_answer(self) -> Answer {
        match self {
            Self::Page(status, message) => {
                page(status, "An error has occurred", &format!("<p>{}</p>", escape(message)))
            }
            Self::Redirect { to, error } if to.starts_with(OUT_OF_BAND) => {
                let message = format!("<p>{}</p>", escape(error));
                page(StatusCode::BAD_REQUEST, "An error has occurred", &message)
            }
            Self::Redirect { to, error } => Answer::redirect(&with_parameter(to, "error", error)),
        }
    }
}

fn with_state(address: String, state: Option<&str>) -> String {
    match state {
        Some(state) => with_parameter(address, "state", state),
        None => address,
    }
}

fn with_parameter(address: String, name: &str, value: &str) -> String {
    let separator = if address.contains('?') { '&' } else { '?' };
    let pair = serde_urlencoded::to_string([(name, value)]).unwrap_or_default();
    format!("{address}{separator}{pair}")
}
