//! Recording what came of work, in as few trips to the server as can be: a step or a delivery by
//! one statement, a change of state by a look and one statement.
//!
//! What a statement cannot do whole it undoes by raising an error, and the transaction with it.

use chrono::{DateTime, Utc};
use scheduler_core::effects::{after_target, first_reading};
use scheduler_core::ports::{Claim, Recorded, WorkAfter};
use scheduler_core::post::{Month, Post};
use scheduler_core::target::Target;
use scheduler_core::webhook::{Delivery, DeliveryAttempt, DeliveryStatus, Event};
use sqlx::postgres::PgArguments;
use sqlx::query::Query;
use sqlx::{PgConnection, Postgres};
use uuid::Uuid;

use super::both::deliveries::{NewDelivery, deliveries_of};
use super::both::{count, post_by_target};
use crate::error::{Abort, Failure};
use crate::instant::Instant;
use crate::rows::Columns as _;
use crate::rows::facet::FacetRows;
use crate::rows::post::PostValues;
use crate::rows::target::TargetValues;
use crate::rows::work::{WorkValues, work_values};

/// A statement with the fate of the work in three forms. `held` is the work if the claim on it is
/// the current one: `$1` its id, `$2` the number, `$3` the instant. `$before` is done first, and
/// only `$when` it was done comes `held`, so that rows are locked in the order that all operations
/// keep.
macro_rules! with_held {
    ($before:expr, $when:expr, $($rest:expr),+) => {
        [
            concat!(
                "WITH ",
                $before,
                "held AS (UPDATE work SET claimable_at = $3 \
                 WHERE id = $1 AND claimed = $2 AND leased",
                $when,
                " RETURNING 1), ",
                $($rest),+
            ),
            concat!(
                "WITH ",
                $before,
                "held AS (UPDATE work SET leased = false, due_at = $3, claimable_at = $3 \
                 WHERE id = $1 AND claimed = $2 AND leased",
                $when,
                " RETURNING 1), ",
                $($rest),+
            ),
            concat!(
                "WITH ",
                $before,
                "held AS (DELETE FROM work \
                 WHERE id = $1 AND claimed = $2 AND leased",
                $when,
                " RETURNING 1), ",
                $($rest),+
            ),
        ]
    };
}

/// Fits only while the target's status is what it becomes, `$7`, and likewise `published_at`: what
/// the post is listed by. Else the answer is [`OTHER_STATE`], and nothing is stored.
const STEP: [&str; 3] = with_held!(
    "fits AS (SELECT 1 FROM targets \
       WHERE id = $4 AND status = $7 AND published_at IS NOT DISTINCT FROM $13), ",
    " AND EXISTS (SELECT 1 FROM fits)",
    "stored AS (UPDATE targets SET platform = $5, account_id = $6, due_at = $8, \
       slot_at = $9, remote_id = $10, remote_url = $11, remote_record = $12, \
       published_at = $13, failure_message = $14, failure_code = $15, failure_permanent = $16, attempts = $17, \
       spent_tries = $18, spent_rate_limits = $19, revision = $20, progress = $21, failed_attempts = $22 \
       FROM held WHERE id = $4 AND status = $7 \
         AND published_at IS NOT DISTINCT FROM $13 RETURNING 1) \
     SELECT CASE WHEN EXISTS (SELECT 1 FROM stored) THEN 1 \
       WHEN EXISTS (SELECT 1 FROM held) THEN scheduler_refuse('40001') \
       WHEN NOT EXISTS (SELECT 1 FROM fits) THEN 2 ELSE 0 END"
);

/// The target is in another state than the step supposes.
const OTHER_STATE: i64 = 2;

/// The claim is not the current one.
const LOST: &str = "SC003";

