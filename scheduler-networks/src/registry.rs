//! Every network that is built in, and the settings that an operator has for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use scheduler_core::platform::Platform;
use scheduler_core::ports::{After, Networks, Observer, Unobserved};

use crate::adapter::Adapter;
use crate::bluesky::Bluesky;
use crate::conversation::{AfterConversation, ApiVersion, Conversation};
use crate::discord::Discord;
use crate::driver::Driver;
use crate::facebook::Facebook;
use crate::instagram::Instagram;
use crate::linkedin::LinkedIn;
use crate::mastodon::Mastodon;
use crate::outbound::{ClientError, Guard};
use crate::pinterest::Pinterest;
use crate::proof::Signing;
pub use crate::settings::{Client, NetworkSettings, Settings};
use crate::stored_files::StoredFiles;
use crate::telegram::Telegram;
use crate::threads::Threads;
use crate::tiktok::TikTok;
use crate::tumblr::Tumblr;
use crate::twitter::Twitter;
use crate::youtube::YouTube;

/// The adapters of all networks.
#[derive(Clone, Debug, Default)]
pub struct Adapters {
    /// What publishes.
    pub networks: Networks,
    /// What comes after publishing.
    pub after: After,
    /// The versions of their interfaces, of those that have versions.
    pub versions: BTreeMap<Platform, ApiVersion>,
}

/// The drivers, and the addresses that are chosen in place of the networks' own.
struct DriverAt<'a> {
    driver: Driver,
    /// Those of networks with an address that the operator has named, wherever that is.
    of_named: BTreeMap<Platform, Driver>,
    settings: &'a Settings,
}

impl<'a> DriverAt<'a> {
    fn new(driver: Driver, settings: &'a Settings) -> Result<Self, ClientError> {
        let mut of_named = BTreeMap::new();
        let named = settings.networks.iter().filter(|_| !settings.allow_private);
        for (platform, network) in named {
            if let Some(base) = &network.api_base {
                of_named.insert(*platform, driver.trusting(base.clone())?);
            }
        }
        Ok(Self { driver, of_named, settings })
    }

    fn driver(&self, platform: Platform) -> Driver {
        let driver = self.of_named.get(&platform).unwrap_or(&self.driver).clone();
        let network = self.settings.of(platform);
        match network.reads_local_files && network.api_base.is_some() {
            true => driver.sending_paths(),
            false => driver,
        }
    }

    fn server(&self, platform: Platform) -> Option<String> {
        let url = self.settings.networks.get(&platform)?.api_base.as_ref()?;
        Some(url.as_str().trim_end_matches('/').to_owned())
    }
}

/// What surrounds the adapters.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Who is told of every request.
    pub observer: Arc<dyn Observer>,
    /// What requests are signed with. Without it nobody is connected on the page of a network that
    /// wants signed requests.
    pub signing: Option<Signing>,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self { observer: Arc::new(Unobserved), signing: None }
    }
}

/// Builds the adapters of all networks over one driver, which takes files from `files`.
///
/// # Errors
/// [`ClientError`]
pub fn adapters(settings: &Settings, files: StoredFiles) -> Result<Adapters, ClientError> {
    adapters_within(settings, files, Surroundings::default())
}

/// The same within these surroundings.
///
/// # Errors
/// [`ClientError`]
pub fn adapters_within(
    settings: &Settings,
    files: StoredFiles,
    surroundings: Surroundings,
) -> Result<Adapters, ClientError> {
    let Surroundings { observer, signing } = surroundings;
    let guard = Guard::new(settings.allow_private);
    let mut driver = Driver::new(guard.clone(), files)?.observed_by(observer);
    let mut bluesky = Bluesky::new(settings.of(Platform::Bluesky).api_base);
    if let Some(signing) = signing {
        bluesky = bluesky.with_secrets(&signing.secrets);
        driver = driver.signing_with(signing);
    }
    let driver = DriverAt::new(driver, settings)?;
    let of = |platform| settings.of(platform);
    let mastodon = Mastodon::new(of(Platform::Mastodon).api_base, guard);
    Ok(Adapters::default()
        .with(Platform::Bluesky, &driver, bluesky)
        .with(Platform::Discord, &driver, Discord::new(of(Platform::Discord)))
        .with(Platform::Facebook, &driver, Facebook::new(of(Platform::Facebook)))
        .with(
            Platform::Instagram,
            &driver,
            Instagram::new(of(Platform::Instagram), of(Platform::Facebook).client),
        )
        .with(Platform::Linkedin, &driver, LinkedIn::new(of(Platform::Linkedin)))
        .with(Platform::Mastodon, &driver, mastodon)
        .with(Platform::Pinterest, &driver, Pinterest::new(of(Platform::Pinterest)))
        .with(Platform::Telegram, &driver, Telegram::new(of(Platform::Telegram)))
        .with(Platform::Threads, &driver, Threads::new(of(Platform::Threads)))
        .with(Platform::Tiktok, &driver, TikTok::new(of(Platform::Tiktok)))
        .with(Platform::Tumblr, &driver, Tumblr::new(of(Platform::Tumblr)))
        .with(Platform::Twitter, &driver, Twitter::new(of(Platform::Twitter)))
        .with(Platform::Youtube, &driver, YouTube::new(of(Platform::Youtube))))
}

