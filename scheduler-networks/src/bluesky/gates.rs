//! The rules of a post: who may answer it, and whether it may be quoted. Each is a record of its own
//! under the key of the post, put once the post is there; a repeat changes nothing.
//!
//! Source: <https://github.com/bluesky-social/atproto>, lexicons/app/bsky/feed/threadgate.json and
//! postgate.json.

use scheduler_core::ports::Step;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::errors::failure;
use super::progress::Progress;
use super::tokens::Tokens;
use super::wire::{GATES, QUOTE_GATES};
use crate::conversation::{Answer, Body, Job, Request, StoredProgress, Turn, TurnResult};
use crate::endpoint::Endpoint;

/// What the rules of a post are, by its options.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Rules {
    /// Who may answer: nobody where it is empty, and everybody without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered_by: Option<Vec<String>>,
    /// Nobody may quote it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_unquotable: bool,
}

/// A record that is still to be put.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Gate {
    collection: String,
    key: String,
    record: Value,
}

impl Rules {
    /// The rules that options name.
    pub(super) fn of(options: &Map<String, Value>) -> Self {
        let is_unquotable = options.get("quoting").and_then(Value::as_str) == Some("nobody");
        let words: Vec<&str> = match options.get("replyControl") {
            Some(Value::String(word)) => word.split(',').map(str::trim).collect(),
            Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let is_open = words.is_empty() || words.contains(&"everyone");
        let answered_by = words.into_iter().filter(|word| *word != "nobody").map(str::to_owned);
        Self { answered_by: (!is_open).then(|| answered_by.collect()), is_unquotable }
    }

    /// True where the post has no rules.
    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// The records for a post: that of its answers belongs to the first one of a thread.
    pub(super) fn gates(&self, uri: &str, key: &str, at: &str, is_first: bool) -> Vec<Gate> {
        let answered_by = self.answered_by.as_ref().filter(|_| is_first);
        let of_answers = answered_by.map(|words| {
            let allow = words.iter().map(|word| {
                let rule = match word.as_str() {
                    "mentioned" => "mentionRule",
                    "followers" => "followerRule",
                    _ => "followingRule",
                };
                json!({ "$type": format!("{GATES}#{rule}") })
            });
            let allow: Value = allow.collect();
            (GATES, json!({ "$type": GATES, "post": uri, "allow": allow, "createdAt": at }))
        });
        let of_quotes = self.is_unquotable.then(|| {
            let rules = json!([{ "$type": format!("{QUOTE_GATES}#disableRule") }]);
            let record = json!({
                "$type": QUOTE_GATES,
                "post": uri,
                "embeddingRules": rules,
                "createdAt": at,
            });
            (QUOTE_GATES, record)
        });
        let gates = of_answers.into_iter().chain(of_quotes);
        gates
            .map(|(collection, record)| Gate {
                collection: collection.to_owned(),
                key: key.to_owned(),
                record,
            })
            .collect()
    }
}

/// The next turn of a step that puts the next of the records.
pub(super) fn advance(
    server: &Endpoint,
    job: &Job<'_, Tokens>,
    mut progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let Gate { collection, key, record } =
        progress.gates.first().ok_or_else(Progress::unreadable)?;
    let Some(answer) = answers.first() else {
        let input = json!({
            "repo": job.account.network_id,
            "collection": collection,
            "rkey": key,
            "record": record,
        });
        let url = server.at(["xrpc", "com.atproto.repo.putRecord"]);
        let request = Request::act(url, Body::Json(input));
        return Ok(Turn::Send(job.credentials.authorized(request)));
    };
    if !answer.is_success() {
        return Err(failure(answer, false, Some(job.now)));
    }
    progress.gates.remove(0);
    Ok(Turn::Done(progress.followed()))
}
