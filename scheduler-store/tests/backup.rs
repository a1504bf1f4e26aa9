//! A copy of a database that is being written.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use scheduler_core::ids::WorkspaceId;
use scheduler_core::plan::Plan;
use scheduler_core::workspace::Workspace;
use scheduler_store::{CopyError, Database, SealingKey, copy_sqlite, verify_sqlite};
use sqlx::{Connection as _, Executor as _, SqliteConnection};
use uuid::Uuid;

fn workspace(number: u128) -> Workspace {
    Workspace {
        id: WorkspaceId(Uuid::from_u128(number)),
        name: format!("workspace {number}"),
        plan: Plan::Pro,
        timezone: None,
        picture: None,
        second_pair: false,
        links: Default::default(),
        created_at: "2026-11-21T12:00:00Z".parse().unwrap(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_answered_before_is_in_the_copy() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
    let key = SealingKey::from_bytes([1; 32]);
    let database = Database::open(&url, &key).await.unwrap();
    let (store, answered) = (database.store(), Arc::new(AtomicUsize::new(0)));
    let is_over = Arc::new(AtomicBool::new(false));
    let writer = tokio::spawn({
        let (answered, is_over) = (Arc::clone(&answered), Arc::clone(&is_over));
        async move {
            let mut number = 0;
            while !is_over.load(Ordering::Relaxed) {
                number += 1;
                store.create_workspace(&workspace(number)).await.unwrap();
                answered.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    for round in 0..5 {
        let before = answered.load(Ordering::SeqCst);
        let copy = folder.path().join(format!("copy {round}.db"));
        copy_sqlite(&url, &copy).await.unwrap();
        let contents = verify_sqlite(&copy, |_| true).await.unwrap();
        let found = contents.rows["workspaces"];
        assert!(found >= i64::try_from(before).unwrap(), "{found} of {before}");
        let opened = Database::open(&format!("sqlite:{}", copy.display()), &key).await.unwrap();
        assert_eq!(
            opened.store().workspaces().await.unwrap().len(),
            usize::try_from(found).unwrap()
        );
        opened.close().await;
    }
    is_over.store(true, Ordering::Relaxed);
    writer.await.unwrap();
    database.close().await;
    let whole = folder.path().join("last.db");
    copy_sqlite(&url, &whole).await.unwrap();
    assert!(copy_sqlite(&url, &whole).await.is_err(), "nothing is written over");
}

#[tokio::test]
async fn a_damaged_copy_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (folder.path().join("scheduler.db"), folder.path().join("copy.db"));
    let url = format!("sqlite:{}", file.display());
    let database = Database::open(&url, &SealingKey::from_bytes([1; 32])).await.unwrap();
    for number in 1..500 {
        database.store().create_workspace(&workspace(number)).await.unwrap();
    }
    database.close().await;
    copy_sqlite(&url, &copy).await.unwrap();
    let mut connection =
        SqliteConnection::connect(&format!("sqlite:{}", copy.display())).await.unwrap();
    let orphan = "PRAGMA foreign_keys = OFF; INSERT INTO media (id, workspace_id, kind, status, \
        created_at) VALUES (X'01', X'ff', 'image', 'ready', 1)";
    connection.execute(orphan).await.unwrap();
    connection.close().await.unwrap();
    let refused = verify_sqlite(&copy, |_| true).await.unwrap_err();
    assert!(matches!(refused, CopyError::Damaged(_)), "{refused}");
    let mut bytes = std::fs::read(&copy).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0x5a);
    std::fs::write(&copy, bytes).unwrap();
    assert!(verify_sqlite(&copy, |_| true).await.is_err());
    let none = format!("sqlite:{}", folder.path().join("none.db").display());
    assert!(matches!(copy_sqlite(&none, &copy).await, Err(CopyError::Open(_))));
}
