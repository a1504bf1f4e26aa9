//! The stores that the suite runs over, and the callers that follow their links.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{StreamExt as _, stream};
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey, PartPlan, UploadedPart};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::ports::{
    ByteRange, ByteStream, Clock, Files, FilesError, ReceiveError, SignedFiles,
};
use scheduler_store::{FolderFiles, FolderSettings};
use tempfile::TempDir;
use tokio::sync::oneshot;

use crate::s3;

/// Bytes of a part: as few as an S3 server takes.
pub(crate) const PART_BYTES: u64 = 5 << 20;

/// A clock that tests set.
#[derive(Debug)]
pub(crate) struct ManualClock(Mutex<DateTime<Utc>>);

impl ManualClock {
    pub(crate) fn advance(&self, by: TimeDelta) {
        *self.0.lock().unwrap() += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

/// The present instant: whoever serves the links looks at no other clock.
pub(crate) fn present() -> DateTime<Utc> {
    #[expect(clippy::disallowed_methods, reason = "the servers of links read the real clock")]
    let now = std::time::SystemTime::now();
    now.into()
}

/// Whoever serves the links of a store.
#[async_trait]
pub(crate) trait Serving: Send + Sync {
    /// Sends bytes to a link, and returns the ETag as it stands in the answer.
    async fn send(
        &self,
        url: &str,
        declared: Option<u64>,
        body: ByteStream,
    ) -> Result<String, String>;

    /// Reads a link: the media type and the bytes.
    async fn fetch(&self, url: &str, range: Option<ByteRange>) -> Result<(String, Bytes), String>;
}

/// A store of the suite.
pub(crate) struct Store {
    pub(crate) name: &'static str,
    pub(crate) files: Arc<dyn Files>,
    pub(crate) serving: Arc<dyn Serving>,
    pub(crate) clock: Arc<ManualClock>,
    /// Whether links are signed; those of the store in memory are not.
    pub(crate) has_signed_links: bool,
    /// Whether a link for sending takes no other number of bytes.
    pub(crate) binds_size: bool,
    pub(crate) folder: Option<TempDir>,
}

/// Every store, each empty.
pub(crate) async fn stores() -> Vec<Store> {
    vec![memory(), folder().await.store, s3::bucket().await]
}

pub(crate) fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock(Mutex::new(present())))
}

fn memory() -> Store {
    let files = Arc::new(MemoryFiles::new());
    Store {
        name: "memory",
        files: files.clone(),
        serving: files,
        clock: clock(),
        has_signed_links: false,
        binds_size: false,
        folder: None,
    }
}

#[async_trait]
impl Serving for MemoryFiles {
    async fn send(&self, url: &str, _: Option<u64>, body: ByteStream) -> Result<String, String> {
        let bytes = body.collect().await.map_err(|error| error.to_string())?;
        let rest = url.strip_prefix("memory:put/").unwrap();
        let (key, query) = rest.split_once('?').unwrap();
        let field = |name: &str| {
            query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
        };
        match (field("upload"), field("part")) {
            (Some(upload), Some(part)) => self
                .put_part(upload, part.parse().unwrap(), bytes)
                .ok_or_else(|| "closed".to_owned()),
            _ => {
                self.put(FileKey::parse(key).unwrap(), bytes);
                Ok(String::new())
            }
        }
    }

    async fn fetch(&self, url: &str, _: Option<ByteRange>) -> Result<(String, Bytes), String> {
        let rest = url.strip_prefix("memory:get/").unwrap();
        let key = FileKey::parse(rest.split_once('?').unwrap().0).unwrap();
        let read = Files::read(self, &key, None).await.map_err(|error| error.to_string())?;
        Ok((String::new(), read.collect().await.unwrap()))
    }
}

/// A folder, and what only it has.
pub(crate) struct Folder {
    pub(crate) store: Store,
    pub(crate) files: FolderFiles,
}

pub(crate) const PUBLIC_URL: &str = "https://social.example/base";

pub(crate) fn settings(folder: &Path) -> FolderSettings {
    FolderSettings {
        folder: folder.to_owned(),
        public_url: PUBLIC_URL.parse().unwrap(),
        link_secret: [7; 32],
        free_bytes_min: 0,
    }
}

pub(crate) async fn folder() -> Folder {
    let folder = tempfile::tempdir().unwrap();
    let clock = clock();
    let files = FolderFiles::open(settings(folder.path()), clock.clone()).await.unwrap();
    let store = Store {
        name: "folder",
        files: Arc::new(files.clone()),
        serving: Arc::new(files.clone()),
        clock,
        has_signed_links: true,
        binds_size: true,
        folder: Some(folder),
    };
    Folder { store, files }
}

/// The key and the query of a link to the server.
pub(crate) fn of_link(url: &str) -> (String, String) {
    let rest = url.strip_prefix(PUBLIC_URL).unwrap().strip_prefix("/files/").unwrap();
    let (key, query) = rest.split_once('?').unwrap();
    (key.to_owned(), query.to_owned())
}

#[async_trait]
impl Serving for FolderFiles {
    async fn send(
        &self,
        url: &str,
        declared: Option<u64>,
        body: ByteStream,
    ) -> Result<String, String> {
        let (key, query) = of_link(url);
        let received: Result<String, ReceiveError> =
            self.receive(&key, &query, declared, body).await;
        received.map_err(|error| error.to_string())
    }

