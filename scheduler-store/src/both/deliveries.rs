//! Events, and what a delivery reads and records.

use chrono::{DateTime, Utc};
use scheduler_core::ids::WebhookId;
use scheduler_core::ports::{Claim, DeliveryContext, Recorded, WorkAfter, WorkKind};
use scheduler_core::webhook::{Delivery, DeliveryAttempt, DeliveryStatus, Event, EventKind};
use uuid::Uuid;

use super::{Connection, dialect, work};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::from_json;
use crate::rows::webhook::{DeliveryContextRow, delivery_columns, webhook_columns};
use crate::rows::work::WorkValues;
use crate::sealing::Sealer;
use crate::{derived_id, lane};

const INSERT_EVENT: &str = "INSERT INTO events (id, workspace_id, kind, created_at, body) \
    VALUES ($1, $2, $3, $4, $5)";
const INSERT_DELIVERY: &str = "INSERT INTO deliveries \
    (id, event_id, webhook_id, workspace_id, status, attempts, created_at) \
    VALUES ($1, $2, $3, $4, $5, 0, $6)";
const CONTEXT: &str = concat!(
    "SELECT ",
    delivery_columns!(),
    ", ",
    webhook_columns!(),
    ", e.kind AS event_kind, e.created_at AS event_created_at, e.body AS event_body \
     FROM work JOIN deliveries d ON d.id = work.subject JOIN events e ON e.id = d.event_id \
     JOIN webhooks w ON w.id = d.webhook_id \
     WHERE work.id = $1 AND work.claimed = $2 AND work.leased AND work.kind = 'deliver'"
);
const UPDATE: &str = "UPDATE deliveries SET status = $2, attempts = $3 WHERE id = $1";
const INSERT_ATTEMPT: &str = "INSERT INTO delivery_attempts \
    (delivery_id, position, at, status, answer) \
    SELECT $1, coalesce(max(position), 0) + 1, $2, $3, $4 \
    FROM delivery_attempts WHERE delivery_id = $1";

/// Stores an event, and a delivery with its work for every webhook that subscribes to its kind.
pub(super) async fn add_event(
    connection: &mut Connection,
    event: &Event,
    at: DateTime<Utc>,
) -> Result<(), Failure> {
    sqlx::query(INSERT_EVENT)
        .bind(event.id.0)
        .bind(event.workspace_id.0)
        .bind(event.kind.as_str())
        .bind(Instant(event.created_at))
        .bind(&event.body)
        .execute(&mut *connection)
        .await?;
    let webhooks: Vec<(Uuid, String)> =
        dialect::webhooks_of(connection, event.workspace_id).await?;
    let mut pieces = Vec::new();
    for (webhook, kinds) in webhooks {
        let kinds: Vec<EventKind> = from_json("webhooks.events", &kinds)?;
        if kinds.contains(&event.kind) {
            pieces.push(add_delivery(connection, event, WebhookId(webhook), at).await?);
        }
    }
    dialect::insert_work(connection, pieces).await
}

async fn add_delivery(
    connection: &mut Connection,
    event: &Event,
    webhook: WebhookId,
    at: DateTime<Utc>,
) -> Result<WorkValues, Failure> {
    let id = derived_id::delivery(event.id, webhook, at);
    sqlx::query(INSERT_DELIVERY)
        .bind(id.0)
        .bind(event.id.0)
        .bind(webhook.0)
        .bind(event.workspace_id.0)
        .bind(DeliveryStatus::Pending.as_str())
        .bind(Instant(event.created_at))
        .execute(connection)
        .await?;
    Ok(WorkValues {
        id: derived_id::deliver_work(id, at).0,
        kind: WorkKind::Deliver.as_str(),
        subject: id.0,
        workspace_id: event.workspace_id.0,
        platform: None,
        lane: lane::of_delivery(webhook, id),
        due_at: Instant(at),
    })
}

/// Reads what a delivery needs; `None` when the claim is not the current one.
pub(super) async fn context(
    connection: &mut Connection,
    claim: &Claim,
    sealer: &Sealer,
) -> Result<Option<DeliveryContext>, Failure> {
    let row: Option<DeliveryContextRow> = sqlx::query_as(CONTEXT)
        .bind(claim.work_id.0)
        .bind(claim.number)
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let (delivery, event, webhook) = row.open(sealer)?;
    Ok(Some(DeliveryContext { delivery, event, webhook }))
}

/// Stores a delivery, its latest attempt, and the fate of the work.
pub(super) async fn record(
    connection: &mut Connection,
    claim: &Claim,
    delivery: &Delivery,
    attempt: &DeliveryAttempt,
    after: WorkAfter,
) -> Result<Recorded, Failure> {
    if work::settle(connection, claim, after).await? == Recorded::Lost {
        return Ok(Recorded::Lost);
    }
    sqlx::query(UPDATE)
        .bind(delivery.id.0)
        .bind(delivery.status.as_str())
        .bind(i64::from(delivery.attempts))
        .execute(&mut *connection)
        .await?;
    sqlx::query(INSERT_ATTEMPT)
        .bind(delivery.id.0)
        .bind(Instant(attempt.at))
        .bind(attempt.status.map(i64::from))
        .bind(&attempt.answer)
        .execute(connection)
        .await?;
    Ok(Recorded::Stored)
}
