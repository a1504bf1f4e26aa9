//! Files and their upload.

use scheduler_core::media::{MediaKind, MediaStatus, PARTS_MAX, SINGLE_MAX_BYTES};
use serde_json::{Value, json};

use crate::openapi::schema::{
    address, amount, count, list, named, named_all, object, one_of, one_of_all, or_null, positive,
    said, text, uuid, with,
};

pub(super) fn schemas() -> Vec<(String, Value)> {
    named_all([
        ("MediaKind", one_of_all(&[MediaKind::Image, MediaKind::Video])),
        ("MediaStatus", status()),
        ("Media", media(false, false)),
        (
            "ShownMedia",
            said(
                media(true, false),
                "A file. While it awaits its bytes, a key with media:write is shown fresh addresses.",
            ),
        ),
        ("ListedMedia", media(false, true)),
        ("Upload", upload()),
    ])
}

fn status() -> Value {
    said(
        one_of_all(&MediaStatus::ALL),
        "- `awaiting_upload`: declared; its bytes are to come within 24 hours\n- `ingesting`: the server fetches it\n- `processing`: it is being examined\n- `ready`: it can be used\n- `failed`: `error` says why\n- `deleted`: its bytes are gone",
    )
}

fn media(is_shown: bool, is_listed: bool) -> Value {
    let mut schema = object([
        ("id", uuid()),
        ("kind", named("MediaKind")),
        ("status", named("MediaStatus")),
        (
            "mimeType",
            said(or_null(text()), "Measured once the file is `ready`, as all that follow."),
        ),
        ("sizeBytes", or_null(count())),
        ("durationSeconds", or_null(amount())),
        ("width", or_null(count())),
        ("height", or_null(count())),
        ("fps", or_null(amount())),
        ("fileName", or_null(text())),
        ("previewUrl", said(or_null(address()), "A link to the file, for an hour.")),
        ("error", said(or_null(text()), "Why it failed.")),
        ("createdAt", crate::openapi::schema::instant()),
    ]);
    if is_shown {
        schema["properties"]["upload"] = named("Upload");
    }
    if is_listed {
        schema["properties"]["postCount"] = said(count(), "How many posts use it.");
        if let Some(required) = schema["required"].as_array_mut() {
            required.push(json!("postCount"));
        }
    }
    schema
}

fn upload() -> Value {
    let headers = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let part = object([
        ("partNumber", json!({"type": "integer", "minimum": 1, "maximum": PARTS_MAX})),
        ("url", address()),
    ]);
    let single = object([
        ("mode", one_of(["single"])),
        ("uploadUrl", said(address(), "PUT the whole file here, within an hour.")),
        ("headers", said(headers, "Headers to send with the PUT.")),
    ]);
    let multipart = object([
        ("mode", one_of(["multipart"])),
        ("partSize", said(positive(), "Bytes of every part but the last, which is shorter.")),
        ("parts", said(list(part), "PUT each part to its address and keep its ETag.")),
    ]);
    let ingest = object([("mode", one_of(["ingest"]))]);
    json!({
        "description": format!(
            "How the bytes get here. `single` up to {SINGLE_MAX_BYTES} bytes, `multipart` above, `ingest` when the server fetches the file."
        ),
        "oneOf": [
            with(single, json!({"title": "In one piece"})),
            with(multipart, json!({"title": "In parts"})),
            with(ingest, json!({"title": "Fetched"})),
        ],
    })
}
