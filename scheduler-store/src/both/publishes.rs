//! What a publish reads, and what becomes of its post.

use chrono::{DateTime, Utc};
use scheduler_core::ids::TargetId;
use scheduler_core::ports::{Claim, PublishContext};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::reading::next_due;
use scheduler_core::target::{Target, TargetStatus};

use super::Connection;
use super::posts::read;
use crate::error::Failure;
use crate::rows::account::{OpenAccountRow, account_columns, credentials_columns};
use crate::sealing::Sealer;

const ACCOUNT: &str = concat!(
    "SELECT ",
    account_columns!(),
    ", ",
    credentials_columns!(),
    " FROM accounts a WHERE a.id = $1"
);
/// Reads what a publish needs; `None` when the claim is not the current one.
pub(super) async fn context(
    connection: &mut Connection,
    claim: &Claim,
    sealer: &Sealer,
) -> Result<Option<PublishContext>, Failure> {
    let Some(post) = read::by_claim(connection, claim).await? else { return Ok(None) };
    let target_id = TargetId(claim.subject);
    let Some(target) = post.target(target_id) else { return Ok(None) };
    let row: Option<OpenAccountRow> =
        sqlx::query_as(ACCOUNT).bind(target.account_id.0).fetch_optional(connection).await?;
    let Some(row) = row else { return Ok(None) };
    let credentials = row.credentials.open(row.account.id, sealer)?;
    let account = row.account.read()?;
    Ok(Some(PublishContext { post, target_id, account, credentials }))
}

/// The post as its changed target leaves it.
pub(crate) fn after_target(stored: &Post, target: &Target, at: DateTime<Utc>) -> Post {
    let has_moved = stored.target(target.id).is_some_and(|old| old.status != target.status);
    let mut post = stored.clone();
    if let Some(slot) = post.targets.iter_mut().find(|other| other.id == target.id) {
        let options = std::mem::take(&mut slot.options);
        *slot = Target { options, ..target.clone() };
    }
    if has_moved {
        post.version += 1;
        post.updated_at = at;
        // The other two are a person's decisions.
        if !matches!(post.status, PostStatus::Draft | PostStatus::Canceled) {
            post.status = PostStatus::of_targets(&post.targets);
        }
    }
    post
}

/// When the figures of a target are read for the first time; `None` when it does not go live by
/// this change.
pub(crate) fn first_reading(stored: &Post, target: &Target) -> Option<DateTime<Utc>> {
    let goes_live = target.status == TargetStatus::Published
        && stored.target(target.id).is_some_and(|old| old.status != target.status);
    let published_at = target.published_at.filter(|_| goes_live)?;
    next_due(published_at, published_at)
}
