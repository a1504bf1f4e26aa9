//! Fetching files by their links, as networks do: beside the calls, and in its own time. Only
//! this machine is called.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::Uri;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::network::LiveMedia;
use crate::step;
use crate::written::as_base64;

/// How long a link may take to be connected to, and to give its next bytes.
const CONNECT_WAIT: Duration = Duration::from_secs(5);
const READ_WAIT: Duration = Duration::from_secs(30);

/// Bytes of a file that are kept, by which it is told.
const HEAD_BYTES: usize = 64 * 1024;

/// Bytes of an answer's head that are read.
const HEADERS_BYTES: u64 = 64 * 1024;

/// A file that was fetched.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Fetched {
    pub(crate) file: LiveMedia,
    #[serde(with = "as_base64")]
    pub(crate) head: Vec<u8>,
}

/// A fetch that is under way or has ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fetch(Arc<OnceLock<Option<Fetched>>>);

impl Fetch {
    /// Returns what came of it: `None` while it is under way, and `Some(None)` when it failed.
    pub(crate) fn ended(&self) -> Option<Option<&Fetched>> {
        self.0.get().map(Option::as_ref)
    }

    /// Returns a fetch of a file that is there already.
    pub(crate) fn done(fetched: Fetched) -> Self {
        Self(Arc::new(OnceLock::from(Some(fetched))))
    }

    /// Ends it with what came of it.
    pub(crate) fn end(&self, fetched: Option<Fetched>) {
        // Nobody else sets it.
        let _ = self.0.set(fetched);
    }

    /// Waits for its end.
    #[cfg(test)]
    pub(crate) fn wait(&self) -> Option<&Fetched> {
        self.0.wait().as_ref()
    }
}

/// Says where a link leads; `None` when it does not lead to this machine.
pub(crate) fn address(link: &str) -> Option<SocketAddr> {
    let uri: Uri = link.parse().ok()?;
    if uri.scheme_str() != Some("http") {
        return None;
    }
    let host = uri.host()?.trim_start_matches('[').trim_end_matches(']');
    // No other name is looked up.
    let ip = if host == "localhost" { Ipv4Addr::LOCALHOST.into() } else { host.parse().ok()? };
    let address = SocketAddr::new(ip, uri.port_u16().unwrap_or(80));
    address.ip().is_loopback().then_some(address)
}

/// Begins to fetch a link. Within a step, whoever runs the step calls [`run`].
pub(crate) fn begin(link: &str) -> Fetch {
    let fetch = Fetch::default();
    if let Err((link, fetch)) = step::leave((link.to_owned(), fetch.clone())) {
        run(link, move |fetched| fetch.end(fetched));
    }
    fetch
}

/// Fetches a link on a thread of its own, and hands over what came of it.
pub(crate) fn run(link: String, done: impl FnOnce(Option<Fetched>) + Send + 'static) {
    let run = move || {
        done(get(&link).inspect_err(|error| tracing::debug!(%error, "not fetched")).ok());
    };
    if let Err(error) = std::thread::Builder::new().name("sandbox-fetch".to_owned()).spawn(run) {
        // The post waits for its file, as it does at a network that is slow.
        tracing::warn!(%error, "a file cannot be fetched");
    }
}

fn get(link: &str) -> std::io::Result<Fetched> {
    let wrong = |what: &str| std::io::Error::other(what.to_owned());
    let uri: Uri = link.parse().map_err(|_| wrong("the link is none"))?;
    let authority = uri.authority().ok_or_else(|| wrong("the link has no host"))?;
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let address = address(link).ok_or_else(|| wrong("the link leads elsewhere"))?;
    let mut stream = TcpStream::connect_timeout(&address, CONNECT_WAIT)?;
    stream.set_read_timeout(Some(READ_WAIT))?;
    stream.set_write_timeout(Some(READ_WAIT))?;
    // Of the first version, in which a body ends with its connection.
    let request = format!(
        "GET {path} HTTP/1.0\r\nhost: {authority}\r\nuser-agent: facebookexternalhit/1.1\r\n\r\n"
    );
    // In one piece: a server that answers and closes before it has read all cuts its answer off.
    stream.write_all(request.as_bytes())?;

    let mut reader = BufReader::new(stream);
    let mut lines = reader.by_ref().take(HEADERS_BYTES);
    let mut line = String::new();
    lines.read_line(&mut line)?;
    if line.split(' ').nth(1) != Some("200") {
        return Err(wrong("the answer is not 200"));
    }
    let (mut length, mut media_type) = (None, "application/octet-stream".to_owned());
    loop {
        line.clear();
        if lines.read_line(&mut line)? == 0 {
            return Err(wrong("the answer ends early"));
        }
        let Some((name, value)) = line.trim().split_once(':') else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse::<u64>().ok(),
            "content-type" => value.trim().clone_into(&mut media_type),
            _ => {}
        }
    }

    let (mut hash, mut head, mut bytes) = (Sha256::new(), Vec::new(), 0_u64);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let count = reader.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        let piece = buffer.get(..count).unwrap_or_default();
        hash.update(piece);
        let room = HEAD_BYTES.saturating_sub(head.len()).min(count);
        head.extend(piece.iter().take(room));
        bytes += count as u64;
    }
    if length.is_some_and(|length| length != bytes) {
        return Err(wrong("the file ends early"));
    }
    let file = LiveMedia { media_type, bytes, sha256: hash.finalize().into() };
    Ok(Fetched { file, head })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// Answers one request.
    fn serve(answer: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/file?x=1", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut line = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            while reader.read_line(&mut line).unwrap() > 2 {}
            assert!(line.starts_with("GET /file?x=1 HTTP/1.0\r\n"), "{line}");
            stream.write_all(answer.as_bytes()).unwrap();
        });
        url
    }

    #[test]
    fn a_link_is_read_to_its_end() {
        for (name, answer, want) in [
            (
                "whole",
                "HTTP/1.0 200 OK\r\nContent-Type: image/png\r\ncontent-length: 3\r\n\r\nabc",
                Some(("image/png", 3)),
            ),
            (
                "without a length",
                "HTTP/1.1 200 OK\r\n\r\nab",
                Some(("application/octet-stream", 2)),
            ),
            ("cut", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab", None),
            ("gone", "HTTP/1.1 404 Not Found\r\n\r\n", None),
            ("nothing", "", None),
        ] {
            let fetch = begin(&serve(answer));
            let fetched = fetch.wait();
            let fetched = fetched.map(|it| (it.file.media_type.as_str(), it.file.bytes));
            assert_eq!(fetched, want, "{name}");
        }
    }

    #[test]
    fn only_this_machine_is_called() {
        for (link, want) in [
            ("http://127.0.0.1:8080/a", true),
            ("http://[::1]:8080/a", true),
            ("http://192.0.2.1/a", false),
            ("https://127.0.0.1/a", false),
            ("memory:get/a", false),
            ("", false),
        ] {
            assert_eq!(address(link).is_some(), want, "{link}");
        }
    }
}
