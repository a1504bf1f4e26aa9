//! Instagram, business and creator accounts.
//!
//! An account is connected by Instagram's own login, or through a Facebook Page. Everything is
//! published in three moves: containers, which nobody sees; a wait; and one call that makes the
//! last container visible. A container can be published once, and tells whether it was: that is
//! what keeps a post from going out twice.
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/>.

mod after;
mod comments;
mod connect;
mod connect_page;
mod containers;
mod errors;
mod figures;
mod hosts;
mod locate;
mod progress;
mod publish;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, Comment, CommentAct, Comments, ConnectInput, Connected,
    Figures, LivePost, Located, Mention, NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::Remote;
use secrecy::ExposeSecret;
use serde_json::Value;
use url::Url;

use crate::conversation::{
    AfterConversation, Answer, ApiVersion, Conversation, Part, Patience, Request, Turn,
};
use crate::graph::graph_version;
use crate::registry::{Client, NetworkSettings};
use connect::Apps;
use hosts::Hosts;
use progress::Progress;
use wire::Kept;

/// The conversations of Instagram.
#[derive(Clone, Debug)]
pub struct Instagram {
    hosts: Hosts,
    apps: Apps,
}

impl Instagram {
    /// Conversations with what an operator has chosen. Instagram's own login has an application
    /// id of its own; `page_client` is the Meta application through whose pages accounts are
    /// connected, and the settings' own where there is none.
    #[must_use]
    pub fn new(settings: NetworkSettings, page_client: Option<Client>) -> Self {
        let NetworkSettings { api_base, api_version, client, scopes } = settings;
        let via_page = page_client.or_else(|| client.clone());
        Self {
            hosts: Hosts::new(api_base, api_version),
            apps: Apps { direct: client, via_page, scopes },
        }
    }

    fn caller<'a>(&'a self, kept: &'a Kept) -> Caller<'a> {
        Caller { hosts: &self.hosts, kept }
    }
}

/// An account that calls.
struct Caller<'a> {
    hosts: &'a Hosts,
    kept: &'a Kept,
}

impl Caller<'_> {
    fn graph(&self, segments: &[&str]) -> Result<Url, NetworkError> {
        self.hosts.graph(self.kept.way, segments)
    }

    fn graph_query(&self, segments: &[&str], pairs: &[(&str, &str)]) -> Result<Url, NetworkError> {
        self.hosts.graph_query(self.kept.way, segments, pairs)
    }

    fn authorized(&self, request: Request) -> Request {
        request.bearer(self.kept.access_token.expose_secret())
    }
}

impl Conversation for Instagram {
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

    /// Tokens of Instagram's own login are exchanged for new ones while they are good. Those of a
    /// Page do not expire, and the same are given back.
    fn refresh(
        &self,
        _account: &Account,
        credentials: &Credentials,
        answers: &[Answer],
    ) -> Result<Turn<Credentials>, NetworkError> {
        connect::refresh(&self.hosts, &kept(credentials)?, credentials, answers)
    }

    fn authorize(
        &self,
        input: &AuthorizeInput,
        _answers: &[Answer],
    ) -> Result<Turn<Authorization>, NetworkError> {
        connect::authorize(&self.hosts, &self.apps, input).map(Turn::Done)
    }

    fn connect(
        &self,
        input: &ConnectInput,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Connected>>, NetworkError> {
        connect::connect(&self.hosts, &self.apps, input, answers)
    }
}

impl AfterConversation for Instagram {
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
        post: &LivePost,
        comment: &str,
        act: &CommentAct,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comment>>, NetworkError> {
        let kept = kept(&access.credentials)?;
        comments::act(&self.caller(&kept), access, post, comment, act, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        let kept = kept(&access.credentials)?;
        after::followers(&self.caller(&kept), access, answers)
    }

    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Mention>>, NetworkError> {
        let kept = kept(&access.credentials)?;
        after::mentions(&self.caller(&kept), access, query, answers)
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

#[cfg(test)]
mod testing;
