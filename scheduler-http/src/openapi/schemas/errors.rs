//! Refusals, and what a check finds.

use scheduler_core::error::ErrorCode;
use scheduler_core::rules::Severity;
use serde_json::{Value, json};

use crate::openapi::errors::{meaning_of, name_of};
use crate::openapi::schema::{
    count, list, named, named_all, object, one_of_all, open_object, said, text,
};

pub(super) fn schemas() -> Vec<(String, Value)> {
    named_all([
        ("ErrorCode", said(one_of_all(&ErrorCode::ALL), &codes())),
        ("Error", said(object([("error", error())]), "The body of every refusal.")),
        ("ValidationIssue", issue()),
        ("ValidationDetail", detail()),
    ])
}

/// Every code with its meaning, as a list.
fn codes() -> String {
    let lines =
        ErrorCode::ALL.iter().map(|code| format!("- `{}`: {}", name_of(*code), meaning_of(*code)));
    let lines: Vec<String> = lines.collect();
    format!("Stable; new codes may be added.\n\n{}", lines.join("\n"))
}

fn error() -> Value {
    object([
        ("code", named("ErrorCode")),
        ("message", said(text(), "For a person: what was wrong, and what is allowed.")),
        (
            "field?",
            said(
                text(),
                "With `invalid_request`: the path of the field, such as `targets[0].platform`, `Idempotency-Key` or the name of a parameter.",
            ),
        ),
        ("limit?", said(count(), "With the refusal of a plan: its allowance.")),
        (
            "upgradeTo?",
            said(text(), "With the refusal of a plan: the first plan that would allow it."),
        ),
        (
            "issues?",
            said(
                list(named("ValidationIssue")),
                "With `validation_failed`: all that was found, warnings too.",
            ),
        ),
    ])
}

fn issue() -> Value {
    let limits = [ErrorCode::PostLimit, ErrorCode::UploadLimit, ErrorCode::ChannelLimit];
    let schema = object([
        (
            "platform?",
            said(named("Platform"), "Absent for a problem of the post as a whole, such as a file."),
        ),
        (
            "severity",
            said(
                one_of_all(&[Severity::Error, Severity::Warning]),
                "An `error` stops the post. With a `warning` the network takes it, but changes or ignores something.",
            ),
        ),
        ("message", said(text(), "What is wrong, how much, and what is allowed.")),
        ("code?", said(one_of_all(&limits), "With the limit of a plan.")),
        ("rule", said(text(), "Stable id of the rule, such as `bluesky.text.too_long`.")),
        ("target?", said(count(), "Index into `targets` of the target that it speaks of.")),
        ("detail?", named("ValidationDetail")),
    ]);
    said(schema, "One finding about a post, for one target or for the post as a whole.")
}

fn detail() -> Value {
    let figure = || json!({"type": "number"});
    let schema = open_object([
        ("kind", said(text(), "What was found, such as `too_long`; new kinds may be added.")),
        ("unit?", said(text(), "What was counted or measured, such as `graphemes` or `seconds`.")),
        (
            "found?",
            said(
                json!({"type": ["number", "string", "array"], "items": text()}),
                "How much there is, or what; a number where it was counted or measured.",
            ),
        ),
        ("least?", said(figure(), "The least that is allowed.")),
        ("most?", said(figure(), "The most that is allowed, or is used.")),
        ("file?", said(count(), "Index of the file, from 0.")),
        (
            "part?",
            said(
                text(),
                "`text`, `link` or `alt_text`; with `option` the index of the item, from 0, such as a later part of a `thread`.",
            ),
        ),
        ("option?", said(text(), "Key of the option of the target.")),
        ("allowed?", said(list(text()), "What is allowed.")),
    ]);
    said(schema, "The same as `message`, as data.")
}
