//! Measures uploads to a folder against copying the same file on the same disk.
//!
//! `cargo run --release -p scheduler-store --example upload_rate -- [GiB] [folder]`
//!
//! Sends a file through the links of the folder store, as one stream and in parts of which four
//! come at once, and copies and syncs it. Runs alternate, and the median of the pairs counts.
//! Prints ratios of the rates, and by how much the resident memory has grown at its peak.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a measurement prints, and fails by panicking"
)]

mod memory;

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey, PartPlan, UploadedPart};
use scheduler_core::ports::{ByteStream, Clock, Files, SignedFiles};
use scheduler_store::{FolderFiles, FolderSettings};
use uuid::Uuid;

const PAIRS: usize = 7;
const PARTS_AT_ONCE: usize = 4;
/// Bytes that a sender delivers at once.
const PIECE_BYTES: u64 = 256 << 10;
const PUBLIC_URL: &str = "https://social.example/";
const MIB: u64 = 1 << 20;

struct FixedClock(DateTime<Utc>);

impl Clock for FixedClock {
    fn now(&self) -> DateTime<Utc> {
        self.0
    }
}

struct Bench {
    files: FolderFiles,
    source: PathBuf,
    copy: PathBuf,
    size_bytes: u64,
    link_end: DateTime<Utc>,
}

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let gib: u64 = arguments.next().map_or(1, |text| text.parse().unwrap());
    let parent = arguments.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = tempfile::tempdir_in(parent).unwrap();
    let bench = Bench::new(folder.path(), gib << 30).await;

    bench.stream().await;
    let before = memory::resident();
    memory::forget_peak();
    let (mut streams, mut parts, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..PAIRS {
        let copied = bench.copy();
        streams.push(copied.as_secs_f64() / bench.stream().await.as_secs_f64());
        let copied = bench.copy();
        parts.push(copied.as_secs_f64() / bench.parts().await.as_secs_f64());
        rates.push(bench.size_bytes as f64 / MIB as f64 / copied.as_secs_f64());
    }
    println!("a file of {gib} GiB; copied and synced at {:.0} MiB/s", median(&mut rates));
    println!("  as one stream: {:.2} of that", median(&mut streams));
    println!("  in parts:      {:.2} of that", median(&mut parts));
    match (before, memory::peak()) {
        (Some(before), Some(peak)) => {
            let grown = peak.saturating_sub(before) as f64 / MIB as f64;
            println!("resident memory has grown by {grown:.1} MiB at its peak");
        }
        (None, _) | (_, None) => println!("resident memory is not known on this system"),
    }
}

impl Bench {
    async fn new(folder: &Path, size_bytes: u64) -> Self {
        let source = folder.join("source");
        write_source(&source, size_bytes);
        let settings = FolderSettings {
            folder: folder.join("files"),
            public_url: PUBLIC_URL.parse().unwrap(),
            link_secret: [1; 32],
            free_bytes_min: 0,
        };
        let now = DateTime::from_timestamp(1_800_000_000, 0).unwrap();
        let files = FolderFiles::open(settings, Arc::new(FixedClock(now))).await.unwrap();
        let link_end = now + TimeDelta::hours(1);
        Self { files, source, copy: folder.join("copy"), size_bytes, link_end }
    }

    /// Copies the file and brings it to the disk, as `cp` and `sync` do.
    fn copy(&self) -> Duration {
        let begun = Instant::now();
        std::fs::copy(&self.source, &self.copy).unwrap();
        File::open(&self.copy).unwrap().sync_all().unwrap();
        let taken = begun.elapsed();
        std::fs::remove_file(&self.copy).unwrap();
        taken
    }

    /// Sends the file to one link.
    async fn stream(&self) -> Duration {
        let media = media();
        let begun = Instant::now();
        let key = media.original();
        let link = self.files.upload_link(&key, self.size_bytes, self.link_end).await.unwrap();
        self.send(&link.url, 0..self.size_bytes).await;
        self.end(begun, &media).await
    }

    /// Sends the file in parts, and has them put together.
    async fn parts(&self) -> Duration {
        let (media, plan) = (media(), PartPlan::of(self.size_bytes).unwrap());
        let key = media.original();
        let begun = Instant::now();
        let upload = self.files.begin_parts(&key).await.unwrap();
        let links = self.files.part_links(&key, &upload, plan, self.link_end).await.unwrap();
        let sent = stream::iter((1_u32..).zip(links)).map(|(part_number, url)| async move {
            let start = u64::from(part_number - 1) * plan.part_bytes;
            let etag = self.send(&url, start..start + plan.bytes_of(part_number)).await;
            UploadedPart { part_number, etag }
        });
        let parts: Vec<UploadedPart> = sent.buffer_unordered(PARTS_AT_ONCE).collect().await;
        self.files.finish_parts(&key, &upload, plan, &parts).await.unwrap();
        self.end(begun, &media).await
    }

    async fn end(&self, begun: Instant, media: &FileFolder) -> Duration {
        let taken = begun.elapsed();
        let found = self.files.size(&media.original()).await.unwrap();
        assert_eq!(found, Some(self.size_bytes));
        self.files.erase(media).await.unwrap();
        taken
    }

    async fn send(&self, url: &str, range: Range<u64>) -> String {
        let rest = url.strip_prefix(PUBLIC_URL).unwrap().strip_prefix("files/").unwrap();
        let (key, query) = rest.split_once('?').unwrap();
        let size_bytes = range.end - range.start;
        let bytes = read(&self.source, range);
        self.files.receive(key, query, Some(size_bytes), bytes).await.unwrap()
    }
}

fn media() -> FileFolder {
    FileKey::folder(WorkspaceId(Uuid::from_u128(1)), MediaId(Uuid::from_u128(2)))
}

/// A file that no disk can make smaller.
fn write_source(path: &Path, size_bytes: u64) {
    let mut file = File::create_new(path).unwrap();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..size_bytes / MIB {
        let mut piece = Vec::new();
        while u64::try_from(piece.len()).unwrap() < MIB {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            piece.extend_from_slice(&state.to_le_bytes());
        }
        file.write_all(&piece).unwrap();
    }
    file.sync_all().unwrap();
}

/// What a sender delivers.
fn read(path: &Path, range: Range<u64>) -> ByteStream {
    let file = File::open(path).unwrap();
    let pieces = stream::try_unfold((file, range.start), move |(file, at)| async move {
        if at == range.end {
            return Ok(None);
        }
        let length = PIECE_BYTES.min(range.end - at);
        let (file, piece) =
            tokio::task::spawn_blocking(move || piece(file, at, length)).await.unwrap();
        Ok(Some((piece, (file, at + length))))
    });
    ByteStream(Box::pin(pieces.into_stream()))
}

fn piece(mut file: File, at: u64, length: u64) -> (File, Bytes) {
    let mut piece = vec![0; usize::try_from(length).unwrap()];
    file.seek(SeekFrom::Start(at)).unwrap();
    file.read_exact(&mut piece).unwrap();
    (file, piece.into())
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
