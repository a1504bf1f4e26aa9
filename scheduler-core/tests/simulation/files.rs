//! A file store that fails at any operation, a source that breaks off, an examiner that dies.

use std::collections::BTreeMap;
use std::ops::Range;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures_core::Stream;
use scheduler_core::media::{
    FileFolder, FileKey, MediaFacts, MediaKind, PartPlan, Recipe, UploadedPart,
};
use scheduler_core::ports::{
    ByteStream, Clock as _, Derived, ExamineError, Examined, Examiner, FetchError, Fetched,
    Fetcher, Files, FilesError, FinishError, UploadLink,
};

use crate::world::World;

/// What is in a file that can be used.
pub(crate) const GOOD: &[u8] = b"a picture";

/// What is in a file that no examiner takes.
pub(crate) const BROKEN: &[u8] = b"no picture";

/// Bytes that are kept. Their number is told and not held, so that large files cost nothing.
#[derive(Clone)]
pub(crate) struct Blob {
    pub(crate) size_bytes: u64,
    pub(crate) content: Bytes,
}

/// An upload in parts that is open.
pub(crate) struct Upload {
    pub(crate) key: FileKey,
    pub(crate) parts: BTreeMap<u32, Blob>,
}

#[derive(Default)]
pub(crate) struct Kept {
    pub(crate) blobs: BTreeMap<FileKey, Blob>,
    pub(crate) uploads: BTreeMap<String, Upload>,
    opened: u64,
}

pub(crate) struct SimulatedFiles {
    pub(crate) world: Arc<World>,
    kept: Mutex<Kept>,
}

impl SimulatedFiles {
    pub(crate) fn new(world: Arc<World>) -> Self {
        Self { world, kept: Mutex::default() }
    }

    pub(crate) fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().expect("not poisoned")
    }

    async fn before(&self) -> Result<(), FilesError> {
        self.world.pause().await;
        if self.world.fault(40) { Err(down()) } else { Ok(()) }
    }

    /// The operation is done; its answer may still get lost.
    async fn after(&self) -> Result<(), FilesError> {
        slow(&self.world, 20).await;
        if self.world.fault(40) { Err(down()) } else { Ok(()) }
    }

    /// Sends bytes to a link, as a caller does; what is sent before the link ends may arrive long
    /// after.
    pub(crate) async fn send(&self, link: &str, size_bytes: u64, content: &'static [u8]) -> Sent {
        self.world.pause().await;
        let mut fields = link.split('|');
        let key = fields.next().and_then(FileKey::parse).expect("a link of ours");
        let ends_at: DateTime<Utc> =
            fields.next().and_then(|end| end.parse().ok()).expect("an end");
        if self.world.now() > ends_at || self.world.fault(10) {
            return Sent::Refused;
        }
        slow(&self.world, 4).await;
        if self.world.fault(20) {
            return Sent::Refused;
        }
        let blob = Blob { size_bytes, content: Bytes::from_static(content) };
        let etag = etag(&blob);
        let mut kept = self.kept();
        match (fields.next(), fields.next().and_then(|part| part.parse().ok())) {
            (Some(upload), Some(part)) => {
                let Some(upload) = kept.uploads.get_mut(upload) else { return Sent::Refused };
                upload.parts.insert(part, blob);
            }
            _ => {
                kept.blobs.insert(key, blob);
            }
        }
        Sent::Kept { etag }
    }
}

/// What came of sending bytes to a link.
pub(crate) enum Sent {
    Kept { etag: String },
    Refused,
}

fn etag(blob: &Blob) -> String {
    format!("{}-{}", blob.size_bytes, blob.content.len())
}

fn down() -> FilesError {
    FilesError::Unavailable("the disk is full".to_owned())
}

/// Takes its time once in `n` times.
async fn slow(world: &World, n: u64) {
    if world.fault(n) {
        let seconds = i64::try_from(world.below(40)).expect("small");
        world.until(world.now() + TimeDelta::seconds(seconds)).await;
    }
    world.pause().await;
}

