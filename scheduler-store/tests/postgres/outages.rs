//! PostgreSQL restarts, loses its connections, or is away, while a store is in use.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use scheduler_core::ports::{Place, Recorded, WorkAfter};
use scheduler_core::post::{ListInput, ListQuery};
use scheduler_core::webhook::Event;
use scheduler_store::testing::OwnPostgres;
use tokio::task::spawn_blocking;

use super::*;

const KILL: &str = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity \
    WHERE pid <> pg_backend_pid() AND datname = current_database()";

async fn kill_all(url: &str) {
    let mut connection = sqlx::PgConnection::connect(url).await.unwrap();
    sqlx::query(KILL).execute(&mut connection).await.unwrap();
}

/// As many connections as there may be, all of which wait in the pool afterwards.
async fn fill_pool(store: &Arc<dyn Store>) {
    let reads = (0..40).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { store.workspaces().await.unwrap() })
    });
    join_all(reads).await;
}

fn all_due(seconds: i64) -> ClaimRequest {
    ClaimRequest::new(
        noon() + TimeDelta::seconds(seconds),
        noon() + TimeDelta::seconds(seconds + 10),
        100,
        1,
    )
    .without(Place::BESIDE_PUBLISHES)
}

/// Every operation goes through, on a fresh connection, when all connections were closed since the
/// last.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_restart_no_act_fails() {
    let Some(postgres) = OwnPostgres::start("restart").await else { return };
    let database = Database::open(postgres.url(), &key(1)).await.unwrap();
    let postgres = Arc::new(postgres);
    let mut made = 0;
    for store in [database.store(), database.engine_store()] {
        for mode in ["fast", "immediate", "kill"] {
            fill_pool(&store).await;
            if mode == "kill" {
                kill_all(postgres.url()).await;
            } else {
                let postgres = postgres.clone();
                spawn_blocking(move || {
                    postgres.stop(mode);
                    postgres.start_again();
                })
                .await
                .unwrap();
            }
            let operations = (0..20).map(|number| {
                let (store, number) = (store.clone(), made + number);
                tokio::spawn(async move {
                    store.workspaces().await.unwrap();
                    assert!(store.create_workspace(&workspace(number)).await.unwrap());
                    create(&store, post(number + 1_000, number, noon())).await;
                    store.backlog(noon()).await.unwrap();
                    store.list_posts(&list_query()).await.unwrap();
                })
            });
            for operation in join_all(operations).await {
                operation.unwrap_or_else(|error| panic!("{mode}: {error}"));
            }
            made += 20;
            database.ping().await.unwrap();
        }
    }
    database.close().await;
}

fn list_query() -> ListQuery {
    ListQuery::parse(&ListInput::default(), WorkspaceId(Uuid::from_u128(1)), noon()).unwrap()
}

