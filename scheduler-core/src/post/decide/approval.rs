//! Decisions on approvals: what a client says, and what becomes of what waits.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::error::{NotFound, PostRefusal, Refusal};
use crate::key::base62;
use crate::post::{ApprovalState, Post, PostStatus, Review, Verdict};
use crate::target::{
    AwaitingApproval, RetriesUsed, Stage, Target, TargetStatus, WaitReason, Waiting,
};

/// How long a target whose time has come waits before the next look at its post's approval. An
/// answer of the client makes it due by itself, so this is only for what the look says.
///
/// Source: our decision.
pub const APPROVAL_LOOK: TimeDelta = TimeDelta::hours(1);

/// True while a client can decide on a post: until it begins to go out, and after that only while
/// something of it waits for them because it changed.
#[must_use]
pub const fn is_open_to_client(post: &Post) -> bool {
    match post.status {
        PostStatus::Draft | PostStatus::Scheduled => true,
        PostStatus::Publishing | PostStatus::Done => {
            matches!(post.approval_state, Some(ApprovalState::Pending | ApprovalState::Changes))
        }
        PostStatus::Canceled => false,
    }
}

/// True while somebody's approval, a client's or the team's, changes what becomes of a post.
#[must_use]
pub(super) fn is_open_to_approval(post: &Post) -> bool {
    match post.status {
        PostStatus::Draft | PostStatus::Scheduled => true,
        PostStatus::Publishing | PostStatus::Done => {
            matches!(post.approval(), Some(ApprovalState::Pending | ApprovalState::Changes))
        }
        PostStatus::Canceled => false,
    }
}

/// True when a target must not go out: somebody whose approval its post needs has not given it.
/// What may be live, if only in part, goes on: it was approved when it began.
#[must_use]
pub fn is_withheld(post: &Post, target: &Target) -> bool {
    target.status() == TargetStatus::Pending
        && !is_under_way(target)
        && match post.approval() {
            Some(ApprovalState::Pending | ApprovalState::Changes) => true,
            Some(ApprovalState::Approved) | None => false,
        }
}

/// True while something of a target may be live and its own retries bring it to an end. A retry
/// that a person asks for begins anew.
fn is_under_way(target: &Target) -> bool {
    let is_sent = target.progress().is_some_and(|progress| progress.open.is_some());
    target.spent != RetriesUsed::NOTHING && (is_sent || target.remote().is_some())
}

/// A target whose time has come and whose post is not approved, until the next look.
#[must_use]
pub fn defer_until_approved(post: &Post, mut target: Target, now: DateTime<Utc>) -> Target {
    if let Stage::Waiting(waiting) = &mut target.stage {
        waiting.due_at = now + APPROVAL_LOOK;
        waiting.reason = awaiting(post);
    }
    target
}

/// What tells one form of a post from another, as far as a client sees it: text, link, files,
/// descriptions, labels, accounts and options, and not its time.
#[must_use]
pub fn content_fingerprint(post: &Post) -> String {
    let mut targets: Vec<_> =
        post.targets.iter().map(|target| (target.account_id, &target.options)).collect();
    targets.sort_by_key(|(account, _)| *account);
    let mut files: Vec<_> = post
        .targets
        .iter()
        .filter(|target| !target.files.are_those_of_the_post())
        .map(|target| (target.account_id, &target.files))
        .collect();
    files.sort_by_key(|(account, _)| *account);
    let mut shown = vec![json!(post.content), json!(post.link_url), json!(post.media_ids)];
    shown.extend([json!(post.alt_texts), json!(targets)]);
    // What was approved before there were such things stays approved.
    shown.extend((!post.disclosure.is_none()).then(|| json!(post.disclosure)));
    shown.extend((!files.is_empty()).then(|| json!(files)));
    let mut links: Vec<_> = post
        .targets
        .iter()
        .filter(|target| !target.links.is_empty())
        .map(|target| (target.account_id, &target.links))
        .collect();
    links.sort_by_key(|(account, _)| *account);
    shown.extend((!links.is_empty()).then(|| json!({ "links": links })));
    let shown = Value::from(shown);
    base62(Sha256::digest(shown.to_string()).into())
}

/// Shows a post to a client, who has not decided yet; an earlier answer is void.
///
/// # Errors
/// `already_started` once it has begun to go out.
pub fn request_approval(post: &Post, now: DateTime<Utc>) -> Result<Post, Refusal> {
    refuse_started(post)?;
    let mut post = Post { approval_state: Some(ApprovalState::Pending), ..post.clone() };
    restate(&mut post);
    post.touch(now);
    Ok(post)
}

