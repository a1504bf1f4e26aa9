//! What only a database that several nodes share has to keep.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(unix)]
mod outages;
mod readings;

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use scheduler_core::ids::{AccountId, MediaId, PostId, TargetId, WebhookId, WorkspaceId};
use scheduler_core::key::WebhookSecret;
use scheduler_core::media::{Media, MediaKind, Transfer};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    AddOutcome, ClaimRequest, CreateOutcome, EraseOutcome, Store, StoreError,
};
use scheduler_core::post::{Month, Post, PostStatus};
use scheduler_core::target::Target;
use scheduler_core::webhook::{EventKind, WEBHOOKS_MAX, Webhook};
use scheduler_core::workspace::Workspace;
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{Database, OpenError, SealingKey};
use sqlx::Connection as _;
use tokio::sync::mpsc;
use tokio::time::timeout;
use uuid::Uuid;

/// Longer than anything here takes.
const TIMEOUT: Duration = Duration::from_secs(20);

fn noon() -> DateTime<Utc> {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

fn key(byte: u8) -> SealingKey {
    SealingKey::from_bytes([byte; 32])
}

async fn node(postgres: &TestPostgres) -> Database {
    Database::open(postgres.url(), &key(1)).await.unwrap()
}

fn workspace(number: u128) -> Workspace {
    Workspace {
        id: WorkspaceId(Uuid::from_u128(number)),
        name: format!("workspace {number}"),
        plan: Plan::Pro,
        timezone: None,
        picture: None,
        second_pair: false,
        links: Default::default(),
        created_at: noon(),
    }
}

fn post(number: u128, account: u128, due_at: DateTime<Utc>) -> Post {
    let target = Target::new(
        TargetId(Uuid::from_u128(number)),
        Platform::Bluesky,
        AccountId(Uuid::from_u128(account)),
        serde_json::Map::new(),
        Some(due_at),
        None,
    );
    Post {
        status: PostStatus::Scheduled,
        content: "Hello".to_owned(),
        scheduled_at: Some(due_at),
        version: 1,
        targets: vec![target],
        ..Post::new(PostId(Uuid::from_u128(number)), WorkspaceId(Uuid::from_u128(1)), noon())
    }
}

fn file(number: u128, transfer: Transfer) -> Media {
    let (id, workspace) = (MediaId(Uuid::from_u128(number)), WorkspaceId(Uuid::from_u128(1)));
    let declared = Media::declared(id, workspace, MediaKind::Image, transfer, noon());
    Media { size_bytes: Some(10), ..declared }
}

async fn create(store: &Arc<dyn Store>, post: Post) {
    assert_eq!(store.create_post(&post, u64::MAX).await.unwrap(), CreateOutcome::Created);
}

/// Listens, and waits until the listening has begun: its first call says so.
async fn listen(node: &Database) -> mpsc::UnboundedReceiver<()> {
    let (sender, mut calls) = mpsc::unbounded_channel();
    node.listen(move || {
        let _ = sender.send(());
    });
    timeout(TIMEOUT, calls.recv()).await.unwrap().unwrap();
    calls
}

#[tokio::test(flavor = "multi_thread")]
async fn other_nodes_are_woken_by_work_that_is_due_at_once() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let (one, two) = (node(&postgres).await, node(&postgres).await);
    let mut at_one = listen(&one).await;
    let mut at_two = listen(&two).await;
    create(&one.store(), post(1, 1, noon())).await;
    timeout(TIMEOUT, at_two.recv()).await.unwrap().unwrap();

    // What is due later wakes nobody, and no node wakes itself: the next call that each hears is
    // the one that answers its own question.
    create(&one.store(), post(2, 1, noon() + TimeDelta::hours(1))).await;
    create(&two.store(), post(3, 1, noon())).await;
    timeout(TIMEOUT, at_one.recv()).await.unwrap().unwrap();
    create(&one.store(), post(4, 1, noon())).await;
    timeout(TIMEOUT, at_two.recv()).await.unwrap().unwrap();
    assert!(at_one.try_recv().is_err());
    assert!(at_two.try_recv().is_err());
    one.close().await;
    two.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_claim_at_once_share_the_lanes() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let nodes = [node(&postgres).await, node(&postgres).await, node(&postgres).await];
    for number in 0..60 {
        create(&nodes[0].store(), post(number, number % 20, noon())).await;
    }
    let claimers = (0..12).map(|number| {
        let store = nodes[number % 3].store();
        tokio::spawn(async move {
            let request = ClaimRequest::new(noon(), noon() + TimeDelta::seconds(10), 3, 2);
            store.claim(&request).await.unwrap()
        })
    });
    let mut claims = Vec::new();
    for claimed in join_all(claimers).await {
        claims.extend(claimed.unwrap());
    }
    assert_eq!(claims.len(), 40, "two of each of the twenty lanes");
    let mut ids: Vec<_> = claims.iter().map(|claim| claim.work_id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 40);
}

