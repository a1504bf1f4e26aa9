//! Telegram channels and groups, through a bot.
//!
//! An account is a bot in a chat. The Bot API knows no key of ours, and a bot cannot read what it
//! has sent: a call whose answer was lost is in doubt, and nothing is sent again by itself.
//!
//! Source: <https://core.telegram.org/bots/api>.

mod after;
mod connect;
mod errors;
mod extras;
mod progress;
mod publish;
#[cfg(test)]
mod testing;
mod wire;

use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{ConnectInput, Connected, Located, NetworkError, PublishJob, Step};
use url::Url;

use crate::conversation::{Answer, CallTimeout, Job, Protocol, Turn, TurnResult};
use crate::endpoint::Endpoint;
use crate::settings::NetworkSettings;
use progress::Progress;
use wire::{Bot, Tokens};

/// The conversations of Telegram.
#[derive(Clone, Debug)]
pub struct Telegram {
    server: Option<Endpoint>,
    /// The largest video that the server takes, where an operator has named it.
    video_bytes_max: Option<u64>,
}

impl Telegram {
    /// Conversations with the public Bot API server, or with the one at `api_base`, which may take
    /// larger files.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        let NetworkSettings { api_base, file_bytes_max, .. } = settings;
        let video_bytes_max = file_bytes_max.filter(|_| api_base.is_some());
        // The address of the public server is a literal that can be read.
        let server = api_base.or_else(|| Url::parse(wire::PUBLIC_SERVER).ok());
        Self { server: server.map(Endpoint::new), video_bytes_max }
    }

    /// What the server allows, where that differs from the sheet.
    ///
    /// Source: <https://github.com/tdlib/telegram-bot-api>, README: a server that runs with
    /// `--local` takes files of up to 2000 MB.
    fn limits_of_server(&self) -> AccountLimits {
        AccountLimits { max_video_bytes: self.video_bytes_max, ..AccountLimits::default() }
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
    fn call_timeout(&self, job: &PublishJob, _progress: Option<&Progress>) -> CallTimeout {
        publish::call_timeout(job)
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
        let limits = self.limits_of_server();
        connect::connect(self.server()?, &limits, input, answers)
    }
}
