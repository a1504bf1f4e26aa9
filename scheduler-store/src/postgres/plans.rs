//! How PostgreSQL runs statements where there are many rows; for tests.

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, Row as _};

use super::claim::OLDEST;
use super::dialect::{
    DELETE_OTHER_FILES, KEEP_READINGS, LOCK_FILES, LOCK_MEDIA, LOCK_READINGS, PLAN_READINGS,
};
use crate::testing::{Durability, TestPostgres};

/// Twenty thousand files of ten workspaces, posts and uses, and one file that a quarter of the
/// posts use; five accounts of each of a thousand workspaces, and their readings.
const FILL: &str = "CREATE TEMP TABLE n AS \
      SELECT n, lpad(to_hex(n), 32, '0')::uuid AS id, lpad(to_hex(1 + n % 10), 32, '0')::uuid AS w, \
      to_timestamp(n) AS at FROM generate_series(1, 20000) n; \
    INSERT INTO workspaces SELECT id, 'w' || n, 'pro', NULL, at FROM n WHERE n <= 1000; \
    INSERT INTO media (id, workspace_id, kind, status, created_at) \
      SELECT id, w, 'image', 'ready', at FROM n; \
    INSERT INTO posts (id, workspace_id, status, content, media_ids, alt_texts, created_at, \
      updated_at, version, moment, went_out) \
      SELECT id, w, 'done', '', '[]', '[]', at, at, 1, at, true FROM n; \
    INSERT INTO idempotency_keys SELECT w, 'media', 'key ' || n, NULL, id, id, 'kept' FROM n; \
    INSERT INTO approvals SELECT id, w, decode(lpad(to_hex(n), 64, '0'), 'hex'), at, at FROM n; \
    INSERT INTO webhooks SELECT id, w, 'u', '[]', '', at FROM n; \
    INSERT INTO events SELECT id, w, 'post.failed', at, '' FROM n; \
    INSERT INTO deliveries SELECT id, id, id, w, \
      CASE WHEN n % 99 = 0 THEN 'failed' ELSE 'delivered' END, 1, at, at FROM n; \
    INSERT INTO post_files SELECT w, \
      CASE WHEN n % 4 = 0 THEN lpad('7', 32, '0')::uuid ELSE id END, id FROM n; \
    INSERT INTO accounts (id, workspace_id, platform, network_id, needs_reconnect, schedule, \
      limits, connected_at, credentials, credentials_version) \
      SELECT id, lpad(to_hex(1 + n % 1000), 32, '0')::uuid, 'bluesky', n::text, false, '', '{}', at, '', 1 FROM n WHERE n <= 5000; \
    INSERT INTO targets (id, post_id, position, platform, account_id, status, options, remote_id, \
      published_at, attempts, spent_tries, spent_rate_limits, revision) \
      SELECT id, id, 0, 'bluesky', lpad(to_hex(1 + n % 1000), 32, '0')::uuid, 'published', '{}', \
      'x', at, 1, 0, 0, 0 FROM n; \
    INSERT INTO reading_plans SELECT id, lpad(to_hex(1 + n % 1000), 32, '0')::uuid, at, at \
      FROM n; \
    INSERT INTO audit SELECT id, w, at, 'key', NULL, NULL, 'o', 'p', NULL, NULL, \
      CASE WHEN n % 2 > 0 THEN 'c' END, CASE WHEN n % 2 > 0 THEN 'done' END FROM n; \
    INSERT INTO comments SELECT id, w, id, id, lpad(to_hex(1 + n % 1000), 32, '0')::uuid, \
      'bluesky', 'c', NULL, 't', at, false, NULL, CASE WHEN n % 20 > 0 THEN at END FROM n; \
    INSERT INTO readings SELECT lpad(to_hex(1 + n % 1000), 32, '0')::uuid, at, '{}' FROM n; \
    INSERT INTO reading_states SELECT id, at, NULL, 0 FROM n; \
    INSERT INTO reading_refreshes SELECT id, at FROM n; \
    INSERT INTO followers SELECT lpad(to_hex(1 + n % 1000), 32, '0')::uuid, n * 5 + d, n \
      FROM n, generate_series(0, 4) d; \
    INSERT INTO call_budgets SELECT (n % 100)::text, at, at, n FROM n; \
    INSERT INTO media_counts SELECT w, n, n FROM n; \
    INSERT INTO assistant_counts SELECT w, n, 'captions', n FROM n; \
    INSERT INTO reviews SELECT id, id, '{}', at FROM n; \
    INSERT INTO work SELECT id, CASE WHEN n % 2 = 1 THEN 'fetch' WHEN n % 4 = 0 THEN 'read' \
      ELSE 'publish' END, id, w, \
      CASE WHEN n % 2 = 0 THEN 'bluesky' END, 'lane ' || n, at, at, n % 20 = 0, 1 FROM n; \
    INSERT INTO post_facets SELECT w, '\\x61'::bytea || uuid_send(lpad(to_hex(1 + n % 1000), 32, '0')::uuid), \
      at, id FROM n; \
    INSERT INTO post_words SELECT id, array_to_tsvector(ARRAY[ \
      lpad(to_hex(1 + n % 10), 8, '0') || 'common', \
      lpad(to_hex(1 + n % 10), 8, '0') || 'word' || n]), CASE WHEN n % 3 > 0 THEN at END FROM n; \
    ANALYZE; SET plan_cache_mode = force_generic_plan";

