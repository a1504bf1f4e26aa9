//! The way to the network's page.

use secrecy::SecretString;
use serde_json::Value;

use super::{Browser, joined, no_visit};
use crate::app::Scheduler;
use crate::app::accounts::not_opened;
use crate::connecting::{Authorizing, ConnectingStage, Pass};
use crate::error::{AccountRefusal, AppError};
use crate::platform::Platform;
use crate::ports::{AuthorizeInput, ConnectInput};

/// The network's page is made; the browser goes there.
#[derive(Clone, Debug)]
pub struct OpenedPage {
    /// Its address. Holds the state, which is for this browser alone.
    pub url: String,
    /// What the browser has to show when it comes back.
    pub cookie: Pass,
}

impl Scheduler {
    /// The document that describes this program to the servers of a network, where they read one;
    /// browsers come back to `redirect_uri`.
    #[must_use]
    pub fn client_document(&self, platform: Platform, redirect_uri: &str) -> Option<Value> {
        self.ports.networks.network(platform)?.client_document(redirect_uri)
    }

    /// Makes the address of the network's page for a browser that shows a ticket, or that comes
    /// again in the same visit. The ticket is used up once the page is made.
    ///
    /// # Errors
    /// `not_found` when the browser is in no visit; `invalid_request` for a value that is too long;
    /// `unsupported` where the network has no page, and `account_not_connected` with its reason
    /// when it makes none.
    pub async fn authorize_connection(
        &self,
        platform: Platform,
        browser: &Browser,
        values: ConnectInput,
        redirect_uri: &str,
    ) -> Result<OpenedPage, AppError> {
        let pending = self.pending(platform, browser).await?;
        let given = match &pending.stage {
            ConnectingStage::Invited { given } => joined(given, values)?,
            ConnectingStage::Authorizing(before) => joined(&before.given, values)?,
            ConnectingStage::Picking { .. } | ConnectingStage::Ended { .. } => {
                return Err(no_visit().into());
            }
        };
        let workspace = self.workspace_of(pending.workspace_id).await?;
        let network = self.require_offer(&workspace, platform).await?;
        let (state, cookie) = (self.new_pass(), self.new_pass());
        let code_verifier = SecretString::from(self.new_pass().expose());
        let input = AuthorizeInput {
            values: given.clone(),
            redirect_uri: redirect_uri.to_owned(),
            state: state.expose().to_owned(),
            code_verifier: code_verifier.clone(),
        };
        let page = network.authorize(&input).await.map_err(not_opened)?;
        if !is_web(&page.url) {
            return Err(AccountRefusal::NoPage(platform).into());
        }
        let stage = ConnectingStage::Authorizing(Authorizing {
            state: state.hash(),
            code_verifier,
            redirect_uri: redirect_uri.to_owned(),
            given,
            kept: page.kept,
        });
        self.step(pending.moved(&cookie, stage)).await?;
        Ok(OpenedPage { url: page.url, cookie })
    }
}

/// A server that a person has typed may have a say in the address; it must not make a browser run
/// something.
fn is_web(url: &str) -> bool {
    url::Url::parse(url).is_ok_and(|url| matches!(url.scheme(), "https" | "http") && url.has_host())
}
