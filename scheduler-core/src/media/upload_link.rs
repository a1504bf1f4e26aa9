//! Links under which a person gives files that a program cannot read.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::connecting::PassHash;
use crate::ids::WorkspaceId;
use crate::object::only_from_object;
#[cfg(feature = "schema")]
use crate::post::{MEDIA_MAX_COUNT, NOTE_MAX_CHARACTERS};

/// How long a link works.
///
/// Source: our decision; its person is asked while they talk with the program.
pub const UPLOAD_LINK_LIFETIME: TimeDelta = TimeDelta::minutes(30);

/// Links that a workspace has open at once.
///
/// Source: our decision.
pub const UPLOAD_LINKS_MAX: u32 = 100;

/// A link under which somebody without a session gives files, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadLink {
    /// The hash of its secret.
    pub pass: PassHash,
    /// The workspace that gets the files.
    pub workspace_id: WorkspaceId,
    /// What the person is told.
    pub note: Option<String>,
    /// How many files are taken at most.
    pub files: u32,
    /// From when on it takes none.
    pub expires_at: DateTime<Utc>,
}

/// Which files are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct UploadLinkInput {
    /// What the person is told above the form; up to 2 000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = NOTE_MAX_CHARACTERS)))]
    pub note: Option<String>,
    /// How many files are taken at most; 1 unless it is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = MEDIA_MAX_COUNT)))]
    pub files: Option<i64>,
}

only_from_object!(UploadLinkInput);

/// A link that was just made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UploadLink"))]
#[serde(rename_all = "camelCase")]
pub struct UploadLinkView {
    /// The link; shown only now.
    #[cfg_attr(feature = "schema", schemars(url))]
    pub url: String,
    /// How many files are taken at most.
    pub files: u32,
    /// From when on it takes none.
    pub expires_at: DateTime<Utc>,
}
