//! The pages, in Debian's Chromium.

mod accessible;
mod acting;
mod browser;
mod captions;
mod client;
mod doors;
mod feed;
mod figures;
mod journey;
mod live;
mod thread;
mod tiktok;

use serde_json::{Value, json};

use crate::support::{Networks, Service, Setup};

/// A server on a sandbox, and where its pages are.
struct Site {
    service: Service,
    setup: Setup,
    networks: Networks,
    _folder: tempfile::TempDir,
}

impl Site {
    async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// The same with further settings, as variables.
    async fn start_with(variables: &[(&str, &str)]) -> Self {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        let setup = Setup::new(folder.path(), networks.url());
        let service = setup.serve_with(variables);
        Self { service, setup, networks, _folder: folder }
    }

    /// A link that signs a browser in as somebody of this role.
    fn link(&self, role: &str) -> String {
        let output = self.setup.run(&["web", "open", "--as", role, "--json"]);
        let link: Value = serde_json::from_slice(&output.stdout).unwrap();
        let (_, code) = link["url"].as_str().unwrap().split_once('#').unwrap();
        format!("{}/signin/once#{code}", self.service.url)
    }

    fn at(&self, path: &str) -> String {
        format!("{}/w/default/{path}", self.service.url)
    }

    /// The id of the account of a network that the server has from the beginning.
    async fn account(&self, platform: &str) -> String {
        let accounts = self.service.api().get("/oauth/accounts").await;
        let accounts = accounts["data"].as_array().unwrap();
        let found = accounts.iter().find(|account| account["platform"] == platform);
        found.unwrap()["id"].as_str().unwrap().to_owned()
    }

    /// The link under which a client sees posts.
    fn client_link(&self, posts: &[&str], note: &str) -> String {
        let more = ["--client", "Jonas", "--note", note, "--json"];
        let output = self.setup.run(&[&["approvals", "create"], posts, &more].concat());
        let made: Value = serde_json::from_slice(&output.stdout).unwrap();
        let (_, secret) = made["url"].as_str().unwrap().split_once("/approve/").unwrap();
        format!("{}/approve/{secret}", self.service.url)
    }

    /// Creates a post by the API, and returns its id.
    async fn post(&self, content: &str, more: Value) -> String {
        let mut body = json!({"content": content, "targets": [{"platform": "mastodon"}]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let post = self.service.api().create(&body).await;
        post["id"].as_str().unwrap().to_owned()
    }
}
