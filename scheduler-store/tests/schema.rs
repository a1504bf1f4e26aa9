//! The values that the schema allows are those of the enums, in both databases.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use scheduler_core::account::Connection;
use scheduler_core::assistant::AssistantCall;
use scheduler_core::audit::ActorKind;
use scheduler_core::key::Confirmation;
use scheduler_core::media::{MediaKind, MediaStatus, VideoCodec};
use scheduler_core::notification::Channel;
use scheduler_core::oauth::TokenKind;
use scheduler_core::plan::Plan;
use scheduler_core::ports::{ReadMode, WorkKind};
use scheduler_core::post::{ApprovalState, ChangeKind, PostStatus, VersionKind};
use scheduler_core::recurrence::RecurrenceState;
use scheduler_core::target::{FailureCode, TargetStatus};
use scheduler_core::webhook::{DeliveryStatus, EventKind};
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{Database, SealingKey};
use serde::Serialize;
use sqlx::Connection as _;

/// Every column with a list of allowed values, and the names of its enum.
fn columns() -> [(&'static str, &'static str, Vec<String>); 21] {
    [
        ("workspaces", "plan", names(&Plan::ALL)),
        ("accounts", "connection", names(&[Connection::Direct, Connection::ViaPage])),
        ("posts", "status", names(&PostStatus::ALL)),
        ("posts", "approval_state", names(&ApprovalState::ALL)),
        ("last_changes", "kind", names(&ChangeKind::ALL)),
        ("post_versions", "kind", names(&VersionKind::ALL)),
        ("targets", "status", names(&TargetStatus::ALL)),
        ("targets", "failure_code", names(&FailureCode::ALL)),
        ("events", "kind", names(&EventKind::ALL)),
        ("notifiers", "channel", names(&Channel::ALL)),
        ("recurrences", "state", names(&RecurrenceState::ALL)),
        ("audit", "actor_kind", names(&ActorKind::ALL)),
        ("keys", "confirmation", names(&Confirmation::ALL)),
        ("grant_tokens", "kind", TokenKind::ALL.map(|kind| kind.as_str().to_owned()).to_vec()),
        ("deliveries", "status", names(&DeliveryStatus::ALL)),
        ("media", "kind", names(&MediaKind::ALL)),
        ("media", "status", names(&MediaStatus::ALL)),
        ("media", "video_codec", names(&VideoCodec::ALL)),
        ("assistant_counts", "call", names(&AssistantCall::ALL)),
        ("reading_states", "mode", ReadMode::ALL.map(|mode| mode.as_str().to_owned()).to_vec()),
        ("work", "kind", WorkKind::ALL.map(|kind| kind.as_str().to_owned()).to_vec()),
    ]
}

fn names<T: Serialize>(values: &[T]) -> Vec<String> {
    let name = |value| serde_json::to_value(value).unwrap().as_str().unwrap().to_owned();
    values.iter().map(name).collect()
}

/// The texts in quotes.
fn quoted(definition: &str) -> BTreeSet<String> {
    definition.split('\'').skip(1).step_by(2).map(str::to_owned).collect()
}

#[tokio::test]
async fn in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
    let key = SealingKey::from_bytes([1; 32]);
    Database::open(&url, &key).await.unwrap().close().await;
    let mut connection = sqlx::SqliteConnection::connect(&url).await.unwrap();
    for (table, column, names) in columns() {
        let definition: String =
            sqlx::query_scalar("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = $1")
                .bind(table)
                .fetch_one(&mut connection)
                .await
                .unwrap();
        let list = definition.split_once(&format!("CHECK ({column} IN ("));
        let list = list.map_or("", |(_, rest)| rest.split_once("))").expect("a list").0);
        assert_eq!(quoted(list), names.into_iter().collect(), "{table}.{column}");
    }
}

#[tokio::test]
async fn in_postgres() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let mut connection = sqlx::PgConnection::connect(postgres.url()).await.unwrap();
    for (table, column, names) in columns() {
        let definition: Option<String> = sqlx::query_scalar(
            "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = $1",
        )
        .bind(format!("{table}_{column}_check"))
        .fetch_optional(&mut connection)
        .await
        .unwrap();
        let list = definition.unwrap_or_default();
        assert_eq!(quoted(&list), names.into_iter().collect(), "{table}.{column}");
    }
}

/// Both databases have the same tables and columns, but for one table of PostgreSQL's – SQLite, which
/// runs in the process itself, loses no answer of a commit – and for the index of words, which in
/// SQLite is a table with tables of its own.
#[tokio::test]
async fn is_the_same_in_both() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
    let key = SealingKey::from_bytes([1; 32]);
    Database::open(&url, &key).await.unwrap().close().await;
    let mut sqlite = sqlx::SqliteConnection::connect(&url).await.unwrap();
    let mut in_sqlite: BTreeSet<(String, String)> = sqlx::query_as(
        "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c \
         WHERE t.type = 'table' AND t.name NOT LIKE '\\_sqlx%' ESCAPE '\\'",
    )
    .fetch_all(&mut sqlite)
    .await
    .unwrap()
    .into_iter()
    .collect();
    let mut postgres = sqlx::PgConnection::connect(postgres.url()).await.unwrap();
    let mut in_postgres: BTreeSet<(String, String)> = sqlx::query_as(
        "SELECT table_name::text, column_name::text FROM information_schema.columns \
         WHERE table_schema = 'public' AND table_name NOT LIKE '\\_sqlx%'",
    )
    .fetch_all(&mut postgres)
    .await
    .unwrap()
    .into_iter()
    .collect();
    in_postgres.retain(|(table, column)| {
        table != "last_writes" && (table.as_str(), column.as_str()) != ("post_words", "moment")
    });
    in_sqlite.retain(|(table, column)| {
        !table.starts_with("post_words_index")
            && (table.as_str(), column.as_str()) != ("post_words", "id")
    });
    assert!(in_sqlite.len() > 90);
    assert_eq!(in_sqlite, in_postgres);
}
