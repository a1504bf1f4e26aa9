//! Taking posts down, counting followers, and looking up names.

use scheduler_core::ports::{
    Access, Comment, CommentAction, Comments, Figures, LivePost, Mention, NetworkError, unsupported,
};
use serde::Deserialize;

use super::errors::{
    Described, Meaning, account_failure, failure_after, is_not_allowed, unreadable,
};
use super::wire::{Done, Followers, Way};
use super::{Instagram, comments, figures};
use crate::conversation::{AfterConversation, Answer, Method, Protocol, Request, Turn, TurnResult};

/// Longest name of an account.
///
/// Source: `ig-user/media`, `collaborators`.
const NAME_MAX: usize = 30;

impl AfterConversation for Instagram {
    /// The next turn of taking a post down, which only accounts of a Page can do.
    ///
    /// Source: <https://developers.facebook.com/documentation/instagram-platform/changelog>,
    /// 2025-12-03.
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let session = self.session(access)?;
        let caller = &self.caller(&session.credentials);
        match caller.tokens.way {
            Way::ViaPage => {}
            Way::Direct => {
                let message = "Instagram lets posts be taken down only by accounts that are connected through a Facebook Page. Delete it in Instagram's app, or connect the account through its Page.";
                let error = unsupported(access.account.platform);
                return Err(NetworkError { message: message.to_owned(), ..error });
            }
        }
        let Some(answer) = answers.first() else {
            let request = Request::read(caller.graph(&[&post.remote.id])?).method(Method::Delete);
            return Ok(Turn::Send(caller.authorized(request)));
        };
        if !answer.is_success() {
            let is_gone = Described::read(answer).meaning() == Meaning::Missing;
            return if is_gone {
                Ok(Turn::Done(()))
            } else {
                Err(failure_after(answer, false, access.now))
            };
        }
        let Done { success } = answer.json().ok_or_else(|| unreadable(false))?;
        if success {
            return Ok(Turn::Done(()));
        }
        let message = "Instagram did not take the post down, and does not say why.";
        Err(NetworkError::temporary(message))
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        let Some(post) = posts.first() else { return Ok(Turn::Done(Vec::new())) };
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
        comments::comments(&self.caller(&session.credentials), access, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        post: &LivePost,
        comment: &str,
        act: &CommentAction,
        answers: &[Answer],
    ) -> TurnResult<Option<Comment>> {
        let session = self.session(access)?;
        comments::act(&self.caller(&session.credentials), access, post, comment, act, answers)
    }

    /// The next turn of counting followers.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let session = self.session(access)?;
        let caller = &self.caller(&session.credentials);
        let Some(answer) = answers.first() else {
            let account = match caller.tokens.way {
                Way::Direct => "me",
                Way::ViaPage => caller.tokens.user_id.as_str(),
            };
            let url = caller.graph_query(&[account], &[("fields", "followers_count")])?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        };
        let Followers { followers_count } =
            answer.taken(|| account_failure(answer, Some(access.now)), || unreadable(false))?;
        Ok(Turn::Done(followers_count))
    }

    /// The next turn of looking up a name. The network finds exact names of professional accounts,
    /// and only for accounts of a Page.
    ///
    /// Source: <https://developers.facebook.com/documentation/instagram-platform/>,
    /// "Business discovery".
    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> TurnResult<Vec<Mention>> {
        let session = self.session(access)?;
        let caller = &self.caller(&session.credentials);
        #[derive(Deserialize)]
        struct Discovered {
            business_discovery: Named,
        }
        #[derive(Deserialize)]
        struct Named {
            username: String,
            name: Option<String>,
        }
        let name = query.trim().trim_start_matches('@');
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_';
        let is_name = (1..=NAME_MAX).contains(&name.len()) && name.bytes().all(is_part);
        if caller.tokens.way == Way::Direct || !is_name {
            return Ok(Turn::Done(Vec::new()));
        }
        let Some(answer) = answers.first() else {
            let fields = format!("business_discovery.username({name}){{username,name}}");
            let url = caller.graph_query(&[&caller.tokens.user_id], &[("fields", &fields)])?;
            return Ok(Turn::Send(caller.authorized(Request::read(url))));
        };
        if !answer.is_success() {
            let described = Described::read(answer);
            let is_nobody = described.code == Some(110) || described.subcode == Some(2_207_013);
            return if is_nobody || is_not_allowed(&described) {
                Ok(Turn::Done(Vec::new()))
            } else {
                Err(account_failure(answer, Some(access.now)))
            };
        }
        let Discovered { business_discovery: Named { username, name } } =
            answer.json().ok_or_else(|| unreadable(false))?;
        let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| username.clone());
        Ok(Turn::Done(vec![Mention { handle: format!("@{username}"), name }]))
    }
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
