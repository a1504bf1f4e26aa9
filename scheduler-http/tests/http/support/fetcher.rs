//! A fetcher that takes addresses and reads nothing from them.

use async_trait::async_trait;
use scheduler_core::ports::*;

/// Takes every address that is https.
#[derive(Debug)]
pub(crate) struct FakeFetcher;

#[async_trait]
impl Fetcher for FakeFetcher {
    fn check_address(&self, url: &str) -> Result<(), String> {
        if url.starts_with("https://") {
            return Ok(());
        }
        Err("The address must be https and public.".to_owned())
    }

    async fn fetch(&self, _: &str, _: u64) -> Result<Fetched, FetchError> {
        Err(FetchError::Refused("Nothing is read here.".to_owned()))
    }
}
