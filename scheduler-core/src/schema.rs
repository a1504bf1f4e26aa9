//! JSON Schemas of types that are written and read by code of their own; the others derive theirs.
//!
//! The first paragraph of a doc comment is the description that callers of the API read.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::platform::{Metric, Platform};
use crate::post::Field;
use crate::reading::Reading;
use crate::rules::Detail;

impl JsonSchema for Platform {
    fn schema_name() -> Cow<'static, str> {
        "Platform".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "enum": Self::ALL,
            "description":
                "A network. `twitter` is X: text only, and new accounts only where the operator allows them.",
        })
    }
}

impl<T: JsonSchema> JsonSchema for Field<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Option::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }
}

/// As [`Reading::view`] writes it.
impl JsonSchema for Reading {
    fn schema_name() -> Cow<'static, str> {
        "Figures".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let at = json!({
            "type": "string", "format": "date-time", "description": "When they were read.",
        });
        let figures = Metric::ALL
            .iter()
            .map(|metric| (metric.as_str().to_owned(), json!({"type": "number"})));
        let properties: Map<String, Value> =
            figures.chain([("fetchedAt".to_owned(), at)]).collect();
        json_schema!({
            "type": "object",
            "description":
                "Figures of a live post. Which of them a network reports, its sheet says (`metricFields`).",
            "properties": properties,
            "required": ["fetchedAt"],
            "additionalProperties": true,
        })
    }
}

/// Of all kinds together, since there are new ones from time to time.
impl JsonSchema for Detail {
    fn schema_name() -> Cow<'static, str> {
        "ValidationDetail".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let said = |kind: Value, words: &str| json!({"type": kind, "description": words});
        let mut found = said(
            json!(["number", "string", "array"]),
            "How much there is, or what; a number where it was counted or measured.",
        );
        found["items"] = json!({"type": "string"});
        let mut file = said(json!("integer"), "Index of the file, from 0.");
        file["minimum"] = json!(0);
        let mut allowed = said(json!("array"), "What is allowed.");
        allowed["items"] = json!({"type": "string"});
        let text = |words: &str| said(json!("string"), words);
        let picture = |words: &str| {
            let count = json!({"type": "integer", "minimum": 0});
            let mut picture = said(json!("object"), words);
            picture["properties"] = json!({
                "types": {"type": "array", "items": {"type": "string"}},
                "width": count,
                "height": count,
                "bytes": count,
                "codec": {"type": "string"},
                "fps": {"type": "number", "minimum": 0},
            });
            picture
        };
        let mut fix = said(json!("object"), "What mends the file.");
        fix["properties"] = json!({
            "crop": text("The ratio that a version of the file has to be cropped to, such as `4:5`."),
        });
        json_schema!({
            "type": "object",
            "description": "The same as `message`, as data.",
            "properties": {
                "kind": text("What was found, such as `too_long`; new kinds may be added."),
                "unit": text("What was counted or measured, such as `graphemes` or `seconds`."),
                "found": found,
                "least": said(json!("number"), "The least that is allowed."),
                "most": said(json!("number"), "The most that is allowed, or is used."),
                "file": file,
                "part": text(
                    "`text`, `link` or `alt_text`; with `option` the index of the item, from 0, such as a later part of a `thread`."
                ),
                "option": text("Key of the option of the target."),
                "allowed": allowed,
                "from": picture("With the kind `converted`: what changes of a picture or a video."),
                "to": picture("With the kind `converted`: what it becomes, at most."),
                "reason": text(
                    "Why a picture or a video is not converted, such as `needs_ffmpeg`; with the kind `not_ready` why the file can never be used, in a sentence for a person."
                ),
                "fix": fix,
            },
            "required": ["kind"],
            "additionalProperties": true,
        })
    }
}
