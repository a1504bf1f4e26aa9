//! What can be done with a live post and its account, besides comments and figures.

use scheduler_core::ports::{Access, Comment, CommentAction, Comments, Figures, LivePost, Mention};
use serde_json::Value;

use super::api::encoded;
use super::errors::{failure, unreadable};
use super::wire::{Elements, Organization, author, is_page};
use super::{LinkedIn, comments, figures};
use crate::conversation::{AfterConversation, Answer, Protocol, Turn, TurnResult};

/// The permission with which a page's followers and figures are read.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api>.
pub(super) const PAGE_ADMIN: &[&str] = &["rw_organization_admin"];

impl AfterConversation for LinkedIn {
    /// The next turn of taking a post down. One that is gone is no error.
    ///
    /// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>,
    /// "Delete Posts".
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let api = &self.api;
        let session = &self.session(access)?;
        let Some(answer) = answers.first() else {
            let path = format!("posts/{}", encoded(&post.remote.id));
            return Ok(Turn::Send(api.remove(&session.credentials.access_token, &path, "")));
        };
        if answer.is_success() || (answer.status == 404 && answer.json::<Value>().is_some()) {
            return Ok(Turn::Done(()));
        }
        Err(failure(answer, false, Some(session.now)).of_act())
    }

    fn figures_at_once(&self) -> usize {
        figures::AT_ONCE
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        figures::figures(&self.api, &self.session(access)?, posts, answers)
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> TurnResult<Option<Comments>> {
        comments::comments(&self.api, &self.session(access)?, post, answers)
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
        comments::act(&self.api, &session, post, comment, act, answers)
    }

    /// The next turn of counting followers; `None` without the permission for it.
    ///
    /// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api>
    /// and <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/members/follower-statistics>.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let api = &self.api;
        let session = &self.session(access)?;
        let author = author(&session.account);
        let scopes = if is_page(author) { PAGE_ADMIN } else { &["r_member_profileAnalytics"][..] };
        if !session.credentials.may(scopes) {
            return Ok(Turn::Done(None));
        }
        let Some(answer) = answers.first() else {
            let token = &session.credentials.access_token;
            return Ok(Turn::Send(if is_page(author) {
                let path = format!("networkSizes/{}", encoded(author));
                api.read(token, &path, "edgeType=COMPANY_FOLLOWED_BY_MEMBER")
            } else {
                api.read(token, "memberFollowersCount", "q=me")
            }));
        };
        if answer.status == 403 {
            return Ok(Turn::Done(None));
        }
        let body: Value = answer.taken(|| failure(answer, false, Some(session.now)), unreadable)?;
        let place =
            if is_page(author) { "/firstDegreeSize" } else { "/elements/0/memberFollowersCount" };
        Ok(Turn::Done(body.pointer(place).and_then(Value::as_u64)))
    }

    /// The next turn of looking for the page of a name: LinkedIn knows only whole names, and tells
    /// them only to whom pages are open.
    ///
    /// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/organization-lookup-api>.
    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> TurnResult<Vec<Mention>> {
        let api = &self.api;
        let session = &self.session(access)?;
        let name = query.trim().trim_start_matches('@');
        if name.is_empty() || !session.credentials.may(PAGE_ADMIN) {
            return Ok(Turn::Done(Vec::new()));
        }
        let Some(answer) = answers.first() else {
            let query = format!("q=vanityName&vanityName={}", encoded(name));
            return Ok(Turn::Send(api.read(
                &session.credentials.access_token,
                "organizations",
                &query,
            )));
        };
        if matches!(answer.status, 403 | 404) {
            return Ok(Turn::Done(Vec::new()));
        }
        let found: Elements<Organization> =
            answer.taken(|| failure(answer, false, Some(session.now)), unreadable)?;
        let mentions = found.elements.into_iter().filter_map(|page| {
            let handle = page.vanity_name?;
            Some(Mention { name: page.localized_name.unwrap_or_else(|| handle.clone()), handle })
        });
        Ok(Turn::Done(mentions.collect()))
    }
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
