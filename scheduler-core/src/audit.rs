//! Who changed what in a workspace, and which tools were called: the audit log.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::cursor::TimeCursor;
use crate::error::Refusal;
use crate::ids::{AuditId, WorkspaceId};
use crate::session::Person;

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
    /// A program that a person has connected.
    Grant,
    /// Whoever works on the server itself, without either.
    Server,
}

impl ActorKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Key, Self::Session, Self::Grant, Self::Server];

    /// The name that is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Session => "session",
            Self::Grant => "grant",
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
    /// The id of the key, the session or the grant; `None` on the server itself.
    pub id: Option<Uuid>,
    /// What the key, the connected program, or the program of the session was called then.
    pub name: Option<String>,
    /// The person whom the session named then; absent where it named nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<Person>,
}

impl Actor {
    /// Somebody by what they had.
    #[must_use]
    pub const fn new(kind: ActorKind, id: Option<Uuid>, name: Option<String>) -> Self {
        Self { kind, id, name, person: None }
    }

    /// The same, and which person they were.
    #[must_use]
    pub fn named(self, person: Option<Person>) -> Self {
        Self { person, ..self }
    }

    /// What they are called: the person where there is one, else the key or the program.
    #[must_use]
    pub fn called(&self) -> Option<&str> {
        let person = self.person.as_ref().map(|person| person.name.as_str());
        person.or(self.name.as_deref())
    }
}

/// A call of a tool, by a program that acts for a person through the Model Context Protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub struct ToolCall {
    /// What the program calls itself; at most 100 characters.
    pub client: String,
    /// What came of it: `done`, `awaiting_confirmation`, or the code of the refusal.
    pub outcome: String,
}

/// Which entries of the log are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Only calls of tools; else only changes.
    pub calls: bool,
    /// Only those of this key or session.
    pub by: Option<Uuid>,
}

impl AuditFilter {
    /// The filter of a query: `true` or `false`, and an id.
    ///
    /// # Errors
    /// `invalid_request` naming `calls` or `by`.
    pub fn parse(calls: Option<&str>, by: Option<&str>) -> Result<Self, Refusal> {
        let calls = calls.map_or(Ok(false), str::parse).map_err(|_| {
            let message = "Send true for calls of tools, or leave it out for changes.";
            Refusal::invalid("calls", message)
        })?;
        let by = by.map(str::parse).transpose().map_err(|_| {
            let message = "Send the id of a key or a session, as their lists show it.";
            Refusal::invalid("by", message)
        })?;
        Ok(Self { calls, by })
    }
}

/// Something that was changed, or a tool that was called.
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
    /// The name of the operation, such as `create_post`, or of the tool.
    pub operation: String,
    /// What it was done to, as the path of the request, or of what it made.
    pub path: String,
    /// Of a call of a tool, who called it and what came of it.
    pub call: Option<ToolCall>,
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
    /// Who changed something, or called a tool.
    pub by: Actor,
    /// The name of the operation, such as `create_post`, or of the tool.
    pub operation: String,
    /// What it was done to, as the path of the request, or of what it made.
    pub path: String,
    /// Of a call of a tool through the Model Context Protocol, who called it and what came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<ToolCall>,
}

impl From<AuditEntry> for AuditView {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { id, workspace_id: _, at, by, operation, path, call } = entry;
        Self { id, at, by, operation, path, call }
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
