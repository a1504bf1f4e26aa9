//! The outside world: `scheduler sandbox` as a process of its own, and what stands there.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use reqwest::Client;
use scheduler_core::platform::Platform;
use serde_json::Value;

use crate::binary::scheduler;
use crate::processes::{Process, append};

pub(crate) struct Networks {
    url: String,
    client: Client,
    _process: Process,
}

/// What stands at the networks under one mark: how often, and when it was first seen there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) count: usize,
    pub(crate) first: DateTime<Utc>,
}

impl Networks {
    pub(crate) async fn start(folder: &Path, client: &Client) -> Self {
        let logs = folder.join("logs");
        let output = logs.join("sandbox.out");
        let mut command = Command::new(scheduler());
        command.args(["sandbox", "--listen", "127.0.0.1:0"]).current_dir(folder);
        command.stdout(append(&output)).stderr(append(&logs.join("sandbox.log")));
        let process = Process::start(&mut command, folder);
        let begun = Instant::now();
        let url = loop {
            let text = std::fs::read_to_string(&output).unwrap_or_default();
            if let Some(url) = text.lines().find_map(|line| line.strip_prefix("Sandbox on ")) {
                break url.to_owned();
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "the sandbox does not start");
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        Self { url, client: client.clone(), _process: process }
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Arms a fault.
    pub(crate) async fn fault(&self, fault: &Value) {
        let url = format!("{}/_sandbox/faults", self.url);
        let answer = self.client.post(url).json(fault).send().await.expect("the sandbox answers");
        assert!(answer.status().is_success(), "{fault}");
    }

    /// How many faults wait for requests to `platform`.
    pub(crate) async fn waiting_faults(&self, platform: &str) -> usize {
        let url = format!("{}/_sandbox/faults", self.url);
        let answer = self.client.get(url).send().await.expect("the sandbox answers");
        let faults: Value = answer.json().await.expect("JSON");
        let faults = faults["data"].as_array().expect("a list");
        faults.iter().filter(|fault| fault["platform"] == platform).count()
    }

    /// Takes back all faults that nothing has run into.
    pub(crate) async fn no_faults(&self) {
        let url = format!("{}/_sandbox/faults", self.url);
        self.client.delete(url).send().await.expect("the sandbox answers");
    }

    /// Sends each network a request that it refuses: what has become ready there is shown only
    /// from the next request on.
    pub(crate) async fn settle(&self) {
        for platform in Platform::ALL {
            let url = format!("{}/{platform}/", self.url);
            self.client.get(url).send().await.expect("the sandbox answers");
        }
    }

    /// Looks at all that stands there, and notes it by network and mark.
    pub(crate) async fn look(&self, seen: &mut BTreeMap<(String, String), Seen>) {
        let url = format!("{}/_sandbox/posts?deleted=false", self.url);
        let answer = self.client.get(url).send().await.expect("the sandbox answers");
        let posts: Value = answer.json().await.expect("JSON");
        let now = crate::plan::now();
        for one in seen.values_mut() {
            one.count = 0;
        }
        for post in posts["data"].as_array().expect("a list") {
            let text = post["text"].as_str().expect("a text");
            let platform = post["platform"].as_str().expect("a network").to_owned();
            let mark = mark_in(text).unwrap_or(text).to_owned();
            let new = Seen { count: 0, first: now };
            seen.entry((platform, mark)).or_insert(new).count += 1;
        }
    }
}

/// The mark in a text: `storm`, the number of the target, the part of it.
pub(crate) fn mark(number: usize, part: usize) -> String {
    format!("storm{number:05}p{part}")
}

fn mark_in(text: &str) -> Option<&str> {
    let at = text.find("storm")?;
    text.get(at..at + mark(0, 0).len())
}
