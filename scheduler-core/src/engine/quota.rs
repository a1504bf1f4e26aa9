//! How much is left of what may be asked of a network and what posts may cost.

use super::budget::of_readings;
use crate::account::{Account, Quota};
use crate::app::Scheduler;
use crate::ports::StoreError;

impl Scheduler {
    /// What is used of the budgets that the account counts in now: requests besides publishing, and
    /// what its posts cost where that has a cap.
    pub(crate) async fn quotas(&self, account: &Account) -> Result<Vec<Quota>, StoreError> {
        let sheet = account.platform.sheet();
        let budgets = of_readings(account, self.ports().clock.now());
        let names = sheet.readings.budgets.iter().map(|budget| budget.scope.quota());
        let requests = budgets.into_iter().zip(names);
        let cost = sheet.prices.and_then(|_| self.month_of_cost(account));
        let cost = cost.map(|(_, budget)| (budget, "cost"));
        let (budgets, names): (Vec<_>, Vec<_>) = requests.chain(cost).unzip();
        let spent = self.ports().store.spent(&budgets).await?;
        let quotas = names.into_iter().zip(budgets).zip(spent);
        Ok(quotas
            .map(|((name, budget), used)| Quota {
                name: name.to_owned(),
                used: used.into(),
                limit: budget.limit.into(),
                resets_at: budget.ends_at,
            })
            .collect())
    }
}
