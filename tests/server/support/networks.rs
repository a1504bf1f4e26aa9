//! The sandbox networks: in the test's own process, so that they outlive a killed server, or
//! those of a server.

use std::collections::BTreeMap;

use scheduler_sandbox::{Options, Sandbox};
use serde_json::{Value, json};

use super::api::client;

pub(crate) struct Networks {
    url: String,
    /// What runs in this process.
    _sandbox: Option<Sandbox>,
}

impl Networks {
    pub(crate) async fn start() -> Self {
        let listen = ([127, 0, 0, 1], 0).into();
        let sandbox = Sandbox::start(listen, Options::default()).await.expect("a free port");
        Self { url: sandbox.url().to_owned(), _sandbox: Some(sandbox) }
    }

    /// Those that run elsewhere.
    pub(crate) fn at(url: &str) -> Self {
        Self { url: url.to_owned(), _sandbox: None }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Arms a fault.
    pub(crate) async fn fault(&self, fault: &Value) {
        let url = format!("{}/_sandbox/faults", self.url());
        let answer = client().post(url).json(fault).send().await.expect("the sandbox answers");
        assert!(answer.status().is_success(), "{fault}");
    }

    /// How often each text is live on a network.
    pub(crate) async fn live(&self, platform: &str) -> BTreeMap<String, usize> {
        let url = format!("{}/_sandbox/posts?platform={platform}&deleted=false", self.url());
        let answer = client().get(url).send().await.expect("the sandbox answers");
        let posts: Value = answer.json().await.expect("JSON");
        let mut live = BTreeMap::new();
        for post in posts["data"].as_array().expect("a list") {
            let account = post["account"].as_str().expect("an account");
            let text = post["text"].as_str().expect("a text");
            *live.entry(format!("{account}: {text}")).or_default() += 1;
        }
        live
    }

    /// Makes an account; what a person would be given of it.
    pub(crate) async fn new_account(&self, platform: &str) -> Value {
        let url = format!("{}/_sandbox/accounts", self.url());
        let body = json!({ "platform": platform });
        let answer = client().post(url).json(&body).send().await.expect("the sandbox answers");
        answer.json().await.expect("JSON")
    }

    /// The path of every request that a network was sent, oldest first.
    pub(crate) async fn requests(&self, platform: &str) -> Vec<String> {
        let url = format!("{}/_sandbox/requests?platform={platform}", self.url());
        let answer = client().get(url).send().await.expect("the sandbox answers");
        let requests: Value = answer.json().await.expect("JSON");
        let requests = requests["data"].as_array().expect("a list");
        requests.iter().map(|one| one["path"].as_str().expect("a path").to_owned()).collect()
    }

    /// How many requests to a network have run into a fault.
    pub(crate) async fn hits(&self, platform: &str) -> usize {
        let url = format!("{}/_sandbox/requests?platform={platform}", self.url());
        let answer = client().get(url).send().await.expect("the sandbox answers");
        let requests: Value = answer.json().await.expect("JSON");
        let requests = requests["data"].as_array().expect("a list");
        requests.iter().filter(|one| one["fault"].is_string()).count()
    }

    /// Takes one network's next publish through a kind of fault.
    pub(crate) async fn fault_publish(&self, platform: &str, kind: &str, times: u32) {
        let fault =
            json!({"platform": platform, "operation": "publish", "kind": kind, "times": times});
        self.fault(&fault).await;
    }
}
