//! Feeds whose items become posts.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::MemoryStore;
use crate::feeds::{Feed, FeedState};
use crate::ids::{FeedId, WorkspaceId};
use crate::ports::{FeedStore, Recorded, StoreError};
use crate::webhook::Event;

#[async_trait]
impl FeedStore for MemoryStore {
    async fn create_feed(
        &self,
        feed: &Feed,
        state: &FeedState,
        limit: u32,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let theirs = tables.feeds.values().filter(|(one, _)| one.workspace_id == feed.workspace_id);
        if theirs.count() >= limit as usize {
            return Ok(false);
        }
        tables.feeds.insert(feed.id, (feed.clone(), state.clone()));
        Ok(true)
    }

    async fn feeds(&self, workspace: WorkspaceId) -> Result<Vec<(Feed, FeedState)>, StoreError> {
        let tables = self.tables();
        let theirs = tables.feeds.values().filter(|(one, _)| one.workspace_id == workspace);
        let mut theirs: Vec<_> = theirs.cloned().collect();
        theirs.sort_by_key(|(feed, _)| (feed.created_at, feed.id));
        Ok(theirs)
    }

    async fn feed(
        &self,
        workspace: WorkspaceId,
        id: FeedId,
    ) -> Result<Option<(Feed, FeedState)>, StoreError> {
        let tables = self.tables();
        let found = tables.feeds.get(&id).filter(|(one, _)| one.workspace_id == workspace);
        Ok(found.cloned())
    }

    async fn update_feed(
        &self,
        feed: &Feed,
        next_at: Option<DateTime<Utc>>,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let stored = tables.feeds.get_mut(&feed.id);
        let Some((stored, state)) = stored.filter(|(one, _)| one.workspace_id == feed.workspace_id)
        else {
            return Ok(false);
        };
        stored.input = feed.input.clone();
        stored.written_by.clone_from(&feed.written_by);
        if let Some(at) = next_at {
            state.next_at = state.after_rest(at);
        }
        Ok(true)
    }

    async fn hurry_feed(
        &self,
        workspace: WorkspaceId,
        id: FeedId,
        next_at: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let stored = tables.feeds.get_mut(&id).filter(|(one, _)| one.workspace_id == workspace);
        let Some((_, state)) = stored else { return Ok(false) };
        state.next_at = state.after_rest(next_at);
        Ok(true)
    }

    async fn remove_feed(&self, workspace: WorkspaceId, id: FeedId) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let is_theirs = tables.feeds.get(&id).is_some_and(|(one, _)| one.workspace_id == workspace);
        Ok(is_theirs && tables.feeds.remove(&id).is_some())
    }

    async fn claim_feed(
        &self,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<Option<(Feed, FeedState)>, StoreError> {
        let mut tables = self.tables();
        let due = tables.feeds.values_mut();
        let due = due.filter(|(feed, state)| !feed.input.paused && state.next_at <= now);
        let Some(claimed) = due.min_by_key(|(feed, state)| (state.next_at, feed.id)) else {
            return Ok(None);
        };
        (claimed.1.next_at, claimed.1.rests_until) = (lease_until, Some(lease_until));
        Ok(Some(claimed.clone()))
    }

    async fn record_poll(
        &self,
        id: FeedId,
        lease_until: DateTime<Utc>,
        state: &FeedState,
        event: Option<&Event>,
    ) -> Result<Recorded, StoreError> {
        let mut tables = self.tables();
        let stored = tables.feeds.get_mut(&id);
        let Some((_, stored)) = stored.filter(|(_, stored)| stored.next_at == lease_until) else {
            return Ok(Recorded::Lost);
        };
        stored.clone_from(state);
        tables.add_events(event);
        Ok(Recorded::Stored)
    }
}
