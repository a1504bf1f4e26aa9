//! Rows of `audit`.

use scheduler_core::audit::{Actor, ActorKind, AuditEntry, ToolCall};
use scheduler_core::ids::{AuditId, WorkspaceId};
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::{find, person, row};
use crate::instant::Instant;

row! {
    /// A row of `audit`.
    pub(crate) struct AuditRow by audit_columns {
        l {
            id: Uuid,
            workspace_id: Uuid,
            at: Instant,
            actor_kind: String,
            actor_id: Option<Uuid>,
            actor_name: Option<String>,
            actor_person_id: Option<Uuid>,
            actor_person: Option<String>,
            operation: String,
            path: String,
            client: Option<String>,
            outcome: Option<String>,
        }
    }
}

impl AuditRow {
    pub(crate) fn read(self) -> Result<AuditEntry, StoreError> {
        let kind = find("audit.actor_kind", ActorKind::ALL, |kind| kind.as_str(), &self.actor_kind);
        let person = person("audit.actor_person", self.actor_person_id, self.actor_person)?;
        Ok(AuditEntry {
            id: AuditId(self.id),
            workspace_id: WorkspaceId(self.workspace_id),
            at: self.at.0,
            by: Actor::new(kind?, self.actor_id, self.actor_name).named(person),
            operation: self.operation,
            path: self.path,
            call: self
                .client
                .zip(self.outcome)
                .map(|(client, outcome)| ToolCall { client, outcome }),
        })
    }
}
