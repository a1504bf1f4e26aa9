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

use scheduler_core::ports::{ConnectInput, Connected, Located, NetworkError, PublishJob, Step};
use url::Url;

use crate::conversation::{Answer, Job, Patience, Protocol, Turn, TurnResult};
use crate::endpoint::Endpoint;
use progress::Progress;
use wire::{Bot, Tokens};

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
            NetworkError::permanent(message)
        })
    }

    /// The bot of an account, and its chat.
    fn bot<'a>(&'a self, tokens: &'a Tokens) -> Result<(Bot<'a>, i64), NetworkError> {
        Ok((Bot { server: self.server()?, token: &tokens.bot_token }, tokens.chat_id))
    }
}

impl Protocol for Telegram {
    type Progress = Progress;
    type Credentials = Tokens;

    /// The server answers once the message is through, which with files can take its 500 s.
    fn patience(&self, job: &PublishJob, _progress: Option<&Progress>) -> Patience {
        publish::patience(job)
    }

    fn advance(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        let (bot, chat_id) = self.bot(&job.credentials)?;
        publish::advance(&bot, chat_id, job, progress, answers)
    }

    /// There is no key, no list of what a bot has sent, and no update about it.
    fn locate(
        &self,
        _job: &Job<'_, Tokens>,
        _progress: Progress,
        _answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        Ok(Turn::Done(Located::Unknown))
    }

    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>> {
        connect::connect(self.server()?, input, answers)
    }
}
