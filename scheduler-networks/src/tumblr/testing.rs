//! What the tests of Tumblr share.

use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Access, LivePost, Metered, NetworkError, PublishJob};
use scheduler_core::target::Remote;
use secrecy::SecretString;
use serde_json::{Map, Value, json};

use super::Tumblr;
use crate::conversation::{Answer, Turn, TurnResult, shown};
use crate::registry::{Client, NetworkSettings};
use crate::testing::{answered, begun_at, bluesky_job};

pub(super) const BLOG: &str = "t:0aY0xL2Fi1OFJg4YxpmegQ";

/// The network, with an application of the operator.
pub(super) fn tumblr() -> Tumblr {
    let client = Client { id: "key".to_owned(), secret: SecretString::from("key-secret") };
    Tumblr::new(NetworkSettings { client: Some(client), ..NetworkSettings::default() })
}

/// A post to Tumblr.
pub(super) fn tumblr_job() -> PublishJob {
    let job = bluesky_job();
    let account = Account {
        platform: Platform::Tumblr,
        network_id: BLOG.to_owned(),
        server_url: None,
        username: Some("ana".to_owned()),
        ..job.account
    };
    let kept = json!({
        "accessToken": "access-token",
        "refreshToken": "refresh-token",
        "scopes": ["write", "offline_access"],
    });
    PublishJob { account, credentials: Credentials::new(kept.to_string(), None), ..job }
}

pub(super) fn access() -> Access {
    let job = tumblr_job();
    Access {
        account: job.account,
        credentials: job.credentials,
        now: begun_at(),
        meter: Metered::free(),
    }
}

/// A live post.
pub(super) fn live_post(id: &str) -> LivePost {
    LivePost {
        target_id: tumblr_job().target_id,
        remote: Remote::new(id, None),
        content: "Hello #rust".to_owned(),
        link_url: None,
        file_count: 0,
        options: Map::new(),
        published_at: begun_at(),
    }
}

/// An answer as the network wraps it.
pub(super) fn ok(response: &Value) -> Answer {
    enveloped(200, "OK", response)
}

pub(super) fn enveloped(status: u16, msg: &str, response: &Value) -> Answer {
    answered(status, &json!({ "meta": { "status": status, "msg": msg }, "response": response }))
}

/// The answer to what was made.
pub(super) fn created(id: &str, state: &str) -> Answer {
    enveloped(201, "Created", &json!({ "id": id, "state": state, "display_text": "Posted" }))
}

/// An error as the network words it.
pub(super) fn fault(status: u16, code: i64, detail: &str) -> Answer {
    answered(
        status,
        &json!({
            "meta": { "status": status, "msg": "Refused" },
            "response": [],
            "errors": [{ "title": "Refused", "code": code, "detail": detail }],
        }),
    )
}

pub(super) fn gone() -> Answer {
    fault(404, 0, "That post is not here.")
}

/// Posts as a blog lists them.
pub(super) fn posts(posts: &[Value]) -> Answer {
    ok(&json!({ "blog": { "name": "ana" }, "posts": posts, "total_posts": posts.len() }))
}

/// Holds a conversation with these answers: the requests that it made, and what came of it.
pub(super) fn held<T: std::fmt::Debug>(
    answers: &[Answer],
    mut next: impl FnMut(&[Answer]) -> TurnResult<T>,
) -> (Vec<Value>, Result<T, NetworkError>) {
    let mut asked = Vec::new();
    for given in 0..=answers.len() {
        match next(&answers[..given]) {
            Ok(Turn::Send(request)) => asked.push(shown(&request)),
            Ok(Turn::Done(result)) => return (asked, Ok(result)),
            Err(error) => return (asked, Err(error)),
        }
    }
    panic!("wants more answers: {asked:?}")
}

/// The methods and addresses of requests.
pub(super) fn addresses(asked: &[Value]) -> Vec<&str> {
    asked.iter().map(|request| request["request"].as_str().unwrap()).collect()
}
