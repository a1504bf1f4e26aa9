//! What the tests of Threads share.

use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, LivePost, Metered, NetworkError, PublishJob};
use scheduler_core::target::Remote;
use secrecy::SecretString;
use serde_json::{Map, Value, json};

use super::Threads;
use crate::conversation::{Answer, Request, Turn};
use crate::registry::{Client, NetworkSettings};
use crate::testing::{answered, begun_at, bluesky_job};

pub(super) const USER: &str = "17841400000000001";

/// The network, with an application of the operator.
pub(super) fn threads() -> Threads {
    let client = Client { id: "app".to_owned(), secret: SecretString::from("app-secret") };
    Threads::new(NetworkSettings { client: Some(client), ..NetworkSettings::default() })
}

/// A post to Threads.
pub(super) fn threads_job() -> PublishJob {
    let job = bluesky_job();
    let account = Account {
        platform: Platform::Threads,
        network_id: USER.to_owned(),
        server_url: None,
        username: Some("ana".to_owned()),
        ..job.account
    };
    let kept = json!({ "accessToken": "access-token", "userId": USER });
    PublishJob { account, credentials: Credentials::new(kept.to_string(), None), ..job }
}

pub(super) fn access() -> Access {
    let job = threads_job();
    Access {
        account: job.account,
        credentials: job.credentials,
        now: begun_at(),
        meter: Metered::free(),
    }
}

/// A live post of these parts.
pub(super) fn live_post(parts: &[&str]) -> LivePost {
    let mut remote = Remote::new(parts[0], None);
    if parts.len() > 1 {
        remote.record = json!({ "parts": parts });
    }
    LivePost {
        target_id: threads_job().target_id,
        remote,
        content: "Hello #rust".to_owned(),
        link_url: None,
        file_count: 0,
        options: Map::new(),
        published_at: begun_at(),
    }
}

/// An error as the network words it.
pub(super) fn fault(status: u16, code: i64, subcode: i64, message: &str) -> Answer {
    answered(
        status,
        &json!({ "error": {
            "message": message,
            "type": "THApiException",
            "code": code,
            "error_subcode": subcode,
            "is_transient": false,
            "fbtrace_id": "AbC",
        } }),
    )
}

pub(super) fn ok(body: &Value) -> Answer {
    answered(200, body)
}

/// The request of a turn.
pub(super) fn asks<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> Request {
    match turn {
        Ok(Turn::Send(request)) => request,
        other => panic!("no request: {other:?}"),
    }
}

/// The result of a turn.
pub(super) fn done<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> T {
    match turn {
        Ok(Turn::Done(result)) => result,
        other => panic!("not done: {other:?}"),
    }
}

/// Holds a conversation with these answers: the requests that it made, and what came of it.
pub(super) fn held<T: std::fmt::Debug>(
    answers: &[Answer],
    mut next: impl FnMut(&[Answer]) -> Result<Turn<T>, NetworkError>,
) -> (Vec<Request>, Result<T, NetworkError>) {
    let mut asked = Vec::new();
    for given in 0..=answers.len() {
        match next(&answers[..given]) {
            Ok(Turn::Send(request)) => asked.push(request),
            Ok(Turn::Done(result)) => return (asked, Ok(result)),
            Err(error) => return (asked, Err(error)),
        }
    }
    panic!("wants more answers: {asked:?}")
}
