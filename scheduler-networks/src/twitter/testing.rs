//! What the tests of this network share.

use scheduler_core::account::Credentials;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, LivePost, Metered, NetworkError, PublishJob};
use scheduler_core::target::Remote;
use secrecy::SecretString;
use serde_json::{Map, Value, json};

use super::Twitter;
use crate::conversation::{Answer, Request, Turn, shown};
use crate::registry::{Client, NetworkSettings};
use crate::testing::{answered, begun_at, bluesky_job};

pub(super) const USER: &str = "2244994945";

/// The network, with an application of the operator.
pub(super) fn twitter() -> Twitter {
    with_client("client-secret")
}

/// The network, with an application that has this secret.
pub(super) fn with_client(secret: &str) -> Twitter {
    let client = Client { id: "client-id".to_owned(), secret: SecretString::from(secret) };
    Twitter::new(NetworkSettings { client: Some(client), ..NetworkSettings::default() })
}

/// A post to X.
pub(super) fn twitter_job() -> PublishJob {
    let mut job = bluesky_job();
    job.account.platform = Platform::Twitter;
    job.account.network_id = USER.to_owned();
    job.account.server_url = None;
    job.account.username = Some("ana".to_owned());
    job.credentials = credentials(Some("refresh-token"));
    job
}

pub(super) fn credentials(refresh_token: Option<&str>) -> Credentials {
    let kept = json!({
        "accessToken": "access-token",
        "refreshToken": refresh_token,
        "scopes": ["tweet.read", "tweet.write", "users.read", "offline.access", "media.write"],
    });
    Credentials::new(kept.to_string(), None)
}

pub(super) fn access() -> Access {
    let job = twitter_job();
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
        target_id: twitter_job().target_id,
        remote,
        content: "Hello #rust".to_owned(),
        link_url: None,
        file_count: 0,
        options: Map::new(),
        published_at: begun_at(),
    }
}

/// An error in the form of a problem, as the network words it.
pub(super) fn problem(status: u16, kind: &str, title: &str, detail: &str) -> Answer {
    let kind = match kind {
        "" => "about:blank".to_owned(),
        kind => format!("https://api.x.com/2/problems/{kind}"),
    };
    let body = json!({ "title": title, "detail": detail, "type": kind, "status": status });
    answered(status, &body)
}

/// The refusal of a text that was posted already.
pub(super) fn duplicate() -> Answer {
    let detail = "You are not allowed to create a Tweet with duplicate content.";
    problem(403, "", "Forbidden", detail)
}

/// The refusal of an answer to a post that cannot be seen.
pub(super) fn unseen() -> Answer {
    let detail = "You attempted to reply to a Tweet that is deleted or not visible to you.";
    problem(403, "", "Forbidden", detail)
}

pub(super) fn made(id: &str) -> Answer {
    answered(201, &json!({ "data": { "id": id, "text": "…" } }))
}

/// A page of the account's posts.
pub(super) fn page(posts: &Value, next: Option<&str>) -> Answer {
    let mut meta = json!({ "result_count": posts.as_array().map_or(0, Vec::len) });
    if let Some(next) = next {
        meta["next_token"] = json!(next);
    }
    answered(200, &json!({ "data": posts, "meta": meta }))
}

/// Holds a conversation with these answers; the requests that it made, and what came of it.
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
    panic!("wants more answers: {:?}", all_shown(&asked))
}

pub(super) fn done<T: std::fmt::Debug>(turn: Result<Turn<T>, NetworkError>) -> T {
    match turn {
        Ok(Turn::Done(result)) => result,
        other => panic!("not done: {other:?}"),
    }
}

pub(super) fn all_shown(requests: &[Request]) -> Vec<Value> {
    requests.iter().map(shown).collect()
}

/// The methods and addresses of requests.
pub(super) fn addresses(requests: &[Request]) -> Vec<String> {
    let shown = all_shown(requests);
    shown.iter().map(|request| request["request"].as_str().unwrap().to_owned()).collect()
}
