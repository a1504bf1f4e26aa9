//! What networks offer an account to choose from: asked of them by their adapters, with what the
//! server has kept to open the account.

use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::{OptionValue, Platform, Required};
use scheduler_core::ports::{Access, Metered, NoMedia};
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Adapters, Settings, adapters};
use scheduler_store::{Database, SealingKey};
use serde_json::{Map, Value};

/// The adapters, beside those of the server, over its database.
pub(crate) struct Offers {
    adapters: Adapters,
    database: Database,
}

impl Offers {
    /// Opens what a running server has in its folder.
    pub(crate) async fn open(data: &Path, sandbox: &str) -> Self {
        let mut settings = Settings { allow_private: true, ..Settings::default() };
        for platform in Platform::ALL {
            let base = format!("{sandbox}/{platform}").parse().expect("an address");
            settings.networks.entry(platform).or_default().api_base = Some(base);
        }
        let files =
            StoredFiles { files: Arc::new(MemoryFiles::new()), examiner: Arc::new(NoMedia) };
        let key = SealingKey::load_or_create_file(&data.join("secret.key")).expect("a key");
        let url = format!("sqlite:{}", data.join("scheduler.db").display());
        Self {
            adapters: adapters(&settings, files).expect("clients"),
            database: Database::open(&url, &key).await.expect("the server's database"),
        }
    }

    /// The networks that are built in.
    pub(crate) fn platforms(&self) -> Vec<Platform> {
        let mut platforms: Vec<Platform> = self.adapters.networks.platforms().collect();
        platforms.sort_unstable();
        platforms
    }

    /// The first value of each option that an account's network requires.
    pub(crate) async fn required(&self, platform: Platform, account: &str) -> Map<String, Value> {
        let mut options = Map::new();
        for fact in platform.sheet().options {
            if fact.required == Required::No {
                continue;
            }
            let after = self.adapters.after.network(platform).expect("it is built in");
            let access = self.access(account).await;
            let value = match fact.value {
                OptionValue::OneOf(_) => {
                    let creator = after.creator(&access).await.expect("a creator");
                    creator.privacy_levels.into_iter().next()
                }
                OptionValue::Digits { .. } => {
                    let boards = after.boards(&access).await.expect("boards");
                    boards.into_iter().next().map(|board| board.id)
                }
                _ => panic!("{platform}.{} cannot be chosen", fact.key),
            };
            options.insert(fact.key.to_owned(), value.expect("something to choose").into());
        }
        options
    }

    async fn access(&self, id: &str) -> Access {
        let store = self.database.store();
        let id = id.parse().expect("an id");
        let mut found = None;
        for workspace in store.workspaces().await.expect("the workspaces") {
            let account = store.account(workspace.id, id).await.expect("the database");
            found = found.or(account);
        }
        let account = found.expect("the account");
        let stored = store.credentials(id).await.expect("the database").expect("it is connected");
        #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
        let now = DateTime::<Utc>::from(std::time::SystemTime::now());
        Access { account, credentials: stored.credentials, now, meter: Metered::free() }
    }
}
