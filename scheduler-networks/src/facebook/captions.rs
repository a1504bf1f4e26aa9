//! The captions of a video. They are added once the video is live; a repeat takes the place of the
//! same language.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/video/captions/>.

use scheduler_core::ports::{Live, NetworkError, PublishJob, Step};
use scheduler_core::target::Remote;
use scheduler_core::text::subtitles::{Form, locale, written};

use super::caller::{Caller, followed};
use super::extras::tracks;
use super::progress::Progress;
use crate::conversation::{
    Answer, Body, FormPart, PartContent, Request, StoredProgress, Turn, TurnResult,
};

/// The next turn of adding the captions of one language.
pub(super) fn advance(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    remote: Remote,
    at: usize,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let text = |name: &str| tracks(job).get(at).and_then(|track| track.get(name)?.as_str());
    let language = text("language").unwrap_or_default();
    let what = format!("The subtitles in {language} could not be added");
    let Some(answer) = answers.first() else {
        let locale = locale(language).ok_or_else(|| {
            NetworkError::permanent("Their language names no country.").of_follow_up(&what)
        })?;
        let content = text("content").unwrap_or_default();
        let file = PartContent::Bytes {
            // The network reads the language from the name.
            file_name: format!("captions.{locale}.srt"),
            media_type: "application/x-subrip",
            bytes: written(content, Form::Srt).into_bytes(),
        };
        let mut parts = vec![FormPart { name: "captions_file".to_owned(), content: file }];
        if at == 0 {
            parts.push(FormPart::text("default_locale", locale));
        }
        let video = progress.video().ok_or_else(Progress::unreadable)?;
        let url = caller.graph(&[video, "captions"])?;
        return Ok(Turn::Send(caller.authorized(Request::act(url, Body::Multipart(parts)))));
    };
    followed(answer, job, "take the subtitles").map_err(|error| error.of_follow_up(&what))?;
    Ok(Turn::Done(Step::Live(Live { remote: None, then: progress.captions(remote, at + 1) })))
}
