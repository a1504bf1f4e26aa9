//! Measures the store against bare statements on the same machine, and prints ratios.
//!
//! `cargo run --release -p scheduler-store --features testing --example store_rates`
//!
//! Runs alternate with those that they are compared with, and the median of the pairs counts, so
//! that a busy neighbour disturbs both. PostgreSQL is measured where it is installed.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement prints, and fails by panicking"
)]

mod bare;
mod fill;
mod rows;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use futures_util::future::join_all;
use scheduler_core::cursor::Cursor;
use scheduler_core::ports::{ClaimRequest, CreateOutcome, Recorded, Store, WorkAfter};
use scheduler_core::post::{ListFilter, ListOrder, ListQuery, PageQuery, Window};
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{Database, SealingKey};

use bare::Bare;
use rows::{WORKSPACE, id, noon, post};

const PAIRS: usize = 7;
const WRITERS: usize = 8;
const CREATES: usize = 400;
const PAGE: u32 = 200;
const LISTED: i64 = 250_000;
const FEW_LATER: i64 = 20_000;
const MANY_LATER: i64 = 1_000_000;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("rates.db").display());
    let other = format!("sqlite:{}", folder.path().join("bare.db").display());
    measure("SQLite", &url, &other).await;
    let pair = (
        TestPostgres::create(Durability::Full).await,
        TestPostgres::create(Durability::Full).await,
    );
    if let (Some(postgres), Some(other)) = pair {
        measure("PostgreSQL", postgres.url(), other.url()).await;
    }
}

async fn measure(name: &str, url: &str, bare_url: &str) {
    let key = SealingKey::from_bytes([1; 32]);
    let database = Database::open(url, &key).await.unwrap();
    Database::open(bare_url, &key).await.unwrap().close().await;
    let bare = Bare::open(bare_url).await;
    let store = database.store();

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        ours.push(creates(&store).await);
        theirs.push(bare.inserts(WRITERS, CREATES).await);
    }
    report(name, "create / bare insert, 8 writers (goal: at least 0.5)", &theirs, &ours);

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        ours.push(publishes(&store).await);
        theirs.push(bare.updates(WRITERS, CREATES).await);
    }
    report(name, "claim and record / bare update, 8 writers", &theirs, &ours);

    fill::later(url, FEW_LATER).await;
    let few = claims(&store).await;
    fill::later(url, MANY_LATER - FEW_LATER).await;
    let many = claims(&store).await;
    report(name, "claim, 1 000 000 / 20 000 for later (goal: at most 1.3 or 1.1)", &many, &few);

    fill::listed(url, LISTED).await;
    let (first, last) = pages(&store).await;
    report(name, "page 1 000 / page 1 (goal: at most 1.2)", &last, &first);
    database.close().await;
}

/// The median of the ratios of the pairs, and both medians.
fn report(database: &str, what: &str, above: &[Duration], below: &[Duration]) {
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let seconds = |times: &[Duration]| times.iter().map(Duration::as_secs_f64).collect::<Vec<_>>();
    let ratios = above.iter().zip(below).map(|(above, below)| above.div_duration_f64(*below));
    println!(
        "{database:<10}  {what}: {:.2}  ({:.3} ms / {:.3} ms)",
        median(ratios.collect()),
        median(seconds(above)) * 1_000.0,
        median(seconds(below)) * 1_000.0,
    );
}

/// The time in which so many callers store so many posts.
async fn creates(store: &Arc<dyn Store>) -> Duration {
    let account = id();
    let begun = Instant::now();
    let writers = (0..WRITERS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            for _ in 0..CREATES / WRITERS {
                let post = post(account, noon() + TimeDelta::hours(1));
                let outcome = store.create_post(&post, u64::MAX).await.unwrap();
                assert_eq!(outcome, CreateOutcome::Created);
            }
        })
    });
    join_all(writers).await.into_iter().for_each(Result::unwrap);
    begun.elapsed()
}

/// The time in which so many targets that are due are claimed and recorded as live.
async fn publishes(store: &Arc<dyn Store>) -> Duration {
    let mut targets = HashMap::new();
    for _ in 0..CREATES {
        let post = post(id(), noon());
        store.create_post(&post, u64::MAX).await.unwrap();
        targets.insert(post.targets[0].id.0, post.targets[0].clone());
    }
    let begun = Instant::now();
    let mut left = CREATES;
    while left > 0 {
        let claims = store.claim(&request(64)).await.unwrap();
        assert!(!claims.is_empty());
        left -= claims.len();
        for claims in claims.chunks(WRITERS) {
            let records = claims.iter().map(|claim| async {
                let target = rows::live(targets[&claim.subject].clone());
                let done = WorkAfter::Done;
                let recorded = store.record_publish(claim, &target, None, done, noon()).await;
                assert_eq!(recorded.unwrap(), Recorded::Stored);
            });
            join_all(records).await;
        }
    }
    begun.elapsed()
}

fn request(lanes: u32) -> ClaimRequest {
    ClaimRequest::new(noon(), noon() + TimeDelta::seconds(10), lanes, 1)
}

/// The times of claims that find thirty-two due targets.
async fn claims(store: &Arc<dyn Store>) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..10 * PAIRS {
        for _ in 0..32 {
            store.create_post(&post(id(), noon()), u64::MAX).await.unwrap();
        }
        let begun = Instant::now();
        let claims = store.claim(&request(32)).await.unwrap();
        times.push(begun.elapsed());
        assert_eq!(claims.len(), 32);
        for claim in claims {
            store.release(&claim, noon() + TimeDelta::hours(1)).await.unwrap();
        }
    }
    times
}

/// The times of the first and of the thousandth page.
async fn pages(store: &Arc<dyn Store>) -> (Vec<Duration>, Vec<Duration>) {
    let mut query = ListQuery {
        workspace_id: WORKSPACE,
        status: None,
        filter: ListFilter::default(),
        window: Window::Since(noon() - TimeDelta::days(730)),
        order: ListOrder::Recent,
        page: PageQuery { limit: PAGE, before: None },
    };
    for _ in 1..1_000 {
        let page = store.list_posts(&query).await.unwrap();
        query.page.before = page.last().map(Cursor::of);
    }
    let before = query.page.before;
    let (mut first, mut last) = (Vec::new(), Vec::new());
    for _ in 0..10 * PAIRS {
        for (times, place) in [(&mut first, None), (&mut last, before)] {
            query.page.before = place;
            let begun = Instant::now();
            assert_eq!(store.list_posts(&query).await.unwrap().len(), 200);
            times.push(begun.elapsed());
        }
    }
    (first, last)
}
