//! What the beginning of an answer means.

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderName, LOCATION};
use reqwest::{Response, StatusCode};
use scheduler_core::ports::FetchError;

use super::super::client::{reason, refusal, tls_fault};

/// Types of answers that are no file, whatever their bytes: pages that ask to sign in, and
/// descriptions of errors.
const PAGES: [(&str, &str); 3] =
    [(HTML[0], "a web page"), (HTML[1], "a web page"), ("application/json", "data")];

/// Types of web pages.
pub(super) const HTML: [&str; 2] = ["text/html", "application/xhtml+xml"];

/// What to do with an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Its body is the file.
    File,
    /// The file is at another address.
    Elsewhere(String),
}

/// Where an answer leads on to; `None` where it brings what was asked for.
///
/// # Errors
/// [`FetchError`] by what asking again could change.
pub(super) fn elsewhere(host: &str, answer: &Response) -> Result<Option<String>, FetchError> {
    let status = answer.status();
    let says = |tail: &str| format!("{host} answered with status {}{tail}", status.as_u16());
    match status {
        StatusCode::OK | StatusCode::NON_AUTHORITATIVE_INFORMATION => Ok(None),
        StatusCode::MOVED_PERMANENTLY
        | StatusCode::FOUND
        | StatusCode::SEE_OTHER
        | StatusCode::TEMPORARY_REDIRECT
        | StatusCode::PERMANENT_REDIRECT => {
            let location = text(answer, &LOCATION);
            let location = location.map(|location| Some(location.to_owned()));
            location.ok_or_else(|| FetchError::Refused(says(", but not where the file is.")))
        }
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS => {
            Err(FetchError::Temporary(says(".")))
        }
        _ if status.is_server_error() => Err(FetchError::Temporary(says("."))),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Err(FetchError::Refused(says("; the file is not public there.")))
        }
        StatusCode::NOT_FOUND | StatusCode::GONE => {
            Err(FetchError::Refused(says("; there is no such file.")))
        }
        _ => Err(FetchError::Refused(says(", which brings no file."))),
    }
}

/// Decides by status and headers; what type the file is, its bytes decide later.
///
/// # Errors
/// [`FetchError`] by what asking again could change.
pub(super) fn judge(host: &str, answer: &Response, max_bytes: u64) -> Result<Verdict, FetchError> {
    if let Some(location) = elsewhere(host, answer)? {
        return Ok(Verdict::Elsewhere(location));
    }
    if let Some(encoding) = text(answer, &CONTENT_ENCODING)
        && !encoding.trim().eq_ignore_ascii_case("identity")
    {
        return Err(FetchError::Refused(format!(
            "{host} sends the file compressed, although it was asked not to."
        )));
    }
    if let Some((media_type, what)) = text(answer, &CONTENT_TYPE).and_then(page) {
        return Err(FetchError::Refused(format!(
            "{host} answered with {what} ({media_type}), not with a picture or video; \
             the address must be that of the file itself."
        )));
    }
    match answer.content_length() {
        Some(0) => Err(FetchError::Refused(format!("The file at {host} is empty."))),
        Some(length) if length > max_bytes => {
            let sentence = format!(
                "The file at {host} is {length} bytes; {max_bytes} bytes are allowed at most."
            );
            Err(FetchError::Refused(sentence))
        }
        Some(_) | None => Ok(Verdict::File),
    }
}

/// What kept an answer from coming, in words that hold no part of the address but its host.
pub(super) fn failed(host: &str, error: &reqwest::Error) -> FetchError {
    if let Some(refusal) = refusal(error) {
        FetchError::Refused(format!("No file is fetched from there: {refusal}."))
    } else if let Some(fault) = tls_fault(error) {
        FetchError::Refused(format!("No secure connection to {host} can be made: {fault}."))
    } else if error.is_timeout() {
        FetchError::Temporary(format!("{host} does not answer."))
    } else if error.is_connect() {
        FetchError::Temporary(format!("No connection to {host} can be made: {}.", reason(error)))
    } else {
        FetchError::Temporary(format!("{host} gives no answer that is HTTP: {}.", reason(error)))
    }
}

pub(super) fn text<'a>(answer: &'a Response, name: &HeaderName) -> Option<&'a str> {
    // Some servers write addresses in UTF-8.
    answer.headers().get(name).and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
}

/// The type, and what it is called, when it is one of a page.
fn page(content_type: &str) -> Option<(&'static str, &'static str)> {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    PAGES.into_iter().find(|(media_type, _)| media_type.eq_ignore_ascii_case(essence))
}
