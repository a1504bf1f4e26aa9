//! Bluesky, and every other server that speaks atproto.
//!
//! An account lives on a server of its own (its PDS), which all calls go to. A post is a record
//! under a key that we choose from the job alone; it is put only where nothing is, and a repeat of
//! the same record changes nothing. So a publish can be repeated as often as needed.
//!
//! Source: <https://atproto.com/specs/xrpc> and the lexicons named in `wire`.

mod act;
mod after;
mod application;
mod caller;
mod captions;
mod comments;
mod connect;
mod errors;
mod files;
mod gates;
mod hide;
mod identity;
mod oauth;
mod progress;
mod publish;
mod quote;
mod record;
mod reply;
mod richtext;
#[cfg(test)]
mod testing;
mod tid;
mod tokens;
mod upload;
mod video;
mod views;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, ConnectInput, Connected, Located, NetworkError, Step,
};
use secrecy::SecretString;
use serde_json::Value;
use url::Url;

use crate::conversation::{Answer, Job, Protocol, TurnResult, unreadable_account};
use crate::endpoint::Endpoint;
use caller::{Caller, Servers};
use oauth::Keys;
use progress::Progress;
use tokens::Tokens;

/// The conversations of Bluesky.
#[derive(Clone, Debug, Default)]
pub struct Bluesky {
    api_base: Option<Endpoint>,
    keys: Keys,
}

impl Bluesky {
    /// Conversations with the server of each account, or all with the one at `api_base`, which is
    /// then trusted to know who is who.
    #[must_use]
    pub fn new(api_base: Option<Url>) -> Self {
        Self { api_base: api_base.map(Endpoint::new), keys: Keys::default() }
    }

    /// The same, which lets people give access on the page of their server. From each secret of the
    /// installation, the present one first, follows a key by which it authenticates there.
    #[must_use]
    pub fn with_secrets(self, secrets: &[SecretString]) -> Self {
        Self { keys: Keys::of(secrets), ..self }
    }

    /// The server of an account.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when none is known.
    fn server(&self, account: &Account) -> Result<Endpoint, NetworkError> {
        if let Some(base) = &self.api_base {
            return Ok(base.clone());
        }
        let known = account.server_url.as_deref().and_then(|url| Url::parse(url).ok());
        known.map(Endpoint::new).ok_or_else(|| unreadable_account("account"))
    }

    /// The servers of an account's publish. Where all accounts have one server, it takes videos
    /// as well.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when none is known.
    fn servers(&self, account: &Account) -> Result<Servers, NetworkError> {
        let video = match &self.api_base {
            Some(base) => base.clone(),
            None => {
                Endpoint::new(Url::parse(VIDEO_SERVICE).map_err(|_| unreadable_account("account"))?)
            }
        };
        Ok(Servers { account: self.server(account)?, video })
    }

    /// Who speaks for an account whose posts are live.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when its server or its tokens are not known.
    fn caller<'a>(&self, access: &'a Access) -> Result<Caller<'a>, NetworkError> {
        let tokens = Self::credentials(&access.credentials)?;
        Ok(Caller { access, server: self.server(&access.account)?, tokens })
    }
}

/// The service that takes videos.
///
/// Source: <https://docs.bsky.app/docs/tutorials/video>.
const VIDEO_SERVICE: &str = "https://video.bsky.app";

impl Protocol for Bluesky {
    type Progress = Progress;
    type Credentials = Tokens;

    fn advance(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        publish::advance(&self.servers(&job.account)?, job, progress, answers)
    }

    fn locate(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        publish::locate(&self.server(&job.account)?, job, progress, answers)
    }

    fn refresh(
        &self,
        account: &Account,
        _stored: &Credentials,
        credentials: Tokens,
        answers: &[Answer],
    ) -> TurnResult<Credentials> {
        match credentials {
            Tokens::Session(tokens) => {
                connect::refresh(&self.server(account)?, account, &tokens, answers)
            }
            Tokens::Grant(grant) => oauth::refresh(&self.keys, account, &grant, answers),
        }
    }

    fn authorize(&self, input: &AuthorizeInput, answers: &[Answer]) -> TurnResult<Authorization> {
        oauth::authorize(self.api_base.as_ref(), &self.keys, input, answers)
    }

    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>> {
        let api_base = self.api_base.as_ref();
        match input.given("code") {
            Some(code) => oauth::connect(api_base, &self.keys, input, code, answers),
            None => connect::connect(api_base, input, answers),
        }
    }

    fn client_document(&self, redirect_uri: &str) -> Option<Value> {
        application::document(redirect_uri, &self.keys.client)
    }
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod files_tests;
