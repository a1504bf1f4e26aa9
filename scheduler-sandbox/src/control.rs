//! The calls under `/_sandbox`.

use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::faults::Fault;
use crate::network::{Context, LivePost};
use crate::outside::timestamp;
use crate::request::Request;
use crate::state::{Shared, State};

/// Farthest that one call moves the clock: a year, in milliseconds.
const MAX_ADVANCE: i64 = 365 * 24 * 60 * 60 * 1_000;

/// A refused call: its status and a sentence that says why.
struct Refused(StatusCode, String);

/// Every call, for those who take the wrong method.
const CALLS: [&str; 7] =
    ["/accounts", "/posts", "/faults", "/reset", "/requests", "/clock", "/received"];

/// Answers a control call that changes nothing; `call` is the path below `/_sandbox`.
pub(crate) fn read(shared: &Shared, call: &str, request: &Request) -> Answer {
    answered(match call {
        "/posts" => posts(shared, request),
        "/requests" => requests(shared, request),
        "/faults" => Ok(Answer::ok(&json!({"data": shared.lock().faults.to_json()}))),
        "/received" => Ok(received(shared)),
        _ => Err(unknown(call, request)),
    })
}

/// Answers any other control call.
pub(crate) fn change(shared: &Shared, state: &mut State, call: &str, request: &Request) -> Answer {
    answered(match (&request.method, call) {
        (&Method::POST, "/accounts") => create_account(shared, state, request),
        (&Method::POST, "/faults") => arm(shared, state, request),
        (&Method::DELETE, "/faults") => {
            state.faults.clear();
            Ok(Answer::empty(StatusCode::NO_CONTENT))
        }
        (&Method::POST, "/reset") => reset(shared, state, request),
        (&Method::POST, "/clock") => advance(state, request),
        _ => Err(unknown(call, request)),
    })
}

fn unknown(call: &str, request: &Request) -> Refused {
    if CALLS.contains(&call) {
        let sentence = format!("{call} has no {}.", request.method);
        return Refused(StatusCode::METHOD_NOT_ALLOWED, sentence);
    }
    Refused(StatusCode::NOT_FOUND, "There is no such control call.".to_owned())
}

fn answered(answer: Result<Answer, Refused>) -> Answer {
    answer.unwrap_or_else(|Refused(status, sentence)| {
        Answer::json(status, &json!({"error": sentence}))
    })
}

fn create_account(
    shared: &Shared,
    state: &mut State,
    request: &Request,
) -> Result<Answer, Refused> {
    let body = object(request)?;
    let platform = body["platform"].as_str().unwrap_or_default();
    let index = platform_index(shared, platform)?;
    let name = match &body["name"] {
        Value::Null => None,
        Value::String(name) => Some(name.as_str()),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            return Err(bad("name must be a string."));
        }
    };
    let (network, context) = state.network(index);
    // Whoever asks by a proxy goes on by it.
    let asked_at = request.asked_at().map(|url| format!("{url}/{}", network.name()));
    let context = Context { base: asked_at.as_deref().unwrap_or(context.base), ..context };
    let account = network.create_account(name, &context).map_err(|sentence| bad(&sentence))?;
    Ok(Answer::json(StatusCode::CREATED, &account))
}

fn posts(shared: &Shared, request: &Request) -> Result<Answer, Refused> {
    let platform = wanted_platform(shared, request)?;
    let with_deleted = request.query("deleted") != Some("false");
    let mut posts: Vec<LivePost> = Vec::new();
    for hosted in &shared.lock().networks {
        if platform.is_none_or(|wanted| wanted == hosted.network.name()) {
            posts.extend(hosted.network.posts());
        }
    }
    posts.retain(|post| with_deleted || !post.is_deleted);
    posts.sort_by_key(|post| post.created_at);
    let data: Vec<Value> = posts.iter().map(LivePost::to_json).collect();
    Ok(Answer::ok(&json!({"data": data})))
}

fn arm(shared: &Shared, state: &mut State, request: &Request) -> Result<Answer, Refused> {
    let body = object(request)?;
    let fault = Fault::parse(body, &shared.platforms).map_err(|sentence| bad(&sentence))?;
    state.faults.arm(fault);
    Ok(Answer::json(StatusCode::CREATED, body))
}

fn reset(shared: &Shared, state: &mut State, request: &Request) -> Result<Answer, Refused> {
    let accounts = if request.body.length == 0 {
        false
    } else {
        match &object(request)?["accounts"] {
            Value::Null => false,
            Value::Bool(accounts) => *accounts,
            Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                return Err(bad("accounts must be true or false."));
            }
        }
    };
    for hosted in &mut state.networks {
        hosted.network.reset(accounts);
    }
    state.faults.clear();
    state.log.clear();
    for bytes in &shared.received {
        bytes.store(0, Ordering::Relaxed);
    }
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}

fn requests(shared: &Shared, request: &Request) -> Result<Answer, Refused> {
    let platform = wanted_platform(shared, request)?;
    let data = shared.lock().log.to_json(platform);
    Ok(Answer::ok(&json!({"data": data})))
}

fn advance(state: &mut State, request: &Request) -> Result<Answer, Refused> {
    let by = object(request)?["advanceMilliseconds"]
        .as_i64()
        .filter(|by| (0..=MAX_ADVANCE).contains(by));
    let by = by.ok_or_else(|| {
        bad(&format!("advanceMilliseconds must be a whole number from 0 to {MAX_ADVANCE}."))
    })?;
    state.clock.advance(TimeDelta::milliseconds(by));
    Ok(Answer::ok(&json!({"now": timestamp(state.clock.now())})))
}

fn received(shared: &Shared) -> Answer {
    let bytes = shared.received.iter().map(|bytes| bytes.load(Ordering::Relaxed).into());
    let names = shared.platforms.iter().map(|name| (*name).to_owned());
    let data: Map<String, Value> = names.zip(bytes).collect();
    Answer::ok(&json!({"data": data}))
}

fn wanted_platform<'a>(shared: &Shared, request: &'a Request) -> Result<Option<&'a str>, Refused> {
    let platform = request.query("platform").filter(|platform| !platform.is_empty());
    if let Some(platform) = platform {
        platform_index(shared, platform)?;
    }
    Ok(platform)
}

fn platform_index(shared: &Shared, name: &str) -> Result<usize, Refused> {
    shared
        .platforms
        .iter()
        .position(|platform| *platform == name)
        .ok_or_else(|| bad(&format!("platform must be one of {}.", shared.platforms.join(", "))))
}

fn object(request: &Request) -> Result<&Value, Refused> {
    request
        .json()
        .filter(|body| body.is_object())
        .ok_or_else(|| bad("The body must be a JSON object."))
}

fn bad(sentence: &str) -> Refused {
    Refused(StatusCode::BAD_REQUEST, sentence.to_owned())
}
