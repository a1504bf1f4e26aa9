//! Bytes of a stream on their way to the disk.

use std::fs::File;
use std::io;

use scheduler_core::ports::{ByteStream, FilesError, FoundBytes, ReceiveError};
use tokio::task::JoinHandle;
use xxhash_rust::xxh3::Xxh3Default;

use super::fault::{broken_off, fault};
use super::room::Room;

/// Bytes that are written at once.
///
/// A transfer holds two such pieces in memory: one that fills, one that is being written.
const PIECE_BYTES: usize = 512 << 10;

/// Bytes after which the disk begins to take over what was written, so that little is left to
/// wait for in the end.
const FLUSH_BYTES: u64 = 16 << 20;

/// Where bytes go.
pub(super) trait Destination: Send + 'static {
    /// Writes behind what was written before.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// The file that they are written to.
    fn file(&self) -> &File;
}

/// What has been written.
pub(super) struct Poured<D> {
    /// Where to.
    pub(super) destination: D,
    /// How many bytes.
    pub(super) bytes: u64,
    /// Their XXH3, in 32 hex digits: it tells bytes apart, and is no proof against somebody who
    /// wants two files to look the same.
    pub(super) etag: String,
}

/// Writes a stream to its destination; the next piece is gathered while one is written.
///
/// With `expected_bytes` a stream of more is not read to its end, and one of fewer is refused; with
/// `room` some of the disk is left free.
///
/// # Errors
/// [`ReceiveError::WrongSize`]; [`ReceiveError::Files`] of the stream or the disk.
pub(super) async fn stream_to_disk<D: Destination>(
    mut stream: ByteStream,
    destination: D,
    expected_bytes: Option<u64>,
    room: Option<Room>,
) -> Result<Poured<D>, ReceiveError> {
    let most = expected_bytes.unwrap_or(u64::MAX);
    let wrong = |found| ReceiveError::WrongSize { expected_bytes: most, found };
    let mut bytes = 0_u64;
    let mut gathered = Vec::new();
    let mut writing = Writing::Idle(Writer {
        destination,
        hasher: Box::new(Xxh3Default::new()),
        room,
        unflushed: 0,
        flush: None,
    });
    while let Some(piece) = stream.next().await {
        let mut piece = piece?;
        bytes = bytes.saturating_add(u64::try_from(piece.len()).unwrap_or(u64::MAX));
        if bytes > most {
            return Err(wrong(FoundBytes::TooMany));
        }
        while !piece.is_empty() {
            // Copied, so that a piece of one byte does not hold the whole buffer it came in.
            let room = PIECE_BYTES - gathered.len();
            gathered.extend_from_slice(&piece.split_to(room.min(piece.len())));
            if gathered.len() == PIECE_BYTES {
                let Written(mut writer, spare) = writing.idle().await?;
                writer.begin_flush().await?;
                writing = writer.write(std::mem::replace(&mut gathered, spare));
            }
        }
    }
    if expected_bytes.is_some_and(|expected| expected != bytes) {
        return Err(wrong(FoundBytes::Exactly(bytes)));
    }
    let Written(writer, _) = writing.idle().await?;
    let Written(mut writer, _) = writer.write(gathered).idle().await?;
    writer.end_flush().await?;
    let etag = format!("{:032x}", writer.hasher.digest128());
    Ok(Poured { destination: writer.destination, bytes, etag })
}

struct Writer<D> {
    destination: D,
    hasher: Box<Xxh3Default>,
    /// Looked at before each piece, where some of the disk is left free.
    room: Option<Room>,
    unflushed: u64,
    flush: Option<JoinHandle<io::Result<()>>>,
}

/// A writer whose piece was written, and the room that the piece took.
struct Written<D>(Writer<D>, Vec<u8>);

enum Writing<D> {
    Idle(Writer<D>),
    Busy(JoinHandle<Result<Written<D>, FilesError>>),
}

impl<D: Destination> Writer<D> {
    /// Begins to write a piece on a thread that may block.
    fn write(mut self, mut piece: Vec<u8>) -> Writing<D> {
        Writing::Busy(tokio::task::spawn_blocking(move || {
            self.hasher.update(&piece);
            let room = self.room.as_ref().map_or(Ok(()), |room| room.check(0));
            let written = room.and_then(|()| self.destination.write(&piece));
            written.map_err(|error| fault(&error))?;
            self.unflushed += u64::try_from(piece.len()).unwrap_or(u64::MAX);
            piece.clear();
            Ok(Written(self, piece))
        }))
    }

    /// Has the disk take over what was written, beside what is written next; one at a time.
    async fn begin_flush(&mut self) -> Result<(), FilesError> {
        let is_busy = self.flush.as_ref().is_some_and(|flush| !flush.is_finished());
        if self.unflushed < FLUSH_BYTES || is_busy {
            return Ok(());
        }
        self.end_flush().await?;
        self.unflushed = 0;
        let file = self.destination.file().try_clone().map_err(|error| fault(&error))?;
        self.flush = Some(tokio::task::spawn_blocking(move || file.sync_data()));
        Ok(())
    }

    /// Waits for the disk; a fault is told once and must not be lost.
    async fn end_flush(&mut self) -> Result<(), FilesError> {
        let Some(flush) = self.flush.take() else { return Ok(()) };
        flush.await.map_err(|_| broken_off())?.map_err(|error| fault(&error))
    }
}

impl<D: Destination> Writing<D> {
    /// Waits for the piece that is being written; returns the room it took as well.
    async fn idle(self) -> Result<Written<D>, FilesError> {
        match self {
            Self::Idle(writer) => Ok(Written(writer, Vec::new())),
            Self::Busy(task) => task.await.unwrap_or_else(|_| Err(broken_off())),
        }
    }
}
