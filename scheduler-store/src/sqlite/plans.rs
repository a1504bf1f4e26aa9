//! How SQLite runs statements where there are many rows; for tests.

use sqlx::{Executor as _, SqliteConnection};

use super::dialect::{ANY_DELETED, DELETE_OTHER_FILES, LOCK_MEDIA};
use super::open::tests::{connection, plan};

/// Twenty thousand files of ten workspaces, posts and uses, and one file that a quarter of the
/// posts use; and the readings of a thousand accounts.
const FILL: &str = "CREATE TEMP TABLE n AS WITH RECURSIVE n (n) AS \
      (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000) SELECT n FROM n; \
    INSERT INTO workspaces (id, name, plan, timezone, created_at) SELECT unhex(printf('%032x', n)), 'w' || n, 'pro', NULL, n \
      FROM n WHERE n <= 10; \
    INSERT INTO media (id, workspace_id, kind, status, created_at) \
      SELECT unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 10)), 'image', 'ready', n \
      FROM n; \
    INSERT INTO posts (id, workspace_id, status, content, media_ids, alt_texts, created_at, \
      updated_at, version, moment, went_out) \
      SELECT unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 10)), \
      'done', '', '[]', '[]', n, n, 1, n, 1 FROM n; \
    INSERT INTO idempotency_keys SELECT unhex(printf('%032x', 1 + n % 10)), 'media', 'key ' || n, \
      NULL, unhex(printf('%032x', n)), unhex(printf('%032x', n)), 'kept', NULL, NULL FROM n; \
    INSERT INTO approvals SELECT unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 10)), \
      unhex(printf('%064x', n)), n, n, NULL, NULL, NULL, NULL, '[]', NULL FROM n; \
    INSERT INTO webhooks SELECT unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 10)), \
      'u', '[]', x'', n, NULL FROM n; \
    INSERT INTO events SELECT unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 10)), \
      'post.failed', n, '' FROM n; \
    INSERT INTO deliveries SELECT unhex(printf('%032x', n)), unhex(printf('%032x', n)), \
      unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 10)), \
      iif(n % 99, 'delivered', 'failed'), 1, n, n FROM n; \
    INSERT INTO post_files SELECT unhex(printf('%032x', 1 + n % 10)), \
      unhex(printf('%032x', iif(n % 4, n, 7))), unhex(printf('%032x', n)) FROM n; \
    INSERT INTO accounts (id, workspace_id, platform, network_id, needs_reconnect, schedule, \
      limits, connected_at, credentials, credentials_version) \
      SELECT unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 10)), 'bluesky', n, 0, '', \
      '{}', n, x'00', 1 FROM n WHERE n <= 1000; \
    INSERT INTO targets (id, post_id, position, platform, account_id, status, options, remote_id, \
      published_at, attempts, spent_tries, spent_rate_limits, revision) \
      SELECT unhex(printf('%032x', n)), unhex(printf('%032x', n)), 0, 'bluesky', \
      unhex(printf('%032x', 1 + n % 1000)), 'published', '{}', n, n, 1, 0, 0, 0 FROM n; \
    INSERT INTO reading_plans SELECT unhex(printf('%032x', n)), \
      unhex(printf('%032x', 1 + n % 1000)), n, n, NULL, NULL, NULL FROM n; \
    INSERT INTO audit SELECT unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 10)), n, 'key', \
      NULL, NULL, 'o', 'p', NULL, NULL, iif(n % 2, 'c', NULL), iif(n % 2, 'done', NULL) FROM n; \
    INSERT INTO comments SELECT unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 10)), \
      unhex(printf('%032x', n)), unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 1000)), \
      'bluesky', 'c', NULL, 't', n, 0, NULL, iif(n % 20, n, NULL) FROM n; \
    INSERT INTO readings SELECT unhex(printf('%032x', 1 + n % 1000)), n, '{}' FROM n; \
    INSERT INTO reading_states SELECT id, 1, NULL, 0, 'batch' FROM accounts; \
    INSERT INTO reading_refreshes SELECT unhex(printf('%032x', n)), n FROM n; \
    INSERT INTO followers SELECT unhex(printf('%032x', 1 + n % 1000)), n, n FROM n; \
    INSERT INTO call_budgets SELECT n % 100, n, n, n FROM n; \
    INSERT INTO media_counts SELECT unhex(printf('%032x', n % 10)), n, n FROM n; \
    INSERT INTO assistant_counts SELECT unhex(printf('%032x', n % 10)), n, 'captions', n FROM n; \
    INSERT INTO reviews SELECT unhex(printf('%032x', n)), unhex(printf('%032x', n)), '{}', n FROM n; \
    INSERT INTO work SELECT unhex(printf('%032x', n)), iif(n % 2, 'fetch', iif(n % 4, 'publish', 'read')), \
      unhex(printf('%032x', n)), unhex(printf('%032x', 1 + n % 10)), iif(n % 2, NULL, 'bluesky'), \
      'lane ' || n, n, n, n % 20 = 0, 1 FROM n; \
    INSERT INTO post_facets SELECT unhex(printf('%032x', 1 + n % 10)), \
      unhex('61' || printf('%032x', 1 + n % 1000)), n, unhex(printf('%032x', n)) FROM n; \
    INSERT INTO post_words (post_id, words) SELECT unhex(printf('%032x', n)), printf(' %08xcommon %08xword%d ', 1 + n % 10, 1 + n % 10, n) FROM n; \
    ANALYZE";

