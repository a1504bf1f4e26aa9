//! The revision of a post in headers.

use serde_json::{Value, json};

use crate::openapi::schema::{text, with};
use crate::parameter::Parameter;

/// The header by which a change asks for a revision.
pub(super) const IF_MATCH: Parameter = Parameter::optional(
    "If-Match",
    "The `ETag` of the post as you have seen it: another revision is answered 412 `stale`. Several, with commas between, for any of them; `*` for whatever it is.",
    text,
)
.for_example("\"3\"");

/// The header that tells a revision: its name, words and schema.
pub(super) fn etag() -> (&'static str, &'static str, Value) {
    let schema = with(text(), json!({"pattern": "^\"[0-9]+\"$"}));
    ("ETag", "The revision of the post, for `If-Match`.", schema)
}

/// A post of the examples, as an answer about it alone shows it.
pub(super) fn shown(post: Value) -> Value {
    with(post, json!({"issues": []}))
}
