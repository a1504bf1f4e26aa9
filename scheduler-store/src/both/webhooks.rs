//! Webhooks and what an operator sees of their deliveries.

use std::collections::HashMap;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::idempotency::KeyUse;
use scheduler_core::ids::{DeliveryId, WebhookId, WorkspaceId};
use scheduler_core::ports::{
    AddOutcome, DeliveryRecord, EventsRemoved, RedeliverOutcome, StoreError, WebhookStore,
};
use scheduler_core::webhook::{DeliveryAttempt, DeliveryStatus, EventPlace, Webhook};
use uuid::Uuid;

use super::history::remove_events;
use super::redeliver::redeliver;
use super::{Backend, Connection, dialect, idempotency, shared};
use crate::error::{Abort, Failure};
use crate::instant::Instant;
use crate::rows::webhook::{DeliveryAndKindRow, WebhookRow, delivery_columns, webhook_columns};
use crate::rows::{parse, to_json};
use crate::sealing::Sealed;

const INSERT: &str = "INSERT INTO webhooks (id, workspace_id, url, events, secret, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6)";
const COUNT: &str = "SELECT count(*) FROM webhooks WHERE workspace_id = $1";
const OF_WORKSPACE: &str = concat!(
    "SELECT ",
    webhook_columns!(),
    " FROM webhooks w WHERE w.workspace_id = $1 ORDER BY w.created_at, w.id"
);
const DELETE_WORK: &str = "DELETE FROM work WHERE kind = 'deliver' \
    AND subject IN (SELECT id FROM deliveries WHERE webhook_id = $1)";
const DISABLE: &str = "UPDATE webhooks SET disabled_at = COALESCE(disabled_at, $3) \
    WHERE id = $2 AND workspace_id = $1";
const ENABLE: &str = "UPDATE webhooks SET disabled_at = NULL WHERE id = $2 AND workspace_id = $1";
const DELETE: &str = "DELETE FROM webhooks WHERE id = $1";
/// What an operator sees of deliveries; what follows says of which.
macro_rules! deliveries {
    ($which:expr) => {
        concat!(
            "SELECT ",
            delivery_columns!(),
            ", d.webhook_id AS webhook_id, e.kind AS event_kind, w.url AS url \
             FROM deliveries d JOIN events e ON e.id = d.event_id \
             JOIN webhooks w ON w.id = d.webhook_id WHERE ",
            $which
        )
    };
}
const DELIVERY: &str = deliveries!("d.id = $1");
const DELIVERIES: &str =
    deliveries!("d.workspace_id = $1 ORDER BY d.created_at DESC, d.id DESC LIMIT $2");
/// Those that were given up have an index of their own: there may be few among many.
pub(super) const FAILED: &str = deliveries!(
    "d.workspace_id = $1 AND d.status = 'failed' ORDER BY d.created_at DESC, d.id DESC LIMIT $2"
);
const PENDING: &str = deliveries!(
    "d.workspace_id = $1 AND d.status = 'pending' ORDER BY d.created_at DESC, d.id DESC LIMIT $2"
);
const DELIVERED: &str = deliveries!(
    "d.workspace_id = $1 AND d.status = 'delivered' ORDER BY d.created_at DESC, d.id DESC LIMIT $2"
);

async fn create(
    connection: &mut Connection,
    webhook: &Webhook,
    sealed: &[u8],
    limit: u32,
    key_use: Option<&KeyUse>,
) -> Result<AddOutcome, Abort<AddOutcome>> {
    if let Some(key_use) = key_use
        && let Some(earlier) = idempotency::begin(connection, key_use).await?
    {
        return Ok(AddOutcome::Existing(earlier));
    }
    dialect::lock_workspace(connection, webhook.workspace_id).await?;
    let query = sqlx::query_scalar(COUNT).bind(webhook.workspace_id.0);
    let count: i64 = query.fetch_one(&mut *connection).await?;
    if count >= i64::from(limit) {
        return Err(Abort::Outcome(AddOutcome::LimitReached));
    }
    sqlx::query(INSERT)
        .bind(webhook.id.0)
        .bind(webhook.workspace_id.0)
        .bind(&webhook.url)
        .bind(to_json("webhooks.events", &webhook.events)?)
        .bind(sealed)
        .bind(Instant(webhook.created_at))
        .execute(connection)
        .await?;
    Ok(AddOutcome::Stored)
}

async fn remove(
    connection: &mut Connection,
    workspace: WorkspaceId,
    id: WebhookId,
) -> Result<bool, Abort<bool>> {
    if !dialect::lock_webhook(connection, workspace, id).await? {
        return Ok(false);
    }
    sqlx::query(DELETE_WORK).bind(id.0).execute(&mut *connection).await?;
    idempotency::forget_of(connection, id.0).await?;
    sqlx::query(DELETE).bind(id.0).execute(connection).await?;
    Ok(true)
}

async fn records(
    connection: &mut Connection,
    rows: Vec<DeliveryAndKindRow>,
) -> Result<Vec<DeliveryRecord>, Failure> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.delivery.delivery_id).collect();
    let mut attempts: HashMap<Uuid, Vec<DeliveryAttempt>> = HashMap::new();
    for row in shared::attempts_of(connection, &ids).await? {
        attempts.entry(row.delivery_id).or_default().push(row.read()?);
    }
    let records = rows.into_iter().map(|row| {
        Ok(DeliveryRecord {
            event: parse("events.kind", &row.event_kind)?,
            attempts: attempts.remove(&row.delivery.delivery_id).unwrap_or_default(),
            delivery: row.delivery.read()?,
            url: row.url,
        })
    });
    records.collect()
}

