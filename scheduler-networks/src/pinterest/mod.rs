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
mod video;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, NetworkError, PublishJob, Step,
};
use url::Url;

use crate::conversation::{Answer, CallTimeout, Job, Protocol, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::settings::{Client, NetworkSettings};
use api::Api;
use progress::Progress;

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
        let NetworkSettings { api_base, api_version, client, scopes, .. } = settings;
        let scopes = scopes.unwrap_or_else(|| connect::SCOPES.map(str::to_owned).to_vec());
        Self { api_base, api_version, client, scopes }
    }

    fn api(&self) -> Result<Api, NetworkError> {
        Api::new(self.api_base.as_ref(), self.api_version.as_deref())
    }
}

impl Protocol for Pinterest {
    type Progress = Progress;
    type Credentials = Tokens;

    /// The visible request carries images as base64, or names what it shows by an id or by links.
    /// That of a video carries its cover, where one was chosen.
    fn call_timeout(&self, job: &PublishJob, progress: Option<&Progress>) -> CallTimeout {
        if let Some(cover) =
            job.thumbnail.as_ref().filter(|_| progress.is_some_and(|it| it.is_video))
        {
            let bytes = cover.facts.size_bytes.unwrap_or_default();
            return CallTimeout { bytes, ..CallTimeout::USUAL }.as_base64();
        }
        match progress {
            Some(progress) if progress.carries_images() => {
                CallTimeout::USUAL.with_files_of(job).as_base64()
            }
            Some(_) | None => CallTimeout::USUAL,
        }
    }

    fn advance(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        publish::advance(&self.api()?, job, &progress, answers)
    }

    fn locate(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        locate::locate(&self.api()?, job, &progress, answers)
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
        let api = self.api()?;
        let call = |fields| api.token_call(fields);
        let granted = connect::FLOW.refresh(self.client.as_ref(), credentials, answers, call)?;
        Ok(granted.map(|granted| granted.credentials()))
    }

    fn authorize(&self, input: &AuthorizeInput, _answers: &[Answer]) -> TurnResult<Authorization> {
        let api = self.api()?;
        let page = |pairs: &[(&str, &str)]| api.authorization(pairs);
        let client = self.client.as_ref();
        connect::FLOW.authorize(client, &self.scopes, input, page).map(Turn::Done)
    }

    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>> {
        connect::connect(&self.api()?, self.client.as_ref(), input, answers)
    }
}

#[cfg(test)]
mod testing;

#[cfg(test)]
#[path = "crash_tests.rs"]
mod crash_tests;
