//! The comment that follows a video.
//!
//! Nothing tells a repeat of a comment: after a lost answer the comments of the video are looked
//! through.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/commentThreads/insert>.

use chrono::TimeDelta;
use scheduler_core::ports::{Live, Located, Step};
use scheduler_core::target::Remote;
use serde_json::json;

use super::api::Api;
use super::errors::{failure, missing, unreadable, unreadable_success};
use super::progress::{Extra, FirstComment, Following, Progress};
use super::wire::{Items, Made, Thread, Tokens};
use crate::candidates::Pick;
use crate::conversation::{Answer, Job, Turn, TurnResult};
use crate::likeness::{Among, CLOCK_DOUBT, Likeness};

/// How long after a look that found nothing another one settles it. Our decision.
const LOOK_AGAIN: TimeDelta = TimeDelta::seconds(10);

/// Comments of one page, the most that there can be.
///
/// Source: <https://developers.google.com/youtube/v3/docs/commentThreads/list>.
const PAGE: usize = 100;

const WHAT: &str = "The first comment could not be made";

/// The next turn of making the comment: the instant before the call is stored first.
pub(super) fn advance(
    api: &Api,
    job: &Job<'_, Tokens>,
    following: &Following,
    comment: FirstComment,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    if comment.not_sent_before.is_none() {
        let comment = FirstComment { not_sent_before: Some(job.now), ..comment };
        return Ok(Turn::Done(Step::Next(with(following, comment))));
    }
    let Some(answer) = answers.first() else {
        let body = json!({ "snippet": {
            "videoId": following.remote.id,
            "topLevelComment": { "snippet": { "textOriginal": comment.text } },
        } });
        let pairs = [("part", "snippet")];
        let request = api.act(&job.credentials.access_token, "commentThreads", &pairs, body);
        return Ok(Turn::Send(request.visible()));
    };
    let made: Made =
        answer.taken(|| missing(WHAT, failure(answer, true, Some(job.now))), unreadable_success)?;
    Ok(Turn::Done(Step::Live(live(following, &made.id))))
}

/// The next turn of a look whether the comment was made: of the channel's own below the video,
/// by letters and digits of their text. Several that are the same, one of another spelling, one of
/// up to 15 minutes before, and a page that does not reach back so far, are in doubt.
pub(super) fn locate(
    api: &Api,
    job: &Job<'_, Tokens>,
    following: &Following,
    comment: FirstComment,
    answers: &[Answer],
) -> TurnResult<Located<Progress>> {
    let Some(since) = comment.not_sent_before else {
        let progress = Progress::Following(following.clone());
        return Ok(Turn::Done(Located::Absent(progress)));
    };
    if let Some(until) = comment.look_again_at.filter(|at| job.now < *at) {
        return Ok(Turn::Done(Located::Wait { progress: with(following, comment), until }));
    }
    let page = PAGE.to_string();
    let Some(answer) = answers.first() else {
        let pairs = [
            ("part", "snippet"),
            ("videoId", following.remote.id.as_str()),
            ("order", "time"),
            ("maxResults", page.as_str()),
            ("textFormat", "plainText"),
        ];
        return Ok(Turn::Send(api.read(&job.credentials.access_token, "commentThreads", &pairs)));
    };
    let threads: Items<Thread> =
        answer.taken(|| missing(WHAT, failure(answer, false, Some(job.now))), unreadable)?;
    let mut is_complete = threads.items.len() < PAGE;
    let mut among = Among::new();
    for listed in threads.items.into_iter().map(|thread| thread.snippet.top_level_comment) {
        let snippet = &listed.snippet;
        let at = snippet.published_at.unwrap_or(job.now);
        is_complete |= at < since - CLOCK_DOUBT;
        if snippet.is_by(&job.account.network_id) {
            let exact = |text: &str| text.trim().to_owned();
            let likeness = Likeness::of_texts(&comment.text, snippet.text(), exact);
            among.add(likeness.made_at(at, since), listed.id);
        }
    }
    match among.pick(is_complete) {
        Pick::One(id) => return Ok(Turn::Done(Located::Live(live(following, &id)))),
        Pick::Unclear => return Ok(Turn::Done(Located::Unknown)),
        Pick::Nothing => {}
    }
    Ok(Turn::Done(match comment.look_again_at {
        None => {
            let until = job.now + LOOK_AGAIN;
            let comment = FirstComment { look_again_at: Some(until), ..comment };
            Located::Wait { progress: with(following, comment), until }
        }
        Some(_) => {
            let comment = FirstComment { look_again_at: None, not_sent_before: None, ..comment };
            Located::Absent(with(following, comment))
        }
    }))
}

fn with(following: &Following, comment: FirstComment) -> Progress {
    Progress::Following(following.with_first(Extra::FirstComment(comment)))
}

/// The video with its comment, and what is left to do.
fn live(following: &Following, id: &str) -> Live<Progress> {
    let remote = Remote { record: json!({ "firstComment": id }), ..following.remote.clone() };
    let following = Following { remote: remote.clone(), ..following.without_first() };
    Live { remote: Some(remote), then: following.progress() }
}

#[cfg(test)]
#[path = "first_comment_tests.rs"]
mod tests;
