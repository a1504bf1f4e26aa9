//! The body of a request: small ones whole, large ones as length and hash.

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::arrival::Arrival;
use crate::json_files::{JsonReader, JsonText};
use crate::multipart::{MultipartReader, Part};
use crate::written::{as_base64, as_hex};

/// Bytes of a body that are kept. Larger bodies are files, of which length and hash are enough.
pub(crate) const KEPT_BYTES: usize = 2 * 1024 * 1024;

/// Bytes of a file by which it is told what it is.
const HEAD_BYTES: usize = 64 * 1024;

/// What a request carried.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Body {
    /// The first bytes; all of them when `length` is at most [`KEPT_BYTES`].
    #[serde(with = "as_base64")]
    head: Bytes,
    /// Length of the whole body in bytes.
    pub(crate) length: u64,
    #[serde(with = "as_hex")]
    pub(crate) sha256: [u8; 32],
    /// Parts of a form of the type `multipart/form-data`, in order.
    pub(crate) parts: Vec<Part>,
    /// JSON with marks in place of its long strings, which are files.
    pub(crate) json_text: Option<JsonText>,
}

impl Body {
    /// Reads a body to its end, however long it is, in bounded memory.
    ///
    /// # Errors
    /// The connection broke before the end.
    pub(crate) async fn read(
        mut incoming: Incoming,
        content_type: &str,
        mut arrival: Arrival<'_>,
    ) -> Result<Self, hyper::Error> {
        let mut reader = MultipartReader::for_content_type(content_type);
        let mut json_reader = JsonReader::for_content_type(content_type);
        let mut hash = Sha256::new();
        let mut head = BytesMut::new();
        let mut length = 0;
        while let Some(frame) = incoming.frame().await {
            let Ok(data) = frame?.into_data() else { continue };
            arrival.take(data.len() as u64).await;
            length += data.len() as u64;
            hash.update(&data);
            if let Some(reader) = &mut reader {
                reader.feed(&data);
            }
            if let Some(reader) = &mut json_reader {
                reader.feed(&data);
            }
            let room = KEPT_BYTES.saturating_sub(head.len());
            head.extend_from_slice(&data[..data.len().min(room)]);
        }
        Ok(Self {
            head: head.freeze(),
            length,
            sha256: hash.finalize().into(),
            parts: reader.map(MultipartReader::finish).unwrap_or_default(),
            json_text: json_reader.and_then(JsonReader::finish),
        })
    }

    /// Returns the same with no more of its first bytes than tell what a file is.
    pub(crate) fn cut(&self) -> Self {
        Self { head: self.head.slice(..self.head.len().min(HEAD_BYTES)), ..self.clone() }
    }

    /// Returns the first bytes, by which a file is told.
    pub(crate) fn head(&self) -> &Bytes {
        &self.head
    }

    /// Returns the bytes of a body that was small enough to be kept whole.
    pub(crate) fn whole(&self) -> Option<&Bytes> {
        (self.head.len() as u64 == self.length).then_some(&self.head)
    }
}

impl Body {
    /// Reads a body that is there already.
    pub(crate) fn of(bytes: Vec<u8>, content_type: &str) -> Self {
        let mut reader = MultipartReader::for_content_type(content_type);
        if let Some(reader) = &mut reader {
            reader.feed(&bytes);
        }
        let mut json_reader = JsonReader::for_content_type(content_type);
        if let Some(reader) = &mut json_reader {
            reader.feed(&bytes);
        }
        Self {
            length: bytes.len() as u64,
            sha256: Sha256::digest(&bytes).into(),
            head: Bytes::from(bytes),
            parts: reader.map(MultipartReader::finish).unwrap_or_default(),
            json_text: json_reader.and_then(JsonReader::finish),
        }
    }
}