/// Connections are closed all the time, in the middle of operations and of commits: each operation
/// is done once, and its caller is told so.
#[tokio::test(flavor = "multi_thread")]
async fn acts_whose_connections_break_are_done_once() {
    let Some(postgres) = TestPostgres::create(Durability::Full).await else { return };
    let database = node(&postgres).await;
    let store = database.engine_store();
    let is_over = Arc::new(AtomicBool::new(false));
    let killer = {
        let (url, is_over) = (postgres.url().to_owned(), is_over.clone());
        tokio::spawn(async move {
            let mut connection = sqlx::PgConnection::connect(&url).await.unwrap();
            let mut killed = 0;
            while !is_over.load(Ordering::SeqCst) {
                let count: i64 = sqlx::query_scalar(KILL).fetch_one(&mut connection).await.unwrap();
                killed += count;
                sqlx::query("SELECT pg_sleep(0.1)").execute(&mut connection).await.unwrap();
            }
            killed
        })
    };
    assert!(store.create_workspace(&workspace(1)).await.unwrap());
    let operations = (0..8_u128).map(|lane| {
        let store = store.clone();
        tokio::spawn(async move {
            for round in 0..25_u128 {
                let number = 1_000 * (lane + 1) + round;
                create(&store, post(number, number, noon())).await;
                let name = workspace(number);
                assert!(store.create_workspace(&name).await.unwrap(), "made by nobody else");
            }
        })
    });
    for operation in join_all(operations).await {
        operation.unwrap();
    }
    // Each of the posts is claimed, begun and recorded as live.
    let mut live = 0;
    for turn in 0..1_000 {
        let claims = store.claim(&all_due(turn * 11)).await.unwrap();
        let ends = claims.into_iter().map(|claim| {
            let store = store.clone();
            tokio::spawn(async move {
                let number = claim.subject.as_u128();
                let post = post(number, number, noon());
                let target = post.targets[0].clone().start().unwrap();
                let held = WorkAfter::Held(noon() + TimeDelta::days(1));
                let begun = store.record_publish(&claim, &target, None, held, noon()).await;
                assert_eq!(begun.unwrap(), Recorded::Stored);
                let target = target.succeed(noon(), None, None).unwrap();
                let id = scheduler_core::ids::EventId(claim.work_id.0);
                let workspace = claim.workspace_id;
                let event = Event::published(id, workspace, post.id, &target, noon());
                let after = WorkAfter::Done;
                let ended = store.record_publish(&claim, &target, Some(&event), after, noon());
                assert_eq!(ended.await.unwrap(), Recorded::Stored, "its own commit is no loss");
            })
        });
        for end in join_all(ends).await {
            end.unwrap();
            live += 1;
        }
        if live == 200 {
            break;
        }
    }
    is_over.store(true, Ordering::SeqCst);
    assert!(killer.await.unwrap() > 20, "many connections were closed");
    assert_eq!(live, 200);
    let mut connection = sqlx::PgConnection::connect(postgres.url()).await.unwrap();
    for (statement, want) in [
        ("SELECT count(*) FROM posts WHERE status = 'done' AND version = 3", 200_i64),
        ("SELECT count(*) FROM events", 200),
        ("SELECT posts FROM post_counts", 200),
    ] {
        let found: i64 = sqlx::query_scalar(statement).fetch_one(&mut connection).await.unwrap();
        assert_eq!(found, want, "{statement}");
    }
    database.close().await;
}

/// While the server is away the caller is told soon; once it is back, every operation goes through.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_away_is_unavailable_soon() {
    let Some(postgres) = OwnPostgres::start("away").await else { return };
    let database = Database::open(postgres.url(), &key(1)).await.unwrap();
    let store = database.store();
    fill_pool(&store).await;
    let postgres = Arc::new(postgres);
    let server = postgres.clone();
    spawn_blocking(move || server.stop("immediate")).await.unwrap();
    let since = Instant::now();
    let operations = (0..40).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            match number % 2 {
                0 => store.workspaces().await.map(|_| ()),
                _ => store.create_workspace(&workspace(number)).await.map(|_| ()),
            }
        })
    });
    for outcome in join_all(operations).await {
        let outcome = outcome.unwrap();
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    }
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    let server = postgres.clone();
    spawn_blocking(move || server.start_again()).await.unwrap();
    for number in 100..140 {
        assert!(store.create_workspace(&workspace(number)).await.unwrap());
    }
    database.close().await;
}

/// Heavy reads hold every connection but the engine's.
#[tokio::test(flavor = "multi_thread")]
async fn reads_leave_the_engine_its_connections() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let database = node(&postgres).await;
    let mut blocker = sqlx::PgConnection::connect(postgres.url()).await.unwrap();
    let mut lock = blocker.begin().await.unwrap();
    sqlx::query("LOCK TABLE keys IN ACCESS EXCLUSIVE MODE").execute(&mut *lock).await.unwrap();
    let pool = sqlx::PgPool::connect(postgres.url()).await.unwrap();
    let reads: Vec<_> = (0..40)
        .map(|_| {
            let store = database.store();
            tokio::spawn(async move { store.keys(WorkspaceId(Uuid::nil())).await.map(|_| ()) })
        })
        .collect();
    waiting(&pool, 8).await;
    let engine = database.engine_store();
    let claimed = timeout(Duration::from_secs(5), engine.claim(&all_due(0))).await;
    assert!(claimed.expect("the engine does not wait").unwrap().is_empty());
    lock.rollback().await.unwrap();
    for read in join_all(reads).await {
        read.unwrap().unwrap();
    }
    database.close().await;
}
