//! The picture that a video is shown by until it plays. It is set once the video is live, and can
//! be set any number of times.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/video/thumbnails/>.

use scheduler_core::ports::{Live, NetworkError, PublishJob, Step};
use scheduler_core::target::Remote;

use super::caller::{Caller, followed};
use super::progress::Progress;
use crate::conversation::{
    Answer, Body, FileBody, FormPart, Request, StoredProgress, Turn, TurnResult,
};

const WHAT: &str = "The cover could not be set";

/// The next turn of setting the picture.
pub(super) fn advance(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    remote: Remote,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Some(answer) = answers.first() else {
        let cover = job.thumbnail.as_ref().filter(|file| Some(file.id) == progress.extras.cover);
        let Some(cover) = cover else {
            let message = "The file of the cover is not part of the post any more.";
            return Err(NetworkError::permanent(message).of_follow_up(WHAT));
        };
        let video = progress.video().ok_or_else(Progress::unreadable)?;
        let parts = vec![
            FormPart::text("is_preferred", "true"),
            FormPart::file("source", "cover", FileBody::of(cover)),
        ];
        let url = caller.graph(&[video, "thumbnails"])?;
        return Ok(Turn::Send(caller.authorized(Request::act(url, Body::Multipart(parts)))));
    };
    followed(answer, job, "take the cover").map_err(|error| error.of_follow_up(WHAT))?;
    Ok(Turn::Done(Step::Live(Live { remote: None, then: progress.captions(remote, 0) })))
}

#[cfg(test)]
#[path = "cover_tests.rs"]
mod tests;
