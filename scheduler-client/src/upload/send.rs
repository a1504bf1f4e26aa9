//! Sending one part of a file to its signed address.

use std::collections::BTreeMap;
use std::io::SeekFrom;
use std::path::PathBuf;
use std::time::Duration;

use futures_util::TryStreamExt as _;
use http::{Request, Response};
use reqwest::header::{CONTENT_LENGTH, ETAG};
use reqwest::{Body, StatusCode};
use scheduler_core::app::UploadView;
use scheduler_core::bytes::Bytes;
use scheduler_core::error::ErrorBody;
use scheduler_core::ids::MediaId;
use scheduler_core::platform::is_loopback;
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};
use tokio::sync::Mutex;
use tokio_util::io::ReaderStream;
use url::Url;

use super::attempt::{Attempt, Watcher};
use crate::client::Client;
use crate::error::{Error, UploadError};
use crate::transport::{Pieces, cause};

/// Where the paths of signed links begin.
const FILES: &str = "/files/";
/// Bytes that are read at a time, and held for each part that is being sent.
const PIECE_BYTES: usize = 64 * 1024;
/// How long nothing of a part may move, its answer included. A slow disk at the other end counts.
const IDLE_TIMEOUT: Duration = Duration::from_secs(120);
/// How often a part is sent again after the connection was lost or the other end failed.
const REPEATS_MAX: u32 = 6;
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// Lost connections in a row after which a part asks for a fresh link: the server may have come
/// back under another address.
const RENEWS_AFTER: u32 = 2;
/// How often a part gets a fresh link: one that was refused just after it was made stays refused.
const RENEWALS_MAX: u32 = 3;

/// A piece of the file that goes out in one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// Its number, from 1.
    pub(super) number: u32,
    /// Where it begins, in bytes.
    pub(super) offset: u64,
    /// Its length in bytes.
    pub(super) length: u64,
}

/// Signed addresses, as the server gave them last.
pub(super) struct Links {
    /// How often they were renewed.
    generation: u32,
    urls: BTreeMap<u32, String>,
    /// Headers that belong to each call.
    headers: BTreeMap<String, String>,
}

/// What the parts of one upload share.
pub(super) struct Sender {
    /// The server, for fresh links.
    pub(super) client: Client,
    /// Sends bytes to this machine.
    pub(super) near: reqwest::Client,
    /// Sends bytes elsewhere.
    pub(super) far: reqwest::Client,
    pub(super) path: PathBuf,
    pub(super) media_id: MediaId,
    /// Where the parts go.
    pub(super) links: Mutex<Links>,
    pub(super) watcher: Watcher,
}

/// Why the bytes of a file did not arrive.
#[derive(Debug)]
pub(super) enum SendError {
    /// The place that took them is gone: it was finished, given up or never there.
    Gone(Error),
    Other(Error),
}

impl<E: Into<Error>> From<E> for SendError {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// Why one call was in vain.
enum PutError {
    /// The link is not taken, any more or at all.
    Link,
    /// Another try may succeed.
    Passing(UploadError),
    /// Another try cannot.
    Lasting(SendError),
}

impl Links {
    /// The addresses of an upload.
    ///
    /// # Errors
    /// [`UploadError::NotWanted`] for a file that nobody uploads.
    pub(super) fn of(upload: UploadView) -> Result<Self, UploadError> {
        match upload {
            UploadView::Single { upload_url, headers } => {
                Ok(Self { generation: 0, urls: BTreeMap::from([(1, upload_url)]), headers })
            }
            UploadView::Multipart { part_size: _, parts } => {
                let urls = parts.into_iter().map(|part| (part.part_number, part.url)).collect();
                Ok(Self { generation: 0, urls, headers: BTreeMap::new() })
            }
            UploadView::Ingest {} => Err(UploadError::NotWanted),
        }
    }
}

impl Sender {
    /// Sends a part, again where that may help, and returns its ETag.
    pub(super) async fn send(&self, part: Part) -> Result<String, SendError> {
        let (mut repeats, mut renewals, mut pause) = (0, 0, FIRST_PAUSE);
        loop {
            let (generation, url, headers) = self.link(part).await?;
            let attempt = Attempt::new(&self.watcher);
            match self.put(part, &url, headers, &attempt).await {
                Ok(etag) => {
                    attempt.keep();
                    return Ok(etag);
                }
                Err(PutError::Link) if renewals < RENEWALS_MAX => {
                    renewals += 1;
                    self.renew(generation).await?;
                }
                Err(PutError::Link) => return Err(UploadError::Link.into()),
                Err(PutError::Passing(error)) if repeats < REPEATS_MAX => {
                    repeats += 1;
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                    let is_lost = matches!(error, UploadError::Unreachable { .. });
                    if is_lost && repeats >= RENEWS_AFTER {
                        self.renew(generation).await?;
                    }
                }
                Err(PutError::Passing(error)) => return Err(error.into()),
                Err(PutError::Lasting(error)) => return Err(error),
            }
        }
    }

    async fn link(
        &self,
        part: Part,
    ) -> Result<(u32, String, BTreeMap<String, String>), UploadError> {
        let links = self.links.lock().await;
        let url = links.urls.get(&part.number).ok_or(UploadError::NoLink(part.number))?;
        Ok((links.generation, url.clone(), links.headers.clone()))
    }

