//! Files in a bucket of an S3 service.

use std::sync::Arc;

use scheduler_core::ports::{Clock, Files, FilesError};
use scheduler_store::{BucketUrl, S3Files, S3Keys};

/// A bucket, with the keys of the environment.
#[derive(Clone, Debug)]
pub(crate) struct Bucket(S3Files);

impl Bucket {
    /// Prepares to use a bucket, without a call.
    ///
    /// # Errors
    /// When the settings of the bucket are refused.
    pub(crate) fn open(bucket: &BucketUrl, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        // The sender of its requests needs it; fails when it is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Ok(Self(S3Files::open(bucket, keys().as_ref(), clock)?))
    }

    /// The store as the core uses it.
    pub(crate) fn files(&self) -> Arc<dyn Files> {
        Arc::new(self.0.clone())
    }

    /// Asks whether the bucket can be written to and read.
    ///
    /// # Errors
    /// [`FilesError::Unavailable`] with the reason.
    pub(crate) async fn check(&self) -> Result<(), FilesError> {
        self.0.check().await
    }
}

fn keys() -> Option<S3Keys> {
    S3Keys::from_variables(|name| std::env::var(name).ok())
}

/// Whether the environment has keys.
pub(crate) fn has_keys() -> bool {
    keys().is_some()
}
