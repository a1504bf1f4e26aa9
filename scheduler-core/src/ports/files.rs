//! Where the bytes of files are kept.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::pin::Pin;
use std::task::{Context, Poll};

use async_trait::async_trait;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_core::Stream;

use crate::media::{FileFolder, FileKey, PartPlan, UploadedPart};

/// Bytes on their way, in pieces.
pub struct ByteStream(pub Pin<Box<dyn Stream<Item = Result<Bytes, FilesError>> + Send>>);

impl std::fmt::Debug for ByteStream {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ByteStream")
    }
}

impl ByteStream {
    /// A stream of bytes that are all here.
    #[must_use]
    pub fn once(bytes: Bytes) -> Self {
        Self(Box::pin(Once(Some(bytes))))
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// [`FilesError`]
    pub async fn next(&mut self) -> Option<Result<Bytes, FilesError>> {
        std::future::poll_fn(|context| self.0.as_mut().poll_next(context)).await
    }

    /// All its bytes; for what is known to be small.
    ///
    /// # Errors
    /// [`FilesError`]
    pub async fn collect(mut self) -> Result<Bytes, FilesError> {
        let mut all = Vec::new();
        while let Some(piece) = self.next().await {
            all.extend_from_slice(&piece?);
        }
        Ok(all.into())
    }
}

struct Once(Option<Bytes>);

impl Stream for Once {
    type Item = Result<Bytes, FilesError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.take().map(Ok))
    }
}

/// Where a caller sends bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct UploadLink {
    /// The signed address, for one PUT.
    pub url: String,
    /// Headers that belong to it.
    pub headers: BTreeMap<String, String>,
}

/// A fault of a file store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FilesError {
    /// There are no such bytes.
    #[error("there are no such bytes")]
    Missing,
    /// It may work later: the store does not answer.
    #[error("the file store does not work: {0}")]
    Unavailable(String),
    /// There is too little room left where the bytes are kept; it works again once there is more.
    #[error("the file store takes nothing: too little of the disk is free")]
    Full,
    /// The bytes that were to be kept are refused where they come from, such as for their number;
    /// a sentence for a person.
    #[error("{0}")]
    Refused(String),
    /// The bytes that were to be kept stopped coming, and may come later; a sentence for a person.
    #[error("{0}")]
    Interrupted(String),
}

/// Why an upload in parts cannot be put together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FinishError {
    /// A part is missing or of another size, or its ETag is another; the upload stays open.
    #[error("{0}")]
    Refused(String),
    /// A fault of the store.
    #[error(transparent)]
    Files(#[from] FilesError),
}

/// Where the bytes of files are kept.
///
/// Bytes under a key are there whole or not at all.
#[async_trait]
pub trait Files: Send + Sync {
    /// Makes a link under which a caller may send the whole file, of exactly so many bytes.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`]
    async fn upload_link(
        &self,
        key: &FileKey,
        size_bytes: u64,
        expires_at: DateTime<Utc>,
    ) -> Result<UploadLink, FilesError>;

    /// Whether there is room for so many more bytes, as far as the store knows that. A store asks
    /// itself again when they come.
    ///
    /// # Errors
    /// [`FilesError::Full`], [`FilesError::Unavailable`]
    async fn check_room(&self, _bytes: u64) -> Result<(), FilesError> {
        Ok(())
    }

    /// Opens an upload in parts, and returns the store's name for it.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`]
    async fn begin_parts(&self, key: &FileKey) -> Result<String, FilesError>;

    /// Makes a link for every part, in the order of their numbers.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`]
    async fn part_links(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        expires_at: DateTime<Utc>,
    ) -> Result<Vec<String>, FilesError>;

    /// Puts the parts together. A repeat after it was done is no error.
    ///
    /// # Errors
    /// [`FinishError::Refused`] with a sentence for a person; [`FinishError::Files`].
    async fn finish_parts(
        &self,
        key: &FileKey,
        upload: &str,
        plan: PartPlan,
        parts: &[UploadedPart],
    ) -> Result<(), FinishError>;

    /// Gives up an upload in parts, and removes what has come of it. One that is unknown is no
    /// error.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`]
    async fn abandon_parts(&self, key: &FileKey, upload: &str) -> Result<(), FilesError>;

    /// How many bytes are kept under a key; `None` when there are none.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`]
    async fn size(&self, key: &FileKey) -> Result<Option<u64>, FilesError>;

    /// Reads the bytes of a key, or a range of them.
    ///
    /// # Errors
    /// [`FilesError::Missing`], [`FilesError::Unavailable`]; also within the stream.
    async fn read(
        &self,
        key: &FileKey,
        range: Option<Range<u64>>,
    ) -> Result<ByteStream, FilesError>;

    /// Where the bytes of a key lie as a file of this machine, for programs that read files;
    /// `None` in stores elsewhere. The file is only read, and may vanish when the key is erased.
    fn local_path(&self, _: &FileKey) -> Option<PathBuf> {
        None
    }

    /// Keeps bytes under a key, in place of earlier ones, and returns how many they are.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`]; an error of the stream is passed on. Nothing is kept then.
    async fn write(
        &self,
        key: &FileKey,
        media_type: &str,
        bytes: ByteStream,
    ) -> Result<u64, FilesError>;

    /// Moves bytes from one key to another of the same file, unless that one has bytes already;
    /// the first has none afterwards. One that has none before is no error.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`]
    async fn settle(&self, from: &FileKey, to: &FileKey) -> Result<(), FilesError>;

    /// Removes everything that is kept of a file. What is gone already is no error.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`]
    async fn erase(&self, folder: &FileFolder) -> Result<(), FilesError>;

    /// Makes a link under which anybody may read the bytes of a key.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`]
    async fn read_link(
        &self,
        key: &FileKey,
        media_type: &str,
        expires_at: DateTime<Utc>,
    ) -> Result<String, FilesError>;
}
