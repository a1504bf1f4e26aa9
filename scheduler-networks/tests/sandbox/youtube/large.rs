//! A video of 500 MB: never whole in memory, and after a process has died not sent from the start.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::stream;
use scheduler_core::media::{FileFolder, FileKey, PartPlan, UploadedPart};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    ByteStream, Files, FilesError, FinishError, Network, NoMedia, Step, UploadLink,
};
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{NetworkSettings, Settings, adapters};
use scheduler_sandbox::Options;
use serde_json::{Value, json};
use url::Url;

use crate::support::World;

const VIDEO_BYTES: u64 = 500_000_000;

/// Bytes that are handed over at once.
const HANDED_BYTES: u64 = 65_536;

/// The most that memory may grow by. Two pieces would fit, the video would not.
const GROWTH_MAX_BYTES: u64 = 100_000_000;

/// One large video that is nowhere, and how many of its bytes were read.
#[derive(Debug, Default)]
struct Large {
    none: MemoryFiles,
    read: Arc<AtomicU64>,
    /// After so many bytes of one reading nothing more comes; 0 for no such place.
    stalls_after: AtomicU64,
}

fn bytes_at(at: u64, end: u64) -> Bytes {
    const HEAD: &[u8] = b"\0\0\0\x20ftypisom";
    let length = usize::try_from(HANDED_BYTES.min(end - at)).unwrap();
    let mut bytes = vec![7; length];
    if at == 0 {
        bytes[..HEAD.len()].copy_from_slice(HEAD);
    }
    bytes.into()
}

#[async_trait]
impl Files for Large {
    async fn upload_link(
        &self,
        key: &FileKey,
        size_bytes: u64,
        expires_at: DateTime<Utc>,
    ) -> Result<UploadLink, FilesError> {
        self.none.upload_link(key, size_bytes, expires_at).await
    }

    async fn begin_parts(&self, key: &FileKey) -> Result<String, FilesError> {
        self.none.begin_parts(key).await
    }

    async fn part_links(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        expires_at: DateTime<Utc>,
    ) -> Result<Vec<String>, FilesError> {
        self.none.part_links(key, upload, plan, expires_at).await
    }

    async fn finish_parts(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        parts: &[UploadedPart],
    ) -> Result<(), FinishError> {
        self.none.finish_parts(key, upload, plan, parts).await
    }

    async fn abandon_parts(&self, key: &FileKey, upload: &str) -> Result<(), FilesError> {
        self.none.abandon_parts(key, upload).await
    }

    async fn size(&self, _: &FileKey) -> Result<Option<u64>, FilesError> {
        Ok(Some(VIDEO_BYTES))
    }

    async fn read(&self, _: &FileKey, range: Option<Range<u64>>) -> Result<ByteStream, FilesError> {
        let Range { start, end } = range.unwrap_or(0..VIDEO_BYTES);
        let stalls_at = match self.stalls_after.load(Ordering::Relaxed) {
            0 => u64::MAX,
            bytes => start + bytes,
        };
        let read = Arc::clone(&self.read);
        let pieces = stream::unfold(start, move |at| {
            let read = Arc::clone(&read);
            async move {
                if at >= end {
                    return None;
                }
                if at >= stalls_at {
                    std::future::pending::<()>().await;
                }
                let bytes = bytes_at(at, end);
                let length = u64::try_from(bytes.len()).unwrap();
                read.fetch_add(length, Ordering::Relaxed);
                Some((Ok(bytes), at + length))
            }
        });
        Ok(ByteStream(Box::pin(pieces)))
    }

    async fn write(
        &self,
        key: &FileKey,
        media_type: &str,
        bytes: ByteStream,
    ) -> Result<u64, FilesError> {
        self.none.write(key, media_type, bytes).await
    }

    async fn settle(&self, from: &FileKey, to: &FileKey) -> Result<(), FilesError> {
        self.none.settle(from, to).await
    }

    async fn erase(&self, folder: &FileFolder) -> Result<(), FilesError> {
        self.none.erase(folder).await
    }

    async fn read_link(
        &self,
        key: &FileKey,
        media_type: &str,
        expires_at: DateTime<Utc>,
    ) -> Result<String, FilesError> {
        self.none.read_link(key, media_type, expires_at).await
    }
}

/// The adapter of a new process, which knows nothing but what was stored.
fn process(world: &World, files: &Arc<Large>) -> Arc<dyn Network> {
    let base = Url::parse(&format!("{}/youtube", world.sandbox.url())).unwrap();
    let chosen = NetworkSettings { api_base: Some(base), ..NetworkSettings::default() };
    let networks = [(Platform::Youtube, chosen)].into();
    let settings = Settings { allow_private: true, networks };
    let stored = StoredFiles { files: files.clone(), examiner: Arc::new(NoMedia) };
    let adapters = adapters(&settings, stored).unwrap();
    adapters.networks.network(Platform::Youtube).unwrap().clone()
}

/// The most memory that this process has had, in bytes; `None` where the system does not say, or
/// where other tests run in the same process.
fn peak_memory() -> Option<u64> {
    std::env::var_os("NEXTEST")?;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

#[tokio::test]
async fn a_large_video_needs_little_memory_and_is_not_sent_from_the_start_again() {
    let options = Options { media_processing: Duration::ZERO, ..Options::default() };
    let world = World::with(Platform::Youtube, options).await;
    let files = Arc::new(Large::default());
    let mut job = world.job(1, "Large", &json!({}));
    let mut video = world.file(1, "video/mp4", b"");
    video.facts.size_bytes = Some(VIDEO_BYTES);
    job.files = vec![video];
    let memory_before = peak_memory();

    let first = process(&world, &files);
    let mut stored: Value = first.begin(&job);
    for _ in 0..30 {
        let step = first.advance(&job, &stored).await.unwrap();
        let Step::Next(next) = step else { panic!("{step:?}") };
        stored = next;
    }
    // The process dies in the middle of a piece.
    files.stalls_after.store(3_000_000, Ordering::Relaxed);
    let read_before = files.read.load(Ordering::Relaxed);
    let dying = {
        let (job, stored) = (job.clone(), stored.clone());
        tokio::spawn(async move { first.advance(&job, &stored).await.map(|_| ()) })
    };
    while files.read.load(Ordering::Relaxed) < read_before + 3_000_000 {
        tokio::task::yield_now().await;
    }
    dying.abort();
    assert!(dying.await.unwrap_err().is_cancelled());
    files.stalls_after.store(0, Ordering::Relaxed);

    let second = process(&world, &files);
    let remote = loop {
        match second.advance(&job, &stored).await.unwrap() {
            Step::Next(next) => stored = next,
            Step::Live(live) => break live.remote.unwrap(),
            other => panic!("{other:?}"),
        }
    };
    let live = world.live().await;
    assert_eq!(live.len(), 1);
    assert_eq!(live[0]["remoteId"], json!(remote.id));
    assert_eq!(live[0]["media"][0]["bytes"], VIDEO_BYTES);
    let twice = files.read.load(Ordering::Relaxed) - VIDEO_BYTES;
    assert!(twice <= 8 * 1024 * 1024, "{twice} bytes were sent twice");
    if let Some((before, after)) = memory_before.zip(peak_memory()) {
        let growth = after.saturating_sub(before);
        assert!(growth < GROWTH_MAX_BYTES, "memory grew by {growth} bytes");
    }
}
