//! The networks, and the dry run.

use scheduler_core::platform::Platform;
use serde_json::{Value, json};

use super::examples::{ACCOUNT, issue};
use super::operation::{Answer, Content, Operation, Parameter, example};
use super::schema::{named, text};
use crate::endpoints::{CHECK_POST, LIST_PLATFORMS};

pub(super) fn operations() -> Vec<Operation> {
    vec![list(), check()]
}

fn list() -> Operation {
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
    Operation::new(
        &LIST_PLATFORMS,
        "List the networks with what they take",
        "The capability sheet of every network: limits of text and files, and what it offers once a post is live. Needs no key.",
    )
    .header(Parameter::optional("If-None-Match", "The `ETag` of an earlier answer.", text()))
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

fn check() -> Operation {
    Operation::new(
        &CHECK_POST,
        "Check a post without creating it",
        "The dry run: says what creating the post would say, and creates nothing. Text is counted as each network counts it; files, options and the allowances of the plan are checked too.\n\nFiles that are not uploaded yet are described in `mediaItems`. What a network would refuse is not an error of this call: it is answered 200 with `ok: false` and the issues.",
    )
    .reads_any(
        named("PostToCheck"),
        vec![
            example(
                "text",
                "A text for two networks",
                json!({
                    "content": "Fresh cakes for Christmas. 🎄",
                    "linkUrl": "https://bakery.example/cakes",
                    "targets": [{"platform": "bluesky"}, {"platform": "mastodon", "accountId": ACCOUNT}],
                }),
            ),
            example(
                "video",
                "A video that is not uploaded yet",
                json!({
                    "content": "How we bake.",
                    "mediaItems": [{
                        "kind": "video",
                        "mimeType": "video/mp4",
                        "sizeBytes": 52_428_800,
                        "durationSeconds": 42.5,
                        "fps": 30,
                        "width": 1_080,
                        "height": 1_920,
                    }],
                    "targets": [{"platform": "youtube", "options": {"title": "How we bake"}}],
                }),
            ),
        ],
    )
    .answers_any(
        200,
        "What was found.",
        named("CheckReport"),
        vec![
            example("good", "Every network would take it", json!({"ok": true, "issues": []})),
            example("refused", "A network would refuse it", json!({"ok": false, "issues": [issue()]})),
        ],
    )
}
