//! What workspaces keep to write with.

use async_trait::async_trait;
use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::{SnippetStore, StoreError};
use scheduler_core::snippet::{Kept, Snippet, SnippetName};
use uuid::Uuid;

use super::{Backend, Connection, dialect};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::snippet::{SnippetRow, snippet_columns};
use crate::rows::to_json;

const COUNT_OTHERS: &str = "SELECT count(*) FROM snippets WHERE workspace_id = $1 AND name <> $2";
const SAVE: &str = "INSERT INTO snippets (workspace_id, name, text, post, updated_at) \
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (workspace_id, name) \
    DO UPDATE SET text = excluded.text, post = excluded.post, updated_at = excluded.updated_at";
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    snippet_columns!(),
    " FROM snippets s WHERE s.workspace_id = $1 ORDER BY s.name"
);
const DELETE: &str = "DELETE FROM snippets WHERE workspace_id = $1 AND name = $2";

async fn save(connection: &mut Connection, snippet: &Snippet, limit: u32) -> Result<bool, Failure> {
    let Snippet { workspace_id, name, kept, updated_at } = snippet;
    let (text, post) = match kept {
        Kept::Text(text) => (Some(text.as_str()), None),
        Kept::Post(post) => (None, Some(to_json("snippets.post", post)?)),
    };
    dialect::lock_workspace(connection, *workspace_id).await?;
    let others = sqlx::query_scalar(COUNT_OTHERS).bind(workspace_id.0).bind(name.as_str());
    let others: i64 = others.fetch_one(&mut *connection).await?;
    // One that is kept already is none of them.
    if others >= i64::from(limit) {
        return Ok(false);
    }
    sqlx::query(SAVE)
        .bind(workspace_id.0)
        .bind(name.as_str())
        .bind(text)
        .bind(post)
        .bind(Instant(*updated_at))
        .execute(connection)
        .await?;
    Ok(true)
}

#[async_trait]
impl SnippetStore for Backend {
    async fn save_snippet(&self, snippet: &Snippet, limit: u32) -> Result<bool, StoreError> {
        self.write("save_snippet", (snippet.clone(), limit), |connection, (snippet, limit)| {
            Box::pin(async move { Ok(save(connection, snippet, *limit).await?) })
        })
        .await
    }

    async fn snippets(&self, workspace: WorkspaceId) -> Result<Vec<Snippet>, StoreError> {
        self.read("snippets", workspace, |connection, workspace| {
            Box::pin(async move {
                let query = sqlx::query_as(OF_WORKSPACE).bind::<Uuid>(workspace.0);
                let rows: Vec<SnippetRow> = query.fetch_all(connection).await?;
                Ok(rows.into_iter().map(SnippetRow::read).collect::<Result<_, _>>()?)
            })
        })
        .await
    }

    async fn remove_snippet(
        &self,
        workspace: WorkspaceId,
        name: &SnippetName,
    ) -> Result<bool, StoreError> {
        self.write("remove_snippet", (workspace, name.clone()), |connection, (workspace, name)| {
            Box::pin(async move {
                let query = sqlx::query(DELETE).bind(workspace.0).bind(name.as_str());
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }
}
