//! Changing posts, taking them down, and counting followers.
//!
//! Source: <https://developers.facebook.com/docs/pages-api/posts/>.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    Access, Comment, CommentAction, Comments, Figures, LivePost, NetworkError, RemoteEdit,
};
use scheduler_core::target::FailureCode;
use scheduler_core::text::compose;

use super::errors::{Meaning, act_failure, meaning_of, page_failure, undone, unreadable};
use super::hosts::Host;
use super::live::{is_story, video_of};
use super::wire::{Done, Followers};
use super::{Facebook, comments, figures};
use crate::conversation::{
    AfterConversation, Answer, Body, Method, Protocol, Request, Turn, TurnResult,
};

impl AfterConversation for Facebook {
    /// The next turn of changing the text of a post, or the description of a video. Pictures and
    /// link stay as they are, and there is no title.
    fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
        answers: &[Answer],
    ) -> TurnResult<()> {
        let session = self.session(access)?;
        let caller = &self.caller(&session.credentials);
        if is_story(&post.remote) {
            let message = "A story on Facebook shows no text that could be changed.";
            return Err(NetworkError::permanent(message).with_code(FailureCode::Unsupported));
        }
        let Some(content) = &edit.content else {
            let message = "A post on Facebook has no title that could be changed.";
            return Err(NetworkError::permanent(message).with_code(FailureCode::Unsupported));
        };
        let Some(answer) = answers.first() else {
            // The new text takes the place of the one that was made for this network, too.
            let mut options = post.options.clone();
            options.remove("caption");
            let link = post.link_url.as_deref();
            let has_files = post.file_count > 0;
            let composed = compose(content, link, has_files, Platform::Facebook, &options);
            let (id, name) = match video_of(&post.remote) {
                Some(video) => (video, "description"),
                None => (post.remote.id.as_str(), "message"),
            };
            let body = Body::Form(vec![(name, composed.text().to_owned())]);
            let request = Request::act(caller.graph(&[id])?, body);
            return Ok(Turn::Send(caller.authorized(request)));
        };
        if !answer.is_success() {
            return Err(act_failure(answer, false, Some(access.now)));
        }
        done(answer, "change the post")
    }

    /// The next turn of taking a post down. One that is gone is no error.
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let session = self.session(access)?;
        let caller = &self.caller(&session.credentials);
        let Some(answer) = answers.first() else {
            let id = video_of(&post.remote).unwrap_or(&post.remote.id);
            let request = Request::read(caller.graph(&[id])?).method(Method::Delete);
            return Ok(Turn::Send(caller.authorized(request)));
        };
        if !answer.is_success() {
            return match meaning_of(answer) {
                Meaning::Missing => Ok(Turn::Done(())),
                _ => Err(act_failure(answer, false, Some(access.now))),
            };
        }
        done(answer, "take the post down")
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        let Some(post) = posts.first() else { return Ok(Turn::Done(Vec::new())) };
        if is_story(&post.remote) {
            return Ok(Turn::Done(vec![None]));
        }
        let session = self.session(access)?;
        let figures = figures::figures(&self.caller(&session.credentials), access, post, answers)?;
        Ok(figures.map(|figures| vec![figures]))
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> TurnResult<Option<Comments>> {
        let session = self.session(access)?;
        if is_story(&post.remote) {
            return Ok(Turn::Done(None));
        }
        comments::comments(&self.caller(&session.credentials), access, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        _post: &LivePost,
        comment: &str,
        act: &CommentAction,
        answers: &[Answer],
    ) -> TurnResult<Option<Comment>> {
        let session = self.session(access)?;
        comments::act(&self.caller(&session.credentials), access, comment, act, answers)
    }

    /// The next turn of counting followers.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let session = self.session(access)?;
        let caller = &self.caller(&session.credentials);
        let Some(answer) = answers.first() else {
            let fields = [("fields", "followers_count,fan_count")];
            let url = caller.hosts.call(Host::Graph, &[&caller.tokens.page_id], &fields)?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        };
        if !answer.is_success() {
            return Err(page_failure(answer, Some(access.now)));
        }
        let Followers { followers_count, fan_count } =
            answer.json().ok_or_else(|| unreadable(false))?;
        Ok(Turn::Done(followers_count.or(fan_count)))
    }
}

/// The end of a call that says whether it was done.
pub(super) fn done(answer: &Answer, what: &str) -> TurnResult<()> {
    let Done { success } = answer.json().ok_or_else(|| unreadable(false))?;
    if success { Ok(Turn::Done(())) } else { Err(undone(what)) }
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
