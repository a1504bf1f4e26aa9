//! Posts as callers see them.

use std::collections::BTreeSet;

use crate::app::Scheduler;
use crate::error::{AppError, Refusal, RefusalKind, Resource};
use crate::ids::{TargetId, WorkspaceId};
use crate::post::{LiveRights, Post, PostStatus, PostView, TargetView};
use crate::rules::ValidationIssue;
use crate::target::Target;

impl Scheduler {
    /// A post as callers see it, with what the rules say of it.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn post_view(&self, post: &Post) -> Result<PostView, AppError> {
        let rights = self.live_rights(std::slice::from_ref(post)).await?;
        let issues = Some(self.current_issues(post).await?);
        Ok(PostView { issues, ..PostView::new(post, &rights) })
    }

    /// What the rules say of a post that has not begun to go out.
    async fn current_issues(&self, post: &Post) -> Result<Vec<ValidationIssue>, AppError> {
        if !matches!(post.status, PostStatus::Draft | PostStatus::Scheduled) {
            return Ok(Vec::new());
        }
        let accounts = self.connected_accounts(post.workspace_id).await?;
        let account_of = |target: &Target| accounts.iter().find(|one| one.id == target.account_id);
        let targets: Vec<_> =
            post.targets.iter().map(|target| (target, account_of(target))).collect();
        let zone = self.zone_for_rules(post.workspace_id).await?;
        let files = self.files_of(post).await?;
        Ok(self.issues_of(post, &targets, zone, &files))
    }

    /// Refuses a change of a post that has another revision than one of those that the caller
    /// names, which all of them are when it names none.
    ///
    /// # Errors
    /// `stale` with the post as it is now.
    pub(in crate::app) async fn refuse_stale(
        &self,
        post: &Post,
        expected: Option<&[i64]>,
    ) -> Result<(), AppError> {
        if expected.is_none_or(|revisions| revisions.contains(&post.revision)) {
            return Ok(());
        }
        let current = Box::new(self.post_view(post).await?);
        Err(Refusal::from(RefusalKind::Stale(current)).into())
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
