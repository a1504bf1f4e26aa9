//! Making the posts that come again, ahead of their time.

mod changing;
mod making;
mod run;

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};

pub(super) use self::making::is_passing;
use self::run::{Run, Stop};
use crate::app::{Caller, Credential, Scheduler};
use crate::error::AppError;
use crate::key::{AgentPolicy, Scope, Scopes};
use crate::ports::StoreError;
use crate::recurrence::{Progress, Recurrence};

/// How long whoever has taken a recurrence has for it before another may go on with it, which does
/// nothing twice. Whoever works on it takes it anew before each step.
///
/// Source: our decision; after a kill nobody works on it for as long.
const LEASE: TimeDelta = TimeDelta::seconds(30);

impl Scheduler {
    /// Has the posts of every recurrence that is due made ahead, changed as it was, and taken back
    /// where it does not want them any more; says how many were made. Whoever runs an engine calls
    /// this from time to time; several may at once.
    ///
    /// What is to be done is stored first and done then, so that a process that dies in between
    /// leaves nothing undone and nothing double: a post is made under an idempotency key of its
    /// recurrence and its place. What has passed while nobody looked is not made.
    ///
    /// # Errors
    /// [`StoreError`]; what was made before stays.
    pub async fn plan_recurrences(&self) -> Result<usize, StoreError> {
        let store = &self.ports().store;
        let mut made = 0;
        loop {
            let now = self.ports().clock.now();
            let lease_until = now + LEASE;
            let (recurrence, progress) = match store.claim_recurrence(now, lease_until).await {
                Ok(Some(claimed)) => claimed,
                Ok(None) => return Ok(made),
                // It is taken all the same, so that what cannot be read keeps nobody else waiting.
                Err(StoreError::Corrupt { .. }) => continue,
                Err(error) => return Err(error),
            };
            made += match Box::pin(self.plan(recurrence, progress, lease_until)).await {
                Ok(made) => made,
                Err(AppError::Store(error)) => return Err(error),
                // Nobody waits for an answer: it is looked at again when the lease ends.
                Err(AppError::Refused(_) | AppError::Files(_)) => 0,
            };
        }
    }

    async fn plan(
        &self,
        recurrence: Recurrence,
        progress: Progress,
        lease_until: DateTime<Utc>,
    ) -> Result<usize, AppError> {
        let store = &self.ports().store;
        let Some(workspace) = store.workspace(recurrence.workspace_id).await? else {
            return Ok(0);
        };
        // Posts have the author of the recurrence, whose own approval is none.
        let caller = Caller {
            workspace,
            by: Credential::Program,
            person: recurrence.terms.written_by.clone(),
            scopes: Scopes::of(&[Scope::All]),
            agents: AgentPolicy::default(),
        };
        let now = self.ports().clock.now();
        let planner = self.planner(&caller, &recurrence.terms, now).await?;
        let mut run = Run {
            scheduler: self,
            caller: &caller,
            recurrence: &recurrence,
            planner: &planner,
            uses: store.entry_uses(recurrence.id).await?,
            progress,
            posts: BTreeMap::new(),
            lease_until,
            made: 0,
        };
        match Box::pin(run.finish()).await {
            // Whoever has taken it meanwhile goes on.
            Ok(()) | Err(Stop::Lost) => Ok(run.made),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}
