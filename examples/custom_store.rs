//! A port of one's own in a store: writes a line for each change of a post, and passes it on to the
//! store below, which keeps everything else. That store is SQLite; any other would do.
//!
//! ```text
//! cargo run --example custom_store
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeSet;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::app::{Scheduler, Settings};
use scheduler_core::ids::{AccountId, PostId, WorkspaceId};
use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    ConnectInput, CreateOutcome, Held, Networks, PostStore, RemoveOutcome, SaveOutcome, StoreError,
    Stores,
};
use scheduler_core::post::{ListQuery, Month, Post};
use scheduler_store::{Database, SealingKey};
use serde_json::json;

/// A store that keeps a log of what becomes of posts.
struct Audited {
    inner: Arc<dyn PostStore>,
    log: Mutex<Vec<String>>,
}

impl Audited {
    fn write(&self, line: String) {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    fn lines(&self) -> Vec<String> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The one port that has something to say. Each method is one operation, and it has
/// happened whole, or not at all, when it returns: what is logged after it is true.
#[async_trait]
impl PostStore for Audited {
    async fn create_post(
        &self,
        post: &Post,
        posts_a_month: u64,
    ) -> Result<CreateOutcome, StoreError> {
        let outcome = self.inner.create_post(post, posts_a_month).await?;
        if matches!(outcome, CreateOutcome::Created) {
            self.write(format!("created {} as {}", post.id, post.status.as_str()));
        }
        Ok(outcome)
    }

    async fn save_post(&self, post: &Post, posts_a_month: u64) -> Result<SaveOutcome, StoreError> {
        let outcome = self.inner.save_post(post, posts_a_month).await?;
        if matches!(outcome, SaveOutcome::Saved) {
            self.write(format!("changed {} to {}", post.id, post.status.as_str()));
        }
        Ok(outcome)
    }

    async fn remove_post(
        &self,
        workspace: WorkspaceId,
        id: PostId,
        version: i64,
    ) -> Result<RemoveOutcome, StoreError> {
        let outcome = self.inner.remove_post(workspace, id, version).await?;
        if matches!(outcome, RemoveOutcome::Removed) {
            self.write(format!("removed {id}"));
        }
        Ok(outcome)
    }

    // Reading is nobody's business.
    async fn post(&self, workspace: WorkspaceId, id: PostId) -> Result<Option<Post>, StoreError> {
        self.inner.post(workspace, id).await
    }

    async fn post_by_key(
        &self,
        workspace: WorkspaceId,
        key: &str,
    ) -> Result<Option<Post>, StoreError> {
        self.inner.post_by_key(workspace, key).await
    }

    async fn list_posts(&self, query: &ListQuery) -> Result<Vec<Post>, StoreError> {
        self.inner.list_posts(query).await
    }

    async fn taken_instants(
        &self,
        account: AccountId,
        from: DateTime<Utc>,
    ) -> Result<BTreeSet<DateTime<Utc>>, StoreError> {
        self.inner.taken_instants(account, from).await
    }

    async fn held_instants(
        &self,
        accounts: &[AccountId],
        from: DateTime<Utc>,
        to: DateTime<Utc>,
    ) -> Result<Vec<Held>, StoreError> {
        self.inner.held_instants(accounts, from, to).await
    }

    async fn posts_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
    ) -> Result<u64, StoreError> {
        self.inner.posts_in_month(workspace, month).await
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let key = SealingKey::load_or_create_file(&folder.path().join("secret.key"))?;
    let file = folder.path().join("app.db");
    let database = Database::open(&format!("sqlite:{}", file.display()), &key).await?;
    let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    let mut ports = test_ports(clock);
    let all = Stores::of(database.store());
    let posts = Arc::new(Audited { inner: all.posts.clone(), log: Mutex::default() });
    ports.store = Arc::new(Stores { posts: posts.clone(), ..all });
    ports.networks = Networks::default().with(Platform::Bluesky, Arc::new(MemoryNetwork::new()));
    let scheduler = Scheduler::new(ports, Settings::default());

    let first = scheduler.first_start().await?.ok_or("a new file has no workspace")?;
    let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    let me = ConnectInput::default();
    scheduler.connect_account(&caller.workspace, Platform::Bluesky, &me).await?;
    let draft = serde_json::from_value(json!({
        "content": "A thought",
        "saveAsDraft": true,
        "targets": [{"platform": "bluesky"}],
    }))?;
    let id = scheduler.create_post(&caller, draft, None).await?.value.id;
    let timed = serde_json::from_value(json!({"scheduledAt": "2026-12-01T10:00:00Z"}))?;
    scheduler.update_post(&caller, id, timed, None).await?;
    let refused = serde_json::from_value(json!({"content": "a".repeat(301)}))?;
    assert!(
        scheduler.update_post(&caller, id, refused, None).await.is_err(),
        "too long for Bluesky"
    );
    scheduler.delete_post(&caller, id, None).await?;

    let lines = posts.lines();
    for line in &lines {
        println!("{line}");
    }
    let want = [
        format!("created {id} as draft"),
        format!("changed {id} to scheduled"),
        format!("changed {id} to canceled"),
    ];
    assert_eq!(lines, want, "each change once, and nothing of what was refused");
    Ok(())
}