    async fn fetch(&self, url: &str, range: Option<ByteRange>) -> Result<(String, Bytes), String> {
        let (key, query) = of_link(url);
        // By the port's name: the type has a constructor of the same name.
        let opened = SignedFiles::open(self, &key, &query, range).await;
        let opened = opened.map_err(|error| error.to_string())?;
        let length = opened.range.end - opened.range.start;
        let bytes = opened.bytes.collect().await.map_err(|error| error.to_string())?;
        assert_eq!(u64::try_from(bytes.len()).unwrap(), length);
        Ok((opened.media_type, bytes))
    }
}

impl Store {
    pub(crate) fn soon(&self) -> DateTime<Utc> {
        self.clock.now() + TimeDelta::hours(1)
    }

    /// The folder of a new file.
    pub(crate) fn media(&self, number: u128) -> FileFolder {
        let id = uuid::Uuid::from_u128;
        FileKey::folder(WorkspaceId(id(1)), MediaId(id(1_000 + number)))
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.as_ref().unwrap().path().to_owned()
    }

    /// Sends a whole file as its caller would.
    pub(crate) async fn upload(&self, key: &FileKey, bytes: &Bytes) -> Result<String, String> {
        let size = length(bytes);
        let link = self.files.upload_link(key, size, self.soon()).await.unwrap();
        self.serving.send(&link.url, Some(size), pieces(bytes)).await
    }

    /// Sends one part as its caller would.
    pub(crate) async fn send_part(
        &self,
        links: &[String],
        file: &Bytes,
        number: u32,
    ) -> UploadedPart {
        let part = part_of(file, number);
        let url = &links[usize::try_from(number).unwrap() - 1];
        let etag = self.serving.send(url, Some(length(&part)), pieces(&part)).await;
        let etag = etag.unwrap_or_else(|error| panic!("{}: part {number}: {error}", self.name));
        UploadedPart { part_number: number, etag }
    }

    pub(crate) async fn read(&self, key: &FileKey) -> Option<Bytes> {
        match self.files.read(key, None).await {
            Ok(stream) => Some(stream.collect().await.unwrap()),
            Err(FilesError::Missing) => None,
            Err(error) => panic!("{}: {error}", self.name),
        }
    }

    /// Opens an upload of a file in parts.
    pub(crate) async fn begin(
        &self,
        key: &FileKey,
        file: &Bytes,
    ) -> (String, PartPlan, Vec<String>) {
        let plan = PartPlan { size_bytes: length(file), part_bytes: PART_BYTES };
        let upload = self.files.begin_parts(key).await.unwrap();
        let links = self.files.part_links(key, &upload, plan, self.soon()).await.unwrap();
        assert_eq!(links.len(), usize::try_from(plan.count()).unwrap());
        (upload, plan, links)
    }
}

pub(crate) fn length(bytes: &Bytes) -> u64 {
    u64::try_from(bytes.len()).unwrap()
}

/// The bytes of one part, counted from 1.
pub(crate) fn part_of(file: &Bytes, number: u32) -> Bytes {
    let part_bytes = usize::try_from(PART_BYTES).unwrap();
    let start = (usize::try_from(number).unwrap() - 1) * part_bytes;
    file.slice(start..file.len().min(start + part_bytes))
}

/// Bytes in uneven pieces, as a network delivers them.
pub(crate) fn pieces(bytes: &Bytes) -> ByteStream {
    let mut rest = bytes.clone();
    let mut sizes = [1_usize, 70_000, 3, 600_000, 16_384].into_iter().cycle();
    let mut all = Vec::new();
    while !rest.is_empty() {
        let size = sizes.next().unwrap().min(rest.len());
        all.push(Ok(rest.split_to(size)));
    }
    ByteStream(Box::pin(stream::iter(all)))
}

/// Bytes that break off with an error.
pub(crate) fn broken(bytes: &Bytes) -> ByteStream {
    let error = Err(FilesError::Refused("The sender went away.".to_owned()));
    ByteStream(Box::pin(pieces(bytes).0.chain(stream::once(async { error }))))
}

/// Bytes after which nothing comes, not even an end; and what tells that they were all taken.
pub(crate) fn hanging(bytes: &Bytes) -> (ByteStream, oneshot::Receiver<()>) {
    let (taken, all_taken) = oneshot::channel();
    let silence = stream::once(async move {
        taken.send(()).unwrap();
        std::future::pending().await
    });
    (ByteStream(Box::pin(pieces(bytes).0.chain(silence))), all_taken)
}

/// Runs a transfer of hanging bytes until it waits for more, and drops it there.
pub(crate) async fn drop_midway<T: std::fmt::Debug>(
    transfer: impl Future<Output = T>,
    all_taken: oneshot::Receiver<()>,
) {
    tokio::select! {
        ended = transfer => panic!("it has ended before its bytes have: {ended:?}"),
        taken = all_taken => taken.unwrap(),
    }
}

/// Bytes that differ from place to place and from seed to seed.
pub(crate) fn content(seed: u64, size: usize) -> Bytes {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::with_capacity(size + 8);
    while bytes.len() < size {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes.truncate(size);
    bytes.into()
}
