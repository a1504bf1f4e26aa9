//! The only place that reads a file, and the bounds of reading.

use std::io::{self, Read, Seek, SeekFrom};

use crate::MeasureError;

/// Bytes that are read of one file at most, whatever its size.
///
/// Ours: the sample tables of a film of ten hours fit, and the pictures of an animation larger
/// than any network takes.
pub const BYTES_READ_MAX: u64 = 32 * 1024 * 1024;

/// Values that are read of one file at most, which bounds the time.
const VALUES_READ_MAX: u32 = 4_000_000;

/// Bytes that are fetched at once where reading goes on, and where it jumps.
const FETCHED_AHEAD: u64 = 8 * 1024;
const FETCHED_AFTER_JUMP: u64 = 512;

/// A file that can be read at any place, within bounds.
pub(crate) struct Source<R> {
    reader: R,
    length: u64,
    /// What was fetched last, and where it lies in the file.
    window: Vec<u8>,
    window_at: u64,
    bytes_left: u64,
    values_left: u32,
}

impl<R: Read + Seek> Source<R> {
    pub(crate) const fn new(reader: R, length: u64) -> Self {
        Self {
            reader,
            length,
            window: Vec::new(),
            window_at: 0,
            bytes_left: BYTES_READ_MAX,
            values_left: VALUES_READ_MAX,
        }
    }

    /// The size of the file, in bytes.
    pub(crate) const fn length(&self) -> u64 {
        self.length
    }

    /// The first bytes, at most `limit`.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn head(&mut self, limit: u64) -> Result<Vec<u8>, MeasureError> {
        self.fetch(0, limit.min(self.length))?;
        Ok(self.window.clone())
    }

    /// The last bytes, at most `limit`.
    ///
    /// # Errors
    /// Those of the system.
    pub(crate) fn tail(&mut self, limit: u64) -> Result<&[u8], MeasureError> {
        let count = limit.min(self.length);
        self.fetch(self.length - count, count)?;
        Ok(&self.window)
    }

    /// `N` bytes at a place.
    ///
    /// # Errors
    /// [`MeasureError::CutOff`] where the file has ended, [`MeasureError::Endless`] when too much
    /// was read of it, or those of the system.
    pub(crate) fn bytes<const N: usize>(&mut self, at: u64) -> Result<[u8; N], MeasureError> {
        let cut_off = || MeasureError::CutOff;
        let count = N as u64;
        let end = at.checked_add(count).ok_or_else(cut_off)?;
        if end > self.length {
            return Err(MeasureError::CutOff);
        }
        self.values_left = self.values_left.checked_sub(1).ok_or(MeasureError::Endless)?;
        if at < self.window_at || end > self.window_end() {
            let goes_on = (self.window_at..=self.window_end()).contains(&at);
            let ahead = if goes_on { FETCHED_AHEAD } else { FETCHED_AFTER_JUMP };
            self.fetch(at, ahead.max(count).min(self.length - at))?;
        }
        let start = usize::try_from(at - self.window_at).map_err(|_| MeasureError::CutOff)?;
        let found = self.window.get(start..).and_then(|rest| rest.first_chunk());
        found.copied().ok_or_else(cut_off)
    }

    /// A byte.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub(crate) fn byte(&mut self, at: u64) -> Result<u8, MeasureError> {
        let [byte] = self.bytes(at)?;
        Ok(byte)
    }

    /// A number of two bytes, the highest first.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub(crate) fn u16_be(&mut self, at: u64) -> Result<u16, MeasureError> {
        Ok(u16::from_be_bytes(self.bytes(at)?))
    }

    /// A number of two bytes, the lowest first.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub(crate) fn u16_le(&mut self, at: u64) -> Result<u16, MeasureError> {
        Ok(u16::from_le_bytes(self.bytes(at)?))
    }

    /// A number of four bytes, the highest first.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub(crate) fn u32_be(&mut self, at: u64) -> Result<u32, MeasureError> {
        Ok(u32::from_be_bytes(self.bytes(at)?))
    }

    /// A number of four bytes, the lowest first.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub(crate) fn u32_le(&mut self, at: u64) -> Result<u32, MeasureError> {
        Ok(u32::from_le_bytes(self.bytes(at)?))
    }

    /// A number of eight bytes, the highest first.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub(crate) fn u64_be(&mut self, at: u64) -> Result<u64, MeasureError> {
        Ok(u64::from_be_bytes(self.bytes(at)?))
    }

    const fn window_end(&self) -> u64 {
        self.window_at + self.window.len() as u64
    }

    fn fetch(&mut self, at: u64, count: u64) -> Result<(), MeasureError> {
        self.bytes_left = self.bytes_left.checked_sub(count).ok_or(MeasureError::Endless)?;
        self.window.clear();
        self.window_at = at;
        self.reader.seek(SeekFrom::Start(at)).map_err(unreadable)?;
        let mut part = self.reader.by_ref().take(count);
        part.read_to_end(&mut self.window).map_err(unreadable)?;
        Ok(())
    }
}

/// A reader that has read for too long says so by its kind of error.
fn unreadable(error: io::Error) -> MeasureError {
    match error.kind() {
        io::ErrorKind::TimedOut => MeasureError::Endless,
        _ => MeasureError::Unreadable(error),
    }
}

/// What could be found within the bounds; `None` where finding it would have taken more.
///
/// # Errors
/// Every error but [`MeasureError::Endless`].
pub(crate) fn within_bounds<T>(result: Result<T, MeasureError>) -> Result<Option<T>, MeasureError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(MeasureError::Endless) => Ok(None),
        Err(error) => Err(error),
    }
}
