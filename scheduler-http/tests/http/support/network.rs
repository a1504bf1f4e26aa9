//! A network and a receiver of events that do as a test tells them.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::Platform;
use scheduler_core::ports::*;
use scheduler_core::target::Remote;
use serde_json::{Value, json};

/// One publish, as the network saw it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sent {
    pub(crate) platform: Platform,
    pub(crate) username: String,
    pub(crate) content: String,
    pub(crate) begun_at: DateTime<Utc>,
    /// `None` while it runs, and for ever when it was dropped.
    pub(crate) ended_at: Option<DateTime<Utc>>,
}

/// A network whose publishes take `takes`, and which panics at a post whose content is `panic`
/// for the first time, and refuses one whose content is `refuse`. Of one whose content is `doubt`
/// nobody can tell whether it is live.
#[derive(Debug, Default)]
pub(crate) struct FakeNetwork {
    pub(crate) takes: Mutex<Duration>,
    pub(crate) sent: Mutex<Vec<Sent>>,
    pub(crate) has_panicked: AtomicBool,
    /// How often it is not there for a post whose content is `later`.
    pub(crate) not_there: AtomicUsize,
    pub(crate) in_flight: Mutex<BTreeMap<Platform, usize>>,
    pub(crate) most_in_flight: Mutex<BTreeMap<Platform, usize>>,
}

struct InFlight<'a>(&'a FakeNetwork, Platform);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        *self.0.in_flight.lock().unwrap().get_mut(&self.1).unwrap() -= 1;
    }
}

impl FakeNetwork {
    fn enter(&self, platform: Platform) -> InFlight<'_> {
        let mut in_flight = self.in_flight.lock().unwrap();
        let count = in_flight.entry(platform).or_default();
        *count += 1;
        let mut most = self.most_in_flight.lock().unwrap();
        let most = most.entry(platform).or_default();
        *most = (*most).max(*count);
        InFlight(self, platform)
    }

    pub(crate) fn sent(&self) -> Vec<Sent> {
        self.sent.lock().unwrap().clone()
    }

    pub(crate) fn most_in_flight(&self, platform: Platform) -> usize {
        self.most_in_flight.lock().unwrap().get(&platform).copied().unwrap_or_default()
    }
}

#[async_trait]
impl Network for FakeNetwork {
    async fn connect(&self, input: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        let given = ["code", "name", "identifier"].into_iter().find_map(|name| input.value(name));
        let names = given.unwrap_or("someone");
        if names == "wrong" {
            return Err(NetworkError::new(NetworkErrorKind::Permanent, "The <password> is wrong."));
        }
        let opened = names.split('+').map(|name| Connected {
            username: Some(name.to_owned()),
            lacks: vec!["It cannot read <comments>.".to_owned()],
            ..Connected::new(name, Credentials::new("token".to_owned(), None))
        });
        Ok(opened.collect())
    }

    /// A page whose address holds what it was made with.
    async fn authorize(&self, input: &AuthorizeInput) -> Result<Authorization, NetworkError> {
        let AuthorizeInput { redirect_uri, state, values, .. } = input;
        let server = values.value("instance").unwrap_or_default();
        let url = format!("https://network.example/{server}?to={redirect_uri}&state={state}");
        Ok(Authorization { url, kept: ConnectInput::default() })
    }

    fn begin(&self, _: &PublishJob) -> Value {
        json!("begin")
    }

    fn call_within(&self, _: &PublishJob, _: &Value) -> TimeDelta {
        TimeDelta::zero()
    }

    fn is_visible(&self, _: &Value) -> bool {
        true
    }

    async fn advance(&self, job: &PublishJob, _: &Value) -> Result<Step, NetworkError> {
        let platform = job.account.platform;
        let _in_flight = self.enter(platform);
        if job.content == "panic" && !self.has_panicked.swap(true, Ordering::SeqCst) {
            panic!("the network of the test panics");
        }
        if job.content == "refuse" {
            return Err(NetworkError::new(NetworkErrorKind::Permanent, "No."));
        }
        if job.content == "doubt" {
            return Err(NetworkError::new(NetworkErrorKind::InDoubt, "No answer."));
        }
        let is_there = |left: usize| left.checked_sub(1);
        if job.content == "later"
            && self.not_there.fetch_update(Ordering::SeqCst, Ordering::SeqCst, is_there).is_ok()
        {
            return Err(NetworkError::new(NetworkErrorKind::Temporary, "Not now."));
        }
        let begun = tokio::time::Instant::now();
        let index = {
            let mut sent = self.sent.lock().unwrap();
            sent.push(Sent {
                platform,
                username: job.account.username.clone().unwrap(),
                content: job.content.clone(),
                begun_at: job.now,
                ended_at: None,
            });
            sent.len() - 1
        };
        let takes = *self.takes.lock().unwrap();
        if !takes.is_zero() {
            tokio::time::sleep(takes).await;
        }
        self.sent.lock().unwrap()[index].ended_at = Some(job.now + begun.elapsed());
        Ok(Step::Live(Remote::new("1", Some("https://example.com/1".into())).into()))
    }

    async fn locate(&self, job: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        if job.content == "doubt" {
            return Ok(Located::Unknown);
        }
        Ok(Located::Continue(progress.clone()))
    }

    fn live_part(&self, _: &Value) -> Option<Remote> {
        None
    }

    async fn refresh(
        &self,
        _: &Account,
        credentials: &Credentials,
    ) -> Result<Credentials, NetworkError> {
        Ok(credentials.clone())
    }
}

/// A receiver of events that hangs when told to.
#[derive(Debug, Default)]
pub(crate) struct FakeSender {
    pub(crate) takes: Mutex<Duration>,
    pub(crate) hangs: AtomicBool,
    pub(crate) sent: AtomicUsize,
    pub(crate) in_flight: AtomicUsize,
    pub(crate) most_in_flight: AtomicUsize,
}

#[async_trait]
impl EventSender for FakeSender {
    async fn send(&self, _: &Request) -> Result<Response, SendError> {
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(now, Ordering::SeqCst);
        if self.hangs.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_secs(10)).await;
            self.in_flight.fetch_sub(1, Ordering::SeqCst);
            return Err(SendError::Timeout);
        }
        let takes = *self.takes.lock().unwrap();
        if !takes.is_zero() {
            tokio::time::sleep(takes).await;
        }
        self.sent.fetch_add(1, Ordering::SeqCst);
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        Ok(Response { status: 204, body_start: String::new() })
    }

    fn check_address(&self, url: &str) -> Result<(), String> {
        assert!(!url.contains("panic"), "the sender of the test panics");
        if url.starts_with("https://") {
            return Ok(());
        }
        Err("The address must be https and public.".to_owned())
    }
}
