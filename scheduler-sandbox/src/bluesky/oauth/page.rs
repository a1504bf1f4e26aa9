//! The page on which a person gives access: `/oauth/authorize`.

use super::{Pushed, REQUEST_LIFE};
use crate::answer::Answer;
use crate::bluesky::Bluesky;
use crate::consent::{Consent, Decision, back};
use crate::network::Context;
use crate::outside::random_secret;
use crate::params::{params, text};
use crate::request::Request;

/// The page.
const PAGE: Consent = Consent {
    title: "Authorize",
    handed_on: &["client_id", "request_uri"],
    action: Some("authorize"),
    asks: "is asking for access to an account of this sandbox.",
    permissions: "Permissions",
    account: ("Account", "account"),
    allow: ("accept", "Authorize"),
    deny: ("deny", "Deny access"),
};

impl Bluesky {
    /// Shows the page.
    pub(super) fn access_page(&self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        match self.asked(&params, context) {
            Some(pushed) => {
                let accounts = self.accounts.iter();
                let accounts =
                    accounts.map(|account| (account.did.clone(), format!("@{}", account.handle)));
                PAGE.show(&params, &pushed.client_id, &pushed.scopes, accounts)
            }
            None => PAGE.wrong("Unknown request_uri"),
        }
    }

    /// Takes the person's decision.
    pub(super) fn decide_access(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let params = params(request);
        let Some(pushed) = self.asked(&params, context).cloned() else {
            return PAGE.wrong("Unknown request_uri");
        };
        // It is good for one decision.
        self.grants.pushed.remove(&text(&params, "request_uri").unwrap_or_default());
        let did = match PAGE.decision(&params) {
            Decision::Denied => {
                return back(
                    &pushed.redirect_uri,
                    &[
                        ("iss", Some(context.base)),
                        ("state", pushed.state.as_deref()),
                        ("error", Some("access_denied")),
                        ("error_description", Some("The user rejected the request")),
                    ],
                );
            }
            Decision::New => {
                self.accounts.create(None, context.now).ok().map(|account| account.did.clone())
            }
            Decision::To(did) => self.accounts.find(&did).map(|account| account.did.clone()),
        };
        let Some(did) = did else { return PAGE.wrong("There is no such account.") };
        let code = format!("cod-{}", random_secret());
        let sent_back = back(
            &pushed.redirect_uri,
            &[
                ("iss", Some(context.base)),
                ("state", pushed.state.as_deref()),
                ("code", Some(&code)),
            ],
        );
        let pushed = Pushed { ends_at: context.now + REQUEST_LIFE, ..pushed };
        self.grants.codes.insert(code, (pushed, did));
        sent_back
    }

    /// The request that the page is about.
    fn asked(
        &self,
        params: &serde_json::Map<String, serde_json::Value>,
        context: &Context<'_>,
    ) -> Option<&Pushed> {
        let pushed = self.grants.pushed.get(&text(params, "request_uri")?)?;
        let is_meant = text(params, "client_id").as_deref() == Some(&pushed.client_id);
        (is_meant && pushed.ends_at > context.now).then_some(pushed)
    }
}
