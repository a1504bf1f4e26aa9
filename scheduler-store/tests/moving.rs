//! A whole installation moves from SQLite to PostgreSQL and back, and is the same.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod planting;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::audit::{Actor, ActorKind, AuditEntry, AuditFilter};
use scheduler_core::ids::{AuditId, WorkspaceId};
use scheduler_core::ports::StoreError;
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{
    Database, MoveError, MoveState, Moved, SealingKey, cancel_move, export_workspace,
    move_database, move_state_of,
};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};
use uuid::Uuid;

use planting::{columns, id, plant};

/// Rows of one table, so that they are copied in several pieces.
const MANY: u128 = 2_500;

fn key() -> SealingKey {
    SealingKey::from_bytes([1; 32])
}

fn now() -> DateTime<Utc> {
    "2026-12-01T09:00:00.123456Z".parse().unwrap()
}

fn entry(number: u128) -> AuditEntry {
    AuditEntry {
        id: AuditId(Uuid::from_u128(number)),
        workspace_id: WorkspaceId(id("planted", "workspaces")),
        at: now() + TimeDelta::microseconds(i64::try_from(number).unwrap()),
        by: Actor::new(ActorKind::Server, None, None),
        operation: "it's \u{e9}\n\\".to_owned(),
        path: String::new(),
        call: None,
    }
}

/// A database with rows in its tables, and many in one.
async fn fill(url: &str) {
    Database::open(url, &key()).await.unwrap().close().await;
    let columns = columns(url).await;
    for world in ["planted", "other"] {
        plant(url, world, &columns).await;
    }
    // Posts are read at the end of a move, for the words that they are found by.
    let mut connection = SqliteConnection::connect(url).await.unwrap();
    for statement in [
        "UPDATE posts SET timing = NULL, media_ids = '[]', alt_texts = '[]', disclosure = NULL, \
           labels = NULL, metadata = NULL, idempotency_body = NULL, author = NULL, review = NULL, \
           occurrence = NULL, links = NULL",
        "UPDATE targets SET platform = 'bluesky', progress = NULL, options = '{}', files = NULL, \
           failed_attempts = NULL, links = NULL, remote_record = NULL, remote_id = NULL, remote_url = NULL, published_at = NULL, \
           failure_message = NULL, failure_code = NULL, failure_permanent = NULL",
        "UPDATE reading_plans SET figures = '{}'",
    ] {
        connection.execute(statement).await.unwrap();
    }
    connection.close().await.unwrap();
    let database = Database::open(url, &key()).await.unwrap();
    let entries: Vec<AuditEntry> = (10_000..10_000 + MANY).map(entry).collect();
    database.store().add_audit(&entries).await.unwrap();
    database.close().await;
}

async fn moved(from: &str, to: &str) -> Result<Moved, MoveError> {
    move_database(from, to, &key(), now()).await
}

/// What a database answers to somebody who writes.
async fn written(url: &str) -> Result<(), StoreError> {
    let database = Database::open(url, &key()).await.unwrap();
    let written = database.store().add_audit(&[entry(1)]).await;
    database.close().await;
    written
}

async fn export(url: &str) -> Vec<Value> {
    let mut lines = Vec::new();
    for world in ["planted", "other"] {
        let take = |line: &Value| {
            lines.push(line.clone());
            Ok(())
        };
        export_workspace(url, WorkspaceId(id(world, "workspaces")), take).await.unwrap();
    }
    lines
}

async fn execute(postgres: &TestPostgres, statement: &'static str) {
    let mut connection = PgConnection::connect(postgres.url()).await.unwrap();
    connection.execute(AssertSqlSafe(statement)).await.unwrap();
}

fn file(folder: &tempfile::TempDir, name: &str) -> String {
    format!("sqlite:{}", folder.path().join(name).display())
}

#[tokio::test]
async fn there_and_back_it_is_the_same() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (first, last) = (file(&folder, "first.db"), file(&folder, "last.db"));
    fill(&first).await;
    let whole = export(&first).await;
    // Somebody who has it open reads on.
    let reading = Database::open(&first, &key()).await.unwrap();

    let there = moved(&first, postgres.url()).await.unwrap();
    assert_eq!(there.copied, there.compared);
    assert!(u128::from(there.copied) > MANY, "{there:?}");
    assert_eq!(move_state_of(&first).await.unwrap(), MoveState::Left);
    assert_eq!(move_state_of(postgres.url()).await.unwrap(), MoveState::None);
    let workspace = WorkspaceId(id("planted", "workspaces"));
    assert_eq!(
        reading.store().audit(workspace, 9, None, AuditFilter::default()).await.unwrap().len(),
        9
    );
    let refused = reading.store().add_audit(&[entry(1)]).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    reading.close().await;
    assert!(!cancel_move(&first).await.unwrap(), "it has come to its end");
    assert!(matches!(written(&first).await, Err(StoreError::Unavailable(_))));
    let again = moved(&first, postgres.url()).await.unwrap_err();
    assert!(matches!(again, MoveError::Elsewhere), "{again}");
    assert_eq!(export(postgres.url()).await, whole);

    let back = moved(postgres.url(), &last).await.unwrap();
    assert_eq!(back, there);
    assert_eq!(export(&last).await, whole);
    assert!(matches!(written(postgres.url()).await, Err(StoreError::Unavailable(_))));
    written(&last).await.unwrap();
}

#[tokio::test]
async fn a_move_that_was_broken_off_goes_on() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let first = file(&folder, "first.db");
    fill(&first).await;
    let whole = moved(&first, postgres.url()).await.unwrap();
    // As if it had ended before the last rows.
    execute(&postgres, "UPDATE moves SET ended_at = NULL").await;
    execute(
        &postgres,
        "DELETE FROM audit WHERE id > (SELECT id FROM audit ORDER BY id OFFSET 700 LIMIT 1)",
    )
    .await;
    execute(&postgres, "DELETE FROM delivery_attempts").await;
    assert_eq!(move_state_of(postgres.url()).await.unwrap(), MoveState::Arriving);
    let rest = moved(&first, postgres.url()).await.unwrap();
    assert!(rest.copied > 1_000 && rest.copied < whole.copied, "{rest:?}");
    assert_eq!(rest.compared, whole.compared);
}

#[tokio::test]
async fn what_differs_is_found_and_a_move_can_be_cancelled() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (first, other) = (file(&folder, "first.db"), file(&folder, "other.db"));
    for url in [&first, &other] {
        fill(url).await;
    }
    moved(&first, postgres.url()).await.unwrap();
    let taken = moved(&other, postgres.url()).await.unwrap_err();
    assert!(matches!(taken, MoveError::NotEmpty(_)), "{taken}");
    written(&other).await.unwrap();
    assert!(!cancel_move(&other).await.unwrap(), "nothing has begun");
    assert!(matches!(moved(&first, &other).await, Err(MoveError::SameKind)));

    execute(&postgres, "UPDATE moves SET ended_at = NULL").await;
    execute(&postgres, "UPDATE webhooks SET url = 'https://elsewhere.example'").await;
    let differs = moved(&other, postgres.url()).await.unwrap_err();
    assert!(
        matches!(&differs, MoveError::Differs { table, .. } if table == "audit" || table == "webhooks"),
        "{differs}"
    );
    assert_eq!(move_state_of(&other).await.unwrap(), MoveState::Leaving);
    assert!(matches!(written(&other).await, Err(StoreError::Unavailable(_))));
    assert!(cancel_move(&other).await.unwrap());
    assert_eq!(move_state_of(&other).await.unwrap(), MoveState::None);
    written(&other).await.unwrap();
}
