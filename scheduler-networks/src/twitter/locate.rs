//! Looking for a part among the account's own posts.
//!
//! | criterion | guaranteed by | excludes or chooses |
//! |---|---|---|
//! | author | X, whose list it is | excludes |
//! | the post that it answers | X, where it tells it | excludes |
//! | the keys of its files, where it has any | X | excludes and chooses |
//! | the ids of the parts before | X | excludes |
//! | letters and digits of the text, without links | X, which shortens links and escapes signs | excludes, unless edited |
//! | the rest of the text | nobody | chooses |
//! | made after the call began | clocks within 15 minutes | excludes; more than 60 s before is in doubt |
//! | 500 posts since | nobody | beyond is in doubt |
//!
//! Several that are the same are in doubt. X refuses the same text twice, so that is rare.

use chrono::SecondsFormat;

use super::api::Api;
use super::errors::{Fault, failure, unreadable};
use super::files::File;
use super::progress::Progress;
use super::text::{as_shown, plain};
use super::wire::{ListedPost, Page};
use crate::candidates::Pick;
use crate::conversation::{Answer, Job, Request, Turn, TurnResult};
use crate::likeness::{Among, CLOCK_DOUBT, Likeness};
use crate::oauth_tokens::Tokens;

/// Posts of one page, the most that there can be.
///
/// Source: <https://docs.x.com/x-api/users/get-posts>.
const PAGE: &str = "100";

/// Pages that are looked through. An account that has posted more since is not followed further.
const PAGES_MAX: usize = 5;

/// The ways in which what is told of posts is asked for, and whether the post that one answers is
/// among it for certain: by the names that guides have, and by those of the interface's own
/// description, which offers the answered post as an expansion.
///
/// Source: <https://docs.x.com/x-api/users/get-posts> and <https://api.x.com/2/openapi.json>.
const WAYS: [(&[(&str, &str)], bool); 2] = [
    (&[("tweet.fields", "created_at,entities,referenced_tweets")], true),
    (&[("post.fields", "created_at,entities"), ("expansions", "referenced_posts")], false),
];

/// Fewest characters that are left of a text that was cut; half of what everybody may write.
const CUT_LEAST: usize = 140;

/// What is asked for besides, where the part has files: their keys.
const OF_FILES: &str = ",attachments";

/// The parameter of figures that names the members of posts that are asked for: its name in the
/// interface's own description, and the one that guides and older servers have.
///
/// Source: <https://api.x.com/2/openapi.json> and
/// <https://docs.x.com/x-api/fundamentals/data-dictionary>.
pub(super) const FIELDS: [&str; 2] = ["post.fields", "tweet.fields"];

/// The next turn of a look for the next part: the account's posts since it can have been sent.
/// Where X does not let the account read them, for want of credits or of a permission, that is
/// unclear.
///
/// Source: <https://docs.x.com/x-api/users/get-posts>.
pub(super) fn look(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    answers: &[Answer],
) -> TurnResult<Pick<String>> {
    let mut answers = answers.iter();
    let mut ways = WAYS.into_iter();
    let Some(mut way) = ways.next() else { return Ok(Turn::Done(Pick::Unclear)) };
    let mut among = Among::new();
    let mut is_complete = false;
    let mut next: Option<String> = None;
    let mut pages = 0;
    while pages < PAGES_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(page(api, job, progress, way.0, next.as_deref())));
        };
        if matches!(answer.status, 402 | 403) && Fault::of(answer).is_some() {
            return Ok(Turn::Done(Pick::Unclear));
        }
        let listed: Option<Page<ListedPost>> = answer.is_success().then(|| answer.json()).flatten();
        // A server that passes over the parameter gives posts without what was asked for.
        let is_told = listed.as_ref().map_or(answer.status != 400, |listed| {
            listed.data.is_empty() || listed.data.iter().any(|post| post.created_at.is_some())
        });
        if !is_told && let Some(other) = ways.next() {
            way = other;
            continue;
        }
        if !answer.is_success() {
            return Err(failure(answer, false, Some(job.now)));
        }
        let listed = listed.ok_or_else(unreadable)?;
        if !is_told {
            return Ok(Turn::Done(Pick::Unclear));
        }
        for post in &listed.data {
            among.add(likeness(progress, post, way.1), post.id.clone());
        }
        next = listed.meta.next_token;
        if next.is_none() {
            is_complete = true;
            break;
        }
        pages += 1;
    }
    Ok(Turn::Done(among.pick(is_complete)))
}

fn likeness(progress: &Progress, post: &ListedPost, tells_parent: bool) -> Likeness {
    let (wanted, parent) = (progress.parent(), post.parent());
    let is_elsewhere = parent != wanted && (parent.is_some() || tells_parent);
    // An edit gives a post another id.
    let is_known = |id: &String| progress.parts.contains(id);
    if is_elsewhere || is_known(&post.id) || post.versions.iter().any(is_known) {
        return Likeness::Other;
    }
    let mut keys = progress.files_of_part().filter_map(File::key).peekable();
    let likeness = if keys.peek().is_some() {
        // No other upload has the same key, whatever the text has become.
        let is_shown = |key: &str| post.attachments.media_keys.iter().any(|shown| shown == key);
        if keys.any(is_shown) { Likeness::Same } else { Likeness::Other }
    } else {
        let shown = as_shown(&post.text, &post.entities.urls);
        match beginning(progress.text(), &shown) {
            Some((sent, shown)) => Likeness::of_texts(sent, shown, plain),
            None => Likeness::of_texts(progress.text(), &shown, plain),
        }
    };
    let likeness = likeness.unless(parent != wanted);
    let made_at = post.created_at.unwrap_or(progress.not_sent_before);
    likeness.edited(post.versions.len() > 1).made_at(made_at, progress.not_sent_before)
}

/// The beginnings of a long text, as it was sent and as it is shown: X cuts what is longer than
/// usual, and sets an ellipsis and often a link to the whole behind it. `None` where nothing was cut.
///
/// Source: <https://docs.x.com/x-api/fundamentals/data-dictionary>, `note_tweet`.
fn beginning<'a>(sent: &'a str, shown: &'a str) -> Option<(&'a str, &'a str)> {
    let (shown, _) = shown.rsplit_once('…').filter(|(_, rest)| !rest.trim().contains(' '))?;
    let shown = shown.trim_end();
    let length = shown.chars().count();
    let (end, _) = sent.char_indices().nth(length)?;
    (length >= CUT_LEAST).then_some((&sent[..end], shown))
}

fn page(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: &Progress,
    way: &[(&'static str, &'static str)],
    next: Option<&str>,
) -> Request {
    let since = progress.not_sent_before - CLOCK_DOUBT;
    let since = since.to_rfc3339_opts(SecondsFormat::Secs, true);
    let mut query =
        vec![("max_results", PAGE), ("exclude", "retweets"), ("start_time", since.as_str())];
    let has_files = progress.has_files();
    let fields: Vec<(&str, String)> = way
        .iter()
        .map(|(name, value)| {
            let more = if has_files && name.ends_with(".fields") { OF_FILES } else { "" };
            (*name, format!("{value}{more}"))
        })
        .collect();
    query.extend(fields.iter().map(|(name, value)| (*name, value.as_str())));
    query.extend(next.map(|next| ("pagination_token", next)));
    api.read(&job.credentials.access_token, &["users", &job.account.network_id, "tweets"], &query)
}

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
