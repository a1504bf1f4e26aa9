//! Looking for a part among the account's own posts.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, PublishJob};

use super::api::Api;
use super::errors::{Fault, failure, unreadable};
use super::progress::Progress;
use super::text::{as_shown, plain};
use super::wire::{Kept, ListedPost, Page};
use crate::conversation::{Answer, Request, Turn};

/// Posts of one page, the most that there can be.
///
/// Source: <https://docs.x.com/x-api/users/get-posts>.
const PAGE: &str = "100";

/// Pages that are looked through. An account that has posted more since is not followed further.
const PAGES_MAX: usize = 5;

/// How far X's clock may be behind ours.
const CLOCK_SLACK: TimeDelta = TimeDelta::seconds(60);

/// The parameter that names the members of posts that are asked for: its name in the interface's
/// own description, and the one that guides and older servers have.
///
/// Source: <https://api.x.com/2/openapi.json> and
/// <https://docs.x.com/x-api/fundamentals/data-dictionary>.
pub(super) const FIELDS: [&str; 2] = ["post.fields", "tweet.fields"];

/// What a look has shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The part, by its id.
    Post(String),
    /// None of the account's posts is it.
    Nothing,
    /// X does not show enough to tell.
    Unclear,
}

/// The next turn of a look for the next part: the account's posts since it can have been sent.
/// Where X does not let the account read them, for want of credits or of a permission, that is
/// unclear.
///
/// Source: <https://docs.x.com/x-api/users/get-posts>.
pub(super) fn look(
    api: &Api,
    kept: &Kept,
    job: &PublishJob,
    progress: &Progress,
    answers: &[Answer],
) -> Result<Turn<Found>, NetworkError> {
    let since = progress.not_sent_before - CLOCK_SLACK;
    let mut answers = answers.iter();
    let mut fields = FIELDS.into_iter();
    let Some(mut name) = fields.next() else { return Ok(Turn::Done(Found::Unclear)) };
    let mut next: Option<String> = None;
    let mut pages = 0;
    while pages < PAGES_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(page(api, kept, job, name, since, next.as_deref())));
        };
        if matches!(answer.status, 402 | 403) && Fault::of(answer).is_some() {
            return Ok(Turn::Done(Found::Unclear));
        }
        let listed: Option<Page<ListedPost>> = answer.is_success().then(|| answer.json()).flatten();
        // A server that passes over the parameter gives posts without what was asked for.
        let is_told = listed.as_ref().map_or(answer.status != 400, |listed| {
            listed.data.is_empty() || listed.data.iter().any(|post| post.created_at.is_some())
        });
        if !is_told && let Some(older) = fields.next() {
            name = older;
            continue;
        }
        if !answer.is_success() {
            return Err(failure(answer, false, Some(job.now)));
        }
        let listed = listed.ok_or_else(unreadable)?;
        if !is_told {
            return Ok(Turn::Done(Found::Unclear));
        }
        if let Some(found) = listed.data.iter().find(|post| is_it(progress, since, post)) {
            return Ok(Turn::Done(Found::Post(found.id.clone())));
        }
        next = listed.meta.next_token;
        if next.is_none() {
            return Ok(Turn::Done(Found::Nothing));
        }
        pages += 1;
    }
    Ok(Turn::Done(Found::Unclear))
}

fn is_it(progress: &Progress, since: DateTime<Utc>, post: &ListedPost) -> bool {
    post.created_at.is_none_or(|at| at >= since)
        && !progress.parts.contains(&post.id)
        && post.parent() == progress.parent()
        && as_shown(&post.text, &post.entities.urls) == plain(progress.text())
}

fn page(
    api: &Api,
    kept: &Kept,
    job: &PublishJob,
    fields: &str,
    since: DateTime<Utc>,
    next: Option<&str>,
) -> Request {
    let since = since.to_rfc3339_opts(SecondsFormat::Secs, true);
    let mut query = vec![
        ("max_results", PAGE),
        ("exclude", "retweets"),
        ("start_time", since.as_str()),
        (fields, "created_at,entities,referenced_tweets"),
    ];
    query.extend(next.map(|next| ("pagination_token", next)));
    api.read(&kept.access_token, &["users", &job.account.network_id, "tweets"], &query)
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
