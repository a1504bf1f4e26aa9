//! Sending an event once more.

use scheduler_core::ids::{DeliveryId, WebhookId, WorkspaceId};
use scheduler_core::ports::RedeliverOutcome;
use scheduler_core::webhook::DeliveryStatus;
use uuid::Uuid;

use super::{Connection, dialect, shared, webhooks};
use crate::error::Abort;
use crate::instant::Instant;
use crate::rows::work::WorkValues;

const WEBHOOK: &str = "SELECT webhook_id FROM deliveries WHERE id = $1 AND workspace_id = $2";
const ATTEMPTS: &str = "SELECT count(*) FROM delivery_attempts WHERE delivery_id = $1";
const HASTEN: &str = "UPDATE work SET leased = $3, due_at = $2, claimable_at = $2 \
    WHERE kind = 'deliver' AND subject = $1";
const BEGIN_ANEW: &str = "UPDATE deliveries SET status = $2, attempts = 0, ended_at = NULL \
    WHERE id = $1";

/// Makes a delivery due, in the order of locks that all operations keep: the webhook, so that it is
/// not removed meanwhile, then the work, then the delivery.
pub(super) async fn redeliver(
    connection: &mut Connection,
    workspace: WorkspaceId,
    id: DeliveryId,
    at: Instant,
) -> Result<RedeliverOutcome, Abort<RedeliverOutcome>> {
    let query = sqlx::query_scalar(WEBHOOK).bind(id.0).bind(workspace.0);
    let webhook: Option<Uuid> = query.fetch_optional(&mut *connection).await?;
    let Some(webhook) = webhook.map(WebhookId) else { return Ok(RedeliverOutcome::Missing) };
    if !dialect::lock_webhook(&mut *connection, workspace, webhook).await? {
        return Ok(RedeliverOutcome::Missing);
    }
    match shared::lock_delivery_work(&mut *connection, id).await? {
        Some((true, until)) if until.0 > at.0 => return Ok(RedeliverOutcome::InFlight),
        Some(_) => {
            let query = sqlx::query(HASTEN).bind(id.0).bind(at).bind(false);
            query.execute(&mut *connection).await?;
        }
        None => {
            let query = sqlx::query_scalar(ATTEMPTS).bind(id.0);
            let attempts: i64 = query.fetch_one(&mut *connection).await?;
            let work = WorkValues::of_redelivery(workspace, webhook, id, attempts, at.0);
            dialect::insert_work(&mut *connection, vec![work]).await?;
        }
    }
    let query = sqlx::query(BEGIN_ANEW).bind(id.0).bind(DeliveryStatus::Pending.as_str());
    query.execute(&mut *connection).await?;
    // Gone where it was old, and removed meanwhile: then it gets no work either.
    let record = webhooks::record(connection, id).await?;
    record.map(RedeliverOutcome::Due).ok_or(Abort::Outcome(RedeliverOutcome::Missing))
}
