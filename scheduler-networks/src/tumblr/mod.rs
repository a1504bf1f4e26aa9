//! Tumblr.
//!
//! A post of text and pictures is made as a draft, which nobody sees, and then published: a draft
//! can be published once, so that a lost answer settles itself. A post with a video goes out at
//! once and gets another id when the network has worked through it; a lost answer is settled by
//! looking among the blog's own posts.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md` and `npf-spec.md` (API v2, Neue Post Format).

mod after;
mod api;
mod connect;
mod content;
mod draft;
mod errors;
mod limits;
mod locate;
mod mentions;
mod notes;
mod progress;
mod publish;
mod video;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, Comments, ConnectInput, Connected, Figures, LivePost,
    Located, Mention, NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;

use crate::conversation::{AfterConversation, Answer, Conversation, Part, Patience, Turn};
use crate::registry::{Client, NetworkSettings};
use api::Api;
use progress::{Progress, Stage};
use wire::Kept;

/// The conversations of Tumblr.
#[derive(Clone, Debug)]
pub struct Tumblr {
    api: Api,
    client: Option<Client>,
    scopes: Vec<String>,
}

impl Tumblr {
    /// Conversations by an operator's choices: the address of everything, the version of the
    /// interface (`v2`), the application, and the permissions that are asked for.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        let NetworkSettings { api_base, api_version, client, scopes } = settings;
        let scopes = scopes.unwrap_or_else(|| connect::SCOPES.map(str::to_owned).to_vec());
        Self { api: Api::new(api_base, api_version), client, scopes }
    }
}

impl Conversation for Tumblr {
    fn sends_files(&self) -> bool {
        true
    }

    /// The visible request publishes a draft, which has its files, or carries those of the post.
    fn patience(&self, job: &PublishJob, progress: &Value) -> Patience {
        match Progress::read(progress).map(|progress| progress.stage) {
            None | Some(Stage::Publish { .. }) => Patience::USUAL,
            Some(
                Stage::Mentions
                | Stage::Limits
                | Stage::Draft { .. }
                | Stage::Send { .. }
                | Stage::Link { .. }
                | Stage::Transcoding { .. },
            ) => Patience::USUAL.with_files_of(job),
        }
    }

    fn begin(&self, job: &PublishJob) -> Value {
        Progress::begin(job).to_value()
    }

    fn is_visible(&self, progress: &Value) -> bool {
        Progress::read(progress).is_none_or(|progress| progress.is_visible())
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        Progress::read(progress)?.live()
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
        publish::locate(&self.api, &kept(&job.credentials)?, job, progress, answers)
    }

    fn refresh(
        &self,
        _account: &Account,
        credentials: &Credentials,
        answers: &[Answer],
    ) -> Result<Turn<Credentials>, NetworkError> {
        connect::refresh(&self.api, self.client.as_ref(), &kept(credentials)?, answers)
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

impl AfterConversation for Tumblr {
    fn take_down(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::take_down(&self.api, &kept(&access.credentials)?, access, post, answers)
    }

    fn figures_at_once(&self) -> usize {
        notes::FIGURES_AT_ONCE
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
        notes::figures(&self.api, &kept(&access.credentials)?, access, posts, answers)
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comments>>, NetworkError> {
        notes::comments(&self.api, &kept(&access.credentials)?, access, post, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        after::followers(&self.api, &kept(&access.credentials)?, access, answers)
    }

    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Mention>>, NetworkError> {
        after::mentions(&self.api, &kept(&access.credentials)?, access, query, answers)
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