#[async_trait]
impl Files for SimulatedFiles {
    async fn upload_link(
        &self,
        key: &FileKey,
        _: u64,
        expires_at: DateTime<Utc>,
    ) -> Result<UploadLink, FilesError> {
        self.before().await?;
        let url = format!("{key}|{}", expires_at.to_rfc3339());
        Ok(UploadLink { url, headers: BTreeMap::new() })
    }

    async fn begin_parts(&self, key: &FileKey) -> Result<String, FilesError> {
        self.before().await?;
        let name = {
            let mut kept = self.kept();
            kept.opened += 1;
            let name = format!("upload-{}", kept.opened);
            let upload = Upload { key: key.clone(), parts: BTreeMap::new() };
            kept.uploads.insert(name.clone(), upload);
            name
        };
        self.after().await?;
        Ok(name)
    }

    async fn part_links(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        expires_at: DateTime<Utc>,
    ) -> Result<Vec<String>, FilesError> {
        self.before().await?;
        let end = expires_at.to_rfc3339();
        Ok((1..=plan.count()).map(|part| format!("{key}|{end}|{upload}|{part}")).collect())
    }

    async fn finish_parts(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        parts: &[UploadedPart],
    ) -> Result<(), FinishError> {
        self.before().await?;
        {
            let mut kept = self.kept();
            let is_done = kept.blobs.contains_key(key);
            match kept.uploads.get(upload) {
                None if is_done => {}
                None => return Err(FinishError::Refused("It is not open.".to_owned())),
                Some(open) => {
                    let is_right = |number: u32| {
                        let listed = parts.iter().find(|part| part.part_number == number);
                        open.parts.get(&number).zip(listed).is_some_and(|(blob, part)| {
                            blob.size_bytes == plan.bytes_of(number) && etag(blob) == part.etag
                        })
                    };
                    if let Some(number) = (1..=plan.count()).find(|number| !is_right(*number)) {
                        return Err(FinishError::Refused(format!("Part {number} is missing.")));
                    }
                    let content = open.parts[&1].content.clone();
                    kept.uploads.remove(upload);
                    kept.blobs.insert(key.clone(), Blob { size_bytes: plan.size_bytes, content });
                }
            }
        }
        Ok(self.after().await?)
    }

    async fn abandon_parts(&self, _: &FileKey, upload: &str) -> Result<(), FilesError> {
        self.before().await?;
        self.kept().uploads.remove(upload);
        self.after().await
    }

    async fn size(&self, key: &FileKey) -> Result<Option<u64>, FilesError> {
        self.before().await?;
        Ok(self.kept().blobs.get(key).map(|blob| blob.size_bytes))
    }

    async fn read(&self, key: &FileKey, _: Option<Range<u64>>) -> Result<ByteStream, FilesError> {
        self.before().await?;
        let content = self.kept().blobs.get(key).map(|blob| blob.content.clone());
        content.map(ByteStream::once).ok_or(FilesError::Missing)
    }

    async fn write(
        &self,
        key: &FileKey,
        _: &str,
        mut bytes: ByteStream,
    ) -> Result<u64, FilesError> {
        self.before().await?;
        let mut content = Vec::new();
        while let Some(piece) = bytes.next().await {
            content.extend_from_slice(&piece?);
            slow(&self.world, 20).await;
        }
        let size_bytes = content.len() as u64;
        let blob = Blob { size_bytes, content: content.into() };
        self.kept().blobs.insert(key.clone(), blob);
        self.after().await?;
        Ok(size_bytes)
    }

    async fn settle(&self, from: &FileKey, to: &FileKey) -> Result<(), FilesError> {
        self.before().await?;
        {
            let mut kept = self.kept();
            if let Some(blob) = kept.blobs.remove(from) {
                kept.blobs.entry(to.clone()).or_insert(blob);
            }
        }
        self.after().await
    }

