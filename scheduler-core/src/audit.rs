//! Who changed what in a workspace: the audit log.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::cursor::TimeCursor;
use crate::ids::{AuditId, WorkspaceId};

/// Entries in one answer at most.
///
/// Source: our decision.
pub const AUDIT_LIMIT_MAX: i64 = 200;

/// Entries in one answer when the caller names no number.
///
/// Source: our decision.
pub const AUDIT_LIMIT_DEFAULT: i64 = 50;

/// What kind of credential somebody had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    /// An API key.
    Key,
    /// The session of a person.
    Session,
    /// Whoever works on the server itself, without either.
    Server,
}

impl ActorKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Key, Self::Session, Self::Server];

    /// The name that is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Session => "session",
            Self::Server => "server",
        }
    }
}

/// Who changed something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[non_exhaustive]
pub struct Actor {
    /// What they had.
    pub kind: ActorKind,
    /// The id of the key or the session; `None` on the server itself.
    pub id: Option<Uuid>,
    /// What the key, or the program of the session, was called then.
    pub name: Option<String>,
}

impl Actor {
    /// Somebody by what they had.
    #[must_use]
    pub const fn new(kind: ActorKind, id: Option<Uuid>, name: Option<String>) -> Self {
        Self { kind, id, name }
    }
}

/// Something that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its id, a UUID v7 of `at`, by which stores find the oldest.
    pub id: AuditId,
    /// The workspace in which it was changed.
    pub workspace_id: WorkspaceId,
    /// When.
    pub at: DateTime<Utc>,
    /// Who changed it.
    pub by: Actor,
    /// The name of the operation, such as `create_post`.
    pub operation: String,
    /// What it was done to, as the path of the request, or of what it made.
    pub path: String,
}

/// The place of an entry in the log, by when it was made.
pub type AuditCursor = TimeCursor<AuditId>;

impl AuditCursor {
    /// The place of an entry.
    #[must_use]
    pub const fn of(entry: &AuditEntry) -> Self {
        Self { at: entry.at, id: entry.id }
    }
}

/// An entry of the log as callers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AuditEntry"))]
#[non_exhaustive]
pub struct AuditView {
    /// Its id.
    pub id: AuditId,
    /// When.
    pub at: DateTime<Utc>,
    /// Who changed something.
    pub by: Actor,
    /// The name of the operation, such as `create_post`.
    pub operation: String,
    /// What it was done to, as the path of the request, or of what it made.
    pub path: String,
}

impl From<AuditEntry> for AuditView {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { id, workspace_id: _, at, by, operation, path } = entry;
        Self { id, at, by, operation, path }
    }
}

/// A page of the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AuditPage {
    /// The entries, newest first.
    pub data: Vec<AuditView>,
    /// Where the next page begins; `None` on the last.
    pub next_cursor: Option<String>,
}
