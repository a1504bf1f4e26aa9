//! What comes after publishing: changing, taking down, figures, followers, limits, names.
//!
//! Source: <https://docs.joinmastodon.org/methods/statuses/>.

use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::ports::{
    Access, Comment, CommentAction, Comments, Figures, LivePost, Mention, Metric, NetworkError,
    RemoteEdit, unsupported,
};
use scheduler_core::target::FailureCode;
use scheduler_core::text::compose;
use serde::Deserialize;

use super::connect::described;
use super::errors::{is_gone, is_outside_scopes};
use super::shown::{ShownAccount, ShownStatus};
use super::{Mastodon, comments};
use crate::conversation::{AfterConversation, Answer, Request, Turn, TurnResult};

/// Statuses that one call reads.
///
/// Source: <https://docs.joinmastodon.org/methods/statuses/#index>, since 4.3.
pub(super) const FIGURES_AT_ONCE: usize = 20;

/// Names of one look-up. Our decision; there may be up to 80.
const NAMES_MAX: &str = "10";

/// What is kept of a live post.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Record {
    parts: Vec<String>,
}

/// The ids of a post's parts, from the first on.
pub(super) fn parts(post: &LivePost) -> Vec<String> {
    let record = Record::deserialize(&post.remote.record).unwrap_or_default();
    if record.parts.is_empty() { vec![post.remote.id.clone()] } else { record.parts }
}

impl AfterConversation for Mastodon {
    /// The next turn of giving a post another text: of its first part. The server replaces the
    /// whole status, so what stays is read first and sent again.
    fn edit(
        &self,
        access: &Access,
        post: &LivePost,
        edit: &RemoteEdit,
        answers: &[Answer],
    ) -> TurnResult<()> {
        let caller = &self.caller(access)?;
        let content = edit.content.as_deref().ok_or_else(|| unsupported(Platform::Mastodon))?;
        let id = &post.remote.id;
        let Some(answer) = answers.first() else {
            return Ok(Turn::Send(caller.read(&["statuses", id], &[])));
        };
        let shown: ShownStatus = caller.json(answer)?;
        if shown.has_poll() {
            let message = "A post with a poll cannot be changed: the server would take the poll away, or count its votes anew.";
            return Err(NetworkError::permanent(message).with_code(FailureCode::Unsupported));
        }
        match answers.get(1) {
            None => {
                let mut replaced = shown.with_text(&new_text(post, content));
                // What is not sent may be taken for the account's own setting.
                if let Some(who) = post.options.get("quotePolicy").filter(|who| who.is_string()) {
                    replaced["quote_approval_policy"] = who.clone();
                }
                Ok(Turn::Send(caller.replace(id, replaced)))
            }
            Some(answer) => caller.done(answer).map(Turn::Done),
        }
    }

