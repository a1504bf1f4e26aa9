//! A handler of the protocol over HTTP: whom it answers, by which host, for pages of which origins,
//! and in which revisions. No sessions are kept.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE, ORIGIN};
use http::{HeaderMap, HeaderValue, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use rmcp::handler::server::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::json;
use scheduler_http::visit::{Declined, Program, Visit};
use serde_json::{Map, Value};
use warp::Reply as _;
use warp::reply::Response;

use crate::client::{SESSION, session_of};

/// The hosts by which a client on the server's machine calls it.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// The types of answers, all of which a client has to take.
const ANSWERS: &str = "application/json, text/event-stream";

/// A handler that programs reach over HTTP, made for one request.
pub trait Mounted: ServerHandler + Clone {
    /// The handler for a program that was let in.
    fn of(program: Program) -> Self;

    /// The answer to a request that the program may not send; `None` where it may.
    #[must_use]
    fn refusal(program: &Program, request: &Request<Bytes>) -> Option<Response> {
        let _ = (program, request);
        None
    }
}

/// Lets a program in by its key, and has the handler answer it, in the revisions with a handshake
/// and in those without. A handler that sends something before its result has all of it sent as a
/// stream of events; any other answer is JSON, refusals of what is no message as well.
pub async fn answer<H: Mounted>(visit: Visit) -> Response {
    let own = visit.connecting().server.host_str().map(str::to_owned);
    let (program, mut request) = match visit.into_program().await {
        Ok(admitted) => admitted,
        Err(declined) => return declined.into_answer(),
    };
    if let Some(response) = H::refusal(&program, &request) {
        return response;
    }
    if let Err(refusal) = json::parse::<Map<String, Value>>(request.body()) {
        return Declined::from(refusal).into_answer();
    }
    let session = session_of(request.body());
    name_answers(request.headers_mut());
    // Looked at already, by what the operator has set.
    request.headers_mut().remove(ORIGIN);
    let hosts = LOOPBACK.map(str::to_owned).into_iter().chain(own);
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(hosts)
        .enforce_origin_validation();
    let handler = H::of(program);
    let handlers = move || Ok(handler.clone());
    let service =
        StreamableHttpService::new(handlers, Arc::new(NeverSessionManager::default()), config);
    let (mut parts, body) = service.handle(request.map(Full::new)).await.into_parts();
    parts.headers.extend(session.filter(|_| parts.status.is_success()).map(|id| (SESSION, id)));
    let kind = parts.headers.get(CONTENT_TYPE);
    // The library refuses in plain text what is no message for it.
    if let Some(response) = refused(parts.status).filter(|_| kind.is_none()) {
        return response;
    }
    let lasts = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    let body = if lasts {
        warp::reply::stream(body.into_data_stream()).into_response().into_body()
    } else {
        let Ok(body) = body.collect().await;
        body.to_bytes().into()
    };
    Response::from_parts(parts, body)
}

/// Has a client that takes anything, or does not say what it takes, name the types of answers.
fn name_answers(headers: &mut HeaderMap) {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut ranges = accepted.flat_map(|value| value.split(','));
    let takes_anything = ranges.any(|range| range.split(';').next().map(str::trim) == Some("*/*"));
    if takes_anything || !headers.contains_key(ACCEPT) {
        headers.insert(ACCEPT, HeaderValue::from_static(ANSWERS));
    }
}

/// The answer of the API where the library refuses under this status; `None` where that says
/// nothing about the request.
fn refused(status: StatusCode) -> Option<Response> {
    let (status, code, message) = match status {
        StatusCode::NOT_ACCEPTABLE => {
            (status, ErrorCode::InvalidRequest, format!("Send Accept: {ANSWERS}."))
        }
        // The type of the body was looked at before: it is what stands in it.
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            let message = "The body is no message of the Model Context Protocol; send one of JSON-RPC 2.0, such as {\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\"}.";
            (StatusCode::BAD_REQUEST, ErrorCode::InvalidRequest, message.to_owned())
        }
        StatusCode::PAYLOAD_TOO_LARGE => {
            let message = "The body is larger than a message may be; send less at once.";
            (status, ErrorCode::PayloadTooLarge, message.to_owned())
        }
        _ => return None,
    };
    let mut response = Declined::from(Refusal::new(code, message)).into_answer();
    *response.status_mut() = status;
    Some(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_takes_anything_takes_both_types() {
        for (sent, want) in [
            (&[][..], ANSWERS),
            (&["*/*"], ANSWERS),
            (&["text/html, */*;q=0.5"], ANSWERS),
            (&["application/json"], "application/json"),
            (&["text/event-stream, application/json"], "text/event-stream, application/json"),
        ] {
            let mut headers = HeaderMap::new();
            for value in sent {
                headers.append(ACCEPT, HeaderValue::from_static(value));
            }
            name_answers(&mut headers);
            assert_eq!(headers[ACCEPT], want, "{sent:?}");
        }
    }
}
