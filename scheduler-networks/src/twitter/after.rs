//! What comes after publishing: taking down, figures, followers.

use scheduler_core::ports::{Access, Figures, LivePost, Metric, NetworkError};
use serde::Deserialize;

use super::Twitter;
use super::errors::{Fault, failure_after, unreadable};
use super::locate::FIELDS;
use super::wire::{Data, Deleted, Measured, Page, Record, User};
use crate::conversation::{AfterConversation, Answer, Protocol, Turn, TurnResult};

/// Posts that one call for figures may name.
///
/// Source: <https://docs.x.com/x-api/posts/get-posts-by-ids>.
pub(super) const FIGURES_AT_ONCE: usize = 100;

/// The figures and what we call them. Where there are two names, the first is that of the
/// interface's own description and the second that of guides and older servers.
///
/// Source: <https://docs.x.com/x-api/fundamentals/metrics>.
const METRICS: [(Metric, &[&str]); 6] = [
    (Metric::Impressions, &["impression_count"]),
    (Metric::Likes, &["like_count"]),
    (Metric::Comments, &["reply_count"]),
    (Metric::Shares, &["repost_count", "retweet_count"]),
    (Metric::Quotes, &["quote_count"]),
    (Metric::Saves, &["bookmark_count"]),
];

/// Posts cannot be changed, and comments cannot be read: X shows replies through a paid search of
/// the last seven days alone.
impl AfterConversation for Twitter {
    /// The next turn of taking a post down, its last part first. What is gone is no error.
    ///
    /// Source: <https://docs.x.com/x-api/posts/delete-post>.
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let api = &self.api;
        let session = &self.session(access)?;
        for answer in answers {
            deleted(answer, session)?;
        }
        let parts = parts(post);
        Ok(match parts.iter().rev().nth(answers.len()) {
            Some(part) => {
                Turn::Send(api.remove(&session.credentials.access_token, &["tweets", part]))
            }
            None => Turn::Done(()),
        })
    }

    fn figures_at_once(&self) -> usize {
        FIGURES_AT_ONCE
    }

    /// The next turn of reading the figures of posts: of their first parts, all in one call.
    ///
    /// Source: <https://docs.x.com/x-api/posts/get-posts-by-ids>.
    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        let api = &self.api;
        let session = &self.session(access)?;
        if posts.is_empty() {
            return Ok(Turn::Done(Vec::new()));
        }
        let mut fields = FIELDS.into_iter();
        for answer in answers {
            fields.next();
            let is_last = fields.len() == 0;
            // A server that knows the other name refuses this one, or passes over it.
            if answer.status == 400 && !is_last {
                continue;
            }
            let measured: Page<Measured> =
                answer.taken(|| failure_after(answer, session.now), unreadable)?;
            let is_told = |post: &Measured| post.public_metrics.is_some();
            if !measured.data.is_empty() && !measured.data.iter().any(is_told) && !is_last {
                continue;
            }
            let found = posts.iter().map(|post| {
                let found = measured.data.iter().find(|found| found.id == post.remote.id)?;
                figures_of(found, parts(post).len() > 1)
            });
            return Ok(Turn::Done(found.collect()));
        }
        let name = fields.next().ok_or_else(unreadable)?;
        let ids: Vec<&str> = posts.iter().map(|post| post.remote.id.as_str()).collect();
        let query = [("ids", ids.join(",")), (name, "public_metrics".to_owned())];
        let query: Vec<(&str, &str)> =
            query.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Ok(Turn::Send(api.read(&session.credentials.access_token, &["tweets"], &query)))
    }

    /// The next turn of counting followers.
    ///
    /// Source: <https://docs.x.com/x-api/users/get-my-user>.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let api = &self.api;
        let session = &self.session(access)?;
        let Some(answer) = answers.first() else {
            let fields = [("user.fields", "public_metrics")];
            return Ok(Turn::Send(api.read(
                &session.credentials.access_token,
                &["users", "me"],
                &fields,
            )));
        };
        let Data { data: user }: Data<User> =
            answer.taken(|| failure_after(answer, session.now), unreadable)?;
        Ok(Turn::Done(user.public_metrics.and_then(|metrics| metrics.followers_count)))
    }
}

fn deleted(answer: &Answer, access: &Access) -> Result<(), NetworkError> {
    if answer.status == 404 && Fault::of(answer).is_some() {
        return Ok(());
    }
    if !answer.is_success() {
        return Err(failure_after(answer, access.now));
    }
    match answer.json() {
        Some(Data { data: Deleted { deleted: true } }) => Ok(()),
        Some(Data { data: Deleted { deleted: false } }) | None => {
            let message = "X has not deleted the post. Try it again.";
            Err(NetworkError::temporary(message))
        }
    }
}

/// The ids of a post's parts, from the first on.
fn parts(post: &LivePost) -> Vec<String> {
    let record = Record::deserialize(&post.remote.record).unwrap_or_default();
    if record.parts.is_empty() { vec![post.remote.id.clone()] } else { record.parts }
}

/// The figures of a post by its first part, whose direct answers X counts: the next part of its own
/// thread is one of them, and no comment.
fn figures_of(post: &Measured, is_thread: bool) -> Option<Figures> {
    let metrics = post.public_metrics.as_ref()?;
    let figures = METRICS.into_iter().filter_map(|(metric, names)| {
        let count = names.iter().find_map(|name| metrics.get(*name)?.as_f64())?;
        let own = if is_thread && metric == Metric::Comments { 1.0 } else { 0.0 };
        Some((metric, (count - own).max(0.0)))
    });
    Some(Figures(figures.collect()))
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
