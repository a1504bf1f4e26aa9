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
mod hosts;
mod locate;
mod message;
mod progress;
mod publish;
mod record;
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

use crate::conversation::{
    AfterConversation, Answer, ApiVersion, Conversation, Part, Patience, Turn,
};
use crate::registry::{Client, NetworkSettings};
use hosts::Hosts;
use progress::Progress;
use wire::Kept;

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

impl Conversation for Discord {
    fn api_version(&self) -> Option<ApiVersion> {
        Some(self.hosts.version())
    }

    fn sends_files(&self) -> bool {
        true
    }

    fn patience(&self, job: &PublishJob, progress: &Value) -> Patience {
        publish::patience(kept(&job.credentials).ok().as_ref(), job, Progress::read(progress))
    }

    fn begin(&self, job: &PublishJob) -> Value {
        Progress::begin(job).to_value()
    }

    /// Every step is: it sends the message, or opens its thread.
    fn is_visible(&self, _progress: &Value) -> bool {
        true
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        Progress::read(progress)?.remote()
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
        publish::advance(&self.hosts, &kept(&job.credentials)?, job, &progress, answers)
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
        locate::locate(&self.hosts, &kept(&job.credentials)?, job, progress, answers)
    }

    /// Webhooks and tokens of bots do not expire: there is nothing to exchange, and the same are
    /// given back.
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
        _answers: &[Answer],
    ) -> Result<Turn<Authorization>, NetworkError> {
        connect::authorize(&self.hosts, self.client.as_ref(), self.scopes.as_deref(), input)
            .map(Turn::Done)
    }

    fn connect(
        &self,
        input: &ConnectInput,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Connected>>, NetworkError> {
        connect::connect(&self.hosts, self.client.as_ref(), input, answers)
    }
}

impl AfterConversation for Discord {
    fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::edit(&self.hosts, &kept(&access.credentials)?, access, post, edit, answers)
    }

    fn take_down(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::take_down(&self.hosts, &kept(&access.credentials)?, access, post, answers)
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
        after::figures(&self.hosts, &kept(&access.credentials)?, access, posts, answers)
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comments>>, NetworkError> {
        comments::read(&self.hosts, &kept(&access.credentials)?, access, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        post: &LivePost,
        comment: &str,
        act: &CommentAct,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comment>>, NetworkError> {
        let kept = kept(&access.credentials)?;
        comments::act(&self.hosts, &kept, access, post, comment, act, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        after::followers(&self.hosts, &kept(&access.credentials)?, access, answers)
    }

    fn limits(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<AccountLimits>>, NetworkError> {
        after::limits(&self.hosts, &kept(&access.credentials)?, access, answers)
    }

    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Mention>>, NetworkError> {
        after::mentions(&self.hosts, &kept(&access.credentials)?, access, query, answers)
    }
}

fn kept(credentials: &Credentials) -> Result<Kept, NetworkError> {
    serde_json::from_str(credentials.expose()).map_err(|_| {
        NetworkError::new(
            NetworkErrorKind::Reconnect,
            "What is stored of the account cannot be read. Connect it again.",
        )
    })
}
