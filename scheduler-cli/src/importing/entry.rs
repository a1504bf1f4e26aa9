//! A line of a file, read.

use std::path::PathBuf;

use scheduler_core::ids::MediaId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::posting::{Options, TargetSpec};

/// A field of a target that is taken out before it is sent: what its account may be called, the
/// surest name first.
pub(super) const NAMES: &str = "names";

/// A post as a line describes it: read, but not yet checked.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The line, counted from 1.
    pub(crate) line: u64,
    /// The key that the line gives the post.
    pub(crate) key: Option<String>,
    /// What the line says, as a hash: the same for lines that say the same.
    pub(crate) digest: LineDigest,
    /// The API's own body, without what the other fields hold.
    pub(crate) body: Map<String, Value>,
    pub(crate) target: ImportTarget,
    /// Its files, in order; empty when the body names them.
    pub(crate) files: Vec<ImportFile>,
}

#[derive(Clone, Debug)]
pub(crate) enum ImportTarget {
    /// Where a person says, with settings for networks.
    Specs(Vec<TargetSpec>, Options),
    Body,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ImportFile {
    /// A file of this machine: as it is written, and where it lies.
    Local(String, PathBuf),
    Stored(MediaId),
    Address(Url),
}

impl ImportFile {
    /// The id of a file that the server has.
    pub(super) const fn stored(&self) -> Option<MediaId> {
        match self {
            Self::Stored(id) => Some(*id),
            Self::Local(..) | Self::Address(_) => None,
        }
    }
}

impl Entry {
    /// A line that is the API's own body.
    pub(super) fn of_body(line: u64, key: Option<String>, body: Map<String, Value>) -> Self {
        let digest = LineDigest::of_value(&Value::Object(body.clone()));
        Self { line, key, digest, body, target: ImportTarget::Body, files: Vec::new() }
    }
}

/// A hash of what a line says; written down in hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct LineDigest([u8; 16]);

impl LineDigest {
    /// The hash of named texts, in any order.
    pub(crate) fn of_cells<'a>(cells: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut cells: Vec<(&str, &str)> = cells.into_iter().collect();
        cells.sort_unstable();
        let mut hash = Sha256::new();
        for (name, text) in cells {
            text_into(&mut hash, name);
            text_into(&mut hash, text);
        }
        Self::finish(hash)
    }

    /// The hash of a value, whatever the order of its fields.
    pub(crate) fn of_value(value: &Value) -> Self {
        let mut hash = Sha256::new();
        value_into(&mut hash, value);
        Self::finish(hash)
    }

    fn finish(hash: Sha256) -> Self {
        let mut half = [0; 16];
        half.copy_from_slice(&hash.finalize()[..16]);
        Self(half)
    }

    /// The key of the line that says this for the so-many-th time in its file, counted from 1.
    pub(crate) fn key(self, repetition: u32) -> String {
        format!("import-{}-{repetition}", String::from(self))
    }
}

impl From<LineDigest> for String {
    fn from(digest: LineDigest) -> Self {
        hex::encode(digest.0)
    }
}

impl TryFrom<String> for LineDigest {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut bytes = [0; 16];
        hex::decode_to_slice(text, &mut bytes)?;
        Ok(Self(bytes))
    }
}

fn text_into(hash: &mut Sha256, text: &str) {
    hash.update((text.len() as u64).to_le_bytes());
    hash.update(text);
}

fn value_into(hash: &mut Sha256, value: &Value) {
    match value {
        Value::Object(fields) => {
            hash.update([b'{']);
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort_unstable();
            for name in names {
                text_into(hash, name);
                value_into(hash, &fields[name]);
            }
            hash.update([b'}']);
        }
        Value::Array(values) => {
            hash.update([b'[']);
            for value in values {
                value_into(hash, value);
            }
            hash.update([b']']);
        }
        Value::String(text) => {
            hash.update([b'"']);
            text_into(hash, text);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            hash.update([b'=']);
            text_into(hash, &value.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_hash_is_of_what_is_said_and_not_of_its_order() {
        let cells = |cells: &[(&str, &str)]| LineDigest::of_cells(cells.iter().copied());
        assert_eq!(cells(&[("a", "1"), ("b", "2")]), cells(&[("b", "2"), ("a", "1")]));
        assert_ne!(cells(&[("a", "1"), ("b", "2")]), cells(&[("a", "12"), ("b", "")]));
        assert_ne!(cells(&[("a", "1")]), cells(&[("a", "1"), ("b", "")]));
        let value = LineDigest::of_value;
        let one: Value = serde_json::from_str(r#"{"a":1,"b":[{"c":null,"d":"e"}]}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"b":[{"d":"e","c":null}],"a":1}"#).unwrap();
        assert_eq!(value(&one), value(&other));
        for (name, one, other) in [
            ("a number is no text", json!(1), json!("1")),
            ("lists keep their order", json!([1, 2]), json!([2, 1])),
            ("lists keep their depth", json!([[1], 2]), json!([[1, 2]])),
            ("fields are not lists", json!({"a": 1}), json!(["a", 1])),
        ] {
            assert_ne!(value(&one), value(&other), "{name}");
        }
    }

    #[test]
    fn a_key_is_of_the_line_and_its_repetition() {
        let digest = LineDigest::of_cells([("content", "a")]);
        assert_eq!(LineDigest::try_from(String::from(digest)), Ok(digest));
        assert!(LineDigest::try_from("xy".to_owned()).is_err());
        let keys = [digest.key(1), digest.key(2)];
        assert_ne!(keys[0], keys[1]);
        assert!(keys.iter().all(|key| (8..=200).contains(&key.len())));
    }
}
