//! A network in memory: for tests and examples.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use serde_json::{Value, json};

use crate::account::{Account, Credentials};
use crate::ports::{ConnectInput, Connected, Located, Network, NetworkError, PublishJob, Step};
use crate::target::Remote;

/// A network that keeps the text of what is published, by a key that is made of the job alone: a
/// repeat changes nothing. It connects the account that `name` names, or `me`.
#[derive(Debug, Default)]
pub struct MemoryNetwork {
    posts: Mutex<BTreeMap<String, String>>,
}

impl MemoryNetwork {
    /// A network on which nothing is published.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The texts that are live, in the order of their keys.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.posts().values().cloned().collect()
    }

    fn posts(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.posts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn found(&self, progress: &Value) -> Option<Remote> {
        let key = key(progress);
        self.posts().contains_key(key).then(|| Remote::new(key.to_owned(), None))
    }
}

fn key(progress: &Value) -> &str {
    progress["key"].as_str().unwrap_or_default()
}

#[async_trait]
impl Network for MemoryNetwork {
    async fn connect(&self, input: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        let name = input.value("name").unwrap_or("me");
        let opened = Connected::new(name, Credentials::new("none are needed", None));
        Ok(vec![Connected { username: Some(name.to_owned()), ..opened }])
    }

    fn begin(&self, job: &PublishJob) -> Value {
        json!({ "key": format!("{}-{}", job.target_id, job.revision) })
    }

    fn is_visible(&self, _progress: &Value) -> bool {
        true
    }

    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
        let key = key(progress).to_owned();
        self.posts().insert(key.clone(), job.content.clone());
        Ok(Step::Live(Remote::new(key, None).into()))
    }

    async fn locate(&self, _: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        Ok(match self.found(progress) {
            Some(remote) => Located::Live(remote.into()),
            None => Located::Continue(progress.clone()),
        })
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        self.found(progress)
    }

    async fn refresh(&self, _: &Account, old: &Credentials) -> Result<Credentials, NetworkError> {
        Ok(old.clone())
    }
}
