//! The suite of `scheduler-conformance` over the store in memory, SQLite and PostgreSQL.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_conformance::{StoreUnderTest, store_suite};
use scheduler_core::memory::MemoryStore;
use scheduler_core::ports::Store;
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{Database, SealingKey};
use sqlx::Connection as _;

mod memory {
    super::store_suite!(super::Memory);
}
mod sqlite {
    super::store_suite!(super::Sqlite);
}
mod postgres {
    super::store_suite!(super::Postgres);
}

fn sealing_key() -> SealingKey {
    SealingKey::from_bytes([42; 32])
}

struct Memory(Arc<MemoryStore>);

impl StoreUnderTest for Memory {
    async fn open() -> Option<Self> {
        Some(Self(Arc::new(MemoryStore::new())))
    }

    fn store(&self) -> Arc<dyn Store> {
        self.0.clone()
    }
}

struct Sqlite {
    database: Database,
    _folder: tempfile::TempDir,
}

impl StoreUnderTest for Sqlite {
    async fn open() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
        let database = Database::open(&url, &sealing_key()).await.unwrap();
        Some(Self { database, _folder: folder })
    }

    fn store(&self) -> Arc<dyn Store> {
        self.database.store()
    }

    async fn close(self) {
        self.database.close().await;
    }
}

struct Postgres {
    database: Database,
    server: TestPostgres,
}

impl StoreUnderTest for Postgres {
    async fn open() -> Option<Self> {
        let server = TestPostgres::create(Durability::Full).await?;
        let database = Database::open(server.url(), &sealing_key()).await.unwrap();
        Some(Self { database, server })
    }

    fn store(&self) -> Arc<dyn Store> {
        self.database.store()
    }

    fn has_clock(&self) -> bool {
        true
    }

    /// No test can set the clock of a server: what it said last is moved on.
    async fn set_clock_back(&self, by: TimeDelta) {
        let mut connection = sqlx::PgConnection::connect(self.server.url()).await.unwrap();
        sqlx::query("UPDATE clocks SET seen_at = seen_at + $1 * interval '1 microsecond'")
            .bind(by.num_microseconds().unwrap())
            .execute(&mut connection)
            .await
            .unwrap();
    }

    async fn close(self) {
        self.database.close().await;
    }
}
