//! Record keys made of time.
//!
//! Source: <https://atproto.com/specs/tid>.

use chrono::{DateTime, Utc};

const ALPHABET: &[u8; 32] = b"234567abcdefghijklmnopqrstuvwxyz";
const LENGTH: usize = 13;

/// Makes a key from a time and ten bits that keep two clocks apart.
pub(super) fn make(at: DateTime<Utc>, clock: u16) -> String {
    let micros = u64::try_from(at.timestamp_micros()).unwrap_or(0) & ((1 << 53) - 1);
    let bits = micros << 10 | u64::from(clock & 0x3ff);
    (0..LENGTH)
        .rev()
        .map(|digit| char::from(ALPHABET[(bits >> (5 * digit) & 0x1f) as usize]))
        .collect()
}

/// Says whether a key is a well-formed TID.
pub(super) fn is_valid(key: &str) -> bool {
    let bytes = key.as_bytes();
    bytes.len() == LENGTH
        && bytes.iter().all(|byte| ALPHABET.contains(byte))
        && bytes.first().is_some_and(|first| ALPHABET[..16].contains(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    #[test]
    fn well_formed_and_malformed_keys() {
        // Source: atproto repository, interop-test-files/syntax/tid_syntax_{valid,invalid}.txt.
        for (key, want) in [
            ("3jzfcijpj2z2a", true),
            ("7777777777777", true),
            ("3zzzzzzzzzzzz", true),
            ("2222222222222", true),
            ("3jzfcijpj2z21", false),
            ("0000000000000", false),
            ("3jzfcijpj2z2aa", false),
            ("3jzfcijpj2z2", false),
            ("3jzf-cij-pj2z-2a", false),
            ("zzzzzzzzzzzzz", false),
            ("kjzfcijpj2z2a", false),
            ("3JZFCIJPJ2Z2A", false),
        ] {
            assert_eq!(is_valid(key), want, "{key}");
        }
    }

    #[test]
    fn keys_are_valid_and_grow_with_time() {
        let start = DateTime::from_timestamp(1_700_000_000, 0).unwrap();
        let keys: Vec<String> =
            (0..50).map(|step| make(start + TimeDelta::microseconds(step * 7), 1023)).collect();
        assert!(keys.iter().all(|key| is_valid(key)));
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
