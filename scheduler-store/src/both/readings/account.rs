//! The readings of an account from its connection to its disconnection.

use chrono::{DateTime, Utc};
use scheduler_core::account::Account;
use scheduler_core::ids::{AccountId, WorkspaceId};

use super::super::{Connection, dialect};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::work::WorkValues;

pub(super) const DELETE_WORK: &str =
    "DELETE FROM work WHERE kind = 'read' AND subject = $1 AND workspace_id = $2";
/// What is read meanwhile is lost, as the number of its claim is not the current one any more.
pub(super) const RESTART: &str = "UPDATE work \
    SET leased = $4, claimed = claimed + 1, due_at = $3, claimable_at = $3 \
    WHERE kind = 'read' AND subject = $1 AND workspace_id = $2";
const BEGIN: &str = "INSERT INTO reading_states \
    (account_id, look_due_at, blocked_until, failures) VALUES ($1, $2, NULL, 0) \
    ON CONFLICT (account_id) DO UPDATE \
    SET look_due_at = excluded.look_due_at, blocked_until = NULL, failures = 0, mode = 'batch'";

/// Has an account looked at, now that it is connected and its credentials have this version.
/// `has_work` tells whether [`restart`] has found its work.
pub(crate) async fn begin(
    connection: &mut Connection,
    account: &Account,
    version: i64,
    at: DateTime<Utc>,
    has_work: bool,
) -> Result<(), Failure> {
    sqlx::query(BEGIN).bind(account.id.0).bind(Instant(at)).execute(&mut *connection).await?;
    if has_work {
        return Ok(());
    }
    dialect::insert_work(connection, vec![WorkValues::of_account(account, version, at)]).await
}

/// Takes the work that takes the readings of an account from whoever holds it, before the account
/// is connected again; `false` when there is none. The row stays, so that a target that goes live
/// in this moment waits for it, as it does for a holder who records readings.
pub(crate) async fn restart(
    connection: &mut Connection,
    workspace: WorkspaceId,
    account: AccountId,
    at: DateTime<Utc>,
) -> Result<bool, Failure> {
    let query = sqlx::query(RESTART).bind(account.0).bind(workspace.0).bind(Instant(at));
    Ok(query.bind(false).execute(connection).await?.rows_affected() > 0)
}

/// Removes the work that takes the readings of an account, before the account is changed:
/// whoever records readings locks the work first as well.
pub(crate) async fn end(
    connection: &mut Connection,
    workspace: WorkspaceId,
    account: AccountId,
) -> Result<(), Failure> {
    sqlx::query(DELETE_WORK).bind(account.0).bind(workspace.0).execute(connection).await?;
    Ok(())
}
