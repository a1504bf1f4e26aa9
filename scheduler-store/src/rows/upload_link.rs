//! Rows of `upload_links`.

use scheduler_core::connecting::PassHash;
use scheduler_core::ids::WorkspaceId;
use scheduler_core::media::UploadLink;
use scheduler_core::ports::StoreError;
use uuid::Uuid;

use super::row;
use super::session::hash;
use super::workspace::WorkspaceRow;
use crate::error::corrupt;
use crate::instant::Instant;

row! {
    /// A row of `upload_links`.
    pub(crate) struct UploadLinkRow by upload_link_columns {
        u {
            pass: Vec<u8>,
            link_workspace_id = workspace_id: Uuid,
            note: Option<String>,
            files: i64,
            expires_at: Instant,
        }
    }
}

row! {
    /// A row of `upload_links` with that of its workspace.
    pub(crate) struct UploadLinkAndWorkspaceRow {
        ..pub(crate) link: UploadLinkRow,
        ..pub(crate) workspace: WorkspaceRow,
    }
}

impl UploadLinkRow {
    pub(crate) fn read(self) -> Result<UploadLink, StoreError> {
        Ok(UploadLink {
            pass: PassHash(hash("upload_links.pass", self.pass)?),
            workspace_id: WorkspaceId(self.link_workspace_id),
            note: self.note,
            files: u32::try_from(self.files)
                .map_err(|_| corrupt("upload_links.files", "it is not a number of files"))?,
            expires_at: self.expires_at.0,
        })
    }
}
