//! Every network that is built in, and the settings that an operator has for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use scheduler_core::platform::Platform;
use scheduler_core::ports::{After, Networks};
use secrecy::SecretString;
use url::Url;

use crate::adapter::Adapter;
use crate::bluesky::Bluesky;
use crate::discord::Discord;
use crate::driver::Driver;
use crate::linkedin::LinkedIn;
use crate::mastodon::Mastodon;
use crate::outbound::{ClientError, Guard};
use crate::stored_files::StoredFiles;
use crate::telegram::Telegram;
use crate::threads::Threads;

/// What an operator can choose. The default is right for the networks themselves.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Whether servers of networks may be private and without https, for development.
    pub allow_private: bool,
    /// What is chosen of each network.
    pub networks: BTreeMap<Platform, NetworkSettings>,
}

/// What an operator can choose of one network.
#[derive(Clone, Debug, Default)]
pub struct NetworkSettings {
    /// The address in place of all of the network's own: what the paths of its calls are appended
    /// to.
    pub api_base: Option<Url>,
    /// The version of its interface in place of the one that its adapter was written for.
    pub api_version: Option<String>,
    /// The operator's application at the network.
    pub client: Option<Client>,
    /// What a person is asked to allow, in place of what its adapter can use.
    pub scopes: Option<Vec<String>>,
}

/// An operator's application at a network.
#[derive(Clone, Debug)]
pub struct Client {
    /// Its id, or key.
    pub id: String,
    /// Its secret; empty where it has none.
    pub secret: SecretString,
}

impl Settings {
    /// What is chosen of a network.
    #[must_use]
    pub fn of(&self, platform: Platform) -> NetworkSettings {
        self.networks.get(&platform).cloned().unwrap_or_default()
    }
}

/// The adapters of all networks.
#[derive(Clone, Debug, Default)]
pub struct Adapters {
    /// What publishes.
    pub networks: Networks,
    /// What comes after publishing.
    pub after: After,
}

/// Builds the adapters of all networks over one driver, which takes files from `files`.
///
/// # Errors
/// [`ClientError`]
pub fn adapters(settings: &Settings, files: StoredFiles) -> Result<Adapters, ClientError> {
    let guard = Guard::new(settings.allow_private);
    let driver = Driver::new(guard, files)?;
    let bluesky = Bluesky::new(settings.of(Platform::Bluesky).api_base);
    let bluesky = Arc::new(Adapter::new(bluesky, driver.clone()));
    let linkedin = LinkedIn::new(settings.of(Platform::Linkedin));
    let linkedin = Arc::new(Adapter::new(linkedin, driver.clone()));
    let mastodon = Mastodon::new(settings.of(Platform::Mastodon).api_base, guard);
    let mastodon = Arc::new(Adapter::new(mastodon, driver.clone()));
    let telegram = Telegram::new(settings.of(Platform::Telegram).api_base);
    let telegram = Arc::new(Adapter::new(telegram, driver));
    let networks = Networks::default()
        .with(Platform::Bluesky, bluesky.clone())
        .with(Platform::Mastodon, mastodon.clone())
        .with(Platform::Telegram, telegram.clone());
    let after = After::default()
        .with(Platform::Bluesky, bluesky)
        .with(Platform::Mastodon, mastodon)
        .with(Platform::Telegram, telegram);
    let discord = Discord::new(settings.of(Platform::Discord));
    let discord = Arc::new(Adapter::new(discord, driver));
    let networks = Networks::default()
        .with(Platform::Bluesky, bluesky.clone())
        .with(Platform::Mastodon, mastodon.clone())
        .with(Platform::Discord, discord.clone());
    let after = After::default()
        .with(Platform::Bluesky, bluesky)
        .with(Platform::Mastodon, mastodon)
        .with(Platform::Discord, discord);
        .with(Platform::Linkedin, linkedin.clone())
        .with(Platform::Mastodon, mastodon.clone());
    let after = After::default()
        .with(Platform::Bluesky, bluesky)
        .with(Platform::Linkedin, linkedin)
        .with(Platform::Mastodon, mastodon);
    let threads = Threads::new(settings.of(Platform::Threads));
    let threads = Arc::new(Adapter::new(threads, driver));
    let networks = Networks::default()
        .with(Platform::Bluesky, bluesky.clone())
        .with(Platform::Mastodon, mastodon.clone())
        .with(Platform::Threads, threads.clone());
    let after = After::default()
        .with(Platform::Bluesky, bluesky)
        .with(Platform::Mastodon, mastodon)
        .with(Platform::Threads, threads);
    Ok(Adapters { networks, after })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_in_is_there() {
        let adapters = adapters(&Settings::default(), crate::testing::no_files()).unwrap();
        let found: Vec<Platform> = adapters.networks.platforms().collect();
        assert_eq!(found, [Platform::Bluesky, Platform::Mastodon, Platform::Telegram]);
        assert_eq!(found, [Platform::Bluesky, Platform::Mastodon, Platform::Discord]);
        assert_eq!(found, [Platform::Linkedin, Platform::Bluesky, Platform::Mastodon]);
        assert_eq!(found, [Platform::Threads, Platform::Bluesky, Platform::Mastodon]);
        for platform in found {
            assert!(adapters.after.network(platform).is_some(), "{platform}");
        }
    }
}
