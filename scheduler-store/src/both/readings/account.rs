//! The readings of an account from its connection to its disconnection.

use chrono::{DateTime, Utc};
use scheduler_core::account::Account;
use scheduler_core::ids::{AccountId, WorkspaceId};

use super::{Connection, dialect};
use crate::error::Failure;
use crate::instant::Instant;
use crate::rows::work::WorkValues;

pub(super) const DELETE_WORK: &str =
    "DELETE FROM work WHERE kind = 'read' AND subject = $1 AND workspace_id = $2";
const BEGIN: &str = "INSERT INTO reading_states \
    (account_id, look_due_at, blocked_until, failures) VALUES ($1, $2, NULL, 0) \
    ON CONFLICT (account_id) DO UPDATE \
    SET look_due_at = excluded.look_due_at, blocked_until = NULL, failures = 0";

/// Has an account looked at, now that it is connected and its credentials have this version. It
/// has no such work any more.
pub(crate) async fn begin(
    connection: &mut Connection,
    account: &Account,
    version: i64,
    at: DateTime<Utc>,
) -> Result<(), Failure> {
    sqlx::query(BEGIN).bind(account.id.0).bind(Instant(at)).execute(&mut *connection).await?;
    dialect::insert_work(connection, vec![WorkValues::of_account(account, version, at)]).await
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
