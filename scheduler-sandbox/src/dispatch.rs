//! From a request that has arrived to what happens with it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::StatusCode;
use hyper::body::Incoming;
use serde_json::json;

use crate::answer::Answer;
use crate::arrival::Arrival;
use crate::body::Body;
use crate::control;
use crate::faults::{FaultKind, Hit};
use crate::log::{Entry, KEPT_BODY_BYTES};
use crate::network::Refusal;
use crate::page;
use crate::request::Request;
use crate::state::{Shared, State};

/// What a connection does with a request.
#[derive(Debug)]
pub(crate) enum Reply {
    /// Sends the answer.
    Answer(Answer),
    /// Closes the connection without a word.
    Close,
}

enum Decision {
    Reply(Reply),
    /// Holds the request; `then` says whether it is done afterwards or the connection closed.
    Hold {
        wait: Duration,
        is_done_after: bool,
    },
}

/// Handles a request.
///
/// # Errors
/// The body never arrived.
pub(crate) async fn respond(
    shared: &Arc<Shared>,
    incoming: http::Request<Incoming>,
) -> Result<Reply, hyper::Error> {
    let (head, body) = incoming.into_parts();
    let content_type =
        head.headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or("");
    let path = head.uri.path();
    let (first, rest) = split(path);
    let rest = if rest.is_empty() { "/" } else { rest };
    let index = shared.platforms.iter().position(|platform| *platform == first);
    let arrival = match index.and_then(|index| shared.received.get(index)) {
        Some(counter) => Arrival::new(counter, shared.options.receive_bytes_per_second),
        None => Arrival::uncounted(),
    };
    let body = Body::read(body, content_type, arrival).await?;
    let Some(index) = index else {
        let request = Request::new(head.method, path, head.uri.query(), head.headers, body);
        return Ok(Reply::Answer(own(shared, &request)));
    };
    let headers = head.headers.clone();
    let request = Request::new(head.method, rest, head.uri.query(), head.headers, body);
    let decision = {
        let mut state = shared.lock();
        let operation = state.networks[index].network.operation(&request);
        let at = state.clock.now();
        let hit = state.faults.take(shared.platforms[index], operation);
        state.log.push(Entry {
            at,
            platform: shared.platforms[index],
            operation,
            method: request.method.clone(),
            path: path.to_owned(),
            query: head.uri.query().map(str::to_owned),
            headers,
            content_type: request.content_type(),
            // A copy: the bytes as received share a large buffer of the connection.
            body: request
                .body
                .whole()
                .filter(|body| body.len() <= KEPT_BODY_BYTES)
                .map(|body| Bytes::copy_from_slice(body)),
            body_bytes: request.body.length,
            body_sha256: request.body.sha256,
            fault: hit.map(|hit| hit.kind.name()),
        });
        decide(shared, &mut state, index, hit, &request)
    };
    Ok(match decision {
        Decision::Reply(reply) => reply,
        Decision::Hold { wait, is_done_after: false } => {
            tokio::time::sleep(wait).await;
            Reply::Close
        }
        Decision::Hold { wait, is_done_after: true } => {
            let shared = Arc::clone(shared);
            // A task of its own: the network goes on when the client has lost its patience.
            let done = tokio::spawn(async move {
                tokio::time::sleep(wait).await;
                handle(&shared, &mut shared.lock(), index, &request)
            });
            done.await.map_or(Reply::Close, Reply::Answer)
        }
    })
}

fn decide(
    shared: &Shared,
    state: &mut State,
    index: usize,
    hit: Option<Hit>,
    request: &Request,
) -> Decision {
    let Some(hit) = hit else {
        return Decision::Reply(Reply::Answer(handle(shared, state, index, request)));
    };
    let refused = |state: &mut State, refusal| {
        let clock = state.clock;
        let (network, context) = state.networks[index].with_context(&shared.options, clock);
        let answer = network.refuse(refusal, request, &context);
        Decision::Reply(Reply::Answer(dated(answer, context.now)))
    };
    match hit.kind {
        FaultKind::Error500 => refused(state, Refusal::ServerError),
        FaultKind::RateLimited => refused(state, Refusal::RateLimited(hit.retry_after)),
        FaultKind::Permanent => refused(state, Refusal::Permanent),
        FaultKind::Timeout => Decision::Hold { wait: hit.wait, is_done_after: false },
        FaultKind::Slow => Decision::Hold { wait: hit.wait, is_done_after: true },
        FaultKind::ResetBefore => Decision::Reply(Reply::Close),
        FaultKind::ResetAfter => {
            handle(shared, state, index, request);
            Decision::Reply(Reply::Close)
        }
        FaultKind::ExpiredToken => {
            let clock = state.clock;
            let (network, context) = state.networks[index].with_context(&shared.options, clock);
            network.expire_tokens(request, &context);
            Decision::Reply(Reply::Answer(dated(network.handle(request, &context), context.now)))
        }
    }
}

fn handle(shared: &Shared, state: &mut State, index: usize, request: &Request) -> Answer {
    let clock = state.clock;
    let (network, context) = state.networks[index].with_context(&shared.options, clock);
    dated(network.handle(request, &context), context.now)
}

/// Names the time of an answer by the clock of the networks, which all that it says goes by.
fn dated(answer: Answer, now: DateTime<Utc>) -> Answer {
    answer.with_header("date", &now.format("%a, %d %b %Y %H:%M:%S GMT").to_string())
}

/// Answers what belongs to no network.
fn own(shared: &Shared, request: &Request) -> Answer {
    match split(&request.path) {
        ("", _) => page::show(&shared.lock()),
        ("_sandbox", call) => control::handle(shared, call, request),
        _ => Answer::json(StatusCode::NOT_FOUND, &json!({"error": "There is nothing here."})),
    }
}

/// Splits a path into its first segment and the rest, which starts with a slash or is empty.
fn split(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_at(path.find('/').unwrap_or(path.len()))
}
