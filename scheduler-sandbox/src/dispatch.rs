//! From a request that has arrived to what happens with it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::{Method, StatusCode};
use hyper::body::Incoming;
use serde_json::json;

use crate::answer::Answer;
use crate::arrival::Arrival;
use crate::arrived::{Arrived, content_type, network_of, split};
use crate::body::Body;
use crate::control;
use crate::faults::{FaultKind, Hit};
use crate::journal::Event;
use crate::log::{Entry, KEPT_BODY_BYTES};
use crate::network::Refusal;
use crate::options::Answered;
use crate::page;
use crate::request::Request;
use crate::state::{NotDone, Shared, State};

/// What a connection does with a request.
#[derive(Debug)]
pub(crate) enum Reply {
    /// Sends the answer.
    Answer(Answer),
    /// Closes the connection without a word.
    Close,
}

/// What comes of a request that has arrived.
pub(crate) enum Decision {
    Reply(Reply),
    /// Holds the request; `then` is its number and its network when it is handled afterwards,
    /// else the connection is closed.
    Hold {
        wait: Duration,
        then: Option<(u64, usize)>,
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
    let path = head.uri.path();
    let network = network_of(&shared.platforms, path);
    let arrival = match network.and_then(|index| shared.received.get(index)) {
        Some(counter) => Arrival::new(counter, shared.receive_bytes_per_second),
        None => Arrival::uncounted(),
    };
    let body = Body::read(body, content_type(&head.headers), arrival).await?;
    let query = head.uri.query();
    let arrived =
        Arrived::new(&shared.platforms, head.method.clone(), path, query, head.headers, body);
    if network.is_none() && head.method == Method::GET {
        return Ok(Reply::Answer(read(shared, &arrived.request)));
    }
    let event = || Event::Request(Box::new(arrived.to_written()));
    let decided = shared.step(event, |state| arrive(shared, state, &arrived));
    Ok(match decided {
        Ok(Decision::Reply(reply)) => {
            tell(shared, &arrived, &reply);
            reply
        }
        Ok(Decision::Hold { wait, then: None }) => {
            tokio::time::sleep(wait).await;
            Reply::Close
        }
        Ok(Decision::Hold { wait, then: Some((number, index)) }) => {
            let shared = Arc::clone(shared);
            // A task of its own: the network goes on when the client has lost its patience.
            let done = tokio::spawn(async move {
                tokio::time::sleep(wait).await;
                let event = || Event::Held(number);
                let done = shared.step(event, |state| handle(state, index, &arrived.request));
                let reply = done.map_or_else(not_done, Reply::Answer);
                tell(&shared, &arrived, &reply);
                reply
            });
            done.await.unwrap_or(Reply::Close)
        }
        Err(error) => not_done(error),
    })
}

/// Tells the watcher of an answer of a network.
fn tell(shared: &Shared, arrived: &Arrived, reply: &Reply) {
    let (Some(watcher), Some(index), Reply::Answer(answer)) =
        (&shared.watcher, arrived.network, reply)
    else {
        return;
    };
    watcher.tell(&Answered {
        platform: shared.platforms[index],
        method: arrived.request.method.as_str(),
        path: &arrived.request.path,
        query: arrived.query.as_deref().unwrap_or_default(),
        status: answer.status.as_u16(),
        body: answer.body(),
    });
}

fn not_done(error: NotDone) -> Reply {
    match error {
        NotDone::Over => Reply::Close,
        NotDone::NotWritten(_) => {
            tracing::error!(%error, "a request was not handled");
            let body = json!({"error": error.to_string()});
            Reply::Answer(Answer::json(StatusCode::INSUFFICIENT_STORAGE, &body))
        }
    }
}

/// Takes in a request that may change something: finds the fault that it runs into, and handles
/// it unless it is held.
pub(crate) fn arrive(shared: &Shared, state: &mut State, arrived: &Arrived) -> Decision {
    let Arrived { network, path, query, request } = arrived;
    let Some(index) = *network else {
        let answer = match split(&request.path) {
            ("_sandbox", call) => control::change(shared, state, call, request),
            _ => nothing_here(),
        };
        return Decision::Reply(Reply::Answer(answer));
    };
    let operation = state.networks[index].network.operation(request);
    let body = request.body.whole().map(|body| &body[..]).unwrap_or_default();
    let hit = state.faults.take(shared.platforms[index], operation, body);
    state.arrived += 1;
    state.log.push(Entry {
        at: state.clock.now(),
        platform: shared.platforms[index],
        operation,
        method: request.method.clone(),
        path: path.clone(),
        query: query.clone(),
        headers: request.headers.clone(),
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
    decide(state, index, hit, request)
}

fn decide(state: &mut State, index: usize, hit: Option<Hit>, request: &Request) -> Decision {
    let Some(hit) = hit else {
        return Decision::Reply(Reply::Answer(handle(state, index, request)));
    };
    let refused = |state: &mut State, refusal| {
        let (network, context) = state.network(index);
        let answer = network.refuse(refusal, request, &context);
        Decision::Reply(Reply::Answer(dated(answer, context.now)))
    };
    match hit.kind {
        FaultKind::Error500 => refused(state, Refusal::ServerError),
        FaultKind::RateLimited => refused(state, Refusal::RateLimited(hit.retry_after)),
        FaultKind::Permanent => refused(state, Refusal::Permanent),
        FaultKind::Timeout | FaultKind::ResetBefore => {
            Decision::Hold { wait: hit.wait, then: None }
        }
        FaultKind::Slow => Decision::Hold { wait: hit.wait, then: Some((state.arrived, index)) },
        FaultKind::ResetAfter => {
            handle(state, index, request);
            Decision::Hold { wait: hit.wait, then: None }
        }
        FaultKind::Partial => {
            let (network, context) = state.network(index);
            let answer = network.handle_in_part(request, &context);
            Decision::Reply(Reply::Answer(dated(answer, context.now)))
        }
        FaultKind::ExpiredToken => {
            let (network, context) = state.network(index);
            network.expire_tokens(request, &context);
            Decision::Reply(Reply::Answer(dated(network.handle(request, &context), context.now)))
        }
    }
}

/// Has a network do what a request asks for.
pub(crate) fn handle(state: &mut State, index: usize, request: &Request) -> Answer {
    let (network, context) = state.network(index);
    dated(network.handle(request, &context), context.now)
}

/// Names the time of an answer by the clock of the networks, which all that it says goes by.
fn dated(answer: Answer, now: DateTime<Utc>) -> Answer {
    answer.with_header("date", &now.format("%a, %d %b %Y %H:%M:%S GMT").to_string())
}

/// Answers what belongs to no network and changes nothing.
fn read(shared: &Shared, request: &Request) -> Answer {
    match split(&request.path) {
        ("", _) => page::show(&shared.lock()),
        ("_sandbox", call) => control::read(shared, call, request),
        _ => nothing_here(),
    }
}

fn nothing_here() -> Answer {
    Answer::json(StatusCode::NOT_FOUND, &json!({"error": "There is nothing here."}))
}
