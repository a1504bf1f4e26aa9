//! The contract: every endpoint of the interface description, each status that it can answer, on
//! SQLite and on PostgreSQL.
//!
//! The table and the shapes are typed from the interface description, and everything is asked of
//! a server over HTTP. A pair of endpoint and status without a scenario that reaches it fails, and
//! so does an answer with a status that the table does not have.
#![expect(clippy::unwrap_used, reason = "in a test, what cannot be had is a failure")]

/// The scenarios of a file, by name.
macro_rules! scenarios {
    ($($name:ident),* $(,)?) => {
        pub(crate) fn all() -> Vec<crate::Scenario> {
            vec![$(crate::Scenario {
                name: concat!(module_path!(), "::", stringify!($name)),
                run: |world| crate::Telling(Box::pin($name(world))),
            }),*]
        }
    };
}

mod accounts;
mod ai;
mod bodies;
#[path = "../http/support/client.rs"]
#[expect(dead_code, reason = "the other tests use more of it")]
mod client;
mod described;
mod examples;
#[path = "../exchange/mod.rs"]
mod exchange;
mod fakes;
mod general;
mod limits;
mod media;
mod platforms;
mod posts;
mod refusals;
mod shapes;
mod snippets;
mod table;
mod targets;
mod webhooks;
mod world;

use std::collections::BTreeSet;
use std::pin::Pin;
use std::sync::Arc;

use scheduler_core::ports::Store;
use scheduler_http::endpoints::{self, Access};
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{Database, SealingKey};

use table::{CODES, TABLE};
use world::World;

/// One story of requests and answers.
pub(crate) struct Scenario {
    name: &'static str,
    run: fn(Arc<World>) -> Telling,
}

/// A story that is being told.
pub(crate) struct Telling(Pin<Box<dyn Future<Output = ()> + Send>>);

fn scenarios() -> Vec<Scenario> {
    [
        general::all(),
        platforms::all(),
        posts::all(),
        targets::all(),
        media::all(),
        accounts::all(),
        ai::all(),
        webhooks::all(),
        snippets::all(),
        limits::all(),
        examples::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A pattern with its parameters unnamed.
fn shape_of(pattern: &str) -> String {
    let segments = pattern.split('/');
    let segments = segments.map(|segment| if segment.starts_with('{') { "{}" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

fn scope_of(access: Access) -> String {
    let names = |scopes: &[scheduler_core::key::Scope], between| {
        scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(between)
    };
    match access {
        Access::Keyless => "-".to_owned(),
        Access::AnyKey => "any".to_owned(),
        Access::Role(least) => least.to_string(),
        Access::Scope(scope) => scope.as_str().to_owned(),
        Access::All(scopes) => names(scopes, "+"),
        Access::AnyOf(scopes) => names(scopes, "|"),
    }
}

#[test]
fn the_endpoints_are_those_of_the_interface_description() {
    let ours: BTreeSet<(String, String, String)> = endpoints::api()
        .filter_map(|endpoint| {
            let path = endpoint.pattern.strip_prefix("/v1")?;
            let method = endpoint.method.to_string();
            Some((shape_of(path), method, scope_of(endpoint.access())))
        })
        .collect();
    let wanted: BTreeSet<(String, String, String)> = TABLE
        .iter()
        .map(|row| (shape_of(row.path), row.method.to_owned(), row.scope.to_owned()))
        .collect();
    let missing: Vec<_> = wanted.difference(&ours).collect();
    let invented: Vec<_> = ours.difference(&wanted).collect();
    assert!(
        missing.is_empty() && invented.is_empty(),
        "missing {missing:?}, too many {invented:?}"
    );
    let outside: Vec<&str> = endpoints::monitoring().map(|endpoint| endpoint.pattern).collect();
    assert_eq!(outside, ["/healthz", "/readyz", "/metrics"]);
    eprintln!("{} endpoints of the interface description, {} of ours", TABLE.len(), ours.len());
    assert_eq!(ours.len(), TABLE.len());
}

/// Tells every story over a store, and looks what was reached by them.
async fn tell(database: &str, store: Arc<dyn Store>) {
    let world = World::new(store).await;
    let only = std::env::var("SCHEDULER_SCENARIO").ok();
    let mut faults = Vec::new();
    for Scenario { name, run } in scenarios() {
        if only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        if tokio::spawn(run(Arc::clone(&world)).0).await.is_err() {
            faults.push(format!("{name} failed"));
        }
        // What one story has left behind is no matter of the next.
        *world.network.next_error.lock().unwrap() = None;
        world.assistant.answers.lock().unwrap().clear();
        world.assistant.is_missing.store(false, std::sync::atomic::Ordering::SeqCst);
    }
    if only.is_some() {
        assert!(faults.is_empty(), "{database}:\n{}", faults.join("\n"));
        return;
    }
    let book = std::mem::take(&mut *world.book.lock().unwrap());
    faults.extend(book.beyond);
    faults.extend(refusals::differences(&book.refusals));
    let (mut listed, mut all) = (0, 0);
    for (index, row) in TABLE.iter().enumerate() {
        let reached = book.reached.get(&index).cloned().unwrap_or_default();
        for status in row.statuses() {
            if reached.contains(&status) {
                all += 1;
                listed += usize::from(row.listed.contains(&status));
            } else {
                faults.push(format!("{} was not seen to answer {status}", row.name()));
            }
        }
    }
    for code in CODES.into_iter().filter(|code| !book.codes.contains(*code)) {
        faults.push(format!("no answer had the code {code}"));
    }
    eprintln!(
        "{database}: {} endpoints, {listed} of {} (endpoint, status) pairs of the interface \
         description reached, {all} with those of our decisions; {} of {} error codes",
        TABLE.len(),
        TABLE.iter().map(|row| row.listed.len()).sum::<usize>(),
        CODES.iter().filter(|code| book.codes.contains(**code)).count(),
        CODES.len(),
    );
    assert!(faults.is_empty(), "{database}:\n{}", faults.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_status_is_reached_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
    let database = Database::open(&url, &SealingKey::from_bytes([1; 32])).await.unwrap();
    tell("sqlite", database.store()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_status_is_reached_on_postgres() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let key = SealingKey::from_bytes([1; 32]);
    let database = Database::open(postgres.url(), &key).await.unwrap();
    tell("postgres", database.store()).await;
    database.close().await;
}