pub(super) struct Plans(SqliteConnection);

impl Plans {
    pub(super) const FILES_BY_TIME: &str =
        "SEARCH m USING INDEX media_by_workspace (workspace_id=? AND (created_at,id)<(?,?))";
    pub(super) const FILE: &str = "USING INDEX sqlite_autoindex_media_1 (id=?)";
    pub(super) const POSTS_OF_FILE: &str =
        "SEARCH f USING PRIMARY KEY (workspace_id=? AND media_id=?)";
    pub(super) const APPROVAL: &str = "SEARCH a USING PRIMARY KEY (post_id=?)";
    pub(super) const APPROVAL_BY_PASS: &str = "(pass=?)";
    pub(super) const KEY_USE: &str = "USING PRIMARY KEY (workspace_id=? AND scope=? AND key=?)";
    pub(super) const POST: &str = "SEARCH p USING INDEX sqlite_autoindex_posts_1 (id=?)";
    pub(super) const POSTS_BY_MOMENT: &str = "posts_by_moment (workspace_id=? AND moment>?";
    pub(super) const POSTS_BY_DUE: &str = "posts_by_due (workspace_id=? AND due_at>?";
    pub(super) const FACET: &str =
        "SEARCH f USING PRIMARY KEY (workspace_id=? AND facet=? AND moment>?";
    pub(super) const TARGET: &str = "SEARCH t USING INDEX sqlite_autoindex_targets_1 (id=?)";
    pub(super) const TARGETS_OF_POST: &str = "targets USING INDEX targets_by_post (post_id=?)";
    pub(super) const ACCOUNT: &str = "SEARCH a USING INDEX sqlite_autoindex_accounts_1 (id=?)";
    pub(super) const READINGS_BY_DUE: &str = "reading_plans_by_due (account_id=?";
    pub(super) const READINGS_BY_PUBLICATION: &str =
        "reading_plans_by_publication (account_id=? AND published_at>?)";
    pub(super) const READINGS_OF_RANGE: &str =
        "reading_plans_by_publication (account_id=? AND published_at>? AND published_at<?)";
    pub(super) const READING_PLAN: &str = "USING PRIMARY KEY (target_id=?)";
    pub(super) const READING: &str = "USING PRIMARY KEY (target_id=?";
    pub(super) const FOLLOWERS: &str = "SEARCH f USING PRIMARY KEY (account_id=? AND day>?)";
    pub(super) const BUDGET: &str = "USING PRIMARY KEY (subject=? AND begins_at<?)";
    pub(super) const REFRESH: &str = "USING PRIMARY KEY (workspace_id=?)";
    pub(super) const WORK: &str = "SEARCH work USING PRIMARY KEY (id=?)";
    pub(super) const DUE_WORK: &str =
        "SEARCH work USING COVERING INDEX work_by_claimable (claimable_at<?)";
    pub(super) const WORK_OF_SUBJECT: &str = "(kind=? AND subject=?)";
    pub(super) const MONTH: &str = "USING PRIMARY KEY (workspace_id=? AND month=?)";

    pub(super) const CALLS: &str = "USING PRIMARY KEY (workspace_id=? AND month=? AND call=?)";
    pub(super) const REVIEW: &str = "SEARCH r USING INDEX sqlite_autoindex_reviews_1 (target_id=?)";

    pub(super) async fn of_many_rows() -> Option<Self> {
        let mut connection = connection().await;
        connection.execute(FILL).await.unwrap();
        Some(Self(connection))
    }

    pub(super) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.0
    }

    /// The plan of a statement, which passes over no table.
    pub(super) async fn of(&mut self, name: &str, statement: &str) -> String {
        let plan = plan(&mut self.0, statement).await;
        let passes_over = |line: &&str| {
            let is_no_table = line.contains("json_each")
                || line.contains("CONSTANT ROW")
                || line.ends_with("SCAN due");
            line.starts_with("SCAN") && !is_no_table
        };
        let scan = plan.lines().find(passes_over);
        assert_eq!(scan, None, "{name}:\n{plan}");
        plan
    }
}

#[tokio::test]
async fn files_are_found_by_their_ids() {
    let Some(mut plans) = Plans::of_many_rows().await else { return };
    for (name, statement, want) in [
        ("lock", LOCK_MEDIA, Plans::FILE),
        ("any deleted", ANY_DELETED, Plans::FILE),
        ("delete other files", DELETE_OTHER_FILES, "post_files_by_post (post_id=?)"),
    ] {
        let plan = plans.of(name, statement).await;
        assert!(plan.contains(want), "{name}:\n{plan}");
    }
}
