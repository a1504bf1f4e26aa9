//! Why a command did not do what was asked, and what to do next.

mod advice;
mod refused;

use std::borrow::Cow;

use scheduler_client::{Error, UploadError};
use scheduler_core::error::{AppError, ErrorCode, Refusal};
use scheduler_core::ids::PostId;
use scheduler_core::rules::ValidationIssue;
use serde_json::{Value, json};

use crate::command_path::CommandPath;
use crate::config::ConfigError;
use crate::exit::Exit;

pub(crate) use refused::{List, Needs, Refused};

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Options or settings are wrong.
    #[error("{0}")]
    Usage(String),
    /// Somebody is logged in to a server, and the folder has the database of another.
    #[error(
        "it is not clear which server is meant: you are logged in to {url} (profile {profile}), and this folder has a server's own database, in {data}"
    )]
    WhichServer {
        /// The profile that would be taken.
        profile: String,
        /// Its address.
        url: String,
        /// The data folder here.
        data: String,
    },
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
    Refused(Box<Refused>),
    /// A person or the system has ended an upload that can go on later.
    #[error("interrupted")]
    Interrupted,
    /// A person has ended following a post, which goes out without it.
    #[error("not followed any longer; the post goes on by itself")]
    Unfollowed(PostId),
    /// Anything else.
    #[error("{0:#}")]
    Other(#[from] anyhow::Error),
}

impl Failure {
    /// How the process ends.
    pub(crate) const fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) | Self::WhichServer { .. } | Self::Config(_) => Exit::Usage,
            Self::Unreachable { .. } | Self::StoreUnreachable { .. } => Exit::Unreachable,
            Self::Refused(_) | Self::Interrupted | Self::Unfollowed(_) | Self::Other(_) => {
                Exit::Failed
            }
        }
    }

    /// Something else that went wrong, and what a person can do about it.
    pub(crate) fn advised(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Other(advised(what, next))
    }

    /// What a person can do about it who has given this command.
    pub(crate) fn advice(&self, command: &CommandPath) -> Cow<'static, str> {
        match self {
            Self::Unreachable { .. } => {
                "see that the server runs there (`scheduler serve` starts one), or name another with --url, SCHEDULER_URL or --profile"
                    .into()
            }
            Self::StoreUnreachable { .. } => {
                "the server names this address: see its --public-url or --files, and run `scheduler doctor` there"
                    .into()
            }
            Self::Refused(refused) => advice::of_refusal(refused, command),
            Self::Interrupted => {
                "the same command goes on with what has not arrived yet, for 24 hours".into()
            }
            Self::Unfollowed(post) => {
                format!("follow it again with `scheduler posts show {post} --wait`").into()
            }
            Self::WhichServer { profile, data, .. } => {
                format!("give --profile {profile} for the first, or --data {data} for the second")
                    .into()
            }
            Self::Usage(_) => format!("`{command} --help` shows how, with examples").into(),
            Self::Config(_) => "change it there; `scheduler doctor` checks every setting".into(),
            Self::Other(error) if lacks_certificates(error) => {
                "install the certificates of authorities (ca-certificates), or name a file of them with SSL_CERT_FILE".into()
            }
            Self::Other(error) => match error.downcast_ref::<Advised>() {
                Some(advised) => advised.next.clone().into(),
                None => {
                    "`scheduler doctor` checks what a server needs and says what to do".into()
                }
            },
        }
    }

    /// What went wrong, above its issues, which are told each by itself.
    pub(crate) fn headline(&self) -> Cow<'static, str> {
        let is_of_issues = !self.issues().is_empty();
        if is_of_issues && self.code() == Some(ErrorCode::ValidationFailed) {
            return "A network would refuse this post.".into();
        }
        self.to_string().into()
    }

    /// The issues of a refused post.
    pub(crate) fn issues(&self) -> &[ValidationIssue] {
        let Self::Refused(refused) = self else { return &[] };
        refused.error.issues.as_deref().unwrap_or_default()
    }

    /// The code of a refusal.
    pub(crate) const fn code(&self) -> Option<ErrorCode> {
        if let Self::Refused(refused) = self { Some(refused.error.code) } else { None }
    }

    /// The one JSON document that `--json` prints for it.
    pub(crate) fn document(&self) -> Value {
        let code = match self {
            Self::Refused(refused) => return json!({"error": refused.error}),
            Self::WhichServer { .. } => "which_server",
            Self::Usage(_) | Self::Config(_) => "usage",
            Self::Unreachable { .. } | Self::StoreUnreachable { .. } => "unreachable",
            Self::Interrupted | Self::Unfollowed(_) => "interrupted",
            Self::Other(_) => "failed",
        };
        json!({"error": {"code": code, "message": self.to_string()}})
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Self::Refused(Box::new(refused))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Refused::from(refusal).into()
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::NoKey => Self::Usage(
                "no API key: log in with `scheduler login`, or set SCHEDULER_API_KEY, or give --api-key (`scheduler keys create` makes one); on the server's own machine none is needed: name its folder with --data"
                    .into(),
            ),
            Error::BadKey | Error::IdempotencyKey | Error::NotAnId(_) | Error::BadAddress => {
                Self::Usage(error.to_string())
            }
            Error::Unreachable { url, cause, .. } => Self::Unreachable { url, cause },
            Error::Refused(refused) => Refused::from(*refused).into(),
            Error::Upload(UploadError::Unreachable { url, cause }) => {
                Self::StoreUnreachable { url, cause }
            }
            Error::Upload(changed @ UploadError::Changed(_)) => {
                Self::Other(anyhow::anyhow!("{changed}; run the command again"))
            }
            Error::NotOurs { .. } => Self::advised(
                error.to_string(),
                "see whether it is the right address: --url, or SCHEDULER_URL",
            ),
            Error::Unreadable(_) | Error::Unknown { .. } => Self::advised(
                error.to_string(),
                "compare `scheduler --version` here and at the server",
            ),
            error => Self::Other(error.into()),
        }
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

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Other(error.into())
    }
}

