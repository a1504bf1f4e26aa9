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
    Access, Authorization, AuthorizeInput, Comment, CommentAct, Comments, ConnectInput, Connected,
    Figures, LivePost, Located, Mention, NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;

use crate::conversation::{
    AfterConversation, Answer, ApiVersion, Conversation, Part, Patience, Turn,
};
use crate::registry::{Client, NetworkSettings};
use api::Api;
use progress::{Progress, Stage};
use wire::Kept;

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
        let NetworkSettings { api_base, api_version, client, scopes } = settings;
        let scopes = scopes.unwrap_or_else(|| connect::SCOPES.map(str::to_owned).to_vec());
        Self { api: Api::new(api_base, api_version), client, scopes }
    }
}

impl Conversation for LinkedIn {
    fn api_version(&self) -> Option<ApiVersion> {
        Some(self.api.version())
    }

    fn sends_files(&self) -> bool {
        true
    }

    /// Files are there before the visible request, which is small.
    fn patience(&self, _job: &PublishJob, _progress: &Value) -> Patience {
        Patience::USUAL
    }

    fn begin(&self, job: &PublishJob) -> Value {
        self.api.warn_when_old(job.now);
        Progress::begin(job).to_value()
    }

    fn is_visible(&self, progress: &Value) -> bool {
        Progress::read(progress).is_none_or(|progress| progress.is_visible())
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        match Progress::read(progress)?.stage {
            Stage::Comment(comment) => Some(comment.remote),
            Stage::Post(_) => None,
        }
    }

    fn skip(&self, _progress: &Value) -> Option<Value> {
        // The first comment is all that ever follows a post.
        None
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
        match progress.stage.clone() {
            Stage::Post(post) if !post.is_ready() => {
                files::advance(&self.api, &kept, job, progress, post, answers)
            }
            Stage::Post(post) => publish::advance(&self.api, &kept, job, progress, post, answers),
            Stage::Comment(comment) => {
                first_comment::advance(&self.api, &kept, job, progress, comment, answers)
            }
        }
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
        match progress.stage.clone() {
            Stage::Post(post) => locate::post(&self.api, &kept, job, progress, post, answers),
            Stage::Comment(comment) => {
                first_comment::locate(&self.api, &kept, job, progress, comment, answers)
            }
        }
    }

    fn refresh(
        &self,
        _account: &Account,
        credentials: &Credentials,
        answers: &[Answer],
    ) -> Result<Turn<Credentials>, NetworkError> {
        connect::refresh(&self.api, self.client.as_ref(), kept(credentials)?, answers)
    }

    fn authorize(
        &self,
        input: &AuthorizeInput,
        _answers: &[Answer],
    ) -> Result<Turn<Authorization>, NetworkError> {
        connect::authorize(&self.api, self.client.as_ref(), &self.scopes, input)
    }

    fn connect(
        &self,
        input: &ConnectInput,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Connected>>, NetworkError> {
        connect::connect(&self.api, self.client.as_ref(), input, answers)
    }
}

impl AfterConversation for LinkedIn {
    fn take_down(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::take_down(&self.api, &kept(&access.credentials)?, access, post, answers)
    }

    fn figures_at_once(&self) -> usize {
        figures::AT_ONCE
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
        figures::figures(&self.api, &kept(&access.credentials)?, access, posts, answers)
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comments>>, NetworkError> {
        comments::comments(&self.api, &kept(&access.credentials)?, access, post, answers)
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
        comments::act(&self.api, &kept, access, post, comment, act, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        after::followers(&self.api, &kept(&access.credentials)?, access, answers)
    }

    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Mention>>, NetworkError> {
        after::mentions(&self.api, &kept(&access.credentials)?, access, query, answers)
    }
}

fn kept(credentials: &Credentials) -> Result<Kept, NetworkError> {
    Kept::read(credentials.expose()).ok_or_else(|| {
        NetworkError::new(
            NetworkErrorKind::Reconnect,
            "What is stored of the account cannot be read. Connect it again.",
        )
    })
}

#[cfg(test)]
mod testing;

#[cfg(test)]
#[path = "crash_tests.rs"]
mod crash_tests;
