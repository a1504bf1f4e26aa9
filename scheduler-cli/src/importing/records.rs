//! Where the posts of a file stand in it.

/// A post of a file, as yet unread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Its first line, counted from 1; of a form without lines, its number in the file.
    pub(crate) line: u64,
    /// Its first byte; of a form that is read as a whole, its place among the posts.
    pub(super) start: usize,
    /// The byte behind its last.
    pub(super) end: usize,
}

impl Record {
    /// Where it stands in the file.
    pub(super) const fn range(&self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

/// Counts lines, as a person sees them, from one place of a file to the next.
#[derive(Debug)]
pub(super) struct Lines {
    line: u64,
    offset: usize,
}

impl Default for Lines {
    fn default() -> Self {
        Self { line: 1, offset: 0 }
    }
}

impl Lines {
    /// The line of a place that does not lie before the one that was asked for last.
    pub(super) fn at(&mut self, bytes: &[u8], offset: usize) -> u64 {
        let end = offset.min(bytes.len());
        for index in self.offset..end {
            let is_end = match bytes[index] {
                b'\n' => true,
                b'\r' => bytes.get(index + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += u64::from(is_end);
        }
        self.offset = end;
        self.line
    }
}

/// The next place that is no line end.
pub(super) fn skip_breaks(bytes: &[u8], mut offset: usize) -> usize {
    while matches!(bytes.get(offset), Some(b'\r' | b'\n')) {
        offset += 1;
    }
    offset
}
