//! Files and their upload.

use scheduler_core::app::FILE_BYTES_MAX;
use scheduler_core::media::{
    FILE_NAME_MAX, MEDIA_TYPE_MAX, MediaKind, MediaStatus, PARTS_MAX, SINGLE_MAX_BYTES, VideoCodec,
};
use scheduler_core::post::MEDIA_MAX_COUNT;
use serde_json::{Value, json};

use super::posts::content;
use crate::openapi::schema::{
    address, amount, count, data_of, list, named, named_all, object, one_of, one_of_all, or_null,
    said, text, uuid, with,
};

pub(super) fn schemas() -> Vec<(String, Value)> {
    named_all([
        ("MediaKind", one_of_all(&[MediaKind::Image, MediaKind::Video])),
        ("MediaStatus", status()),
        ("MediaInput", input()),
        ("Media", media(false, false)),
        (
            "ShownMedia",
            said(
                media(true, false),
                "A file. While it awaits its bytes, a key with media:write is shown fresh addresses.",
            ),
        ),
        ("ListedMedia", media(false, true)),
        ("MediaList", data_of(named("ListedMedia"))),
        ("UploadInstructions", object([("media", named("Media")), ("upload", named("Upload"))])),
        ("Upload", upload()),
        ("UploadedParts", uploaded_parts()),
        ("MediaItem", item()),
        ("PostToCheck", to_check()),
    ])
}

fn status() -> Value {
    said(
        one_of_all(&MediaStatus::ALL),
        "- `awaiting_upload`: declared; its bytes are to come within 24 hours\n- `ingesting`: the server fetches it\n- `processing`: it is being examined\n- `ready`: it can be used\n- `failed`: `error` says why\n- `deleted`: its bytes are gone",
    )
}

fn pixels() -> Value {
    json!({"type": "integer", "minimum": 1})
}

fn input() -> Value {
    let schema = object([
        ("kind", named("MediaKind")),
        (
            "mimeType?",
            said(
                with(or_null(text()), json!({"maxLength": MEDIA_TYPE_MAX})),
                "Such as `image/jpeg`.",
            ),
        ),
        (
            "sizeBytes?",
            said(
                json!({"type": ["integer", "null"], "minimum": 1}),
                &format!(
                    "The exact size; required for an upload. At most {FILE_BYTES_MAX} unless the operator has set another ceiling (413), and less on smaller plans (402)."
                ),
            ),
        ),
        ("fileName?", with(or_null(text()), json!({"maxLength": FILE_NAME_MAX}))),
        (
            "durationSeconds?",
            said(or_null(amount()), "As you measured it; replaced by what the server measures."),
        ),
        ("fps?", or_null(amount())),
        ("width?", or_null(pixels())),
        ("height?", or_null(pixels())),
        (
            "sourceUrl?",
            said(
                or_null(address()),
                "A public https address that the server fetches, in place of an upload.",
            ),
        ),
    ]);
    with(
        schema,
        json!({"anyOf": [
            {"required": ["sizeBytes"], "properties": {"sizeBytes": {"type": "integer"}}},
            {"required": ["sourceUrl"], "properties": {"sourceUrl": {"type": "string"}}},
        ]}),
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
        ("partSize", said(pixels(), "Bytes of every part but the last, which is shorter.")),
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

fn uploaded_parts() -> Value {
    let part = object([
        ("partNumber", json!({"type": "integer", "minimum": 1, "maximum": PARTS_MAX})),
        ("etag", said(text(), "The header `ETag` of the answer to the part's PUT.")),
    ]);
    let parts = with(list(part), json!({"minItems": 1, "maxItems": PARTS_MAX}));
    object([("parts", said(parts, "Every part once, in any order."))])
}

fn item() -> Value {
    let codecs = json!(VideoCodec::ALL);
    let schema = object([
        ("kind", named("MediaKind")),
        ("sizeBytes?", or_null(count())),
        ("durationSeconds?", or_null(json!({"type": "number"}))),
        ("fps?", or_null(json!({"type": "number"}))),
        ("mimeType?", or_null(text())),
        ("width?", or_null(count())),
        ("height?", or_null(count())),
        (
            "videoCodec?",
            said(or_null(json!({"type": "string", "enum": codecs})), "How its pictures are coded."),
        ),
        ("frameCount?", said(or_null(count()), "Its pictures: those of an animation or a video.")),
    ]);
    said(schema, "A file that is not uploaded yet, as its owner describes it.")
}

fn to_check() -> Value {
    let [content, link, (media, files), alt] = content();
    let items = with(or_null(list(named("MediaItem"))), json!({"maxItems": MEDIA_MAX_COUNT}));
    object([
        content,
        link,
        // None in the list is none: here the interface description sets no least number.
        (media, with(files, json!({"minItems": 0}))),
        ("mediaItems?", said(items, "Files that are not uploaded yet.")),
        alt,
        ("targets", with(list(named("TargetToCheck")), json!({"minItems": 1}))),
    ])
}
