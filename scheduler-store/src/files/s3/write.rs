//! Writing a stream to the bucket.

use bytes::Bytes;
use futures_util::future::{Either, select};
use object_store::aws::AmazonS3;
use object_store::multipart::{MultipartStore as _, PartId};
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, ObjectStore as _, PutMultipartOptions, PutOptions, PutPayload,
};
use scheduler_core::ports::{ByteStream, FilesError};

use super::fault::fault;

/// Bytes that are sent at once; a larger stream is sent in parts of so many.
///
/// A stream holds two such pieces in memory: one that fills, one that is being sent. The largest
/// file of 10 000 parts has 78 GiB.
const PIECE_BYTES: usize = 8 << 20;

/// Writes a stream, and returns how many bytes it had.
///
/// # Errors
/// Those of the stream, and of the service; nothing is kept then.
pub(super) async fn write(
    store: &AmazonS3,
    path: &Path,
    media_type: &str,
    mut bytes: ByteStream,
) -> Result<u64, FilesError> {
    let attributes = Attributes::from_iter([(Attribute::ContentType, media_type.to_owned())]);
    let (first, is_all) = gather(&mut bytes).await?;
    if is_all {
        let size = size(&first);
        let options = PutOptions { attributes, ..PutOptions::default() };
        let put = store.put_opts(path, PutPayload::from(first), options).await;
        return put.map(|_| size).map_err(|error| fault(&error));
    }
    let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
    let id = store.create_multipart_opts(path, options).await.map_err(|error| fault(&error))?;
    let upload = OpenUpload { store: store.clone(), path: path.clone(), id, is_done: false };
    upload.send(first, bytes).await
}

/// An upload in parts; given up when it is dropped before it was put together.
struct OpenUpload {
    store: AmazonS3,
    path: Path,
    id: String,
    is_done: bool,
}

impl OpenUpload {
    async fn send(mut self, first: Bytes, mut bytes: ByteStream) -> Result<u64, FilesError> {
        let mut piece = first;
        let mut is_last = false;
        let mut sent = 0;
        let mut parts = Vec::new();
        loop {
            sent += size(&piece);
            let part = self.send_part(parts.len(), piece);
            if is_last {
                parts.push(part.await?);
                break;
            }
            // The next piece is gathered while this one is sent; a fault of either ends both.
            let part = std::pin::pin!(part);
            let next = std::pin::pin!(gather(&mut bytes));
            let (part, next) = match select(part, next).await {
                Either::Left((part, next)) => (part?, next.await?),
                Either::Right((next, part)) => {
                    let next = next?;
                    (part.await?, next)
                }
            };
            parts.push(part);
            (piece, is_last) = next;
            if is_last && piece.is_empty() {
                break;
            }
        }
        let done = self.store.complete_multipart(&self.path, &self.id, parts).await;
        done.map_err(|error| fault(&error))?;
        self.is_done = true;
        Ok(sent)
    }

    async fn send_part(&self, index: usize, piece: Bytes) -> Result<PartId, FilesError> {
        let sent = self.store.put_part(&self.path, &self.id, index, PutPayload::from(piece)).await;
        sent.map_err(|error| fault(&error))
    }
}

impl Drop for OpenUpload {
    fn drop(&mut self) {
        if self.is_done {
            return;
        }
        // Without a runtime it stays, until everything of its file is erased.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let (store, path, id) = (self.store.clone(), self.path.clone(), self.id.clone());
        runtime.spawn(async move {
            if let Err(error) = store.abort_multipart(&path, &id).await {
                tracing::warn!(error = %fault(&error), "an upload to the bucket could not be given up");
            }
        });
    }
}

/// The next piece, and whether the stream has ended with it.
async fn gather(bytes: &mut ByteStream) -> Result<(Bytes, bool), FilesError> {
    let mut piece: Vec<u8> = Vec::new();
    while piece.len() < PIECE_BYTES {
        match bytes.next().await {
            None => return Ok((piece.into(), true)),
            Some(more) => piece.extend_from_slice(&more?),
        }
    }
    Ok((piece.into(), false))
}

fn size(piece: &Bytes) -> u64 {
    u64::try_from(piece.len()).unwrap_or(u64::MAX)
}
