//! LinkedIn, members and pages.
//!
//! A post shows files that were uploaded before under names of LinkedIn's own. Nothing that we
//! choose tells a repeat, but the same content of the same author is refused for about ten
//! minutes, and the refusal names the post that is there: so within that time sending again is
//! the look. Later, only whoever may read the posts of the author can look.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>.

mod after;
mod api;
mod comments;
mod connect;
mod errors;
mod figures;
mod files;
mod first_comment;
mod locate;
mod progress;
mod publish;
mod text;
mod video;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, PublishJob, Step,
};

use crate::conversation::{Answer, ApiVersion, Job, Protocol, StoredProgress, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::settings::{Client, NetworkSettings};
use api::Api;
use progress::{Progress, Stage};

/// The conversations of LinkedIn.
#[derive(Clone, Debug)]
pub struct LinkedIn {
    api: Api,
    client: Option<Client>,
    scopes: Vec<String>,
}

impl LinkedIn {
    /// Conversations by an operator's choices: the address of everything, the version of the
    /// interface (`YYYYMM`), the application, and the permissions that are asked for.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        let NetworkSettings { api_base, api_version, client, scopes, .. } = settings;
        let scopes = scopes.unwrap_or_else(|| connect::SCOPES.map(str::to_owned).to_vec());
        Self { api: Api::new(api_base, api_version), client, scopes }
    }
}

impl Protocol for LinkedIn {
    type Progress = Progress;
    type Credentials = Tokens;

    fn api_version(&self) -> Option<ApiVersion> {
        Some(self.api.version())
    }

    fn begin(&self, job: &PublishJob) -> Progress {
        self.api.warn_when_old(job.now);
        Progress::begin(job)
    }

    fn advance(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        match progress.stage.clone() {
            Stage::Post(post) if !post.is_ready() => {
                files::advance(&self.api, job, progress, post, answers)
            }
            Stage::Post(post) => publish::advance(&self.api, job, progress, post, answers),
            Stage::Comment(comment) => {
                first_comment::advance(&self.api, job, progress, comment, answers)
            }
        }
    }

    fn locate(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        match progress.stage.clone() {
            Stage::Post(post) => locate::post(&self.api, job, progress, post, answers),
            Stage::Comment(comment) => {
                first_comment::locate(&self.api, job, progress, comment, answers)
            }
        }
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
        let call = |fields| api.token_call(fields);
        let granted = connect::FLOW.refresh(self.client.as_ref(), credentials, answers, call)?;
        Ok(granted.map(|granted| granted.credentials()))
    }

    fn authorize(&self, input: &AuthorizeInput, _answers: &[Answer]) -> TurnResult<Authorization> {
        let api = &self.api;
        let page = |pairs: &[(&str, &str)]| api.authorization(pairs);
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
