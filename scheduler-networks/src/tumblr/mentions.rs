//! Looking up the blogs that a text names, so that the names are mentions and not only text.
//!
//! Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Text Block Inline Formatting", and
//! `api.md`, "Retrieve Blog Info".

use scheduler_core::ports::Step;

use super::api::Api;
use super::content::mentioned_names;
use super::errors::failure;
use super::progress::{Mentioned, Progress};
use super::wire::{BlogAnswer, Enveloped};
use crate::conversation::{Answer, Job, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// The next turn of looking up every name, one call for each. A name that nobody has stays text.
pub(super) fn look_up(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let mut answers = answers.iter();
    let mut mentioned = Vec::new();
    for written in mentioned_names(job) {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(api.read(
                &job.credentials.access_token,
                &["blog", &written, "info"],
                &[],
            )));
        };
        if matches!(answer.status, 401 | 408 | 429 | 500..) {
            return Err(failure(answer, false, Some(job.now)));
        }
        let found: Option<Enveloped<BlogAnswer>> =
            answer.is_success().then(|| answer.json()).flatten();
        let Some(blog) = found.map(|found| found.response.blog) else { continue };
        if let (Some(uuid), Some(url)) = (blog.uuid, blog.url) {
            mentioned.push(Mentioned { written, name: blog.name, uuid, url });
        }
    }
    let progress = Progress { mentioned, ..progress }.prepared(job, job.now);
    Ok(Turn::Done(Step::Next(progress)))
}
