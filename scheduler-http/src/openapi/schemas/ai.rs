//! The assistant.

use scheduler_core::post::CONTENT_MAX_CHARACTERS;
use serde_json::{Value, json};

use crate::openapi::schema::{
    instant, list, named, named_all, object, open_object, said, text, uuid, with,
};

pub(super) fn schemas() -> Vec<(String, Value)> {
    let captions = json!({
        "type": "object",
        "description": "By network.",
        "propertyNames": named("Platform"),
        "additionalProperties": {"type": "string"},
    });
    named_all([
        (
            "CaptionsInput",
            object([
                (
                    "content",
                    with(text(), json!({"minLength": 1, "maxLength": CONTENT_MAX_CHARACTERS})),
                ),
                ("platforms", with(list(named("Platform")), json!({"minItems": 1}))),
            ]),
        ),
        ("Captions", object([("captions", captions)])),
        (
            "ReviewInput",
            object([
                ("targetId", said(uuid(), "A target that is live.")),
                (
                    "refresh?",
                    said(
                        json!({"type": ["boolean", "null"], "default": false}),
                        "Review it anew, and pay for it, when there is a stored review.",
                    ),
                ),
            ]),
        ),
        ("Review", review()),
    ])
}

fn review() -> Value {
    let schema = open_object([
        ("targetId", uuid()),
        ("summary", text()),
        ("strengths", list(text())),
        ("suggestions", said(list(text()), "What to do better; never empty.")),
        ("score", json!({"type": "integer", "minimum": 1, "maximum": 10})),
        ("createdAt", instant()),
    ]);
    said(schema, "What the assistant said of a live post.")
}
