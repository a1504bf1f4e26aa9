//! Databases of earlier releases keep what is in them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::ids::{AccountId, MediaId, PostId, WorkspaceId};
use scheduler_core::media::{Media, MediaKind, MediaStatus, Transfer};
use scheduler_core::plan::Plan;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{ApprovalsOf, ClaimRequest, EraseOutcome, ReadMode, Store, WorkKind};
use scheduler_core::post::{
    LIMIT_MAX, ListFilter, ListOrder, ListQuery, ListedState, Month, PageQuery, Post, RemarkBy,
    Window,
};
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{Database, SealingKey};
use sqlx::Connection as _;
use sqlx::migrate::Migrator;
use uuid::Uuid;

/// The migrations of a folder.
async fn migrations(of: &str) -> Migrator {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(of);
    Migrator::new(folder).await.unwrap()
}

const WORKSPACE: u128 = 1;
const OTHER: u128 = 2;
/// Targets that are live.
const LIVE: u128 = 122;
const OLD: u128 = 124;
/// Before release 13 of the schema, posts were read one by one from a million failures on.
const ONE_BY_ONE: &str = "UPDATE reading_states SET failures = 1000002";

fn uuid(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// Deliveries of the events of the same ids: status, and when each attempt was made.
fn deliveries() -> [(u128, &'static str, Vec<DateTime<Utc>>); 3] {
    [
        (41, "pending", vec![november()]),
        (42, "delivered", vec![november(), december()]),
        (43, "failed", vec![]),
    ]
}

/// November 2026, the last moment of it by UTC.
fn november() -> DateTime<Utc> {
    "2026-11-30T23:59:59.999999Z".parse().unwrap()
}

fn december() -> DateTime<Utc> {
    november() + TimeDelta::microseconds(1)
}

/// Id, workspace, status, bytes, error, and when it was declared.
type File = (u128, u128, &'static str, Option<i64>, Option<&'static str>, DateTime<Utc>);

fn files() -> [File; 9] {
    [
        (11, WORKSPACE, "ready", Some(1), None, november()),
        (12, WORKSPACE, "awaiting_upload", Some(20), None, november()),
        (13, WORKSPACE, "failed", Some(300), Some("broken"), november()),
        (14, WORKSPACE, "deleted", Some(4_000), None, november()),
        (15, WORKSPACE, "deleted", Some(50_000), Some("broken"), november()),
        (16, WORKSPACE, "processing", Some(600_000), None, december()),
        (17, WORKSPACE, "ingesting", None, None, december()),
        (18, OTHER, "ready", Some(7), None, december()),
        (19, WORKSPACE, "ready", None, None, december()),
    ]
}

/// Id, status, the files that it names, and the options of its target.
fn posts() -> [(u128, &'static str, String, String); 6] {
    let list = |ids: &[u128]| {
        serde_json::to_string(&ids.iter().map(|id| uuid(*id)).collect::<Vec<_>>()).unwrap()
    };
    let thumbnail =
        |text: &str| format!(r#"{{"title":"a \"b\" \u0000","thumbnailMediaId":{text}}}"#);
    let (one, nine) = (uuid(11), uuid(19));
    [
        (21, "scheduled", list(&[11, 12]), "{}".to_owned()),
        (22, "done", list(&[11, 11]), thumbnail(&format!("\"{nine}\""))),
        (
            23,
            "draft",
            list(&[]),
            thumbnail(&format!("\"{}\"", nine.simple().to_string().to_uppercase())),
        ),
        (24, "done", list(&[19]), thumbnail(&format!("\"{}\"", one.urn()))),
        (25, "done", list(&[]), thumbnail(&format!("\"{}\"", one.braced()))),
        (26, "draft", list(&[]), thumbnail("7")),
    ]
}

macro_rules! fill {
    ($connection:expr, $instant:expr, $flag:expr, $yesterday:expr, $long_ago:expr) => {
        for workspace in [WORKSPACE, OTHER] {
            sqlx::query("INSERT INTO workspaces VALUES ($1, $2, 'pro', NULL, $3)")
                .bind(uuid(workspace))
                .bind(format!("workspace {workspace}"))
                .bind($instant(november()))
                .execute(&mut $connection)
                .await
                .unwrap();
        }
        for (id, workspace, status, bytes, error, at) in files() {
            sqlx::query(
                "INSERT INTO media (id, workspace_id, kind, status, size_bytes, error, created_at) \
                 VALUES ($1, $2, 'image', $3, $4, $5, $6)",
            )
            .bind(uuid(id))
            .bind(uuid(workspace))
            .bind(status)
            .bind(bytes)
            .bind(error)
            .bind($instant(at))
            .execute(&mut $connection)
            .await
            .unwrap();
        }
        for (id, status, files, options) in posts() {
            sqlx::query(
                "INSERT INTO posts VALUES ($1, $2, $3, 'text', NULL, $4, '[]', NULL, NULL, $5, $5, \
                 NULL, 1, $5, $6, NULL)",
            )
            .bind(uuid(id))
            .bind(uuid(WORKSPACE))
            .bind(status)
            .bind(files)
            .bind($instant(november() - TimeDelta::seconds(i64::try_from(id).unwrap())))
            .bind($flag)
            .execute(&mut $connection)
            .await
            .unwrap();
            sqlx::query(
                "INSERT INTO targets (id, post_id, position, platform, account_id, status, \
                 options, attempts, spent_tries, spent_rate_limits, revision) \
                 VALUES ($1, $2, 0, 'youtube', $3, 'pending', $4, 0, 0, 0, 0)",
            )
            .bind(uuid(id + 100))
            .bind(uuid(id))
            .bind(uuid(9))
            .bind(options)
            .execute(&mut $connection)
            .await
            .unwrap();
        }
        for (account, gone) in [(9, None), (10, Some(november()))] {
            sqlx::query(
                "INSERT INTO accounts (id, workspace_id, platform, network_id, needs_reconnect, \
                 schedule, limits, connected_at, disconnected_at, credentials, \
                 credentials_version) \
                 VALUES ($1, $2, 'youtube', $3, $4, '', '{}', $5, $6, $7, 1)",
            )
            .bind(uuid(account))
            .bind(uuid(WORKSPACE))
            .bind(account.to_string())
            .bind($flag)
            .bind($instant(november()))
            .bind(gone.map($instant))
            .bind(gone.is_none().then(|| vec![0_u8]))
            .execute(&mut $connection)
            .await
            .unwrap();
        }
        // One has gone live yesterday, and one long ago.
        for (target, at) in [(LIVE, $yesterday), (OLD, $long_ago)] {
            let update = format!(
                "UPDATE targets SET status = 'published', remote_id = 'x', published_at = {at} \
                 WHERE id = $1"
            );
            sqlx::query(sqlx::AssertSqlSafe(update))
                .bind(uuid(target))
                .execute(&mut $connection)
                .await
                .unwrap();
        }
        sqlx::query("INSERT INTO webhooks VALUES ($1, $2, 'u', '[]', $3, $4)")
            .bind(uuid(40))
            .bind(uuid(WORKSPACE))
            .bind(vec![0_u8])
            .bind($instant(november()))
            .execute(&mut $connection)
            .await
            .unwrap();
        for (id, status, attempts) in deliveries() {
            sqlx::query("INSERT INTO events VALUES ($1, $2, 'post.failed', $3, '')")
                .bind(uuid(id))
                .bind(uuid(WORKSPACE))
                .bind($instant(november()))
                .execute(&mut $connection)
                .await
                .unwrap();
            sqlx::query("INSERT INTO deliveries VALUES ($1, $1, $2, $3, $4, 0, $5)")
                .bind(uuid(id))
                .bind(uuid(40))
                .bind(uuid(WORKSPACE))
                .bind(status)
                .bind($instant(november()))
                .execute(&mut $connection)
                .await
                .unwrap();
            for (position, at) in (1_i64..).zip(attempts) {
                sqlx::query("INSERT INTO delivery_attempts VALUES ($1, $2, $3, 500, '')")
                    .bind(uuid(id))
                    .bind(position)
                    .bind($instant(at))
                    .execute(&mut $connection)
                    .await
                    .unwrap();
            }
        }
        sqlx::query(
            "INSERT INTO work VALUES ($1, 'publish', $2, $3, 'youtube', 'lane', $4, $4, $5, 0)",
        )
        .bind(uuid(31))
        .bind(uuid(121))
        .bind(uuid(WORKSPACE))
        .bind($instant(december()))
        .bind($flag)
        .execute(&mut $connection)
        .await
        .unwrap();
    };
}

/// What clients said before release 22 of the schema: of one post something, of another nothing.
macro_rules! approvals {
    ($connection:expr, $instant:expr) => {
        for (post, note) in [(21, Some("Größer, 'bitte'")), (23, None)] {
            let decided = note.map(|_| $instant(november()));
            sqlx::query(
                "INSERT INTO approvals (post_id, workspace_id, pass, created_at, expires_at, \
                 decided_at, note) VALUES ($1, $2, $3, $4, $4, $5, $6)",
            )
            .bind(uuid(post))
            .bind(uuid(WORKSPACE))
            .bind(vec![u8::try_from(post).unwrap(); 32])
            .bind($instant(november()))
            .bind(decided)
            .bind(note)
            .execute(&mut $connection)
            .await
            .unwrap();
        }
    };
}

async fn check_approvals(store: &dyn Store) {
    let workspace = WorkspaceId(uuid(WORKSPACE));
    for (post, want) in [(21, Some("Größer, 'bitte'")), (23, None)] {
        let of = ApprovalsOf::Post(workspace, PostId(uuid(post)));
        let (approval, _) = store.approvals(of).await.unwrap().remove(0);
        let remarks: Vec<(RemarkBy, &str)> =
            approval.remarks.iter().map(|remark| (remark.by, remark.text.as_str())).collect();
        assert_eq!(
            remarks,
            want.map(|text| (RemarkBy::Client, text)).into_iter().collect::<Vec<_>>()
        );
        assert_eq!(approval.note(), want, "it is of the decision, to the microsecond");
    }
}

async fn check(url: &str) {
    let database = Database::open(url, &SealingKey::from_bytes([1; 32])).await.unwrap();
    let store = database.store();
    let workspace = WorkspaceId(uuid(WORKSPACE));
    assert_eq!(store.workspace(workspace).await.unwrap().unwrap().plan, Plan::Pro);

    check_lists(&*store, workspace).await;
    check_approvals(&*store).await;
    check_feeds(&*store).await;
    let [first, second, ..] = files();
    let ids = files().map(|file| MediaId(uuid(file.0)));
    let found = store.media(workspace, &ids).await.unwrap();
    assert_eq!(found.len(), 8);
    let media = |id: u128| found.iter().find(|media| media.id.0 == uuid(id)).unwrap().clone();
    let id = MediaId(uuid(first.0));
    let ready = Media {
        status: MediaStatus::Ready,
        size_bytes: Some(1),
        due_at: None,
        version: 1,
        ..Media::declared(id, workspace, MediaKind::Image, Transfer::Single, november())
    };
    assert_eq!(media(11), ready);
    assert_eq!(media(second.0).due_at, Some(november() + TimeDelta::days(1)));
    assert_eq!(media(13).error.as_deref(), Some("broken"));

    for (month, want) in [(november(), 4_021), (december(), 600_000)] {
        let bytes = store.bytes_in_month(workspace, Month::of(month)).await.unwrap();
        assert_eq!(bytes, want, "{month}");
        let sum = found.iter().filter(|media| media.allowance_month() == Month::of(month));
        assert_eq!(bytes, sum.map(Media::allowance_bytes).sum::<u64>(), "{month}");
    }
    let other = WorkspaceId(uuid(OTHER));
    assert_eq!(store.bytes_in_month(other, Month::of(december())).await.unwrap(), 7);

    for (file, want) in
        [(11, vec![21, 22, 24, 25]), (12, vec![21]), (19, vec![22, 23, 24]), (13, vec![])]
    {
        let all = PageQuery { limit: LIMIT_MAX, before: None };
        let posts = store.posts_of_media(workspace, MediaId(uuid(file)), all).await.unwrap();
        let ids: Vec<PostId> = posts.iter().map(|post| post.id).collect();
        let want: Vec<PostId> = want.into_iter().map(|id| PostId(uuid(id))).collect();
        assert_eq!(ids, want, "the posts of {file}");
        assert!(posts.iter().all(|post| post.files().contains(&MediaId(uuid(file)))));
    }
    let erase =
        async |id| store.erase_media(workspace, MediaId(uuid(id)), december()).await.unwrap();
    assert_eq!(erase(19).await, EraseOutcome::InUse, "by a draft");
    assert!(matches!(erase(17).await, EraseOutcome::Deleted(_)));

    let request =
        ClaimRequest::new(december() + TimeDelta::days(2), december() + TimeDelta::days(3), 99, 9);
    let claims = store.claim(&request).await.unwrap();
    let due: BTreeSet<(WorkKind, Uuid)> =
        claims.iter().map(|claim| (claim.kind, claim.subject)).collect();
    let want = [
        (WorkKind::Publish, uuid(121)),
        (WorkKind::Erase, uuid(12)),
        (WorkKind::Examine, uuid(16)),
        (WorkKind::Erase, uuid(17)),
        (WorkKind::Read, uuid(9)),
    ];
    assert_eq!(due, want.into_iter().collect());
    for claim in claims.iter().filter(|claim| WorkKind::OF_FILES.contains(&claim.kind)) {
        assert_eq!(claim.lane, claim.subject.to_string());
        let context = store.media_context(claim).await.unwrap().unwrap();
        assert_eq!((context.media.id.0, context.plan), (claim.subject, Plan::Pro));
    }
    let claim = claims.iter().find(|claim| claim.kind == WorkKind::Read).unwrap();
    assert_eq!(claim.lane, format!("read/{}", uuid(9)));
    assert_eq!(claim.platform, Some(Platform::Youtube));
    assert!(claims.iter().all(|other| other.work_id <= claim.work_id), "its id is the last");
    // What the rows above hold in place of credentials was never sealed.
    let credentials = Credentials::new("token".to_owned(), None);
    store.replace_credentials(&[(AccountId(uuid(9)), 1)], &credentials).await.unwrap();
    let context = store.reading_context(claim, request.now, 9).await.unwrap().unwrap();
    assert_eq!(context.state.look_due_at, claim.due_at);
    assert_eq!((context.state.failures, context.state.mode), (2, ReadMode::OneByOne));
    assert_eq!(context.due.len(), 1, "what went live long ago is not read unless asked for");
    assert_eq!(context.due[0].target_id.0, uuid(LIVE));
    assert!(context.due[0].live.is_some());
    // Connecting the other again makes it due.
    let other = store.account(workspace, AccountId(uuid(10))).await.unwrap().unwrap();
    let again = Account { connected_at: request.now, ..other };
    let credentials = Credentials::new("token".to_owned(), None);
    store.connect_account(&again, &credentials, 9).await.unwrap();
    let claims = store.claim(&request).await.unwrap();
    assert_eq!(claims.iter().map(|claim| claim.subject).collect::<Vec<_>>(), [uuid(10)]);
    check_deliveries(&*store).await;
    database.close().await;
}

/// What posts are found by follows from what earlier versions have stored of them.
async fn check_lists(store: &dyn Store, workspace: WorkspaceId) {
    let query = |filter, order| ListQuery {
        workspace_id: workspace,
        status: None,
        filter,
        window: Window::Since(DateTime::UNIX_EPOCH),
        order,
        page: PageQuery { limit: LIMIT_MAX, before: None },
    };
    let all = query(ListFilter::default(), ListOrder::Recent);
    let all = store.list_posts(&all).await.unwrap();
    assert!(all.len() > 4, "{}", all.len());
    let mut filters = vec![ListFilter::default()];
    for id in [9, 10] {
        let accounts = BTreeSet::from([AccountId(uuid(id))]);
        filters.push(ListFilter { accounts, ..ListFilter::default() });
    }
    for state in [ListedState::Failed, ListedState::InDoubt, ListedState::AwaitingApproval] {
        filters.push(ListFilter { state: Some(state), ..ListFilter::default() });
    }
    let word = all.iter().flat_map(Post::search_words).next().unwrap();
    filters.push(ListFilter { words: vec![word], ..ListFilter::default() });
    let mut found = 0;
    for filter in filters {
        for order in [ListOrder::Recent, ListOrder::Due] {
            let query = query(filter.clone(), order);
            let is_wanted = |post: &&Post| query.lists(post, &BTreeSet::new());
            let want: BTreeSet<PostId> = all.iter().filter(is_wanted).map(|post| post.id).collect();
            let listed = store.list_posts(&query).await.unwrap();
            let ids: BTreeSet<PostId> = listed.iter().map(|post| post.id).collect();
            assert_eq!(ids, want, "{query:?}");
            found += listed.len();
        }
    }
    assert!(found > 2 * all.len(), "more than what no filter finds");
}

/// Age counts from the last attempt, where there was one; what waits has none.
async fn check_deliveries(store: &dyn Store) {
    let left = async || {
        let records = store.deliveries(WorkspaceId(uuid(WORKSPACE)), None, 9).await.unwrap();
        records.into_iter().map(|record| record.delivery.id.0).collect::<BTreeSet<Uuid>>()
    };
    let second = TimeDelta::seconds(1);
    for (before, want) in [
        (november(), &[41, 42, 43][..]),
        (december(), &[41, 42]),
        (december() + second, &[41]),
        (december() + TimeDelta::days(365), &[41]),
    ] {
        store.remove_ended_deliveries(before, 9).await.unwrap();
        assert_eq!(left().await, want.iter().map(|id| uuid(*id)).collect(), "{before}");
    }
}

/// Feeds that have failed so often before people were told of any.
const FAILURES: [i64; 5] = [0, 1, 2, 3, 40];

macro_rules! feeds {
    ($connection:expr, $instant:expr) => {
        for (number, failures) in (0..).zip(FAILURES) {
            sqlx::query(
                "INSERT INTO feeds (id, workspace_id, input, paused, created_at, next_at, failures, \
                 known) VALUES ($1, $2, $3, FALSE, $4, $4, $5, $6)",
            )
            .bind(uuid(500 + number))
            .bind(uuid(WORKSPACE))
            .bind(FEED)
            .bind($instant(november()))
            .bind(failures)
            .bind(Vec::<u8>::new())
            .execute(&mut $connection)
            .await
            .unwrap();
        }
    };
}

const FEED: &str =
    r#"{"name":"Blog","url":"https://blog.example/feed","targets":[{"platform":"bluesky"}]}"#;

/// The next failure of those that have failed more often is told of.
async fn check_feeds(store: &dyn Store) {
    let feeds = store.feeds(WorkspaceId(uuid(WORKSPACE))).await.unwrap();
    let failures: Vec<u32> = feeds.iter().map(|(_, state)| state.failures).collect();
    assert_eq!(failures, [0, 1, 2, 2, 2]);
}

#[tokio::test]
async fn in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
    let mut connection = sqlx::SqliteConnection::connect(&format!("{url}?mode=rwc")).await.unwrap();
    migrations("sqlite").await.run_to(1, &mut connection).await.unwrap();
    fill!(
        connection,
        |at: DateTime<Utc>| at.timestamp_micros(),
        false,
        "(unixepoch() - 86400) * 1000000",
        "(unixepoch() - 15 * 86400) * 1000000"
    );
    migrations("sqlite").await.run_to(12, &mut connection).await.unwrap();
    approvals!(connection, |at: DateTime<Utc>| at.timestamp_micros());
    sqlx::query(ONE_BY_ONE).execute(&mut connection).await.unwrap();
    migrations("sqlite").await.run_to(52, &mut connection).await.unwrap();
    feeds!(connection, |at: DateTime<Utc>| at.timestamp_micros());
    connection.close().await.unwrap();
    check(&url).await;
}

#[tokio::test]
async fn in_postgres() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    let mut connection = sqlx::PgConnection::connect(postgres.url()).await.unwrap();
    sqlx::raw_sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        .execute(&mut connection)
        .await
        .unwrap();
    migrations("postgres").await.run_to(1, &mut connection).await.unwrap();
    // Months are those of UTC, whatever the server's zone is.
    fill!(
        connection,
        |at: DateTime<Utc>| at,
        false,
        "now() - interval '1 day'",
        "now() - interval '15 days'"
    );
    migrations("postgres").await.run_to(12, &mut connection).await.unwrap();
    approvals!(connection, |at: DateTime<Utc>| at);
    sqlx::query(ONE_BY_ONE).execute(&mut connection).await.unwrap();
    migrations("postgres").await.run_to(52, &mut connection).await.unwrap();
    feeds!(connection, |at: DateTime<Utc>| at);
    connection.close().await.unwrap();
    check(postgres.url()).await;
}
