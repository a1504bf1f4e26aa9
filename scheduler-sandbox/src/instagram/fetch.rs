//! Fetching a file by its link, as the network does with `image_url` and `video_url`.
//!
//! Only this machine is asked: a sandbox reaches out to nobody else.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// How long a file may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// First bytes of a file that are kept, by which it is told.
const HEAD_BYTES: usize = 64 * 1024;
/// Longest head of an answer.
const ANSWER_HEAD_BYTES: usize = 32 * 1024;

/// A file that was fetched.
#[derive(Clone, Debug)]
pub(super) struct Fetched {
    pub(super) media_type: String,
    pub(super) bytes: u64,
    pub(super) sha256: [u8; 32],
    pub(super) head: Vec<u8>,
}

/// Where a fetch stands.
#[derive(Clone, Debug)]
pub(super) enum FetchState {
    Running,
    Done(Fetched),
    Failed(String),
}

/// A fetch that goes on by itself.
#[derive(Clone, Debug)]
pub(super) struct Fetch(Arc<Mutex<FetchState>>);

impl Fetch {
    /// Begins to fetch a file.
    pub(super) fn begin(url: &str) -> Self {
        let fetch = Self(Arc::new(Mutex::new(FetchState::Running)));
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => {
                let (fetch, url) = (fetch.clone(), url.to_owned());
                runtime.spawn(async move {
                    let got = tokio::time::timeout(PATIENCE, get(&url)).await;
                    fetch.end(match got {
                        Ok(Ok(fetched)) => FetchState::Done(fetched),
                        Ok(Err(reason)) => FetchState::Failed(reason),
                        Err(_) => FetchState::Failed("it took too long".to_owned()),
                    });
                });
            }
            Err(_) => fetch.end(FetchState::Failed("nothing can be fetched here".to_owned())),
        }
        fetch
    }

    /// A file that is there already.
    pub(super) fn done(fetched: Fetched) -> Self {
        Self(Arc::new(Mutex::new(FetchState::Done(fetched))))
    }

    pub(super) fn state(&self) -> FetchState {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn end(&self, state: FetchState) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }
}

/// Splits a link into host and port, and path.
fn parts(url: &str) -> Result<(String, String), String> {
    let rest = url.strip_prefix("http://").ok_or("only http of this machine is fetched")?;
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    if !matches!(name, "127.0.0.1" | "localhost" | "[::1]") {
        return Err("only files of this machine are fetched".to_owned());
    }
    let address = if host == name { format!("{host}:80") } else { host.to_owned() };
    Ok((address, if path.is_empty() { "/".to_owned() } else { path.to_owned() }))
}

async fn get(url: &str) -> Result<Fetched, String> {
    let (address, path) = parts(url)?;
    let failed = |error: std::io::Error| error.to_string();
    let mut stream = TcpStream::connect(&address).await.map_err(failed)?;
    // The older version ends its answer by closing, whatever its length.
    let request = format!(
        "GET {path} HTTP/1.0\r\nHost: {address}\r\nUser-Agent: facebookexternalhit/1.1\r\nAccept: */*\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.map_err(failed)?;
    let mut read = Vec::new();
    let mut piece = vec![0; 64 * 1024];
    let end = loop {
        if let Some(at) = read.windows(4).position(|window| window == b"\r\n\r\n") {
            break at;
        }
        let count = stream.read(&mut piece).await.map_err(failed)?;
        if count == 0 || read.len() > ANSWER_HEAD_BYTES {
            return Err("the answer is no HTTP".to_owned());
        }
        read.extend_from_slice(&piece[..count]);
    };
    let (media_type, length) = head(&read[..end])?;
    let mut file = read.split_off(end + 4);
    let mut hash = Sha256::new();
    let mut bytes = 0;
    let mut kept = Vec::new();
    loop {
        bytes += file.len() as u64;
        hash.update(&file);
        let room = HEAD_BYTES.saturating_sub(kept.len()).min(file.len());
        kept.extend_from_slice(&file[..room]);
        if length.is_some_and(|length| bytes >= length) {
            break;
        }
        let count = stream.read(&mut piece).await.map_err(failed)?;
        if count == 0 {
            break;
        }
        file.clear();
        file.extend_from_slice(&piece[..count]);
    }
    if length.is_some_and(|length| bytes != length) {
        return Err("the file broke off".to_owned());
    }
    Ok(Fetched { media_type, bytes, sha256: hash.finalize().into(), head: kept })
}

/// Reads media type and length out of the head of an answer.
fn head(bytes: &[u8]) -> Result<(String, Option<u64>), String> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    if status != "200" {
        return Err(format!("the answer was {status}"));
    }
    let (mut media_type, mut length) = (String::new(), None);
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-type") {
            media_type = value.split(';').next().unwrap_or_default().trim().to_owned();
        } else if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().ok();
        }
    }
    Ok((media_type, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_asked() {
        for (url, want) in [
            ("http://127.0.0.1:81/a?b=c", Some(("127.0.0.1:81", "/a?b=c"))),
            ("http://localhost/a", Some(("localhost:80", "/a"))),
            ("http://127.0.0.1:81", Some(("127.0.0.1:81", "/"))),
            ("https://127.0.0.1/a", None),
            ("http://example.com/a", None),
            ("http://127.0.0.1.example.com/a", None),
            ("memory:a", None),
        ] {
            let got = parts(url).ok();
            let got = got.as_ref().map(|(address, path)| (address.as_str(), path.as_str()));
            assert_eq!(got, want, "{url}");
        }
    }

    #[test]
    fn answers_are_read_by_their_head() {
        let ok = b"HTTP/1.0 200 OK\r\ncontent-type: image/jpeg; x=1\r\nContent-Length: 5";
        assert_eq!(head(ok), Ok(("image/jpeg".to_owned(), Some(5))));
        assert_eq!(head(b"HTTP/1.1 403 No"), Err("the answer was 403".to_owned()));
    }
}
