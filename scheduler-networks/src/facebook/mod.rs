//! Facebook Pages.
//!
//! Pictures and videos are given to the network first, which nobody sees; one call makes the post.
//! A post with photos is known again by them, a video by its own id, and a text by what it says.
//!
//! Source: <https://developers.facebook.com/docs/pages-api/posts/>.

mod after;
mod comments;
mod connect;
mod errors;
mod figures;
mod film;
mod first_comment;
mod hosts;
mod locate;
mod photos;
mod progress;
mod publish;
mod reel;
mod upload;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, Comment, CommentAct, Comments, ConnectInput, Connected,
    Figures, LivePost, Located, NetworkError, NetworkErrorKind, PublishJob, RemoteEdit, Step,
};
use scheduler_core::target::Remote;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;

use crate::conversation::{
    AfterConversation, Answer, ApiVersion, Conversation, Part, Patience, Request, Turn,
};
use crate::graph::graph_version;
use crate::registry::{Client, NetworkSettings};
use hosts::{Host, Hosts};
use progress::Progress;
use wire::Kept;

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
        let NetworkSettings { api_base, api_version, client, scopes } = settings;
        Self { hosts: Hosts::new(api_base, api_version), client, scopes }
    }

    fn caller<'a>(&'a self, kept: &'a Kept) -> Caller<'a> {
        let app_id = self.client.as_ref().map(|client| client.id.as_str());
        Caller { hosts: &self.hosts, kept, app_id }
    }
}

/// A Page that calls.
struct Caller<'a> {
    hosts: &'a Hosts,
    kept: &'a Kept,
    /// The application that posts are made by, where it is known.
    app_id: Option<&'a str>,
}

impl Caller<'_> {
    fn graph(&self, segments: &[&str]) -> Result<Url, NetworkError> {
        self.hosts.call(Host::Graph, segments, &[])
    }

    fn authorized(&self, mut request: Request) -> Request {
        if let Some(proof) = &self.kept.proof {
            prove(&mut request.url, proof);
        }
        request.bearer(self.kept.access_token.expose_secret())
    }
}

impl Conversation for Facebook {
    fn api_version(&self) -> Option<ApiVersion> {
        Some(graph_version(self.hosts.version()))
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
        Progress::read(progress)?.live_part()
    }

    fn skip(&self, progress: &Value) -> Option<Value> {
        Progress::read(progress)?.skip().map(|progress| progress.to_value())
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
        let kept = kept(&job.credentials)?;
        publish::advance(&self.caller(&kept), job, progress, answers)
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
        let kept = kept(&job.credentials)?;
        publish::locate(&self.caller(&kept), job, progress, answers)
    }

    /// A Page's token does not expire: the same is given back.
    fn refresh(
        &self,
        _account: &Account,
        credentials: &Credentials,
        _answers: &[Answer],
    ) -> Result<Turn<Credentials>, NetworkError> {
        kept(credentials)?;
        Ok(Turn::Done(credentials.clone()))
    }

    fn authorize(
        &self,
        input: &AuthorizeInput,
        _answers: &[Answer],
    ) -> Result<Turn<Authorization>, NetworkError> {
        let scopes = self.scopes.as_deref();
        connect::authorize(&self.hosts, self.client.as_ref(), scopes, input).map(Turn::Done)
    }

    fn connect(
        &self,
        input: &ConnectInput,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Connected>>, NetworkError> {
        connect::connect(&self.hosts, self.client.as_ref(), input, answers)
    }
}

impl AfterConversation for Facebook {
    fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        let kept = kept(&access.credentials)?;
        after::edit(&self.caller(&kept), access, post, edit, answers)
    }

    fn take_down(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        let kept = kept(&access.credentials)?;
        after::take_down(&self.caller(&kept), access, post, answers)
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
        let Some(post) = posts.first() else { return Ok(Turn::Done(Vec::new())) };
        let kept = kept(&access.credentials)?;
        Ok(match figures::figures(&self.caller(&kept), access, post, answers)? {
            Turn::Send(request) => Turn::Send(request),
            Turn::Done(figures) => Turn::Done(vec![figures]),
        })
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comments>>, NetworkError> {
        let kept = kept(&access.credentials)?;
        comments::comments(&self.caller(&kept), access, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        _post: &LivePost,
        comment: &str,
        act: &CommentAct,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comment>>, NetworkError> {
        let kept = kept(&access.credentials)?;
        comments::act(&self.caller(&kept), access, comment, act, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        let kept = kept(&access.credentials)?;
        after::followers(&self.caller(&kept), access, answers)
    }
}

/// Adds what proves that a token is used by its application.
fn prove(url: &mut Url, proof: &SecretString) {
    url.query_pairs_mut().append_pair("appsecret_proof", proof.expose_secret());
}

fn kept(credentials: &Credentials) -> Result<Kept, NetworkError> {
    serde_json::from_str(credentials.expose()).map_err(|_| {
        NetworkError::new(
            NetworkErrorKind::Reconnect,
            "What is stored of the Page cannot be read. Connect it again.",
        )
    })
}

#[cfg(test)]
mod testing;
