//! A look at databases of every state, which changes nothing in them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ids::{AccountId, WorkspaceId};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::workspace::Workspace;
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{
    Database, Inspection, OpenError, SchemaState, SealingKey, Seals, sqlite_file,
};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};
use uuid::Uuid;

fn key(byte: u8) -> SealingKey {
    SealingKey::from_bytes([byte; 32])
}

async fn execute(url: &str, statement: &str) {
    let statement = AssertSqlSafe(statement.to_owned());
    if url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(url).await.unwrap();
        connection.execute(statement).await.unwrap();
        connection.close().await.unwrap();
    } else {
        let mut connection = PgConnection::connect(url).await.unwrap();
        connection.execute(statement).await.unwrap();
        connection.close().await.unwrap();
    }
}

async fn schema(url: &str) -> SchemaState {
    Inspection::of(url).await.unwrap().unwrap().schema
}

#[tokio::test]
async fn a_file_that_does_not_exist_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
    assert!(Inspection::of(&url).await.unwrap().is_none());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(matches!(Inspection::of("mysql://h/d").await, Err(OpenError::Kind)));
    std::fs::write(folder.path().join("scheduler.db"), "nonsense".repeat(1_000)).unwrap();
    assert!(matches!(Inspection::of(&url).await, Err(OpenError::Unavailable(_))));
}

#[test]
fn the_file_of_a_url() {
    for (url, want) in [
        ("sqlite:a.db", Some("a.db")),
        ("sqlite:///d/a.db?mode=rwc", Some("/d/a.db")),
        ("sqlite::memory:", None),
        ("sqlite:a.db?mode=memory", None),
        ("postgres://h/d", None),
    ] {
        assert_eq!(sqlite_file(url).as_deref(), want.map(std::path::Path::new), "{url}");
    }
}

#[tokio::test]
async fn every_state_of_a_schema() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scheduler.db");
    std::fs::write(&file, "").unwrap();
    let mut urls = vec![format!("sqlite:{}", file.display())];
    assert_eq!(schema(&urls[0]).await, SchemaState::Empty);
    Database::open(&urls[0], &key(1)).await.unwrap().close().await;
    let postgres = TestPostgres::create(Durability::None).await;
    urls.extend(postgres.iter().map(|postgres| postgres.url().to_owned()));
    for url in urls {
        assert_eq!(schema(&url).await, SchemaState::Current);
        let latest = "version = (SELECT max(version) FROM _sqlx_migrations)";
        for (statement, want) in [
            (
                format!("UPDATE _sqlx_migrations SET success = FALSE WHERE {latest}"),
                SchemaState::Damaged,
            ),
            (
                format!("DELETE FROM _sqlx_migrations WHERE {latest}"),
                SchemaState::Older { missing: 1 },
            ),
            ("UPDATE _sqlx_migrations SET version = version + 9000".to_owned(), SchemaState::Newer),
            ("DELETE FROM _sqlx_migrations".to_owned(), SchemaState::Empty),
        ] {
            execute(&url, &statement).await;
            assert_eq!(schema(&url).await, want, "{url}: {statement}");
            // It does not repair what it sees.
            assert_eq!(schema(&url).await, want, "{url}: {statement}");
        }
    }
}

#[tokio::test]
async fn secrets_open_with_the_key_that_sealed_them() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
    let database = Database::open(&url, &key(1)).await.unwrap();
    let seen = Inspection::of(&url).await.unwrap().unwrap();
    assert_eq!((seen.seals(&key(1)), seen.has_secrets()), (Seals::None, false));
    let now = chrono::DateTime::from_timestamp(1_800_000_000, 0).unwrap();
    let workspace = Workspace {
        id: WorkspaceId(Uuid::from_u128(1)),
        name: "a".to_owned(),
        plan: Plan::Pro,
        timezone: None,
        picture: None,
        second_pair: false,
        links: Default::default(),
        created_at: now,
    };
    let account =
        Account::new(AccountId(Uuid::from_u128(2)), workspace.id, Platform::Mastodon, "1", now);
    let store = database.store();
    store.create_workspace(&workspace).await.unwrap();
    let credentials = Credentials::new("token".to_owned(), None);
    store.connect_account(&account, &credentials, 9).await.unwrap();
    // While it is open as well as afterwards.
    for is_open in [true, false] {
        if !is_open {
            database.close().await;
        }
        let seen = Inspection::of(&url).await.unwrap().unwrap();
        assert!(seen.has_secrets());
        assert_eq!(seen.seals(&key(1)), Seals::Open);
        assert_eq!(seen.seals(&key(2)), Seals::Closed { closed: 1, tried: 1 });
        assert!(!format!("{seen:?}").contains("token"));
    }
}
