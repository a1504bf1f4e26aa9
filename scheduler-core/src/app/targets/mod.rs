//! Single targets of a post, most of all once they are live.

mod change_account;
mod comments;
mod edit;
mod insights;
mod metrics;
mod settle;
mod take_down;
mod take_down_post;

pub use change_account::AccountChoice;
pub use comments::{CommentInput, CommentOutcome, CommentsView};
pub use edit::EditInput;
pub use insights::InsightsView;
pub use metrics::READINGS_MAX;
pub use take_down_post::{TakeDownReport, TakeDownResult, TakenDown};

use crate::account::Account;
use crate::error::{AccountRefusal, AppError, Refusal, Resource, Unsupported};
use crate::ids::{AccountId, PostId, TargetId};
use crate::platform::Platform;
use crate::ports::LivePost;
use crate::post::{Post, decide};

use super::{Caller, Scheduler};

/// A live target, with everything that acting on it needs.
struct LiveTarget {
    post: Post,
    live: LivePost,
    platform: Platform,
    account_id: AccountId,
}

impl Scheduler {
    /// The live target of a post of the caller's workspace.
    ///
    /// # Errors
    /// `not_found`; `not_published` when it is not live.
    async fn live_target(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
    ) -> Result<LiveTarget, AppError> {
        Ok(Self::live_target_of(self.post_of(caller, post_id).await?, target_id)?)
    }

    /// The live target of a post.
    ///
    /// # Errors
    /// `not_found`; `not_published` when it is not live.
    fn live_target_of(post: Post, target_id: TargetId) -> Result<LiveTarget, Refusal> {
        let live = decide::check_live(&post, target_id)?;
        let target = post.target(target_id).ok_or_else(|| Refusal::not_found(Resource::Target))?;
        let (platform, account_id) = (target.platform, target.account_id);
        Ok(LiveTarget { post, live, platform, account_id })
    }

    /// The account of a target.
    ///
    /// # Errors
    /// `account_not_connected` when its record is gone.
    async fn account_of(&self, caller: &Caller, id: AccountId) -> Result<Account, AppError> {
        let account = self.store().account(caller.workspace.id, id).await?;
        Ok(account.ok_or(AccountRefusal::Gone)?)
    }
}

/// The refusal of what a network does not offer.
pub(in crate::app) fn not_offered(platform: Platform, what: &'static str) -> Refusal {
    Unsupported::Operation { platform, what }.into()
}
