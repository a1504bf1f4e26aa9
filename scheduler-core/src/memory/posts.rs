//! Posts, and what follows from them: work, slots, the count of the month.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::{MemoryStore, Tables};
use crate::account::Account;
use crate::audit::AuditEntry;
use crate::changes::{Change, Changes};
use crate::effects::{NewWork, belongs_to_holder, kept_target, moved_count};
use crate::idempotency::IdempotencyKey;
use crate::ids::{AccountId, PostId, PostVersionId, TargetId, WorkspaceId};
use crate::ports::{
    CreateOutcome, Held, PostStore, RemoveOutcome, SaveOutcome, StoreError, WorkKind,
};
use crate::post::{LastChange, ListOrder, ListQuery, Month, Post, PostVersion};
use crate::target::Target;
use crate::webhook::Event;

impl Tables {
    fn slot_is_taken(&self, post: &Post) -> bool {
        let wanted: BTreeSet<(AccountId, DateTime<Utc>)> =
            post.targets.iter().filter_map(held_slot).collect();
        let others = self.posts.values().filter(|other| other.id != post.id);
        others
            .flat_map(|other| other.targets.iter().filter_map(held_slot))
            .any(|slot| wanted.contains(&slot))
    }

    /// Moves a post's place in the count of a month; `false` when the month is full.
    fn count(&mut self, old: Option<Month>, post: &Post, limit: u64) -> bool {
        let (old, new) = moved_count(old, post.allowance_month());
        if let Some(month) = new {
            let count = self.posts_in_month.entry((post.workspace_id, month)).or_default();
            if *count >= limit {
                return false;
            }
            *count += 1;
        }
        if let Some(month) = old
            && let Some(count) = self.posts_in_month.get_mut(&(post.workspace_id, month))
        {
            *count = count.saturating_sub(1);
        }
        true
    }

    pub(super) fn queue_targets(&mut self, post: &Post) {
        for work in NewWork::of_post(post) {
            self.queue.add(work);
        }
    }

    pub(super) fn index_targets(&mut self, post: &Post) {
        self.posts_of_targets.extend(post.targets.iter().map(|target| (target.id, post.id)));
    }

    fn unqueue_targets<'a>(&mut self, targets: impl IntoIterator<Item = &'a Target>) {
        for target in targets {
            self.queue.remove(WorkKind::Publish, target.id.0);
        }
    }

    /// Why a changed post cannot be stored, apart from the month's count.
    pub(super) fn refuses(&self, post: &Post) -> Option<SaveOutcome> {
        match self.posts.get(&post.id) {
            None => Some(SaveOutcome::Missing),
            Some(current) if current.version != post.version => Some(SaveOutcome::Stale),
            Some(_) if self.slot_is_taken(post) => Some(SaveOutcome::SlotTaken),
            Some(_) => {
                self.is_any_deleted(&post.needed_files()).then_some(SaveOutcome::FileDeleted)
            }
        }
    }

    /// Stores a changed post, and what follows from it.
    pub(super) fn save_post(&mut self, post: &Post, posts_a_month: u64) -> SaveOutcome {
        if let Some(outcome) = self.refuses(post) {
            return outcome;
        }
        let Some(current) = self.posts.get(&post.id).cloned() else {
            return SaveOutcome::Missing;
        };
        if !self.count(current.allowance_month(), post, posts_a_month) {
            return SaveOutcome::LimitReached;
        }
        self.keep_links(post.short_links());
        let replaced =
            current.targets.iter().filter(|target| in_flight(&current, post, target.id).is_none());
        self.unqueue_targets(replaced);
        let dropped = current.targets.iter().filter(|target| post.target(target.id).is_none());
        self.readings.remove(dropped);
        self.queue_targets(post);
        let mut saved = Post { version: post.version + 1, ..post.clone() };
        for target in &mut saved.targets {
            if let Some(stored) = in_flight(&current, post, target.id) {
                *target = kept_target(stored, target);
            }
            target.reading = current.target(target.id).and_then(|stored| stored.reading.clone());
        }
        self.posts.insert(post.id, saved);
        match LastChange::of(&current, post) {
            Some(change) => self.last_changes.insert(post.id, change),
            None => self.last_changes.remove(&post.id),
        };
        self.tell_scheduled(Some(&current), post);
        SaveOutcome::Saved
    }
}

/// The stored form of a target that belongs to the holder of its work.
fn in_flight<'a>(current: &'a Post, post: &Post, id: TargetId) -> Option<&'a Target> {
    let (stored, given) = (current.target(id)?, post.target(id)?);
    belongs_to_holder(stored.status(), stored.progress().is_some(), given).then_some(stored)
}

