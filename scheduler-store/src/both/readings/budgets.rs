//! What is spent of budgets that all nodes share.

use scheduler_core::ports::{Budget, Spending};

use super::super::Connection;
use crate::error::{Abort, Failure};
use crate::instant::Instant;
use crate::rows::narrow;

pub(super) const FORGET: &str =
    "DELETE FROM call_budgets WHERE subject = $1 AND begins_at < $2 AND ends_at <= $2";
/// Counts unless the budget has no room. The guard and the addition are one statement, so
/// that the budget holds however many spend at once.
pub(super) const SPEND: &str = "INSERT INTO call_budgets (subject, begins_at, ends_at, calls) \
    SELECT $1, $2, $3, $4 WHERE $4 <= $5 \
    ON CONFLICT (subject, begins_at) DO UPDATE SET calls = call_budgets.calls + $4 \
    WHERE call_budgets.calls + $4 <= $5";

const SPENT: &str = "SELECT calls FROM call_budgets WHERE subject = $1 AND begins_at = $2";

/// How much is spent of each budget.
pub(super) async fn spent(
    connection: &mut Connection,
    budgets: &[Budget],
) -> Result<Vec<u32>, Failure> {
    let mut all = Vec::with_capacity(budgets.len());
    for budget in budgets {
        let query = sqlx::query_scalar(SPENT).bind(&budget.subject);
        let query = query.bind(Instant(budget.begins_at));
        let spent: Option<i64> = query.fetch_optional(&mut *connection).await?;
        all.push(narrow("call_budgets.calls", spent.unwrap_or_default())?);
    }
    Ok(all)
}

/// Counts against each budget; what was counted before one that has no room is undone.
///
/// # Errors
/// [`Abort::Outcome`] when one has no room.
pub(super) async fn spend(
    connection: &mut Connection,
    budgets: &[Budget],
    amount: u32,
) -> Result<Spending, Abort<Spending>> {
    for (index, budget) in budgets.iter().enumerate() {
        let kept_from = budget.begins_at - (budget.ends_at - budget.begins_at);
        sqlx::query(FORGET)
            .bind(&budget.subject)
            .bind(Instant(kept_from))
            .execute(&mut *connection)
            .await?;
        let spent = sqlx::query(SPEND)
            .bind(&budget.subject)
            .bind(Instant(budget.begins_at))
            .bind(Instant(budget.ends_at))
            .bind(i64::from(amount))
            .bind(i64::from(budget.limit))
            .execute(&mut *connection)
            .await?;
        if spent.rows_affected() == 0 {
            return Err(Abort::Outcome(Spending::UsedUp(index)));
        }
    }
    Ok(Spending::Counted)
}
