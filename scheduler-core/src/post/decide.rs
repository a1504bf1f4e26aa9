//! Pure decisions on a post: what a command makes of it, or why not.
//!
//! Nothing here is stored. A use case reads a post, decides, and has the result stored against
//! the version that was read; when another was faster, it reads and decides again.

mod approval;
mod review;

use chrono::{DateTime, NaiveDateTime, Utc};

use super::{Post, PostEvent, PostRefused, PostStatus};
use crate::account::Account;
use crate::error::{Invalid, PostRefusal, Refusal, Resource};
use crate::ids::{AccountId, TargetId};
use crate::platform::CAPTION;
use crate::ports::{LivePost, RemoteEdit};
use crate::target::{Failure, Target, TargetRefused, TargetStatus};
use crate::timing::{PAST_TOLERANCE, Zone};

pub use approval::{
    APPROVAL_LOOK, content_fingerprint, defer_until_approved, is_open_to_client, is_withheld,
    record_decision, request_approval, reset_approval, withdraw,
};
pub use review::{approve, approver, ask_for_review, review_asked, rewritten};

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
        PostStatus::Publishing if changes_targets => Err(PostRefusal::TargetsLocked.into()),
        PostStatus::Publishing => Err(PostRefusal::Started.into()),
        PostStatus::Done | PostStatus::Canceled => Err(PostRefusal::Ended(post.status).into()),
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
pub(super) fn planned_at(post: &Post, target: &Target) -> Option<DateTime<Utc>> {
    post.scheduled_at.filter(|_| target.waits_for_approval()).or(target.due_at())
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
/// #     status: PostStatus::Scheduled, scheduled_at: Some(now), targets: vec![target],
/// #     ..Post::new(PostId(Uuid::nil()), WorkspaceId(Uuid::nil()), now)
/// # };
/// use scheduler_core::post::decide::{Deletion, delete};
///
/// // `post` is scheduled, and none of its targets has started.
/// let Deletion::Cancel(canceled) = delete(&post, now)? else { panic!("it is kept, cancelled") };
/// assert_eq!(canceled.status, PostStatus::Canceled);
/// assert_eq!(canceled.targets[0].status().as_str(), "skipped");
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
            let is_pending = |target: &Target| target.status() == TargetStatus::Pending;
            post.targets = moved(post.targets, is_pending, Target::cancel)?;
            post.status = post.status.transition(PostEvent::Canceled).map_err(refused_post)?;
            post.touch(now);
            Ok(Deletion::Cancel(Box::new(post)))
        }
    }
}

/// Cancels what is still to go out by an account, and the post where nothing else of it goes out;
/// `None` where nothing is.
///
/// # Errors
/// `in_flight` while the target of the account is going out.
pub fn cancel_account(
    post: &Post,
    account: AccountId,
    now: DateTime<Utc>,
) -> Result<Option<Post>, Refusal> {
    let is_meant = |target: &Target| target.account_id == account;
    if post.targets.iter().any(|one| is_meant(one) && one.status() == TargetStatus::Publishing) {
        return Err(PostRefusal::InFlight.into());
    }
    cancel_where(post, is_meant, now)
}

/// Cancels what is still to go out, and leaves what is going out; `None` where nothing waits.
pub(crate) fn cancel_waiting(post: &Post, now: DateTime<Utc>) -> Result<Option<Post>, Refusal> {
    cancel_where(post, |_| true, now)
}

/// Cancels what waits of the targets that are meant, and the post where nothing else of it goes out.
fn cancel_where(
    post: &Post,
    is_meant: impl Fn(&Target) -> bool,
    now: DateTime<Utc>,
) -> Result<Option<Post>, Refusal> {
    let waits = |target: &Target| is_meant(target) && target.status() == TargetStatus::Pending;
    let is_to_come = matches!(post.status, PostStatus::Scheduled | PostStatus::Publishing);
    if !is_to_come || !post.targets.iter().any(waits) {
        return Ok(None);
    }
    let mut canceled = post.clone();
    canceled.targets = moved(canceled.targets, waits, Target::cancel)?;
    let is_skipped = |target: &Target| target.status() == TargetStatus::Skipped;
    if canceled.targets.iter().all(is_skipped) {
        canceled.status = post.status.transition(PostEvent::Canceled).map_err(refused_post)?;
    } else if post.status == PostStatus::Publishing {
        canceled.status = PostStatus::of_targets(&canceled.targets);
    }
    canceled.touch(now);
    Ok(Some(canceled))
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
/// #     status: PostStatus::Scheduled, scheduled_at: Some(now), targets: vec![target],
/// #     ..Post::new(PostId(Uuid::nil()), WorkspaceId(Uuid::nil()), now)
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
    retry_some(post, now, |_| true)
}

/// The targets that have failed.
#[must_use]
pub fn failed_targets(post: &Post) -> Vec<&Target> {
    post.targets.iter().filter(|target| target.status() == TargetStatus::Failed).collect()
}

