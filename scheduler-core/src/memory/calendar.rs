//! Calendar feeds.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::MemoryStore;
use crate::calendar::{CalendarEntry, CalendarFeed};
use crate::connecting::PassHash;
use crate::ids::WorkspaceId;
use crate::ports::{CalendarStore, StoreError};
use crate::post::Post;
use crate::workspace::Workspace;

#[async_trait]
impl CalendarStore for MemoryStore {
    async fn save_calendar_feed(&self, feed: &CalendarFeed) -> Result<(), StoreError> {
        self.tables().calendar_feeds.insert(feed.workspace_id, feed.clone());
        Ok(())
    }

    async fn calendar_feed(
        &self,
        workspace: WorkspaceId,
    ) -> Result<Option<CalendarFeed>, StoreError> {
        Ok(self.tables().calendar_feeds.get(&workspace).cloned())
    }

    async fn remove_calendar_feed(&self, workspace: WorkspaceId) -> Result<bool, StoreError> {
        Ok(self.tables().calendar_feeds.remove(&workspace).is_some())
    }

    async fn workspace_of_calendar(&self, hash: PassHash) -> Result<Option<Workspace>, StoreError> {
        let tables = self.tables();
        let found = tables.calendar_feeds.values().find(|feed| feed.hash == hash);
        Ok(found.and_then(|feed| tables.workspaces.get(&feed.workspace_id).cloned()))
    }

    async fn calendar_entries(
        &self,
        workspace: WorkspaceId,
        from: DateTime<Utc>,
        to: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<CalendarEntry>, StoreError> {
        let tables = self.tables();
        let is_shown =
            |post: &&Post| post.workspace_id == workspace && (from..to).contains(&post.sort_at());
        let mut posts: Vec<&Post> = tables.posts.values().filter(is_shown).collect();
        posts.sort_by_key(|post| std::cmp::Reverse((post.sort_at(), post.id)));
        let entries = posts.into_iter().flat_map(|post| {
            CalendarEntry::of(post, |target| {
                tables.accounts.get(&target.account_id).map(|row| &row.account)
            })
        });
        Ok(entries.take(limit as usize).collect())
    }
}
