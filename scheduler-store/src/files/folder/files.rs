//! The port `Files`.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::PathBuf;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::media::link::{Action, Grant};
use scheduler_core::media::{FileFolder, FileKey, PartPlan, UploadedPart};
use scheduler_core::ports::{ByteStream, Files, FilesError, FinishError, ReceiveError, UploadLink};

use super::FolderFiles;
use super::clean::erase;
use super::fault::{blocking, fault};
use super::parts::{Upload, finish};
use super::read::Opened;
use super::signed::Origin;

impl FolderFiles {
    fn link(&self, key: &FileKey, action: Action, expires_at: DateTime<Utc>) -> String {
        let query = self.signer.query(&Grant { action, key: key.clone(), expires_at });
        format!("{}{key}?{query}", self.link_base)
    }
}

#[async_trait]
impl Files for FolderFiles {
    async fn upload_link(
        &self,
        key: &FileKey,
        size_bytes: u64,
        expires_at: DateTime<Utc>,
    ) -> Result<UploadLink, FilesError> {
        let url = self.link(key, Action::Put { size_bytes }, expires_at);
        Ok(UploadLink { url, headers: BTreeMap::new() })
    }

    async fn begin_parts(&self, key: &FileKey) -> Result<String, FilesError> {
        let (layout, key) = (self.layout.clone(), key.clone());
        blocking(move || Upload::make(&layout, &key).map_err(|error| fault(&error))).await
    }

    async fn part_links(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        expires_at: DateTime<Utc>,
    ) -> Result<Vec<String>, FilesError> {
        let link = |part_number: u32| {
            let action = Action::PutPart {
                upload: upload.to_owned(),
                part_number,
                offset_bytes: u64::from(part_number - 1).saturating_mul(plan.part_bytes),
                size_bytes: plan.bytes_of(part_number),
            };
            self.link(key, action, expires_at)
        };
        Ok((1..=plan.count()).map(link).collect())
    }

    async fn finish_parts(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        parts: &[UploadedPart],
    ) -> Result<(), FinishError> {
        let (layout, key, parts) = (self.layout.clone(), key.clone(), parts.to_vec());
        let Some(upload) = Upload::find(&layout, &key, upload) else {
            return Err(FinishError::Refused("This is no upload of this server.".to_owned()));
        };
        blocking(move || finish(&layout, &key, &upload, plan, &parts)).await
    }

    async fn abandon_parts(&self, key: &FileKey, upload: &str) -> Result<(), FilesError> {
        let layout = self.layout.clone();
        let Some(upload) = Upload::find(&layout, key, upload) else { return Ok(()) };
        blocking(move || upload.remove(&layout).map_err(|error| fault(&error))).await
    }

    async fn check_room(&self, bytes: u64) -> Result<(), FilesError> {
        let room = self.room.clone();
        blocking(move || room.check(bytes).map_err(|error| fault(&error))).await
    }

    async fn size(&self, key: &FileKey) -> Result<Option<u64>, FilesError> {
        let path = self.layout.file(key);
        blocking(move || match fs::metadata(path) {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(fault(&error)),
        })
        .await
    }

    async fn read(
        &self,
        key: &FileKey,
        range: Option<Range<u64>>,
    ) -> Result<ByteStream, FilesError> {
        let opened = Opened::open(self.layout.file(key)).await?;
        Ok(opened.read(range.unwrap_or(0..u64::MAX)))
    }

    fn local_path(&self, key: &FileKey) -> Option<PathBuf> {
        Some(self.layout.file(key))
    }

    async fn write(
        &self,
        key: &FileKey,
        _media_type: &str,
        bytes: ByteStream,
    ) -> Result<u64, FilesError> {
        let origin = if key.is_original() { Origin::Fetched } else { Origin::Made };
        match self.keep(key, origin, bytes).await {
            Ok((size_bytes, _)) => Ok(size_bytes),
            Err(ReceiveError::Files(error)) => Err(error),
            Err(error @ (ReceiveError::Link(_) | ReceiveError::WrongSize { .. })) => {
                Err(FilesError::Refused(error.to_string()))
            }
            Err(ReceiveError::Closed) => {
                Err(FilesError::Unavailable("the file was erased while it came".to_owned()))
            }
        }
    }

    async fn settle(&self, from: &FileKey, to: &FileKey) -> Result<(), FilesError> {
        let (layout, from, to) = (self.layout.clone(), from.clone(), to.clone());
        blocking(move || layout.settle(&from, &to).map_err(|error| fault(&error))).await
    }

    async fn erase(&self, folder: &FileFolder) -> Result<(), FilesError> {
        let (layout, folder) = (self.layout.clone(), folder.clone());
        blocking(move || erase(&layout, &folder).map_err(|error| fault(&error))).await
    }

    async fn read_link(
        &self,
        key: &FileKey,
        media_type: &str,
        expires_at: DateTime<Utc>,
    ) -> Result<String, FilesError> {
        let action = Action::Get { media_type: media_type.to_owned() };
        Ok(self.link(key, action, expires_at))
    }
}
