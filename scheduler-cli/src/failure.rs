//! Why a command did not do what was asked, and what to do next.

use scheduler_core::error::{AppError, ErrorBody, ErrorCode, Refusal};
use scheduler_core::rules::ValidationIssue;
use serde_json::{Value, json};

use crate::config::ConfigError;
use crate::exit::Exit;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Options or settings are wrong.
    #[error("{0}")]
    Usage(String),
    /// A setting of the environment or of `scheduler.toml` is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No connection, or one that broke before an answer came.
    #[error("cannot reach {url}: {cause}")]
    Unreachable {
        /// The address, without path and query.
        url: String,
        /// What the system says.
        cause: String,
    },
    /// No connection to where the server has the bytes of files sent, or one that broke.
    #[error("cannot send the file to {url}: {cause}")]
    StoreUnreachable {
        /// The address, without path and query.
        url: String,
        /// What the system says.
        cause: String,
    },
    /// The server, or the application itself, refused.
    #[error("{}", .0.error.message)]
    Refused(Box<ErrorBody>),
    /// A person or the system has ended an upload that can go on later.
    #[error("interrupted")]
    Interrupted,
    /// Anything else.
    #[error("{0:#}")]
    Other(#[from] anyhow::Error),
}

impl Failure {
    /// How the process ends.
    pub(crate) const fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) | Self::Config(_) => Exit::Usage,
            Self::Unreachable { .. } | Self::StoreUnreachable { .. } => Exit::Unreachable,
            Self::Refused(_) | Self::Interrupted | Self::Other(_) => Exit::Failed,
        }
    }

    /// What a person can do about it.
    pub(crate) fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Unreachable { .. } => Some(
                "start a server with `scheduler serve`, or name another with --url or SCHEDULER_URL",
            ),
            Self::StoreUnreachable { .. } => Some(
                "the server names this address: see its --public-url or --files, and run `scheduler doctor` there",
            ),
            Self::Refused(body) => advice(body.error.code),
            Self::Interrupted => {
                Some("the same command goes on with what has not arrived yet, for 24 hours")
            }
            Self::Other(error) if lacks_certificates(error) => Some(
                "install the certificates of authorities (ca-certificates), or name a file of them with SSL_CERT_FILE",
            ),
            Self::Usage(_) | Self::Config(_) | Self::Other(_) => None,
        }
    }

    /// The issues of a refused post.
    pub(crate) fn issues(&self) -> &[ValidationIssue] {
        match self {
            Self::Refused(body) => body.error.issues.as_deref().unwrap_or_default(),
            Self::Usage(_)
            | Self::Config(_)
            | Self::Unreachable { .. }
            | Self::StoreUnreachable { .. }
            | Self::Interrupted
            | Self::Other(_) => &[],
        }
    }

    /// The one JSON document that `--json` prints for it.
    pub(crate) fn document(&self) -> Value {
        let code = match self {
            Self::Refused(body) => return json!(body),
            Self::Usage(_) | Self::Config(_) => "usage",
            Self::Unreachable { .. } | Self::StoreUnreachable { .. } => "unreachable",
            Self::Interrupted => "interrupted",
            Self::Other(_) => "failed",
        };
        json!({"error": {"code": code, "message": self.to_string()}})
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal.into()))
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        match error {
            AppError::Refused(refusal) => refusal.into(),
            AppError::Store(error) => Self::Other(error.into()),
            AppError::Files(error) => Self::Other(error.into()),
        }
    }
}

/// True when there is nothing to check the certificates of others by: TLS cannot be spoken then,
/// and its libraries say so only in words.
fn lacks_certificates(error: &anyhow::Error) -> bool {
    format!("{error:#}").contains("No CA certificates")
}

/// What a person can do about a refusal.
pub(crate) const fn advice(code: ErrorCode) -> Option<&'static str> {
    match code {
        ErrorCode::Unauthorized => {
            Some("make a key with `scheduler keys create` and set SCHEDULER_API_KEY")
        }
        ErrorCode::Forbidden => {
            Some("make a key that allows it with `scheduler keys create --preset …`")
        }
        ErrorCode::PostLimit
        | ErrorCode::UploadLimit
        | ErrorCode::ChannelLimit
        | ErrorCode::ApiNotOnPlan
        | ErrorCode::AiLimit
        | ErrorCode::AiNotInPlan => {
            Some("the operator can change the plan with `scheduler workspace set-plan`")
        }
        ErrorCode::AccountNotConnected => {
            Some("see `scheduler accounts list`, and connect with `scheduler accounts connect`")
        }
        ErrorCode::TargetsLocked | ErrorCode::AlreadyStarted | ErrorCode::NothingToRetry => {
            Some("see how far it has come with `scheduler posts show`")
        }
        ErrorCode::InFlight => Some("wait until it has gone out, then try again"),
        ErrorCode::ValidationFailed => {
            Some("change the post and look at it with `scheduler check` before you send it")
        }
        ErrorCode::InUse => Some(
            "cancel the post with `scheduler posts cancel`, or give it other files with `scheduler posts edit --media`",
        ),
        ErrorCode::MediaUnusable => {
            Some("see what became of the file with `scheduler media show`, and upload it again")
        }
        ErrorCode::RateLimited => Some("wait a moment, then try again"),
        ErrorCode::NotPublished => Some("see which targets are live with `scheduler posts show`"),
        ErrorCode::Unsupported => Some("see what each network offers with `scheduler platforms`"),
        ErrorCode::NetworkError => Some("try again in a moment"),
        ErrorCode::InDoubt => Some("look on the network whether it is done before you try again"),
        ErrorCode::Internal => Some("the log of the server says more"),
        ErrorCode::InvalidRequest
        | ErrorCode::NotFound
        | ErrorCode::FileTooLarge
        | ErrorCode::NetworkRefused
        | ErrorCode::VideoOnYoutube
        | ErrorCode::PayloadTooLarge
        | ErrorCode::AiDeclined
        | ErrorCode::AiUnavailable => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_cannot_be_reached_decides_what_to_do() {
        let (url, cause) = ("https://s3.example".to_owned(), "refused".to_owned());
        let server = Failure::Unreachable { url: url.clone(), cause: cause.clone() };
        let store = Failure::StoreUnreachable { url, cause };
        assert_eq!(store.to_string(), "cannot send the file to https://s3.example: refused");
        for (failure, advice) in [(server, "start a server"), (store, "scheduler doctor")] {
            assert_eq!(failure.exit(), Exit::Unreachable);
            assert_eq!(failure.document()["error"]["code"], "unreachable");
            assert!(failure.advice().unwrap().contains(advice), "{failure}");
        }
    }
}
