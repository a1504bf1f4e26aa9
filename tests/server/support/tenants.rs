//! Several workspaces on one server.

use serde_json::Value;

use super::api::Api;
use super::service::{Service, Setup};

/// A workspace that a stranger was given a key to.
pub(crate) struct Tenant {
    pub(crate) api: Api,
    setup: Setup,
    name: String,
}

impl Tenant {
    /// The workspace of the first start.
    pub(crate) fn first(service: &Service, setup: &Setup) -> Self {
        Self { api: service.api(), setup: setup.clone(), name: "default".to_owned() }
    }

    /// Another workspace, with the largest plan and a key to everything.
    pub(crate) fn new(service: &Service, setup: &Setup, name: &str) -> Self {
        setup.run(&["workspace", "create", name, "--plan", "studio"]);
        let create = ["keys", "create", "--name", "all", "--preset", "full", "--workspace", name];
        let made = setup.json(&[], &create);
        let key = made["key"].as_str().expect("the key is shown once");
        Self { api: Api::new(&service.url, key), setup: setup.clone(), name: name.to_owned() }
    }

    /// The same at a server that was started anew.
    pub(crate) fn at(&self, service: &Service) -> Self {
        Self { api: self.api.at(&service.url), setup: self.setup.clone(), name: self.name.clone() }
    }

    /// Connects so many new accounts of the sandbox.
    pub(crate) fn connect(&self, platform: &str, count: usize) {
        for _ in 0..count {
            self.setup.run(&[
                "accounts",
                "connect",
                platform,
                "--sandbox",
                "--workspace",
                &self.name,
            ]);
        }
    }

    /// The targets that reach its accounts on a network.
    pub(crate) async fn targets(&self, platform: &str) -> Vec<Value> {
        let accounts = self.api.get("/oauth/accounts").await;
        let accounts = accounts["data"].as_array().expect("a list").clone();
        let of_platform = accounts.into_iter().filter(|account| account["platform"] == platform);
        of_platform
            .map(|account| serde_json::json!({"platform": platform, "accountId": account["id"]}))
            .collect()
    }
}
