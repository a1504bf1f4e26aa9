//! What can be done with a live Pin and its account, besides figures.
//!
//! Source: <https://github.com/pinterest/api-description>, `DELETE /pins/{pin_id}`,
//! `GET /user_account`, `GET /boards`.

use scheduler_core::ports::{Access, Board, LivePost, NetworkError};

use super::api::Api;
use super::errors::{failure, is_denied, is_gone, unreadable};
use super::wire::{BoardItem, Kept, Page, UserAccount};
use crate::conversation::{Answer, Turn};

/// Boards of one page, the most there are.
const PAGE_SIZE: &str = "250";

/// The next turn of taking a Pin down. One that is gone is no error.
pub(super) fn take_down(
    api: &Api,
    kept: &Kept,
    access: &Access,
    post: &LivePost,
    answers: &[Answer],
) -> Result<Turn<()>, NetworkError> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(api.remove(kept, &["pins", &post.remote.id])));
    };
    if answer.is_success() || is_gone(answer) {
        return Ok(Turn::Done(()));
    }
    Err(failure(answer, false, Some(access.now)))
}

/// The next turn of counting followers; `None` where the account may not ask.
pub(super) fn followers(
    api: &Api,
    kept: &Kept,
    access: &Access,
    answers: &[Answer],
) -> Result<Turn<Option<u64>>, NetworkError> {
    let Some(answer) = answers.first() else {
        return Ok(Turn::Send(api.read(kept, &["user_account"], &[])));
    };
    if is_denied(answer) {
        return Ok(Turn::Done(None));
    }
    if !answer.is_success() {
        return Err(failure(answer, false, Some(access.now)));
    }
    let user: UserAccount = answer.json().ok_or_else(unreadable)?;
    Ok(Turn::Done(user.follower_count))
}

/// The next turn of listing boards, page after page. Secret ones are there for who allowed it.
pub(super) fn boards(
    api: &Api,
    kept: &Kept,
    access: &Access,
    answers: &[Answer],
) -> Result<Turn<Vec<Board>>, NetworkError> {
    let mut boards = Vec::new();
    let mut bookmark: Option<String> = None;
    for answer in answers {
        if !answer.is_success() {
            return Err(failure(answer, false, Some(access.now)));
        }
        let page: Page<BoardItem> = answer.json().ok_or_else(unreadable)?;
        boards.extend(page.items.into_iter().map(|BoardItem { id, name }| Board { id, name }));
        bookmark = page.bookmark.filter(|bookmark| !bookmark.is_empty());
        if bookmark.is_none() {
            return Ok(Turn::Done(boards));
        }
    }
    let mut pairs = vec![("page_size", PAGE_SIZE)];
    pairs.extend(bookmark.as_deref().map(|bookmark| ("bookmark", bookmark)));
    Ok(Turn::Send(api.read(kept, &["boards"], &pairs)))
}

#[cfg(test)]
#[path = "after_tests.rs"]
mod tests;
