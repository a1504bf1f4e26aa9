//! Bytes on their way from the disk.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::PathBuf;

use bytes::Bytes;
use futures_util::stream;
use scheduler_core::ports::{ByteStream, FilesError};

use super::fault::{blocking, fault};

/// Bytes that are read at once.
const PIECE_BYTES: u64 = 256 << 10;

/// A file that can be read.
pub(super) struct Opened {
    file: File,
    /// Its size.
    pub(super) size_bytes: u64,
    /// Differs from that of every other file that has been under the same key.
    pub(super) etag: String,
}

impl Opened {
    /// Opens a file.
    ///
    /// # Errors
    /// [`FilesError::Missing`], [`FilesError::Unavailable`]
    pub(super) async fn open(path: PathBuf) -> Result<Self, FilesError> {
        let opened = move || {
            let file = File::open(path)?;
            let metadata = file.metadata()?;
            let modified = metadata.modified()?.duration_since(std::time::UNIX_EPOCH);
            let modified = modified.unwrap_or_default().as_nanos();
            let size_bytes = metadata.len();
            let etag = format!("{size_bytes:x}-{modified:x}-{:x}", number(&metadata));
            Ok(Self { file, size_bytes, etag })
        };
        blocking(move || opened().map_err(|error: std::io::Error| fault(&error))).await
    }

    /// Its bytes in a range, which is cut off at the end of the file.
    pub(super) fn read(self, range: Range<u64>) -> ByteStream {
        let end = range.end.min(self.size_bytes);
        let start = range.start.min(end);
        let pieces = stream::try_unfold((self.file, start), move |(file, at)| async move {
            if at >= end {
                return Ok(None);
            }
            let length = PIECE_BYTES.min(end - at);
            blocking(move || {
                let (file, piece) = piece(file, at, length).map_err(|error| fault(&error))?;
                Ok(Some((piece, (file, at + length))))
            })
            .await
        });
        ByteStream(Box::pin(pieces))
    }
}

fn piece(mut file: File, at: u64, length: u64) -> std::io::Result<(File, Bytes)> {
    let mut piece = vec![0; usize::try_from(length).unwrap_or_default()];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut piece)?;
    Ok((file, piece.into()))
}

/// The number that the file system knows a file by.
#[cfg(unix)]
fn number(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

/// Elsewhere the time and the size have to do.
#[cfg(not(unix))]
fn number(_: &std::fs::Metadata) -> u64 {
    0
}
