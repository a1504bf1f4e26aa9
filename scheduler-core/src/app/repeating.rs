//! Requests with an Idempotency-Key, other than for posts: each makes one thing, however often it
//! is sent.

use chrono::TimeDelta;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use super::{Caller, Scheduler};
use crate::engine::NetworkCallError;
use crate::error::{AppError, RepeatRefusal};
use crate::idempotency::{IdempotencyKey, KeyOutcome, KeyScope, KeyUse, Made};
use crate::ports::{NetworkErrorKind, StoreError};

/// How long a call to a network may be under way before nobody can be expected to tell of it.
///
/// Source: our decision. Whether it has ended or not, no repeat is ever sent to the network.
const UNDER_WAY_FOR: TimeDelta = TimeDelta::minutes(5);

/// How long a repeat waits for the first request, and how often it looks.
///
/// Source: our decision.
const TIMEOUT: TimeDelta = TimeDelta::seconds(10);
const LOOK_EVERY: TimeDelta = TimeDelta::milliseconds(200);

/// How a call is repeated: under which key, where that is unique, and what removes it.
pub(super) struct Repeatable<'a> {
    pub(super) key: Option<&'a IdempotencyKey>,
    pub(super) scope: KeyScope,
    pub(super) belongs_to: Uuid,
}

impl Scheduler {
    /// The use of a caller's key.
    pub(super) async fn earlier_use(
        &self,
        caller: &Caller,
        scope: &KeyScope,
        key: &IdempotencyKey,
    ) -> Result<Option<KeyUse>, StoreError> {
        self.store().key_use(caller.workspace.id, scope, key.as_str()).await
    }

    /// What the first request of a key has made at a network; waits while that is under way.
    ///
    /// # Errors
    /// `in_flight` when it stays so, `in_doubt` when the network's answer was lost.
    pub(super) async fn earlier_act<T: DeserializeOwned>(
        &self,
        caller: &Caller,
        scope: &KeyScope,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<Made<T>>, AppError> {
        let Some(key) = key else { return Ok(None) };
        let mut waited = TimeDelta::zero();
        while let Some(first) = self.earlier_use(caller, scope, key).await? {
            match &first.outcome {
                KeyOutcome::Answered(answer) => {
                    let made = T::deserialize(answer).map_err(|error| StoreError::Corrupt {
                        what: "idempotency_keys.answer",
                        source: Box::new(error),
                    })?;
                    return Ok(Some(Made::before(made, &first.key, key)));
                }
                KeyOutcome::UnderWay(until) if *until > self.ports.clock.now() => {
                    if waited >= TIMEOUT {
                        return Err(RepeatRefusal::UnderWay.into());
                    }
                }
                KeyOutcome::UnderWay(_) | KeyOutcome::Unknown | KeyOutcome::Kept => {
                    return Err(RepeatRefusal::InDoubt.into());
                }
            }
            self.ports.tasks.sleep(LOOK_EVERY).await;
            waited += LOOK_EVERY;
        }
        Ok(None)
    }

    /// Makes something at a network, once for each key. The key is stored before anything is sent,
    /// and goes again when the network has certainly made nothing.
    ///
    /// # Errors
    /// Those of the call, and of [`Self::earlier_act`] when another request has been faster.
    pub(super) async fn make_once<T: Serialize + DeserializeOwned>(
        &self,
        caller: &Caller,
        repeatable: Repeatable<'_>,
        call: impl Future<Output = Result<T, NetworkCallError>> + Send,
    ) -> Result<Made<T>, AppError> {
        let Repeatable { key: Some(key), scope, belongs_to } = repeatable else {
            return Ok(Made::new(call.await?));
        };
        let now = self.ports.clock.now();
        let mut used = KeyUse {
            workspace_id: caller.workspace.id,
            scope,
            key: key.clone(),
            id: self.ports.ids.next(now),
            belongs_to,
            outcome: KeyOutcome::UnderWay(now + UNDER_WAY_FOR),
        };
        // One that came to nothing meanwhile makes room for this one, which is there already when
        // the store has tried it twice.
        while self.store().begin_key_use(&used).await?.is_some_and(|first| first.id != used.id) {
            if let Some(earlier) = self.earlier_act(caller, &used.scope, Some(key)).await? {
                return Ok(earlier);
            }
        }
        let outcome = call.await;
        match &outcome {
            Ok(made) => {
                used.outcome =
                    serde_json::to_value(made).map_or(KeyOutcome::Unknown, KeyOutcome::Answered);
                self.with_retry(|| self.store().settle_key_use(&used)).await?;
            }
            Err(error) if may_have_happened(error) => {
                used.outcome = KeyOutcome::Unknown;
                self.with_retry(|| self.store().settle_key_use(&used)).await?;
            }
            Err(_) => {
                self.with_retry(|| self.store().forget_key_use(&used)).await?;
            }
        }
        Ok(Made::new(outcome?))
    }
}

/// Whether the network may have done what it was asked, though it has not said so.
fn may_have_happened(error: &NetworkCallError) -> bool {
    matches!(error, NetworkCallError::Network(error)
        if matches!(error.kind, NetworkErrorKind::Unsettled | NetworkErrorKind::InDoubt))
}
