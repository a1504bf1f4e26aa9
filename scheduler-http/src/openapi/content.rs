//! What a post and a dry run are sent alike.

use scheduler_core::post::{ALT_TEXT_MAX_CHARACTERS, CONTENT_MAX_CHARACTERS, MEDIA_MAX_COUNT};
use serde_json::{Value, json};

use crate::openapi::schema::{address, list, or_null, said, text, uuid, with};

/// The text, the link, the files and their descriptions.
pub(crate) fn content() -> [(&'static str, Value); 4] {
    let content = with(or_null(text()), json!({"maxLength": CONTENT_MAX_CHARACTERS}));
    let media = with(
        or_null(list(uuid())),
        json!({"minItems": 1, "maxItems": MEDIA_MAX_COUNT, "uniqueItems": true}),
    );
    let alt = with(or_null(text()), json!({"maxLength": ALT_TEXT_MAX_CHARACTERS}));
    [
        (
            "content?",
            said(
                content,
                "The text. On YouTube it is the description, unless `description` is set.",
            ),
        ),
        (
            "linkUrl?",
            said(
                or_null(address()),
                "An http or https address. It goes where the network has a place for it, else on a new line of the text unless it is there already, and then counts.",
            ),
        ),
        ("mediaIds?", said(media, "The files, in order; each must be `ready`.")),
        (
            "altTexts?",
            said(or_null(list(alt)), "A description for each file, in the order of `mediaIds`."),
        ),
    ]
}