fn key_of(post: &Post) -> Option<&str> {
    post.idempotency_key.as_ref().map(IdempotencyKey::as_str)
}

fn held_slot(target: &Target) -> Option<(AccountId, DateTime<Utc>)> {
    let is_unfinished = !target.status().has_ended();
    target.slot_at().filter(|_| is_unfinished).map(|slot| (target.account_id, slot))
}

#[async_trait]
impl PostStore for MemoryStore {
    async fn create_post(
        &self,
        post: &Post,
        posts_a_month: u64,
    ) -> Result<CreateOutcome, StoreError> {
        let mut tables = self.tables();
        let existing = post.idempotency_key.as_ref().and_then(|key| {
            tables.posts.values().find(|other| {
                other.workspace_id == post.workspace_id && key_of(other) == Some(key.as_str())
            })
        });
        if let Some(existing) = existing {
            return Ok(CreateOutcome::Existing(existing.clone()));
        }
        if tables.slot_is_taken(post) {
            return Ok(CreateOutcome::SlotTaken);
        }
        if tables.is_any_deleted(&post.needed_files()) {
            return Ok(CreateOutcome::FileDeleted);
        }
        let links = tables.links_to_keep(post)?;
        if !tables.count(None, post, posts_a_month) {
            return Ok(CreateOutcome::LimitReached);
        }
        tables.keep_links(links);
        tables.queue_targets(post);
        tables.index_targets(post);
        tables.posts.insert(post.id, post.clone());
        tables.tell_scheduled(None, post);
        Ok(CreateOutcome::Created)
    }

    async fn post(&self, workspace: WorkspaceId, id: PostId) -> Result<Option<Post>, StoreError> {
        let tables = self.tables();
        Ok(tables.posts.get(&id).filter(|post| post.workspace_id == workspace).cloned())
    }

    async fn post_ids(
        &self,
        workspace: WorkspaceId,
        from: PostId,
        to: PostId,
        limit: u32,
    ) -> Result<Vec<PostId>, StoreError> {
        let tables = self.tables();
        let within = tables.posts.range(from..=to).map(|(_, post)| post);
        let theirs = within.filter(|post| post.workspace_id == workspace);
        Ok(theirs.take(limit as usize).map(|post| post.id).collect())
    }

    async fn post_by_key(
        &self,
        workspace: WorkspaceId,
        key: &str,
    ) -> Result<Option<Post>, StoreError> {
        let tables = self.tables();
        let found = tables
            .posts
            .values()
            .find(|post| post.workspace_id == workspace && key_of(post) == Some(key));
        Ok(found.cloned())
    }

    async fn list_posts(&self, query: &ListQuery) -> Result<Vec<Post>, StoreError> {
        let tables = self.tables();
        let accounts = tables.accounts.values().map(|row| &row.account);
        let unusable: BTreeSet<AccountId> = accounts
            .filter(|account| account.needs_reconnect || !account.is_connected())
            .map(|account| account.id)
            .collect();
        let mut posts: Vec<&Post> =
            tables.posts.values().filter(|post| query.lists(post, &unusable)).collect();
        posts.sort_by_key(|post| query.order.place(post));
        if query.order == ListOrder::Recent {
            posts.reverse();
        }
        let limit = usize::try_from(query.page.limit).unwrap_or(usize::MAX);
        Ok(posts.into_iter().take(limit).cloned().collect())
    }

    async fn save_post(&self, post: &Post, posts_a_month: u64) -> Result<SaveOutcome, StoreError> {
        let mut tables = self.tables();
        tables.links_to_keep(post)?;
        Ok(tables.save_post(post, posts_a_month))
    }

    async fn last_change(
        &self,
        workspace: WorkspaceId,
        post: PostId,
    ) -> Result<Option<LastChange>, StoreError> {
        let tables = self.tables();
        let change = tables.last_changes.get(&post);
        Ok(change.filter(|change| change.workspace_id == workspace).cloned())
    }

