//! The bytes of a file, for whoever may see it.

use crate::app::{Caller, Scheduler};
use crate::error::{AppError, Refusal, Resource};
use crate::ids::MediaId;
use crate::key::Scope;
use crate::media::MediaStatus;
use crate::ports::{ByteRange, FilesError, OpenFile};

impl Scheduler {
    /// Opens a file that is ready, or a range of it; all of it where the range lies outside. Its
    /// bytes never change, so that its id is their ETag.
    ///
    /// # Errors
    /// `forbidden` without `media:read`; `not_found` also for a file that is not ready.
    pub async fn open_media(
        &self,
        caller: &Caller,
        id: MediaId,
        range: Option<ByteRange>,
    ) -> Result<OpenFile, AppError> {
        caller.require(Scope::MediaRead)?;
        let missing = || Refusal::not_found(Resource::File);
        let media = self.file(caller, id).await?;
        if media.status != MediaStatus::Ready {
            return Err(missing().into());
        }
        let size_bytes = media.size_bytes.unwrap_or_default();
        let part = range.and_then(|range| range.within(size_bytes));
        let bytes = match self.ports.files.read(&media.folder().original(), part.clone()).await {
            Ok(bytes) => bytes,
            // It was deleted since the record was read.
            Err(FilesError::Missing) => return Err(missing().into()),
            Err(error) => return Err(error.into()),
        };
        Ok(OpenFile {
            media_type: media.mime_type.unwrap_or_else(|| "application/octet-stream".to_owned()),
            etag: id.to_string(),
            size_bytes,
            range: part.unwrap_or(0..size_bytes),
            bytes,
        })
    }
}
