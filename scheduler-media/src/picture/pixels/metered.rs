//! Bytes in memory that a decoder may read only so many times over.

use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};

/// A file in memory that fails once too many bytes were read of it: the parts of some types may
/// lie over each other, so that a small file is decoded thousands of times.
pub(crate) struct Metered<'a> {
    file: Cursor<&'a [u8]>,
    bytes_left: u64,
}

impl<'a> Metered<'a> {
    /// A file of which `bytes_max` bytes are read at most.
    pub(crate) const fn new(file: &'a [u8], bytes_max: u64) -> Self {
        Self { file: Cursor::new(file), bytes_left: bytes_max }
    }

    fn count(&mut self, bytes: usize) -> io::Result<()> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let left = self.bytes_left.checked_sub(bytes);
        self.bytes_left = left.ok_or_else(too_many)?;
        Ok(())
    }
}

fn too_many() -> io::Error {
    io::Error::other("its parts are read too many times")
}

impl Read for Metered<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.count(count)?;
        Ok(count)
    }

    // Without growing by doubling.
    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> io::Result<usize> {
        let count = self.file.read_to_end(buffer)?;
        self.count(count)?;
        Ok(count)
    }
}

impl BufRead for Metered<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.bytes_left == 0 {
            return Err(too_many());
        }
        self.file.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.file.consume(count);
        self.bytes_left = self.bytes_left.saturating_sub(u64::try_from(count).unwrap_or(u64::MAX));
    }
}

impl Seek for Metered<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_with_the_last_byte_that_is_allowed() {
        let mut file = Metered::new(b"abcd", 6);
        let mut all = Vec::new();
        assert_eq!(file.read_to_end(&mut all).unwrap(), 4);
        file.seek(SeekFrom::Start(2)).unwrap();
        assert_eq!(file.read(&mut [0; 9]).unwrap(), 2);
        file.seek(SeekFrom::Start(0)).unwrap();
        assert!(file.read(&mut [0; 1]).is_err());
    }

    #[test]
    fn what_is_looked_at_counts_as_well() {
        let mut file = Metered::new(b"abcd", 5);
        for _ in 0..2 {
            file.seek(SeekFrom::Start(0)).unwrap();
            let length = file.fill_buf().unwrap().len();
            file.consume(length);
        }
        assert!(file.fill_buf().is_err());
    }
}
