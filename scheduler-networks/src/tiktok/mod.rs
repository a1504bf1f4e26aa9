//! TikTok.
//!
//! A video is announced, sent in chunks to an address that lives for an hour, and then processed;
//! nothing is published before its last byte. Photos are fetched by the network from links of ours,
//! so the call that names them is the publish itself, and no key tells a repeat of it.
//!
//! Source: <https://developers.tiktok.com/docs/en/>, Content Posting API and Display API, v2.

mod after;
mod api;
mod connect;
mod creator;
mod errors;
mod locate;
mod progress;
mod publish;
mod refresh;
mod status;
mod upload;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::AccountLimits;
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, ConnectInput, Connected, Creator, Figures, LivePost,
    Located, NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;

use crate::conversation::{AfterConversation, Answer, Conversation, Part, Patience, Turn};
use crate::registry::{Client, NetworkSettings};
use api::Api;
use progress::Progress;
use wire::Kept;

/// The conversations of TikTok.
#[derive(Clone, Debug)]
pub struct TikTok {
    api: Api,
    client: Option<Client>,
    scopes: Vec<String>,
}

impl TikTok {
    /// Conversations by an operator's choices: the address of everything, the version of the
    /// interface, the application, and the scopes that are asked for.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        let NetworkSettings { api_base, api_version, client, scopes } = settings;
        let scopes = scopes.unwrap_or_else(|| connect::SCOPES.map(str::to_owned).to_vec());
        Self { api: Api::new(api_base, api_version), client, scopes }
    }
}

impl Conversation for TikTok {
    fn sends_files(&self) -> bool {
        true
    }

    /// The visible request carries the last chunk of a video, or names photos by links.
    fn patience(&self, _job: &PublishJob, progress: &Value) -> Patience {
        let progress = Progress::read(progress);
        let bytes = progress.map_or(0, |progress| progress.visible_bytes());
        Patience { bytes, ..Patience::USUAL }
    }

    fn begin(&self, job: &PublishJob) -> Value {
        Progress::begin(job).to_value()
    }

    fn is_visible(&self, progress: &Value) -> bool {
        Progress::read(progress).is_none_or(|progress| progress.is_visible())
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        Progress::read(progress)?.live_part()
    }

    fn skip(&self, _progress: &Value) -> Option<Value> {
        // The wait for the post's id is all that ever follows.
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
        publish::advance(&self.api, &kept(&job.credentials)?, job, progress, answers)
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
        locate::locate(&self.api, &kept(&job.credentials)?, job, progress, answers)
    }

    fn refresh(
        &self,
        _account: &Account,
        credentials: &Credentials,
        answers: &[Answer],
    ) -> Result<Turn<Credentials>, NetworkError> {
        refresh::refresh(&self.api, self.client.as_ref(), kept(credentials)?, answers)
    }

    fn authorize(
        &self,
        input: &AuthorizeInput,
        _answers: &[Answer],
    ) -> Result<Turn<Authorization>, NetworkError> {
        connect::authorize(&self.api, self.client.as_ref(), &self.scopes, input).map(Turn::Done)
    }

    fn connect(
        &self,
        input: &ConnectInput,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Connected>>, NetworkError> {
        connect::connect(&self.api, self.client.as_ref(), input, answers)
    }
}

impl AfterConversation for TikTok {
    fn figures_at_once(&self) -> usize {
        after::AT_ONCE
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
        after::figures(&self.api, &kept(&access.credentials)?, access, posts, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        after::followers(&self.api, &kept(&access.credentials)?, access, answers)
    }

    fn limits(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<AccountLimits>>, NetworkError> {
        creator::limits(&self.api, &kept(&access.credentials)?, access, answers)
    }

    fn creator(&self, access: &Access, answers: &[Answer]) -> Result<Turn<Creator>, NetworkError> {
        creator::creator(&self.api, &kept(&access.credentials)?, access, answers)
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
