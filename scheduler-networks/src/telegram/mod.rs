//! Telegram channels and groups, through a bot.
//!
//! An account is a bot in a chat. The Bot API knows no key of ours, and a bot cannot read what it
//! has sent: a call whose answer was lost is in doubt, and nothing is sent again by itself.
//!
//! Source: <https://core.telegram.org/bots/api>.

mod after;
mod connect;
mod errors;
mod progress;
mod publish;
#[cfg(test)]
mod testing;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, ConnectInput, Connected, LivePost, Located, NetworkError, NetworkErrorKind, PublishJob,
    RemoteEdit, Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;
use url::Url;

use crate::conversation::{AfterConversation, Answer, Conversation, Part, Patience, Turn};
use crate::endpoint::Endpoint;
use progress::Progress;
use wire::{Bot, Kept};

/// The conversations of Telegram.
#[derive(Clone, Debug)]
pub struct Telegram {
    server: Option<Endpoint>,
}

impl Telegram {
    /// Conversations with the public Bot API server, or with the one at `api_base`.
    #[must_use]
    pub fn new(api_base: Option<Url>) -> Self {
        // The address of the public server is a literal that can be read.
        let server = api_base.or_else(|| Url::parse(wire::PUBLIC_SERVER).ok());
        Self { server: server.map(Endpoint::new) }
    }

    fn server(&self) -> Result<&Endpoint, NetworkError> {
        self.server.as_ref().ok_or_else(|| {
            let message = "The address of the Bot API server cannot be read.";
            NetworkError::new(NetworkErrorKind::Permanent, message)
        })
    }

    /// The bot of an account, and its chat.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when what is stored cannot be read.
    fn bot(&self, credentials: &Credentials) -> Result<(Bot<'_>, i64), NetworkError> {
        let kept: Kept = serde_json::from_str(credentials.expose()).map_err(|_| {
            let message = "What is stored of the account cannot be read. Connect it again.";
            NetworkError::new(NetworkErrorKind::Reconnect, message)
        })?;
        Ok((Bot { server: self.server()?, token: kept.bot_token }, kept.chat_id))
    }
}

impl AfterConversation for Telegram {
    fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        let (bot, chat_id) = self.bot(&access.credentials)?;
        after::edit(&bot, chat_id, access, post, edit, answers)
    }

    fn take_down(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        let (bot, chat_id) = self.bot(&access.credentials)?;
        after::take_down(&bot, chat_id, access, post, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        let (bot, chat_id) = self.bot(&access.credentials)?;
        after::followers(&bot, chat_id, access.now, answers)
    }
}

impl Conversation for Telegram {
    fn sends_files(&self) -> bool {
        true
    }

    /// The server answers once the message is through, which with files can take its 500 s.
    fn patience(&self, job: &PublishJob, _progress: &Value) -> Patience {
        publish::patience(job)
    }

    fn begin(&self, job: &PublishJob) -> Value {
        Progress::begin(job).to_value()
    }

    /// A publish is one call, which everybody sees.
    fn is_visible(&self, _progress: &Value) -> bool {
        true
    }

    fn live_part(&self, _progress: &Value) -> Option<Remote> {
        None
    }

    fn part(&self, progress: &Value) -> Option<Part> {
        Progress::read(progress).map(|_| Part { number: 1, of: 1 })
    }

    fn advance(
        &self,
        job: &PublishJob,
        progress: &Value,
        answers: &[Answer],
    ) -> Result<Turn<Step>, NetworkError> {
        let progress = Progress::read(progress).ok_or_else(Progress::unreadable)?;
        let (bot, chat_id) = self.bot(&job.credentials)?;
        publish::advance(&bot, chat_id, job, progress, answers)
    }

    /// There is no key, no list of what a bot has sent, and no update about it.
    fn locate(
        &self,
        _job: &PublishJob,
        _progress: &Value,
        _answers: &[Answer],
    ) -> Result<Turn<Located>, NetworkError> {
        Ok(Turn::Done(Located::Unknown))
    }

    /// The token of a bot lasts until it is revoked: the same is given back.
    fn refresh(
        &self,
        _account: &Account,
        credentials: &Credentials,
        _answers: &[Answer],
    ) -> Result<Turn<Credentials>, NetworkError> {
        Ok(Turn::Done(credentials.clone()))
    }

    fn connect(
        &self,
        input: &ConnectInput,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Connected>>, NetworkError> {
        connect::connect(self.server()?, input, answers)
    }
}