/// Takes a post back from its client: it goes out without their approval, at once what has waited
/// for it.
///
/// # Errors
/// `not_found` when it was shown to nobody; `already_started` once it has begun to go out.
pub fn withdraw(post: &Post, now: DateTime<Utc>) -> Result<Post, Refusal> {
    refuse_unseen(post)?;
    refuse_started(post)?;
    let mut post = Post { approval_state: None, ..post.clone() };
    settle(&mut post, now);
    post.touch(now);
    Ok(post)
}

/// Stores what a client says of a post. What has waited for an approval is due at once.
///
/// # Errors
/// `not_found` when it was shown to nobody; `already_started` once it has begun to go out.
pub fn record_decision(post: &Post, verdict: Verdict, now: DateTime<Utc>) -> Result<Post, Refusal> {
    refuse_unseen(post)?;
    refuse_started(post)?;
    let mut post = Post { approval_state: Some(verdict.state()), ..post.clone() };
    settle(&mut post, now);
    post.touch(now);
    Ok(post)
}

/// Asks the client again when what they saw has changed.
pub fn reset_approval(before: &Post, after: &mut Post) {
    if after.approval_state.is_some() && content_fingerprint(before) != content_fingerprint(after) {
        after.approval_state = Some(ApprovalState::Pending);
    }
    restate(after);
}

/// What a target whose time has come waits for: its client, unless its post is approved.
fn awaiting(post: &Post) -> WaitReason {
    let can_change = matches!(post.status, PostStatus::Draft | PostStatus::Scheduled);
    let reason = match post.approval_state {
        Some(ApprovalState::Pending) => {
            "The client has not approved this post yet; it goes out once they have. `scheduler approvals` makes a new link for them, or withdraws it, and then it goes out without."
        }
        Some(ApprovalState::Changes) if !can_change => {
            "The client has asked for changes, and a post that has begun to go out cannot change any more: delete it, and what waits is canceled, or withdraw the link with `scheduler approvals`, and it goes out as it is."
        }
        Some(ApprovalState::Changes) => {
            "The client has asked for changes: change the post, and they are asked again under the same link, or withdraw the link with `scheduler approvals`, and it goes out as it is."
        }
        Some(ApprovalState::Approved) | None => match post.review {
            Some(Review::Pending) => {
                "Somebody else than who has written this post has to approve it, in the pages or by the API; it goes out once they have."
            }
            Some(Review::Approved { .. }) | None => return WaitReason::Time,
        },
    };
    WaitReason::Approval(AwaitingApproval { reason: reason.to_owned() })
}

/// Says anew why targets wait.
fn restate(post: &mut Post) {
    let reason = awaiting(post);
    for waiting in waiting_for_client(post) {
        waiting.reason.clone_from(&reason);
    }
}

/// Makes what has waited for an approval due now, where no other is missing; else says anew why it
/// waits.
pub(super) fn settle(post: &mut Post, now: DateTime<Utc>) {
    if matches!(post.approval(), Some(ApprovalState::Pending | ApprovalState::Changes)) {
        return restate(post);
    }
    for waiting in waiting_for_client(post) {
        waiting.reason = WaitReason::Time;
        waiting.due_at = now;
    }
}

fn waiting_for_client(post: &mut Post) -> impl Iterator<Item = &mut Waiting> {
    post.targets.iter_mut().filter_map(|target| match &mut target.stage {
        Stage::Waiting(waiting) if matches!(waiting.reason, WaitReason::Approval(_)) => {
            Some(waiting)
        }
        _ => None,
    })
}

fn refuse_unseen(post: &Post) -> Result<(), Refusal> {
    if post.approval_state.is_none() {
        return Err(NotFound::LinkOfPost.into());
    }
    Ok(())
}

fn refuse_started(post: &Post) -> Result<(), Refusal> {
    if is_open_to_client(post) {
        return Ok(());
    }
    let refusal = match post.status {
        PostStatus::Draft | PostStatus::Scheduled | PostStatus::Publishing => {
            PostRefusal::ApprovalTooLate
        }
        PostStatus::Done | PostStatus::Canceled => PostRefusal::NothingToApprove(post.status),
    };
    Err(refusal.into())
}

#[cfg(test)]
#[path = "approval_tests.rs"]
mod tests;
