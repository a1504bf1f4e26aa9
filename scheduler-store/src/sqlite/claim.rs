//! Claiming due work.

use scheduler_core::effects::{DueLane, in_turn};
use scheduler_core::ports::{Claim, ClaimRequest, Full, Place};
use sqlx::SqliteConnection;

use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::to_json;
use crate::rows::work::{ClaimRow, LaneRow, claim_columns, place, read_claims};
use crate::window::{WINDOW_ROWS, WORKSPACE_ROWS};

// Left to itself, SQLite would look for leased work among everything that is scheduled for later.

/// What has a place: that of `$2` has none, and that of `$4` none for its workspace.
macro_rules! has_place {
    () => {
        concat!(
            place!(),
            " NOT IN (SELECT value FROM json_each($2)) AND (workspace_id, ",
            place!(),
            ") NOT IN (SELECT unhex(value ->> 0), value ->> 1 FROM json_each($4))"
        )
    };
}

/// The lanes of the oldest due work that may be claimed. Walks the index of claimable instants up
/// to `$1`, so that what is scheduled for later costs nothing.
const OLDEST: &str = concat!(
    "SELECT workspace_id, lane, place, min(due_at) AS due_at, id, count(*) AS count \
    FROM (SELECT workspace_id, lane, ",
    place!(),
    " AS place, due_at, id FROM work \
      WHERE claimable_at <= $1 \
      AND lane NOT IN (SELECT lane FROM work INDEXED BY work_leased \
        WHERE leased AND claimable_at > $1) \
      AND ",
    has_place!(),
    " ORDER BY claimable_at, id LIMIT $3) \
    GROUP BY workspace_id, lane"
);

/// The lanes of the oldest due work of every workspace. Jumps from workspace to workspace by the
/// index, and looks at no more than `$3` rows of each that may be claimed.
const OLDEST_OF_EACH_WORKSPACE: &str = concat!(
    "WITH RECURSIVE owners (id) AS ( \
      SELECT (SELECT min(workspace_id) FROM work) \
      UNION ALL \
      SELECT (SELECT min(workspace_id) FROM work WHERE workspace_id > owners.id) \
      FROM owners WHERE owners.id IS NOT NULL) \
    SELECT w.workspace_id, w.lane, ",
    place!(),
    " AS place, min(w.due_at) AS due_at, w.id, count(*) AS count \
    FROM owners CROSS JOIN work w ON w.id IN (SELECT x.id FROM work x \
      WHERE x.workspace_id = owners.id AND x.claimable_at <= $1 \
      AND x.lane NOT IN (SELECT lane FROM work INDEXED BY work_leased \
        WHERE leased AND claimable_at > $1) \
      AND ",
    has_place!(),
    " ORDER BY x.claimable_at, x.id LIMIT $3) \
    GROUP BY w.workspace_id, w.lane"
);

/// Leases the first due work of each lane. Its place in the lane is the instant at which it was
/// due, also after a lease that has lapsed.
const CLAIM: &str = concat!(
    "UPDATE work SET leased = 1, claimed = claimed + 1, claimable_at = $2 \
     WHERE id IN (SELECT w.id FROM json_each($1) lanes CROSS JOIN work w ON w.id IN ( \
       SELECT x.id FROM work x WHERE x.lane = lanes.value AND x.due_at <= $3 \
       AND x.claimable_at <= $3 ORDER BY x.due_at, x.id LIMIT $4)) RETURNING ",
    claim_columns!()
);

pub(super) async fn claim(
    connection: &mut SqliteConnection,
    request: &ClaimRequest,
) -> Result<Vec<Claim>, Failure> {
    let lanes = lanes(connection, request).await?;
    let turns = in_turn(lanes, request);
    if turns.is_empty() {
        return Ok(Vec::new());
    }
    let names = to_json("work.lane", &turns)?;
    let rows: Vec<ClaimRow> = sqlx::query_as(CLAIM)
        .bind(names)
        .bind(Instant(request.lease_until))
        .bind(Instant(request.now))
        .bind(i64::from(request.per_lane))
        .fetch_all(connection)
        .await?;
    Ok(read_claims(rows, &turns)?)
}

async fn lanes(
    connection: &mut SqliteConnection,
    request: &ClaimRequest,
) -> Result<Vec<DueLane>, Failure> {
    let Full { places, shares } = request.places.full();
    let places: Vec<&str> = places.into_iter().map(Place::as_str).collect();
    let places = to_json("work.kind", &places)?;
    let shares: Vec<(String, &str)> = shares
        .into_iter()
        .map(|(workspace, place)| (workspace.0.simple().to_string(), place.as_str()))
        .collect();
    let shares = to_json("work.workspace_id", &shares)?;
    let mut found = Vec::new();
    for (statement, limit) in [(OLDEST, WINDOW_ROWS), (OLDEST_OF_EACH_WORKSPACE, WORKSPACE_ROWS)] {
        found = sqlx::query_as::<_, LaneRow>(statement)
            .bind(Instant(request.now))
            .bind(&places)
            .bind(limit)
            .bind(&shares)
            .fetch_all(&mut *connection)
            .await?;
        if found.iter().map(|row| row.count).sum::<i64>() < WINDOW_ROWS {
            break;
        }
    }
    Ok(found.into_iter().map(LaneRow::read).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::open::tests::{connection, plan};

    #[tokio::test]
    async fn what_is_scheduled_for_later_is_not_looked_at() {
        let mut connection = connection().await;
        for (name, statement, want) in [
            (
                "oldest",
                OLDEST,
                "SEARCH work USING COVERING INDEX work_by_claimable (claimable_at<?)",
            ),
            (
                "of each workspace",
                OLDEST_OF_EACH_WORKSPACE,
                "SEARCH x USING INDEX work_by_workspace (workspace_id=? AND claimable_at<?)",
            ),
            ("claim", CLAIM, "SEARCH x USING INDEX work_by_lane (lane=? AND due_at<?)"),
        ] {
            let plan = plan(&mut connection, statement).await;
            assert!(plan.contains(want), "{name}:\n{plan}");
            for unwanted in ["SCAN work\n", "(claimable_at>?)"] {
                assert!(!plan.contains(unwanted), "{name}:\n{plan}");
            }
        }
    }
}
