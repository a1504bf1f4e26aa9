//! Pictures: each is given to the network unpublished, which nobody sees, so that it may be given
//! twice.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/photos/>, v26.0.

use scheduler_core::ports::{PublishJob, Step};

use super::caller::{Caller, refused};
use super::errors::unreadable;
use super::progress::{Mark, Progress, Stage};
use super::wire::Created;
use crate::conversation::{
    Answer, Body, FileBody, FormPart, Request, StoredProgress, Turn, TurnResult,
};

/// The next turn of giving the network the next picture.
pub(super) fn advance(
    caller: &Caller<'_>,
    job: &PublishJob,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    progress.check(job)?;
    let Some(at) = progress.photos.iter().position(|photo| photo.staged.is_none()) else {
        let mark = Mark { not_sent_before: Some(job.now), ..Mark::default() };
        return Ok(Turn::Done(Step::Next(progress.at(Stage::Feed(mark)))));
    };
    let photo = progress.photos.get(at).ok_or_else(Progress::unreadable)?;
    let Some(answer) = answers.first() else {
        let mut parts = vec![FormPart::text("published", "false")];
        parts.extend(photo.alt_text.clone().map(|text| FormPart::text("alt_text_custom", text)));
        let file = FileBody::of(job.file(photo.file)?);
        parts.push(FormPart::file("source", "photo", file));
        let url = caller.graph(&[&progress.page, "photos"])?;
        return Ok(Turn::Send(caller.authorized(Request::act(url, Body::Multipart(parts)))));
    };
    let Created { id } = answer.taken(|| refused(answer, false, job), || unreadable(false))?;
    Ok(Turn::Done(Step::Next(progress.stages(at, id, job.now))))
}
