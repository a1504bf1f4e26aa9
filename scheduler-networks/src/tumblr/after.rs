//! What can be done with a live post and its blog, besides notes.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`.

use scheduler_core::ports::{Access, Comments, Figures, LivePost, Mention, NetworkError};

use super::errors::{failure, is_gone, unreadable};
use super::locate::{Recent, grown_from, recent};
use super::progress::is_provisional;
use super::wire::{BlogAnswer, Enveloped, UserAnswer};
use super::{Tumblr, notes};
use crate::conversation::{AfterConversation, Answer, Body, Protocol, Turn, TurnResult};

impl AfterConversation for Tumblr {
    /// The next turn of taking a post down. One that is gone is no error. A post of which only its
    /// first id is known is looked for first: under that id it is gone once its video is ready, so
    /// that it is not there is proof only where every post since is among those that are looked
    /// through.
    ///
    /// Source: <https://github.com/tumblr/docs>, `api.md`, "Delete a Post".
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let api = &self.api;
        let session = &self.session(access)?;
        let blog = session.account.network_id.as_str();
        let mut answers = answers.iter();
        let mut id = post.remote.id.clone();
        let mut may_be_another = false;
        if is_provisional(&post.remote) {
            let since = post.published_at;
            let recent = recent(api, &session.credentials, blog, since, session.now, &mut answers);
            let Recent { posts, is_whole } = match recent.map_err(NetworkError::of_act)? {
                Turn::Send(request) => return Ok(Turn::Send(request)),
                Turn::Done(recent) => recent,
            };
            match grown_from(&posts, &id) {
                Some(found) => id = found.id().to_owned(),
                None => may_be_another = !is_whole,
            }
        }
        let Some(answer) = answers.next() else {
            let body = Body::Form(vec![("id", id)]);
            return Ok(Turn::Send(api.act(
                &session.credentials.access_token,
                &["blog", blog, "post", "delete"],
                body,
            )));
        };
        if is_gone(answer) && may_be_another {
            return Err(NetworkError::permanent(
                "Tumblr has given this post another id, and it is not among the latest of the blog. Take it down on Tumblr.",
            ));
        }
        if answer.is_success() || is_gone(answer) {
            return Ok(Turn::Done(()));
        }
        Err(failure(answer, false, Some(session.now)).of_act())
    }

    fn figures_at_once(&self) -> usize {
        notes::FIGURES_AT_ONCE
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        notes::figures(&self.api, &self.session(access)?, posts, answers)
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> TurnResult<Option<Comments>> {
        notes::comments(&self.api, &self.session(access)?, post, answers)
    }

    /// The next turn of counting the followers of the blog.
    ///
    /// Source: <https://github.com/tumblr/docs>, `api.md`, "Get a User's Information".
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let api = &self.api;
        let session = &self.session(access)?;
        let Some(answer) = answers.first() else {
            return Ok(Turn::Send(api.read(
                &session.credentials.access_token,
                &["user", "info"],
                &[],
            )));
        };
        let read: Enveloped<UserAnswer> =
            answer.taken(|| failure(answer, false, Some(session.now)).of_act(), unreadable)?;
        let account = &session.account;
        let blog = read.response.user.blogs.into_iter().find(|blog| match &blog.uuid {
            Some(uuid) => *uuid == account.network_id,
            None => blog.name == account.network_id,
        });
        Ok(Turn::Done(blog.and_then(|blog| blog.followers)))
    }

    /// The next turn of looking for the blog of a name: Tumblr knows only whole names.
    ///
    /// Source: <https://github.com/tumblr/docs>, `api.md`, "Retrieve Blog Info".
    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> TurnResult<Vec<Mention>> {
        let api = &self.api;
        let session = &self.session(access)?;
        let name = query.trim().trim_start_matches('@');
        let is_name =
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
        if name.trim_matches('.').is_empty() || !is_name {
            return Ok(Turn::Done(Vec::new()));
        }
        let Some(answer) = answers.first() else {
            return Ok(Turn::Send(api.read(
                &session.credentials.access_token,
                &["blog", name, "info"],
                &[],
            )));
        };
        if matches!(answer.status, 400 | 403 | 404) {
            return Ok(Turn::Done(Vec::new()));
        }
        let read: Enveloped<BlogAnswer> =
            answer.taken(|| failure(answer, false, Some(session.now)), unreadable)?;
        let blog = read.response.blog;
        let title = blog.title.filter(|title| !title.trim().is_empty());
        Ok(Turn::Done(vec![Mention {
            handle: format!("@{}", blog.name),
            name: title.unwrap_or(blog.name),
        }]))
    }
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