/// Fits only the version of the post that it was decided on, `$29`; raises 40001 for any other, as
/// the database does for transactions that run into each other.
macro_rules! change {
    ($readings:expr) => {
        with_held!(
            "moved AS (UPDATE posts SET status = $24, updated_at = $25, version = $26, moment = $27, \
               went_out = $28, allowance_month = $45, due_at = $46 \
               WHERE id = $23 AND version = $29 RETURNING workspace_id), ",
            " AND EXISTS (SELECT 1 FROM moved)",
            "stored AS (UPDATE targets SET platform = $5, account_id = $6, status = $7, \
               due_at = $8, slot_at = $9, remote_id = $10, remote_url = $11, remote_record = $12, \
               published_at = $13, failure_message = $14, failure_code = $15, failure_permanent = $16, attempts = $17, \
               spent_tries = $18, spent_rate_limits = $19, revision = $20, progress = $21, failed_attempts = $22 \
               FROM held WHERE id = $4), \
             lost AS (DELETE FROM post_facets facet USING moved, held \
               WHERE facet.workspace_id = moved.workspace_id AND facet.facet = ANY ($47) \
               AND facet.moment = $48 AND facet.post_id = $23), \
             found AS (INSERT INTO post_facets (workspace_id, facet, moment, post_id) \
               SELECT moved.workspace_id, facet, $27, $23 \
               FROM moved CROSS JOIN held CROSS JOIN unnest($49::bytea[]) facet), \
             event AS (INSERT INTO events (id, workspace_id, kind, created_at, body) \
               SELECT $30, $31, $32, $33, $34 FROM held WHERE $30 IS NOT NULL), \
             sent AS (INSERT INTO deliveries \
               (id, event_id, webhook_id, workspace_id, status, attempts, created_at) \
               SELECT new.id, $30, new.webhook_id, $31, $37, 0, $33 \
               FROM held CROSS JOIN unnest($35, $36) new (id, webhook_id)), \
             new_work AS (INSERT INTO work (",
            work_values!(),
            ", claimable_at, leased, claimed) SELECT new.*, new.due_at, false, 0 \
               FROM held CROSS JOIN LATERAL (SELECT * FROM unnest($38, $39, $40, $41, $42, $43, $44) \
               piece (",
            work_values!(),
            ")) new)",
            $readings,
            " SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM moved) THEN scheduler_refuse('40001') \
               WHEN NOT EXISTS (SELECT 1 FROM held) THEN scheduler_refuse('SC003') ELSE 1 END"
        )
    };
}

const CHANGE: [&str; 3] = change!("");

/// The change by which a target goes live also plans the first reading of its figures, at `$50`,
/// and has the readings of its account taken no later. Their work is locked even where it is left
/// alone: who holds it looks at the plans after its own lock, and so sees this one, or comes after
/// it.
const GO_LIVE: [&str; 3] = change!(
    ", readings AS (SELECT work.id, work.leased, work.due_at FROM held CROSS JOIN work \
       WHERE work.kind = 'read' AND work.subject = $6 FOR UPDATE OF work), \
     hastened AS (UPDATE work SET due_at = $50, claimable_at = $50 FROM readings \
       WHERE work.id = readings.id AND NOT readings.leased AND readings.due_at > $50), \
     planned AS (INSERT INTO reading_plans (target_id, account_id, published_at, due_at) \
       SELECT $4, $6, $13, $50 FROM held CROSS JOIN (SELECT count(*) FROM readings) locked \
       ON CONFLICT (target_id) DO UPDATE SET account_id = excluded.account_id, \
       published_at = excluded.published_at, due_at = excluded.due_at, comments_seen = NULL)"
);

const DELIVERY: [&str; 3] = with_held!(
    "",
    "",
    "stored AS (UPDATE deliveries SET status = $5, attempts = $6, ended_at = $10 \
       FROM held WHERE id = $4), \
     attempt AS (INSERT INTO delivery_attempts (delivery_id, position, at, status, answer) \
       SELECT $4, (SELECT coalesce(max(position), 0) + 1 FROM delivery_attempts \
         WHERE delivery_id = $4), $7, $8, $9 FROM held) \
     SELECT count(*) FROM held"
);

/// The form of a statement for the fate of the work, and the instant that goes with it.
fn form(forms: [&'static str; 3], after: WorkAfter) -> (&'static str, Option<Instant>) {
    let [hold, release, delete] = forms;
    match after {
        WorkAfter::Held(until) => (hold, Some(Instant(until))),
        WorkAfter::DueAt(at) => (release, Some(Instant(at))),
        WorkAfter::Done => (delete, None),
    }
}

/// Stores a target, what its post has become by it, its event, and the fate of the work.
pub(super) async fn publish(
    connection: &mut PgConnection,
    claim: &Claim,
    target: &Target,
    event: Option<&Event>,
    after: WorkAfter,
    at: DateTime<Utc>,
) -> Result<Recorded, Abort<Recorded>> {
    if event.is_none() && matches!(after, WorkAfter::Held(_)) {
        // Most records of a publish are steps, and need no look at the post.
        if let Some(recorded) = step(connection, claim, target, after).await? {
            return Ok(recorded);
        }
    }
    let Some(stored) = post_by_target(connection, target.id).await? else {
        return Ok(Recorded::Lost);
    };
    let deliveries = match event {
        Some(event) => deliveries_of(connection, event, at).await?,
        None => Vec::new(),
    };
    let change = Change { claim, target, event, after, deliveries };
    let post = after_target(&stored, target, at);
    let (old, new) = (stored.allowance_month(), post.allowance_month());
    change.store(connection, &stored, &post).await?;
    let [old, new] = [old, new].map(|month| month.map(|Month(month)| i64::from(month)));
    // What has gone out counts, limit or not.
    count(connection, post.workspace_id, old, new, u64::MAX).await?;
    Ok(Recorded::Stored)
}

/// A change of a target's state, and what goes with it.
struct Change<'a> {
    claim: &'a Claim,
    target: &'a Target,
    event: Option<&'a Event>,
    after: WorkAfter,
    deliveries: Vec<NewDelivery>,
}

