//! The queue of everything that is due.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::ids::WorkId;
use scheduler_core::media::Media;
use scheduler_core::ports::{
    BACKLOG_MAX, Backlog, Claim, ClaimRequest, DeliveryContext, Heartbeat, MediaContext,
    PublishContext, Recorded, StoreError, WorkAfter, WorkKind, WorkQueue,
};
use scheduler_core::target::Target;
use scheduler_core::webhook::{Delivery, DeliveryAttempt, Event};

use super::settle::settle;
use super::{Backend, clock, deliveries, dialect, media, publishes};
use crate::instant::Instant;
use crate::rows::find;

/// Passes over what is leased, which is as much as is in flight.
const NEXT_DUE: &str = "SELECT claimable_at FROM work WHERE NOT leased OR claimable_at <= $1 \
    ORDER BY claimable_at LIMIT 1";

const NEXT_DUE_AFTER: &str = "SELECT claimable_at FROM work WHERE claimable_at > $1 \
    ORDER BY claimable_at LIMIT 1";

/// Of what is leased, `claimable_at` is the end of the lease. Walks no more than `$2` entries of
/// the index of claimable instants, whatever is due.
const BACKLOG: &str = "SELECT kind, count(*), min(claimable_at) FROM \
      (SELECT kind, claimable_at FROM work WHERE claimable_at <= $1 \
      ORDER BY claimable_at, id LIMIT $2) AS due \
    GROUP BY kind ORDER BY min(claimable_at), kind";

impl Backend {
    async fn next_instant(
        &self,
        statement: &'static str,
        now: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.read("next_instant", (statement, Instant(now)), |connection, (statement, now)| {
            Box::pin(async move {
                let next: Option<Instant> =
                    sqlx::query_scalar(*statement).bind(*now).fetch_optional(connection).await?;
                Ok(next.map(|at| at.0))
            })
        })
        .await
    }
}

#[async_trait]
impl WorkQueue for Backend {
    async fn heartbeat(&self, at: DateTime<Utc>) -> Result<Heartbeat, StoreError> {
        self.write("heartbeat", at, |connection, at| {
            Box::pin(async move { Ok(clock::heartbeat(connection, *at).await?) })
        })
        .await
    }

    async fn claim(&self, request: &ClaimRequest) -> Result<Vec<Claim>, StoreError> {
        // What was claimed and not answered is due again when its lease ends.
        self.write_repeatable("claim", request.clone(), |connection, request| {
            Box::pin(async move { Ok(dialect::claim(connection, request).await?) })
        })
        .await
    }

    async fn renew(
        &self,
        claims: &[Claim],
        lease_until: DateTime<Utc>,
    ) -> Result<Vec<WorkId>, StoreError> {
        if claims.is_empty() {
            return Ok(Vec::new());
        }
        let held: Vec<(WorkId, i64)> =
            claims.iter().map(|claim| (claim.work_id, claim.number)).collect();
        self.write_repeatable(
            "renew",
            (held, Instant(lease_until)),
            |connection, (held, lease_until)| {
                Box::pin(async move {
                    let renewed = dialect::renew(connection, held, *lease_until).await?;
                    let lost = held.iter().map(|(id, _)| *id).filter(|id| !renewed.contains(&id.0));
                    Ok(lost.collect())
                })
            },
        )
        .await
    }

    async fn release(&self, claim: &Claim, due_at: DateTime<Utc>) -> Result<Recorded, StoreError> {
        self.write("release", (claim.clone(), due_at), |connection, (claim, due_at)| {
            Box::pin(async move { Ok(settle(connection, claim, WorkAfter::DueAt(*due_at)).await?) })
        })
        .await
    }

    async fn next_due(&self, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.next_instant(NEXT_DUE, now).await
    }