impl Adapters {
    fn with<C>(mut self, platform: Platform, driver: &DriverAt<'_>, conversation: C) -> Self
    where
        C: Conversation + AfterConversation + 'static,
    {
        if let Some(version) = conversation.api_version() {
            self.versions.insert(platform, version);
        }
        let adapter = Adapter::new(conversation, driver.driver(platform));
        let adapter = Arc::new(adapter.at(driver.server(platform)).of(platform));
        Self {
            networks: self.networks.with(platform, adapter.clone()),
            after: self.after.with(platform, adapter),
            versions: self.versions,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use scheduler_core::account::{Account, Credentials};
    use scheduler_core::ports::{Access, ConnectInput, Metered};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use url::Url;

    use super::*;

    #[test]
    fn adapters_know_the_address_in_place_of_the_networks_own() {
        let mut settings = Settings::default();
        settings.networks.entry(Platform::Threads).or_default();
        settings.networks.entry(Platform::Discord).or_default().api_base =
            Some(Url::parse("http://127.0.0.1:8090/").unwrap());
        let driver = Driver::new(Guard::new(false), crate::testing::no_files()).unwrap();
        let driver = DriverAt::new(driver, &settings).unwrap();
        for (platform, want) in [
            (Platform::Discord, Some("http://127.0.0.1:8090")),
            (Platform::Threads, None),
            (Platform::Bluesky, None),
        ] {
            assert_eq!(driver.server(platform).as_deref(), want, "{platform}");
        }
    }

    fn given<const N: usize>(fields: [(&str, &str); N]) -> ConnectInput {
        ConnectInput(fields.map(|(name, value)| (name.to_owned(), value.to_owned())).into())
    }

    /// A server that refuses everything, and how often it was called.
    async fn refusing() -> (Url, Arc<AtomicUsize>) {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let answer = "HTTP/1.1 401 Unauthorized\r\ncontent-length: 2\r\n\r\n{}";
                let _ = stream.read(&mut [0; 4096]).await;
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        (Url::parse(&address).unwrap(), calls)
    }

    #[tokio::test]
    async fn a_server_that_the_operator_has_named_is_called_wherever_it_is() {
        let (base, calls) = refusing().await;
        let mut settings = Settings::default();
        settings.networks.entry(Platform::Telegram).or_default().api_base = Some(base.clone());
        let adapters = adapters(&settings, crate::testing::no_files()).unwrap();
        let input = given([("botToken", "123456:ABC-DEF"), ("chatId", "@a")]);
        let telegram = adapters.networks.network(Platform::Telegram).unwrap();
        let error = telegram.connect(&input).await.unwrap_err();
        assert!(calls.load(Ordering::SeqCst) > 0, "{error}");

        let before = calls.load(Ordering::SeqCst);
        let input = given([("instance", base.as_str()), ("accessToken", "a")]);
        let mastodon = adapters.networks.network(Platform::Mastodon).unwrap();
        assert!(mastodon.connect(&input).await.is_err());
        assert_eq!(calls.load(Ordering::SeqCst), before, "another network does not call it");
    }

    #[test]
    fn what_is_built_in_is_there() {
        let adapters = adapters(&Settings::default(), crate::testing::no_files()).unwrap();
        let found: Vec<Platform> = adapters.networks.platforms().collect();
        assert_eq!(found.iter().collect::<BTreeSet<_>>(), Platform::ALL.iter().collect());
        for platform in found {
            assert!(adapters.after.network(platform).is_some(), "{platform}");
        }
    }

    /// What a sheet says is asked for every day, and nothing else is: an adapter without limits
    /// answers that there are none, and any other looks for what opens the account first.
    #[tokio::test]
    async fn limits_are_read_where_the_sheet_says_that_they_differ() {
        let mut settings = Settings { allow_private: true, ..Settings::default() };
        for platform in Platform::ALL {
            let nowhere = Url::parse("http://127.0.0.1:9/").unwrap();
            settings.networks.entry(platform).or_default().api_base = Some(nowhere);
        }
        let adapters = adapters(&settings, crate::testing::no_files()).unwrap();
        let job = crate::testing::bluesky_job();
        for platform in Platform::ALL {
            let access = Access {
                account: Account { platform, ..job.account.clone() },
                credentials: Credentials::new("of no network", None),
                now: job.now,
                meter: Metered::free(),
            };
            let after = adapters.after.network(platform).unwrap();
            let has_none = matches!(after.limits(&access).await, Ok(None));
            assert_eq!(!has_none, platform.sheet().limits_differ, "{platform}");
        }
    }
}
