//! Who is told what happens.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::MemoryStore;
use crate::ids::{NotifierId, WorkspaceId};
use crate::notification::{Notifier, NotifierState};
use crate::ports::{NotifierStore, Recorded, StoreError};
use crate::webhook::{Event, EventPlace};

#[async_trait]
impl NotifierStore for MemoryStore {
    async fn create_notifier(
        &self,
        notifier: &Notifier,
        state: &NotifierState,
        limit: u32,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let workspace = notifier.workspace_id;
        let known = tables.notifiers.values().filter(|(one, _)| one.workspace_id == workspace);
        if known.count() >= limit as usize {
            return Ok(false);
        }
        tables.notifiers.insert(notifier.id, (notifier.clone(), state.clone()));
        Ok(true)
    }

    async fn notifiers(
        &self,
        workspace: WorkspaceId,
    ) -> Result<Vec<(Notifier, NotifierState)>, StoreError> {
        let tables = self.tables();
        let theirs = tables.notifiers.values().filter(|(one, _)| one.workspace_id == workspace);
        let mut theirs: Vec<_> = theirs.cloned().collect();
        theirs.sort_by_key(|(notifier, _)| (notifier.created_at, notifier.id));
        Ok(theirs)
    }

    async fn remove_notifier(
        &self,
        workspace: WorkspaceId,
        id: NotifierId,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        let is_theirs =
            tables.notifiers.get(&id).is_some_and(|(one, _)| one.workspace_id == workspace);
        Ok(is_theirs && tables.notifiers.remove(&id).is_some())
    }

    async fn claim_notifier(
        &self,
        now: DateTime<Utc>,
        lease_until: DateTime<Utc>,
    ) -> Result<Option<(Notifier, NotifierState)>, StoreError> {
        let mut tables = self.tables();
        let due = tables.notifiers.values_mut().filter(|(_, state)| state.next_at <= now);
        let Some(claimed) = due.min_by_key(|(notifier, state)| (state.next_at, notifier.id)) else {
            return Ok(None);
        };
        claimed.1.next_at = lease_until;
        Ok(Some(claimed.clone()))
    }

    async fn news(
        &self,
        notifier: &Notifier,
        after: EventPlace,
        until: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<Event>, StoreError> {
        let tables = self.tables();
        let is_news = |event: &&Event| {
            event.workspace_id == notifier.workspace_id
                && notifier.events.contains(&event.kind)
                && (event.created_at, event.id) > after
                && event.created_at <= until
        };
        let mut news: Vec<Event> = tables.events.values().filter(is_news).cloned().collect();
        news.sort_by_key(|event| (event.created_at, event.id));
        news.truncate(limit as usize);
        Ok(news)
    }

    async fn record_notified(
        &self,
        id: NotifierId,
        lease_until: DateTime<Utc>,
        state: &NotifierState,
    ) -> Result<Recorded, StoreError> {
        let mut tables = self.tables();
        let Some((_, stored)) =
            tables.notifiers.get_mut(&id).filter(|(_, stored)| stored.next_at == lease_until)
        else {
            return Ok(Recorded::Lost);
        };
        stored.clone_from(state);
        Ok(Recorded::Stored)
    }
}
