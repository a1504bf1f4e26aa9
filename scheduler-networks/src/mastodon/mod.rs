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
mod html;
mod locate;
mod progress;
mod publish;
mod shown;
#[cfg(test)]
mod testing;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, Comment, CommentAct, Comments, ConnectInput, Connected,
    Figures, LivePost, Located, Mention, NetworkError, NetworkErrorKind, PublishJob, RemoteEdit,
    Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;
use url::Url;

use crate::conversation::{AfterConversation, Answer, Conversation, Part, Patience, Turn};
use crate::endpoint::Endpoint;
use crate::outbound::Guard;
use caller::Caller;
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

    /// Who speaks for an account whose posts are live.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when its server or its token is not known.
    fn caller<'a>(&self, access: &'a Access) -> Result<Caller<'a>, NetworkError> {
        let kept = kept(&access.credentials)?;
        Ok(Caller { access, server: self.server(&access.account)?, kept })
    }
}

impl AfterConversation for Mastodon {
    fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::edit(&self.caller(access)?, post, edit, answers)
    }

    fn take_down(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::take_down(&self.caller(access)?, post, answers)
    }

    fn figures_at_once(&self) -> usize {
        after::FIGURES_AT_ONCE
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
        after::figures(&self.caller(access)?, posts, answers)
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comments>>, NetworkError> {
        comments::comments(&self.caller(access)?, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        post: &LivePost,
        comment: &str,
        act: &CommentAct,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comment>>, NetworkError> {
        comments::act(&self.caller(access)?, post, comment, act, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        after::followers(&self.caller(access)?, answers)
    }

    fn limits(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<AccountLimits>>, NetworkError> {
        after::limits(&self.caller(access)?, answers)
    }

    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Mention>>, NetworkError> {
        after::mentions(&self.caller(access)?, query, answers)
    }
}

impl Conversation for Mastodon {
    fn sends_files(&self) -> bool {
        true
    }

    /// Files are there before the visible request, which is small.
    fn patience(&self, _job: &PublishJob, _progress: &Value) -> Patience {
        Patience::USUAL
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
