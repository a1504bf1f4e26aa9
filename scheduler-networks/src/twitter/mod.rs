//! X, under the name that the interface description gives it: posts and threads of them, with files
//! where the operator allows it and the account has the permission.
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
mod files;
mod locate;
mod progress;
mod publish;
mod text;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, Step,
};

use crate::conversation::{Answer, Job, Protocol, Turn, TurnResult};
use crate::oauth_tokens::Tokens;
use crate::settings::{Client, NetworkSettings};
use api::Api;
use progress::Progress;

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

impl Protocol for Twitter {
    type Progress = Progress;
    type Credentials = Tokens;

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
        let asks_for_files = self.scopes.iter().any(|scope| scope == connect::OF_FILES);
        connect::connect(&self.api, self.client.as_ref(), asks_for_files, input, answers)
    }
}

#[cfg(test)]
mod testing;

#[cfg(test)]
#[path = "crash_tests.rs"]
mod crash_tests;
