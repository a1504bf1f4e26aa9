//! Why a call brought nothing.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use http::{Method, StatusCode};
use scheduler_core::error::{ErrorCode, ErrorDetail};
use scheduler_core::media::MediaStatus;
use scheduler_core::rules::ValidationIssue;

/// Why a call brought nothing. What a program decides by is data; the sentences are for people.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The client has no key, and what was asked needs one.
    #[error("no API key")]
    NoKey,
    /// The key holds characters that no header takes.
    #[error("the API key holds characters that no key has")]
    BadKey,
    /// The idempotency key holds characters that no header takes.
    #[error("an idempotency key is 8 to 200 characters of ASCII")]
    IdempotencyKey,
    /// The address of the server is none, or holds a password or a query.
    #[error("the address of a server is one such as https://scheduler.example.com")]
    BadAddress,
    /// What stands for an id in a path is none.
    #[error("{0:?} is not an id")]
    NotAnId(String),
    /// This machine offers no TLS, or no authorities to check certificates by.
    #[error("no connection can be prepared")]
    Unprepared(#[source] reqwest::Error),
    /// No connection, or one that broke before an answer came.
    #[error("cannot reach {url}: {cause}")]
    Unreachable {
        /// The address of the server, without path and query.
        url: String,
        /// What the system says.
        cause: String,
        /// False when nothing of the call can have reached the server.
        may_have_arrived: bool,
    },
    /// The server has refused.
    #[error("{}", .0.error.message)]
    Refused(Box<Refused>),
    /// The server has refused with a code that this version does not know.
    #[error("{message}")]
    Unknown {
        /// The status of the answer.
        status: StatusCode,
        /// The code.
        code: String,
        /// For a person: what was wrong, and what is allowed.
        message: String,
    },
    /// Something else than a scheduler has answered.
    #[error("{url} has answered {status}, but not as a scheduler does")]
    NotOurs {
        /// The address of the server.
        url: String,
        /// What it has answered.
        status: StatusCode,
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// The answer is not what this version reads.
    #[error("the server has answered what this version cannot read: {0}")]
    Unreadable(serde_json::Error),
    /// The bytes of a file did not arrive.
    #[error(transparent)]
    Upload(#[from] UploadError),
    /// A transport of one's own has failed.
    #[error(transparent)]
    Transport(Box<dyn std::error::Error + Send + Sync>),
}

/// What a server has refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Refused {
    /// The error of the contract: code, message, field, issues.
    pub error: ErrorDetail,
    /// The status of the answer.
    pub status: StatusCode,
    /// How long the server wants to be left alone.
    pub retry_after: Option<Duration>,
    /// What the server calls the request in its log.
    pub request_id: Option<String>,
    /// The method of the request.
    pub method: Method,
    /// The path of the request from the root of the server, without parameters.
    pub path: String,
}

/// Why the bytes of a file did not arrive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UploadError {
    /// The file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable {
        /// The file, as it was named.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// The file is not what was declared, or has changed while it was sent.
    #[error("{} has changed while it was uploaded", .0.display())]
    Changed(PathBuf),
    /// No connection to where the server has the bytes sent, or one that broke.
    #[error("cannot send the file to {url}: {cause}")]
    Unreachable {
        /// The address, without path and query.
        url: String,
        /// What the system says.
        cause: String,
    },
    /// Where the bytes are sent, they are refused.
    #[error("{url} has answered {status} to the bytes of the file{}", colon(.said))]
    Refused {
        /// The address, without path and query.
        url: String,
        /// What it has answered.
        status: StatusCode,
        /// The sentence of the API's own errors, where it is one.
        said: Option<String>,
    },
    /// A signed address is refused, also when it is fresh.
    #[error(
        "the signed address of this upload is refused, also when fresh; are the clocks of this machine and the server right?"
    )]
    Link,
    /// There is no address for a part.
    #[error("the server gave no address for part {0}")]
    NoLink(u32),
    /// The parts that the server asks for are not those of the file.
    #[error(
        "the server asks for {count} parts of {part_bytes} bytes, which is not this file of {size_bytes} bytes"
    )]
    Parts {
        /// How many parts.
        count: u64,
        /// The bytes of each but the last.
        part_bytes: u64,
        /// The bytes of the file.
        size_bytes: u64,
    },
    /// The server fetches the file itself.
    #[error("the server does not want the bytes of this file")]
    NotWanted,
    /// The server takes nothing more.
    #[error("the upload takes nothing more: the file is {}", .0.as_str())]
    Ended(MediaStatus),
    /// A task that sent a part has ended without an answer.
    #[error("a part was given up")]
    GivenUp(#[source] tokio::task::JoinError),
}

fn colon(said: &Option<String>) -> String {
    said.as_ref().map_or_else(String::new, |said| format!(": {said}"))
}

impl Error {
    /// The code of a refusal.
    #[must_use]
    pub const fn code(&self) -> Option<ErrorCode> {
        if let Self::Refused(refused) = self { Some(refused.error.code) } else { None }
    }

    /// The path of the field that was refused, such as `targets[0].platform`.
    #[must_use]
    pub fn field(&self) -> Option<&str> {
        self.refused()?.error.field.as_deref()
    }

    /// What the networks would say to a refused post.
    #[must_use]
    pub fn issues(&self) -> &[ValidationIssue] {
        let issues = self.refused().and_then(|refused| refused.error.issues.as_deref());
        issues.unwrap_or_default()
    }

    /// How long the server, or something before it, wants to be left alone.
    #[must_use]
    pub const fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused(refused) => refused.retry_after,
            Self::NotOurs { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// True for what may be gone at the next try: no answer, one that puts off, and a fault of the
    /// server. Whether the call may be sent again is another question.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Unreachable { .. })
            || self.is_put_off()
            || matches!(self.code(), Some(ErrorCode::Internal | ErrorCode::Unavailable))
    }

    /// True for 429, also of something before the server: nothing of the call was taken.
    pub(crate) fn is_put_off(&self) -> bool {
        match self {
            Self::Refused(refused) => refused.error.code == ErrorCode::RateLimited,
            Self::NotOurs { status, .. } | Self::Unknown { status, .. } => {
                *status == StatusCode::TOO_MANY_REQUESTS
            }
            _ => false,
        }
    }

    /// What the server calls the request in its log.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.refused()?.request_id.as_deref()
    }

    /// The refusal of the server, if it is one.
    #[must_use]
    pub const fn refused(&self) -> Option<&Refused> {
        if let Self::Refused(refused) = self { Some(refused) } else { None }
    }

    /// The call to this address that brought no answer.
    #[must_use]
    pub fn unreachable(url: &str, error: &reqwest::Error) -> Self {
        Self::Unreachable {
            url: url.to_owned(),
            cause: crate::transport::cause(error),
            may_have_arrived: !error.is_connect(),
        }
    }

    /// An answer of this address that is none of a scheduler's.
    #[must_use]
    pub fn not_ours(url: &str, status: StatusCode) -> Self {
        let url = url.to_owned();
        let is_gateway = matches!(
            status,
            StatusCode::BAD_GATEWAY | StatusCode::SERVICE_UNAVAILABLE | StatusCode::GATEWAY_TIMEOUT
        );
        if is_gateway {
            // A proxy before a server that does not run, or not yet again.
            let cause = format!("something before it has answered {status}");
            return Self::Unreachable { url, cause, may_have_arrived: true };
        }
        Self::NotOurs { url, status, retry_after: None }
    }
}
