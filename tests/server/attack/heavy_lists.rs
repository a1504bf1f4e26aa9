//! Heavy lists on PostgreSQL with one key, while another workspace publishes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::{Method, StatusCode};
use scheduler_store::testing::{Durability, TestPostgres};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};
use tokio::task::JoinSet;

use super::{Row, crowd, longest, sized};
use crate::support::{Api, Backend, Networks, Service, Setup, Tenant};

/// Drafts with the largest options.
const DRAFTS: usize = 200;
const DRAFTS_LONG: usize = 10_000;

/// Callers with the same key.
const CALLERS: usize = 32;

/// Posts of the other workspace, each to an account of its own.
const POSTS: usize = 10;

const ATTACK: &str = "heavy lists on PostgreSQL of one key";

/// By how much a publish of another workspace may be slower. Source: the bound of the row on
/// places.
const GROWTH_MAX: Duration = Duration::from_secs(1);

/// By how much a publish is later when it has waited for readers, on however slow a machine.
const STALLED: Duration = Duration::from_secs(20);

/// What a list of another workspace may take meanwhile: it waits for a connection of readers.
const LIST_MAX: Duration = Duration::from_secs(5);

/// When statements that do not end are ended at the latest. Source: the time-out of readers, which
/// is 30 seconds, and what it takes to tell their callers.
const ENDED_MAX: Duration = Duration::from_secs(35);

/// Connections of everybody but the engine.
const CONNECTIONS: i64 = 8;

/// Every look for a key takes a minute.
const SLOW: &str = "ALTER TABLE keys RENAME TO all_keys; \
    CREATE VIEW keys AS SELECT all_keys.* FROM all_keys, pg_sleep(60)";
const QUICK: &str = "DROP VIEW keys; ALTER TABLE all_keys RENAME TO keys";
const SLEEPING: &str = "SELECT count(*) FROM pg_stat_activity \
    WHERE application_name = 'scheduler' AND wait_event = 'PgSleep'";

struct World {
    postgres: Backend,
    networks: Networks,
    folder: tempfile::TempDir,
}

impl World {
    async fn new() -> Option<Self> {
        let postgres = Backend::Postgres(TestPostgres::create(Durability::Full).await?);
        let (networks, folder) = (Networks::start().await, tempfile::tempdir().unwrap());
        Some(Self { postgres, networks, folder })
    }

    fn serve(&self) -> (Service, Setup) {
        let setup = Setup {
            database: self.postgres.url(),
            ..Setup::new(self.folder.path(), self.networks.url())
        };
        (setup.serve(), setup)
    }
}

/// Schedules a post for each account, for an instant that is so far away.
async fn schedule(tenant: &Tenant, ahead: TimeDelta) -> (DateTime<Utc>, Vec<String>) {
    let targets = tenant.targets("bluesky").await;
    let (due, mut posts) = (now() + ahead, Vec::new());
    for target in targets {
        let body = json!({"content": "x", "scheduledAt": due.to_rfc3339(), "targets": [target]});
        posts.push(tenant.api.create(&body).await["id"].as_str().unwrap().to_owned());
    }
    assert!(now() < due, "all were there before they were due");
    (due, posts)
}

/// How long after they were due the last of these posts went.
async fn lateness(tenant: &Tenant, due: DateTime<Utc>, posts: &[String]) -> Duration {
    let mut latest = due;
    for id in posts {
        let post = tenant.api.ended(id).await;
        let at = post["targets"][0]["publishedAt"].as_str();
        latest = latest.max(at.unwrap_or_else(|| panic!("{post}")).parse().unwrap());
    }
    (latest - due).to_std().unwrap()
}

/// Asks for a list; refused only for the time being, and told for how long.
async fn list(api: &Api) -> StatusCode {
    let answer = api.send_large(Method::GET, "/posts?limit=500&days=730", None).await;
    let status = answer.status();
    if status != StatusCode::OK {
        let code = match status {
            StatusCode::SERVICE_UNAVAILABLE => "unavailable",
            StatusCode::TOO_MANY_REQUESTS => "rate_limited",
            status => panic!("{status}"),
        };
        let after = answer.headers().get("retry-after").expect("how long to wait");
        assert!(after.to_str().unwrap().parse::<u32>().unwrap() > 0);
        let answer: Value = answer.json().await.unwrap();
        assert_eq!(answer["error"]["code"], code);
        return status;
    }
    answer.bytes().await.unwrap();
    status
}

