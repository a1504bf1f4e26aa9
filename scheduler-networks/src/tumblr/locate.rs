//! Looking for a post among the blog's own, when its id is not known or has changed.
//!
//! | Criterion | Guaranteed by | Excludes or chooses |
//! |---|---|---|
//! | the draft | the network: it is published once and is gone then | decides whether the post is out |
//! | blog | the list, which holds the blog's own posts | excludes |
//! | the id that a post had before | the network, where it names one | excludes posts that name another |
//! | time | nothing but clocks | as [`candidates`](crate::candidates) says |
//! | text | nothing: people edit it | excludes all the same where it says something else, and chooses; see [`candidates`](crate::candidates) |
//! | the post that it reblogs | the network, where it names one | excludes posts that reblog another or none |
//! | number of pictures and videos | nothing | another number is unclear |
//! | tags | nothing: they are cut and written anew | choose |
//! | end of the list | nothing: a pinned post comes first | a list that was not read far enough back is unclear |
//!
//! What is unclear is in doubt and never sent again. A draft is taken over only where all of it is
//! the same, since nobody sees one that is made twice.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Retrieve Published Posts" (on
//! `genesis_post_id`) and "Retrieve Draft Posts".

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use scheduler_core::ports::{NetworkError, PublishJob};
use scheduler_core::target::Remote;

use super::api::Api;
use super::content::{Summary, content, is_private, tag_set, tags};
use super::errors::{blog_failure, unreadable};
use super::progress::Progress;
use super::wire::{Enveloped, Post, Posts};
use crate::candidates::{Candidate, Likeness, Pick, likeness, pick, reaches_back};
use crate::conversation::{Answer, Request, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// Posts of one list, the most that one call gives.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Retrieve Published Posts".
pub(super) const PAGE: usize = 20;

/// Pages that are read at most. Our decision: a hundred posts.
const PAGES_MAX: usize = 5;

/// The latest published posts of the blog.
pub(super) fn latest(api: &Api, tokens: &Tokens, blog: &str, limit: usize) -> Request {
    page(api, tokens, blog, limit, None)
}

/// Published posts of the blog, newest first, of those before an instant in seconds.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Retrieve Published Posts".
fn page(api: &Api, tokens: &Tokens, blog: &str, limit: usize, before: Option<i64>) -> Request {
    let limit = limit.to_string();
    let before = before.map(|before| before.to_string());
    let mut pairs = vec![("npf", "true"), ("limit", limit.as_str())];
    pairs.extend(before.as_deref().map(|before| ("before", before)));
    api.read(&tokens.access_token, &["blog", blog, "posts"], &pairs)
}

/// Published posts of the blog, newest first.
#[derive(Debug, Default)]
pub(super) struct Recent {
    /// Each once.
    pub(super) posts: Vec<Post>,
    /// True when none is missing that a call since the instant can have made.
    pub(super) is_whole: bool,
}

/// The next turn of reading back to what was there before an instant, a few pages at most.
pub(super) fn recent<'a>(
    api: &Api,
    tokens: &Tokens,
    blog: &str,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
    answers: &mut impl Iterator<Item = &'a Answer>,
) -> TurnResult<Recent> {
    let mut recent = Recent::default();
    let mut before = None;
    for _ in 0..PAGES_MAX {
        let Some(answer) = answers.next() else {
            return Ok(Turn::Send(page(api, tokens, blog, PAGE, before)));
        };
        let read = listed(answer, now)?;
        let oldest = read.last().and_then(Post::at);
        recent.is_whole = read.len() < PAGE || reaches_back(oldest, since);
        for post in read {
            if recent.posts.iter().all(|known| known.id() != post.id()) {
                recent.posts.push(post);
            }
        }
        // Posts of the same second may stand on both pages.
        let next = oldest.map(|oldest| oldest.timestamp() + 1);
        if recent.is_whole || next.is_none() || next == before {
            break;
        }
        before = next;
    }
    Ok(Turn::Done(recent))
}

/// The drafts of the blog.
pub(super) fn drafts(api: &Api, tokens: &Tokens, blog: &str) -> Request {
    api.read(&tokens.access_token, &["blog", blog, "posts", "draft"], &[("npf", "true")])
}

/// The posts of an answer.
pub(super) fn listed(answer: &Answer, now: DateTime<Utc>) -> Result<Vec<Post>, NetworkError> {
    let read: Enveloped<Posts> =
        answer.taken(|| blog_failure(answer, false, Some(now)), unreadable)?;
    Ok(read.response.posts)
}

/// The post that has come of a draft or of a video that the network worked on: the one that names
/// it, or has its id and is published.
pub(super) fn grown_from<'a>(posts: &'a [Post], id: &str) -> Option<&'a Post> {
    let names_it = |post: &&Post| post.genesis_post_id.as_deref() == Some(id);
    posts
        .iter()
        .find(names_it)
        .or_else(|| posts.iter().find(|post| post.id() == id && post.is_out()))
}

/// The post that a call since an instant has made of a job. Where its first `id` is known, it is
/// none that names another.
pub(super) fn alike<'a>(
    posts: impl IntoIterator<Item = &'a Post>,
    job: &PublishJob,
    progress: &Progress,
    since: DateTime<Utc>,
    id: Option<&str>,
) -> Pick<&'a Post> {
    pick(candidates(posts, job, progress, id), since)
}

/// The draft that a call since an instant has made of a job: one that is the same in everything.
pub(super) fn draft<'a>(
    posts: &'a [Post],
    job: &PublishJob,
    progress: &Progress,
    since: DateTime<Utc>,
) -> Option<&'a Post> {
    let same = candidates(posts, job, progress, None);
    pick(same.filter(|one| one.likeness == Likeness::Same && one.fits > 0), since).one()
}

fn candidates<'a>(
    posts: impl IntoIterator<Item = &'a Post>,
    job: &PublishJob,
    progress: &Progress,
    id: Option<&str>,
) -> impl Iterator<Item = Candidate<&'a Post>> {
    let own = Summary::of(&content(job, &[]));
    let own_tags: BTreeSet<String> = tag_set(&tags(job));
    let can_be = {
        let id = id.map(str::to_owned);
        let parent = progress.parent.as_ref().map(|parent| parent.id.clone());
        move |post: &&Post| {
            let genesis = post.genesis_post_id.as_deref();
            let is_of_parent = match (&parent, &post.parent_post_id) {
                (Some(ours), Some(theirs)) => ours == theirs,
                (None, theirs) => theirs.is_none(),
                // A list need not name it.
                (Some(_), None) => true,
            };
            is_of_parent && (id.is_none() || genesis.is_none() || genesis == id.as_deref())
        }
    };
    posts.into_iter().filter(can_be).map(move |post| {
        let theirs = Summary::of(&post.content);
        let has_as_many = (theirs.images, theirs.videos) == (own.images, own.videos);
        let most = if has_as_many { Likeness::Same } else { Likeness::Similar };
        Candidate {
            at: post.at(),
            likeness: likeness(&own.text, &theirs.text).min(most),
            fits: u32::from(tag_set(&post.tags) == own_tags),
            post,
        }
    })
}

/// What a post is called from now on.
pub(super) fn remote(api: &Api, job: &PublishJob, id: &str, post_url: Option<&str>) -> Remote {
    // Nobody can open the page of a private post.
    if is_private(job) {
        return Remote::new(id, None);
    }
    let page = || job.account.username.as_deref().map(|name| api.page(name, id));
    let url = post_url.filter(|url| !url.is_empty()).map(str::to_owned).or_else(page);
    Remote::new(id, url)
}