    async fn erase(&self, folder: &FileFolder) -> Result<(), FilesError> {
        self.before().await?;
        let below = format!("{}/", folder.as_str());
        self.kept().uploads.retain(|_, upload| !upload.key.as_str().starts_with(&below));
        self.world.pause().await;
        self.kept().blobs.retain(|key, _| !key.as_str().starts_with(&below));
        self.after().await
    }

    async fn read_link(
        &self,
        key: &FileKey,
        _: &str,
        expires_at: DateTime<Utc>,
    ) -> Result<String, FilesError> {
        self.before().await?;
        Ok(format!("{key}|{}", expires_at.to_rfc3339()))
    }
}

/// A source of files: an address names what it gives.
pub(crate) struct SimulatedSource {
    pub(crate) world: Arc<World>,
}

/// The pieces of a file on its way, which may be its last ones.
struct Pieces {
    rest: &'static [u8],
    breaks: bool,
}

impl Stream for Pieces {
    type Item = Result<Bytes, FilesError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        let (piece, rest) = self.rest.split_at(self.rest.len().min(4));
        self.rest = rest;
        if self.breaks && rest.is_empty() {
            return Poll::Ready(Some(Err(FilesError::Interrupted("It broke off.".to_owned()))));
        }
        Poll::Ready(Some(Ok(Bytes::from_static(piece))))
    }
}

#[async_trait]
impl Fetcher for SimulatedSource {
    fn check_address(&self, _: &str) -> Result<(), String> {
        Ok(())
    }

    async fn fetch(&self, url: &str, _: u64) -> Result<Fetched, FetchError> {
        slow(&self.world, 6).await;
        if self.world.fault(6) {
            return Err(FetchError::Temporary("It does not answer.".to_owned()));
        }
        if url.ends_with("gone") || self.world.fault(60) {
            return Err(FetchError::Refused("It answered 404.".to_owned()));
        }
        let rest = if url.ends_with("broken") { BROKEN } else { GOOD };
        let breaks = self.world.fault(5);
        Ok(Fetched { bytes: ByteStream(Box::pin(Pieces { rest, breaks })) })
    }
}

/// An examiner that fails, and sometimes thinks for minutes.
pub(crate) struct SimulatedExaminer {
    pub(crate) world: Arc<World>,
    pub(crate) files: Arc<SimulatedFiles>,
}

/// What every good file is found to be.
fn facts(size_bytes: Option<u64>) -> MediaFacts {
    MediaFacts {
        mime_type: Some("image/png".to_owned()),
        size_bytes,
        width: Some(1_080),
        height: Some(1_080),
        ..MediaFacts::of_kind(MediaKind::Image)
    }
}

#[async_trait]
impl Examiner for SimulatedExaminer {
    async fn examine(&self, key: &FileKey) -> Result<Examined, ExamineError> {
        let size_bytes = self.files.size(key).await?.ok_or(FilesError::Missing)?;
        let content = self.files.read(key, None).await?.collect().await?;
        slow(&self.world, 4).await;
        if self.world.fault(30) {
            self.world.until(self.world.now() + TimeDelta::minutes(5)).await;
            return Err(ExamineError::Temporary("It takes too long.".to_owned()));
        }
        if self.world.fault(6) {
            return Err(ExamineError::Temporary("There is no memory.".to_owned()));
        }
        if content != GOOD {
            return Err(ExamineError::Unusable("It is no picture.".to_owned()));
        }
        Ok(Examined {
            facts: facts(Some(size_bytes)),
            preview: Some(Bytes::from_static(b"a preview")),
        })
    }

    async fn derive(&self, folder: &FileFolder, recipe: &Recipe) -> Result<Derived, ExamineError> {
        let key = folder.derived(recipe.name);
        if self.files.size(&key).await?.is_none() {
            let content = self.files.read(&folder.original(), None).await?.collect().await?;
            slow(&self.world, 4).await;
            self.files.write(&key, "image/png", ByteStream::once(content)).await?;
        }
        Ok(Derived { key, facts: facts(None) })
    }
}
