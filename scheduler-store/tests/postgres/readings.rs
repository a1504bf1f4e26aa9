//! Readings and publishes of the same accounts at once.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::ids::{AccountId, WorkspaceId};
use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::ports::{
    Claim, ClaimRequest, ReadingState, ReadingsTaken, Recorded, Store, WorkAfter, WorkKind,
};
use scheduler_core::post::Post;
use scheduler_core::target::Remote;
use scheduler_store::testing::{Durability, TestPostgres};
use sqlx::Connection as _;
use uuid::Uuid;

use crate::{create, node, noon, post, waiting, workspace};

fn account(number: u128) -> Account {
    Account::new(
        AccountId(Uuid::from_u128(number)),
        WorkspaceId(Uuid::from_u128(1)),
        Platform::Bluesky,
        number.to_string(),
        noon(),
    )
}

async fn connect(store: &Arc<dyn Store>, account: &Account) {
    let credentials = Credentials::new("token".to_owned(), None);
    store.connect_account(account, &credentials, u64::MAX).await.unwrap();
}

/// Everything that is due, of each lane one.
fn everything(now: DateTime<Utc>) -> ClaimRequest {
    ClaimRequest::new(now, now + TimeDelta::minutes(1), 99, 1)
}

fn nothing_read(look_due_at: DateTime<Utc>) -> ReadingsTaken {
    let limits = Some(AccountLimits::default());
    ReadingsTaken { limits, ..ReadingsTaken::nothing(ReadingState::new(look_due_at)) }
}

async fn go_live(store: &Arc<dyn Store>, claim: &Claim, post: &Post, at: DateTime<Utc>) {
    let going_out = post.targets[0].clone().start().unwrap();
    let target = going_out.succeed(at, Some(Remote::new("at://post", None)), None).unwrap();
    let recorded = store.record_publish(claim, &target, None, WorkAfter::Done, at).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
}

/// What is held of an account.
struct Held {
    publish: Claim,
    read: Claim,
    post: Post,
}

/// Claims the readings of an account and a publish to it.
async fn hold(store: &Arc<dyn Store>) -> Held {
    assert!(store.create_workspace(&workspace(1)).await.unwrap());
    connect(store, &account(1)).await;
    let post = post(2, 1, noon());
    create(store, post.clone()).await;
    let claims = store.claim(&everything(noon())).await.unwrap();
    let of = |kind| claims.iter().find(|claim| claim.kind == kind).unwrap().clone();
    Held { publish: of(WorkKind::Publish), read: of(WorkKind::Read), post }
}

async fn lock(connection: &mut sqlx::PgConnection, claim: &Claim) {
    let query = sqlx::query("SELECT 1 FROM work WHERE id = $1 FOR UPDATE").bind(claim.work_id.0);
    query.execute(connection).await.unwrap();
}

/// A target goes live while the readings of its account are being recorded: one waits for the
/// other, also where the work is left to its holder, and the target is not forgotten.
#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_goes_live_waits_for_readings_that_are_being_recorded() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let database = node(&postgres).await;
    let store = database.store();
    let Held { publish, read, post } = hold(&store).await;
    let pool = sqlx::PgPool::connect(postgres.url()).await.unwrap();
    let mut barrier = pool.begin().await.unwrap();
    lock(&mut barrier, &read).await;
    let far = noon() + TimeDelta::days(1);
    let recorder = {
        let store = store.clone();
        tokio::spawn(async move { store.record_readings(&read, &nothing_read(far)).await })
    };
    waiting(&pool, 1).await;
    let publisher = {
        let store = store.clone();
        tokio::spawn(async move { go_live(&store, &publish, &post, noon()).await })
    };
    waiting(&pool, 2).await;
    barrier.rollback().await.unwrap();
    assert_eq!(recorder.await.unwrap().unwrap(), Recorded::Stored);
    publisher.await.unwrap();
    assert_eq!(store.next_due(noon()).await.unwrap(), Some(noon() + TimeDelta::hours(1)));
}

