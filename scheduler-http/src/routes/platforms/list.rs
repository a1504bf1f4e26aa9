//! `GET /platforms`

use scheduler_core::platform::{CapabilitySheet, Platform};

use crate::extract::Query;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_platforms",
    method: Method::GET,
    pattern: "/v1/platforms",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(list_platforms(call))),
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
    .answers_any(
        200,
        "Every network, by name.",
        by_name,
        vec![example("sheets", "Every network", json!({"data": sheets}))],
    )
    .with_headers(cached())
    .answers_nothing(304, "Nothing has changed since the answer with that ETag.")
    .with_headers(cached())
}

fn by_name(components: &mut Components) -> Value {
    let names: Vec<&str> = Platform::ALL.into_iter().map(Platform::as_str).collect();
    let sheets = json!({
        "type": "object",
        "description": "The sheet of every network, by its name.",
        "propertyNames": one_of(names),
        "additionalProperties": written::<CapabilitySheet>(components),
        "minProperties": Platform::ALL.len(),
    });
    components.add("PlatformSheets", object([("data", sheets)]))
}

async fn list_platforms(call: Call) -> Result<Response, ApiError> {
    Query::read(&call.head, ENDPOINT.query)?;
    let sheets = &call.api.sheets;
    Ok(sheets.answer(&call.head, HeaderValue::from_static("application/json")))
}