impl Change<'_> {
    async fn store(
        self,
        connection: &mut PgConnection,
        stored: &Post,
        post: &Post,
    ) -> Result<(), Abort<Recorded>> {
        let Self { claim, target, event, after, deliveries } = self;
        let values = PostValues::of(post)?;
        let ids: Vec<Uuid> = deliveries.iter().map(|delivery| delivery.id.0).collect();
        let webhooks: Vec<Uuid> = deliveries.iter().map(|delivery| delivery.webhook_id.0).collect();
        let pieces: Vec<WorkValues> =
            deliveries.into_iter().map(|delivery| delivery.work).collect();
        let first_reading = first_reading(stored, target);
        let forms = if first_reading.is_some() { GO_LIVE } else { CHANGE };
        let (statement, instant) = form(forms, after);
        let query = sqlx::query(statement).bind(claim.work_id.0).bind(claim.number).bind(instant);
        let query = bind_target(query, TargetValues::of(target)?)
            .bind(post.id.0)
            .bind(post.status.as_str())
            .bind(Instant(post.updated_at))
            .bind(post.version)
            .bind(values.moment)
            .bind(values.went_out)
            .bind(stored.version)
            .bind(event.map(|event| event.id.0))
            .bind(event.map(|event| event.workspace_id.0))
            .bind(event.map(|event| event.kind.as_str()))
            .bind(event.map(|event| Instant(event.created_at)))
            .bind(event.map(|event| event.body.as_str()))
            .bind(ids)
            .bind(webhooks)
            .bind(DeliveryStatus::Pending.as_str());
        let (old, new) = (FacetRows::of(stored), FacetRows::of(post));
        let query = WorkValues::bind_all(pieces, query)
            .bind(values.allowance_month)
            .bind(values.due_at)
            .bind(old.beyond(&new))
            .bind(old.moment)
            .bind(new.beyond(&old));
        let query = match first_reading {
            Some(due_at) => query.bind(Instant(due_at)),
            None => query,
        };
        match run(connection, query).await {
            Err(Failure::Database(error)) if code_of(&error).as_deref() == Some(LOST) => {
                Err(Abort::Outcome(Recorded::Lost))
            }
            outcome => Ok(outcome.map(|_| ())?),
        }
    }
}

/// Stores a step; `None` when the target is in another state.
async fn step(
    connection: &mut PgConnection,
    claim: &Claim,
    target: &Target,
    after: WorkAfter,
) -> Result<Option<Recorded>, Failure> {
    let (statement, instant) = form(STEP, after);
    let query = sqlx::query(statement).bind(claim.work_id.0).bind(claim.number).bind(instant);
    Ok(match run(connection, bind_target(query, TargetValues::of(target)?)).await? {
        OTHER_STATE => None,
        count => Some(recorded(count)),
    })
}

/// Stores a delivery, its latest attempt, and the fate of the work.
pub(super) async fn delivery(
    connection: &mut PgConnection,
    claim: &Claim,
    delivery: &Delivery,
    attempt: &DeliveryAttempt,
    after: WorkAfter,
) -> Result<Recorded, Abort<Recorded>> {
    let (statement, instant) = form(DELIVERY, after);
    let query = sqlx::query(statement)
        .bind(claim.work_id.0)
        .bind(claim.number)
        .bind(instant)
        .bind(delivery.id.0)
        .bind(delivery.status.as_str())
        .bind(i64::from(delivery.attempts))
        .bind(Instant(attempt.at))
        .bind(attempt.status.map(i64::from))
        .bind(&attempt.answer)
        .bind(delivery.ended_at(attempt).map(Instant));
    Ok(recorded(run(connection, query).await?))
}

/// Binds a target as `$4` to `$22`.
fn bind_target(
    query: Query<'_, Postgres, PgArguments>,
    values: TargetValues,
) -> Query<'_, Postgres, PgArguments> {
    query
        .bind(values.id)
        .bind(values.platform)
        .bind(values.account_id)
        .bind(values.status)
        .bind(values.due_at)
        .bind(values.slot_at)
        .bind(values.remote_id)
        .bind(values.remote_url)
        .bind(values.remote_record)
        .bind(values.published_at)
        .bind(values.failure_message)
        .bind(values.failure_code)
        .bind(values.failure_permanent)
        .bind(values.attempts)
        .bind(values.spent_tries)
        .bind(values.spent_rate_limits)
        .bind(values.revision)
        .bind(values.progress)
        .bind(values.failed_attempts)
}

/// The number that a statement answers.
async fn run(
    connection: &mut PgConnection,
    query: Query<'_, Postgres, PgArguments>,
) -> Result<i64, Failure> {
    let row = query.fetch_one(connection).await?;
    Ok(sqlx::Row::try_get(&row, 0)?)
}

fn recorded(count: i64) -> Recorded {
    if count > 0 { Recorded::Stored } else { Recorded::Lost }
}

fn code_of(error: &sqlx::Error) -> Option<String> {
    error.as_database_error()?.code().map(std::borrow::Cow::into_owned)
}