    /// Gets fresh links, unless another part has done so since `seen`.
    async fn renew(&self, seen: u32) -> Result<(), SendError> {
        let mut links = self.links.lock().await;
        if links.generation != seen {
            return Ok(());
        }
        let shown = self.client.media(self.media_id).await?;
        let Some(upload) = shown.upload else {
            return Err(SendError::Gone(UploadError::Ended(shown.media.status).into()));
        };
        *links = Links { generation: seen + 1, ..Links::of(upload)? };
        Ok(())
    }

    async fn put(
        &self,
        part: Part,
        url: &str,
        headers: BTreeMap<String, String>,
        attempt: &Attempt,
    ) -> Result<String, PutError> {
        let body = self.body(part, attempt).await.map_err(|cause| {
            let path = self.path.clone();
            PutError::Lasting(UploadError::Unreadable { path, cause }.into())
        })?;
        let lost = |cause| PutError::Passing(UploadError::Unreachable { url: origin(url), cause });
        let answer = tokio::select! {
            answer = self.answer(part, url, headers, body) => answer,
            () = stalled(attempt) => {
                return Err(lost(format!("nothing moved for {} s", IDLE_TIMEOUT.as_secs())));
            }
        };
        let answer = answer.map_err(lost)?;
        if answer.status().is_success() {
            let etag = answer.headers().get(ETAG).and_then(|etag| etag.to_str().ok());
            return Ok(etag.unwrap_or_default().to_owned());
        }
        Err(refused(answer.status(), answer.body(), url))
    }

    /// What a signed address answers to the bytes of a part, or why it has not.
    async fn answer(
        &self,
        part: Part,
        url: &str,
        headers: BTreeMap<String, String>,
        body: Pieces,
    ) -> Result<Response<Bytes>, String> {
        if let Some(files) = self.client.transport().files() {
            let path = url.rfind(FILES).and_then(|from| url.get(from..)).unwrap_or(url);
            let request = Request::put(path).header(CONTENT_LENGTH, part.length).body(body);
            let request = request.map_err(|error| error.to_string())?;
            return files.put(request).await.map_err(|error| error.to_string());
        }
        let is_near = Url::parse(url).is_ok_and(|url| is_loopback(&url));
        let http = if is_near { &self.near } else { &self.far };
        let mut request = http.put(url).header(CONTENT_LENGTH, part.length);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let answer = request.body(Body::wrap_stream(body)).send().await;
        let answer = answer.map_err(|error| cause(&error))?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        let mut response = Response::new(answer.bytes().await.unwrap_or_default());
        (*response.status_mut(), *response.headers_mut()) = (status, headers);
        Ok(response)
    }

    /// The bytes of a part, read as they are sent.
    async fn body(&self, part: Part, attempt: &Attempt) -> std::io::Result<Pieces> {
        let mut file = File::open(&self.path).await?;
        file.seek(SeekFrom::Start(part.offset)).await?;
        let count = attempt.counter();
        let pieces = ReaderStream::with_capacity(file.take(part.length), PIECE_BYTES);
        Ok(Box::pin(pieces.inspect_ok(move |piece| count(piece.len() as u64))))
    }
}

/// Ends when nothing of an attempt has moved for too long.
async fn stalled(attempt: &Attempt) {
    loop {
        let before = attempt.sent_bytes();
        tokio::time::sleep(IDLE_TIMEOUT).await;
        if attempt.sent_bytes() == before {
            return;
        }
    }
}

/// What a refusal means. Nothing of a body is shown but the message of an error of the API.
fn refused(status: StatusCode, body: &[u8], url: &str) -> PutError {
    let said = serde_json::from_slice::<ErrorBody>(body).map(|body| body.error.message).ok();
    let error = UploadError::Refused { url: origin(url), status, said };
    let is_passing = status.is_server_error()
        || matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS);
    match status {
        StatusCode::FORBIDDEN => PutError::Link,
        _ if is_passing => PutError::Passing(error),
        StatusCode::NOT_FOUND | StatusCode::CONFLICT | StatusCode::GONE => {
            PutError::Lasting(SendError::Gone(error.into()))
        }
        _ => PutError::Lasting(error.into()),
    }
}

/// The beginning of an address, without what signs it.
fn origin(url: &str) -> String {
    Url::parse(url)
        .map_or_else(|_| "the file store".into(), |url| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_refusal_means() {
        let ours = br#"{"error":{"code":"invalid_request","message":"This link takes 7 bytes."}}"#;
        for (status, want) in [
            (400, "lasting"),
            (403, "link"),
            (404, "gone"),
            (408, "passing"),
            (409, "gone"),
            (413, "lasting"),
            (429, "passing"),
            (500, "passing"),
            (503, "passing"),
        ] {
            let status = StatusCode::from_u16(status).unwrap();
            let found = match refused(status, ours, "http://h:1/files/a?signature=s3cret") {
                PutError::Link => "link",
                PutError::Passing(_) => "passing",
                PutError::Lasting(SendError::Gone(_)) => "gone",
                PutError::Lasting(SendError::Other(error)) => {
                    let said = error.to_string();
                    assert!(said.ends_with("the file: This link takes 7 bytes."), "{said}");
                    assert!(said.starts_with("http://h:1 has answered 4"), "{said}");
                    "lasting"
                }
            };
            assert_eq!(found, want, "{status}");
        }
    }
}
