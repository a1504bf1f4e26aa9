//! The port `Files`.

use std::collections::BTreeMap;
use std::ops::Range;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::multipart::{MultipartStore as _, PartId};
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, ObjectStore as _, ObjectStoreExt as _};
use scheduler_core::media::{FileFolder, FileKey, PartPlan, UploadedPart};
use scheduler_core::ports::{ByteStream, Files, FilesError, FinishError, UploadLink};

use super::super::check::{Arrived, check_part};
use super::S3Files;
use super::fault::{code_among, fault};
use super::listing::ListedPart;
use super::write::write;

#[async_trait]
impl Files for S3Files {
    async fn upload_link(
        &self,
        key: &FileKey,
        size_bytes: u64,
        expires_at: DateTime<Utc>,
    ) -> Result<UploadLink, FilesError> {
        let url = self.put_link(&self.path(key), &[], size_bytes, expires_at).await?;
        Ok(UploadLink { url, headers: BTreeMap::new() })
    }

    async fn begin_parts(&self, key: &FileKey) -> Result<String, FilesError> {
        let begun = self.store.create_multipart(&self.path(key)).await;
        begun.map_err(|error| present(&error))
    }

    async fn part_links(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        expires_at: DateTime<Utc>,
    ) -> Result<Vec<String>, FilesError> {
        let path = self.path(key);
        let mut links = Vec::new();
        for number in 1..=plan.count() {
            let text = number.to_string();
            let query = [("partNumber", text.as_str()), ("uploadId", upload)];
            let link = self.put_link(&path, &query, plan.bytes_of(number), expires_at);
            links.push(link.await?);
        }
        Ok(links)
    }

    async fn finish_parts(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        parts: &[UploadedPart],
    ) -> Result<(), FinishError> {
        let path = self.path(key);
        let Some(listed) = self.list_parts(&path, upload).await? else {
            return self.was_done(key).await;
        };
        let parts = verify(&listed, plan, parts)?;
        match self.store.complete_multipart(&path, &upload.to_owned(), parts).await {
            Ok(_) => Ok(()),
            // Another call was faster.
            Err(Error::NotFound { .. }) => self.was_done(key).await,
            Err(error) => Err(match code_among(&error, &REFUSED) {
                Some(code) => FinishError::Refused(format!(
                    "The S3 service refused the parts ({code}); send them again."
                )),
                None => fault(&error).into(),
            }),
        }
    }

    async fn abandon_parts(&self, key: &FileKey, upload: &str) -> Result<(), FilesError> {
        gone(self.store.abort_multipart(&self.path(key), &upload.to_owned()).await)
    }

    async fn size(&self, key: &FileKey) -> Result<Option<u64>, FilesError> {
        match self.store.head(&self.path(key)).await {
            Ok(found) => Ok(Some(found.size)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(fault(&error)),
        }
    }

    async fn read(
        &self,
        key: &FileKey,
        range: Option<Range<u64>>,
    ) -> Result<ByteStream, FilesError> {
        let path = self.path(key);
        let wanted = match &range {
            Some(range) if range.is_empty() => {
                self.store.head(&path).await.map_err(|error| fault(&error))?;
                return Ok(ByteStream::once(Bytes::new()));
            }
            // To the end, as the service knows it.
            Some(range) if range.end == u64::MAX => Some(GetRange::Offset(range.start)),
            Some(range) => Some(GetRange::Bounded(range.clone())),
            None => None,
        };
        let options = GetOptions { range: wanted, ..GetOptions::default() };
        match self.store.get_opts(&path, options).await {
            Ok(found) => {
                let pieces = found.into_stream().map_err(|error| fault(&error));
                Ok(ByteStream(Box::pin(pieces)))
            }
            Err(error) => self.read_nothing(key, range, &error).await,
        }
    }

    async fn write(
        &self,
        key: &FileKey,
        media_type: &str,
        bytes: ByteStream,
    ) -> Result<u64, FilesError> {
        write(&self.store, &self.path(key), media_type, bytes).await
    }

    async fn settle(&self, from: &FileKey, to: &FileKey) -> Result<(), FilesError> {
        let (from, settled) = (self.path(from), self.path(to));
        if self.size(to).await?.is_none() {
            match self.store.copy(&from, &settled).await {
                Ok(()) => {}
                Err(Error::NotFound { .. }) => return Ok(()),
                Err(error) => return Err(fault(&error)),
            }
        }
        gone(self.store.delete(&from).await)
    }

    async fn erase(&self, folder: &FileFolder) -> Result<(), FilesError> {
        let below = self.below(folder.as_str());
        // First what is on its way, so that it cannot arrive afterwards.
        for upload in self.list_uploads(&below).await? {
            let path = Path::from(upload.key.as_str());
            gone(self.store.abort_multipart(&path, &upload.upload_id).await)?;
        }
        let found = self.store.list(Some(&below)).map_ok(|found| found.location).boxed();
        let mut removed = self.store.delete_stream(found);
        while let Some(removed) = removed.next().await {
            gone(removed.map(drop))?;
        }
        Ok(())
    }

    async fn read_link(
        &self,
        key: &FileKey,
        media_type: &str,
        expires_at: DateTime<Utc>,
    ) -> Result<String, FilesError> {
        self.get_link(&self.path(key), media_type, expires_at).await
    }
}

impl S3Files {
    /// What an upload that is not open comes to.
    async fn was_done(&self, key: &FileKey) -> Result<(), FinishError> {
        match self.size(key).await? {
            Some(_) => Ok(()),
            None => Err(FinishError::Refused("This upload is not open any more.".to_owned())),
        }
    }

    /// No bytes where a range begins at the end of the file or behind it, which the service
    /// refuses; else the fault.
    async fn read_nothing(
        &self,
        key: &FileKey,
        range: Option<Range<u64>>,
        error: &Error,
    ) -> Result<ByteStream, FilesError> {
        let (Error::Generic { .. }, Some(range)) = (error, range) else {
            return Err(fault(error));
        };
        match self.size(key).await? {
            Some(size) if range.start >= size => Ok(ByteStream::once(Bytes::new())),
            Some(_) => Err(fault(error)),
            None => Err(FilesError::Missing),
        }
    }
}

/// What the service finds wrong with parts.
///
/// Source: Amazon S3 API Reference, CompleteMultipartUpload, "Errors".
const REFUSED: [&str; 3] = ["InvalidPart", "InvalidPartOrder", "EntityTooSmall"];

/// The parts in their order, after each was found to be there as the caller lists it.
fn verify(
    listed: &BTreeMap<u32, ListedPart>,
    plan: PartPlan,
    parts: &[UploadedPart],
) -> Result<Vec<PartId>, FinishError> {
    let verify = |number: u32| {
        let arrived = listed.get(&number);
        let arrived = arrived.map(|part| Arrived { bytes: part.size, etag: part.etag.as_deref() });
        let etag = check_part(plan, number, arrived, parts)?;
        Ok(PartId { content_id: format!("\"{etag}\"") })
    };
    (1..=plan.count()).map(verify).collect()
}

/// What is gone already is no error.
fn gone(removed: Result<(), Error>) -> Result<(), FilesError> {
    match removed {
        Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
        Err(error) => Err(fault(&error)),
    }
}

/// A fault at a moment when nothing can be missing but the bucket.
fn present(error: &Error) -> FilesError {
    match fault(error) {
        FilesError::Missing => FilesError::Unavailable("there is no such bucket".to_owned()),
        other => other,
    }
}
