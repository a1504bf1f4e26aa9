//! `GET /platforms`

use scheduler_core::platform::{Metric, Platform, RequiredMedia};

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
    .schema("PlatformSheets", object([("data", sheets_schema())]))
    .schema("PlatformCapabilities", sheet_schema())
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

fn sheets_schema() -> Value {
    let names = one_of(Platform::ALL.iter().map(|platform| platform.as_str()));
    json!({
        "type": "object",
        "description": "The sheet of every network, by its name.",
        "propertyNames": names,
        "additionalProperties": named("PlatformCapabilities"),
        "minProperties": Platform::ALL.len(),
    })
}

fn sheet_schema() -> Value {
    let required = [
        RequiredMedia::None,
        RequiredMedia::Image,
        RequiredMedia::Video,
        RequiredMedia::ImageOrVideo,
    ];
    let schema = object([
        ("platform", named("Platform")),
        ("name", said(text(), "The network's name for people.")),
        (
            "charLimit",
            said(
                count(),
                "Longest text, as the network counts it; `notes` says how where that is not obvious.",
            ),
        ),
        ("requiresMedia", said(one_of_all(&required), "Which files a post cannot do without.")),
        ("supportsImage", flag()),
        ("supportsVideo", flag()),
        ("allowsEmptyText", said(flag(), "Whether the text may be empty when there are files.")),
        ("maxMediaPerPost", count()),
        ("maxImageBytes", count()),
        ("maxVideoBytes", count()),
        ("minVideoDurationSeconds?", count()),
        ("maxVideoDurationSeconds?", count()),
        ("minVideoFps?", count()),
        ("maxVideoFps?", count()),
        ("supportsThread", said(flag(), "Option `thread`.")),
        ("supportsAltText", flag()),
        ("supportsThumbnail", said(flag(), "Option `thumbnailMediaId`.")),
        ("supportsFirstComment", said(flag(), "Option `firstComment`.")),
        ("canEditRemote", said(flag(), "Whether a live post can be edited.")),
        ("canDeleteRemote", said(flag(), "Whether a live post can be taken down.")),
        ("canReadComments", flag()),
        ("reportsFollowers", flag()),
        ("metricFields", said(list(one_of_all(&Metric::ALL)), "The figures that it reports.")),
        ("notes", said(text(), "What a person should know besides.")),
    ]);
    said(
        schema,
        "What a network takes and offers. A bound that it does not set is left out. Limits that differ by account are read from the network and override the sheet for that account.",
    )
}

async fn list_platforms(call: Call) -> Result<Response, ApiError> {
    Query::read(&call.head, ENDPOINT.query)?;
    let sheets = &call.api.sheets;
    Ok(sheets.answer(&call.head, HeaderValue::from_static("application/json")))
}
