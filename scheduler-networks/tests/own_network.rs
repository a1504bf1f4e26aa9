//! The adapter of a network of one's own, broken at every request of its publish.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::ids::{AccountId, TargetId, WorkspaceId};
use scheduler_core::platform::{CapabilitySheet, Platform};
use scheduler_core::ports::{
    ConnectInput, Connected, Located, NetworkError, NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::{FailureCode, Remote};
use scheduler_networks::conversation::{
    Answer, Body, CallTimeout, Conversation, Method, Part, Request, Turn, TurnResult,
};
use scheduler_networks::crash::{Imitation, exhaust, exhaust_in_doubt};
use serde_json::{Map, Value, json};
use url::Url;
use uuid::Uuid;

/// The pages of an intranet: a page has the key that its writer gives it.
struct Intranet {
    /// Whether it tells what is there.
    can_look: bool,
    /// Whether a writer looks before it writes again.
    looks: bool,
}

fn pages() -> Url {
    Url::parse("https://intranet.example/pages").unwrap()
}

fn read(answer: &Answer, progress: &Value) -> Result<Option<Remote>, NetworkError> {
    let id = progress["key"].as_str().unwrap_or_default();
    match answer.status {
        200 | 201 => Ok(Some(Remote::new(id, Some(format!("{}/{id}", pages()))))),
        404 => Ok(None),
        429 => Err(NetworkError::new(NetworkErrorKind::Temporary, "too many requests")),
        _ => Err(NetworkError::new(NetworkErrorKind::InDoubt, "it failed")),
    }
}

impl Conversation for Intranet {
    fn begin(&self, job: &PublishJob) -> Value {
        json!({ "key": job.target_id.to_string() })
    }

    fn is_visible(&self, _: &Value) -> bool {
        true
    }

    fn live_part(&self, _: &Value) -> Option<Remote> {
        None
    }

    fn part(&self, _: &Value) -> Option<Part> {
        Some(Part { number: 1, of: 1 })
    }

    fn call_timeout(&self, _: &PublishJob, _: &Value) -> CallTimeout {
        CallTimeout::USUAL
    }

    fn advance(&self, job: &PublishJob, progress: &Value, answers: &[Answer]) -> TurnResult<Step> {
        let Some(answer) = answers.first() else {
            let page = json!({ "key": progress["key"], "text": job.content });
            return Ok(Turn::Send(Request::act(pages(), Body::Json(page)).visible()));
        };
        let remote = read(answer, progress)?
            .ok_or_else(|| NetworkError::new(NetworkErrorKind::Permanent, "there are no pages"))?;
        Ok(Turn::Done(Step::Live(remote.into())))
    }

    fn locate(&self, _: &PublishJob, progress: &Value, answers: &[Answer]) -> TurnResult<Located> {
        if !self.can_look {
            return Ok(Turn::Done(Located::Unknown));
        }
        if !self.looks {
            return Ok(Turn::Done(Located::Absent(progress.clone())));
        }
        let Some(answer) = answers.first() else {
            let mut page = pages();
            page.query_pairs_mut().append_pair("key", progress["key"].as_str().unwrap());
            return Ok(Turn::Send(Request::read(page)));
        };
        Ok(Turn::Done(match read(answer, progress)? {
            Some(remote) => Located::Live(remote.into()),
            None => Located::Absent(progress.clone()),
        }))
    }

    fn refresh(&self, _: &Account, old: &Credentials, _: &[Answer]) -> TurnResult<Credentials> {
        Ok(Turn::Done(old.clone()))
    }

    fn connect(&self, _: &ConnectInput, _: &[Answer]) -> TurnResult<Vec<Connected>> {
        let error = NetworkError::new(NetworkErrorKind::Permanent, "it has one account");
        Err(error.with_code(FailureCode::Unsupported))
    }
}

/// The intranet itself, which takes a page as often as it is sent.
#[derive(Clone, Default)]
struct Server {
    pages: Vec<(String, String)>,
}

impl Imitation for Server {
    fn answer(&mut self, request: &Request, _now: DateTime<Utc>) -> Answer {
        let status = match (&request.method, &request.body) {
            (Method::Post, Body::Json(page)) => {
                let member = |name: &str| page[name].as_str().unwrap().to_owned();
                self.pages.push((member("key"), member("text")));
                201
            }
            _ => {
                let (_, wanted) = request.url.query_pairs().next().unwrap();
                if self.pages.iter().any(|(key, _)| *key == wanted) { 200 } else { 404 }
            }
        };
        Answer { status, headers: Vec::new(), body: Vec::new() }
    }

    fn live(&self) -> Vec<String> {
        self.pages.iter().map(|(_, text)| text.clone()).collect()
    }
}

fn job() -> PublishJob {
    let platform = Platform::register("intranet", CapabilitySheet::plain("Intranet", 2_000));
    let now = DateTime::from_timestamp(1_795_168_800, 0).unwrap();
    PublishJob {
        target_id: TargetId(Uuid::from_u128(1)),
        revision: 0,
        content: "The canteen is closed.".to_owned(),
        link_url: None,
        files: Vec::new(),
        thumbnail: None,
        thread_files: Vec::new(),
        options: Map::new(),
        account: Account::new(
            AccountId(Uuid::from_u128(2)),
            WorkspaceId(Uuid::from_u128(3)),
            platform.unwrap(),
            "staff",
            now,
        ),
        credentials: Credentials::new("none", None),
        begun_at: now,
        now,
    }
}

const PAUSE: TimeDelta = TimeDelta::minutes(5);

#[test]
fn a_page_is_written_once_whatever_fails() {
    let intranet = Intranet { can_look: true, looks: true };
    exhaust(&intranet, &Server::default(), &job(), PAUSE, &["The canteen is closed."]);
}

#[test]
fn without_a_look_it_is_told_to_be_in_doubt() {
    let intranet = Intranet { can_look: false, looks: false };
    exhaust_in_doubt(&intranet, &Server::default(), &job(), PAUSE, &["The canteen is closed."]);
}

#[test]
#[should_panic(expected = "CrashAfter")]
fn an_adapter_that_does_not_look_is_found_out() {
    let intranet = Intranet { can_look: true, looks: false };
    exhaust(&intranet, &Server::default(), &job(), PAUSE, &["The canteen is closed."]);
}
