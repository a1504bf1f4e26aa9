//! YouTube.
//!
//! A post is one video. Its bytes go to a session that knows how many of them it has, and that
//! keeps naming the video once it is there, so a session is never given the same video twice. What
//! follows (thumbnail, subtitles, playlist, first comment, a look whether YouTube keeps the video)
//! never makes the post anything else than live.
//!
//! Source: <https://developers.google.com/youtube/v3/docs>.

mod after;
mod api;
mod comments;
mod connect;
mod errors;
mod extras;
mod first_comment;
mod insights;
mod locate;
mod playlists;
mod progress;
mod publish;
mod video;
mod watch;
mod wire;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, Comment, CommentAct, Comments, ConnectInput, Connected,
    Figures, Insights, LivePost, Located, NetworkError, NetworkErrorKind, NewPlaylist, Playlist,
    PlaylistPrivacy, PublishJob, RemoteEdit, Step,
};
use scheduler_core::target::Remote;
use serde_json::Value;

use crate::conversation::{AfterConversation, Answer, Conversation, Part, Patience, Turn};
use crate::registry::{Client, NetworkSettings};
use api::Api;
use progress::{Extra, Progress};
use wire::Kept;

/// The conversations of YouTube.
#[derive(Clone, Debug)]
pub struct YouTube {
    api: Api,
    client: Option<Client>,
    scopes: Vec<String>,
}

impl YouTube {
    /// Conversations by an operator's choices: the address of everything, the version of the
    /// interface, the application, and the permissions that are asked for.
    #[must_use]
    pub fn new(settings: NetworkSettings) -> Self {
        let NetworkSettings { api_base, api_version, client, scopes } = settings;
        let scopes = scopes.unwrap_or_else(connect::usual_scopes);
        Self { api: Api::new(api_base, api_version), client, scopes }
    }
}

impl Conversation for YouTube {
    fn sends_files(&self) -> bool {
        true
    }

    /// The visible request carries the last piece of the video, or a comment.
    fn patience(&self, _job: &PublishJob, progress: &Value) -> Patience {
        let bytes = match Progress::read(progress) {
            Some(Progress::Sending(_)) => publish::PIECE_BYTES,
            Some(Progress::Opening(_) | Progress::Following(_)) | None => 0,
        };
        Patience { bytes, ..Patience::USUAL }
    }

    fn begin(&self, job: &PublishJob) -> Value {
        Progress::begin(job).to_value()
    }

    fn is_visible(&self, progress: &Value) -> bool {
        Progress::read(progress).is_none_or(|progress| progress.is_visible())
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        match Progress::read(progress)? {
            Progress::Following(following) => Some(following.remote),
            Progress::Opening(_) | Progress::Sending(_) => None,
        }
    }

    fn skip(&self, progress: &Value) -> Option<Value> {
        match Progress::read(progress)? {
            Progress::Following(following) => extras::skip(&following),
            Progress::Opening(_) | Progress::Sending(_) => None,
        }
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
        match progress {
            Progress::Opening(opening) => publish::open(&self.api, &kept, job, opening, answers),
            Progress::Sending(upload) => publish::send(&self.api, &kept, job, *upload, answers),
            Progress::Following(following) => {
                extras::advance(&self.api, &kept, job, following, answers)
            }
        }
    }

    fn locate(
        &self,
        job: &PublishJob,
        progress: &Value,
        answers: &[Answer],
    ) -> Result<Turn<Located>, NetworkError> {
        let stored = progress;
        let Some(progress) = Progress::read(progress) else {
            return Ok(Turn::Done(Located::Unknown));
        };
        let kept = kept(&job.credentials)?;
        match progress {
            Progress::Sending(upload) => locate::locate(&self.api, &kept, job, *upload, answers),
            Progress::Following(following) => match following.extras.first().cloned() {
                Some(Extra::FirstComment(comment)) => {
                    first_comment::locate(&self.api, &kept, job, &following, comment, answers)
                }
                // A repeat changes nothing.
                Some(
                    Extra::Thumbnail
                    | Extra::Subtitles(_)
                    | Extra::Playlist(_)
                    | Extra::Watch
                    | Extra::NotKept(_),
                )
                | None => Ok(Turn::Done(Located::Absent(stored.clone()))),
            },
            Progress::Opening(_) => Ok(Turn::Done(Located::Absent(stored.clone()))),
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

impl AfterConversation for YouTube {
    fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::edit(&self.api, &kept(&access.credentials)?, access, post, edit, answers)
    }

    fn take_down(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<()>, NetworkError> {
        after::take_down(&self.api, &kept(&access.credentials)?, access, post, answers)
    }

    fn figures_at_once(&self) -> usize {
        after::AT_ONCE
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> Result<Turn<Vec<Option<Figures>>>, NetworkError> {
        after::figures(&self.api, &kept(&access.credentials)?, access, posts, answers)
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
        _post: &LivePost,
        comment: &str,
        act: &CommentAct,
        answers: &[Answer],
    ) -> Result<Turn<Option<Comment>>, NetworkError> {
        let kept = kept(&access.credentials)?;
        comments::act(&self.api, &kept, access, comment, act, answers)
    }

    fn insights(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> Result<Turn<Option<Insights>>, NetworkError> {
        insights::insights(&self.api, &kept(&access.credentials)?, access, post, answers)
    }

    fn followers(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Option<u64>>, NetworkError> {
        after::followers(&self.api, &kept(&access.credentials)?, access, answers)
    }

    fn playlists(
        &self,
        access: &Access,
        answers: &[Answer],
    ) -> Result<Turn<Vec<Playlist>>, NetworkError> {
        playlists::list(&self.api, &kept(&access.credentials)?, access, answers)
    }

    fn create_playlist(
        &self,
        access: &Access,
        title: &str,
        privacy: PlaylistPrivacy,
        answers: &[Answer],
    ) -> Result<Turn<NewPlaylist>, NetworkError> {
        let kept = kept(&access.credentials)?;
        playlists::create(&self.api, &kept, access, title, privacy, answers)
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
