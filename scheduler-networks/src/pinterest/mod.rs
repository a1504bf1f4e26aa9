//! Pinterest.
//!
//! A Pin shows one to five images or a video, on a board. Images go within the call that makes the
//! Pin; a video is sent to a place of its own before, and waited for. Nothing that we choose tells
//! a repeat, and nothing refuses one: after a lost answer the account's Pins are looked through for
//! one that says the same, was made since, and was not there before.
//!
//! Source: <https://github.com/pinterest/api-description>, `v5/openapi.json`.

mod after;
mod api;
mod connect;
mod errors;
mod figures;
mod locate;
mod pin;
mod progress;
mod publish;
mod refresh;
mod video;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, Board, ConnectInput, Connected, Figures, LivePost,
    Located, NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;
use url::Url;

use crate::conversation::{AfterConversation, Answer, Conversation, Part, Patience, Turn};
use crate::registry::{Client, NetworkSettings};
use api::Api;
use progress::Progress;
use wire::Kept;

/// The conversations of Pinterest.
#[derive(Clone, Debug)]
pub struct Pinterest {
    api_base: Option<Url>,
    api_version: Option<String>,
    client: Option<Client>,
    scopes: Vec<String>,
}

impl Pinterest {
    /// Conversations by an operator's choices: the address of everything, the version of the
    /// interface (`v5`), the application, and the permissions that are asked for. Those of secret
    /// boards (`boards:read_secret` and its like) are asked for only where they are chosen.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        let NetworkSettings { api_base, api_version, client, scopes } = settings;
        let scopes = scopes.unwrap_or_else(|| connect::SCOPES.map(str::to_owned).to_vec());
        Self { api_base, api_version, client, scopes }
    }

    fn api(&self) -> Result<Api, NetworkError> {
        Api::new(self.api_base.as_ref(), self.api_version.as_deref())
    }
}

impl Conversation for Pinterest {
    fn sends_files(&self) -> bool {
        true
    }

    /// The visible request carries images as base64, or names what it shows by an id or by links.
    fn patience(&self, job: &PublishJob, progress: &Value) -> Patience {
        match Progress::read(progress) {
            Some(progress) if progress.carries_images() => {
                Patience::USUAL.with_files_of(job).as_base64()
            }
            Some(_) | None => Patience::USUAL,
        }
    }

    fn begin(&self, job: &PublishJob) -> Value {
        Progress::begin(job).to_value()
    }

    fn is_visible(&self, progress: &Value) -> bool {
        Progress::read(progress).is_none_or(|progress| progress.is_visible())
    }

    fn live_part(&self, _progress: &Value) -> Option<Remote> {
        // A Pin is made by one call, and is whole.
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
        publish::advance(&self.api()?, &kept(&job.credentials)?, job, &progress, answers)
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
        locate::locate(&self.api()?, &kept(&job.credentials)?, job, &progress, answers)
    }

    fn refresh(
        &self,
        _account: &Account,
        credentials: &Credentials,
        answers: &[Answer],
    ) -> Result<Turn<Credentials>, NetworkError> {
        refresh::refresh(&self.api()?, self.client.as_ref(), kept(credentials)?, answers)
    }

    fn authorize(
        &self,
        input: &AuthorizeInput,
        _answers: &[Answer],
    ) -> Result<Turn<Authorization>, NetworkError> {
        connect::authorize(&self.api()?, self.client.as_ref(), &self.scopes, input)
    }

    fn connect(
        &self,
        input: &ConnectInput,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Connected>>, NetworkError> {
        connect::connect(&self.api()?, self.client.as_ref(), input, answers)
    }
}

impl AfterConversation for Pinterest {
    fn take_down(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::take_down(&self.api()?, &kept(&access.credentials)?, access, post, answers)
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
        figures::figures(&self.api()?, &kept(&access.credentials)?, access, posts, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        after::followers(&self.api()?, &kept(&access.credentials)?, access, answers)
    }

    fn boards(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Board>>, NetworkError> {
        after::boards(&self.api()?, &kept(&access.credentials)?, access, answers)
    }
}

fn kept(credentials: &Credentials) -> Result<Kept, NetworkError> {
    Kept::read(credentials.expose()).ok_or_else(|| {
        NetworkError::new(
            NetworkErrorKind::Reconnect,
            "What is stored of the account cannot be read. Connect it again.",
        )
    })
}

#[cfg(test)]
mod testing;

#[cfg(test)]
#[path = "crash_tests.rs"]
mod crash_tests;
