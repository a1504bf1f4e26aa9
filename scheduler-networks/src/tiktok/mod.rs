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
mod status;
mod upload;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, PublishJob, Step,
};

use crate::conversation::{Answer, CallTimeout, Job, Protocol, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::settings::{Client, NetworkSettings};
use api::Api;
use progress::Progress;

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
        let NetworkSettings { api_base, api_version, client, scopes, .. } = settings;
        let scopes = scopes.unwrap_or_else(|| connect::SCOPES.map(str::to_owned).to_vec());
        Self { api: Api::new(api_base, api_version), client, scopes }
    }
}

impl Protocol for TikTok {
    type Progress = Progress;
    type Credentials = Tokens;

    /// The visible request carries the last chunk of a video, or names photos by links.
    fn call_timeout(&self, _job: &PublishJob, progress: Option<&Progress>) -> CallTimeout {
        let bytes = progress.map_or(0, Progress::visible_bytes);
        CallTimeout { bytes, ..CallTimeout::USUAL }
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
        locate::locate(&self.api, job, progress, answers)
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
        let page = |pairs: &[(&str, &str)]| api.authorize_page(pairs);
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
