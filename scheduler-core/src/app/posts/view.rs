//! Posts as callers see them.

use std::collections::BTreeSet;

use crate::app::Scheduler;
use crate::error::{AppError, Refusal, Resource};
use crate::ids::{TargetId, WorkspaceId};
use crate::post::{LiveRights, Post, PostView, TargetView};

impl Scheduler {
    /// A post as callers see it.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn post_view(&self, post: &Post) -> Result<PostView, AppError> {
        let rights = self.live_rights(std::slice::from_ref(post)).await?;
        Ok(PostView::new(post, &rights))
    }

    /// Posts of one workspace as callers see them.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn post_views(&self, posts: Vec<Post>) -> Result<Vec<PostView>, AppError> {
        let rights = self.live_rights(&posts).await?;
        // Each post is freed once its view is made: a page of the largest posts is held once.
        Ok(posts.into_iter().map(|post| PostView::new(&post, &rights)).collect())
    }

    /// A target of a post as callers see it.
    ///
    /// # Errors
    /// `not_found` when the post has no such target.
    pub async fn target_view(&self, post: &Post, id: TargetId) -> Result<TargetView, AppError> {
        let target = post.target(id).ok_or_else(|| Refusal::not_found(Resource::Target))?;
        let rights = self.live_rights(std::slice::from_ref(post)).await?;
        Ok(TargetView::new(target, &rights))
    }

    /// What may be done with live posts of one workspace. Accounts are read only where one of the
    /// posts is live on a network where their permissions decide.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub(in crate::app) async fn live_rights(&self, posts: &[Post]) -> Result<LiveRights, AppError> {
        let mut rights = LiveRights::at(self.ports.clock.now());
        let workspaces: BTreeSet<WorkspaceId> = posts
            .iter()
            .filter(|post| post.targets.iter().any(LiveRights::depend_on_account))
            .map(|post| post.workspace_id)
            .collect();
        for workspace in workspaces {
            let accounts = self.store().accounts(workspace).await?;
            let barred = accounts.iter().filter(|account| !account.can_delete_remote());
            rights.barred.extend(barred.map(|account| account.id));
        }
        Ok(rights)
    }
}
