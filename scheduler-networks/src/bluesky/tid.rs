//! Record keys of the time-ordered kind.
//!
//! Source: <https://atproto.com/specs/tid>.

use sha2::{Digest, Sha256};

use scheduler_core::ports::{LivePost, PublishJob};

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

/// The key of a part, when that of the first is known; `None` when that is none of ours.
pub(super) fn following(first: &str, part: usize) -> Option<String> {
    let part = u64::try_from(part).ok().filter(|part| *part < PARTS_MAX)?;
    if first.len() != usize::try_from(LENGTH).ok()? {
        return None;
    }
    let bits = first.bytes().try_fold(0_u64, |bits, character| {
        let digit = ALPHABET.iter().position(|known| *known == character)?;
        Some(bits << 5 | u64::try_from(digit).ok()?)
    })?;
    Some(encode((bits >> 10) + part, u16::try_from(bits & 0x3ff).ok()?))
}

/// The key of a reply to a comment on a post, the same whenever the same is said to it.
///
/// It is one of the time shortly before the post went live, which no post of ours has, so that it
/// never lies in the future.
pub(super) fn reply_key(post: &LivePost, comment: &str, text: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(post.target_id.0.as_bytes());
    hash.update([u8::try_from(comment.len()).unwrap_or(u8::MAX)]);
    hash.update(comment.as_bytes());
    hash.update(text.as_bytes());
    let digest: [u8; 32] = hash.finalize().into();
    let [a, b, c, d, e, f, ..] = digest;

    let published = u64::try_from(post.published_at.timestamp_micros()).unwrap_or_default();
    // At most 18 minutes.
    let offset = u64::from(u32::from_be_bytes([a, b, c, d]) & 0x3fff_ffff);
    encode(published.saturating_sub(offset), u16::from_be_bytes([e, f]))
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
    use crate::bluesky::testing::live_post;
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
            for (part, key) in keys.iter().enumerate() {
                prop_assert_eq!(following(&keys[0], part), Some(key.clone()));
            }
            let milliseconds = decode(&keys[24]).unwrap().0 / 1_000;
            prop_assert_eq!(i64::try_from(milliseconds).unwrap(), job.begun_at.timestamp_millis());
        }
    }

    #[test]
    fn nothing_follows_what_is_no_key() {
        for (name, key, part) in [
            ("too short", "3jzfcijpj2z2", 1),
            ("other letters", "3jzfcijpj2z21", 1),
            ("not of ours", "self", 1),
            ("too far", "3jzfcijpj2z2a", 32),
        ] {
            assert_eq!(following(key, part), None, "{name}");
        }
    }

    #[test]
    fn a_reply_has_the_same_key_whenever_the_same_is_said() {
        let post = live_post(&["3mabcdefghi2k"]);
        let key = reply_key(&post, "at://a/b/c", "Thanks");
        assert_eq!(reply_key(&post, "at://a/b/c", "Thanks"), key);
        assert_ne!(reply_key(&post, "at://a/b/d", "Thanks"), key);
        assert_ne!(reply_key(&post, "at://a/b/c", "Thanks!"), key);
        assert_ne!(reply_key(&post, "at://a/b/", "cThanks"), key);
        let (at, _) = decode(&key).unwrap();
        let published = u64::try_from(post.published_at.timestamp_micros()).unwrap();
        assert!(at <= published && published - at < 1 << 30);
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
