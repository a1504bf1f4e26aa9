//! Claiming due work, over all nodes.

use scheduler_core::effects::{DueLane, in_turn};
use scheduler_core::ports::{Claim, ClaimRequest, Full, Place};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::work::{ClaimRow, LaneRow, claim_columns, place, read_claims};
use crate::window::{WINDOW_ROWS, WORKSPACE_ROWS};

/// One claim at a time over all nodes, since a lane goes to one holder. The number is ours; it
/// only has to differ from those of other advisory locks.
const LOCK: &str = "SELECT pg_advisory_xact_lock(8241903177)";

/// What has a place: that of `$2` has none, and that of `$4` and `$5` none for its workspace.
macro_rules! has_place {
    () => {
        concat!(
            place!(),
            " <> ALL ($2) AND (workspace_id, ",
            place!(),
            ") NOT IN (SELECT * FROM unnest($4::uuid[], $5::text[]))"
        )
    };
}

/// The lanes of the oldest due work that may be claimed. Walks the index of claimable instants up
/// to `$1`, so that what is scheduled for later costs nothing.
pub(super) const OLDEST: &str = concat!(
    "SELECT DISTINCT ON (lane) workspace_id, lane, place, due_at, id, \
      count(*) OVER (PARTITION BY lane) AS count \
    FROM (SELECT workspace_id, lane, ",
    place!(),
    " AS place, due_at, id FROM work \
      WHERE claimable_at <= $1 \
      AND lane NOT IN (SELECT lane FROM work WHERE leased AND claimable_at > $1) \
      AND ",
    has_place!(),
    " ORDER BY claimable_at, id LIMIT $3) oldest \
    ORDER BY lane, due_at, id"
);

/// The lanes of the oldest due work of every workspace. Jumps from workspace to workspace by the
/// index, and looks at no more than `$3` rows of each that may be claimed.
const OLDEST_OF_EACH_WORKSPACE: &str = concat!(
    "WITH RECURSIVE owners (id) AS ( \
      (SELECT workspace_id FROM work ORDER BY workspace_id LIMIT 1) \
      UNION ALL \
      SELECT (SELECT workspace_id FROM work WHERE workspace_id > owners.id \
        ORDER BY workspace_id LIMIT 1) \
      FROM owners WHERE owners.id IS NOT NULL) \
    SELECT DISTINCT ON (lane) workspace_id, lane, place, due_at, oldest.id, \
      count(*) OVER (PARTITION BY lane) AS count \
    FROM owners CROSS JOIN LATERAL (SELECT workspace_id, lane, ",
    place!(),
    " AS place, due_at, w.id FROM work w \
      WHERE w.workspace_id = owners.id AND claimable_at <= $1 \
      AND lane NOT IN (SELECT lane FROM work WHERE leased AND claimable_at > $1) \
      AND ",
    has_place!(),
    " ORDER BY claimable_at, w.id LIMIT $3) oldest \
    ORDER BY lane, due_at, oldest.id"
);

/// Those of the lanes in which somebody is at this moment doing something with leased work, such
/// as renewing a lease that has just lapsed. What is locked here stays as it is until the commit.
const UNSETTLED: &str = "WITH locked AS (SELECT id FROM work \
      WHERE lane = ANY ($1) AND leased FOR UPDATE SKIP LOCKED) \
    SELECT DISTINCT lane FROM work \
    WHERE lane = ANY ($1) AND leased AND id NOT IN (SELECT id FROM locked)";

/// Leases the first due work of each lane that still has no holder. Its place in the lane is the
/// instant at which it was due, also after a lease that has lapsed.
const CLAIM: &str = concat!(
    "UPDATE work SET leased = true, claimed = work.claimed + 1, claimable_at = $2 \
     FROM unnest($1) lanes (name) CROSS JOIN LATERAL (SELECT x.id FROM work x \
       WHERE x.lane = lanes.name AND x.due_at <= $3 AND x.claimable_at <= $3 \
       AND NOT EXISTS (SELECT 1 FROM work held \
         WHERE held.lane = lanes.name AND held.leased AND held.claimable_at > $3) \
       ORDER BY x.due_at, x.id LIMIT $4 FOR UPDATE OF x SKIP LOCKED) first \
     WHERE work.id = first.id RETURNING ",
    claim_columns!()
);

pub(super) async fn claim(
    connection: &mut PgConnection,
    request: &ClaimRequest,
) -> Result<Vec<Claim>, Failure> {
    sqlx::query(LOCK).execute(&mut *connection).await?;
    let lanes = lanes(connection, request).await?;
    let mut turns = in_turn(lanes, request);
    if turns.is_empty() {
        return Ok(Vec::new());
    }
    let unsettled: Vec<String> =
        sqlx::query_scalar(UNSETTLED).bind(&turns).fetch_all(&mut *connection).await?;
    turns.retain(|lane| !unsettled.contains(lane));
    let rows: Vec<ClaimRow> = sqlx::query_as(CLAIM)
        .bind(&turns)
        .bind(Instant(request.lease_until))
        .bind(Instant(request.now))
        .bind(i64::from(request.per_lane))
        .fetch_all(connection)
        .await?;
    Ok(read_claims(rows, &turns)?)
}

async fn lanes(
    connection: &mut PgConnection,
    request: &ClaimRequest,
) -> Result<Vec<DueLane>, Failure> {
    let Full { places, shares } = request.places.full();
    let places: Vec<&str> = places.into_iter().map(Place::as_str).collect();
    let (owners, of_owners): (Vec<Uuid>, Vec<&str>) =
        shares.into_iter().map(|(workspace, place)| (workspace.0, place.as_str())).unzip();
    let mut found = Vec::new();
    for (statement, limit) in [(OLDEST, WINDOW_ROWS), (OLDEST_OF_EACH_WORKSPACE, WORKSPACE_ROWS)] {
        found = sqlx::query_as::<_, LaneRow>(statement)
            .bind(Instant(request.now))
            .bind(&places)
            .bind(limit)
            .bind(&owners)
            .bind(&of_owners)
            .fetch_all(&mut *connection)
            .await?;
        if found.iter().map(|row| row.count).sum::<i64>() < WINDOW_ROWS {
            break;
        }
    }
    Ok(found.into_iter().map(LaneRow::read).collect::<Result<_, _>>()?)
}
