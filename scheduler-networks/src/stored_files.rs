//! The bytes of files on their way to a network.

use std::fmt;
use std::sync::Arc;

use futures_util::stream::Stream;
use scheduler_core::media::FileKey;
use scheduler_core::ports::{
    ByteStream, ExamineError, Examiner, Files, FilesError, NetworkError, NetworkErrorKind,
};
use scheduler_core::target::FailureCode;

use crate::conversation::{FileBody, LinkedFile};
use crate::image_document::Jpeg;

/// Where the driver finds files, and who makes smaller ones of them.
#[derive(Clone)]
pub struct StoredFiles {
    /// Where their bytes are kept.
    pub files: Arc<dyn Files>,
    /// What makes of them what a network takes.
    pub examiner: Arc<dyn Examiner>,
}

impl fmt::Debug for StoredFiles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("StoredFiles")
    }
}

/// How many bytes of a JPEG are read for what its head says: colour profiles may stand before it.
const JPEG_HEAD_MAX: u64 = 4 * 1024 * 1024;

/// A file that is there.
struct Found {
    key: FileKey,
    media_type: String,
    length: u64,
}

/// A file that is being read.
pub(crate) struct OpenedFile {
    pub(crate) media_type: String,
    pub(crate) length: u64,
    bytes: ByteStream,
}

impl StoredFiles {
    /// Opens a file, after making of it what its recipe asks for.
    ///
    /// # Errors
    /// - [`NetworkErrorKind::Permanent`] with [`FailureCode::MediaUnusable`]: it is gone, or
    ///   cannot be made to fit.
    /// - [`NetworkErrorKind::Temporary`]: the file store does not work.
    pub(crate) async fn open(&self, file: &FileBody) -> Result<OpenedFile, NetworkError> {
        let Found { key, media_type, length } = self.find(file).await?;
        let length = match &file.range {
            None => length,
            Some(range) if range.end <= length => range.end.saturating_sub(range.start),
            Some(_) => return Err(unread(&FilesError::Missing)),
        };
        let bytes = self.files.read(&key, file.range.clone()).await;
        let bytes = bytes.map_err(|error| unread(&error))?;
        Ok(OpenedFile { media_type, length, bytes })
    }

    /// What the head of a JPEG says, after making of it what its recipe asks for.
    ///
    /// # Errors
    /// As [`StoredFiles::open`]; it is none.
    pub(crate) async fn jpeg(&self, file: &FileBody) -> Result<Jpeg, NetworkError> {
        let Found { key, length, .. } = self.find(file).await?;
        let head = self.files.read(&key, Some(0..length.min(JPEG_HEAD_MAX))).await;
        let mut head = head.map_err(|error| unread(&error))?;
        let mut bytes = Vec::new();
        while let Some(piece) = head.next().await {
            bytes.extend_from_slice(&piece.map_err(|error| unread(&error))?);
            if let Some(jpeg) = Jpeg::read(&bytes, length) {
                return Ok(jpeg);
            }
        }
        Err(unusable("An image of the post is no JPEG that can be a page.".to_owned()))
    }

    /// Makes a link under which a network may fetch a file, after making of it what its recipe
    /// asks for.
    ///
    /// # Errors
    /// As [`StoredFiles::open`].
    pub(crate) async fn link(&self, linked: &LinkedFile) -> Result<String, NetworkError> {
        let Found { key, media_type, .. } = self.find(&linked.file).await?;
        let link = self.files.read_link(&key, &media_type, linked.expires_at).await;
        link.map_err(|error| unread(&error))
    }

    /// The address of a file of this machine, after making of it what its recipe asks for; `None`
    /// where its bytes are kept elsewhere, or not all of them are wanted.
    ///
    /// # Errors
    /// As [`StoredFiles::open`].
    pub(crate) async fn local_address(
        &self,
        file: &FileBody,
    ) -> Result<Option<String>, NetworkError> {
        if file.range.is_some() {
            return Ok(None);
        }
        let Found { key, .. } = self.find(file).await?;
        let path = self.files.local_path(&key).and_then(|path| std::path::absolute(path).ok());
        Ok(path.and_then(|path| Some(format!("file://{}", path.to_str()?))))
    }

    async fn find(&self, file: &FileBody) -> Result<Found, NetworkError> {
        let (key, media_type) = match &file.recipe {
            None => (file.folder.original(), file.media_type.clone()),
            Some(recipe) => {
                let derived = self.examiner.derive(&file.folder, recipe).await;
                let derived = derived.map_err(underived)?;
                (derived.key, derived.facts.mime_type.unwrap_or_else(|| file.media_type.clone()))
            }
        };
        let length = self.files.size(&key).await.map_err(|error| unread(&error))?;
        let length = length.ok_or_else(|| unread(&FilesError::Missing))?;
        Ok(Found { key, media_type, length })
    }
}

impl OpenedFile {
    /// Its bytes as the body of a request; an error of the store breaks the request off.
    pub(crate) fn into_stream(
        self,
    ) -> impl Stream<Item = Result<bytes::Bytes, FilesError>> + Send + 'static {
        self.bytes.0
    }
}

#[cfg(test)]
impl OpenedFile {
    /// A file without a store.
    pub(crate) fn of(media_type: &str, length: u64, bytes: ByteStream) -> Self {
        Self { media_type: media_type.to_owned(), length, bytes }
    }
}

fn underived(error: ExamineError) -> NetworkError {
    match error {
        ExamineError::Unusable(reason) => unusable(reason),
        ExamineError::Files(error) => unread(&error),
        ExamineError::Temporary(reason) => NetworkError::new(NetworkErrorKind::Temporary, reason),
        // Somebody has removed it since the publish began.
        ExamineError::InProgress { .. } => NetworkError::temporary(error.to_string()),
    }
}

/// What an error of the file store means for the call that needs the file.
pub(crate) fn unread(error: &FilesError) -> NetworkError {
    match error {
        FilesError::Missing => unusable("The bytes of a file of the post are gone.".to_owned()),
        FilesError::Unavailable(_)
        | FilesError::Full
        | FilesError::Refused(_)
        | FilesError::Interrupted(_) => {
            let message = format!("A file of the post could not be read: {error}.");
            NetworkError::new(NetworkErrorKind::Temporary, message)
        }
    }
}

fn unusable(reason: String) -> NetworkError {
    NetworkError::new(NetworkErrorKind::Permanent, reason).with_code(FailureCode::MediaUnusable)
}
