//! A server that runs on a sandbox of its own, and is started again.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use crate::everywhere::to_everybody;
use crate::support::{Api, Networks, Offers, Service, Setup, post_ended, wait_for};

/// A server with its key; the key outlives it.
struct Server {
    service: Service,
    key: String,
}

/// Starts the server of a folder; the first start makes the key.
fn start(setup: &Setup, key: Option<String>) -> Server {
    let service = setup.serve();
    let key = service.first_key.clone().or(key).unwrap();
    Server { service, key }
}

impl Server {
    fn api(&self) -> Api {
        Api::new(&self.service.url, &self.key)
    }

    async fn accounts(&self) -> Vec<Value> {
        self.api().get("/oauth/accounts").await["data"].as_array().unwrap().clone()
    }

    async fn ids(&self) -> Vec<(Value, Value)> {
        let pair = |account: &Value| (account["id"].clone(), account["username"].clone());
        self.accounts().await.iter().map(pair).collect()
    }

    /// Creates posts to every account that go out at a time, or now.
    async fn create(&self, text: &str, at: Option<DateTime<Utc>>) {
        self.create_for(&self.accounts().await, text, at).await;
    }

    async fn create_for(&self, accounts: &[Value], text: &str, at: Option<DateTime<Utc>>) {
        let api = self.api();
        let offers = Offers::open(self.service.data(), &self.service.sandbox).await;
        for mut body in to_everybody(&api, &offers, accounts).await {
            body["content"] = text.into();
            match at {
                Some(at) => body["scheduledAt"] = at.to_rfc3339().into(),
                None => body["publishNow"] = true.into(),
            }
            api.create(&body).await;
        }
    }

    /// Waits for the end of all posts, and returns all targets with this text.
    async fn ended(&self, text: &str) -> Vec<Value> {
        let api = self.api();
        let posts = wait_for("every post to end", async || {
            let posts = api.get("/posts?limit=500").await["data"].as_array().unwrap().clone();
            posts.iter().all(post_ended).then_some(posts)
        })
        .await;
        let own = posts.iter().filter(|post| post["content"] == text);
        own.flat_map(|post| post["targets"].as_array().unwrap().clone()).collect()
    }

    /// How often a text is live on a network.
    async fn live(&self, platform: &str, text: &str) -> usize {
        let live = Networks::at(&self.service.sandbox).live(platform).await;
        live.iter().filter(|(key, _)| key.contains(text)).map(|(_, count)| count).sum()
    }

    /// Expects that each target of all these texts is published and live once.
    async fn expect(&self, texts: &[&str]) {
        for text in texts {
            let targets = self.ended(text).await;
            assert_eq!(targets.len(), 13, "{text}");
            for target in targets {
                assert_eq!(target["status"], "published", "{text}: {target}");
                let live = self.live(target["platform"].as_str().unwrap(), text).await;
                assert_eq!(live, 1, "{text}: {target}");
            }
        }
    }
}

/// Late enough that all posts are created before, also on a busy machine.
fn soon() -> DateTime<Utc> {
    #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
    let now = DateTime::<Utc>::from(std::time::SystemTime::now());
    now + TimeDelta::seconds(20)
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_posts_and_what_is_scheduled_are_there_after_a_kill_and_after_a_stop() {
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), "");
    let server = start(&setup, None);
    let (ids, sandbox) = (server.ids().await, server.service.sandbox.clone());
    assert_eq!(ids.len(), 13);
    let zone = ["accounts", "set-timezone", "bluesky", "Europe/Vienna"];
    setup.run(&zone);
    setup.run(&["schedule", "set", "bluesky", "mon-fri 09:00"]);
    let schedule = setup.run(&["schedule", "show", "bluesky"]).stdout;
    server.create("sent before", None).await;
    server.expect(&["sent before"]).await;

    server.create("due after the kill", Some(soon())).await;
    let key = server.key.clone();
    server.service.kill();
    let server = start(&setup, Some(key));
    assert_eq!((server.ids().await, &server.service.sandbox), (ids.clone(), &sandbox));
    server.expect(&["sent before", "due after the kill"]).await;

    server.create("due after the stop", Some(soon())).await;
    let key = server.key.clone();
    assert_eq!(server.service.stop(), Some(0));
    let server = start(&setup, Some(key));
    assert_eq!((server.ids().await, &server.service.sandbox), (ids, &sandbox));
    assert_eq!(setup.run(&["schedule", "show", "bluesky"]).stdout, schedule);
    server.expect(&["sent before", "due after the kill", "due after the stop"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_of_server_and_sandbox_in_the_middle_doubles_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let setup = Setup::new(folder.path(), "");
    let server = start(&setup, None);
    // TikTok shows photos a while after it took them, so that one whose answer was lost is looked
    // for half an hour; a file may be on its way to Telegram for ten minutes. The matrix lets that
    // time pass.
    let mut accounts = server.accounts().await;
    accounts.retain(|account| account["platform"] != "tiktok" && account["platform"] != "telegram");
    server.create_for(&accounts, "in the middle", None).await;
    let networks = Networks::at(&server.service.sandbox);
    wait_for("the first post", async || {
        let live = networks.live("bluesky").await.len() + networks.live("linkedin").await.len();
        (live > 0).then_some(())
    })
    .await;
    let key = server.key.clone();
    server.service.kill();
    let server = start(&setup, Some(key));
    let targets = server.ended("in the middle").await;
    assert_eq!(targets.len(), 11);
    for target in targets {
        let platform = target["platform"].as_str().unwrap();
        let live = server.live(platform, "in the middle").await;
        // A network that can neither be asked nor recognises a repeat leaves a doubt.
        let in_doubt = target["errorCode"] == json!("in_doubt") && live <= 1;
        assert!(in_doubt || (target["status"] == "published" && live == 1), "{live}: {target}");
    }
}
