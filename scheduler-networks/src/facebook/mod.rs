//! Facebook Pages.
//!
//! Pictures and videos are given to the network first, which nobody sees; one call makes the post.
//! A post with photos is known again by them, a video by its own id, and a text by what it says.
//!
//! Source: <https://developers.facebook.com/docs/pages-api/posts/>.

mod after;
mod caller;
mod captions;
mod comments;
mod connect;
mod cover;
mod errors;
mod extras;
mod figures;
mod film;
mod first_comment;
mod hosts;
mod live;
mod locate;
mod photos;
mod progress;
mod publish;
mod reel;
mod stories;
mod upload;
mod wire;

use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, Step,
};

use crate::conversation::{Answer, ApiVersion, Job, Protocol, Turn, TurnResult};
use crate::graph::graph_version;
use crate::settings::{Client, NetworkSettings};
use caller::Caller;
use hosts::Hosts;
use progress::Progress;
use wire::Tokens;

/// The conversations of Facebook.
#[derive(Clone, Debug)]
pub struct Facebook {
    hosts: Hosts,
    client: Option<Client>,
    scopes: Option<Vec<String>>,
}

impl Facebook {
    /// Conversations with what an operator has chosen.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        let NetworkSettings { api_base, api_version, client, scopes, .. } = settings;
        Self { hosts: Hosts::new(api_base, api_version, hosts::VERSION), client, scopes }
    }

    fn caller<'a>(&'a self, tokens: &'a Tokens) -> Caller<'a> {
        let app_id = self.client.as_ref().map(|client| client.id.as_str());
        Caller { hosts: &self.hosts, tokens, app_id }
    }
}

impl Protocol for Facebook {
    type Progress = Progress;
    type Credentials = Tokens;

    const ACCOUNT: &'static str = "Page";

    fn api_version(&self) -> Option<ApiVersion> {
        Some(graph_version(self.hosts.version()))
    }

    fn advance(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        publish::advance(&self.caller(&job.credentials), job, progress, answers)
    }

    fn locate(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        publish::locate(&self.caller(&job.credentials), job, progress, answers)
    }

    fn authorize(&self, input: &AuthorizeInput, _answers: &[Answer]) -> TurnResult<Authorization> {
        let scopes = self.scopes.as_deref();
        connect::authorize(&self.hosts, self.client.as_ref(), scopes, input).map(Turn::Done)
    }

    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>> {
        connect::connect(&self.hosts, self.client.as_ref(), input, answers)
    }
}

#[cfg(test)]
mod testing;
