//! What tells one body from another.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The SHA-256 of a body in its canonical form.
///
/// Two bodies of JSON have the same one when they are the same values: white space, the order of
/// fields and the escapes in strings do not matter; the order of a list does, and so does whether a
/// field is left out or sent with its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// The fingerprint of a body, JSON or not.
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        let mut hash = Sha256::new();
        match serde_json::from_slice(body) {
            Ok(value) => add(&mut hash, &value),
            // Begins as no JSON does.
            Err(_) => {
                hash.update([0]);
                hash.update(body);
            }
        }
        Self(hash.finalize().into())
    }
}

/// Adds a value as compact JSON whose fields are in the order of their names.
fn add(hash: &mut Sha256, value: &Value) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            hash.update(value.to_string());
        }
        Value::Array(items) => {
            hash.update("[");
            for item in items {
                add(hash, item);
                hash.update(",");
            }
            hash.update("]");
        }
        Value::Object(fields) => {
            // The map keeps another order under a feature that any crate may turn on.
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            hash.update("{");
            for (name, value) in fields {
                hash.update(Value::from(name.as_str()).to_string());
                hash.update(":");
                add(hash, value);
                hash.update(",");
            }
            hash.update("}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies() {
        let first = r#"{"content":"Hé","targets":[{"platform":"bluesky"},1],"n":2}"#;
        for (name, body, is_same) in [
            ("the same", first, true),
            (
                "white space",
                "\n{ \"content\" : \"Hé\",\"targets\": [{\"platform\":\"bluesky\"}, 1], \"n\": 2 }",
                true,
            ),
            (
                "order of fields",
                r#"{"n":2,"targets":[{"platform":"bluesky"},1],"content":"Hé"}"#,
                true,
            ),
            (
                "an escape",
                r#"{"content":"H\u00e9","targets":[{"platform":"bluesky"},1],"n":2}"#,
                true,
            ),
            (
                "order of a list",
                r#"{"content":"Hé","targets":[1,{"platform":"bluesky"}],"n":2}"#,
                false,
            ),
            (
                "another text",
                r#"{"content":"Ho","targets":[{"platform":"bluesky"},1],"n":2}"#,
                false,
            ),
            (
                "another depth",
                r#"{"content":"Hé","targets":[{"platform":"bluesky","n":2},1]}"#,
                false,
            ),
            (
                "a field more",
                r#"{"content":"Hé","targets":[{"platform":"bluesky"},1],"n":2,"o":null}"#,
                false,
            ),
            (
                "a text for a number",
                r#"{"content":"Hé","targets":[{"platform":"bluesky"},1],"n":"2"}"#,
                false,
            ),
            ("no JSON", "content", false),
            ("nothing", "", false),
        ] {
            let is_found = Fingerprint::of(body.as_bytes()) == Fingerprint::of(first.as_bytes());
            assert_eq!(is_found, is_same, "{name}");
        }
        assert_ne!(Fingerprint::of(b"a"), Fingerprint::of(b"b"), "what is no JSON");
        assert_ne!(Fingerprint::of(b"[[1],2]"), Fingerprint::of(b"[[1,2]]"));
    }

    #[test]
    fn the_canonical_form_stays() {
        // Stored by versions before.
        let found = Fingerprint::of(br#"{"b": [1, "x"], "a": null}"#);
        let want = Sha256::digest(r#"{"a":null,"b":[1,"x",],}"#);
        assert_eq!(found.0, <[u8; 32]>::from(want));
    }
}
