//! Looking for a post among the blog's own, when its id is not known or has changed.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Retrieve Published Posts" (on
//! `genesis_post_id`) and "Retrieve Draft Posts".

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, PublishJob};
use scheduler_core::target::Remote;

use super::api::Api;
use super::content::{Likeness, content, tag_set, tags};
use super::errors::{blog_failure, unreadable};
use super::wire::{Enveloped, Kept, Post, Posts};
use crate::conversation::{Answer, Request};

/// How far the network's clock may be behind ours.
const CLOCK_SLACK: TimeDelta = TimeDelta::seconds(60);

/// Posts of one list, the most that one call gives.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Retrieve Published Posts".
pub(super) const PAGE: usize = 20;

/// The latest published posts of the blog.
pub(super) fn latest(api: &Api, kept: &Kept, blog: &str, limit: usize) -> Request {
    let limit = limit.to_string();
    let pairs = [("npf", "true"), ("limit", limit.as_str())];
    api.read(&kept.access_token, &["blog", blog, "posts"], &pairs)
}

/// The drafts of the blog.
pub(super) fn drafts(api: &Api, kept: &Kept, blog: &str) -> Request {
    api.read(&kept.access_token, &["blog", blog, "posts", "draft"], &[("npf", "true")])
}

/// The posts of an answer.
pub(super) fn listed(answer: &Answer, now: DateTime<Utc>) -> Result<Vec<Post>, NetworkError> {
    if !answer.is_success() {
        return Err(blog_failure(answer, false, Some(now)));
    }
    let read: Enveloped<Posts> = answer.json().ok_or_else(unreadable)?;
    Ok(read.response.posts)
}

/// True when no post since an instant is missing from the latest ones, which come newest first.
pub(super) fn reach_back(posts: &[Post], since: DateTime<Utc>) -> bool {
    let is_before = |post: &Post| post.at().is_some_and(|at| at < since - CLOCK_SLACK);
    posts.len() < PAGE || posts.last().is_some_and(is_before)
}

/// The post that has come of a draft or of a video that the network worked on: the one that names
/// it, or has its id and is published.
pub(super) fn grown_from<'a>(posts: &'a [Post], id: &str) -> Option<&'a Post> {
    let names_it = |post: &&Post| post.genesis_post_id.as_deref() == Some(id);
    posts
        .iter()
        .find(names_it)
        .or_else(|| posts.iter().find(|post| post.id() == id && post.is_published()))
}

/// The post that says what a job says: the earliest since it can have been sent, else the latest
/// before within what clocks differ. Where its first `id` is known, it is none that names another.
pub(super) fn alike<'a>(
    posts: &'a [Post],
    job: &PublishJob,
    since: DateTime<Utc>,
    id: Option<&str>,
) -> Option<&'a Post> {
    let own = Likeness::of(&content(job, &[]));
    let own_tags: BTreeSet<String> = tag_set(&tags(job));
    let mut candidates: Vec<(DateTime<Utc>, &Post)> = posts
        .iter()
        .filter_map(|post| Some((post.at()?, post)))
        .filter(|(at, post)| {
            let genesis = post.genesis_post_id.as_deref();
            let is_another = id.is_some() && genesis.is_some() && genesis != id;
            *at >= since - CLOCK_SLACK
                && !is_another
                && Likeness::of(&post.content) == own
                && tag_set(&post.tags) == own_tags
        })
        .collect();
    candidates.sort_by_key(|(at, _)| *at);
    // Instants come in whole seconds.
    let begin = since - TimeDelta::seconds(1);
    let at = candidates.iter().position(|(at, _)| *at >= begin);
    let at = at.or_else(|| candidates.len().checked_sub(1))?;
    candidates.get(at).map(|(_, post)| *post)
}

/// What a post is called from now on.
pub(super) fn remote(api: &Api, job: &PublishJob, id: &str, post_url: Option<&str>) -> Remote {
    let page = || job.account.username.as_deref().map(|name| api.page(name, id));
    let url = post_url.filter(|url| !url.is_empty()).map(str::to_owned).or_else(page);
    Remote::new(id, url)
}
