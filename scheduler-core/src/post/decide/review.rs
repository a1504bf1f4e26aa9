//! Decisions on the second pair of eyes.

use chrono::{DateTime, Utc};

use super::approval::{content_fingerprint, is_open_to_approval, settle};
use crate::error::{AccessRefusal, NotFound, PostRefusal, Refusal};
use crate::post::{Author, Post, PostStatus, Review};
use crate::session::Person;

/// Notes who has said what a post says now; what was approved before is approved no more. A change
/// of its time alone changes neither. `is_asked` tells whether its workspace asks for a second pair
/// of eyes.
pub fn rewritten(before: Option<&Post>, after: &mut Post, by: Author, is_asked: bool) {
    let is_same =
        before.is_some_and(|before| content_fingerprint(before) == content_fingerprint(after));
    if !is_same {
        after.author = Some(by.after(before.and_then(|before| before.author.as_ref())));
        after.review = None;
    }
    ask_for_review(after, is_asked);
}

/// Has a post ask for a second pair of eyes, or ask for none, as its workspace does.
pub fn ask_for_review(post: &mut Post, is_asked: bool) {
    post.review = match post.review.take() {
        _ if !is_asked => None,
        Some(review) => Some(review),
        None => Some(Review::Pending),
    };
}

/// Stores what a workspace asks of a post that has not gone out; `None` when it asks the same
/// already. What has waited for nothing else is due at once.
#[must_use]
pub fn review_asked(post: &Post, is_asked: bool, now: DateTime<Utc>) -> Option<Post> {
    let mut asked = post.clone();
    ask_for_review(&mut asked, is_asked);
    let is_open = post.status.is_unfinished();
    if !is_open || asked.review == post.review {
        return None;
    }
    settle(&mut asked, now);
    asked.updated_at = now;
    Some(asked)
}

/// Stores that somebody of the team approves a post as it is. What has waited for nothing else is
/// due at once.
///
/// # Errors
/// `not_found` when nobody is asked; `forbidden` for somebody whose session names no person, and
/// for the person who has written or last changed it; `already_started` once it has begun to go
/// out.
pub fn approve(post: &Post, by: Option<&Person>, now: DateTime<Utc>) -> Result<Post, Refusal> {
    let Some(review) = &post.review else { return Err(NotFound::Review.into()) };
    let by = approver(post.author.as_ref(), by)?;
    if matches!(review, Review::Approved { .. }) {
        return Ok(post.clone());
    }
    if !is_open_to_approval(post) {
        let refusal = match post.status {
            PostStatus::Draft | PostStatus::Scheduled | PostStatus::Publishing => {
                PostRefusal::ApprovalTooLate
            }
            PostStatus::Done | PostStatus::Canceled => PostRefusal::NothingToApprove(post.status),
        };
        return Err(refusal.into());
    }
    let mut post = post.clone();
    post.review = Some(Review::Approved { by: by.clone(), at: now });
    settle(&mut post, now);
    post.updated_at = now;
    Ok(post)
}

/// Who approves what this author has written.
///
/// # Errors
/// As [`approve`].
pub fn approver<'a>(
    author: Option<&Author>,
    by: Option<&'a Person>,
) -> Result<&'a Person, Refusal> {
    let by = by.ok_or(AccessRefusal::NobodyNamed)?;
    if author.is_some_and(|author| author.is(by)) {
        return Err(AccessRefusal::OwnPost(by.name.to_string()).into());
    }
    Ok(by)
}

#[cfg(test)]
#[path = "review_tests.rs"]
mod tests;
