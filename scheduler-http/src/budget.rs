//! How many bytes of request bodies are in progress: in all, and of each sender.
//!
//! A body is charged with its whole length before any of it is read, and until its request is
//! answered: what is made of it takes many times its bytes. Those that do not fit wait unread.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use scheduler_core::connecting::PassHash;
use scheduler_core::ids::WorkspaceId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::error::ApiError;

/// What is counted, in bytes.
const UNIT: u64 = 1 << 10;

/// Bodies of so many bytes at most are not held up by larger ones. Source: our decision.
const SMALL_BYTES: u64 = 64 << 10;

/// Bytes of small bodies in progress, and so many of large ones; in all and of one workspace.
///
/// Source: our decision. A list of numbers takes 32 times its bytes once it is read.
const BODIES: Budget = Budget { all: 4 << 20, of_one: 1 << 20 };

/// Bytes of forms in progress, in all and of one link. Source: our decision.
const FORMS: Budget = Budget { all: 4 << 20, of_one: 64 << 10 };

/// How long a body waits for its turn. Source: our decision.
const TIMEOUT: Duration = Duration::from_secs(30);

/// How long its sender is asked to wait then, in seconds. Source: our decision.
const BUSY_SECONDS: u32 = 5;

/// Remembered senders, beyond which those without a body are forgotten.
const REMEMBERED: usize = 1_024;

/// Who a body is charged to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sender {
    /// Whoever has a key of a workspace.
    Workspace(WorkspaceId),
    /// Whoever has the secret of a link.
    Visitor(PassHash),
}

#[derive(Clone, Copy, Debug)]
struct Budget {
    all: u64,
    of_one: u64,
}

/// What is in progress of one kind of body.
struct Purse {
    budget: Budget,
    all: Arc<Semaphore>,
    of_senders: Mutex<HashMap<Sender, Weak<Semaphore>>>,
}

/// The bodies in progress.
pub(crate) struct BodyBudget {
    small: Purse,
    large: Purse,
    forms: Purse,
}

/// What a body is charged with; given back when it is dropped.
pub(crate) struct Charge {
    _of_sender: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl BodyBudget {
    pub(crate) fn new() -> Self {
        Self { small: Purse::new(BODIES), large: Purse::new(BODIES), forms: Purse::new(FORMS) }
    }

    /// Waits for the turn of a body of JSON.
    ///
    /// # Errors
    /// `unavailable`, when it does not come.
    pub(crate) async fn charge(&self, sender: Sender, bytes: u64) -> Result<Charge, ApiError> {
        let purse = if bytes <= SMALL_BYTES { &self.small } else { &self.large };
        purse.charge(sender, bytes).await
    }

    /// The same for a form.
    ///
    /// # Errors
    /// `unavailable`, when its turn does not come.
    pub(crate) async fn charge_form(&self, sender: Sender, bytes: u64) -> Result<Charge, ApiError> {
        self.forms.charge(sender, bytes).await
    }
}

/// True for a body whose reading would hold up others.
pub(crate) fn is_large(bytes: usize) -> bool {
    u64::try_from(bytes).is_ok_and(|bytes| bytes > SMALL_BYTES)
}

impl Purse {
    fn new(budget: Budget) -> Self {
        let all = Arc::new(Semaphore::new(units(budget.all) as usize));
        Self { budget, all, of_senders: Mutex::default() }
    }

    async fn charge(&self, sender: Sender, bytes: u64) -> Result<Charge, ApiError> {
        // One that is larger than what its sender may have goes alone.
        let units = units(bytes.min(self.budget.of_one));
        let share = self.share_of(sender);
        let both = async {
            // The own share first, so that nobody keeps what others could use while they wait.
            let of_sender = share.acquire_many_owned(units).await.ok()?;
            let of_all = Arc::clone(&self.all).acquire_many_owned(units).await.ok()?;
            Some(Charge { _of_sender: of_sender, _of_all: of_all })
        };
        let charged = timeout(TIMEOUT, both).await.ok().flatten();
        charged.ok_or_else(|| ApiError::busy(BUSY_SECONDS))
    }

    fn share_of(&self, sender: Sender) -> Arc<Semaphore> {
        let mut senders = self.of_senders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = senders.get(&sender).and_then(Weak::upgrade) {
            return share;
        }
        if senders.len() >= REMEMBERED {
            senders.retain(|_, share| share.strong_count() > 0);
        }
        let share = Arc::new(Semaphore::new(units(self.budget.of_one) as usize));
        senders.insert(sender, Arc::downgrade(&share));
        share
    }
}

fn units(bytes: u64) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).max(1)
}

impl fmt::Debug for BodyBudget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("BodyBudget")
    }
}

impl fmt::Debug for Charge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Charge")
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;
    use uuid::Uuid;

    use super::*;

    fn workspace(number: u128) -> Sender {
        Sender::Workspace(WorkspaceId(Uuid::from_u128(number)))
    }

    #[tokio::test(start_paused = true)]
    async fn a_workspace_waits_for_itself_alone() {
        let budget = BodyBudget::new();
        let first = budget.charge(workspace(1), 1 << 20).await.unwrap();
        let begun = Instant::now();
        let _small = budget.charge(workspace(1), 64 << 10).await.unwrap();
        let _other = budget.charge(workspace(2), 1 << 20).await.unwrap();
        assert!(begun.elapsed().is_zero(), "neither waits for a large one of somebody else");
        let refused = budget.charge(workspace(1), 100 << 10).await.unwrap_err().into_response();
        assert_eq!((refused.status().as_u16(), begun.elapsed()), (503, TIMEOUT));
        assert_eq!(refused.headers()["retry-after"], "5");
        drop(first);
        budget.charge(workspace(1), 8 << 20).await.expect("more than the share goes alone");
    }

    #[tokio::test(start_paused = true)]
    async fn all_together_have_an_end() {
        let budget = BodyBudget::new();
        let mut charges = Vec::new();
        for number in 0..4 {
            charges.push(budget.charge(workspace(number), 1 << 20).await.unwrap());
        }
        assert!(budget.charge(workspace(9), 1 << 20).await.is_err());
        charges.pop();
        budget.charge(workspace(9), 1 << 20).await.unwrap();
        let visitor = Sender::Visitor(PassHash([1; 32]));
        let forms: Vec<_> =
            futures_util::future::join_all((0..5).map(|_| budget.charge_form(visitor, 16 << 10)))
                .await;
        assert_eq!(forms.iter().filter(|form| form.is_ok()).count(), 4);
    }

    #[test]
    fn senders_without_a_body_are_forgotten() {
        let budget = BodyBudget::new();
        for number in 0..10_000 {
            drop(budget.small.share_of(workspace(number)));
        }
        assert!(budget.small.of_senders.lock().unwrap().len() <= REMEMBERED);
    }
}
