//! Bluesky, and every other server that speaks atproto.
//!
//! An account lives on a server of its own (its PDS), which all calls go to. A post is a record
//! under a key that we choose from the job alone; it is put only where nothing is, and a repeat of
//! the same record changes nothing. So a publish can be repeated as often as needed.
//!
//! Source: <https://atproto.com/specs/xrpc> and the lexicons named in `wire`.

mod act;
mod after;
mod caller;
mod comments;
mod connect;
mod errors;
mod files;
mod hide;
mod progress;
mod publish;
mod record;
mod reply;
mod richtext;
#[cfg(test)]
mod testing;
mod tid;
mod upload;
mod video;
mod views;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, Comment, CommentAct, Comments, ConnectInput, Connected, Figures, LivePost, Located,
    Mention, NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;
use url::Url;

use crate::conversation::{AfterConversation, Answer, Conversation, Part, Patience, Turn};
use crate::endpoint::Endpoint;
use caller::Caller;
use progress::Progress;
use wire::Tokens;

/// The conversations of Bluesky.
#[derive(Clone, Debug, Default)]
pub struct Bluesky {
    api_base: Option<Endpoint>,
}

impl Bluesky {
    /// Conversations with the server of each account, or all with the one at `api_base`, which is
    /// then trusted to know who is who.
    #[must_use]
    pub fn new(api_base: Option<Url>) -> Self {
        Self { api_base: api_base.map(Endpoint::new) }
    }

    /// The server of an account.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when none is known.
    fn server(&self, account: &Account) -> Result<Endpoint, NetworkError> {
        if let Some(base) = &self.api_base {
            return Ok(base.clone());
        }
        let known = account.server_url.as_deref().and_then(|url| Url::parse(url).ok());
        known.map(Endpoint::new).ok_or_else(unreadable_account)
    }

    /// The servers of an account's publish. Where all accounts have one server, it takes videos
    /// as well.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when none is known.
    fn servers(&self, account: &Account) -> Result<Servers, NetworkError> {
        let video = match &self.api_base {
            Some(base) => base.clone(),
            None => Endpoint::new(Url::parse(VIDEO_SERVICE).map_err(|_| unreadable_account())?),
        };
        Ok(Servers { account: self.server(account)?, video })
    }

    /// Who speaks for an account whose posts are live.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when its server or its tokens are not known.
    fn caller<'a>(&self, access: &'a Access) -> Result<Caller<'a>, NetworkError> {
        let token = tokens(&access.credentials)?.access_jwt;
        Ok(Caller { access, server: self.server(&access.account)?, token })
    }
}

/// The service that takes videos.
///
/// Source: <https://docs.bsky.app/docs/tutorials/video>.
const VIDEO_SERVICE: &str = "https://video.bsky.app";

/// Whom a publish speaks to.
struct Servers {
    /// The account's own server.
    account: Endpoint,
    /// The service that takes videos.
    video: Endpoint,
}

impl AfterConversation for Bluesky {
    fn take_down(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::take_down(&self.caller(access)?, post, answers)
    }

    fn figures_at_once(&self) -> usize {
        after::FIGURES_AT_ONCE
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
        after::figures(&self.caller(access)?, posts, answers)
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comments>>, NetworkError> {
        comments::comments(&self.caller(access)?, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        post: &LivePost,
        comment: &str,
        act: &CommentAct,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comment>>, NetworkError> {
        act::act(&self.caller(access)?, post, comment, act, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        after::followers(&self.caller(access)?, answers)
    }

    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Mention>>, NetworkError> {
        after::mentions(&self.caller(access)?, query, answers)
    }
}

impl Conversation for Bluesky {
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
        Progress::read(progress).is_none_or(|progress| progress.is_ready())
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        Progress::read(progress)?.live()
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
        publish::advance(&self.servers(&job.account)?, job, progress, answers)
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
        publish::locate(&self.server(&job.account)?, job, progress, answers)
    }

    fn refresh(
        &self,
        account: &Account,
        credentials: &Credentials,
        answers: &[Answer],
    ) -> Result<Turn<Credentials>, NetworkError> {
        connect::refresh(&self.server(account)?, account, &tokens(credentials)?, answers)
    }

    fn connect(
        &self,
        input: &ConnectInput,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Connected>>, NetworkError> {
        connect::connect(self.api_base.as_ref(), input, answers)
    }
}

fn tokens(credentials: &Credentials) -> Result<Tokens, NetworkError> {
    serde_json::from_str(credentials.expose()).map_err(|_| unreadable_account())
}

fn unreadable_account() -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::Reconnect,
        "What is stored of the account cannot be read. Connect it again.",
    )
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod files_tests;
