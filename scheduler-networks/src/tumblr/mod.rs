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
mod reblog;
mod video;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, PublishJob, Step,
};

use crate::conversation::{Answer, CallTimeout, Job, Protocol, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::settings::{Client, NetworkSettings};
use api::Api;
use progress::{Progress, Stage};

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
        let NetworkSettings { api_base, api_version, client, scopes, .. } = settings;
        let scopes = scopes.unwrap_or_else(|| connect::SCOPES.map(str::to_owned).to_vec());
        Self { api: Api::new(api_base, api_version), client, scopes }
    }
}

impl Protocol for Tumblr {
    type Progress = Progress;
    type Credentials = Tokens;

    /// The visible request publishes a draft, which has its files, or carries those of the post.
    fn call_timeout(&self, job: &PublishJob, progress: Option<&Progress>) -> CallTimeout {
        match progress.map(|progress| &progress.stage) {
            None | Some(Stage::Publish { .. }) => CallTimeout::USUAL,
            Some(
                Stage::Mentions
                | Stage::Parent
                | Stage::Limits
                | Stage::Draft { .. }
                | Stage::Send { .. }
                | Stage::Link { .. }
                | Stage::Transcoding { .. },
            ) => CallTimeout::USUAL.with_files_of(job),
        }
    }

    fn advance(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        publish::advance(&self.api, job, progress, answers)
    }

    fn locate(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        publish::locate(&self.api, job, progress, answers)
    }

    fn renews(&self, credentials: &Tokens) -> bool {
        credentials.refresh_token.is_some()
    }

    fn refresh(
        &self,
        _account: &Account,
        _stored: &Credentials,
        credentials: Tokens,
        answers: &[Answer],
    ) -> TurnResult<Credentials> {
        let api = &self.api;
        let call = |fields| api.token(fields);
        let granted = connect::FLOW.refresh(self.client.as_ref(), credentials, answers, call)?;
        Ok(granted.map(|granted| granted.credentials()))
    }

    fn authorize(&self, input: &AuthorizeInput, _answers: &[Answer]) -> TurnResult<Authorization> {
        let api = &self.api;
        let page = |pairs: &[(&str, &str)]| api.authorize(pairs);
        let client = self.client.as_ref();
        connect::FLOW.authorize(client, &self.scopes, input, page).map(Turn::Done)
    }

    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>> {
        connect::connect(&self.api, self.client.as_ref(), input, answers)
    }
}

#[cfg(test)]
mod testing;

#[cfg(test)]
#[path = "crash_tests.rs"]
mod crash_tests;
