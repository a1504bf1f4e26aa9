//! A store of no more than every scheduler needs.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::app::{Caller, NewWorkspace, Scheduler, Settings};
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::ids::{AccountId, PostId, WorkId, WorkspaceId};
use scheduler_core::memory::{ManualClock, MemoryNetwork, MemoryStore, test_ports};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    AccountStore, Claim, ClaimRequest, ConnectInput, ConnectOutcome, CreateOutcome, Networks,
    PostStore, PublishContext, Recorded, SaveOutcome, StoreError, StoredCredentials, Stores,
    WorkAfter, WorkQueue, WorkspaceStore,
};
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::target::Target;
use scheduler_core::webhook::Event;
use scheduler_core::workspace::Workspace;
use serde_json::json;

use crate::support::done;

/// The methods without a body, over a store in memory.
struct Small(MemoryStore);

type Stored<T> = Result<T, StoreError>;

#[async_trait]
impl WorkspaceStore for Small {
    async fn create_workspace(&self, workspace: &Workspace) -> Stored<bool> {
        self.0.create_workspace(workspace).await
    }

    async fn workspace(&self, id: WorkspaceId) -> Stored<Option<Workspace>> {
        self.0.workspace(id).await
    }
}

#[async_trait]
impl AccountStore for Small {
    async fn connect_account(
        &self,
        account: &Account,
        credentials: &Credentials,
        limit: u64,
    ) -> Stored<ConnectOutcome> {
        self.0.connect_account(account, credentials, limit).await
    }

    async fn account(&self, workspace: WorkspaceId, id: AccountId) -> Stored<Option<Account>> {
        self.0.account(workspace, id).await
    }

    async fn accounts(&self, workspace: WorkspaceId) -> Stored<Vec<Account>> {
        self.0.accounts(workspace).await
    }

    async fn credentials(&self, id: AccountId) -> Stored<Option<StoredCredentials>> {
        self.0.credentials(id).await
    }
}

#[async_trait]
impl PostStore for Small {
    async fn create_post(&self, post: &Post, posts_a_month: u64) -> Stored<CreateOutcome> {
        self.0.create_post(post, posts_a_month).await
    }

    async fn post(&self, workspace: WorkspaceId, id: PostId) -> Stored<Option<Post>> {
        self.0.post(workspace, id).await
    }

    async fn save_post(&self, post: &Post, posts_a_month: u64) -> Stored<SaveOutcome> {
        self.0.save_post(post, posts_a_month).await
    }
}

#[async_trait]
impl WorkQueue for Small {
    async fn claim(&self, request: &ClaimRequest) -> Stored<Vec<Claim>> {
        self.0.claim(request).await
    }

    async fn renew(&self, claims: &[Claim], lease_until: DateTime<Utc>) -> Stored<Vec<WorkId>> {
        self.0.renew(claims, lease_until).await
    }

    async fn release(&self, claim: &Claim, due_at: DateTime<Utc>) -> Stored<Recorded> {
        self.0.release(claim, due_at).await
    }

    async fn next_due(&self, now: DateTime<Utc>) -> Stored<Option<DateTime<Utc>>> {
        self.0.next_due(now).await
    }

    async fn publish_context(&self, claim: &Claim) -> Stored<Option<PublishContext>> {
        self.0.publish_context(claim).await
    }

    async fn record_publish(
        &self,
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        at: DateTime<Utc>,
    ) -> Stored<Recorded> {
        self.0.record_publish(claim, target, event, after, at).await
    }
}

#[test]
fn a_store_of_four_ports_publishes_and_refuses_the_rest() {
    let clock = Arc::new(ManualClock::at("2026-12-01T08:00:00Z".parse().unwrap()));
    let network = Arc::new(MemoryNetwork::new());
    let mut ports = test_ports(clock.clone());
    let store = Arc::new(Small(MemoryStore::new()));
    ports.store = Arc::new(Stores::new(store.clone(), store.clone(), store.clone(), store));
    ports.networks = Networks::default().with(Platform::Bluesky, network.clone());
    let scheduler = Scheduler::new(ports, Settings::default());
    let wanted = NewWorkspace { name: "ours".to_owned(), plan: Plan::Studio };
    let workspace = done(scheduler.create_workspace(&wanted)).unwrap();
    let caller = Caller::for_workspace(workspace);
    let me = ConnectInput::default();
    done(scheduler.connect_account(&caller.workspace, Platform::Bluesky, &me)).unwrap();

    let body = json!({
        "content": "Good morning",
        "scheduledAt": "2026-12-01T09:00:00Z",
        "targets": [{"platform": "bluesky"}],
    });
    let input = serde_json::from_value(body.clone()).unwrap();
    let id = done(scheduler.create_post(&caller, input, None)).unwrap().value.id;
    let later = serde_json::from_value(json!({"content": "Good day"})).unwrap();
    done(scheduler.update_post(&caller, id, later, None)).unwrap();
    clock.advance(TimeDelta::hours(1));
    done(scheduler.run_due()).unwrap();
    assert_eq!(network.texts(), ["Good day"]);
    let post = done(scheduler.post(&caller, id)).unwrap();
    assert_eq!(post.status, PostStatus::Done);

    let refusals = [
        ("webhooks", done(scheduler.webhooks(&caller)).map(drop)),
        ("workspaces", done(scheduler.workspaces()).map(drop)),
        ("keys", done(scheduler.keys(caller.workspace.id)).map(drop)),
        ("an account", {
            let accounts = done(scheduler.accounts(caller.workspace.id)).unwrap();
            done(scheduler.disconnect_account(&accounts[0]))
        }),
    ];
    for (name, result) in refusals {
        let Err(AppError::Refused(refusal)) = result else { panic!("{name}: {result:?}") };
        assert_eq!(refusal.code, ErrorCode::Unsupported, "{name}");
    }
}
