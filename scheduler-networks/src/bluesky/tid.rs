//! Record keys of the time-ordered kind.
//!
//! Source: <https://atproto.com/specs/tid>.

use sha2::{Digest, Sha256};

use scheduler_core::ports::PublishJob;

/// The alphabet, whose order is the order of the characters in ASCII.
const ALPHABET: &[u8; 32] = b"234567abcdefghijklmnopqrstuvwxyz";

/// Characters of a key: 65 bits in groups of five, of which the first is always zero.
const LENGTH: u32 = 13;

/// Microseconds of a key that parts of one thread are told apart by, at the end of a millisecond.
const PARTS_MAX: u64 = 32;

/// The key of a part, from 0 on, of a publish: the same on every repeat.
///
/// The time is the millisecond in which the publish first began. What is finer, and the clock id,
/// come from the target and its revision, so that posts of one account that begin together have
/// keys of their own. The parts of a thread follow each other.
pub(super) fn record_key(job: &PublishJob, part: usize) -> String {
    let mut hash = Sha256::new();
    hash.update(job.target_id.0.as_bytes());
    hash.update(job.revision.to_be_bytes());
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, ..] = digest;

    let milliseconds = u64::try_from(job.begun_at.timestamp_millis()).unwrap_or_default();
    let offset = u64::from(u16::from_be_bytes([a, b])) % (1_000 - PARTS_MAX);
    let part = u64::try_from(part).unwrap_or_default();
    encode(milliseconds * 1_000 + offset + part, u16::from_be_bytes([c, d]))
}

/// Writes microseconds since 1970 (53 bits) and a clock id (10 bits) as a key.
fn encode(microseconds: u64, clock_id: u16) -> String {
    let bits = (microseconds & ((1 << 53) - 1)) << 10 | u64::from(clock_id & 0x3ff);
    (0..LENGTH)
        .rev()
        .map(|group| char::from(ALPHABET[usize::from((bits >> (5 * group)) as u8 & 31)]))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chrono::TimeDelta;
    use proptest::prelude::*;
    use scheduler_core::ids::TargetId;
    use uuid::Uuid;

    use super::*;
    use crate::testing::bluesky_job;

    /// Reads a key back, by the rules of the specification and not by the code above.
    fn decode(key: &str) -> Option<(u64, u16)> {
        if key.len() != 13 || !"234567abcdefghij".contains(key.chars().next()?) {
            return None;
        }
        let bits = key.chars().try_fold(0_u64, |bits, character| {
            let digit = match character {
                '2'..='7' => u64::from(u32::from(character) - u32::from('2')),
                'a'..='z' => u64::from(u32::from(character) - u32::from('a')) + 6,
                _ => return None,
            };
            Some(bits * 32 + digit)
        })?;
        Some((bits / 1024, (bits % 1024) as u16))
    }

    /// Source: <https://github.com/bluesky-social/atproto>, `interop-test-files/syntax/tid_syntax_*`.
    #[test]
    fn the_reader_of_these_tests_knows_good_keys_from_bad() {
        for good in ["3jzfcijpj2z2a", "7777777777777", "3zzzzzzzzzzzz", "2222222222222"] {
            let (microseconds, clock_id) = decode(good).unwrap();
            assert_eq!(encode(microseconds, clock_id), good);
        }
        for bad in
            ["3jzfcijpj2z21", "0000000000000", "3jzfcijpj2z2aa", "3jzfcijpj2z2", "kjzfcijpj2z2a"]
        {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(microseconds in 0_u64..1 << 53, clock_id in 0_u16..1024) {
            prop_assert_eq!(decode(&encode(microseconds, clock_id)), Some((microseconds, clock_id)));
        }

        #[test]
        fn a_repeat_chooses_the_same_and_parts_stay_in_order(target: u128, revision: u32) {
            let mut job = bluesky_job();
            job.target_id = TargetId(Uuid::from_u128(target));
            job.revision = revision;
            let keys: Vec<String> = (0..25).map(|part| record_key(&job, part)).collect();
            prop_assert!(keys.is_sorted());
            prop_assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), 25);
            job.now += TimeDelta::hours(3);
            let again: Vec<String> = (0..25).map(|part| record_key(&job, part)).collect();
            prop_assert_eq!(&keys, &again);
            let milliseconds = decode(&keys[24]).unwrap().0 / 1_000;
            prop_assert_eq!(i64::try_from(milliseconds).unwrap(), job.begun_at.timestamp_millis());
        }
    }

    #[test]
    fn another_target_or_revision_chooses_another() {
        let job = bluesky_job();
        let mut other = job.clone();
        other.revision += 1;
        assert_ne!(record_key(&job, 0), record_key(&other, 0));
        let mut other = job.clone();
        other.target_id = TargetId(Uuid::from_u128(77));
        assert_ne!(record_key(&job, 0), record_key(&other, 0));
    }
}
