//! The stores that the cases run on, each empty.

use std::sync::Arc;

use scheduler_core::memory::MemoryStore;
use scheduler_core::ports::Store;
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{Database, SealingKey};

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
    case(database.store()).await;
    database.close().await;
}
