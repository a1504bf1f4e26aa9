//! Presigned links.

use std::time::Duration;

use chrono::{DateTime, Utc};
use object_store::path::Path;
use object_store::signer::{Method, SignedUrlOptions, Signer as _};
use scheduler_core::ports::FilesError;

use super::S3Files;
use super::fault::fault;
use super::presign::Signing;

/// Longest life of a presigned link.
///
/// Source: Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters",
/// `X-Amz-Expires`.
const LIFE_MAX: Duration = Duration::from_secs(604_800);
const LIFE_MIN: Duration = Duration::from_secs(1);
/// The life of a link that we follow ourselves.
const OWN_LIFE: Duration = Duration::from_secs(60);

impl S3Files {
    /// A link to send so many bytes. Whoever follows it sends their number as `Content-Length`, as
    /// any client does that knows it.
    ///
    /// Source: Amazon S3 API Reference, "Authenticating Requests: Using Query Parameters",
    /// `X-Amz-SignedHeaders`.
    pub(super) async fn put_link(
        &self,
        path: &Path,
        query: &[(&str, &str)],
        size_bytes: u64,
        expires_at: DateTime<Utc>,
    ) -> Result<String, FilesError> {
        let life = self.life(expires_at);
        let unsigned = self.store.signed_url(Method::PUT, path, life).await;
        let mut url = unsigned.map_err(|error| fault(&error))?;
        url.set_query(None);
        let found = self.store.credentials().get_credential().await;
        let credential = found.map_err(|error| fault(&error))?;
        let signing = Signing {
            access_key_id: &credential.key_id,
            secret_access_key: &credential.secret_key,
            session_token: credential.token.as_deref(),
            region: &self.region,
            at: self.clock.now(),
            life,
        };
        let length = size_bytes.to_string();
        Ok(signing.sign("PUT", &url, query, &[("content-length", &length)]))
    }

    /// A link to read, answered with a media type.
    pub(super) async fn get_link(
        &self,
        path: &Path,
        media_type: &str,
        expires_at: DateTime<Utc>,
    ) -> Result<String, FilesError> {
        let options = SignedUrlOptions::new().with_query([("response-content-type", media_type)]);
        self.sign(Method::GET, path, self.life(expires_at), &options).await
    }

    /// Asks the service something by a link to ourselves: its answer, or its status.
    pub(super) async fn ask(
        &self,
        path: &Path,
        query: &[(&str, &str)],
    ) -> Result<Result<String, reqwest::StatusCode>, FilesError> {
        let options = SignedUrlOptions::new().with_query(query.iter().copied());
        let url = self.sign(Method::GET, path, OWN_LIFE, &options).await?;
        let silent = |_: reqwest::Error| {
            FilesError::Unavailable("the S3 service does not answer".to_owned())
        };
        let response = self.sender.get(url).send().await.map_err(silent)?;
        if !response.status().is_success() {
            return Ok(Err(response.status()));
        }
        response.text().await.map(Ok).map_err(silent)
    }

    async fn sign(
        &self,
        method: Method,
        path: &Path,
        life: Duration,
        options: &SignedUrlOptions,
    ) -> Result<String, FilesError> {
        let signed = self.store.signed_url_opts(method, path, life, options).await;
        signed.map(String::from).map_err(|error| fault(&error))
    }

    fn life(&self, expires_at: DateTime<Utc>) -> Duration {
        let left = (expires_at - self.clock.now()).to_std().unwrap_or_default();
        left.clamp(LIFE_MIN, LIFE_MAX)
    }
}
