//! What a publish reads.

use scheduler_core::ids::TargetId;
use scheduler_core::ports::{Claim, PublishContext};

use super::Connection;
use super::posts::read;
use crate::error::Failure;
use crate::rows::account::{OpenAccountRow, account_columns, credentials_columns};
use crate::sealing::Sealer;

const ACCOUNT: &str = concat!(
    "SELECT ",
    account_columns!(),
    ", ",
    credentials_columns!(),
    " FROM accounts a WHERE a.id = $1"
);
const SECOND_PAIR: &str = "SELECT second_pair FROM workspaces WHERE id = $1";

/// Reads what a publish needs; `None` when the claim is not the current one.
pub(super) async fn context(
    connection: &mut Connection,
    claim: &Claim,
    sealer: &Sealer,
) -> Result<Option<PublishContext>, Failure> {
    let Some(post) = read::by_claim(connection, claim).await? else { return Ok(None) };
    let target_id = TargetId(claim.subject);
    let Some(target) = post.target(target_id) else { return Ok(None) };
    let row: Option<OpenAccountRow> =
        sqlx::query_as(ACCOUNT).bind(target.account_id.0).fetch_optional(&mut *connection).await?;
    let Some(row) = row else { return Ok(None) };
    let credentials = row.credentials.open(row.account.id, sealer)?;
    let account = row.account.read()?;
    let second_pair = sqlx::query_scalar::<_, bool>(SECOND_PAIR).bind(post.workspace_id.0);
    let second_pair = second_pair.fetch_one(connection).await?;
    Ok(Some(PublishContext { post, target_id, account, credentials, second_pair }))
}
