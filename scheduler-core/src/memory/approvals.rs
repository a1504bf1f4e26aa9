//! The approval of clients.

use std::cmp::Reverse;

use async_trait::async_trait;

use super::MemoryStore;
use crate::ports::{ApprovalStore, ApprovalsOf, SaveOutcome, StoreError};
use crate::post::{Approval, Post};
use crate::webhook::Event;

#[async_trait]
impl ApprovalStore for MemoryStore {
    async fn save_approvals(
        &self,
        changes: &[(Post, Option<Approval>)],
        event: Option<&Event>,
    ) -> Result<SaveOutcome, StoreError> {
        let mut tables = self.tables();
        if let Some(outcome) = changes.iter().find_map(|(post, _)| tables.refuses(post)) {
            return Ok(outcome);
        }
        for (post, approval) in changes {
            tables.save_post(post, u64::MAX);
            match approval {
                Some(approval) => tables.approvals.insert(post.id, approval.clone()),
                None => tables.approvals.remove(&post.id),
            };
        }
        tables.add_events(event);
        Ok(SaveOutcome::Saved)
    }

    async fn approvals(&self, of: ApprovalsOf) -> Result<Vec<(Approval, Post)>, StoreError> {
        let tables = self.tables();
        let (is_asked_for, limit): (Box<dyn Fn(&Approval) -> bool>, u32) = match of {
            ApprovalsOf::Post(workspace, post) => {
                (Box::new(move |one| (one.workspace_id, one.post_id) == (workspace, post)), 1)
            }
            ApprovalsOf::Pass(pass) => (Box::new(move |one| one.pass == pass), u32::MAX),
            ApprovalsOf::Workspace(workspace, limit) => {
                (Box::new(move |one| one.workspace_id == workspace), limit)
            }
        };
        let mut found: Vec<&Approval> =
            tables.approvals.values().filter(|one| is_asked_for(one)).collect();
        found.sort_by_key(|approval| Reverse((approval.created_at, approval.post_id)));
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let with_post = |approval: &Approval| {
            Some((approval.clone(), tables.posts.get(&approval.post_id)?.clone()))
        };
        Ok(found.into_iter().take(limit).filter_map(with_post).collect())
    }
}
