//! Rows of `post_versions`.

use scheduler_core::ids::{PostId, PostVersionId, WorkspaceId};
use scheduler_core::ports::StoreError;
use scheduler_core::post::PostVersion;
use uuid::Uuid;

use super::{from_json, from_name, row};
use crate::instant::Instant;

row! {
    /// A row of `post_versions`.
    pub(crate) struct PostVersionRow by post_version_columns {
        v {
            id: Uuid,
            post_id: Uuid,
            workspace_id: Uuid,
            began_at: Instant,
            at: Instant,
            actor: Option<String>,
            kind: String,
            content: String,
        }
    }
}

impl PostVersionRow {
    pub(crate) fn read(self) -> Result<PostVersion, StoreError> {
        let actor = self.actor.as_deref();
        Ok(PostVersion {
            id: PostVersionId(self.id),
            post_id: PostId(self.post_id),
            workspace_id: WorkspaceId(self.workspace_id),
            began_at: self.began_at.0,
            at: self.at.0,
            by: actor.map(|actor| from_json("post_versions.actor", actor)).transpose()?,
            kind: from_name("post_versions.kind", &self.kind)?,
            content: from_json("post_versions.content", &self.content)?,
        })
    }
}