/// A holder renews a lease that has just lapsed, in a transaction that is still open while another
/// node claims: the lane is left to it.
#[tokio::test(flavor = "multi_thread")]
async fn a_lane_whose_lease_is_being_renewed_is_left_alone() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let database = node(&postgres).await;
    let store = database.store();
    for number in 0..2 {
        create(&store, post(number, 1, noon())).await;
    }
    let request = |seconds: i64| {
        ClaimRequest::new(
            noon() + TimeDelta::seconds(seconds),
            noon() + TimeDelta::seconds(seconds + 10),
            9,
            1,
        )
    };
    let held = store.claim(&request(0)).await.unwrap();
    assert_eq!(held.len(), 1);
    let pool = sqlx::PgPool::connect(postgres.url()).await.unwrap();
    let mut renewal = pool.begin().await.unwrap();
    sqlx::query("UPDATE work SET claimable_at = claimable_at + interval '1 hour' WHERE id = $1")
        .bind(held[0].work_id.0)
        .execute(&mut *renewal)
        .await
        .unwrap();
    let during = timeout(TIMEOUT, store.claim(&request(11))).await.unwrap().unwrap();
    assert!(during.is_empty(), "neither what is held nor what is behind it: {during:?}");
    renewal.commit().await.unwrap();
    assert!(store.claim(&request(11)).await.unwrap().is_empty(), "the lease holds again");
    assert_eq!(store.claim(&request(7_200)).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_open_a_new_database_at_once_share_it() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let mut connection = sqlx::PgConnection::connect(postgres.url()).await.unwrap();
    sqlx::raw_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        .execute(&mut connection)
        .await
        .unwrap();
    let url = Arc::new(postgres.url().to_owned());
    let openers = (0..4_u128).map(|number| {
        let url = url.clone();
        tokio::spawn(async move {
            let database = Database::open(&url, &key(1)).await.unwrap();
            assert!(database.store().create_workspace(&workspace(number)).await.unwrap());
            database
        })
    });
    for database in join_all(openers).await {
        assert_eq!(database.unwrap().store().workspaces().await.unwrap().len(), 4);
    }
}

#[tokio::test]
async fn another_key_opens_no_secret() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let store = node(&postgres).await.store();
    let workspace = workspace(1);
    assert!(store.create_workspace(&workspace).await.unwrap());
    let webhook = Webhook {
        id: WebhookId(Uuid::from_u128(8)),
        workspace_id: workspace.id,
        url: "https://receiver.example".to_owned(),
        events: EventKind::UNNAMED.to_vec(),
        secret: WebhookSecret::from_random([6; 32]),
        created_at: noon(),
        disabled_at: None,
    };
    let added = store.create_webhook(&webhook, WEBHOOKS_MAX, None).await.unwrap();
    assert_eq!(added, AddOutcome::Stored);
    let mut connection = sqlx::PgConnection::connect(postgres.url()).await.unwrap();
    let stored: Vec<u8> =
        sqlx::query_scalar("SELECT secret FROM webhooks").fetch_one(&mut connection).await.unwrap();
    let secret = webhook.secret.expose().unwrap().as_bytes();
    assert!(!stored.windows(secret.len()).any(|window| window == secret));

    let other = Database::open(postgres.url(), &key(2)).await.unwrap();
    let read = other.store().webhooks(workspace.id).await.unwrap();
    assert!(read[0].secret.expose().is_none(), "it is listed, and its secret is lost");
}

#[tokio::test]
async fn a_database_of_a_newer_release_is_left_alone() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let mut connection = sqlx::PgConnection::connect(postgres.url()).await.unwrap();
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9999, 'later', true, '\\x00', 1)",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    let error = Database::open(postgres.url(), &key(1)).await.unwrap_err();
    assert!(matches!(error, OpenError::Newer), "{error:?}");
}

