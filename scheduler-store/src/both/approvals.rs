//! The approval of clients.

use async_trait::async_trait;
use scheduler_core::ports::{ApprovalStore, ApprovalsOf, SaveOutcome, StoreError};
use scheduler_core::post::{Approval, Post};
use scheduler_core::timing::Zone;
use scheduler_core::webhook::Event;

use super::deliveries::add_events;
use super::posts::{is_due_soon, read, save};
use super::{Backend, Connection};
use crate::error::{Abort, Failure};
use crate::instant::Instant;
use crate::rows::approval::{ApprovalRow, approval_columns};
use crate::rows::to_json;

const STORE: &str = "INSERT INTO approvals \
    (post_id, workspace_id, pass, created_at, expires_at, decided_at, client, message, timezone, \
    remarks, seen) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
    ON CONFLICT (post_id) DO UPDATE SET pass = excluded.pass, created_at = excluded.created_at, \
    expires_at = excluded.expires_at, decided_at = excluded.decided_at, \
    client = excluded.client, message = excluded.message, timezone = excluded.timezone, \
    remarks = excluded.remarks, seen = excluded.seen";
const DELETE: &str = "DELETE FROM approvals WHERE post_id = $1";
const OF_POST: &str = concat!(
    "SELECT ",
    approval_columns!(),
    " FROM approvals a WHERE a.post_id = $1 AND a.workspace_id = $2"
);
const BY_PASS: &str = concat!(
    "SELECT ",
    approval_columns!(),
    " FROM approvals a WHERE a.pass = $1 \
     ORDER BY a.post_id DESC"
);
const LATEST: &str = concat!(
    "SELECT ",
    approval_columns!(),
    " FROM approvals a WHERE a.workspace_id = $1 \
     ORDER BY a.created_at DESC, a.post_id DESC LIMIT $2"
);

/// What a save of several posts with their approvals is done with.
type Changes = Vec<(Post, Option<Approval>)>;

/// All of them are stored or none: another outcome ends the transaction without a commit.
async fn store(
    connection: &mut Connection,
    changes: &Changes,
    event: Option<&Event>,
) -> Result<SaveOutcome, Abort<SaveOutcome>> {
    for (post, approval) in changes {
        let outcome = save(&mut *connection, post, u64::MAX).await?;
        if outcome != SaveOutcome::Saved {
            return Err(Abort::Outcome(outcome));
        }
        match approval {
            Some(approval) => insert(&mut *connection, approval).await?,
            None => {
                sqlx::query(DELETE).bind(post.id.0).execute(&mut *connection).await?;
            }
        }
    }
    add_events(connection, event).await?;
    Ok(SaveOutcome::Saved)
}

async fn insert(connection: &mut Connection, approval: &Approval) -> Result<(), Failure> {
    sqlx::query(STORE)
        .bind(approval.post_id.0)
        .bind(approval.workspace_id.0)
        .bind(approval.pass.0.to_vec())
        .bind(Instant(approval.created_at))
        .bind(Instant(approval.expires_at))
        .bind(approval.decided_at.map(Instant))
        .bind(&approval.client)
        .bind(&approval.message)
        .bind(approval.timezone.map(Zone::name))
        .bind(to_json("approvals.remarks", &approval.remarks)?)
        .bind(approval.seen.as_ref().map(|seen| to_json("approvals.seen", seen)).transpose()?)
        .execute(connection)
        .await?;
    Ok(())
}

async fn with_posts(
    connection: &mut Connection,
    rows: Vec<ApprovalRow>,
) -> Result<Vec<(Approval, Post)>, Failure> {
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let approval = row.read()?;
        let post = read::by_id(&mut *connection, approval.workspace_id, approval.post_id).await?;
        found.extend(post.map(|post| (approval, post)));
    }
    Ok(found)
}

#[async_trait]
impl ApprovalStore for Backend {
    async fn save_approvals(
        &self,
        changes: &[(Post, Option<Approval>)],
        event: Option<&Event>,
    ) -> Result<SaveOutcome, StoreError> {
        let arguments: (Changes, Option<Event>) = (changes.to_vec(), event.cloned());
        let outcome = self
            .write("save_approvals", arguments, |connection, (changes, event)| {
                Box::pin(store(connection, changes, event.as_ref()))
            })
            .await?;
        let is_any_due = changes.iter().any(|(post, _)| is_due_soon(post));
        if outcome == SaveOutcome::Saved && (is_any_due || event.is_some()) {
            self.wake_others();
        }
        Ok(outcome)
    }

    async fn approvals(&self, of: ApprovalsOf) -> Result<Vec<(Approval, Post)>, StoreError> {
        self.read_snapshot("approvals", of, |connection, of| {
            Box::pin(async move {
                let query = match of {
                    ApprovalsOf::Post(workspace, post) => {
                        sqlx::query_as(OF_POST).bind(post.0).bind(workspace.0)
                    }
                    ApprovalsOf::Pass(pass) => sqlx::query_as(BY_PASS).bind(pass.0.to_vec()),
                    ApprovalsOf::Workspace(workspace, limit) => {
                        sqlx::query_as(LATEST).bind(workspace.0).bind(i64::from(*limit))
                    }
                };
                let rows: Vec<ApprovalRow> = query.fetch_all(&mut *connection).await?;
                Ok(with_posts(connection, rows).await?)
            })
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::super::plans::Plans;
    use super::super::webhooks;
    use super::*;

    #[tokio::test]
    async fn many_posts_are_not_passed_over() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        for (name, statement, want) in [
            ("of a post", OF_POST, Plans::APPROVAL),
            ("by pass", BY_PASS, Plans::APPROVAL_BY_PASS),
            ("latest", LATEST, "approvals_by_workspace"),
            ("failed deliveries", webhooks::FAILED, "deliveries_failed"),
        ] {
            let plan = plans.of(name, statement).await;
            assert!(plan.contains(want), "{name} wants {want}:\n{plan}");
        }
    }
}
