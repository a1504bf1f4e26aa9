//! Disconnecting an account, and what becomes of what is due for it.

use std::collections::BTreeSet;

use crate::account::Account;
use crate::app::media::file_deleted;
use crate::app::posts::too_busy;
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AccountRefusal, AppError, Refusal, Resource};
use crate::ids::{AccountId, PostId};
use crate::ports::SaveOutcome;
use crate::post::{
    LIMIT_MAX, ListFilter, ListOrder, ListQuery, LiveRights, PageQuery, Post, PostView, Window,
    decide,
};
use crate::target::Target;

/// Posts to come that are told of an account, at most.
///
/// Source: our decision.
pub const DUE_SHOWN: usize = 100;

/// What becomes of what is due for an account that is disconnected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DueChoice {
    /// It stays, and fails at its time unless the account is connected again before.
    Keep,
    /// It is cancelled.
    Cancel,
    /// It goes out through this account of the same network.
    Move(AccountId),
}

impl Scheduler {
    /// Disconnects an account: its credentials are removed, its posts stay. Returns how many posts
    /// were due for it.
    ///
    /// Where something is due for it, a choice has to be made. Posts are cancelled or moved one
    /// after the other; after an error the account is still connected, and the same call goes on.
    ///
    /// # Errors
    /// `in_use` with the number of posts that are due when no choice is made; `not_found` when it
    /// is not connected; `in_flight` while a post is going out through it; what
    /// [`decide::move_target`] refuses of a post that is moved, and `account_not_connected` or
    /// `channel_limit` for the account that takes over.
    pub async fn disconnect(
        &self,
        caller: &Caller,
        account: &Account,
        choice: Option<DueChoice>,
    ) -> Result<u64, AppError> {
        let due = self.posts_due_for(account).await?;
        let count = u64::try_from(due.len()).unwrap_or(u64::MAX);
        match choice {
            None if due.is_empty() => {}
            None => {
                return Err(
                    AccountRefusal::StillDue { account: account.label(), due: count }.into()
                );
            }
            Some(DueChoice::Keep) => {}
            Some(DueChoice::Cancel) => {
                for post in due {
                    self.cancel_for(account, post.id).await?;
                }
            }
            Some(DueChoice::Move(to)) => {
                for post in due {
                    let targets = post.targets.iter().filter(|target| is_due(target, account));
                    for target in targets {
                        self.move_target(caller, post.id, target.id, to).await?;
                    }
                }
            }
        }
        self.disconnect_account(account).await?;
        Ok(count)
    }

    /// The posts to come of which something is due for an account, soonest first, at most
    /// [`DUE_SHOWN`] of them, and how many there are: they fail once it is disconnected.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn posts_to_come(&self, account: &Account) -> Result<(Vec<PostView>, u64), AppError> {
        let mut due = self.posts_due_for(account).await?;
        let count = u64::try_from(due.len()).unwrap_or(u64::MAX);
        due.truncate(DUE_SHOWN);
        let rights = LiveRights::at(self.ports.clock.now());
        Ok((due.iter().map(|post| PostView::new(post, &rights)).collect(), count))
    }

    /// How many posts are to come of which something is due for an account, connected or not.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn due_posts(&self, account: &Account) -> Result<u64, AppError> {
        Ok(u64::try_from(self.posts_due_for(account).await?.len()).unwrap_or(u64::MAX))
    }

    /// The posts to come of which something is due for an account, soonest first.
    async fn posts_due_for(&self, account: &Account) -> Result<Vec<Post>, AppError> {
        let accounts = BTreeSet::from([account.id]);
        let mut query = ListQuery {
            workspace_id: account.workspace_id,
            status: None,
            filter: ListFilter { accounts, ..ListFilter::default() },
            window: Window::Since(account.connected_at),
            order: ListOrder::Due,
            page: PageQuery { limit: LIMIT_MAX, before: None },
        };
        let mut due = Vec::new();
        loop {
            let page = self.store().list_posts(&query).await?;
            let Some(last) = page.last() else { return Ok(due) };
            query.page.before = query.order.place(last);
            let waits = |post: &Post| post.targets.iter().any(|target| is_due(target, account));
            due.extend(page.into_iter().filter(waits));
        }
    }

    async fn cancel_for(&self, account: &Account, id: PostId) -> Result<(), AppError> {
        for _ in 0..DECIDE_ATTEMPTS {
            let Some(current) = self.store().post(account.workspace_id, id).await? else {
                return Ok(());
            };
            let now = self.ports.clock.now();
            let Some(post) = decide::cancel_account(&current, account.id, now)? else {
                return Ok(());
            };
            // Cancelling only ever gives allowance back.
            match self.store().save_post(&post, u64::MAX).await? {
                SaveOutcome::Saved | SaveOutcome::Missing => return Ok(()),
                SaveOutcome::FileDeleted => return Err(file_deleted().into()),
                SaveOutcome::Stale | SaveOutcome::SlotTaken | SaveOutcome::LimitReached => {}
            }
        }
        Err(too_busy().into())
    }

    /// Disconnects an account, whatever is due for it, which stays and fails at its time unless the
    /// account is connected again before.
    ///
    /// # Errors
    /// `not_found` when it is not connected.
    pub async fn disconnect_account(&self, account: &Account) -> Result<(), AppError> {
        let now = self.ports.clock.now();
        if self.store().disconnect_account(account.workspace_id, account.id, now).await? {
            return Ok(());
        }
        Err(Refusal::not_found(Resource::Account).into())
    }
}

/// Whether a target waits for its time at an account, or goes out through it now.
fn is_due(target: &Target, account: &Account) -> bool {
    target.account_id == account.id && !target.status().has_ended()
}