    async fn next_due_after(
        &self,
        now: DateTime<Utc>,
    ) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.next_instant(NEXT_DUE_AFTER, now).await
    }

    async fn backlog(&self, now: DateTime<Utc>) -> Result<Vec<Backlog>, StoreError> {
        self.read("backlog", Instant(now), |connection, now| {
            Box::pin(async move {
                let rows: Vec<(String, i64, Instant)> = sqlx::query_as(BACKLOG)
                    .bind(*now)
                    .bind(i64::from(BACKLOG_MAX))
                    .fetch_all(connection)
                    .await?;
                let read = |(kind, count, oldest): (String, i64, Instant)| {
                    Ok(Backlog {
                        kind: find("work.kind", WorkKind::ALL, |kind| kind.as_str(), &kind)?,
                        count: count.unsigned_abs(),
                        oldest: oldest.0,
                    })
                };
                let backlog: Result<Vec<Backlog>, StoreError> =
                    rows.into_iter().map(read).collect();
                Ok(backlog?)
            })
        })
        .await
    }

    async fn publish_context(&self, claim: &Claim) -> Result<Option<PublishContext>, StoreError> {
        self.read(
            "publish_context",
            (claim.clone(), self.sealer.clone()),
            |connection, (claim, sealer)| {
                Box::pin(async move { Ok(publishes::context(connection, claim, sealer).await?) })
            },
        )
        .await
    }

    async fn record_publish(
        &self,
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        at: DateTime<Utc>,
    ) -> Result<Recorded, StoreError> {
        let arguments = (claim.clone(), target.clone(), event.cloned(), after, at);
        let recorded = self
            .write_referring(
                "record_publish",
                arguments,
                |connection, (claim, target, event, after, at)| {
                    let event = event.as_ref();
                    Box::pin(dialect::record_publish(connection, claim, target, event, *after, *at))
                },
            )
            .await?;
        if recorded == Recorded::Stored && event.is_some() {
            self.wake_others();
        }
        Ok(recorded)
    }

    async fn delivery_context(&self, claim: &Claim) -> Result<Option<DeliveryContext>, StoreError> {
        self.read(
            "delivery_context",
            (claim.clone(), self.sealer.clone()),
            |connection, (claim, sealer)| {
                Box::pin(async move { Ok(deliveries::context(connection, claim, sealer).await?) })
            },
        )
        .await
    }

    async fn record_delivery(
        &self,
        claim: &Claim,
        delivery: &Delivery,
        attempt: &DeliveryAttempt,
        after: WorkAfter,
    ) -> Result<Recorded, StoreError> {
        let arguments = (claim.clone(), delivery.clone(), attempt.clone(), after);
        self.write("record_delivery", arguments, |connection, (claim, delivery, attempt, after)| {
            Box::pin(dialect::record_delivery(connection, claim, delivery, attempt, *after))
        })
        .await
    }

    async fn media_context(&self, claim: &Claim) -> Result<Option<MediaContext>, StoreError> {
        self.read(
            "media_context",
            (claim.clone(), self.sealer.clone()),
            |connection, (claim, sealer)| {
                Box::pin(async move { Ok(media::context(connection, claim, sealer).await?) })
            },
        )
        .await
    }

    async fn record_media(
        &self,
        claim: &Claim,
        media: &Media,
        event: Option<&Event>,
    ) -> Result<Recorded, StoreError> {
        let arguments = (claim.clone(), media.clone(), event.cloned(), self.sealer.clone());
        let recorded = self
            .write("record_media", arguments, |connection, (claim, media, event, sealer)| {
                Box::pin(async move {
                    Ok(media::record(connection, claim, media, event.as_ref(), sealer).await?)
                })
            })
            .await?;
        if recorded == Recorded::Stored && (media::is_due_at_once(media) || event.is_some()) {
            self.wake_others();
        }
        Ok(recorded)
    }
}

#[cfg(test)]
mod tests {
    use super::super::plans::Plans;
    use super::*;

    #[tokio::test]
    async fn the_backlog_is_counted_by_the_index_alone() {
        let Some(mut plans) = Plans::of_many_rows().await else { return };
        let plan = plans.of("backlog", BACKLOG).await;
        assert!(plan.contains(Plans::DUE_WORK), "{plan}");
    }
}
