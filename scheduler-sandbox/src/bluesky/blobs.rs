//! Uploaded files.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use super::cid;
use super::error::XrpcError;
use super::lexicon::BlobRef;
use crate::network::LiveMedia;
use crate::request::Request;

/// Largest blob in bytes.
///
/// Source: `blobUploadLimit` of `com.atproto.server.describeServer` at the hosted servers (50 MiB).
pub(super) const UPLOAD_LIMIT: u64 = 52_428_800;
/// How long a blob that no record refers to is kept.
///
/// Source: lexicons/com/atproto/repo/uploadBlob.json ("a time window"); the figure is ours.
const UNUSED_LIFE: TimeDelta = TimeDelta::hours(1);

#[derive(Clone, Debug)]
struct Blob {
    mime_type: String,
    bytes: u64,
    sha256: [u8; 32],
    uploaded_at: DateTime<Utc>,
    is_used: bool,
}

/// Returns the type that bytes begin like, of those that posts show.
///
/// Source: <https://github.com/bluesky-social/atproto>, `packages/repo/src/storage`,
/// `mimeTypeFromBytes`.
fn sniffed(head: &[u8]) -> Option<&'static str> {
    match head {
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [b'G', b'I', b'F', b'8', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'i' | b'm', ..] => Some("video/mp4"),
        _ => None,
    }
}

/// The blobs of all accounts; a blob belongs to the account that uploaded it.
#[derive(Debug, Default)]
pub(super) struct Blobs(HashMap<(String, String), Blob>);

impl Blobs {
    /// Takes the body of a request as a blob.
    ///
    /// # Errors
    /// `PayloadTooLarge`.
    pub(super) fn upload(
        &mut self,
        did: &str,
        request: &Request,
        now: DateTime<Utc>,
    ) -> Result<Value, XrpcError> {
        if request.body.length > UPLOAD_LIMIT {
            return Err(XrpcError::too_large());
        }
        let declared = request.content_type();
        // What the bytes are counts more than what they are said to be.
        let mime_type = match sniffed(request.body.head()) {
            Some(known) => known.to_owned(),
            None if declared.is_empty() => "application/octet-stream".to_owned(),
            None => declared,
        };
        let (bytes, sha256) = (request.body.length, request.body.sha256);
        Ok(json!({"blob": self.keep(did, &mime_type, bytes, sha256, now)}))
    }

    /// Keeps a blob of the account, and returns what records call it.
    pub(super) fn keep(
        &mut self,
        did: &str,
        mime_type: &str,
        bytes: u64,
        sha256: [u8; 32],
        now: DateTime<Utc>,
    ) -> Value {
        let cid = cid::of_blob(&sha256);
        let blob = json!({
            "$type": "blob",
            "ref": {"$link": cid},
            "mimeType": mime_type,
            "size": bytes,
        });
        let key = (did.to_owned(), cid);
        let is_used = self.0.get(&key).is_some_and(|earlier| earlier.is_used);
        let mime_type = mime_type.to_owned();
        self.0.insert(key, Blob { mime_type, bytes, sha256, uploaded_at: now, is_used });
        blob
    }

    /// Marks the blobs of a record as used and returns what they are.
    ///
    /// # Errors
    /// `BlobNotFound` for one that was never uploaded or has been swept; `InvalidRequest` for one
    /// that is larger than its place allows.
    pub(super) fn claim(
        &mut self,
        did: &str,
        wanted: &[BlobRef],
        now: DateTime<Utc>,
    ) -> Result<Vec<LiveMedia>, XrpcError> {
        let mut media = Vec::new();
        for reference in wanted {
            let blob = self
                .0
                .get(&(did.to_owned(), reference.cid.clone()))
                .filter(|blob| blob.is_used || blob.uploaded_at + UNUSED_LIFE > now)
                .ok_or_else(|| {
                    let message = format!("Could not find blob: {}", reference.cid);
                    XrpcError::bad("BlobNotFound", message)
                })?;
            if blob.bytes > reference.max_bytes {
                return Err(XrpcError::invalid(format!(
                    "blob too big (maximum {}, got {})",
                    reference.max_bytes, blob.bytes
                )));
            }
            media.push(LiveMedia {
                media_type: blob.mime_type.clone(),
                bytes: blob.bytes,
                sha256: blob.sha256,
            });
        }
        for reference in wanted {
            if let Some(blob) = self.0.get_mut(&(did.to_owned(), reference.cid.clone())) {
                blob.is_used = true;
            }
        }
        Ok(media)
    }
}
