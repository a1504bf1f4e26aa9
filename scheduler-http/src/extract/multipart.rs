//! A form that carries files, read as it comes: texts are collected within a bound, files are
//! passed on piece by piece.

use std::fmt;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, stream};
use multer::{Field, Multipart};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ports::{ByteStream, FilesError};

/// Bytes of a body that the parser holds at most, beyond which it has found no part: a boundary and
/// the headers of a part are shorter.
///
/// Source: our decision.
const AHEAD_MAX_BYTES: u64 = 256 << 10;

/// Parts of a form at most. Source: our decision.
const PARTS_MAX: usize = 4_096;

/// The parts of a form, as they come.
pub(crate) struct Parts {
    parts: Multipart<'static>,
    ahead: Arc<AtomicU64>,
    /// The file that was given out last, which may be read no further.
    file: SharedFile,
    /// How many bytes of text may still come.
    left: usize,
    count: usize,
}

/// A file, read by whoever it was given to until the next part is asked for.
type SharedFile = Arc<Mutex<Option<Field<'static>>>>;

/// A part of a form.
#[derive(Debug)]
pub(crate) enum Part {
    /// A name and its value.
    Text(String, String),
    /// A file that was chosen.
    File {
        /// The name of the field.
        field: String,
        /// The name of the file.
        name: String,
        /// Its type, as the browser knows it.
        media_type: Option<String>,
        /// Its bytes.
        bytes: ByteStream,
    },
}

impl Parts {
    /// The parts of a body, whose texts hold so many bytes at most.
    pub(crate) fn new(bytes: ByteStream, boundary: String, text_max_bytes: usize) -> Self {
        let ahead = Arc::<AtomicU64>::default();
        let paced = Paced { bytes, ahead: Arc::clone(&ahead), may_come: true };
        Self {
            parts: Multipart::new(paced, boundary),
            ahead,
            file: Arc::default(),
            left: text_max_bytes,
            count: 0,
        }
    }

    /// The next part. What was not read of the file before is passed over.
    ///
    /// # Errors
    /// `invalid_request` for a body that is no form or breaks off; `payload_too_large`.
    pub(crate) async fn next(&mut self) -> Result<Option<Part>, Refusal> {
        let rest = self.file.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(mut rest) = rest {
            while rest.chunk().await.map_err(unreadable)?.is_some() {
                self.ahead.store(0, Ordering::Relaxed);
            }
        }
        let field = self.parts.next_field().await.map_err(unreadable)?;
        self.ahead.store(0, Ordering::Relaxed);
        let Some(mut field) = field else { return Ok(None) };
        self.count += 1;
        if self.count > PARTS_MAX {
            return Err(Refusal::new(ErrorCode::PayloadTooLarge, "The form has too many fields."));
        }
        let name = field.name().unwrap_or_default().to_owned();
        if let Some(file) = field.file_name().map(str::to_owned) {
            let media_type = field.content_type().map(|kind| kind.essence_str().to_owned());
            let bytes = self.bytes_of(field);
            return Ok(Some(Part::File { field: name, name: file, media_type, bytes }));
        }
        let mut value = Vec::new();
        while let Some(piece) = field.chunk().await.map_err(unreadable)? {
            self.ahead.store(0, Ordering::Relaxed);
            let Some(left) = self.left.checked_sub(piece.len()) else {
                let message = "The form holds more text than a post can have.";
                return Err(Refusal::new(ErrorCode::PayloadTooLarge, message));
            };
            self.left = left;
            value.extend_from_slice(&piece);
        }
        let value = String::from_utf8(value).map_err(|_| {
            Refusal::new(ErrorCode::InvalidRequest, "What the browser has sent is not readable.")
        })?;
        Ok(Some(Part::Text(name, value)))
    }

    fn bytes_of(&mut self, field: Field<'static>) -> ByteStream {
        self.file = Arc::new(Mutex::new(Some(field)));
        let (file, ahead) = (Arc::clone(&self.file), Arc::clone(&self.ahead));
        let bytes = stream::poll_fn(move |context| {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(field) = file.as_mut() else { return Poll::Ready(None) };
            ahead.store(0, Ordering::Relaxed);
            field
                .poll_next_unpin(context)
                .map_err(|error| FilesError::Interrupted(unreadable(error).message()))
        });
        ByteStream(Box::pin(bytes))
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Parts").field("left", &self.left).finish_non_exhaustive()
    }
}

