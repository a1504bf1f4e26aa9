//! The pages, in Debian's Chromium.

mod accessible;
mod acting;
mod browser;
mod calendar;
mod captions;
mod client;
mod composing;
mod composing_forms;
mod covers;
mod cropping;
mod doors;
mod everywhere;
mod failures;
mod feed;
mod figures;
mod files;
mod inbox;
mod journey;
mod live;
mod managing;
mod openid;
mod people;
mod preview;
mod programs;
mod rehearsal;
mod sets;
mod slots;
mod sources;
mod thread;
mod tiktok;
mod upload;
mod watched;

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
        Self::start_as("", variables).await
    }

    /// The same with a file of settings.
    async fn start_as(settings: &str, variables: &[(&str, &str)]) -> Self {
        let networks = Networks::start().await;
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("scheduler.toml"), settings).unwrap();
        let setup = Setup::new(folder.path(), networks.url());
        let service = setup.serve_with(variables);
        Self { service, setup, networks, _folder: folder }
    }

    /// The same with a server that only answers, and sends nothing.
    fn without_worker(self) -> Self {
        let Self { service, setup, networks, _folder } = self;
        let first_key = service.first_key.clone();
        assert_eq!(service.stop(), Some(0));
        let mut service = setup.serve_with(&[("SCHEDULER_ROLE", "api")]);
        service.first_key = first_key;
        Self { service, setup, networks, _folder }
    }

    /// A link that signs a browser in as somebody of this role.
    fn link(&self, role: &str) -> String {
        let link = self.setup.json(&[], &["web", "open", "--as", role]);
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
        let more = ["--client", "Jonas", "--note", note];
        let made = self.setup.json(&[], &[&["approvals", "create"], posts, &more].concat());
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
