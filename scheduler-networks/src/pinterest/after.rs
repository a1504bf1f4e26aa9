//! What can be done with a live Pin and its account, besides figures.
//!
//! Source: <https://github.com/pinterest/api-description>, `DELETE /pins/{pin_id}`,
//! `GET /user_account`, `GET /boards`.

use scheduler_core::ports::{Access, Board, Figures, LivePost};

use super::errors::{failure, is_denied, is_gone, unreadable};
use super::wire::{BoardItem, Page, UserAccount};
use super::{Pinterest, figures};
use crate::conversation::{AfterConversation, Answer, Protocol, Turn, TurnResult};

/// Boards of one page, the most there are.
const PAGE_SIZE: &str = "250";

impl AfterConversation for Pinterest {
    /// The next turn of taking a Pin down. One that is gone is no error.
    fn take_down(&self, access: &Access, post: &LivePost, answers: &[Answer]) -> TurnResult<()> {
        let api = &self.api()?;
        let session = &self.session(access)?;
        let Some(answer) = answers.first() else {
            return Ok(Turn::Send(api.remove(&session.credentials, &["pins", &post.remote.id])));
        };
        if answer.is_success() || is_gone(answer) {
            return Ok(Turn::Done(()));
        }
        Err(failure(answer, false, Some(session.now)))
    }

    fn figures(
        &self,
        access: &Access,
        posts: &[LivePost],
        answers: &[Answer],
    ) -> TurnResult<Vec<Option<Figures>>> {
        figures::figures(&self.api()?, &self.session(access)?, posts, answers)
    }

    /// The next turn of counting followers; `None` where the account may not ask.
    fn followers(&self, access: &Access, answers: &[Answer]) -> TurnResult<Option<u64>> {
        let api = &self.api()?;
        let session = &self.session(access)?;
        let Some(answer) = answers.first() else {
            return Ok(Turn::Send(api.read(&session.credentials, &["user_account"], &[])));
        };
        if is_denied(answer) {
            return Ok(Turn::Done(None));
        }
        let user: UserAccount =
            answer.taken(|| failure(answer, false, Some(session.now)), unreadable)?;
        Ok(Turn::Done(user.follower_count))
    }

    /// The next turn of listing boards, page after page. Secret ones are there for who allowed it.
    fn boards(&self, access: &Access, answers: &[Answer]) -> TurnResult<Vec<Board>> {
        let api = &self.api()?;
        let session = &self.session(access)?;
        let mut boards = Vec::new();
        let mut bookmark: Option<String> = None;
        for answer in answers {
            let page: Page<BoardItem> =
                answer.taken(|| failure(answer, false, Some(session.now)), unreadable)?;
            boards.extend(page.items.into_iter().map(|BoardItem { id, name }| Board { id, name }));
            bookmark = page.bookmark.filter(|bookmark| !bookmark.is_empty());
            if bookmark.is_none() {
                return Ok(Turn::Done(boards));
            }
        }
        let mut pairs = vec![("page_size", PAGE_SIZE)];
        pairs.extend(bookmark.as_deref().map(|bookmark| ("bookmark", bookmark)));
        Ok(Turn::Send(api.read(&session.credentials, &["boards"], &pairs)))
    }
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
