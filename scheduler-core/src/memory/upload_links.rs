//! Links under which people give files.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::MemoryStore;
use crate::connecting::PassHash;
use crate::media::UploadLink;
use crate::ports::{StoreError, UploadLinkStore};
use crate::workspace::Workspace;

#[async_trait]
impl UploadLinkStore for MemoryStore {
    async fn keep_upload_link(
        &self,
        link: &UploadLink,
        now: DateTime<Utc>,
        most: u32,
    ) -> Result<bool, StoreError> {
        let mut tables = self.tables();
        tables.upload_links.retain(|_, other| now < other.expires_at);
        let others = tables.upload_links.values();
        let mine = others.filter(|other| other.workspace_id == link.workspace_id).count();
        let is_kept = mine < most as usize;
        if is_kept {
            tables.upload_links.insert(link.pass, link.clone());
        }
        Ok(is_kept)
    }

    async fn upload_link(
        &self,
        pass: PassHash,
    ) -> Result<Option<(UploadLink, Workspace)>, StoreError> {
        let tables = self.tables();
        Ok(tables.upload_links.get(&pass).and_then(|link| {
            let workspace = tables.workspaces.get(&link.workspace_id)?;
            Some((link.clone(), workspace.clone()))
        }))
    }

    async fn take_upload_link(&self, pass: PassHash) -> Result<bool, StoreError> {
        Ok(self.tables().upload_links.remove(&pass).is_some())
    }
}