/// An error with what a person can do about it, which [`Failure::advice`] finds.
pub(crate) fn advised(what: impl Into<String>, next: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Advised { what: what.into(), next: next.into() })
}

/// True when there is nothing to check the certificates of others by, so that no client can be
/// built that speaks TLS: the one general error of rustls before a connection is begun.
fn lacks_certificates(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<rustls::Error>())
        .any(|cause| matches!(cause, rustls::Error::General(_)))
}

/// What went wrong, with what can be done about it.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
struct Advised {
    what: String,
    next: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    use crate::commands::Arguments;

    fn path(words: &[&str]) -> CommandPath {
        CommandPath::of(&Arguments::command(), words.iter().map(|word| (*word).to_owned()))
    }

    #[test]
    fn who_cannot_be_reached_decides_what_to_do() {
        let (url, cause) = ("https://s3.example".to_owned(), "refused".to_owned());
        let server = Failure::Unreachable { url: url.clone(), cause: cause.clone() };
        let store = Failure::StoreUnreachable { url, cause };
        assert_eq!(store.to_string(), "cannot send the file to https://s3.example: refused");
        for (failure, advice) in
            [(server, "`scheduler serve` starts one"), (store, "scheduler doctor")]
        {
            assert_eq!(failure.exit(), Exit::Unreachable);
            assert_eq!(failure.document()["error"]["code"], "unreachable");
            assert!(failure.advice(&path(&["posts"])).contains(advice), "{failure}");
        }
    }

    #[test]
    fn every_failure_says_what_to_do_next() {
        let post = "01993b5c-2b7e-7000-8000-000000000001".parse().unwrap();
        let config =
            || ConfigError::Value { place: "SCHEDULER_LISTEN".into(), reason: "is wrong".into() };
        for (failure, want) in [
            (Failure::Usage("no".into()), "`scheduler posts show --help` shows how"),
            (Failure::Config(config()), "`scheduler doctor`"),
            (Failure::Interrupted, "the same command goes on"),
            (Failure::Unfollowed(post), "`scheduler posts show 01993b5c-"),
            (Failure::Other(anyhow::anyhow!("no")), "`scheduler doctor`"),
            (Failure::advised("not confirmed", "answer yes"), "answer yes"),
        ] {
            let advice = failure.advice(&path(&["posts", "show", "1"]));
            assert!(advice.contains(want), "{failure}: {advice}");
        }
        let advised = Failure::advised("not confirmed", "answer yes");
        assert_eq!(advised.document()["error"]["message"], "not confirmed");
    }
}
