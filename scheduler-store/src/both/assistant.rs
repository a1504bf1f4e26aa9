//! Calls to the assistant, and reviews.

use async_trait::async_trait;
use scheduler_core::assistant::{AssistantCall, Reviewed};
use scheduler_core::ids::{PostId, TargetId, WorkspaceId};
use scheduler_core::ports::{AssistantStore, StoreError};
use scheduler_core::post::{Month, Post};

use super::{Backend, post_by_target, shared};
use crate::instant::Instant;
use crate::rows::assistant::ReviewRow;
use crate::rows::{narrow, to_json};

/// Counts one more unless the month is full. The guard and the addition are one statement, so
/// that the limit holds however many add at once.
const TAKE: &str = "INSERT INTO assistant_counts (workspace_id, month, call, calls) \
    SELECT $1, $2, $3, 1 WHERE $4 > 0 \
    ON CONFLICT (workspace_id, month, call) DO UPDATE SET calls = assistant_counts.calls + 1 \
    WHERE assistant_counts.calls < $4";
const GIVE_BACK: &str = "UPDATE assistant_counts SET calls = calls - 1 \
    WHERE workspace_id = $1 AND month = $2 AND call = $3 AND calls > 0";
const CALLS: &str = "SELECT calls FROM assistant_counts \
    WHERE workspace_id = $1 AND month = $2 AND call = $3";
const SAVE_REVIEW: &str = "INSERT INTO reviews (target_id, post_id, review, created_at) \
    VALUES ($1, $2, $3, $4) ON CONFLICT (target_id) DO UPDATE \
    SET post_id = excluded.post_id, review = excluded.review, created_at = excluded.created_at";
const REVIEW: &str = "SELECT r.target_id AS target_id, r.review AS review, \
    r.created_at AS created_at FROM reviews r WHERE r.target_id = $1 \
    AND EXISTS (SELECT 1 FROM posts p WHERE p.id = r.post_id AND p.workspace_id = $2)";

#[async_trait]
impl AssistantStore for Backend {
    async fn take_call(
        &self,
        workspace: WorkspaceId,
        month: Month,
        call: AssistantCall,
        limit: u64,
    ) -> Result<bool, StoreError> {
        self.write(
            "take_call",
            (workspace, month, call, limit),
            |connection, (workspace, month, call, limit)| {
                Box::pin(async move {
                    let query = sqlx::query(TAKE)
                        .bind(workspace.0)
                        .bind(i64::from(month.0))
                        .bind(call.as_str())
                        .bind(i64::try_from(*limit).unwrap_or(i64::MAX));
                    Ok(query.execute(connection).await?.rows_affected() > 0)
                })
            },
        )
        .await
    }

    async fn give_back_call(
        &self,
        workspace: WorkspaceId,
        month: Month,
        call: AssistantCall,
    ) -> Result<(), StoreError> {
        self.write(
            "give_back_call",
            (workspace, month, call),
            |connection, (workspace, month, call)| {
                Box::pin(async move {
                    let query = sqlx::query(GIVE_BACK)
                        .bind(workspace.0)
                        .bind(i64::from(month.0))
                        .bind(call.as_str());
                    query.execute(connection).await?;
                    Ok(())
                })
            },
        )
        .await
    }

    async fn calls_in_month(
        &self,
        workspace: WorkspaceId,
        month: Month,
        call: AssistantCall,
    ) -> Result<u64, StoreError> {
        self.read(
            "calls_in_month",
            (workspace, month, call),
            |connection, (workspace, month, call)| {
                Box::pin(async move {
                    let calls: Option<i64> = sqlx::query_scalar(CALLS)
                        .bind(workspace.0)
                        .bind(i64::from(month.0))
                        .bind(call.as_str())
                        .fetch_optional(connection)
                        .await?;
                    Ok(narrow("assistant_counts.calls", calls.unwrap_or_default())?)
                })
            },
        )
        .await
    }

    async fn post_of_target(
        &self,
        workspace: WorkspaceId,
        target: TargetId,
    ) -> Result<Option<Post>, StoreError> {
        self.read("post_of_target", (workspace, target), |connection, (workspace, target)| {
            Box::pin(async move {
                let post = post_by_target(connection, *target).await?;
                Ok(post.filter(|post| post.workspace_id == *workspace))
            })
        })
        .await
    }

    async fn save_review(
        &self,
        workspace: WorkspaceId,
        post: PostId,
        reviewed: &Reviewed,
    ) -> Result<bool, StoreError> {
        let review = to_json("reviews.review", &reviewed.review)?;
        let arguments = (workspace, post, reviewed.target_id, review, Instant(reviewed.created_at));
        self.write(
            "save_review",
            arguments,
            |connection, (workspace, post, target, review, created_at)| {
                Box::pin(async move {
                    // A post that is removed at the same time waits, or is gone.
                    if shared::lock_post(&mut *connection, *workspace, *post).await?.is_none() {
                        return Ok(false);
                    }
                    let query = sqlx::query(SAVE_REVIEW)
                        .bind(target.0)
                        .bind(post.0)
                        .bind(review.as_str())
                        .bind(*created_at);
                    query.execute(connection).await?;
                    Ok(true)
                })
            },
        )
        .await
    }

    async fn review(
        &self,
        workspace: WorkspaceId,
        target: TargetId,
    ) -> Result<Option<Reviewed>, StoreError> {
        self.read("review", (workspace, target), |connection, (workspace, target)| {
            Box::pin(async move {
                let row: Option<ReviewRow> = sqlx::query_as(REVIEW)
                    .bind(target.0)
                    .bind(workspace.0)
                    .fetch_optional(connection)
                    .await?;
                Ok(row.map(ReviewRow::read).transpose()?)
            })
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::super::plans::Plans;
    use super::*;

    #[tokio::test]
    async fn calls_and_reviews_are_found_by_their_ids() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        for (name, statement, want) in [
            ("give back", GIVE_BACK, Plans::CALLS),
            ("calls", CALLS, Plans::CALLS),
            ("review", REVIEW, Plans::REVIEW),
        ] {
            let plan = plans.of(name, statement).await;
            assert!(plan.contains(want), "{name} wants {want}:\n{plan}");
        }
    }
}