pub(super) struct Plans {
    connection: PgConnection,
    /// Is there as long as the connection.
    _database: TestPostgres,
}

impl Plans {
    pub(super) const FILES_BY_TIME: &str =
        "Index Scan Backward using media_by_workspace on media m";
    pub(super) const FILE: &str = "Scan using media_pkey on media";
    pub(super) const POSTS_OF_FILE: &str = "post_files_pkey";
    pub(super) const APPROVAL: &str = "approvals_pkey";
    pub(super) const APPROVAL_BY_PASS: &str = "approvals_by_pass";
    pub(super) const KEY_USE: &str = "idempotency_keys_pkey";
    pub(super) const POST: &str = "posts_pkey";
    pub(super) const POSTS_BY_MOMENT: &str = "posts_by_moment";
    pub(super) const POSTS_BY_DUE: &str = "posts_by_due";
    pub(super) const FACET: &str = "post_facets_pkey";
    pub(super) const TARGET: &str = "targets_pkey";
    pub(super) const TARGETS_OF_POST: &str = "targets_by_post";
    pub(super) const ACCOUNT: &str = "accounts_pkey";
    pub(super) const READINGS_BY_DUE: &str = "reading_plans_by_due";
    pub(super) const READINGS_BY_PUBLICATION: &str = "reading_plans_by_publication";
    pub(super) const READINGS_OF_RANGE: &str = "reading_plans_by_publication";
    pub(super) const READING_PLAN: &str = "reading_plans_pkey";
    pub(super) const READING: &str = "readings_pkey";
    pub(super) const FOLLOWERS: &str = "followers_pkey";
    pub(super) const BUDGET: &str = "call_budgets_pkey";
    pub(super) const REFRESH: &str = "reading_refreshes_pkey";
    pub(super) const WORK: &str = "Scan using work_pkey on work";
    pub(super) const DUE_WORK: &str = "Index Only Scan using work_by_claimable on work";
    pub(super) const WORK_OF_SUBJECT: &str = "Scan using work_kind_subject_key on work";
    pub(super) const MONTH: &str = "Scan using media_counts_pkey on media_counts";

    pub(super) const CALLS: &str = "Scan using assistant_counts_pkey on assistant_counts";
    pub(super) const REVIEW: &str = "Scan using reviews_pkey on reviews";

    pub(super) async fn of_many_rows() -> Option<Self> {
        let database = TestPostgres::create(Durability::None).await?;
        let mut connection = PgConnection::connect(database.url()).await.unwrap();
        connection.execute(sqlx::raw_sql(FILL)).await.unwrap();
        Some(Self { connection, _database: database })
    }

    pub(super) fn connection(&mut self) -> &mut PgConnection {
        &mut self.connection
    }

    /// The plan of a statement for whatever values, which passes over no table.
    pub(super) async fn of(&mut self, name: &str, statement: &str) -> String {
        let count = (1..).take_while(|number| statement.contains(&format!("${number}"))).count();
        let values = vec!["NULL"; count].join(", ");
        let prepare = format!("DEALLOCATE ALL; PREPARE plan AS {statement}");
        self.connection.execute(sqlx::raw_sql(AssertSqlSafe(prepare))).await.unwrap();
        let explain = format!("EXPLAIN EXECUTE plan ({values})");
        let steps = sqlx::raw_sql(AssertSqlSafe(explain)).fetch_all(&mut self.connection).await;
        let plan: String =
            steps.unwrap().iter().map(|step| format!("{}\n", step.get::<String, _>(0))).collect();
        // The workspaces are few enough to be passed over.
        let scan =
            plan.lines().find(|line| line.contains("Seq Scan") && !line.contains("workspaces"));
        assert_eq!(scan, None, "{name}:\n{plan}");
        plan
    }
}

#[tokio::test]
async fn files_are_found_by_their_ids() {
    let Some(mut plans) = Plans::of_many_rows().await else { return };
    for (name, statement, want) in [
        ("lock", LOCK_MEDIA, Plans::FILE),
        ("lock files", LOCK_FILES, "media_pkey"),
        ("delete other files", DELETE_OTHER_FILES, "post_files_by_post"),
    ] {
        let plan = plans.of(name, statement).await;
        assert!(plan.contains(want), "{name}:\n{plan}");
    }
}

#[tokio::test]
async fn readings_are_stored_by_their_targets() {
    let Some(mut plans) = Plans::of_many_rows().await else { return };
    for (name, statement, want) in [
        ("lock", LOCK_READINGS, Plans::WORK_OF_SUBJECT),
        ("plan", PLAN_READINGS, Plans::READING_PLAN),
        ("keep", KEEP_READINGS, Plans::READING_PLAN),
        ("keep", KEEP_READINGS, Plans::READING),
    ] {
        let plan = plans.of(name, statement).await;
        assert!(plan.contains(want), "{name}:\n{plan}");
    }
}

#[tokio::test]
async fn what_is_scheduled_for_later_is_not_looked_at() {
    let Some(mut plans) = Plans::of_many_rows().await else { return };
    let plan = plans.of("oldest", OLDEST).await;
    // The index alone tells what may be claimed.
    let (_, rest) = plan.split_once("Index Only Scan using work_by_claimable on work").unwrap();
    assert!(rest.trim_start().lines().nth(1).unwrap().contains("(claimable_at <= $1)"), "{plan}");
}