fn unreadable(error: multer::Error) -> Refusal {
    let message = match error {
        multer::Error::StreamReadFailed(error) => error.to_string(),
        _ => "The form broke off while it was sent.".to_owned(),
    };
    Refusal::new(ErrorCode::InvalidRequest, message)
}

/// Passes a body on one piece at a time: the parser takes all that is ready, and would hold as much
/// of a file as its sender likes.
struct Paced {
    bytes: ByteStream,
    /// Bytes that were passed on since the parser has given some.
    ahead: Arc<AtomicU64>,
    may_come: bool,
}

impl Stream for Paced {
    type Item = Result<Bytes, FilesError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if !self.may_come {
            self.may_come = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let polled = self.bytes.0.as_mut().poll_next(context);
        if let Poll::Ready(Some(Ok(piece))) = &polled {
            self.may_come = false;
            let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
            let before = self.ahead.fetch_add(length, Ordering::Relaxed);
            if before > AHEAD_MAX_BYTES {
                let message = "What the browser has sent is not readable.".to_owned();
                return Poll::Ready(Some(Err(FilesError::Refused(message))));
            }
        }
        polled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(pieces: Vec<Vec<u8>>) -> ByteStream {
        let pieces = pieces.into_iter().map(|piece| Ok(Bytes::from(piece)));
        ByteStream(Box::pin(stream::iter(pieces)))
    }

    fn text(name: &str, value: &str) -> String {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    }

    /// What becomes of a body: the texts, and of a file its name, type and length.
    async fn read(body: ByteStream, text_max: usize) -> Result<Vec<String>, String> {
        let mut parts = Parts::new(body, "x".to_owned(), text_max);
        let mut found = Vec::new();
        while let Some(part) = parts.next().await.map_err(|refusal| refusal.message())? {
            found.push(match part {
                Part::Text(name, value) => format!("{name}={value}"),
                Part::File { field, name, media_type, bytes } => {
                    let bytes = bytes.collect().await.map_err(|error| error.to_string())?;
                    let kind = media_type.unwrap_or_default();
                    format!("{field}: {name} {kind} {}", bytes.len())
                }
            });
        }
        Ok(found)
    }

    #[tokio::test]
    async fn texts_and_files_in_their_order() {
        let file = "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a b.png\"\r\n\
                    Content-Type: image/png\r\n\r\n";
        let whole = [
            text("content", "Zwei\r\nZeilen").into_bytes(),
            file.as_bytes().to_vec(),
            vec![0; 700_000],
            b"\r\n".to_vec(),
            text("when", "now").into_bytes(),
            b"--x--\r\n".to_vec(),
        ];
        let want = ["content=Zwei\r\nZeilen", "files: a b.png image/png 700000", "when=now"];
        let want: Vec<String> = want.map(str::to_owned).into();
        let all = whole.concat();
        // However it is cut.
        for cut in [1_000, 4_096, 65_536] {
            let pieces = all.chunks(cut).map(<[u8]>::to_vec).collect();
            assert_eq!(read(body(pieces), 100).await, Ok(want.clone()), "{cut}");
        }
        // A file that nobody reads is passed over.
        let pieces = all.chunks(4_096).map(<[u8]>::to_vec).collect();
        let mut parts = Parts::new(body(pieces), "x".to_owned(), 100);
        let mut names = Vec::new();
        while let Some(part) = parts.next().await.unwrap() {
            names.push(match part {
                Part::Text(name, _) => name,
                Part::File { field, .. } => field,
            });
        }
        assert_eq!(names, ["content", "files", "when"]);
        let broken = body(vec![all[..900].to_vec()]);
        assert!(read(broken, 100).await.unwrap_err().contains("broke off"));
    }

    #[tokio::test]
    async fn what_has_no_end_is_refused() {
        let long = text("content", &"y".repeat(101)) + "--x--\r\n";
        let refused = read(body(vec![long.into_bytes()]), 100).await;
        assert!(refused.unwrap_err().contains("more text"));
        // Headers without an end are not collected.
        let head = b"--x\r\nContent-Disposition: form-data; ".to_vec();
        let drips = stream::iter(
            std::iter::once(head).chain(std::iter::repeat_n(vec![b'z'; 1 << 14], 4_096)),
        );
        let drips = ByteStream(Box::pin(drips.map(|piece| Ok(Bytes::from(piece)))));
        assert!(read(drips, 100).await.unwrap_err().contains("not readable"));
    }
}
