//! Calls to the assistant, and reviews.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::MemoryStore;
use crate::assistant::{AssistantCall, Reviewed};
use crate::ids::{PostId, TargetId, WorkspaceId};
use crate::ports::{AssistantStore, StoreError};
use crate::post::{Month, Post};

/// Everything that is kept of the assistant.
#[derive(Debug, Default)]
pub(super) struct Assisted {
    calls: BTreeMap<(WorkspaceId, Month, AssistantCall), u64>,
    reviews: BTreeMap<TargetId, (PostId, Reviewed)>,
}

impl Assisted {
    pub(super) fn remove_post(&mut self, id: PostId) {
        self.reviews.retain(|_, (post, _)| *post != id);
    }
}

#[async_trait]
impl AssistantStore for MemoryStore {
    async fn take_call(
        &self,
        workspace: WorkspaceId,
        month: Month,
        call: AssistantCall,
        limit: u64,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let calls = tables.assisted.calls.entry((workspace, month, call)).or_default();
        let fits = *calls < limit;
        if fits {
            *calls += 1;
        }
        Ok(fits)
    }

    async fn give_back_call(
        &self,
        workspace: WorkspaceId,
        month: Month,
        call: AssistantCall,
    ) -> Result<(), StoreError> {
        if let Some(calls) = self.tables().assisted.calls.get_mut(&(workspace, month, call)) {
            *calls = calls.saturating_sub(1);
        }
        Ok(())
    }

    async fn calls_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
        call: AssistantCall,
    ) -> Result<u64, StoreError> {
        let tables = self.tables();
        Ok(tables.assisted.calls.get(&(workspace, month, call)).copied().unwrap_or_default())
    }

    async fn post_of_target(
        &self,
        workspace: WorkspaceId,
        target: TargetId,
    ) -> Result<Option<Post>, StoreError> {
        let tables = self.tables();
        let mut posts = tables.posts.values().filter(|post| post.workspace_id == workspace);
        Ok(posts.find(|post| post.target(target).is_some()).cloned())
    }

    async fn save_review(
        &self,
        workspace: WorkspaceId,
        post: PostId,
        reviewed: &Reviewed,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let stored = tables.posts.get(&post);
        if stored.is_none_or(|stored| stored.workspace_id != workspace) {
            return Ok(false);
        }
        tables.assisted.reviews.insert(reviewed.target_id, (post, reviewed.clone()));
        Ok(true)
    }

    async fn review(
        &self,
        workspace: WorkspaceId,
        target: TargetId,
    ) -> Result<Option<Reviewed>, StoreError> {
        let tables = self.tables();
        let found = tables.assisted.reviews.get(&target).filter(|(post, _)| {
            tables.posts.get(post).is_some_and(|post| post.workspace_id == workspace)
        });
        Ok(found.map(|(_, reviewed)| reviewed.clone()))
    }
}
