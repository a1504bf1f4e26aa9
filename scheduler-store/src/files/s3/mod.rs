//! Files in a bucket of an S3 service.
//!
//! Callers send and read bytes by presigned links to the service itself; only what the server
//! fetches, makes or examines passes through it.
//!
//! A link for sending is signed with the number of bytes, as the header `Content-Length`, so that
//! the service refuses any other. It is looked at once more: of a whole file by the use case, of
//! parts here, before they are put together. What the service lists is compared with what the
//! caller says, so that a wrong part is found by us, in words for people, and the upload stays
//! open.

mod fault;
mod files;
mod link;
mod listing;
mod presign;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path;
use object_store::{ClientOptions, RetryConfig};
use scheduler_core::media::FileKey;
use scheduler_core::ports::{Clock, FilesError};
use secrecy::{ExposeSecret as _, SecretString};

use super::url::{Addressing, BucketUrl};

/// How long a request may take until it is answered, and an answer from one piece to the next; a
/// piece that is written has 8 MiB.
///
/// A whole answer has no limit: how long a file takes that is passed on is up to whoever takes it.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// How long a request is tried again.
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);
const RETRIES: usize = 3;

/// The keys of an S3 service.
#[derive(Clone)]
pub struct S3Keys {
    /// The name of the access key.
    pub access_key_id: String,
    /// Its secret.
    pub secret_access_key: SecretString,
    /// What a key for a short time needs besides.
    pub session_token: Option<SecretString>,
}

impl fmt::Debug for S3Keys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("S3Keys([redacted])")
    }
}

impl S3Keys {
    /// Reads the keys from the variables that tools for S3 share: `AWS_ACCESS_KEY_ID`,
    /// `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`; `None` when one of the first two is not
    /// set or empty.
    #[must_use]
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        Some(Self {
            access_key_id: variable("AWS_ACCESS_KEY_ID")?,
            secret_access_key: variable("AWS_SECRET_ACCESS_KEY")?.into(),
            session_token: variable("AWS_SESSION_TOKEN").map(Into::into),
        })
    }
}

/// Why a bucket cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum S3OpenError {
    /// The settings of the bucket are refused.
    #[error("the bucket cannot be used: {0}")]
    Bucket(String),
    /// The sender of requests cannot be made.
    #[error("requests to the bucket cannot be sent")]
    Sender(#[source] reqwest::Error),
}

/// Keeps files in a bucket of an S3 service.
#[derive(Clone)]
pub struct S3Files {
    store: AmazonS3,
    region: String,
    prefix: Path,
    /// Sends the requests that the library does not know, by links to ourselves.
    sender: reqwest::Client,
    clock: Arc<dyn Clock>,
}

impl fmt::Debug for S3Files {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "S3Files({})", self.prefix)
    }
}

impl S3Files {
    /// Uses a bucket. Nothing is asked of the service yet; [`S3Files::check`] does.
    ///
    /// Without keys they come from the environment or from the machine, as for the service's own
    /// tools. A provider of TLS must have been installed for the process.
    ///
    /// # Errors
    /// [`S3OpenError`]
    pub fn open(
        bucket: &BucketUrl,
        keys: Option<&S3Keys>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, S3OpenError> {
        Self::within(bucket, keys, clock, REQUEST_TIMEOUT)
    }

    fn within(
        bucket: &BucketUrl,
        keys: Option<&S3Keys>,
        clock: Arc<dyn Clock>,
        time_limit: Duration,
    ) -> Result<Self, S3OpenError> {
        let mut builder = match keys {
            None => AmazonS3Builder::from_env(),
            Some(keys) => with_keys(keys),
        };
        if let Some(endpoint) = &bucket.endpoint {
            builder = builder.with_endpoint(endpoint.as_str().trim_end_matches('/'));
        }
        let is_http = bucket.endpoint.as_ref().is_some_and(|url| url.scheme() == "http");
        let retry = RetryConfig {
            max_retries: RETRIES,
            retry_timeout: RETRY_TIMEOUT,
            ..RetryConfig::default()
        };
        let store = builder
            .with_bucket_name(&bucket.bucket)
            .with_region(&bucket.region)
            .with_virtual_hosted_style_request(bucket.addressing == Addressing::Host)
            .with_client_options(
                ClientOptions::new().with_timeout_disabled().with_read_timeout(time_limit),
            )
            // After the options, which would undo it.
            .with_allow_http(is_http)
            .with_retry(retry)
            .build()
            .map_err(|error| S3OpenError::Bucket(error.to_string()))?;
        let sender = reqwest::Client::builder()
            .timeout(time_limit)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(S3OpenError::Sender)?;
        let (region, prefix) = (bucket.region.clone(), Path::from(bucket.prefix.as_str()));
        Ok(Self { store, region, prefix, sender, clock })
    }

    /// Asks whether the bucket can be written to and read with these keys.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`] with the reason.
    pub async fn check(&self) -> Result<(), FilesError> {
        use object_store::ObjectStoreExt as _;
        let probe = self.prefix.clone().join("probe");
        let written = self.store.put(&probe, "probe".into()).await;
        written.map_err(|error| fault::fault(&error))?;
        self.store.head(&probe).await.map_err(|error| fault::fault(&error))?;
        self.store.delete(&probe).await.map_err(|error| fault::fault(&error))
    }

    fn path(&self, key: &FileKey) -> Path {
        self.below(key.as_str())
    }

    /// The path of a key or a folder; its segments need no escaping.
    fn below(&self, path: &str) -> Path {
        path.split('/').fold(self.prefix.clone(), |path, segment| path.join(segment))
    }
}

fn with_keys(keys: &S3Keys) -> AmazonS3Builder {
    let builder = AmazonS3Builder::new()
        .with_access_key_id(&keys.access_key_id)
        .with_secret_access_key(keys.secret_access_key.expose_secret());
    match &keys.session_token {
        None => builder,
        Some(token) => builder.with_token(token.expose_secret()),
    }
}
