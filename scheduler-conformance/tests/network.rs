//! The crash kit finds out networks that post twice, and lets pass those that do not.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Mutex;

use async_trait::async_trait;
use scheduler_conformance::network::{NetworkUnderTest, exhaust, exhaust_in_doubt};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::{CapabilitySheet, Platform};
use scheduler_core::ports::{
    ConnectInput, Connected, Located, Network, NetworkError, PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde_json::{Value, json};

/// A board takes a note as often as it comes. It is looked at, or nobody can look, or who writes
/// does not.
struct Board<const LOOK: u8>(Mutex<Vec<(String, String)>>);

const LOOKS: u8 = 0;
const CANNOT: u8 = 1;
const DOES_NOT: u8 = 2;

#[async_trait]
impl<const LOOK: u8> Network for Board<LOOK> {
    async fn connect(&self, _: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        Ok(vec![Connected::new("board", Credentials::new("none", None))])
    }

    fn begin(&self, job: &PublishJob) -> Value {
        json!({ "key": job.target_id.to_string() })
    }

    fn is_visible(&self, _: &Value) -> bool {
        true
    }

    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
        let key = progress["key"].as_str().unwrap().to_owned();
        self.0.lock().unwrap().push((key.clone(), job.content.clone()));
        Ok(Step::Live(Remote::new(key, None).into()))
    }

    async fn locate(&self, _: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        let key = progress["key"].as_str().unwrap();
        let is_there = self.0.lock().unwrap().iter().any(|(known, _)| known == key);
        Ok(match LOOK {
            CANNOT => Located::Unknown,
            LOOKS if is_there => Located::Live(Remote::new(key, None).into()),
            _ => Located::Absent(progress.clone()),
        })
    }

    fn live_part(&self, _: &Value) -> Option<Remote> {
        None
    }

    async fn refresh(&self, _: &Account, old: &Credentials) -> Result<Credentials, NetworkError> {
        Ok(old.clone())
    }
}

impl<const LOOK: u8> NetworkUnderTest for Board<LOOK> {
    fn open() -> Self {
        Self(Mutex::default())
    }

    fn live(&self) -> Vec<String> {
        self.0.lock().unwrap().iter().map(|(_, text)| text.clone()).collect()
    }
}

fn board() -> Platform {
    Platform::register("board", CapabilitySheet::plain("Board", 2_000)).unwrap()
}

fn post() -> Value {
    json!({ "content": "Hello", "publishNow": true, "targets": [{ "platform": "board" }] })
}

#[test]
fn a_note_hangs_once_whatever_fails() {
    exhaust::<Board<LOOKS>>(board(), &post(), &["Hello"]);
}

#[test]
fn where_nobody_can_look_it_is_told_to_be_in_doubt() {
    exhaust_in_doubt::<Board<CANNOT>>(board(), &post(), &["Hello"]);
}

#[test]
#[should_panic(expected = "Lost)]")]
fn who_does_not_look_is_found_out() {
    exhaust::<Board<DOES_NOT>>(board(), &post(), &["Hello"]);
}
