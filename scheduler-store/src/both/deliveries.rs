//! What an event sets going, and what a delivery reads.

use chrono::{DateTime, Utc};
use scheduler_core::effects::subscribers;
use scheduler_core::ids::{DeliveryId, WebhookId};
use scheduler_core::ports::{Claim, DeliveryContext, StoreError};
use scheduler_core::post::Post;
use scheduler_core::webhook::{DeliveryStatus, Event, EventKind};
use uuid::Uuid;

use super::{Connection, dialect};
use crate::derived_id;
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::from_json;
use crate::rows::webhook::{DeliveryContextRow, delivery_columns, webhook_columns};
use crate::rows::work::WorkValues;
use crate::sealing::Sealer;

const WEBHOOKS: &str = "SELECT id, events FROM webhooks WHERE workspace_id = $1 \
    AND disabled_at IS NULL ORDER BY id";
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
const INSERT_EVENT: &str = "INSERT INTO events (id, workspace_id, kind, created_at, body) \
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING";
const INSERT_DELIVERY: &str = "INSERT INTO deliveries \
    (id, event_id, webhook_id, workspace_id, status, attempts, created_at) \
    VALUES ($1, $2, $3, $4, $5, 0, $6)";
/// A delivery that an event sets going, with its work.
pub(crate) struct NewDelivery {
    pub(crate) id: DeliveryId,
    pub(crate) webhook_id: WebhookId,
    pub(crate) work: WorkValues,
}

/// One delivery for every webhook of the workspace that subscribes to the event's kind.
pub(crate) async fn deliveries_of(
    connection: &mut Connection,
    event: &Event,
    at: DateTime<Utc>,
) -> Result<Vec<NewDelivery>, Failure> {
    let webhooks: Vec<(Uuid, String)> =
        sqlx::query_as(WEBHOOKS).bind(event.workspace_id.0).fetch_all(connection).await?;
    let read = |(id, kinds): (Uuid, String)| {
        Ok((WebhookId(id), from_json::<Vec<EventKind>>("webhooks.events", &kinds)?))
    };
    let webhooks = webhooks.into_iter().map(read).collect::<Result<Vec<_>, StoreError>>()?;
    let kinds = webhooks.iter().map(|(id, kinds)| (*id, kinds.as_slice()));
    let deliveries = subscribers(event, kinds).into_iter().map(|webhook_id| {
        let id = derived_id::delivery(event.id, webhook_id, at);
        let work = WorkValues::of_delivery(event.workspace_id, webhook_id, id, at);
        NewDelivery { id, webhook_id, work }
    });
    Ok(deliveries.collect())
}

/// Stores an event, and a delivery with its work for every webhook that subscribes to its kind;
/// nothing when it is stored already.
pub(crate) async fn add_event(
    connection: &mut Connection,
    event: &Event,
    at: DateTime<Utc>,
) -> Result<(), Failure> {
    let deliveries = deliveries_of(connection, event, at).await?;
    store_event(connection, event, deliveries).await
}

/// Stores that a post was given a time, where a webhook subscribes to that.
pub(crate) async fn tell_scheduled(
    connection: &mut Connection,
    before: Option<&Post>,
    post: &Post,
) -> Result<(), Failure> {
    let Some(event) = Event::scheduled(before, post) else { return Ok(()) };
    let deliveries = deliveries_of(connection, &event, event.created_at).await?;
    if deliveries.is_empty() {
        return Ok(());
    }
    store_event(connection, &event, deliveries).await
}

async fn store_event(
    connection: &mut Connection,
    event: &Event,
    deliveries: Vec<NewDelivery>,
) -> Result<(), Failure> {
    let stored = sqlx::query(INSERT_EVENT)
        .bind(event.id.0)
        .bind(event.workspace_id.0)
        .bind(event.kind.as_str())
        .bind(Instant(event.created_at))
        .bind(&event.body)
        .execute(&mut *connection)
        .await?;
    if stored.rows_affected() == 0 {
        return Ok(());
    }
    let mut pieces = Vec::with_capacity(deliveries.len());
    for delivery in deliveries {
        sqlx::query(INSERT_DELIVERY)
            .bind(delivery.id.0)
            .bind(event.id.0)
            .bind(delivery.webhook_id.0)
            .bind(event.workspace_id.0)
            .bind(DeliveryStatus::Pending.as_str())
            .bind(Instant(event.created_at))
            .execute(&mut *connection)
            .await?;
        pieces.push(delivery.work);
    }
    dialect::insert_work(connection, pieces).await
}

/// Stores an event, if there is one, with deliveries that are due when it happened.
pub(crate) async fn add_events(
    connection: &mut Connection,
    event: Option<&Event>,
) -> Result<(), Failure> {
    match event {
        Some(event) => add_event(connection, event, event.created_at).await,
        None => Ok(()),
    }
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
