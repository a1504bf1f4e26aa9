//! Charging what callers ask of a network to what may be asked besides publishing.
//!
//! A question is refused where a budget has no room for its next request, so that no number of them
//! takes what is left for publishing. Something that a person does – an edit, a take-down, a call
//! on a comment, a new playlist – is charged to nothing here: it needs the right to publish, and
//! takes of what is left for that. (YouTube counts an answer to a comment as 50 readings; four of
//! them would end all questions of an hour.)

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};

use super::NetworkCallError;
use super::budget::{Span, Whose, of_questions};
use crate::account::Account;
use crate::app::Scheduler;
use crate::ports::{
    Access, AfterPublishing, Budget, Clock, Meter, Metered, NetworkError, NetworkErrorKind,
    Spending, Store, StoreError,
};

impl Scheduler {
    /// Asks a network something as an account.
    ///
    /// # Errors
    /// Those of [`Scheduler::call_network`]; [`NetworkErrorKind::RateLimited`] when a budget is
    /// used up.
    pub(crate) async fn ask<T, F>(
        &self,
        account: &Account,
        ask: impl Fn(Arc<dyn AfterPublishing>, Access) -> F + Send,
    ) -> Result<T, NetworkCallError>
    where
        F: Future<Output = Result<T, NetworkError>> + Send,
    {
        let failed = Arc::<Mutex<Option<StoreError>>>::default();
        let ports = self.ports();
        let meter = Question {
            store: ports.store.clone(),
            clock: ports.clock.clone(),
            account: account.clone(),
            failed: failed.clone(),
        };
        let asked = self.call_network(account, Metered(Arc::new(meter)), ask).await;
        let failed = failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        match (asked, failed) {
            (Err(NetworkCallError::Network(_)), Some(error)) => Err(error.into()),
            (asked, _) => asked,
        }
    }

    /// Changes something at a network as an account.
    ///
    /// # Errors
    /// Those of [`Scheduler::call_network`].
    pub(crate) async fn change<T, F>(
        &self,
        account: &Account,
        change: impl Fn(Arc<dyn AfterPublishing>, Access) -> F + Send,
    ) -> Result<T, NetworkCallError>
    where
        F: Future<Output = Result<T, NetworkError>> + Send,
    {
        let changed = self.call_network(account, Metered::free(), change).await;
        // What failed may have been done in part.
        self.answers().forget(account.id);
        changed
    }
}

/// Something that a caller asks.
struct Question {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    account: Account,
    /// Why the store did not count a request.
    failed: Arc<Mutex<Option<StoreError>>>,
}

#[async_trait]
impl Meter for Question {
    async fn before(&self) -> Result<(), NetworkError> {
        let now = self.clock.now();
        let spans = of_questions(&self.account, now);
        let budgets: Vec<Budget> = spans.iter().map(|span| span.budget.clone()).collect();
        match self.store.spend(&budgets, 1).await {
            Ok(Spending::Counted) => Ok(()),
            Ok(Spending::UsedUp(index)) => match spans.get(index) {
                Some(span) => Err(used_up(&self.account, span, now)),
                None => Ok(()),
            },
            Err(error) => {
                *self.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                let message = "The request could not be counted, so it was not made.";
                Err(NetworkError::new(NetworkErrorKind::Temporary, message))
            }
        }
    }
}

/// The refusal of a request for which a span has no room.
fn used_up(account: &Account, span: &Span, now: DateTime<Utc>) -> NetworkError {
    let Span { whose, budget } = span;
    let who = match whose {
        Whose::App => "All accounts of this server together",
        Whose::Workspace => "All accounts of this workspace together",
        Whose::Account => "This account",
    };
    let name = account.platform.sheet().name;
    let message = format!(
        "{who} may make {} requests {} to {name} besides publishing, and no more are left. Ask again at {} or later; publishing is not held up.",
        budget.limit,
        spoken(budget.ends_at - budget.begins_at),
        budget.ends_at.to_rfc3339_opts(SecondsFormat::Secs, true),
    );
    let wait = Some(budget.ends_at - now);
    NetworkError::new(NetworkErrorKind::RateLimited { wait }, message)
}

/// A length of time as it follows a number of requests.
pub(crate) fn spoken(per: TimeDelta) -> String {
    match (per.num_hours(), per.num_minutes()) {
        (0, 1) => "a minute".to_owned(),
        (0, minutes) => format!("in {minutes} minutes"),
        (1, _) => "an hour".to_owned(),
        (hours, _) => format!("in {hours} hours"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_every_length_have_words() {
        for (per, want) in [
            (TimeDelta::minutes(1), "a minute"),
            (TimeDelta::minutes(5), "in 5 minutes"),
            (TimeDelta::hours(1), "an hour"),
            (TimeDelta::hours(12), "in 12 hours"),
        ] {
            assert_eq!(spoken(per), want);
        }
    }
}
