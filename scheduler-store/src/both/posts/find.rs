//! What posts are found by beside their status: kept as rows that follow from each post.

use scheduler_core::post::Post;

use super::super::{Connection, dialect};
use crate::error::Failure;
use crate::rows::facet::FacetRows;
use crate::rows::words::words_of;

const INSERT: &str =
    "INSERT INTO post_facets (workspace_id, facet, moment, post_id) VALUES ($1, $2, $3, $4)";
const DELETE: &str = "DELETE FROM post_facets \
    WHERE workspace_id = $1 AND facet = $2 AND moment = $3 AND post_id = $4";
const SEARCHABLE: &str = "UPDATE posts SET searchable = true WHERE id = $1";

/// Posts whose words are stored at once by [`fill_words`].
const FILLED_AT_ONCE: i64 = 100;

/// Stores what a post is found by, in place of what an earlier form of it was.
pub(crate) async fn index_post(
    connection: &mut Connection,
    before: Option<&Post>,
    post: &Post,
) -> Result<(), Failure> {
    let words = words_of(post);
    if before.is_none_or(|before| words_of(before) != words) {
        dialect::store_words(connection, post.id, words).await?;
    }
    index_facets(connection, before, post).await
}

/// The same, where the words stay as they are.
pub(crate) async fn index_facets(
    connection: &mut Connection,
    before: Option<&Post>,
    post: &Post,
) -> Result<(), Failure> {
    let new = FacetRows::of(post);
    let Some(before) = before else {
        return write(connection, INSERT, post, &new, new.facets.iter().cloned().collect()).await;
    };
    let old = FacetRows::of(before);
    write(connection, DELETE, post, &old, old.beyond(&new)).await?;
    write(connection, INSERT, post, &new, new.beyond(&old)).await
}

/// Forgets what a post was found by; its words go with it.
pub(super) async fn unindex(connection: &mut Connection, post: &Post) -> Result<(), Failure> {
    let old = FacetRows::of(post);
    write(connection, DELETE, post, &old, old.facets.iter().cloned().collect()).await
}

async fn write(
    connection: &mut Connection,
    statement: &'static str,
    post: &Post,
    rows: &FacetRows,
    facets: Vec<Vec<u8>>,
) -> Result<(), Failure> {
    for facet in facets {
        sqlx::query(statement)
            .bind(post.workspace_id.0)
            .bind(facet)
            .bind(rows.moment)
            .bind(post.id.0)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Stores the words of some posts that an earlier version has stored without; tells whether there
/// may be more.
pub(crate) async fn fill_words(connection: &mut Connection) -> Result<bool, Failure> {
    let query = sqlx::query_as(dialect::NOT_SEARCHABLE).bind(FILLED_AT_ONCE);
    let rows = query.fetch_all(&mut *connection).await?;
    let posts = super::with_targets(connection, rows).await?;
    for post in &posts {
        dialect::store_words(connection, post.id, words_of(post)).await?;
        sqlx::query(SEARCHABLE).bind(post.id.0).execute(&mut *connection).await?;
    }
    Ok(!posts.is_empty())
}
