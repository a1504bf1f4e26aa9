//! X, under the name that the interface description gives it: text alone, and threads of it.
//!
//! Nothing that we choose tells a repeat. X refuses a text that the account has posted already, but
//! does not say under which id, and for how long it remembers is not documented. So a lost answer
//! is settled by a look at the account's own posts, and the refusal stands behind it: nothing is
//! ever there twice.
//!
//! Source: <https://docs.x.com/x-api/introduction>.

mod after;
mod api;
mod connect;
mod errors;
mod locate;
mod progress;
mod publish;
mod refresh;
mod text;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, ConnectInput, Connected, Figures, LivePost, Located,
    NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;

use crate::conversation::{AfterConversation, Answer, Conversation, Part, Patience, Turn};
use crate::registry::{Client, NetworkSettings};
use api::Api;
use progress::Progress;
use wire::Kept;

/// The conversations of X.
#[derive(Clone, Debug)]
pub struct Twitter {
    api: Api,
    client: Option<Client>,
    scopes: Vec<String>,
}

impl Twitter {
    /// Conversations by an operator's choices: the address of everything, the application, and the
    /// permissions that are asked for. An application without a secret is a public one.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        let NetworkSettings { api_base, client, scopes, .. } = settings;
        let scopes = scopes.unwrap_or_else(|| connect::SCOPES.map(str::to_owned).to_vec());
        Self { api: Api::new(api_base), client, scopes }
    }
}

impl Conversation for Twitter {
    fn patience(&self, _job: &PublishJob, _progress: &Value) -> Patience {
        Patience::USUAL
    }

    fn begin(&self, job: &PublishJob) -> Value {
        Progress::begin(job).to_value()
    }

    fn is_visible(&self, _progress: &Value) -> bool {
        // Every step sends a part.
        true
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
        publish::locate(&self.api, &kept(&job.credentials)?, job, progress, answers)
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

/// Posts cannot be changed, and comments cannot be read: X shows replies through a paid search of
/// the last seven days alone.
impl AfterConversation for Twitter {
    fn take_down(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::take_down(&self.api, &kept(&access.credentials)?, access, post, answers)
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
        after::figures(&self.api, &kept(&access.credentials)?, access, posts, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        after::followers(&self.api, &kept(&access.credentials)?, access, answers)
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