    async fn last_changes(
        &self,
        workspace: WorkspaceId,
        since: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<LastChange>, StoreError> {
        let tables = self.tables();
        let theirs = tables.last_changes.values().filter(|one| one.workspace_id == workspace);
        let mut changes: Vec<LastChange> = theirs.filter(|one| one.at >= since).cloned().collect();
        changes.sort_by_key(|change| Reverse((change.at, change.post_id)));
        changes.truncate(limit as usize);
        Ok(changes)
    }

    async fn keep_version(
        &self,
        version: &PostVersion,
        replaced: &[PostVersionId],
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        if tables.posts.contains_key(&version.post_id) {
            let post = version.post_id;
            tables.versions.retain(|id, one| one.post_id != post || !replaced.contains(id));
            tables.versions.insert(version.id, version.clone());
        }
        Ok(())
    }

    async fn versions(
        &self,
        workspace: WorkspaceId,
        post: PostId,
    ) -> Result<Vec<PostVersion>, StoreError> {
        let tables = self.tables();
        let versions = tables.versions.values().rev();
        let theirs = versions.filter(|one| (one.workspace_id, one.post_id) == (workspace, post));
        Ok(theirs.cloned().collect())
    }

    async fn changes(
        &self,
        workspace: WorkspaceId,
        since: DateTime<Utc>,
    ) -> Result<Changes, StoreError> {
        let tables = self.tables();
        let posts = tables.posts.values().filter(|post| post.workspace_id == workspace);
        let of_post = |post: &Post| {
            let at = post.updated_at;
            (at, Some(Change::of_post(post.id, post.revision, post.version, at)))
        };
        let events = tables.events.values().filter(|event| event.workspace_id == workspace);
        let of_event = |event: &Event| {
            let at = event.created_at;
            (at, Change::of_event(event.id, event.kind, &event.body, at))
        };
        let entries = tables.audit.values().filter(|entry| entry.workspace_id == workspace);
        let of_entry = |entry: &AuditEntry| {
            let at = entry.at;
            (at, Change::of_entry(entry.id, &entry.operation, &entry.path, at))
        };
        let accounts = tables.accounts.values().map(|row| &row.account);
        let accounts = accounts.filter(|account| account.workspace_id == workspace);
        let of_account = |account: &Account| {
            let at = account.connected_at;
            (at, Some(Change::of_account(account.id, at)))
        };
        let all = posts.map(of_post).chain(events.map(of_event)).chain(entries.map(of_entry));
        let all = all.chain(accounts.map(of_account));
        let mut found: Vec<_> = all.filter(|(at, _)| *at >= since).collect();
        found.sort_by_key(|(at, _)| *at);
        Ok(Changes::of(found.into_iter().map(|(_, change)| change).collect()))
    }

    async fn remove_post(
        &self,
        workspace: WorkspaceId,
        id: PostId,
        version: i64,
    ) -> Result<RemoveOutcome, StoreError> {
        let mut tables = self.tables();
        let post = tables.posts.get(&id).filter(|post| post.workspace_id == workspace).cloned();
        let Some(post) = post else { return Ok(RemoveOutcome::Missing) };
        if post.version != version {
            return Ok(RemoveOutcome::Stale);
        }
        tables.unqueue_targets(&post.targets);
        tables.readings.remove(&post.targets);
        tables.approvals.remove(&id);
        tables.assisted.remove_post(post.id);
        tables.forget_keys_of(post.id.0);
        tables.posts.remove(&id);
        tables.last_changes.remove(&id);
        tables.versions.retain(|_, version| version.post_id != id);
        Ok(RemoveOutcome::Removed)
    }

    async fn taken_instants(
        &self,
        account: AccountId,
        from: DateTime<Utc>,
    ) -> Result<BTreeSet<DateTime<Utc>>, StoreError> {
        let tables = self.tables();
        let unfinished = tables
            .posts
            .values()
            .flat_map(|post| &post.targets)
            .filter(|target| target.account_id == account && !target.status().has_ended());
        let instants = unfinished.flat_map(|target| [target.slot_at(), target.due_at()]);
        Ok(instants.flatten().filter(|at| *at >= from).collect())
    }

    async fn held_instants(
        &self,
        accounts: &[AccountId],
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<Vec<Held>, StoreError> {
        let tables = self.tables();
        let mut held = BTreeSet::new();
        for post in tables.posts.values() {
            let of_accounts = post.targets.iter().filter(|target| {
                accounts.contains(&target.account_id) && !target.status().has_ended()
            });
            for target in of_accounts {
                let instants = [target.slot_at(), target.due_at()].into_iter().flatten();
                held.extend(instants.filter(|at| from <= *at && *at < to).map(|at| Held {
                    account_id: target.account_id,
                    at,
                    target_id: target.id,
                    post_id: post.id,
                }));
            }
        }
        Ok(held.into_iter().collect())
    }

    async fn posts_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
    ) -> Result<u64, StoreError> {
        Ok(self.tables().posts_in_month.get(&(workspace, month)).copied().unwrap_or_default())
    }
}
