//! What networks offer an account to choose from: asked of them by their adapters, with what the
//! server has kept to open the account.

use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use scheduler_core::app::{Ports, Scheduler};
use scheduler_core::memory::{MemoryFiles, test_ports};
use scheduler_core::platform::{OptionValue, Platform, Required};
use scheduler_core::ports::{Access, ConnectInput, Metered, NoMedia};
use scheduler_networks::StoredFiles;
use scheduler_networks::registry::{Adapters, Settings, adapters};
use scheduler_store::{Database, SealingKey};
use scheduler_worker::{SystemClock, UuidV7};
use serde_json::{Map, Value, json};

use super::api::client;

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

    /// Makes an account of this name at the sandbox, connects it, and returns its id.
    pub(crate) async fn connect(&self, sandbox: &str, platform: Platform, name: &str) -> String {
        let url = format!("{sandbox}/_sandbox/accounts");
        let body = json!({ "platform": platform, "name": name });
        let answer = client().post(url).json(&body).send().await.expect("the sandbox answers");
        let given: Map<String, Value> = answer.json().await.expect("JSON");
        let given = given.into_iter();
        let given = given.filter_map(|(name, value)| Some((name, value.as_str()?.to_owned())));
        let ports = Ports {
            store: self.database.store(),
            networks: self.adapters.networks.clone(),
            after: self.adapters.after.clone(),
            ids: Arc::new(UuidV7),
            ..test_ports(Arc::new(SystemClock::new()))
        };
        let scheduler = Scheduler::new(ports, scheduler_core::app::Settings::default());
        let workspace = scheduler.workspaces().await.expect("the workspaces").remove(0);
        let input = ConnectInput(given.collect());
        let mut opened = scheduler.open_accounts(&workspace, platform, &input).await.expect("one");
        let connected = scheduler.add_account(&workspace, platform, opened.remove(0)).await;
        connected.expect("it is connected").account.id.to_string()
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
