//! Every network that is built in, and the settings that an operator has for them.

use std::sync::Arc;

use scheduler_core::platform::Platform;
use scheduler_core::ports::Networks;
use url::Url;

use crate::adapter::Adapter;
use crate::bluesky::Bluesky;
use crate::driver::Driver;
use crate::mastodon::Mastodon;
use crate::outbound::{ClientError, Guard};
use crate::stored_files::StoredFiles;

/// What an operator can choose. The default is right for the networks themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Whether servers of networks may be private and without https, for development.
    pub allow_private: bool,
    /// The server of every Bluesky account, in place of each account's own, and the service that
    /// takes videos: what the paths of calls (`/xrpc/…`) are appended to.
    pub bluesky_api_base: Option<Url>,
    /// The server of every Mastodon account, in place of each account's own: what the paths of
    /// calls (`/api/…`) are appended to.
    pub mastodon_api_base: Option<Url>,
}

/// Builds the adapters of all networks over one driver, which takes files from `files`.
///
/// # Errors
/// [`ClientError`]
pub fn networks(settings: &Settings, files: StoredFiles) -> Result<Networks, ClientError> {
    let guard = Guard::new(settings.allow_private);
    let driver = Driver::new(guard, files)?;
    let bluesky = Bluesky::new(settings.bluesky_api_base.clone());
    let mastodon = Mastodon::new(settings.mastodon_api_base.clone(), guard);
    Ok(Networks::default()
        .with(Platform::Bluesky, Arc::new(Adapter::new(bluesky, driver.clone())))
        .with(Platform::Mastodon, Arc::new(Adapter::new(mastodon, driver))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_is_there() {
        let networks = networks(&Settings::default(), crate::testing::no_files()).unwrap();
        let found: Vec<Platform> = networks.platforms().collect();
        assert_eq!(found, [Platform::Bluesky, Platform::Mastodon]);
    }
}
