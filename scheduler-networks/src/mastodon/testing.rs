//! What the tests of this folder share.

use scheduler_core::ports::{Access, LivePost, Metered, NetworkError};
use scheduler_core::target::Remote;
use serde_json::{Map, Value, json};

use super::Mastodon;
use crate::conversation::{Answer, Request, Turn, TurnResult, shown};
use crate::outbound::Guard;
use crate::testing::{answered, begun_at, mastodon_job};

/// The id of the account of every test.
pub(super) const ANA: &str = "109000000000000001";

/// The adapter as it is for servers of Mastodon.
pub(super) fn mastodon() -> Mastodon {
    Mastodon::new(None, Guard::new(false))
}

/// The account, and what opens it.
pub(super) fn access() -> Access {
    let job = mastodon_job(true);
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
        target_id: mastodon_job(true).target_id,
        remote,
        content: "Hello #rust".to_owned(),
        link_url: None,
        file_count: 0,
        options: Map::new(),
        published_at: begun_at(),
    }
}

/// A status of somebody, in reply to another.
pub(super) fn status(id: &str, account: &str, acct: &str, parent: Option<&str>) -> Value {
    json!({
        "id": id,
        "created_at": "2026-11-20T11:00:00.000Z",
        "in_reply_to_id": parent,
        "in_reply_to_account_id": parent.map(|_| ANA),
        "account": { "id": account, "acct": acct, "username": acct, "display_name": "" },
        "content": "<p>Well said</p>",
        "spoiler_text": "",
        "sensitive": false,
        "visibility": "unlisted",
        "language": "en",
        "favourites_count": 2,
        "reblogs_count": 0,
        "replies_count": 0,
        "media_attachments": [],
        "mentions": [],
    })
}

/// An error as the server words it.
pub(super) fn refusal(status: u16, text: &str) -> Answer {
    answered(status, &json!({ "error": text }))
}

/// Holds a conversation with these answers: the requests that it made, and what came of it.
pub(super) fn held<T: std::fmt::Debug>(
    answers: &[Answer],
    mut next: impl FnMut(&[Answer]) -> TurnResult<T>,
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

/// Requests as a line each.
pub(super) fn lines(asked: &[Request]) -> Vec<String> {
    let line = |request: &Request| {
        let shown = shown(request);
        let body = match &shown["body"] {
            Value::Null => String::new(),
            body => format!(" {body}"),
        };
        format!("{}{body}", shown["request"].as_str().unwrap_or_default())
            .replace("https://m.example/api/", "")
    };
    asked.iter().map(line).collect()
}
