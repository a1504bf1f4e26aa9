//! A stored file as something that can be read at any place.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use scheduler_core::media::FileKey;
use scheduler_core::ports::{Files, FilesError};
use tokio::runtime::Handle;
use tokio::time::Instant;

/// Bytes that are asked for at once.
const WINDOW_BYTES: u64 = 64 * 1024;

/// Windows that are kept, so that going back and forth asks for nothing twice.
const WINDOWS_KEPT: usize = 8;

/// Reads a stored file by ranges, a few of which are kept. For threads that may block.
pub(super) struct RangedReader {
    files: Arc<dyn Files>,
    key: FileKey,
    length: u64,
    runtime: Handle,
    deadline: Instant,
    at: u64,
    /// By number, the one that was used last at the end.
    windows: Vec<(u64, Bytes)>,
}

impl RangedReader {
    /// A reader of `length` bytes that reads no longer than `time_limit`.
    pub(super) fn new(
        files: Arc<dyn Files>,
        key: FileKey,
        length: u64,
        runtime: Handle,
        time_limit: Duration,
    ) -> Self {
        let deadline = Instant::now() + time_limit;
        Self { files, key, length, runtime, deadline, at: 0, windows: Vec::new() }
    }

    fn window(&mut self, number: u64) -> io::Result<Bytes> {
        if let Some(index) = self.windows.iter().position(|(kept, _)| *kept == number) {
            let kept = self.windows.remove(index);
            let bytes = kept.1.clone();
            self.windows.push(kept);
            return Ok(bytes);
        }
        if Instant::now() >= self.deadline {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let start = number * WINDOW_BYTES;
        let end = start.saturating_add(WINDOW_BYTES).min(self.length);
        let read = async {
            let within =
                async { self.files.read(&self.key, Some(start..end)).await?.collect().await };
            tokio::time::timeout_at(self.deadline, within).await
        };
        let bytes = match self.runtime.block_on(read) {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(error)) => return Err(io::Error::other(error)),
            Err(_) => {
                let reason = "reading takes too long".to_owned();
                return Err(io::Error::other(FilesError::Unavailable(reason)));
            }
        };
        if self.windows.len() == WINDOWS_KEPT {
            self.windows.remove(0);
        }
        self.windows.push((number, bytes.clone()));
        Ok(bytes)
    }
}

impl Read for RangedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.length {
            return Ok(0);
        }
        let window = self.window(self.at / WINDOW_BYTES)?;
        let within = usize::try_from(self.at % WINDOW_BYTES).unwrap_or(usize::MAX);
        let rest = window.get(within..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for RangedReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
