//! Threads.
//!
//! A post is made in two steps: a container, which nobody sees, and its publishing. The network
//! fetches files itself, from links of ours. A container can be published once and says whether it
//! was, so that a lost answer settles itself.
//!
//! Source: <https://developers.facebook.com/documentation/threads/>, API v1.0.

mod act;
mod after;
mod connect;
mod container;
#[cfg(test)]
mod crash_tests;
mod errors;
mod locate;
mod progress;
mod publish;
mod refresh;
#[cfg(test)]
mod testing;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, Comment, CommentAct, Comments, ConnectInput, Connected,
    Figures, LivePost, Located, Mention, NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;
use url::Url;

use crate::conversation::{
    AfterConversation, Answer, ApiVersion, Conversation, Part, Patience, Turn,
};
use crate::endpoint::Endpoint;
use crate::registry::{Client, NetworkSettings};
use progress::Progress;
use wire::Kept;

/// Where calls go.
///
/// Source: <https://developers.facebook.com/documentation/threads/overview>.
const SERVER: &str = "https://graph.threads.net";

/// Where a person lets us in.
///
/// Source:
/// <https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions>.
const SITE: &str = "https://threads.net";

/// The version of the interface that this was written for, the only one there is.
const VERSION: &str = "v1.0";

/// What a person is asked to allow: all that is used here and needs no review of its own kind.
///
/// Source:
/// <https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions>.
const SCOPES: [&str; 6] = [
    "threads_basic",
    "threads_content_publish",
    "threads_read_replies",
    "threads_manage_replies",
    "threads_manage_insights",
    "threads_delete",
];

/// The conversations of Threads.
#[derive(Clone, Debug)]
pub struct Threads {
    api_base: Option<Endpoint>,
    version: String,
    client: Option<Client>,
    scopes: Vec<String>,
}

impl Threads {
    /// Conversations with Threads, or with the server at the settings' address.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        let scopes = settings.scopes.unwrap_or_else(|| SCOPES.map(str::to_owned).to_vec());
        Self {
            api_base: settings.api_base.map(Endpoint::new),
            version: settings.api_version.unwrap_or_else(|| VERSION.to_owned()),
            client: settings.client,
            scopes,
        }
    }

    /// The server of the calls.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Permanent`] when its address cannot be read.
    fn api(&self) -> Result<Api, NetworkError> {
        let server = self.server(SERVER)?;
        Ok(Api { server, version: self.version.clone() })
    }

    fn server(&self, usual: &str) -> Result<Endpoint, NetworkError> {
        if let Some(base) = &self.api_base {
            return Ok(base.clone());
        }
        let url = Url::parse(usual).map_err(|_| {
            NetworkError::new(NetworkErrorKind::Permanent, "The address of Threads is unknown.")
        })?;
        Ok(Endpoint::new(url))
    }
}

/// A server and the version of its calls.
#[derive(Clone, Debug)]
struct Api {
    server: Endpoint,
    version: String,
}

impl Api {
    /// The address of a call.
    fn at(&self, segments: &[&str]) -> Url {
        let version = [self.version.as_str()];
        self.server.at(version.into_iter().chain(segments.iter().copied()))
    }

    /// The same with a query.
    fn query(&self, segments: &[&str], pairs: &[(&str, &str)]) -> Url {
        let version = [self.version.as_str()];
        self.server.query(version.into_iter().chain(segments.iter().copied()), pairs)
    }
}

impl Conversation for Threads {
    fn api_version(&self) -> Option<ApiVersion> {
        Some(ApiVersion { name: self.version.clone(), retires_on: None })
    }

    fn sends_files(&self) -> bool {
        true
    }

    /// Files are there before the visible request, which is small.
    fn patience(&self, _job: &PublishJob, _progress: &Value) -> Patience {
        Patience::USUAL
    }

    fn begin(&self, job: &PublishJob) -> Value {
        Progress::begin(job).to_value()
    }

    fn is_visible(&self, progress: &Value) -> bool {
        Progress::read(progress).is_none_or(|progress| progress.is_visible())
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
        publish::advance(&self.api()?, &kept(&job.credentials)?, job, progress, answers)
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
        publish::locate(&self.api()?, &kept(&job.credentials)?, job, progress, answers)
    }

    fn refresh(
        &self,
        _account: &Account,
        credentials: &Credentials,
        answers: &[Answer],
    ) -> Result<Turn<Credentials>, NetworkError> {
        refresh::refresh(&self.api()?, &kept(credentials)?, answers)
    }

    fn authorize(
        &self,
        input: &AuthorizeInput,
        _answers: &[Answer],
    ) -> Result<Turn<Authorization>, NetworkError> {
        let site = self.server(SITE)?;
        connect::authorize(&site, self.client.as_ref(), &self.scopes, input).map(Turn::Done)
    }

    fn connect(
        &self,
        input: &ConnectInput,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Connected>>, NetworkError> {
        connect::connect(&self.api()?, self.client.as_ref(), input, answers)
    }
}

impl AfterConversation for Threads {
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
        after::figures(&self.api()?, &kept(&access.credentials)?, access, posts, answers)
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comments>>, NetworkError> {
        after::comments(&self.api()?, &kept(&access.credentials)?, access, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        post: &LivePost,
        comment: &str,
        act: &CommentAct,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comment>>, NetworkError> {
        let kept = kept(&access.credentials)?;
        act::act_on_comment(&self.api()?, &kept, access, post, comment, act, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        after::followers(&self.api()?, &kept(&access.credentials)?, access, answers)
    }

    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Mention>>, NetworkError> {
        after::mentions(&self.api()?, &kept(&access.credentials)?, query, answers)
    }
}

fn kept(credentials: &Credentials) -> Result<Kept, NetworkError> {
    serde_json::from_str(credentials.expose()).map_err(|_| {
        NetworkError::new(
            NetworkErrorKind::Reconnect,
            "What is stored of the account cannot be read. Connect it again.",
        )
    })
}
