//! Rows turned into columns: PostgreSQL takes a list of rows as one array for each column.

use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use uuid::Uuid;

use crate::instant::Instant;
use crate::rows::target::TargetValues;
use crate::rows::work::WorkValues;

/// Targets with their positions.
pub(super) struct TargetColumns<'a>(&'a [(i64, TargetValues)]);

impl<'a> TargetColumns<'a> {
    pub(super) fn of(targets: &'a [(i64, TargetValues)]) -> Self {
        Self(targets)
    }

    fn column<T>(&self, read: impl Fn(&'a TargetValues) -> T) -> Vec<T> {
        self.0.iter().map(|(_, target)| read(target)).collect()
    }

    /// Binds twenty columns, in the order of the table from `position` on.
    pub(super) fn bind<'q>(
        &self,
        query: Query<'q, Postgres, PgArguments>,
    ) -> Query<'q, Postgres, PgArguments> {
        query
            .bind(self.0.iter().map(|(position, _)| *position).collect::<Vec<i64>>())
            .bind(self.column(|target| target.id))
            .bind(self.column(|target| target.platform))
            .bind(self.column(|target| target.account_id))
            .bind(self.column(|target| target.status))
            .bind(self.column(|target| target.options.as_str()))
            .bind(self.column(|target| target.due_at))
            .bind(self.column(|target| target.slot_at))
            .bind(self.column(|target| target.remote_id.as_deref()))
            .bind(self.column(|target| target.remote_url.as_deref()))
            .bind(self.column(|target| target.remote_record.as_deref()))
            .bind(self.column(|target| target.published_at))
            .bind(self.column(|target| target.failure_message.as_deref()))
            .bind(self.column(|target| target.failure_code.as_deref()))
            .bind(self.column(|target| target.failure_permanent))
            .bind(self.column(|target| target.attempts))
            .bind(self.column(|target| target.spent_tries))
            .bind(self.column(|target| target.spent_rate_limits))
            .bind(self.column(|target| target.revision))
            .bind(self.column(|target| target.progress.as_deref()))
    }
}

/// New pieces of work.
pub(super) struct WorkColumns<'a>(&'a [WorkValues]);

impl<'a> WorkColumns<'a> {
    pub(super) fn of(pieces: &'a [WorkValues]) -> Self {
        Self(pieces)
    }

    /// Binds seven columns, in the order of the table up to `due_at`.
    pub(super) fn bind<'q>(
        &self,
        query: Query<'q, Postgres, PgArguments>,
    ) -> Query<'q, Postgres, PgArguments> {
        query
            .bind(self.0.iter().map(|work| work.id).collect::<Vec<Uuid>>())
            .bind(self.0.iter().map(|work| work.kind).collect::<Vec<&str>>())
            .bind(self.0.iter().map(|work| work.subject).collect::<Vec<Uuid>>())
            .bind(self.0.iter().map(|work| work.workspace_id).collect::<Vec<Uuid>>())
            .bind(self.0.iter().map(|work| work.platform).collect::<Vec<Option<&str>>>())
            .bind(self.0.iter().map(|work| work.lane.as_str()).collect::<Vec<&str>>())
            .bind(self.0.iter().map(|work| work.due_at).collect::<Vec<Instant>>())
    }
}
