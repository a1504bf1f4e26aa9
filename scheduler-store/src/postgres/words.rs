//! The moments beside the words of posts that an earlier version has stored without.

use std::time::Duration;

use sqlx::PgPool;
use tokio::time::sleep;
use uuid::Uuid;

/// Posts whose moments are stored at once.
///
/// Source: our decision; some tens of milliseconds.
const AT_ONCE: i64 = 500;

/// How long others have the database to themselves in between. Source: our decision.
const REST: Duration = Duration::from_millis(100);

/// Those behind the last of the batch before. What another node is filling, or a save is changing,
/// is passed over.
const FILL: &str = "WITH filled AS (UPDATE post_words w SET moment = p.moment FROM posts p \
      WHERE p.id = w.post_id AND w.post_id = ANY (ARRAY (SELECT post_id FROM post_words \
        WHERE moment IS NULL AND post_id > $1 ORDER BY post_id LIMIT $2 FOR UPDATE SKIP LOCKED)) \
      RETURNING w.post_id) \
    SELECT post_id FROM filled ORDER BY post_id DESC LIMIT 1";

/// Stores the moments that are missing, in batches, until there are none. Posts are found by their
/// words meanwhile, each with a look at its own row.
pub(super) async fn fill_moments(pool: PgPool) {
    let mut last = Uuid::nil();
    loop {
        let filled = sqlx::query_scalar(FILL).bind(last).bind(AT_ONCE).fetch_optional(&pool);
        match filled.await {
            Ok(Some(filled)) => last = filled,
            Ok(None) => return,
            Err(error) => {
                // The next start goes on with it.
                tracing::debug!(%error, "the moments of words cannot be stored now");
                return;
            }
        }
        sleep(REST).await;
    }
}

#[cfg(test)]
mod tests {
    use sqlx::{Connection as _, Executor as _, PgConnection};

    use super::*;
    use crate::testing::{Durability, TestPostgres};

    const STORED: &str = "INSERT INTO workspaces (id, name, plan, created_at) \
          VALUES (lpad('1', 32, '0')::uuid, 'w', 'pro', now()); \
        INSERT INTO posts (id, workspace_id, status, content, media_ids, alt_texts, created_at, \
          updated_at, version, moment, went_out) \
          SELECT lpad(to_hex(n), 32, '0')::uuid, lpad('1', 32, '0')::uuid, 'done', '', '[]', '[]', \
          to_timestamp(n), to_timestamp(n), 1, to_timestamp(n), true FROM generate_series(1, 1200) n; \
        INSERT INTO post_words (post_id, words) SELECT id, ''::tsvector FROM posts";
    const WRONG: &str = "SELECT count(*) FROM posts p JOIN post_words w ON w.post_id = p.id \
        WHERE w.moment IS DISTINCT FROM p.moment";

    /// As an earlier version has stored them, in more than one batch; and a post that moves then.
    #[tokio::test]
    async fn words_have_the_moments_of_their_posts() {
        let Some(database) = TestPostgres::create(Durability::None).await else { return };
        let pool = PgPool::connect(database.url()).await.unwrap();
        let mut connection = PgConnection::connect(database.url()).await.unwrap();
        connection.execute(sqlx::raw_sql(STORED)).await.unwrap();
        let wrong = sqlx::query_scalar::<_, i64>(WRONG);
        assert_eq!(wrong.fetch_one(&mut connection).await.unwrap(), 1_200);
        fill_moments(pool).await;
        let wrong = sqlx::query_scalar::<_, i64>(WRONG);
        assert_eq!(wrong.fetch_one(&mut connection).await.unwrap(), 0);
        let moved =
            "UPDATE posts SET moment = moment + interval '1 hour' WHERE moment > to_timestamp(7)";
        connection.execute(moved).await.unwrap();
        let wrong = sqlx::query_scalar::<_, i64>(WRONG);
        assert_eq!(wrong.fetch_one(&mut connection).await.unwrap(), 0, "the trigger");
    }
}
