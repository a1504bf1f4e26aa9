//! What came of calls, under the keys by which they are known when they come again.
//!
//! For as long as the process lives, and the outcome is among those that are kept, a call that comes
//! again is answered as before and does nothing. Beyond that:
//!
//! - What makes a post, a file or a reply carries its key to the API, where it is stored with what
//!   was made.
//! - What changes or cancels a post is guarded by its revision; what sends, retries or takes down, by
//!   the state of the post and by a confirmation, which is asked for again.
//! - A request for approval has neither: it makes another link, which takes the place of the first.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

use crate::failure::Failure;

/// Outcomes that are kept, the latest: in all, and of one caller. Source: our decision.
const KEPT: Bound = Bound { outcomes: 512, bytes: 8 << 20 };
const KEPT_OF_ONE: Bound = Bound { outcomes: 256, bytes: 2 << 20 };

/// Bytes of an outcome that is kept whole. Source: our decision.
const WHOLE_BYTES: usize = 16 << 10;

/// What is kept of a longer one: enough to go on with.
const BRIEF: [&str; 10] = [
    "id",
    "kind",
    "status",
    "revision",
    "scheduledAt",
    "state",
    "planId",
    "changed",
    "url",
    "expiresAt",
];

/// Whose key, for which tool.
pub(crate) type Key = (String, &'static str, String);

#[derive(Clone, Copy, Debug)]
struct Bound {
    outcomes: usize,
    bytes: usize,
}

/// What came of calls.
#[derive(Debug, Default)]
pub(crate) struct Memory(Mutex<VecDeque<Kept>>);

#[derive(Debug)]
struct Kept {
    key: Key,
    fingerprint: String,
    /// As JSON, so that its bytes are known.
    outcome: String,
}

impl Kept {
    fn bytes(&self) -> usize {
        self.key.0.len() + self.key.2.len() + self.fingerprint.len() + self.outcome.len()
    }
}

impl Memory {
    /// What came of the call with this key.
    ///
    /// # Errors
    /// When it had other arguments.
    pub(crate) fn outcome(&self, key: &Key, fingerprint: &str) -> Result<Option<Value>, Failure> {
        match self.kept().iter().find(|kept| kept.key == *key) {
            None => Ok(None),
            Some(kept) if kept.fingerprint == fingerprint => {
                Ok(serde_json::from_str(&kept.outcome).ok())
            }
            Some(_) => Err(Failure::argument(
                "idempotencyKey",
                "This key was used before, with other arguments. Nothing was done. Send a new key for something new.",
            )),
        }
    }

    /// Keeps what came of a call: of a long outcome, the short form.
    pub(crate) fn keep(&self, key: Key, fingerprint: String, outcome: &Value) {
        let mut written = outcome.to_string();
        if written.len() > WHOLE_BYTES {
            written = brief(outcome).to_string();
        }
        let new = Kept { key, fingerprint, outcome: written };
        let mut kept = self.kept();
        kept.retain(|one| one.key != new.key);
        make_room(&mut kept, KEPT_OF_ONE, &new, |one| one.key.0 == new.key.0);
        make_room(&mut kept, KEPT, &new, |_| true);
        kept.push_back(new);
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets the oldest of these until one more is within the bound.
fn make_room(
    kept: &mut VecDeque<Kept>,
    bound: Bound,
    new: &Kept,
    is_counted: impl Fn(&Kept) -> bool,
) {
    loop {
        let counted = kept.iter().filter(|one| is_counted(one));
        let (outcomes, bytes) = counted
            .fold((1, new.bytes()), |(outcomes, bytes), one| (outcomes + 1, bytes + one.bytes()));
        if outcomes <= bound.outcomes && bytes <= bound.bytes {
            return;
        }
        let Some(oldest) = kept.iter().position(&is_counted) else { return };
        kept.remove(oldest);
    }
}

/// The short form of an outcome.
fn brief(outcome: &Value) -> Value {
    let mut shown = Map::new();
    for name in BRIEF {
        shown.extend(outcome.get(name).map(|value| (name.to_owned(), value.clone())));
    }
    if let Some(post) = outcome.get("post") {
        shown.insert("post".to_owned(), brief(post));
    }
    shown.insert("shortened".to_owned(), json!(true));
    Value::Object(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(caller: &str, number: usize) -> Key {
        (caller.to_owned(), "tool", number.to_string())
    }

    #[test]
    fn a_call_that_comes_again_has_its_first_outcome() {
        let memory = Memory::default();
        assert_eq!(memory.outcome(&key("me", 0), "a"), Ok(None));
        memory.keep(key("me", 0), "a".to_owned(), &json!(1));
        assert_eq!(memory.outcome(&key("me", 0), "a"), Ok(Some(json!(1))));
        assert!(memory.outcome(&key("me", 0), "b").is_err(), "other arguments");
        assert_eq!(memory.outcome(&key("you", 0), "a"), Ok(None));
    }

    #[test]
    fn a_caller_displaces_its_own_first() {
        let memory = Memory::default();
        memory.keep(key("you", 0), "a".to_owned(), &json!(0));
        for number in 0..=KEPT_OF_ONE.outcomes {
            memory.keep(key("me", number), "a".to_owned(), &json!(number));
        }
        assert_eq!(memory.outcome(&key("me", 0), "a"), Ok(None), "the oldest is forgotten");
        assert_eq!(memory.outcome(&key("me", 1), "a"), Ok(Some(json!(1))));
        assert_eq!(memory.outcome(&key("you", 0), "a"), Ok(Some(json!(0))));
        for number in 0..KEPT.outcomes {
            memory.keep(key(&number.to_string(), 0), "a".to_owned(), &json!(number));
        }
        assert_eq!(memory.outcome(&key("you", 0), "a"), Ok(None), "all have an end");
        assert_eq!(memory.kept().len(), KEPT.outcomes);
    }

    #[test]
    fn bytes_are_bounded_of_one_caller_and_in_all() {
        let memory = Memory::default();
        let outcome = json!("a".repeat(WHOLE_BYTES - 2));
        let bytes = |memory: &Memory, caller: Option<&str>| -> usize {
            let kept = memory.kept();
            let of = kept.iter().filter(|one| caller.is_none_or(|caller| one.key.0 == caller));
            of.map(Kept::bytes).sum()
        };
        for caller in ["a", "b", "c", "d", "e"] {
            for number in 0..200 {
                memory.keep(key(caller, number), "a".to_owned(), &outcome);
            }
            let kept = bytes(&memory, Some(caller));
            assert!((1 << 20..=KEPT_OF_ONE.bytes).contains(&kept), "{caller}: {kept}");
        }
        assert!(bytes(&memory, None) <= KEPT.bytes);
        assert_eq!(memory.outcome(&key("e", 199), "a"), Ok(Some(outcome)));
    }

    #[test]
    fn of_a_long_outcome_the_short_form_is_kept() {
        let memory = Memory::default();
        let post = json!({"id": "p", "status": "draft", "revision": 2, "content": "a".repeat(WHOLE_BYTES)});
        let short = json!({"id": "p", "status": "draft", "revision": 2, "shortened": true});
        memory.keep(key("me", 0), "a".to_owned(), &post);
        assert_eq!(memory.outcome(&key("me", 0), "a"), Ok(Some(short.clone())));
        memory.keep(key("me", 1), "a".to_owned(), &json!({"state": "scheduled", "post": post}));
        let want = json!({"state": "scheduled", "post": short, "shortened": true});
        assert_eq!(memory.outcome(&key("me", 1), "a"), Ok(Some(want)));
    }
}
