//! Documents in which programs that want to be connected say who they are.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::ACCEPT;
use reqwest::{Client, Response};
use scheduler_core::oauth::{ClientId, DOCUMENT_MAX_BYTES};
use scheduler_core::ports::{ClientDocuments, DocumentError};
use tokio::sync::Semaphore;

use super::client::{ClientError, Limits, build, reason, refusal};
use super::{Guard, Refusal};

/// How long a call may take. Source: our decision; a person waits for it.
const LIMITS: Limits = Limits { connect: Duration::from_secs(5), whole: Duration::from_secs(10) };

/// Calls that go on at the same time at most. Source: our decision; each takes a part of a second.
const CALLS_MAX: usize = 16;

/// Reads documents over https. Follows no redirect, as the address is who the program is.
#[derive(Debug)]
pub struct DocumentReader {
    client: Client,
    guard: Guard,
    calls: Semaphore,
}

impl DocumentReader {
    /// A reader that calls only what `guard` lets through.
    ///
    /// # Errors
    /// [`ClientError`]
    pub fn new(guard: Guard) -> Result<Self, ClientError> {
        let client = build(guard.clone(), LIMITS)?;
        Ok(Self { client, guard, calls: Semaphore::new(CALLS_MAX) })
    }
}

#[async_trait]
impl ClientDocuments for DocumentReader {
    async fn document(&self, id: &ClientId) -> Result<Vec<u8>, DocumentError> {
        let refused = |refusal: &Refusal| DocumentError::Refused(refusal.to_string());
        self.guard.check(id.address()).map_err(|error| refused(&error))?;
        let Ok(_call) = self.calls.try_acquire() else {
            return Err(DocumentError::Unavailable(format!("{CALLS_MAX} are read already")));
        };
        let failed = |error: reqwest::Error| match refusal(&error) {
            Some(refusal) => refused(refusal),
            None if error.is_timeout() => {
                DocumentError::Unavailable("its server did not answer in time".to_owned())
            }
            None => DocumentError::Unavailable(reason(&error)),
        };
        let call = self.client.get(id.address().clone()).header(ACCEPT, "application/json");
        let answer = call.send().await.map_err(failed)?;
        let status = answer.status();
        match status.as_u16() {
            200 => body(answer).await.map_err(|error| error.map_or_else(too_long, failed)),
            429 | 500.. => Err(DocumentError::Unavailable(format!("its server answers {status}"))),
            _ => Err(DocumentError::Refused(format!("its server answers {status}"))),
        }
    }
}

fn too_long() -> DocumentError {
    let kib = DOCUMENT_MAX_BYTES >> 10;
    DocumentError::Refused(format!("its document has more than {kib} KiB"))
}

/// The whole body.
///
/// # Errors
/// `None` when it is too long.
async fn body(mut answer: Response) -> Result<Vec<u8>, Option<reqwest::Error>> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(Some)? {
        if body.len() + chunk.len() > DOCUMENT_MAX_BYTES {
            return Err(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::client::builder;
    use super::super::fetch::testing::{PUBLIC, Reply, Site};
    use super::super::names::SystemNames;
    use super::*;

    /// A reader to which that site is a public one, and who does not wait for long.
    fn reader(site: &Site) -> DocumentReader {
        let guard = Guard::new(false).exempting(PUBLIC);
        let client = builder(guard.clone(), Arc::new(SystemNames), LIMITS.connect)
            .timeout(Duration::from_millis(500))
            .tls_certs_only([site.certificate.clone()]);
        DocumentReader { client: client.build().unwrap(), guard, calls: Semaphore::new(CALLS_MAX) }
    }

    fn status(status: &str) -> Reply {
        Reply::Bytes(format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").into_bytes())
    }

    /// What became of reading, in a word.
    fn kind(read: &Result<Vec<u8>, DocumentError>) -> &'static str {
        match read {
            Ok(_) => "read",
            Err(DocumentError::Unavailable(_)) => "unavailable",
            Err(DocumentError::Refused(_)) => "refused",
        }
    }

    #[tokio::test]
    async fn answers() {
        let endless = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
        let site = Site::secure(&[
            ("/client", Reply::file("", b"{}")),
            ("/longest", Reply::file("", &[b' '; DOCUMENT_MAX_BYTES])),
            ("/longer", Reply::file("", &[b' '; DOCUMENT_MAX_BYTES + 1])),
            ("/endless", Reply::Endless(endless.clone())),
            ("/elsewhere", Reply::to("/client")),
            ("/fault", status("503 Service Unavailable")),
            ("/busy", status("429 Too Many Requests")),
            ("/stuck", Reply::Stuck(endless)),
        ])
        .await;
        let reader = reader(&site);
        for (path, want) in [
            ("client", "read"),
            ("longest", "read"),
            ("longer", "refused"),
            ("endless", "refused"),
            ("elsewhere", "refused"),
            ("nothing", "refused"),
            ("fault", "unavailable"),
            ("busy", "unavailable"),
            ("stuck", "unavailable"),
        ] {
            let id = ClientId::parse(&format!("https://{}/{path}", site.address)).unwrap();
            let read = reader.document(&id).await;
            assert_eq!(kind(&read), want, "{path}: {read:?}");
        }
    }

    #[tokio::test]
    async fn nothing_inside_is_called() {
        let reader = DocumentReader::new(Guard::new(false)).unwrap();
        for id in [
            "https://127.0.0.1/client.json",
            "https://[::1]/client.json",
            "https://10.0.0.1/client.json",
            "https://169.254.169.254/latest/meta-data",
            "https://localhost/client.json",
            "https://db.internal/client.json",
        ] {
            let read = reader.document(&ClientId::parse(id).unwrap()).await;
            assert_eq!(kind(&read), "refused", "{id}: {read:?}");
        }
    }
}