/// Does what [`retry`] does, with those of the failed targets that are meant.
///
/// # Errors
/// Those of [`retry`]; `nothing_to_retry` also when none that failed is meant.
pub fn retry_some(
    post: &Post,
    now: DateTime<Utc>,
    is_meant: impl Fn(&Target) -> bool,
) -> Result<Post, Refusal> {
    refuse_in_flight(post)?;
    let mut post = post.clone();
    let has_failed = |target: &Target| target.status() == TargetStatus::Failed && is_meant(target);
    if !post.targets.iter().any(&has_failed) {
        return Err(PostRefusal::NothingToRetry.into());
    }
    post.targets = moved(post.targets, has_failed, |target| target.retry(now))?;
    let retried = post.status.transition(PostEvent::Retried);
    post.status = retried.map_err(|refused| PostRefusal::CannotGoOut(refused.from))?;
    post.touch(now);
    Ok(post)
}

/// Writes down that a target is live of which that was not known: a person has found it.
///
/// # Errors
/// `not_found` when the post has no such target; `in_flight` while one of its targets is going out;
/// `already_started` when it is known whether it is live.
pub fn found_live(
    post: &Post,
    id: TargetId,
    link: String,
    now: DateTime<Utc>,
) -> Result<Post, Refusal> {
    let target = post.target(id).ok_or_else(|| Refusal::not_found(Resource::Target))?;
    if !target.failure().is_some_and(Failure::is_in_doubt) {
        return Err(PostRefusal::TargetStarted(target.status()).into());
    }
    refuse_in_flight(post)?;
    let mut post = post.clone();
    let found = |target: Target| target.found(link.clone(), now);
    post.targets = moved(post.targets, |target| target.id == id, found)?;
    post.touch(now);
    Ok(post)
}

/// Refuses to move a target that goes out or has ended, whatever account it is to go to.
///
/// # Errors
/// `already_started`.
pub fn refuse_started(target: &Target) -> Result<(), Refusal> {
    match target.status() {
        TargetStatus::Pending | TargetStatus::Failed => Ok(()),
        status @ (TargetStatus::Publishing | TargetStatus::Published | TargetStatus::Skipped) => {
            Err(PostRefusal::TargetStarted(status).into())
        }
    }
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
        .ok_or_else(|| Refusal::not_found(Resource::Target))?;
    let target = &post.targets[index];
    refuse_started(target)?;
    if account.platform != target.platform {
        let problem = Invalid::OtherNetwork { account: account.platform, target: target.platform };
        return Err(Refusal::invalid("accountId", problem));
    }
    if account.id == target.account_id {
        return Ok(post);
    }
    if post.targets.iter().any(|other| other.account_id == account.id) {
        return Err(Refusal::invalid("accountId", Invalid::AccountTaken));
    }
    if let Some(progress) = target.progress() {
        let sheet = target.platform.sheet();
        if sheet.keeps_uploads {
            return Err(PostRefusal::Stored(target.platform).into());
        }
        let is_in_doubt = target.failure().is_some_and(Failure::is_in_doubt);
        if progress.open.is_some() && !is_in_doubt {
            return Err(PostRefusal::Unsettled.into());
        }
    }
    let target = &mut post.targets[index];
    target.account_id = account.id;
    target.begin_anew();
    target.revision += 1;
    reset_approval(before, &mut post);
    post.touch(now);
    Ok(post)
}

/// Refuses what is only done with a live post.
///
/// # Errors
/// `not_found` when the post has no such target; `not_published` when it is not live.
pub fn check_live(post: &Post, id: TargetId) -> Result<LivePost, Refusal> {
    let target = post.target(id).ok_or_else(|| Refusal::not_found(Resource::Target))?;
    LivePost::of(post, id).ok_or_else(|| PostRefusal::NotLive(target.status()).into())
}

/// Writes down that a live target was taken down. Its record stays; what was to follow does not.
///
/// # Errors
/// `not_found` when the post has no such target; `not_published` when it is not live. Source:
/// interface description, DELETE /posts/{id}/targets/{targetId}/remote.
pub fn take_down(post: &Post, id: TargetId, now: DateTime<Utc>) -> Result<Post, Refusal> {
    check_live(post, id)?;
    let mut post = post.clone();
    post.targets = moved(post.targets, |target| target.id == id, Target::take_down)?;
    post.touch(now);
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
    post.touch(now);
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
        let problem = Invalid::PastLocal { local, account: account.label(), zone };
        return Err(Refusal::invalid("scheduledLocal", problem));
    }
    Ok(at.max(now))
}

fn refuse_in_flight(post: &Post) -> Result<(), Refusal> {
    if post.is_in_flight() {
        return Err(PostRefusal::InFlight.into());
    }
    Ok(())
}

/// Targets after a move of some of them.
fn moved(
    targets: Vec<Target>,
    is_meant: impl Fn(&Target) -> bool,
    step: impl Fn(Target) -> Result<Target, TargetRefused>,
) -> Result<Vec<Target>, Refusal> {
    let targets = targets.into_iter();
    let moved = targets.map(|target| if is_meant(&target) { step(target) } else { Ok(target) });
    moved.collect::<Result<_, _>>().map_err(refused_target)
}

fn refused_post(refused: PostRefused) -> Refusal {
    PostRefusal::NoSuchMove(refused).into()
}

fn refused_target(refused: TargetRefused) -> Refusal {
    PostRefusal::NoSuchTargetMove(refused).into()
}

#[cfg(test)]
#[path = "decide_tests.rs"]
mod tests;