/// A delivery as an operator sees it.
pub(super) async fn record(
    connection: &mut Connection,
    id: DeliveryId,
) -> Result<Option<DeliveryRecord>, Failure> {
    let row: Option<DeliveryAndKindRow> =
        sqlx::query_as(DELIVERY).bind(id.0).fetch_optional(&mut *connection).await?;
    Ok(records(connection, row.into_iter().collect()).await?.pop())
}

#[async_trait]
impl WebhookStore for Backend {
    async fn create_webhook(
        &self,
        webhook: &Webhook,
        limit: u32,
        key_use: Option<&KeyUse>,
    ) -> Result<AddOutcome, StoreError> {
        let secret = webhook.secret.expose().unwrap_or_default();
        let sealed = self.sealer.seal(Sealed::WebhookSecret, webhook.id.0, secret)?;
        let arguments = (webhook.clone(), sealed, limit, key_use.cloned());
        self.write("create_webhook", arguments, |connection, (webhook, sealed, limit, key_use)| {
            Box::pin(create(connection, webhook, sealed, *limit, key_use.as_ref()))
        })
        .await
    }

    async fn webhooks(&self, workspace: WorkspaceId) -> Result<Vec<Webhook>, StoreError> {
        self.read(
            "webhooks",
            (workspace, self.sealer.clone()),
            |connection, (workspace, sealer)| {
                Box::pin(async move {
                    let rows: Vec<WebhookRow> = sqlx::query_as(OF_WORKSPACE)
                        .bind(workspace.0)
                        .fetch_all(connection)
                        .await?;
                    Ok(rows.into_iter().map(|row| row.open(sealer)).collect::<Result<_, _>>()?)
                })
            },
        )
        .await
    }

    async fn set_webhook_disabled(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
        at: Option<DateTime<Utc>>,
    ) -> Result<bool, StoreError> {
        self.write(
            "set_webhook_disabled",
            (workspace, id, at.map(Instant)),
            |connection, (workspace, id, at)| {
                Box::pin(async move {
                    let query = sqlx::query(if at.is_some() { DISABLE } else { ENABLE });
                    let query = query.bind(workspace.0).bind(id.0);
                    let query = match at {
                        Some(at) => query.bind(*at),
                        None => query,
                    };
                    Ok(query.execute(connection).await?.rows_affected() > 0)
                })
            },
        )
        .await
    }

    async fn remove_webhook(
        &self,
        workspace: WorkspaceId,
        id: WebhookId,
    ) -> Result<bool, StoreError> {
        self.write("remove_webhook", (workspace, id), |connection, (workspace, id)| {
            Box::pin(remove(connection, *workspace, *id))
        })
        .await
    }

    async fn delivery(&self, id: DeliveryId) -> Result<Option<DeliveryRecord>, StoreError> {
        self.read_snapshot("delivery", id, |connection, id| {
            Box::pin(async move { Ok(record(connection, *id).await?) })
        })
        .await
    }

    async fn deliveries(
        &self,
        workspace: WorkspaceId,
        status: Option<DeliveryStatus>,
        limit: u32,
    ) -> Result<Vec<DeliveryRecord>, StoreError> {
        let statement = match status {
            None => DELIVERIES,
            Some(DeliveryStatus::Pending) => PENDING,
            Some(DeliveryStatus::Delivered) => DELIVERED,
            Some(DeliveryStatus::Failed) => FAILED,
        };
        let arguments = (workspace, statement, limit);
        self.read_snapshot("deliveries", arguments, |connection, (workspace, statement, limit)| {
            Box::pin(async move {
                let rows: Vec<DeliveryAndKindRow> = sqlx::query_as(*statement)
                    .bind(workspace.0)
                    .bind(i64::from(*limit))
                    .fetch_all(&mut *connection)
                    .await?;
                Ok(records(connection, rows).await?)
            })
        })
        .await
    }

    async fn redeliver(
        &self,
        workspace: WorkspaceId,
        id: DeliveryId,
        at: DateTime<Utc>,
    ) -> Result<RedeliverOutcome, StoreError> {
        let arguments = (workspace, id, Instant(at));
        let outcome = self
            .write("redeliver", arguments, |connection, (workspace, id, at)| {
                Box::pin(redeliver(connection, *workspace, *id, *at))
            })
            .await?;
        if matches!(outcome, RedeliverOutcome::Due(_)) {
            self.wake_others();
        }
        Ok(outcome)
    }

    async fn remove_ended_deliveries(
        &self,
        before: DateTime<Utc>,
        limit: u32,
    ) -> Result<u64, StoreError> {
        self.write_repeatable(
            "remove_ended_deliveries",
            (Instant(before), limit),
            |connection, (before, limit)| {
                Box::pin(async move {
                    let query = sqlx::query(dialect::REMOVE_DELIVERIES).bind(*before);
                    let query = query.bind(i64::from(*limit));
                    Ok(query.execute(connection).await?.rows_affected())
                })
            },
        )
        .await
    }

    async fn remove_unnamed_events(
        &self,
        before: DateTime<Utc>,
        after: Option<EventPlace>,
        limit: u32,
    ) -> Result<EventsRemoved, StoreError> {
        let arguments = (before, after, limit);
        self.write_repeatable(
            "remove_unnamed_events",
            arguments,
            |connection, (before, after, limit)| {
                Box::pin(
                    async move { Ok(remove_events(connection, *before, *after, *limit).await?) },
                )
            },
        )
        .await
    }
}
