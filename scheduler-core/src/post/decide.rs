//! Pure decisions on a post: what a command makes of it, or why not.
//!
//! Nothing here is stored. A use case reads a post, decides, and has the result stored against
//! the version that was read; when another was faster, it reads and decides again.

mod approval;

use chrono::{DateTime, NaiveDateTime, Utc};

use super::{Post, PostEvent, PostRefused, PostStatus};
use crate::account::Account;
use crate::error::{ErrorCode, Refusal};
use crate::ids::TargetId;
use crate::platform::CAPTION;
use crate::ports::{LivePost, RemoteEdit};
use crate::target::{
    Failure, Spent, Target, TargetEvent, TargetRefused, TargetStatus, WhenUnknown,
};
use crate::timing::{PAST_TOLERANCE, Zone, format_local};

pub use approval::{
    APPROVAL_LOOK, answer, ask_again, is_open_to_client, is_withheld, offer, seen, withdraw,
    withhold,
};

/// What becomes of a post that a person deletes.
#[derive(Clone, Debug, PartialEq)]
pub enum Deletion {
    /// Its record goes away.
    Remove,
    /// It stays as canceled; this is what it looks like then.
    Cancel(Box<Post>),
}

/// Refuses a change of a post that has begun to go out.
///
/// # Errors
/// `targets_locked` when targets are to change and one has begun to go out, else
/// `already_started`. Source: interface description, PATCH /posts/{id}.
pub fn check_changeable(post: &Post, changes_targets: bool) -> Result<(), Refusal> {
    match post.status {
        PostStatus::Draft | PostStatus::Scheduled => Ok(()),
        PostStatus::Publishing if changes_targets => Err(Refusal::new(
            ErrorCode::TargetsLocked,
            "A target of this post has begun to go out; its targets cannot change any more.",
        )),
        PostStatus::Publishing => Err(Refusal::new(
            ErrorCode::AlreadyStarted,
            "This post has begun to go out and cannot change any more.",
        )),
        PostStatus::Done | PostStatus::Canceled => Err(Refusal::new(
            ErrorCode::AlreadyStarted,
            format!("This post is {} and cannot change any more.", post.status.as_str()),
        )),
    }
}

/// Gives a post its targets with their times and the status that follows.
///
/// A post whose targets have times is scheduled, one without is a draft.
///
/// # Errors
/// `already_started` when the post is in a state that allows neither.
pub fn place(post: &mut Post, targets: Vec<Target>) -> Result<(), Refusal> {
    let scheduled_at = targets.iter().filter_map(|target| planned_at(post, target)).min();
    let event = match (post.status, scheduled_at) {
        (PostStatus::Draft, Some(_)) => Some(PostEvent::TimeGiven),
        (PostStatus::Scheduled, None) => Some(PostEvent::Parked),
        _ => None,
    };
    if let Some(event) = event {
        post.status = post.status.transition(event).map_err(refused_post)?;
    }
    post.scheduled_at = scheduled_at;
    post.targets = targets;
    Ok(())
}

/// When a target is to go out; of one that waits for its client, and is due for the next look at
/// that, when the post was to.
fn planned_at(post: &Post, target: &Target) -> Option<DateTime<Utc>> {
    post.scheduled_at.filter(|_| target.waits_for_client()).or(target.due_at)
}

/// Decides what a deletion does.
///
/// ```
/// # use scheduler_core::ids::{AccountId, PostId, TargetId, WorkspaceId};
/// # use scheduler_core::platform::Platform;
/// # use scheduler_core::post::{Post, PostStatus};
/// # use scheduler_core::target::Target;
/// # use uuid::Uuid;
/// # let now: chrono::DateTime<chrono::Utc> = "2026-12-01T09:00:00Z".parse()?;
/// # let target = Target::new(
/// #     TargetId(Uuid::nil()), Platform::Bluesky, AccountId(Uuid::nil()), Default::default(),
/// #     Some(now), None,
/// # );
/// # let post = Post {
/// #     id: PostId(Uuid::nil()), workspace_id: WorkspaceId(Uuid::nil()),
/// #     status: PostStatus::Scheduled, content: "Hello".to_owned(), link_url: None,
/// #     media_ids: Vec::new(), alt_texts: Vec::new(), scheduled_at: Some(now),
/// #     approval_state: None, created_at: now, updated_at: now, idempotency_key: None, version: 1,
/// #     targets: vec![target],
/// # };
/// use scheduler_core::post::decide::{Deletion, delete};
///
/// // `post` is scheduled, and none of its targets has started.
/// let Deletion::Cancel(canceled) = delete(&post, now)? else { panic!("it is kept, cancelled") };
/// assert_eq!(canceled.status, PostStatus::Canceled);
/// assert_eq!(canceled.targets[0].status.as_str(), "skipped");
/// assert!(matches!(delete(&canceled, now)?, Deletion::Remove));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `in_flight` while a target is going out. Source: interface description, DELETE /posts/{id}.
pub fn delete(post: &Post, now: DateTime<Utc>) -> Result<Deletion, Refusal> {
    match post.status {
        PostStatus::Draft | PostStatus::Done | PostStatus::Canceled => Ok(Deletion::Remove),
        PostStatus::Scheduled | PostStatus::Publishing => {
            refuse_in_flight(post)?;
            let mut post = post.clone();
            for target in &mut post.targets {
                if target.status == TargetStatus::Pending {
                    step(target, TargetEvent::Cancel)?;
                    target.reschedule(None, None);
                }
            }
            post.status = post.status.transition(PostEvent::Canceled).map_err(refused_post)?;
            post.updated_at = now;
            Ok(Deletion::Cancel(Box::new(post)))
        }
    }
}

