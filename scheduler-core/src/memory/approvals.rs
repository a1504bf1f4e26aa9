//! The approval of clients.

use std::cmp::Reverse;

use async_trait::async_trait;

use super::MemoryStore;
use crate::connecting::PassHash;
use crate::ids::{PostId, WorkspaceId};
use crate::ports::{ApprovalStore, SaveOutcome, StoreError};
use crate::post::{Approval, Post};

#[async_trait]
impl ApprovalStore for MemoryStore {
    async fn save_approval(
        &self,
        post: &Post,
        approval: Option<&Approval>,
    ) -> Result<SaveOutcome, StoreError> {
        let mut tables = self.tables();
        let outcome = tables.save_post(post, u64::MAX);
        if outcome == SaveOutcome::Saved {
            match approval {
                Some(approval) => tables.approvals.insert(post.id, approval.clone()),
                None => tables.approvals.remove(&post.id),
            };
        }
        Ok(outcome)
    }

    async fn approval(
        &self,
        workspace: WorkspaceId,
        post: PostId,
    ) -> Result<Option<Approval>, StoreError> {
        let tables = self.tables();
        let found = tables.approvals.get(&post);
        Ok(found.filter(|approval| approval.workspace_id == workspace).cloned())
    }

    async fn approval_by_pass(
        &self,
        pass: PassHash,
    ) -> Result<Option<(Approval, Post)>, StoreError> {
        let tables = self.tables();
        let found = tables.approvals.values().find(|approval| approval.pass == pass);
        Ok(found.and_then(|approval| {
            Some((approval.clone(), tables.posts.get(&approval.post_id)?.clone()))
        }))
    }

    async fn approvals(
        &self,
        workspace: WorkspaceId,
        limit: u32,
    ) -> Result<Vec<(Approval, Post)>, StoreError> {
        let tables = self.tables();
        let mut found: Vec<&Approval> = tables
            .approvals
            .values()
            .filter(|approval| approval.workspace_id == workspace)
            .collect();
        found.sort_by_key(|approval| Reverse((approval.created_at, approval.post_id)));
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let with_post = |approval: &Approval| {
            Some((approval.clone(), tables.posts.get(&approval.post_id)?.clone()))
        };
        Ok(found.into_iter().take(limit).filter_map(with_post).collect())
    }
}
