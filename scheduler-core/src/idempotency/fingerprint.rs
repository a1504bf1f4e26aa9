//! What tells one body from another.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of what a body says.
///
/// Two bodies of JSON have the same one when they are the same values: white space, the order of
/// fields and the escapes in strings do not matter; the order of a list does, and so does whether a
/// field is left out or sent with its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// The fingerprint of a body, JSON or not.
    ///
    /// Values are hashed as they are read, and the fields of an object are kept as two hashes each
    /// until it ends: a body takes little more memory than its own bytes.
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        let hash: Result<Hash, _> = serde_json::from_slice(body);
        Self(hash.unwrap_or_else(|_| Hash::of(Kind::NoJson, &[body])).0)
    }
}

/// What a hash is of, so that values of two kinds never have the same.
#[derive(Clone, Copy)]
enum Kind {
    NoJson,
    Null,
    Boolean,
    Integer,
    Negative,
    Float,
    Text,
    List,
    Object,
}

/// The hash of one value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Hash([u8; 32]);

impl Hash {
    fn of(kind: Kind, parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new_with_prefix([kind as u8]);
        for part in parts {
            hash.update(part);
        }
        Self(hash.finalize().into())
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Hashing)
    }
}

/// Hashes one value of JSON as it is read.
struct Hashing;

impl<'de> Visitor<'de> for Hashing {
    type Value = Hash;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Hash, E> {
        Ok(Hash::of(Kind::Null, &[]))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Hash, E> {
        Ok(Hash::of(Kind::Boolean, &[&[value.into()]]))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Hash, E> {
        Ok(Hash::of(Kind::Integer, &[&value.to_be_bytes()]))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Hash, E> {
        Ok(Hash::of(Kind::Negative, &[&value.to_be_bytes()]))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Hash, E> {
        Ok(Hash::of(Kind::Float, &[&value.to_be_bytes()]))
    }

    fn visit_str<E>(self, value: &str) -> Result<Hash, E> {
        Ok(Hash::of(Kind::Text, &[value.as_bytes()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Hash, A::Error> {
        let mut hash = Sha256::new_with_prefix([Kind::List as u8]);
        while let Some(item) = items.next_element::<Hash>()? {
            hash.update(item.0);
        }
        Ok(Hash(hash.finalize().into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Hash, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = entries.next_entry::<Hash, Hash>()? {
            fields.push(field);
        }
        fields.sort_unstable();
        let mut hash = Sha256::new_with_prefix([Kind::Object as u8]);
        for (name, value) in fields {
            hash.update(name.0);
            hash.update(value.0);
        }
        Ok(Hash(hash.finalize().into()))
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
    fn values_of_two_kinds_are_never_the_same() {
        let bodies = [
            "",
            "{}",
            "[]",
            "null",
            "true",
            "false",
            "0",
            "-1",
            "0.0",
            r#""""#,
            r#""0""#,
            "[[]]",
            "[{}]",
            "[null]",
            r#"{"a":"b"}"#,
            r#"["a","b"]"#,
            r#"{"a":{"b":1}}"#,
            r#"[18446744073709551615]"#,
        ];
        let found: std::collections::BTreeSet<_> =
            bodies.iter().map(|body| Fingerprint::of(body.as_bytes()).0).collect();
        assert_eq!(found.len(), bodies.len());
    }

    #[test]
    fn it_stays_what_it_is() {
        // A database keeps it from one release to the next.
        let text = |text: &str| Sha256::digest([&[6], text.as_bytes()].concat());
        let list = Sha256::digest([&[7][..], &text("x")].concat());
        let want = Sha256::digest([&[8][..], &text("a"), &list].concat());
        assert_eq!(Fingerprint::of(br#"{"a": ["x"]}"#).0, <[u8; 32]>::from(want));
    }
}
