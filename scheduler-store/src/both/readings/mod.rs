//! Readings of live posts and of accounts, and when the next are due.

pub(super) mod account;
mod budgets;
mod context;
mod history;
#[cfg(test)]
mod plans;
mod record;
mod refresh;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use scheduler_core::ids::{TargetId, WorkspaceId};
use scheduler_core::ports::{
    Budget, Claim, FigureQuery, FigureReading, Followers, ReadingContext, ReadingStore,
    ReadingsTaken, Recorded, RefreshOutcome, Spending, StoreError,
};
use scheduler_core::reading::Reading;

use super::Backend;
#[cfg(test)]
use super::plans as many_rows;

pub(super) use history::{day_of, number_of};
pub(super) use record::forget;

#[async_trait]
impl ReadingStore for Backend {
    async fn reading_context(
        &self,
        claim: &Claim,
        now: DateTime<Utc>,
        limit: u32,
    ) -> Result<Option<ReadingContext>, StoreError> {
        let arguments = (claim.clone(), now, limit, self.sealer.clone());
        self.read_snapshot(
            "reading_context",
            arguments,
            |connection, (claim, now, limit, sealer)| {
                Box::pin(async move {
                    Ok(context::context(connection, claim, *now, *limit, sealer).await?)
                })
            },
        )
        .await
    }

    async fn record_readings(
        &self,
        claim: &Claim,
        taken: &ReadingsTaken,
    ) -> Result<Recorded, StoreError> {
        self.write(
            "record_readings",
            (claim.clone(), taken.clone()),
            |connection, (claim, taken)| {
                Box::pin(async move { Ok(record::record(connection, claim, taken).await?) })
            },
        )
        .await
    }

    async fn add_reading(
        &self,
        target: TargetId,
        reading: &Reading,
        superfluous: &[DateTime<Utc>],
    ) -> Result<(), StoreError> {
        let arguments = (target, reading.clone(), superfluous.to_vec());
        self.write("add_reading", arguments, |connection, (target, reading, superfluous)| {
            Box::pin(
                async move { Ok(record::add(connection, *target, reading, superfluous).await?) },
            )
        })
        .await
    }

    async fn readings(
        &self,
        target: TargetId,
        since: Option<DateTime<Utc>>,
        limit: u32,
    ) -> Result<Vec<Reading>, StoreError> {
        self.read("readings", (target, since, limit), |connection, (target, since, limit)| {
            Box::pin(async move {
                Ok(history::latest(connection, *target, *since, i64::from(*limit)).await?)
            })
        })
        .await
    }

    async fn figure_readings(
        &self,
        workspace: WorkspaceId,
        query: &FigureQuery,
    ) -> Result<Vec<FigureReading>, StoreError> {
        self.read("figure_readings", (workspace, *query), |connection, (workspace, query)| {
            Box::pin(async move { Ok(history::figures(connection, *workspace, query).await?) })
        })
        .await
    }

    async fn refresh_readings(
        &self,
        workspace: WorkspaceId,
        now: DateTime<Utc>,
        published_since: DateTime<Utc>,
        every: TimeDelta,
    ) -> Result<RefreshOutcome, StoreError> {
        let arguments = (workspace, now, published_since, every);
        let outcome = self
            .write("refresh_readings", arguments, |connection, (workspace, now, since, every)| {
                Box::pin(async move {
                    Ok(refresh::refresh(connection, *workspace, *now, *since, *every).await?)
                })
            })
            .await?;
        if matches!(outcome, RefreshOutcome::Queued(1..)) {
            self.wake_others();
        }
        Ok(outcome)
    }

    async fn followers(
        &self,
        workspace: WorkspaceId,
        from: NaiveDate,
    ) -> Result<Vec<Followers>, StoreError> {
        self.read("followers", (workspace, from), |connection, (workspace, from)| {
            Box::pin(async move { Ok(history::followers(connection, *workspace, *from).await?) })
        })
        .await
    }

    async fn spend(&self, budgets: &[Budget], amount: u32) -> Result<Spending, StoreError> {
        self.write("spend", (budgets.to_vec(), amount), |connection, (budgets, amount)| {
            Box::pin(budgets::spend(connection, budgets, *amount))
        })
        .await
    }

    async fn spent(&self, budgets: &[Budget]) -> Result<Vec<u32>, StoreError> {
        self.read("spent", budgets.to_vec(), |connection, budgets| {
            Box::pin(async move { Ok(budgets::spent(connection, budgets).await?) })
        })
        .await
    }
}
