//! Mastodon, and other servers that speak its API.
//!
//! A status is sent under an Idempotency-Key that Mastodon remembers for an hour: until then a
//! repeat is answered with the first status. Later, and on other software, which may pass over the
//! key, the account's own statuses are looked through before anything is sent again.
//!
//! Source: <https://docs.joinmastodon.org/methods/>.

mod after;
mod authorize;
mod caller;
mod comments;
mod connect;
mod errors;
mod files;
mod locate;
mod progress;
mod publish;
mod quote;
mod shown;
#[cfg(test)]
mod testing;
mod wire;

use scheduler_core::account::Account;
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, ConnectInput, Connected, Located, NetworkError, Step,
};
use url::Url;

use crate::conversation::{Answer, Job, Protocol, TurnResult, unreadable_account};
use crate::endpoint::Endpoint;
use crate::outbound::Guard;
use caller::Caller;
use progress::Progress;
use wire::Tokens;

/// The conversations of Mastodon.
#[derive(Clone, Debug)]
pub struct Mastodon {
    api_base: Option<Endpoint>,
    guard: Guard,
}

impl Mastodon {
    /// Conversations with the server of each account, or all with the one at `api_base`. What a
    /// person types as a server becomes the https address of a host, unless `guard` lets private
    /// addresses through.
    #[must_use]
    pub fn new(api_base: Option<Url>, guard: Guard) -> Self {
        Self { api_base: api_base.map(Endpoint::new), guard }
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

    /// Who speaks for an account whose posts are live.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when its server or its token is not known.
    fn caller<'a>(&self, access: &'a Access) -> Result<Caller<'a>, NetworkError> {
        let tokens = Self::credentials(&access.credentials)?;
        Ok(Caller { access, server: self.server(&access.account)?, tokens })
    }
}

impl Protocol for Mastodon {
    type Progress = Progress;
    type Credentials = Tokens;

    fn advance(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        publish::advance(&self.server(&job.account)?, job, progress, answers)
    }

    fn locate(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        publish::locate(&self.server(&job.account)?, job, progress, answers)
    }

    fn authorize(&self, input: &AuthorizeInput, answers: &[Answer]) -> TurnResult<Authorization> {
        authorize::authorize(self.api_base.as_ref(), &self.guard, input, answers)
    }

    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>> {
        connect::connect(self.api_base.as_ref(), &self.guard, input, answers)
    }
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod files_tests;
