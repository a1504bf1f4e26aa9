//! Content identifiers: the hash of a record in its binary form, or of a blob.
//!
//! Source: <https://atproto.com/specs/data-model> (CIDv1, SHA-256, base32; records as DRISL/DAG-CBOR).

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

const BASE32: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
const RECORD_CODEC: u8 = 0x71;
const BLOB_CODEC: u8 = 0x55;

/// Returns the identifier of a record (`bafyrei…`).
pub(super) fn of_record(record: &Value) -> String {
    let mut bytes = Vec::new();
    encode(record, &mut bytes);
    text(RECORD_CODEC, &Sha256::digest(&bytes).into())
}

/// Returns the identifier of a blob (`bafkrei…`) by the hash of its bytes.
pub(super) fn of_blob(sha256: &[u8; 32]) -> String {
    text(BLOB_CODEC, sha256)
}

fn text(codec: u8, sha256: &[u8; 32]) -> String {
    let bytes = binary(codec, sha256);
    let mut text = String::from("b");
    let (mut bits, mut count) = (0_u32, 0);
    for byte in bytes {
        bits = bits << 8 | u32::from(byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            text.push(digit(bits >> count));
        }
    }
    if count > 0 {
        text.push(digit(bits << (5 - count)));
    }
    text
}

fn binary(codec: u8, sha256: &[u8; 32]) -> Vec<u8> {
    let mut bytes = vec![1, codec, 0x12, 0x20];
    bytes.extend_from_slice(sha256);
    bytes
}

fn digit(bits: u32) -> char {
    char::from(BASE32[(bits & 0x1f) as usize])
}

/// Reads the bytes of an identifier in base32.
fn decode(text: &str) -> Option<Vec<u8>> {
    let (mut bits, mut count) = (0_u32, 0);
    let mut bytes = Vec::new();
    for byte in text.strip_prefix('b')?.bytes() {
        let digit = BASE32.iter().position(|known| *known == byte)?;
        bits = bits << 5 | u32::try_from(digit).ok()?;
        count += 5;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    Some(bytes)
}

/// Writes a value as DAG-CBOR: shortest lengths, keys by length and then by bytes.
fn encode(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.push(0xf6),
        Value::Bool(truth) => out.push(if *truth { 0xf5 } else { 0xf4 }),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(positive), _) => head(0, positive, out),
            (None, Some(negative)) => head(1, negative.unsigned_abs() - 1, out),
            (None, None) => {
                out.push(0xfb);
                out.extend_from_slice(&number.as_f64().unwrap_or(0.0).to_be_bytes());
            }
        },
        Value::String(text) => {
            head(3, text.len() as u64, out);
            out.extend_from_slice(text.as_bytes());
        }
        Value::Array(items) => {
            head(4, items.len() as u64, out);
            for item in items {
                encode(item, out);
            }
        }
        Value::Object(members) => match link(members) {
            Some(link) => {
                out.extend_from_slice(&[0xd8, 0x2a]);
                head(2, link.len() as u64 + 1, out);
                out.push(0);
                out.extend_from_slice(&link);
            }
            None => {
                head(5, members.len() as u64, out);
                let mut sorted: Vec<(&String, &Value)> = members.iter().collect();
                sorted.sort_by_key(|(key, _)| (key.len(), key.as_bytes()));
                for (key, member) in sorted {
                    head(3, key.len() as u64, out);
                    out.extend_from_slice(key.as_bytes());
                    encode(member, out);
                }
            }
        },
    }
}

/// Returns the bytes of `{"$link": "…"}`.
fn link(members: &Map<String, Value>) -> Option<Vec<u8>> {
    if members.len() == 1 { decode(members.get("$link")?.as_str()?) } else { None }
}

fn head(major: u8, length: u64, out: &mut Vec<u8>) {
    let major = major << 5;
    match length {
        0..=23 => out.push(major | length as u8),
        24..=0xff => out.extend_from_slice(&[major | 24, length as u8]),
        0x100..=0xffff => {
            out.push(major | 25);
            out.extend_from_slice(&(length as u16).to_be_bytes());
        }
        0x1_0000..=0xffff_ffff => {
            out.push(major | 26);
            out.extend_from_slice(&(length as u32).to_be_bytes());
        }
        _ => {
            out.push(major | 27);
            out.extend_from_slice(&length.to_be_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_binary_form_of_values() {
        // Source: RFC 8949, appendix A, and the DAG-CBOR specification for links.
        for (value, want) in [
            (json!(null), "f6"),
            (json!(true), "f5"),
            (json!(0), "00"),
            (json!(24), "1818"),
            (json!(1000), "1903e8"),
            (json!(1_000_000), "1a000f4240"),
            (json!(-1), "20"),
            (json!(-1000), "3903e7"),
            (json!("ü"), "62c3bc"),
            (json!([1, [2, 3]]), "8201820203"),
            (json!({"bb": 1, "a": 2}), "a261610262626201"),
            (json!({}), "a0"),
        ] {
            let mut bytes = Vec::new();
            encode(&value, &mut bytes);
            assert_eq!(hex::encode(bytes), want, "{value}");
        }
    }

    #[test]
    fn identifiers_have_the_known_shape_and_follow_the_content() {
        let record = of_record(&json!({"a": 1}));
        assert!(record.starts_with("bafyrei") && record.len() == 59, "{record}");
        assert_eq!(record, of_record(&json!({"a": 1})));
        assert_ne!(record, of_record(&json!({"a": 2})));
        // Source: the empty byte string under the raw codec, known from IPFS.
        let empty: [u8; 32] = Sha256::digest(b"").into();
        assert_eq!(of_blob(&empty), "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku");
        assert_eq!(decode(&of_blob(&empty)), Some(binary(BLOB_CODEC, &empty)));
    }
}