/// Makes every failed target due again, now, with a fresh retry budget.
///
/// A target that failed because nobody could tell whether it is live is looked up once more, and
/// sent again when that tells nothing: the person was told to look before asking for this.
///
/// ```
/// # use scheduler_core::ids::{AccountId, PostId, TargetId, WorkspaceId};
/// # use scheduler_core::platform::Platform;
/// # use scheduler_core::post::{Post, PostStatus};
/// # use scheduler_core::target::Target;
/// # use uuid::Uuid;
/// # let now: chrono::DateTime<chrono::Utc> = "2026-12-01T09:00:00Z".parse()?;
/// # let target = Target::new(
/// #     TargetId(Uuid::nil()), Platform::Bluesky, AccountId(Uuid::nil()), Default::default(),
/// #     Some(now), None,
/// # );
/// # let post = Post {
/// #     id: PostId(Uuid::nil()), workspace_id: WorkspaceId(Uuid::nil()),
/// #     status: PostStatus::Scheduled, content: "Hello".to_owned(), link_url: None,
/// #     media_ids: Vec::new(), alt_texts: Vec::new(), scheduled_at: Some(now),
/// #     approval_state: None, created_at: now, updated_at: now, idempotency_key: None, version: 1,
/// #     targets: vec![target],
/// # };
/// use scheduler_core::error::ErrorCode;
/// use scheduler_core::post::decide::retry;
///
/// // None of the targets of `post` has failed.
/// let refusal = retry(&post, now).unwrap_err();
/// assert_eq!(refusal.code, ErrorCode::NothingToRetry);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `in_flight` while a target is going out, `nothing_to_retry` when none failed,
/// `already_started` when the post was cancelled. Source: interface description,
/// POST /posts/{id}/retry.
pub fn retry(post: &Post, now: DateTime<Utc>) -> Result<Post, Refusal> {
    refuse_in_flight(post)?;
    let mut post = post.clone();
    let mut any = false;
    for target in &mut post.targets {
        if target.status != TargetStatus::Failed {
            continue;
        }
        any = true;
        step(target, TargetEvent::Retry)?;
        let was_in_doubt = target.failure.take().is_some_and(|failure| failure.is_in_doubt());
        if let Some(open) = target.progress.as_mut().and_then(|progress| progress.open.as_mut()) {
            open.when_unknown =
                if was_in_doubt { WhenUnknown::SendAgain } else { WhenUnknown::Ask };
        }
        target.due_at = Some(now);
        target.spent = Spent::NOTHING;
    }
    if !any {
        return Err(Refusal::new(ErrorCode::NothingToRetry, "No target of this post has failed."));
    }
    post.status = post.status.transition(PostEvent::Retried).map_err(|refused| {
        let message = format!("This post is {} and cannot go out any more.", refused.from.as_str());
        Refusal::new(ErrorCode::AlreadyStarted, message)
    })?;
    post.updated_at = now;
    Ok(post)
}

/// Refuses to move a target that goes out or has ended, whatever account it is to go to.
///
/// # Errors
/// `already_started`.
pub fn refuse_started(target: &Target) -> Result<(), Refusal> {
    let message = match target.status {
        TargetStatus::Pending | TargetStatus::Failed => return Ok(()),
        TargetStatus::Publishing => "The target is going out at this moment.",
        TargetStatus::Published => "The target has gone out.",
        TargetStatus::Skipped => "The target was cancelled or taken down.",
    };
    Err(Refusal::new(ErrorCode::AlreadyStarted, message))
}

