//! What becomes of work whose holder has recorded something.

use scheduler_core::ports::{Claim, Recorded, WorkAfter};

use super::Connection;
use crate::error::Failure;
use crate::instant::Instant;

// A holder names its claim by id and number; a number that is not the current one matches no row.

const HOLD: &str = "UPDATE work SET claimable_at = $3 WHERE id = $1 AND claimed = $2 AND leased";
const RELEASE: &str = "UPDATE work SET leased = $4, due_at = $3, claimable_at = $3 \
    WHERE id = $1 AND claimed = $2 AND leased";
const DELETE: &str = "DELETE FROM work WHERE id = $1 AND claimed = $2 AND leased";

/// Decides the fate of claimed work.
pub(crate) async fn settle(
    connection: &mut Connection,
    claim: &Claim,
    after: WorkAfter,
) -> Result<Recorded, Failure> {
    let query = match after {
        WorkAfter::Held(until) => {
            sqlx::query(HOLD).bind(claim.work_id.0).bind(claim.number).bind(Instant(until))
        }
        WorkAfter::DueAt(at) => sqlx::query(RELEASE)
            .bind(claim.work_id.0)
            .bind(claim.number)
            .bind(Instant(at))
            .bind(false),
        WorkAfter::Done => sqlx::query(DELETE).bind(claim.work_id.0).bind(claim.number),
    };
    let is_current = query.execute(connection).await?.rows_affected() > 0;
    Ok(if is_current { Recorded::Stored } else { Recorded::Lost })
}
