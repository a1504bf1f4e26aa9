//! Posts, and what follows from them: targets, slots, work, the count of the month.

mod changes;
mod count;
pub(crate) mod find;
mod last_changes;
mod list;
mod places;
pub(super) mod read;
mod remove;
mod save;
mod versions;

use std::collections::BTreeSet;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::changes::Changes;
use scheduler_core::effects::NewWork;
use scheduler_core::ids::{AccountId, PostId, PostVersionId, WorkspaceId};
use scheduler_core::ports::{
    CreateOutcome, Held, PostStore, RemoveOutcome, SaveOutcome, StoreError,
};
use scheduler_core::post::{LastChange, ListQuery, Month, Post, PostVersion};

use super::{Backend, dialect};
use crate::instant::Instant;

pub(crate) use count::count;
pub(super) use list::{place, with_targets};
pub(super) use save::save;

/// Work due this soon after it is stored is told to the other nodes.
const SOON: TimeDelta = TimeDelta::seconds(1);

/// True when a target of a post that has just been stored is due at once.
pub(super) fn is_due_soon(post: &Post) -> bool {
    NewWork::of_post(post).any(|work| work.due_at <= post.updated_at + SOON)
}

#[async_trait]
impl PostStore for Backend {
    async fn create_post(
        &self,
        post: &Post,
        posts_a_month: u64,
    ) -> Result<CreateOutcome, StoreError> {
        let arguments = (post.clone(), posts_a_month);
        let outcome = self
            .write("create_post", arguments, |connection, (post, posts_a_month)| {
                Box::pin(dialect::create_post(connection, post, *posts_a_month))
            })
            .await?;
        if outcome == CreateOutcome::Created && is_due_soon(post) {
            self.wake_others();
        }
        Ok(outcome)
    }

    async fn post(&self, workspace: WorkspaceId, id: PostId) -> Result<Option<Post>, StoreError> {
        self.read("post", (workspace, id), |connection, (workspace, id)| {
            Box::pin(async move { Ok(read::by_id(connection, *workspace, *id).await?) })
        })
        .await
    }

    async fn post_ids(
        &self,
        workspace: WorkspaceId,
        from: PostId,
        to: PostId,
        limit: u32,
    ) -> Result<Vec<PostId>, StoreError> {
        self.read("post_ids", (workspace, from, to, limit), |connection, (of, from, to, limit)| {
            Box::pin(async move { Ok(read::ids(connection, *of, *from, *to, *limit).await?) })
        })
        .await
    }

    async fn post_by_key(
        &self,
        workspace: WorkspaceId,
        key: &str,
    ) -> Result<Option<Post>, StoreError> {
        self.read("post_by_key", (workspace, key.to_owned()), |connection, (workspace, key)| {
            Box::pin(async move { Ok(read::by_key(connection, *workspace, key).await?) })
        })
        .await
    }

    async fn list_posts(&self, query: &ListQuery) -> Result<Vec<Post>, StoreError> {
        self.read_snapshot("list_posts", query.clone(), |connection, query| {
            Box::pin(async move { Ok(list::list(connection, query).await?) })
        })
        .await
    }

    async fn save_post(&self, post: &Post, posts_a_month: u64) -> Result<SaveOutcome, StoreError> {
        let arguments = (post.clone(), posts_a_month);
        let outcome = self
            .write("save_post", arguments, |connection, (post, posts_a_month)| {
                Box::pin(save::save(connection, post, *posts_a_month))
            })
            .await?;
        if outcome == SaveOutcome::Saved && is_due_soon(post) {
            self.wake_others();
        }
        Ok(outcome)
    }

    async fn last_change(
        &self,
        workspace: WorkspaceId,
        post: PostId,
    ) -> Result<Option<LastChange>, StoreError> {
        self.read("last_change", (workspace, post), |connection, (workspace, post)| {
            Box::pin(async move { Ok(last_changes::of_post(connection, *workspace, *post).await?) })
        })
        .await
    }

    async fn last_changes(
        &self,
        workspace: WorkspaceId,
        since: DateTime<Utc>,
        limit: u32,
    ) -> Result<Vec<LastChange>, StoreError> {
        let arguments = (workspace, Instant(since), limit);
        self.read("last_changes", arguments, |connection, (workspace, since, limit)| {
            Box::pin(async move {
                Ok(last_changes::of_workspace(connection, *workspace, *since, *limit).await?)
            })
        })
        .await
    }

    async fn keep_version(
        &self,
        version: &PostVersion,
        replaced: &[PostVersionId],
    ) -> Result<(), StoreError> {
        let arguments = (version.clone(), replaced.to_vec());
        self.write("keep_version", arguments, |connection, (version, replaced)| {
            Box::pin(async move { Ok(versions::keep(connection, version, replaced).await?) })
        })
        .await
    }

    async fn versions(
        &self,
        workspace: WorkspaceId,
        post: PostId,
    ) -> Result<Vec<PostVersion>, StoreError> {
        self.read("versions", (workspace, post), |connection, (workspace, post)| {
            Box::pin(async move { Ok(versions::of_post(connection, *workspace, *post).await?) })
        })
        .await
    }

    async fn changes(
        &self,
        workspace: WorkspaceId,
        since: DateTime<Utc>,
    ) -> Result<Changes, StoreError> {
        let arguments = (workspace, Instant(since));
        self.read("changes", arguments, |connection, (workspace, since)| {
            Box::pin(async move { Ok(changes::since(connection, *workspace, *since).await?) })
        })
        .await
    }

    async fn remove_post(
        &self,
        workspace: WorkspaceId,
        id: PostId,
        version: i64,
    ) -> Result<RemoveOutcome, StoreError> {
        self.write(
            "remove_post",
            (workspace, id, version),
            |connection, (workspace, id, version)| {
                Box::pin(remove::remove(connection, *workspace, *id, *version))
            },
        )
        .await
    }

    async fn taken_instants(
        &self,
        account: AccountId,
        from: DateTime<Utc>,
    ) -> Result<BTreeSet<DateTime<Utc>>, StoreError> {
        self.read("taken_instants", (account, Instant(from)), |connection, (account, from)| {
            Box::pin(async move { Ok(read::taken_instants(connection, *account, *from).await?) })
        })
        .await
    }

    async fn held_instants(
        &self,
        accounts: &[AccountId],
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<Vec<Held>, StoreError> {
        let arguments = (accounts.to_vec(), Instant(from), Instant(to));
        self.read("held_instants", arguments, |connection, (accounts, from, to)| {
            Box::pin(
                async move { Ok(read::held_instants(connection, accounts, *from, *to).await?) },
            )
        })
        .await
    }

    async fn posts_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
    ) -> Result<u64, StoreError> {
        self.read("posts_in_month", (workspace, month), |connection, (workspace, month)| {
            Box::pin(async move { Ok(count::read(connection, *workspace, *month).await?) })
        })
        .await
    }
}