#[tokio::test]
async fn a_closed_store_is_unavailable_and_listens_no_more() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let database = node(&postgres).await;
    database.ping().await.unwrap();
    let mut calls = listen(&database).await;
    timeout(TIMEOUT, database.close()).await.unwrap();
    assert!(timeout(TIMEOUT, calls.recv()).await.unwrap().is_none(), "the listener is gone");
    for outcome in [database.ping().await, database.store().workspaces().await.map(|_| ())] {
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_that_declare_at_once_share_the_month() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let nodes = [node(&postgres).await, node(&postgres).await];
    assert!(nodes[0].store().create_workspace(&workspace(1)).await.unwrap());
    let declarations = (0..100_u8).map(|number| {
        let store = nodes[usize::from(number % 2)].store();
        tokio::spawn(async move {
            let file = file(u128::from(number), Transfer::Single);
            store.create_media(&file, 333, None).await.unwrap()
        })
    });
    let outcomes = join_all(declarations).await.into_iter().map(Result::unwrap);
    let stored = outcomes.filter(|outcome| *outcome == AddOutcome::Stored).count();
    assert_eq!(stored, 33);
}

/// Waits until so many statements wait for a lock.
async fn waiting(pool: &sqlx::PgPool, count: i64) {
    let waiting = async {
        loop {
            let found: i64 = sqlx::query_scalar(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                 AND datname = current_database()",
            )
            .fetch_one(pool)
            .await
            .unwrap();
            if found >= count {
                break;
            }
        }
    };
    timeout(TIMEOUT, waiting).await.unwrap();
}

/// A post is being stored on one node, and is not committed, while another node deletes its file:
/// the deletion waits and sees the post; and the other way round.
#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_and_a_post_on_two_nodes_wait_for_each_other() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let nodes = [node(&postgres).await, node(&postgres).await];
    let (one, two) = (nodes[0].store(), nodes[1].store());
    let workspace = workspace(1);
    assert!(one.create_workspace(&workspace).await.unwrap());
    let pool = sqlx::PgPool::connect(postgres.url()).await.unwrap();
    for (number, is_deletion_first) in [(1, true), (2, false)] {
        let media = file(number, Transfer::Single);
        assert_eq!(one.create_media(&media, u64::MAX, None).await.unwrap(), AddOutcome::Stored);
        let post = Post { media_ids: vec![media.id], ..post(number, number, noon()) };
        // Holds a row that the first of the two needs last, so that it is in the middle of its
        // operation.
        let mut barrier = pool.begin().await.unwrap();
        let row = if is_deletion_first {
            sqlx::query("SELECT 1 FROM work WHERE subject = $1 FOR UPDATE").bind(media.id.0)
        } else {
            sqlx::query("INSERT INTO post_counts VALUES ($1, $2, 0)")
                .bind(workspace.id.0)
                .bind(i64::from(Month::of(noon()).0))
        };
        row.execute(&mut *barrier).await.unwrap();
        let erase = {
            let (store, id) = (one.clone(), media.id);
            async move { store.erase_media(workspace.id, id, noon()).await.unwrap() }
        };
        let create = {
            let (store, post) = (two.clone(), post.clone());
            async move { store.create_post(&post, u64::MAX).await.unwrap() }
        };
        let (erased, created) = if is_deletion_first {
            let erase = tokio::spawn(erase);
            waiting(&pool, 1).await;
            let create = tokio::spawn(create);
            waiting(&pool, 2).await;
            (erase, create)
        } else {
            let create = tokio::spawn(create);
            waiting(&pool, 1).await;
            let erase = tokio::spawn(erase);
            waiting(&pool, 2).await;
            (erase, create)
        };
        barrier.rollback().await.unwrap();
        let (erased, created) = (erased.await.unwrap(), created.await.unwrap());
        if is_deletion_first {
            assert!(matches!(erased, EraseOutcome::Deleted(_)), "{erased:?}");
            assert_eq!(created, CreateOutcome::FileDeleted);
        } else {
            assert_eq!(created, CreateOutcome::Created);
            assert_eq!(erased, EraseOutcome::InUse);
        }
    }
}
