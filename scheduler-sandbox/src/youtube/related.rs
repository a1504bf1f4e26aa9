//! Bodies of the type `multipart/related`: JSON that speaks of a file, then the file.
//!
//! Google's own libraries differ in how they end lines: the one for Python writes LF.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/captions/insert>,
//! <https://developers.google.com/youtube/v3/docs/videos/insert>.

use http::header::CONTENT_TYPE;
use serde_json::Value;

use crate::request::Request;

/// A file and what is said of it.
pub(super) struct Related {
    pub(super) about: Value,
    /// The declared type of the file.
    pub(super) media_type: String,
    pub(super) content: Vec<u8>,
}

impl Related {
    /// Reads the body of a request; `None` where it is of another form, or too large to be kept.
    pub(super) fn read(request: &Request) -> Option<Self> {
        if request.content_type() != "multipart/related"
            || request.query("uploadType") != Some("multipart")
        {
            return None;
        }
        let declared = request.headers.get(CONTENT_TYPE)?.to_str().ok()?;
        let boundary = declared.split_once("boundary=")?.1.split(';').next()?;
        let delimiter = format!("--{}", boundary.trim().trim_matches('"'));
        let body = request.body.whole()?;
        let [about, file] = parts(body, delimiter.as_bytes())?.try_into().ok()?;
        let (_, about) = split(about)?;
        let (headers, content) = split(file)?;
        let headers = String::from_utf8_lossy(headers).to_ascii_lowercase();
        let media_type = headers.lines().find_map(|line| line.strip_prefix("content-type:"));
        Some(Self {
            about: serde_json::from_slice(about).ok()?,
            media_type: media_type.unwrap_or_default().trim().to_owned(),
            content: content.to_vec(),
        })
    }
}

/// The parts of a body, each with its headers; `None` for one that does not end.
fn parts<'a>(body: &'a [u8], delimiter: &[u8]) -> Option<Vec<&'a [u8]>> {
    let is_start = |at: &usize| *at == 0 || body.get(at - 1) == Some(&b'\n');
    let windows = body.windows(delimiter.len()).enumerate();
    let found = windows.filter(|(_, window)| *window == delimiter).map(|(at, _)| at);
    let found: Vec<usize> = found.filter(is_start).collect();
    let end = found.last()? + delimiter.len();
    if !body.get(end..)?.starts_with(b"--") {
        return None;
    }
    let between = found.windows(2).filter_map(|pair| {
        let part = body.get(pair[0] + delimiter.len()..pair[1])?;
        let part = part.strip_suffix(b"\n")?;
        Some(part.strip_suffix(b"\r").unwrap_or(part))
    });
    Some(between.collect())
}

/// The headers of a part, and what follows the empty line.
fn split(part: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = |end: &[u8]| part.windows(end.len()).position(|window| window == end);
    let (at, length) = match (at(b"\r\n\r\n"), at(b"\n\n")) {
        (Some(crlf), Some(lf)) if lf < crlf => (lf, 2),
        (Some(crlf), _) => (crlf, 4),
        (None, Some(lf)) => (lf, 2),
        (None, None) => return None,
    };
    Some((part.get(..at)?, part.get(at + length..)?))
}
