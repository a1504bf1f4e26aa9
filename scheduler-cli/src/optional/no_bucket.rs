//! A build without buckets: settings that name one are refused, so none is ever opened.

use std::sync::Arc;

use scheduler_core::ports::{Clock, Files, FilesError};
use scheduler_store::BucketUrl;

use super::NO_BUCKETS;

#[derive(Clone, Debug)]
pub(crate) enum Bucket {}

impl Bucket {
    pub(crate) fn open(_: &BucketUrl, _: Arc<dyn Clock>) -> anyhow::Result<Self> {
        Err(anyhow::anyhow!("--files {}", NO_BUCKETS.unwrap_or_default()))
    }

    pub(crate) fn files(&self) -> Arc<dyn Files> {
        match *self {}
    }

    pub(crate) async fn check(&self) -> Result<(), FilesError> {
        match *self {}
    }
}

pub(crate) fn has_keys() -> bool {
    false
}
