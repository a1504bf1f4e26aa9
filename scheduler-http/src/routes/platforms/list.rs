//! `GET /platforms`

use http::{HeaderValue, Method};
use scheduler_core::platform::Platform;
use serde_json::{Value, json};
use warp::reply::Response;

use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::extract::Query;
use crate::openapi::description::{Answer, Content, Description, example};
use crate::openapi::schema::{named, text};
use crate::parameter::Parameter;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_platforms",
    method: Method::GET,
    pattern: "/v1/platforms",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(list(call))),
    description: Some(describe),
};

fn describe() -> Description {
    // All of them, as they are answered.
    let sheets: Value = Platform::ALL
        .into_iter()
        .map(|platform| (platform.as_str().to_owned(), json!(platform.sheet())))
        .collect();
    let cached = || {
        vec![
            (
                "ETag",
                "Send it as `If-None-Match` to be answered 304 while nothing has changed.",
                text(),
            ),
            ("Cache-Control", "The sheets change only with the program.", text()),
        ]
    };
    Description::new(
        "List the networks with what they take",
        "The capability sheet of every network: limits of text and files, and what it offers once a post is live. Needs no key.",
    )
    .header(Parameter::optional("If-None-Match", "The `ETag` of an earlier answer.", text))
    .answers_with(Answer {
        status: 200,
        description: "Every network, by name.",
        content: Content::Json {
            schema: named("PlatformSheets"),
            examples: vec![example("sheets", "Every network", json!({"data": sheets}))],
        },
        headers: cached(),
    })
    .answers_with(Answer {
        status: 304,
        description: "Nothing has changed since the answer with that ETag.",
        content: Content::Nothing,
        headers: cached(),
    })
}

async fn list(call: Call) -> Result<Response, ApiError> {
    Query::read(&call.head, ENDPOINT.query)?;
    let sheets = &call.api.sheets;
    Ok(sheets.answer(&call.head, HeaderValue::from_static("application/json")))
}
