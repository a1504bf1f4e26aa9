//! Threads.
//!
//! A post is made in two steps: a container, which nobody sees, and its publishing. The network
//! fetches files itself, from links of ours. A container can be published once and says whether it
//! was, so that a lost answer settles itself.
//!
//! Source: <https://developers.facebook.com/documentation/threads/>, API v1.0.

mod act;
mod after;
mod api;
mod connect;
mod container;
#[cfg(test)]
mod crash_tests;
mod errors;
mod locate;
mod progress;
mod publish;
mod refresh;
#[cfg(test)]
mod testing;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, NetworkError, Step,
};
use url::Url;

use crate::conversation::{Answer, ApiVersion, Job, Protocol, Turn, TurnResult};
use crate::endpoint::Endpoint;
use crate::settings::{Client, NetworkSettings};
use api::Api;
use progress::Progress;
use wire::Tokens;

/// Where calls go.
///
/// Source: <https://developers.facebook.com/documentation/threads/overview>.
const SERVER: &str = "https://graph.threads.net";

/// Where a person lets us in.
///
/// Source:
/// <https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions>.
const SITE: &str = "https://threads.net";

/// The version of the interface that this was written for, the only one there is.
const VERSION: &str = "v1.0";

/// What a person is asked to allow: all that is used here and needs no review of its own kind.
///
/// Source:
/// <https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions>.
const SCOPES: [&str; 6] = [
    "threads_basic",
    "threads_content_publish",
    "threads_read_replies",
    "threads_manage_replies",
    "threads_manage_insights",
    "threads_delete",
];

/// The conversations of Threads.
#[derive(Clone, Debug)]
pub struct Threads {
    api_base: Option<Endpoint>,
    version: String,
    client: Option<Client>,
    scopes: Vec<String>,
}

impl Threads {
    /// Conversations with Threads, or with the server at the settings' address.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        let scopes = settings.scopes.unwrap_or_else(|| SCOPES.map(str::to_owned).to_vec());
        Self {
            api_base: settings.api_base.map(Endpoint::new),
            version: settings.api_version.unwrap_or_else(|| VERSION.to_owned()),
            client: settings.client,
            scopes,
        }
    }

    /// The server of the calls.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Permanent`] when its address cannot be read.
    fn api(&self) -> Result<Api, NetworkError> {
        let server = self.server(SERVER)?;
        Ok(Api { server, version: self.version.clone() })
    }

    fn server(&self, usual: &str) -> Result<Endpoint, NetworkError> {
        if let Some(base) = &self.api_base {
            return Ok(base.clone());
        }
        let url = Url::parse(usual)
            .map_err(|_| NetworkError::permanent("The address of Threads is unknown."))?;
        Ok(Endpoint::new(url))
    }
}

impl Protocol for Threads {
    type Progress = Progress;
    type Credentials = Tokens;

    fn api_version(&self) -> Option<ApiVersion> {
        Some(ApiVersion { name: self.version.clone(), retires_on: None })
    }

    fn advance(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        publish::advance(&self.api()?, job, progress, answers)
    }

    fn locate(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        publish::locate(&self.api()?, job, progress, answers)
    }

    fn refresh(
        &self,
        _account: &Account,
        _stored: &Credentials,
        credentials: Tokens,
        answers: &[Answer],
    ) -> TurnResult<Credentials> {
        refresh::refresh(&self.api()?, &credentials, answers)
    }

    fn authorize(&self, input: &AuthorizeInput, _answers: &[Answer]) -> TurnResult<Authorization> {
        let site = self.server(SITE)?;
        connect::authorize(&site, self.client.as_ref(), &self.scopes, input).map(Turn::Done)
    }

    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>> {
        connect::connect(&self.api()?, self.client.as_ref(), input, answers)
    }
}
