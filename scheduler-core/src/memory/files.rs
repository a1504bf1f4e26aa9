//! A file store in memory.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};

use crate::media::{FileFolder, FileKey, PartPlan, UploadedPart};
use crate::ports::{ByteStream, Files, FilesError, FinishError, UploadLink};

/// A file store in memory: for tests, and for embedding without a disk.
///
/// Nobody serves its links; whoever embeds it puts bytes in by [`MemoryFiles::put`] and
/// [`MemoryFiles::put_part`].
#[derive(Debug, Default)]
pub struct MemoryFiles {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    files: BTreeMap<FileKey, Bytes>,
    uploads: BTreeMap<String, BTreeMap<u32, Bytes>>,
    opened: u64,
}

impl MemoryFiles {
    /// An empty file store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps bytes under a key, as an upload to its link would; links of uploads in one piece lead
    /// to [`FileFolder::sent`].
    pub fn put(&self, key: FileKey, bytes: Bytes) {
        self.inner().files.insert(key, bytes);
    }

    /// Keeps one part of an upload, and returns its ETag; `None` for an unknown upload.
    pub fn put_part(&self, upload: &str, part_number: u32, bytes: Bytes) -> Option<String> {
        let etag = etag(&bytes);
        self.inner().uploads.get_mut(upload)?.insert(part_number, bytes);
        Some(etag)
    }

    /// Every key that bytes are kept under, and every upload that is open.
    #[must_use]
    pub fn kept(&self) -> Vec<String> {
        let inner = self.inner();
        inner.files.keys().map(ToString::to_string).chain(inner.uploads.keys().cloned()).collect()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The ETag of a part: enough to tell two parts apart.
fn etag(bytes: &Bytes) -> String {
    use sha2::Digest as _;
    hex::encode(&sha2::Sha256::digest(bytes)[..8])
}

fn link(action: &str, key: &FileKey, expires_at: DateTime<Utc>) -> String {
    format!("memory:{action}/{key}?expires={}", expires_at.timestamp())
}

#[async_trait]
impl Files for MemoryFiles {
    async fn upload_link(
        &self,
        key: &FileKey,
        _: u64,
        expires_at: DateTime<Utc>,
    ) -> Result<UploadLink, FilesError> {
        Ok(UploadLink { url: link("put", key, expires_at), headers: BTreeMap::new() })
    }

    async fn begin_parts(&self, key: &FileKey) -> Result<String, FilesError> {
        let mut inner = self.inner();
        inner.opened += 1;
        let upload = format!("{key}/upload-{}", inner.opened);
        inner.uploads.insert(upload.clone(), BTreeMap::new());
        Ok(upload)
    }

    async fn part_links(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        expires_at: DateTime<Utc>,
    ) -> Result<Vec<String>, FilesError> {
        let link = link("put", key, expires_at);
        Ok((1..=plan.count()).map(|part| format!("{link}&upload={upload}&part={part}")).collect())
    }

    async fn finish_parts(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        parts: &[UploadedPart],
    ) -> Result<(), FinishError> {
        let mut inner = self.inner();
        let Some(kept) = inner.uploads.get(upload) else {
            let is_done = inner.files.contains_key(key);
            let gone = || FinishError::Refused("This upload is not open any more.".to_owned());
            return is_done.then_some(()).ok_or_else(gone);
        };
        let mut whole = Vec::new();
        for number in 1..=plan.count() {
            let part = kept.get(&number).filter(|bytes| {
                let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                let listed = parts.iter().find(|part| part.part_number == number);
                size == plan.bytes_of(number)
                    && listed.is_some_and(|part| part.etag.trim_matches('"') == etag(bytes))
            });
            let Some(bytes) = part else {
                return Err(FinishError::Refused(format!(
                    "Part {number} is missing, or not what its ETag says; send it again."
                )));
            };
            whole.extend_from_slice(bytes);
        }
        inner.uploads.remove(upload);
        inner.files.insert(key.clone(), whole.into());
        Ok(())
    }

    async fn abandon_parts(&self, _: &FileKey, upload: &str) -> Result<(), FilesError> {
        self.inner().uploads.remove(upload);
        Ok(())
    }

    async fn size(&self, key: &FileKey) -> Result<Option<u64>, FilesError> {
        let inner = self.inner();
        Ok(inner.files.get(key).and_then(|bytes| u64::try_from(bytes.len()).ok()))
    }

    async fn read(
        &self,
        key: &FileKey,
        range: Option<Range<u64>>,
    ) -> Result<ByteStream, FilesError> {
        let bytes = self.inner().files.get(key).cloned().ok_or(FilesError::Missing)?;
        let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
        let range = range.map_or(0..bytes.len(), |range| {
            position(range.start)..position(range.end).max(position(range.start))
        });
        Ok(ByteStream::once(bytes.slice(range)))
    }

    async fn write(&self, key: &FileKey, _: &str, bytes: ByteStream) -> Result<u64, FilesError> {
        let bytes = bytes.collect().await?;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.inner().files.insert(key.clone(), bytes);
        Ok(size)
    }

    async fn settle(&self, from: &FileKey, to: &FileKey) -> Result<(), FilesError> {
        let mut inner = self.inner();
        if let Some(bytes) = inner.files.remove(from) {
            inner.files.entry(to.clone()).or_insert(bytes);
        }
        Ok(())
    }

    async fn erase(&self, folder: &FileFolder) -> Result<(), FilesError> {
        let start = format!("{}/", folder.as_str());
        let mut inner = self.inner();
        inner.files.retain(|key, _| !key.as_str().starts_with(&start));
        // The name of an upload begins with its key.
        inner.uploads.retain(|upload, _| !upload.starts_with(&start));
        Ok(())
    }

    async fn read_link(
        &self,
        key: &FileKey,
        _: &str,
        expires_at: DateTime<Utc>,
    ) -> Result<String, FilesError> {
        Ok(link("get", key, expires_at))
    }
}
