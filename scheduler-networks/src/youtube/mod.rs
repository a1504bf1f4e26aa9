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
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, PublishJob, Step,
};

use crate::conversation::{Answer, CallTimeout, Job, Protocol, Turn, TurnResult};
use crate::settings::{Client, NetworkSettings};
use api::Api;
use progress::{Extra, Progress};
use wire::Tokens;

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
        let NetworkSettings { api_base, api_version, client, scopes, .. } = settings;
        let scopes = scopes.unwrap_or_else(connect::usual_scopes);
        Self { api: Api::new(api_base, api_version), client, scopes }
    }
}

impl Protocol for YouTube {
    type Progress = Progress;
    type Credentials = Tokens;

    /// The visible request carries the last piece of the video, or a comment.
    fn call_timeout(&self, _job: &PublishJob, progress: Option<&Progress>) -> CallTimeout {
        let bytes = match progress {
            Some(Progress::Sending(_)) => publish::PIECE_BYTES,
            Some(Progress::Opening(_) | Progress::Following(_)) | None => 0,
        };
        CallTimeout { bytes, ..CallTimeout::USUAL }
    }

    fn advance(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Progress>> {
        match progress {
            Progress::Opening(opening) => publish::open(&self.api, job, opening, answers),
            Progress::Sending(upload) => publish::send(&self.api, job, *upload, answers),
            Progress::Following(following) => extras::advance(&self.api, job, following, answers),
        }
    }

    fn locate(
        &self,
        job: &Job<'_, Tokens>,
        progress: Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Progress>> {
        match progress {
            Progress::Sending(upload) => locate::locate(&self.api, job, *upload, answers),
            Progress::Following(following) => match following.extras.first().cloned() {
                Some(Extra::FirstComment(comment)) => {
                    first_comment::locate(&self.api, job, &following, comment, answers)
                }
                // A repeat changes nothing.
                Some(
                    Extra::Thumbnail
                    | Extra::Subtitles(_)
                    | Extra::Playlist(_)
                    | Extra::PaidPromotion
                    | Extra::Watch
                    | Extra::NotKept(_),
                )
                | None => Ok(Turn::Done(Located::Absent(Progress::Following(following)))),
            },
            Progress::Opening(_) => Ok(Turn::Done(Located::Absent(progress))),
        }
    }

    fn renews(&self, credentials: &Tokens) -> bool {
        credentials.oauth.refresh_token.is_some()
    }

    fn refresh(
        &self,
        _account: &Account,
        _stored: &Credentials,
        credentials: Tokens,
        answers: &[Answer],
    ) -> TurnResult<Credentials> {
        connect::refresh(&self.api, self.client.as_ref(), credentials, answers)
    }

    fn authorize(&self, input: &AuthorizeInput, _answers: &[Answer]) -> TurnResult<Authorization> {
        let page = |pairs: &[(&str, &str)]| self.api.authorization(pairs);
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
