//! The stores that the cases run on, each empty.

use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::memory::MemoryStore;
use scheduler_core::ports::Store;
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{Database, SealingKey};
use sqlx::Connection as _;

pub(crate) fn sealing_key() -> SealingKey {
    SealingKey::from_bytes([42; 32])
}

pub(crate) async fn memory(case: impl AsyncFnOnce(Arc<dyn Store>)) {
    case(Arc::new(MemoryStore::new())).await;
}

pub(crate) async fn sqlite(case: impl AsyncFnOnce(Arc<dyn Store>)) {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
    let database = Database::open(&url, &sealing_key()).await.unwrap();
    case(database.store()).await;
    database.close().await;
}

pub(crate) async fn postgres(case: impl AsyncFnOnce(Arc<dyn Store>)) {
    let Some(postgres) = TestPostgres::create(Durability::Full).await else { return };
    let database = Database::open(postgres.url(), &sealing_key()).await.unwrap();
    POSTGRES.scope(postgres.url().to_owned(), case(database.store())).await;
    database.close().await;
}

tokio::task_local! {
    /// The address of the PostgreSQL that a case runs on.
    static POSTGRES: String;
}

/// Has the clock of a server say, at the next heartbeat, that it was set back: no test can set it.
/// The other stores go by the instant that they are given.
pub(crate) async fn set_clock_back(by: TimeDelta) {
    let Ok(url) = POSTGRES.try_with(Clone::clone) else { return };
    let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
    sqlx::query("UPDATE clocks SET seen_at = seen_at + $1 * interval '1 microsecond'")
        .bind(by.num_microseconds().unwrap())
        .execute(&mut connection)
        .await
        .unwrap();
}

/// True where the store has no clock of its own.
pub(crate) fn goes_by_the_callers_clock() -> bool {
    POSTGRES.try_with(|_| ()).is_err()
}
