//! What the posts of an account may cost in a month.

use crate::account::Account;
use crate::app::Scheduler;
use crate::engine::NetworkCallError;
use crate::platform::Amount;
use crate::ports::{Budget, NetworkError, NetworkErrorKind, Spending};
use crate::post::Month;
use crate::rules::Cost;
use crate::target::FailureCode;

impl Scheduler {
    /// The month's cap on what the posts of an account may cost, where there is one, and the budget
    /// that counts against it, in thousandths.
    pub(crate) fn month_of_cost(&self, account: &Account) -> Option<(Amount, Budget)> {
        let cap = self.settings().account_monthly_cap?;
        let month = Month::of(self.ports().clock.now());
        let budget = Budget {
            subject: format!("{}/cost/{}", account.platform, account.network_id),
            begins_at: month.begin(),
            ends_at: month.end(),
            limit: cap.in_thousandths(),
        };
        Some((cap, budget))
    }

    /// Counts what a publish that begins costs against the month's cap of its account, over all
    /// nodes and workspaces. It counts once: neither retries nor what the network does not charge
    /// in the end changes it.
    ///
    /// # Errors
    /// [`NetworkCallError::Network`], permanent, where the cap has no room for it;
    /// [`NetworkCallError::Store`].
    pub(super) async fn spend_on_publish(
        &self,
        account: &Account,
        cost: Option<Cost>,
    ) -> Result<(), NetworkCallError> {
        let (Some((cap, budget)), Some(cost)) = (self.month_of_cost(account), cost) else {
            return Ok(());
        };
        let ends_at = budget.ends_at;
        match self.ports().store.spend(&[budget], cost.amount.in_thousandths()).await? {
            Spending::Counted => Ok(()),
            Spending::UsedUp(_) => {
                let Cost { amount, currency, .. } = cost;
                let message = format!(
                    "{} charges {amount} {currency} for this post, which is more than is left of the {cap} {currency} that the posts of {} may cost this month. Retry it from {} on, or have the cap raised and retry.",
                    account.platform.sheet().short_name,
                    account.label(),
                    ends_at.date_naive(),
                );
                let error = NetworkError::new(NetworkErrorKind::Permanent, message);
                Err(error.with_code(FailureCode::RateLimited).into())
            }
        }
    }
}
