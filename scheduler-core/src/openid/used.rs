//! Which attempts were finished.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};

use super::Attempt;

/// Finished attempts that are remembered at most; each for as long as it could be shown again.
///
/// Source: our decision; some megabytes, and a hundred times what one address may begin in that time.
const REMEMBERED_MAX: usize = 10_000;

/// The attempts that were finished and have time left, so that each is finished once. The code of a
/// provider works once as well, also where several processes share a database.
#[derive(Debug, Default)]
pub struct Used(Mutex<HashMap<[u8; 32], DateTime<Utc>>>);

impl Used {
    /// Takes an attempt; `false` for one that was taken before, and while there are too many.
    #[must_use]
    pub fn take(&self, attempt: &Attempt, now: DateTime<Utc>) -> bool {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|_, ends_at| now < *ends_at);
        let hash = Sha256::digest(attempt.state()).into();
        if taken.len() >= REMEMBERED_MAX {
            return false;
        }
        taken.insert(hash, attempt.ends_at()).is_none()
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;
    use crate::connecting::Pass;

    #[test]
    fn each_is_taken_once_and_forgotten_when_it_is_over() {
        let start = DateTime::UNIX_EPOCH;
        let attempt = |number: u32| {
            let mut random = [0; 32];
            random[..4].copy_from_slice(&number.to_be_bytes());
            Attempt::begin(Pass::from_random(random), start)
        };
        let used = Used::default();
        assert!(used.take(&attempt(0), start));
        assert!(!used.take(&attempt(0), start), "a second time");
        for number in 1..10_000 {
            assert!(used.take(&attempt(number), start), "{number}");
        }
        assert!(!used.take(&attempt(10_000), start), "there are too many");
        assert!(used.take(&attempt(10_000), start + TimeDelta::minutes(10)), "they are over");
        assert_eq!(used.0.lock().unwrap().len(), 1);
    }
}