/// Points a target at another account of the same network.
///
/// A pending target keeps its time and gives up its slot; a failed one stays failed until it is
/// retried, and then begins anew.
///
/// # Errors
/// `not_found` when the post has no such target; `invalid_request` for an account of another
/// network or one that the post goes to already; `already_started` while the target is going out,
/// after it went out, or while it is unknown whether it did; `video_on_youtube` when YouTube has
/// begun to store its video.
pub fn move_target(
    post: &Post,
    id: TargetId,
    account: &Account,
    now: DateTime<Utc>,
) -> Result<Post, Refusal> {
    let before = post;
    let mut post = post.clone();
    let index = post
        .targets
        .iter()
        .position(|target| target.id == id)
        .ok_or_else(|| Refusal::not_found("target"))?;
    let target = &post.targets[index];
    refuse_started(target)?;
    if account.platform != target.platform {
        return Err(Refusal::invalid(
            "accountId",
            format!(
                "The account is of {}, the target is of {}.",
                account.platform, target.platform
            ),
        ));
    }
    if account.id == target.account_id {
        return Ok(post);
    }
    if post.targets.iter().any(|other| other.account_id == account.id) {
        return Err(Refusal::invalid("accountId", "The post goes to this account already."));
    }
    if let Some(progress) = &target.progress {
        let sheet = target.platform.sheet();
        if sheet.keeps_uploads {
            let message = format!(
                "{} has begun to store the video of this target; moving it would upload it twice.",
                sheet.name
            );
            return Err(Refusal::new(ErrorCode::VideoOnYoutube, message));
        }
        let is_in_doubt = target.failure.as_ref().is_some_and(Failure::is_in_doubt);
        if progress.open.is_some() && !is_in_doubt {
            let message = "It is not yet known whether the last attempt went out.";
            return Err(Refusal::new(ErrorCode::AlreadyStarted, message));
        }
    }
    let target = &mut post.targets[index];
    target.account_id = account.id;
    target.slot_at = None;
    target.progress = None;
    target.remote = None;
    target.revision += 1;
    ask_again(before, &mut post);
    post.updated_at = now;
    Ok(post)
}

/// Refuses what is only done with a live post.
///
/// # Errors
/// `not_found` when the post has no such target; `not_published` when it is not live.
pub fn check_live(post: &Post, id: TargetId) -> Result<LivePost, Refusal> {
    let target = post.target(id).ok_or_else(|| Refusal::not_found("target"))?;
    LivePost::of(post, id).ok_or_else(|| {
        let is = match target.status {
            TargetStatus::Pending => "waits for its time",
            TargetStatus::Publishing => "is going out at this moment",
            TargetStatus::Published => "is live, but its network has not told its id",
            TargetStatus::Failed => "has failed",
            TargetStatus::Skipped => "was cancelled or taken down",
        };
        Refusal::new(ErrorCode::NotPublished, format!("This needs a live post; the target {is}."))
    })
}

/// Writes down that a live target was taken down. Its record stays; what was to follow does not.
///
/// # Errors
/// `not_found` when the post has no such target; `not_published` when it is not live. Source:
/// interface description, DELETE /posts/{id}/targets/{targetId}/remote.
pub fn take_down(post: &Post, id: TargetId, now: DateTime<Utc>) -> Result<Post, Refusal> {
    check_live(post, id)?;
    let mut post = post.clone();
    for target in post.targets.iter_mut().filter(|target| target.id == id) {
        step(target, TargetEvent::TakeDown)?;
        target.due_at = None;
        target.progress = None;
    }
    post.updated_at = now;
    Ok(post)
}

/// Writes down what became of a live target by an edit: its options say what is live now.
///
/// # Errors
/// `not_found` when the post has no such target; `not_published` when it is not live.
pub fn edit_live(
    post: &Post,
    id: TargetId,
    edit: &RemoteEdit,
    now: DateTime<Utc>,
) -> Result<Post, Refusal> {
    check_live(post, id)?;
    let mut post = post.clone();
    for target in post.targets.iter_mut().filter(|target| target.id == id) {
        // The option that comes before every other text of the network.
        let text = match target.platform.sheet().option("description") {
            Some(option) => option.key,
            None => CAPTION.key,
        };
        let set = [(text, &edit.content), ("title", &edit.title)];
        for (key, value) in set {
            if let Some(value) = value {
                target.options.insert(key.to_owned(), value.as_str().into());
            }
        }
    }
    post.updated_at = now;
    Ok(post)
}

/// The instant at which an account's wall clock shows `local`.
///
/// # Errors
/// `invalid_request` naming account and zone when that has passed by more than a minute.
pub fn local_due_at(
    local: NaiveDateTime,
    account: &Account,
    zone: Zone,
    now: DateTime<Utc>,
) -> Result<DateTime<Utc>, Refusal> {
    let at = zone.instant(local);
    if at < now - PAST_TOLERANCE {
        return Err(Refusal::invalid(
            "scheduledLocal",
            format!("{} is in the past for {} in {zone}.", format_local(local), account.label()),
        ));
    }
    Ok(at.max(now))
}

fn refuse_in_flight(post: &Post) -> Result<(), Refusal> {
    if post.is_in_flight() {
        return Err(Refusal::new(
            ErrorCode::InFlight,
            "A target of this post is going out at this moment; try again when it has ended.",
        ));
    }
    Ok(())
}

fn step(target: &mut Target, event: TargetEvent) -> Result<(), Refusal> {
    target.status = target.status.transition(event).map_err(refused_target)?;
    Ok(())
}

fn refused_post(refused: PostRefused) -> Refusal {
    Refusal::new(ErrorCode::AlreadyStarted, format!("This is not possible: {refused}."))
}

fn refused_target(refused: TargetRefused) -> Refusal {
    Refusal::new(ErrorCode::AlreadyStarted, format!("This is not possible: {refused}."))
}

#[cfg(test)]
#[path = "decide_tests.rs"]
mod tests;
