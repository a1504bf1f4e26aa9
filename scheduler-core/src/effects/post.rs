//! What becomes of a post and its targets.

use chrono::{DateTime, Utc};

use crate::post::{Post, PostStatus};
use crate::reading::next_due;
use crate::target::{Target, TargetStatus};

/// The post as it is stored when one of its targets is recorded at `at`.
///
/// The target keeps its options and its reading, which others may have changed since it was read.
/// Where its status has changed, so has the post: it gets the status that its targets make,
/// another version and another time of change. A draft and a canceled post stay what they are;
/// that is a person's decision.
#[must_use]
pub fn after_target(stored: &Post, target: &Target, at: DateTime<Utc>) -> Post {
    let has_moved = stored.target(target.id).is_some_and(|old| old.status() != target.status());
    let mut post = stored.clone();
    if let Some(slot) = post.targets.iter_mut().find(|other| other.id == target.id) {
        let (options, reading) = (std::mem::take(&mut slot.options), slot.reading.take());
        *slot = Target { options, reading, ..target.clone() };
    }
    if has_moved {
        post.version += 1;
        post.updated_at = at;
        if !matches!(post.status, PostStatus::Draft | PostStatus::Canceled) {
            post.status = PostStatus::of_targets(&post.targets);
        }
    }
    post
}

/// When the figures of a target are read for the first time; `None` when it does not go live by
/// this change.
#[must_use]
pub fn first_reading(stored: &Post, target: &Target) -> Option<DateTime<Utc>> {
    let goes_live = target.status() == TargetStatus::Published
        && stored.target(target.id).is_some_and(|old| old.status() != target.status());
    let published_at = target.published_at().filter(|_| goes_live)?;
    next_due(published_at, published_at)
}

/// Whether a target belongs to the holder of its work, as stored and as given alike: it is going
/// out, or is live and followed.
///
/// The holder may have written down how far it has come after the caller read it, so a save leaves
/// such a target and its work alone. `status` and `is_followed` are those of the stored target.
#[must_use]
pub fn belongs_to_holder(status: TargetStatus, is_followed: bool, given: &Target) -> bool {
    status == given.status()
        && match given.status() {
            TargetStatus::Publishing => true,
            TargetStatus::Published => is_followed || given.progress().is_some(),
            TargetStatus::Pending | TargetStatus::Failed | TargetStatus::Skipped => false,
        }
}

/// What is stored in place of a target that a caller gives and that belongs to the holder of its
/// work: what is stored, but for the options of one that is live, which are the caller's to change.
#[must_use]
pub fn kept_target(stored: &Target, given: &Target) -> Target {
    let options = match stored.status() {
        TargetStatus::Published => &given.options,
        _ => &stored.options,
    };
    Target { options: options.clone(), ..stored.clone() }
}

/// How a post moves in the count of its workspace's months: out of the first, into the second.
/// Nothing moves where both are one.
#[must_use]
pub fn moved_count<M: PartialEq>(old: Option<M>, new: Option<M>) -> (Option<M>, Option<M>) {
    if old == new { (None, None) } else { (old, new) }
}
