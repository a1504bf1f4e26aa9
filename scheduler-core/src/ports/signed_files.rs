//! Serving the links of a file store whose bytes pass through this server.

use std::ops::Range;

use async_trait::async_trait;

use super::{ByteStream, FilesError};
use crate::media::link::LinkError;

/// Serves the links that a file store has made to this server's own `/files/` addresses.
///
/// A file store whose links lead elsewhere, such as to a bucket, has no such side.
#[async_trait]
pub trait SignedFiles: Send + Sync {
    /// Keeps the bytes that came to a link made for sending, and returns their ETag without
    /// quotes: the same for the same bytes, another for others.
    ///
    /// `key` is the path after `/files/`, decoded; `query` the query as it came;
    /// `declared_bytes` what the sender says the length is, where it says so. The stream is read
    /// to the length that the link allows and never further. Once this has returned the bytes are
    /// durable; on an error, or when the future is dropped, nothing of them is kept.
    ///
    /// Of what is sent to one link the newest counts: who sends to it meanwhile is cut off.
    ///
    /// # Errors
    /// [`ReceiveError`]; an error of the stream is passed on as [`ReceiveError::Files`].
    async fn receive(
        &self,
        key: &str,
        query: &str,
        declared_bytes: Option<u64>,
        bytes: ByteStream,
    ) -> Result<String, ReceiveError>;

    /// Opens what a link made for reading leads to, or a range of it.
    ///
    /// # Errors
    /// [`OpenFileError`]
    async fn open(
        &self,
        key: &str,
        query: &str,
        range: Option<ByteRange>,
    ) -> Result<OpenFile, OpenFileError>;
}

/// Why the bytes that came to a link are not kept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReceiveError {
    /// The link does not allow it.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// There are fewer or more bytes than the link was made for.
    #[error("this link takes exactly {expected_bytes} bytes; {found} came")]
    WrongSize {
        /// Bytes that the link was made for.
        expected_bytes: u64,
        /// What came instead.
        found: FoundBytes,
    },
    /// The file or the part was finished, given up, or sent anew while these bytes came.
    #[error("this upload is not open any more")]
    Closed,
    /// The file store does not work, or the stream broke off.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// How many bytes came, as far as they were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBytes {
    /// Exactly so many.
    Exactly(u64),
    /// More than the link allows; they were not read further.
    TooMany,
}

impl std::fmt::Display for FoundBytes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exactly(bytes) => write!(formatter, "{bytes}"),
            Self::TooMany => formatter.write_str("more"),
        }
    }
}

/// Why a link cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenFileError {
    /// The link does not allow it.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The range begins after the end of the file.
    #[error("the file has {size_bytes} bytes; the range lies outside of it")]
    RangeOutside {
        /// Bytes of the whole file.
        size_bytes: u64,
    },
    /// There are no such bytes, or the file store does not work.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// A file that was opened to be sent.
#[derive(Debug)]
pub struct OpenFile {
    /// Its media type, as the link says.
    pub media_type: String,
    /// A strong ETag without quotes.
    pub etag: String,
    /// Bytes of the whole file.
    pub size_bytes: u64,
    /// Which of them follow.
    pub range: Range<u64>,
    /// These bytes.
    pub bytes: ByteStream,
}

/// A part of a file, as a reader asks for it.
///
/// Source: RFC 9110, section 14.1.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteRange {
    /// From a byte, counted from 0, to another that belongs to it, or to the end.
    From {
        /// The first byte.
        first: u64,
        /// The last byte; `None` for the end of the file.
        last: Option<u64>,
    },
    /// So many bytes at the end.
    Last(u64),
}

impl ByteRange {
    /// Where the range lies in a file of so many bytes; `None` where no byte of it is in the file.
    /// ```
    /// use scheduler_core::ports::ByteRange;
    /// assert_eq!(ByteRange::From { first: 2, last: Some(9) }.within(5), Some(2..5));
    /// assert_eq!(ByteRange::Last(2).within(5), Some(3..5));
    /// ```
    #[must_use]
    pub fn within(self, size_bytes: u64) -> Option<Range<u64>> {
        let range = match self {
            Self::From { first, last } => {
                let end = last.map_or(u64::MAX, |last| last.saturating_add(1));
                first..end.min(size_bytes)
            }
            Self::Last(bytes) => size_bytes.saturating_sub(bytes)..size_bytes,
        };
        (range.start < range.end).then_some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let from = |first, last| ByteRange::From { first, last };
        for (name, range, size, want) in [
            ("one byte", from(0, Some(0)), 5, Some(0..1)),
            ("to the end", from(3, None), 5, Some(3..5)),
            ("over the end", from(3, Some(u64::MAX)), 5, Some(3..5)),
            ("after the end", from(5, None), 5, None),
            ("backwards", from(3, Some(1)), 5, None),
            ("the last two", ByteRange::Last(2), 5, Some(3..5)),
            ("the last of too many", ByteRange::Last(9), 5, Some(0..5)),
            ("the last none", ByteRange::Last(0), 5, None),
            ("an empty file", from(0, None), 0, None),
        ] {
            assert_eq!(range.within(size), want, "{name}");
        }
    }
}
