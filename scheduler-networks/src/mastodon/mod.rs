//! Mastodon, and other servers that speak its API.
//!
//! A status is sent under an Idempotency-Key that Mastodon remembers for an hour: until then a
//! repeat is answered with the first status. Later, and on other software, which may pass over the
//! key, the account's own statuses are looked through before anything is sent again.
//!
//! Source: <https://docs.joinmastodon.org/methods/>.

mod authorize;
mod connect;
mod errors;
mod files;
mod locate;
mod progress;
mod publish;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, NetworkError,
    NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;
use url::Url;

use crate::conversation::{AfterConversation, Answer, Conversation, Part, Turn};
use crate::endpoint::Endpoint;
use crate::outbound::Guard;
use progress::Progress;
use wire::Kept;

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
        known.map(Endpoint::new).ok_or_else(unreadable_account)
    }
}

impl AfterConversation for Mastodon {}

impl Conversation for Mastodon {
    fn sends_files(&self) -> bool {
        true
    }

    fn begin(&self, job: &PublishJob) -> Value {
        Progress::begin(job).to_value()
    }

    fn is_visible(&self, progress: &Value) -> bool {
        Progress::read(progress).is_none_or(|progress| progress.is_ready())
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        Progress::read(progress)?.first
    }

    fn part(&self, progress: &Value) -> Option<Part> {
        Progress::read(progress).map(|progress| progress.part())
    }

    fn advance(
        &self,
        job: &PublishJob,
        progress: &Value,
        answers: &[Answer],
    ) -> Result<Turn<Step>, NetworkError> {
        let progress = Progress::read(progress).ok_or_else(Progress::unreadable)?;
        let kept = kept(&job.credentials)?;
        publish::advance(&self.server(&job.account)?, &kept, job, progress, answers)
    }

    fn locate(
        &self,
        job: &PublishJob,
        progress: &Value,
        answers: &[Answer],
    ) -> Result<Turn<Located>, NetworkError> {
        let Some(progress) = Progress::read(progress) else {
            return Ok(Turn::Done(Located::Unknown));
        };
        let kept = kept(&job.credentials)?;
        publish::locate(&self.server(&job.account)?, &kept, job, progress, answers)
    }

    /// Tokens of Mastodon do not expire: there is nothing to exchange, and the same are given
    /// back.
    fn refresh(
        &self,
        _account: &Account,
        credentials: &Credentials,
        _answers: &[Answer],
    ) -> Result<Turn<Credentials>, NetworkError> {
        Ok(Turn::Done(credentials.clone()))
    }

    fn authorize(
        &self,
        input: &AuthorizeInput,
        answers: &[Answer],
    ) -> Result<Turn<Authorization>, NetworkError> {
        authorize::authorize(self.api_base.as_ref(), self.guard, input, answers)
    }

    fn connect(
        &self,
        input: &ConnectInput,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Connected>>, NetworkError> {
        connect::connect(self.api_base.as_ref(), self.guard, input, answers)
    }
}

fn kept(credentials: &Credentials) -> Result<Kept, NetworkError> {
    serde_json::from_str(credentials.expose()).map_err(|_| unreadable_account())
}

fn unreadable_account() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Reconnect,
        "What is stored of the account cannot be read. Connect it again.",
    )
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod files_tests;