    /// The next turn of taking a post down, its last part first.
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let caller = &self.caller(access)?;
        for answer in answers.iter().filter(|answer| !is_gone(answer)) {
            caller.done(answer)?;
        }
        let parts = parts(post);
        Ok(match parts.iter().rev().nth(answers.len()) {
            Some(part) => Turn::Send(caller.delete(part)),
            None => Turn::Done(()),
        })
    }

    fn figures_at_once(&self) -> usize {
        FIGURES_AT_ONCE
    }

    /// The next turn of reading the figures of posts: of their first parts, in one call where the
    /// server can. The counts are what this server has seen.
    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        let caller = &self.caller(access)?;
        if answers.iter().any(is_outside_scopes) {
            return Ok(Turn::Done(vec![None; posts.len()]));
        }
        let mut one_by_one = answers;
        if posts.len() > 1 {
            let Some((answer, rest)) = answers.split_first() else {
                let ids = posts.iter().map(|post| ("id[]", post.remote.id.as_str()));
                let ids: Vec<(&str, &str)> = ids.collect();
                return Ok(Turn::Send(caller.read(&["statuses"], &ids)));
            };
            // Older and other software knows no such call.
            if !matches!(answer.status, 404 | 405 | 501) {
                let shown: Vec<ShownStatus> = caller.json(answer)?;
                let figures = posts.iter().map(|post| {
                    let status = shown.iter().find(|status| status.id == post.remote.id)?;
                    Some(figures_of(status, post))
                });
                return Ok(Turn::Done(figures.collect()));
            }
            one_by_one = rest;
        }
        if let Some(post) = posts.get(one_by_one.len()) {
            return Ok(Turn::Send(caller.read(&["statuses", &post.remote.id], &[])));
        }
        let figures = posts.iter().zip(one_by_one).map(|(post, answer)| match is_gone(answer) {
            true => Ok(None),
            false => caller.json(answer).map(|status| Some(figures_of(&status, post))),
        });
        figures.collect::<Result<_, _>>().map(Turn::Done)
    }

    fn comments(
        &self,
        access: &Access,
        post: &LivePost,
        answers: &[Answer],
    ) -> TurnResult<Option<Comments>> {
        comments::comments(&self.caller(access)?, post, answers)
    }

    fn act_on_comment(
        &self,
        access: &Access,
        post: &LivePost,
        comment: &str,
        act: &CommentAction,
        answers: &[Answer],
    ) -> TurnResult<Option<Comment>> {
        comments::act(&self.caller(access)?, post, comment, act, answers)
    }

    /// The next turn of counting followers.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let caller = &self.caller(access)?;
        let Some(answer) = answers.first() else {
            return Ok(Turn::Send(caller.read(&["accounts", "verify_credentials"], &[])));
        };
        if is_outside_scopes(answer) {
            return Ok(Turn::Done(None));
        }
        let account: ShownAccount = caller.json(answer)?;
        Ok(Turn::Done(account.followers_count))
    }

    /// The next turn of reading what the server allows.
    fn limits(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<AccountLimits>> {
        let caller = &self.caller(access)?;
        // The second version is newer than some servers, and the first is gone from some.
        for (version, answer) in ["v2", "v1"].into_iter().zip(0..) {
            let Some(answer) = answers.get(answer) else {
                let url = caller.server.at(["api", version, "instance"]);
                return Ok(Turn::Send(Request::read(url)));
            };
            if let Some(about) = described(answer)? {
                return Ok(Turn::Done(Some(about.limits())));
            }
        }
        Ok(Turn::Done(None))
    }

    /// The next turn of looking for people that the server knows and whose name begins like this.
    fn mentions(
        &self,
        access: &Access,
        query: &str,
        answers: &[Answer],
    ) -> TurnResult<Vec<Mention>> {
        let caller = &self.caller(access)?;
        let query = query.trim().trim_start_matches('@');
        if query.is_empty() {
            return Ok(Turn::Done(Vec::new()));
        }
        let Some(answer) = answers.first() else {
            let query = [("q", query), ("limit", NAMES_MAX), ("resolve", "false")];
            return Ok(Turn::Send(caller.read(&["accounts", "search"], &query)));
        };
        if is_outside_scopes(answer) {
            return Ok(Turn::Done(Vec::new()));
        }
        let found: Vec<ShownAccount> = caller.json(answer)?;
        let mentions = found.into_iter().map(|account| {
            // Accounts of the server itself are told without it.
            let handle = match account.acct.contains('@') {
                true => format!("@{}", account.acct),
                false => format!("@{}@{}", account.acct, caller.server.host()),
            };
            let name = Some(account.display_name).filter(|name| !name.is_empty());
            let name = name.unwrap_or_else(|| match account.username.is_empty() {
                true => account.acct.clone(),
                false => account.username.clone(),
            });
            Mention { handle, name }
        });
        Ok(Turn::Done(mentions.collect()))
    }
}

/// The text that takes the place of the one that was published, with the link below it.
fn new_text(post: &LivePost, content: &str) -> String {
    let mut options = post.options.clone();
    // It stood in the place of the text that is now replaced.
    options.remove("caption");
    let (link, has_files) = (post.link_url.as_deref(), post.file_count > 0);
    compose(content, link, has_files, Platform::Mastodon, &options).text().to_owned()
}

/// The figures of a post by its first status, whose direct answers the server counts: the next part
/// of its own thread is one of them, and no comment.
#[expect(clippy::cast_precision_loss, reason = "figures of a post are far below 2^53")]
fn figures_of(status: &ShownStatus, post: &LivePost) -> Figures {
    let own = u64::from(parts(post).len() > 1);
    let comments = status.replies_count.map(|count| count.saturating_sub(own));
    let counts = [
        (Metric::Likes, status.favourites_count),
        (Metric::Shares, status.reblogs_count),
        (Metric::Comments, comments),
        (Metric::Quotes, status.quotes_count),
    ];
    let known = counts.into_iter().filter_map(|(metric, count)| Some((metric, count? as f64)));
    Figures(known.collect())
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