#[tokio::test(flavor = "multi_thread")]
async fn heavy_lists_of_one_key_leave_publishing_alone() {
    let Some(world) = World::new().await else { return };
    let (service, setup) = world.serve();
    let (api, other) = (service.api(), Tenant::new(&service, &setup, "other"));
    other.connect("bluesky", POSTS);
    crowd(&setup, 2);
    let options = json!({"x": "y".repeat(65_000)});
    let draft = json!({
        "content": "x", "saveAsDraft": true,
        "targets": [{"platform": "bluesky", "options": options}],
    });
    for _ in 0..sized(DRAFTS, DRAFTS_LONG) {
        let answer = api.send_large(Method::POST, "/posts", Some(&draft)).await;
        assert_eq!(answer.status(), StatusCode::CREATED);
    }
    let (due, posts) = schedule(&other, TimeDelta::seconds(3)).await;
    let before = lateness(&other, due, &posts).await;
    let (due, posts) = schedule(&other, TimeDelta::seconds(6)).await;
    let is_over = Arc::new(AtomicBool::new(false));
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let (api, is_over) = (api.clone(), is_over.clone());
        callers.spawn(async move {
            let mut statuses = Vec::new();
            while !is_over.load(Ordering::Relaxed) {
                statuses.push(list(&api).await);
            }
            statuses
        });
    }
    let waited_for = longest(20, async || {
        other.api.get("/posts?limit=10").await;
    });
    let (waited_for, meanwhile) = tokio::join!(waited_for, lateness(&other, due, &posts));
    is_over.store(true, Ordering::Relaxed);
    let statuses: Vec<StatusCode> = callers.join_all().await.into_iter().flatten().collect();
    let answered = statuses.iter().filter(|status| **status == StatusCode::OK).count();
    eprintln!("{answered} lists answered, {} put off", statuses.len() - answered);
    assert!(answered > 0);
    assert!(meanwhile < before + STALLED, "publishing stood still: {meanwhile:?}");
    let row = Row::new(ATTACK, &world.postgres);
    row.within(
        "another workspace published later by",
        meanwhile.saturating_sub(before),
        GROWTH_MAX,
    );
    row.within("its own lists took", waited_for, LIST_MAX);
}

/// All connections of readers are held by statements that do not end by themselves.
#[tokio::test(flavor = "multi_thread")]
async fn statements_that_do_not_end_are_ended_and_publishing_goes_on() {
    let Some(world) = World::new().await else { return };
    let (service, setup) = world.serve();
    let (api, other) = (service.api(), Tenant::new(&service, &setup, "other"));
    other.connect("bluesky", POSTS);
    crowd(&setup, 2);
    let mut database = PgConnection::connect(&world.postgres.url().unwrap()).await.unwrap();
    let (due, posts) = schedule(&other, TimeDelta::seconds(8)).await;
    database.execute(SLOW).await.unwrap();
    let begun = Instant::now();
    let mut callers = JoinSet::new();
    for _ in 0..CALLERS {
        let api = api.clone();
        callers.spawn(async move { list(&api).await });
    }
    let held = async |database: &mut PgConnection| -> i64 {
        sqlx::query_scalar(SLEEPING).fetch_one(database).await.unwrap()
    };
    while held(&mut database).await < CONNECTIONS {
        assert!(begun.elapsed() < Duration::from_secs(10), "all connections are held");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(now() < due, "nothing was due before");
    // While they are: a look at the database shows what the engine has done.
    let live = "SELECT count(*) FROM targets WHERE status = 'published'";
    while sqlx::query_scalar::<_, i64>(live).fetch_one(&mut database).await.unwrap()
        < i64::try_from(POSTS).unwrap()
    {
        assert_eq!(held(&mut database).await, CONNECTIONS, "readers are held until all is out");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let statuses = callers.join_all().await;
    let ended = begun.elapsed();
    assert!(statuses.iter().all(|status| *status == StatusCode::SERVICE_UNAVAILABLE));
    database.execute(QUICK).await.unwrap();
    assert_eq!(list(&api).await, StatusCode::OK);
    let late = lateness(&other, due, &posts).await;
    let row = Row::new(ATTACK, &world.postgres);
    row.within("all connections of readers held, publishing was late by", late, GROWTH_MAX);
    row.within("statements of a minute ended after", ended, ENDED_MAX);
}

#[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
fn now() -> DateTime<Utc> {
    DateTime::<Utc>::from(std::time::SystemTime::now())
}
