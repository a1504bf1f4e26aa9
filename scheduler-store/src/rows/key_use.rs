//! Rows of `idempotency_keys`, and the keys of posts.

use scheduler_core::idempotency::{Fingerprint, IdempotencyKey, KeyOutcome, KeyScope, KeyUse};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::{from_json, row, to_json};
use crate::error::corrupt;
use crate::instant::Instant;

row! {
    /// A row of `idempotency_keys`.
    pub(crate) struct KeyUseRow by key_use_columns {
        idempotency_keys {
            workspace_id: Uuid,
            scope: String,
            key: String,
            body: Option<Vec<u8>>,
            id: Uuid,
            belongs_to: Uuid,
            state: String,
            until_at: Option<Instant>,
            answer: Option<String>,
        }
    }
}

impl KeyUseRow {
    pub(crate) fn read(self) -> Result<KeyUse, StoreError> {
        let outcome = match (self.state.as_str(), self.until_at, self.answer) {
            ("kept", None, None) => KeyOutcome::Kept,
            ("answered", None, Some(answer)) => {
                KeyOutcome::Answered(from_json("idempotency_keys.answer", &answer)?)
            }
            ("under_way", Some(until), None) => KeyOutcome::UnderWay(until.0),
            ("unknown", None, None) => KeyOutcome::Unknown,
            _ => {
                return Err(corrupt("idempotency_keys.state", "it does not fit the other columns"));
            }
        };
        Ok(KeyUse {
            workspace_id: WorkspaceId(self.workspace_id),
            scope: KeyScope::stored(self.scope),
            key: stored_key("idempotency_keys.body", self.key, self.body)?,
            id: self.id,
            belongs_to: self.belongs_to,
            outcome,
        })
    }
}

/// The columns of what came of the first request: `state`, `until_at`, `answer`.
pub(crate) fn outcome_values(
    outcome: &KeyOutcome,
) -> Result<(&'static str, Option<Instant>, Option<String>), StoreError> {
    Ok(match outcome {
        KeyOutcome::Kept => ("kept", None, None),
        KeyOutcome::Answered(answer) => {
            ("answered", None, Some(to_json("idempotency_keys.answer", answer)?))
        }
        KeyOutcome::UnderWay(until) => ("under_way", Some(Instant(*until)), None),
        KeyOutcome::Unknown => ("unknown", None, None),
    })
}

/// A key with the fingerprint that was stored with it.
pub(crate) fn stored_key(
    what: &'static str,
    key: String,
    body: Option<Vec<u8>>,
) -> Result<IdempotencyKey, StoreError> {
    let body = body.map(|body| {
        let bytes = <[u8; 32]>::try_from(body);
        bytes.map(Fingerprint).map_err(|_| corrupt(what, "the hash is not 32 bytes"))
    });
    Ok(IdempotencyKey::stored(key, body.transpose()?))
}

/// The fingerprint of a key as it is stored.
pub(crate) fn body_of(key: &IdempotencyKey) -> Option<Vec<u8>> {
    key.body().map(|body| body.0.to_vec())
}