/// A target goes live in the moment in which its account is connected again, whose readings are
/// then taken at once: whoever comes last knows of the other.
#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_goes_live_while_its_account_is_connected_again_is_not_forgotten() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let database = node(&postgres).await;
    let store = database.store();
    let Held { publish, post, .. } = hold(&store).await;
    let pool = sqlx::PgPool::connect(postgres.url()).await.unwrap();
    let mut barrier = pool.begin().await.unwrap();
    let of_post = sqlx::query("SELECT 1 FROM posts WHERE id = $1 FOR UPDATE").bind(post.id.0);
    of_post.execute(&mut *barrier).await.unwrap();
    let publisher = {
        let store = store.clone();
        tokio::spawn(async move { go_live(&store, &publish, &post, noon()).await })
    };
    waiting(&pool, 1).await;
    connect(&store, &account(1)).await;
    let claims = store.claim(&everything(noon())).await.unwrap();
    assert_eq!(claims.iter().map(|claim| claim.kind).collect::<Vec<_>>(), [WorkKind::Read]);
    let far = noon() + TimeDelta::days(1);
    let recorded = store.record_readings(&claims[0], &nothing_read(far)).await.unwrap();
    assert_eq!(recorded, Recorded::Stored);
    barrier.rollback().await.unwrap();
    publisher.await.unwrap();
    assert_eq!(store.next_due(noon()).await.unwrap(), Some(noon() + TimeDelta::hours(1)));
}

/// Everything that touches readings and publishes of the same accounts at once: no two operations
/// wait for each other in a circle, which the server would notice after a second.
#[tokio::test(flavor = "multi_thread")]
async fn acts_on_readings_and_publishes_lock_in_one_order() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let database = node(&postgres).await;
    let store = database.store();
    let workspace = workspace(1);
    assert!(store.create_workspace(&workspace).await.unwrap());
    for number in 1..=6 {
        connect(&store, &account(number)).await;
    }
    for round in 1..=15 {
        let now = noon() + TimeDelta::hours(i64::try_from(round).unwrap());
        let mut posts = HashMap::new();
        for number in 1..=6 {
            let post = post(round * 10 + number, number, now);
            create(&store, post.clone()).await;
            posts.insert(post.targets[0].id.0, post);
        }
        let claims = store.claim(&everything(now)).await.unwrap();
        assert!(claims.len() >= 11, "publishes and readings of nearly all: {}", claims.len());
        let mut operations = Vec::new();
        for claim in claims.clone() {
            let (store, post) = (store.clone(), posts.get(&claim.subject).cloned());
            operations.push(tokio::spawn(async move {
                match post {
                    Some(post) => go_live(&store, &claim, &post, now).await,
                    None => {
                        store.record_readings(&claim, &nothing_read(now)).await.unwrap();
                    }
                }
            }));
        }
        for _ in 0..4 {
            let (store, claims) = (store.clone(), claims.clone());
            operations.push(tokio::spawn(async move {
                store.renew(&claims, now + TimeDelta::minutes(2)).await.unwrap();
            }));
            let (store, id) = (database.store(), workspace.id);
            operations.push(tokio::spawn(async move {
                let every = TimeDelta::zero();
                store.refresh_readings(id, now, noon(), every).await.unwrap();
            }));
        }
        let (one, other) = (account(1 + round % 6), account(1 + (round + 3) % 6));
        let (again, id) = (store.clone(), workspace.id);
        operations.push(tokio::spawn(async move {
            again.disconnect_account(id, one.id, now).await.unwrap();
            connect(&again, &Account { connected_at: now, ..one }).await;
        }));
        let again = store.clone();
        operations.push(tokio::spawn(async move {
            connect(&again, &Account { connected_at: now, ..other }).await;
        }));
        for operation in join_all(operations).await {
            operation.unwrap();
        }
    }
    database.close().await;
    assert_eq!(deadlocks(&postgres).await, 0);
}

/// How often operations have waited for each other in a circle.
async fn deadlocks(postgres: &TestPostgres) -> i64 {
    let mut connection = sqlx::PgConnection::connect(postgres.url()).await.unwrap();
    sqlx::query_scalar("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        .fetch_one(&mut connection)
        .await
        .unwrap()
}

/// A node renews what it holds of an account, its readings and a publish, while the publish is
/// being recorded.
#[tokio::test(flavor = "multi_thread")]
async fn a_renewal_locks_in_the_order_of_a_record() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let database = node(&postgres).await;
    let store = database.store();
    let Held { publish, read, post } = hold(&store).await;
    let pool = sqlx::PgPool::connect(postgres.url()).await.unwrap();
    let mut barrier = pool.begin().await.unwrap();
    lock(&mut barrier, &read).await;
    let renewal = {
        let (store, claims) = (store.clone(), vec![read, publish.clone()]);
        tokio::spawn(async move { store.renew(&claims, noon() + TimeDelta::hours(1)).await })
    };
    waiting(&pool, 1).await;
    let publisher = {
        let store = store.clone();
        tokio::spawn(async move { go_live(&store, &publish, &post, noon()).await })
    };
    waiting(&pool, 2).await;
    barrier.rollback().await.unwrap();
    assert!(renewal.await.unwrap().unwrap().is_empty(), "nothing is lost");
    publisher.await.unwrap();
    pool.close().await;
    database.close().await;
    assert_eq!(deadlocks(&postgres).await, 0);
}
