//! What the tests of this folder share.

use scheduler_core::ports::{Access, LivePost, Metered, NetworkError};
use scheduler_core::target::Remote;
use serde_json::{Map, Value, json};

use super::Bluesky;
use super::wire::POSTS;
use crate::conversation::{Answer, Request, Turn, shown};
use crate::testing::{answered, begun_at, bluesky_job};

/// The account of every test.
pub(super) const DID: &str = "did:plc:abcdefghijklmnopqrstuvwx";

/// The adapter as it is for Bluesky itself.
pub(super) fn bluesky() -> Bluesky {
    Bluesky::default()
}

/// The account, and what opens it.
pub(super) fn access() -> Access {
    let job = bluesky_job();
    Access {
        account: job.account,
        credentials: job.credentials,
        now: begun_at(),
        meter: Metered::free(),
    }
}

/// The at-uri of a post of the account.
pub(super) fn uri(key: &str) -> String {
    format!("at://{DID}/{POSTS}/{key}")
}

/// A live post whose parts have these keys.
pub(super) fn live_post(keys: &[&str]) -> LivePost {
    let mut remote = Remote::new(uri(keys[0]), None);
    if keys.len() > 1 {
        let parts: Vec<String> = keys.iter().map(|key| uri(key)).collect();
        remote.record = json!({ "parts": parts });
    }
    LivePost {
        target_id: bluesky_job().target_id,
        remote,
        content: "Hello #rust".to_owned(),
        link_url: None,
        file_count: 0,
        options: Map::new(),
        published_at: begun_at(),
    }
}

/// An error as the server words it.
pub(super) fn refusal(name: &str, message: &str) -> Answer {
    answered(400, &json!({ "error": name, "message": message }))
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

/// Requests as a line each, which all carry a token.
pub(super) fn lines(asked: &[Request]) -> Vec<String> {
    let line = |request: &Request| {
        let shown = shown(request);
        assert_eq!(shown["headers"]["authorization"], "[redacted]");
        let body = match &shown["body"] {
            Value::Null => String::new(),
            body => format!(" {body}"),
        };
        let view = match shown["headers"].get("atproto-proxy") {
            Some(service) => format!(" by {}", service.as_str().unwrap_or_default()),
            None => String::new(),
        };
        format!("{}{body}{view}", shown["request"].as_str().unwrap_or_default())
            .replace("https://pds.example.com/xrpc/", "")
    };
    asked.iter().map(line).collect()
}
