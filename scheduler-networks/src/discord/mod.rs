//! Discord channels, by incoming webhook or by bot.
//!
//! A bot looks through its channel before anything is sent again. Its message carries a nonce as
//! well, under which Discord answers a repeat within a few minutes with the first message; posts
//! of forums take none. A webhook has neither: what became of a call whose answer was lost cannot
//! be known, so nothing is sent again.
//!
//! Source: <https://docs.discord.com/developers/>.

mod after;
mod comments;
mod connect;
mod connect_bot;
mod errors;
mod extras;
mod hosts;
mod locate;
mod message;
mod progress;
mod publish;
mod record;
#[cfg(test)]
mod testing;
mod wire;

use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, PublishJob, Step,
};

use crate::conversation::{Answer, ApiVersion, CallTimeout, Job, Protocol, Turn, TurnResult};
use crate::settings::{Client, NetworkSettings};
use hosts::Hosts;
use progress::Progress;
use wire::Sender;

/// The conversations of Discord.
#[derive(Clone, Debug)]
pub struct Discord {
    hosts: Hosts,
    client: Option<Client>,
    scopes: Option<Vec<String>>,
}

impl Discord {
    /// Conversations with Discord, or with what stands at the address that is set in its place.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        Self {
            hosts: Hosts::new(settings.api_base, settings.api_version),
            client: settings.client,
            scopes: settings.scopes,
        }
    }
}

impl Protocol for Discord {
    type Progress = Progress;
    type Credentials = Sender;

    fn api_version(&self) -> Option<ApiVersion> {
        Some(self.hosts.version())
    }

    fn call_timeout(&self, job: &PublishJob, progress: Option<&Progress>) -> CallTimeout {
        publish::call_timeout(Self::credentials(&job.credentials).ok().as_ref(), job, progress)
    }

    fn advance(
        &self,
        job: &Job<'_, Sender>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        publish::advance(&self.hosts, job, &progress, answers)
    }

    fn locate(
        &self,
        job: &Job<'_, Sender>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        locate::locate(&self.hosts, job, progress, answers)
    }

    fn authorize(&self, input: &AuthorizeInput, _answers: &[Answer]) -> TurnResult<Authorization> {
        connect::authorize(&self.hosts, self.client.as_ref(), self.scopes.as_deref(), input)
            .map(Turn::Done)
    }

    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>> {
        connect::connect(&self.hosts, self.client.as_ref(), input, answers)
    }
}
