//! Serving the links of the folder.

use std::io::{self, ErrorKind};

use async_trait::async_trait;
use scheduler_core::media::FileKey;
use scheduler_core::media::link::{Action, Grant, LinkError};
use scheduler_core::ports::{
    ByteRange, ByteStream, Files as _, FilesError, FoundBytes, OpenFile, OpenFileError,
    ReceiveError, SignedFiles,
};

use super::FolderFiles;
use super::draft::{Draft, alone, cut_off};
use super::fault::{blocking, fault};
use super::layout::Layout;
use super::parts::{Upload, begin_part, end_part};
use super::read::Opened;
use super::stream::{Poured, stream_to_disk};

/// A part, as its link names it.
struct SignedPart {
    upload: String,
    part_number: u32,
    offset_bytes: u64,
    size_bytes: u64,
}

/// Where bytes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Somebody sends so many to a link.
    Sent(u64),
    /// The server fetches them.
    Fetched,
    /// The server has made them of others. They are small, and a publish may need them: what is
    /// left free of the disk is there for them too.
    Made,
}

#[async_trait]
impl SignedFiles for FolderFiles {
    async fn receive(
        &self,
        key: &str,
        query: &str,
        declared_bytes: Option<u64>,
        bytes: ByteStream,
    ) -> Result<String, ReceiveError> {
        let Grant { action, key, .. } = self.grant("PUT", key, query)?;
        match action {
            Action::Put { size_bytes } => {
                check_declared(declared_bytes, size_bytes)?;
                self.keep_sent(&key, size_bytes, bytes).await
            }
            Action::PutPart { upload, part_number, offset_bytes, size_bytes } => {
                check_declared(declared_bytes, size_bytes)?;
                let part = SignedPart { upload, part_number, offset_bytes, size_bytes };
                self.keep_part(&key, part, bytes).await
            }
            Action::Get { .. } => Err(LinkError::Forged.into()),
        }
    }

    async fn open(
        &self,
        key: &str,
        query: &str,
        range: Option<ByteRange>,
    ) -> Result<OpenFile, OpenFileError> {
        let Grant { action, key, .. } = self.grant("GET", key, query)?;
        let media_type = match action {
            Action::Get { media_type } => media_type,
            Action::Put { .. } | Action::PutPart { .. } => return Err(LinkError::Forged.into()),
        };
        let opened = Opened::open(self.layout.file(&key)).await?;
        let size_bytes = opened.size_bytes;
        let range = match range {
            None => 0..size_bytes,
            Some(range) => {
                range.within(size_bytes).ok_or(OpenFileError::RangeOutside { size_bytes })?
            }
        };
        let etag = opened.etag.clone();
        Ok(OpenFile {
            media_type,
            etag,
            size_bytes,
            range: range.clone(),
            bytes: opened.read(range),
        })
    }
}

impl FolderFiles {
    fn grant(&self, method: &str, key: &str, query: &str) -> Result<Grant, LinkError> {
        self.signer.verify(method, key, query, self.clock.now())
    }

    /// Keeps what was sent in one piece, unless the file has its bytes already.
    async fn keep_sent(
        &self,
        key: &FileKey,
        size_bytes: u64,
        bytes: ByteStream,
    ) -> Result<String, ReceiveError> {
        let Some(settled) = key.settled() else {
            return self.keep(key, Origin::Sent(size_bytes), bytes).await.map(|(_, etag)| etag);
        };
        if self.size(&settled).await?.is_some() {
            return Err(ReceiveError::Closed);
        }
        let (_, etag) = self.keep(key, Origin::Sent(size_bytes), bytes).await?;
        if self.size(&settled).await?.is_some() {
            // It was finished while these bytes came; they must not stay.
            self.settle(key, &settled).await?;
            return Err(ReceiveError::Closed);
        }
        Ok(etag)
    }

    /// Keeps a stream under a key, and returns its size in bytes and its ETag.
    pub(super) async fn keep(
        &self,
        key: &FileKey,
        origin: Origin,
        bytes: ByteStream,
    ) -> Result<(u64, String), ReceiveError> {
        let (expected_bytes, room) = match origin {
            Origin::Sent(size_bytes) => (Some(size_bytes), Some(self.room.clone())),
            Origin::Fetched => (None, Some(self.room.clone())),
            Origin::Made => (None, None),
        };
        let (layout, stem, checked) = (self.layout.clone(), Layout::stem(key), room.clone());
        let begun = move || {
            let folder = layout.partial();
            let create = || Draft::create(folder, &stem);
            checked.map_or(Ok(()), |room| room.check(expected_bytes.unwrap_or_default()))?;
            match origin {
                Origin::Sent(_) => alone(&folder.join(format!("{stem}.lock")), || {
                    cut_off(folder, &stem, None)?;
                    create()
                }),
                Origin::Fetched | Origin::Made => create(),
            }
        };
        let draft = blocking(move || begun().map_err(|error| unavailable(&error))).await?;
        let poured = match stream_to_disk(bytes, draft, expected_bytes, room).await {
            // Erased while it came, or cut off by a newer one.
            Err(ReceiveError::Files(FilesError::Missing)) => return Err(ReceiveError::Closed),
            other => other?,
        };
        let Poured { destination: draft, bytes, etag } = poured;
        let (layout, key) = (self.layout.clone(), key.clone());
        let kept = move || {
            draft.sync()?;
            layout.make_room(&key)?;
            draft.keep_as(&layout.file(&key))
        };
        blocking(move || kept().map_err(|error| closed(&error))).await?;
        Ok((bytes, etag))
    }

    async fn keep_part(
        &self,
        key: &FileKey,
        part: SignedPart,
        bytes: ByteStream,
    ) -> Result<String, ReceiveError> {
        let SignedPart { upload, part_number, offset_bytes, size_bytes } = part;
        let upload = Upload::find(&self.layout, key, &upload).ok_or(ReceiveError::Closed)?;
        let (of_part, room) = (upload.clone(), self.room.clone());
        let begun = move || {
            room.check(size_bytes)?;
            begin_part(&of_part, part_number, offset_bytes)
        };
        let part = blocking(move || begun().map_err(|error| closed(&error))).await?;
        let poured =
            match stream_to_disk(bytes, part, Some(size_bytes), Some(self.room.clone())).await {
                // The upload was finished or given up while the part came, or the part sent anew.
                Err(ReceiveError::Files(FilesError::Missing)) => return Err(ReceiveError::Closed),
                other => other?,
            };
        blocking(move || end_part(&upload, part_number, poured).map_err(|error| closed(&error)))
            .await
    }
}

fn check_declared(declared: Option<u64>, expected_bytes: u64) -> Result<(), ReceiveError> {
    match declared {
        Some(found) if found != expected_bytes => {
            let found = FoundBytes::Exactly(found);
            Err(ReceiveError::WrongSize { expected_bytes, found })
        }
        Some(_) | None => Ok(()),
    }
}

/// A fault at a moment when whatever is missing was removed by somebody else.
fn closed(error: &io::Error) -> ReceiveError {
    if error.kind() == ErrorKind::NotFound {
        ReceiveError::Closed
    } else {
        ReceiveError::Files(fault(error))
    }
}

/// A fault at a moment when nothing may be missing.
fn unavailable(error: &io::Error) -> FilesError {
    match fault(error) {
        FilesError::Missing => FilesError::Unavailable("the folder of files is gone".to_owned()),
        other => other,
    }
}
