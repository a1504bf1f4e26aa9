//! Which questions were put to callers whose clients cannot ask, so that a confirmation counts only
//! after its question.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Questions that are kept, the latest: in all, and of one caller. Source: our decision.
const KEPT: usize = 4_096;
const KEPT_OF_ONE: usize = 256;

/// How long a question can be confirmed. Source: our decision; a person may be away for a while.
const LASTS: Duration = Duration::from_secs(60 * 60);

/// Whose call of which tool, and what it would do. A call that comes again is the same; one with
/// another key or other arguments has a question of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) caller: String,
    pub(crate) tool: &'static str,
    pub(crate) plan: String,
    /// The key of the call.
    pub(crate) key: String,
    /// A hash of its arguments, which name the post.
    pub(crate) arguments: String,
}

/// The questions that were put, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Shown(Mutex<VecDeque<(Question, Instant)>>);

impl Shown {
    /// Notes that a question is put now.
    pub(crate) fn note(&self, question: Question, now: Instant) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.retain(|(known, at)| *known != question && is_fresh(*at, now));
        let is_of_caller = |(known, _): &(Question, Instant)| known.caller == question.caller;
        if shown.iter().filter(|one| is_of_caller(one)).count() >= KEPT_OF_ONE
            && let Some(oldest) = shown.iter().position(is_of_caller)
        {
            shown.remove(oldest);
        }
        if shown.len() >= KEPT {
            shown.pop_front();
        }
        shown.push_back((question, now));
    }

    /// True when this very question was put, not too long ago.
    pub(crate) fn has(&self, question: &Question, now: Instant) -> bool {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.iter().any(|(known, at)| known == question && is_fresh(*at, now))
    }
}

fn is_fresh(at: Instant, now: Instant) -> bool {
    now.saturating_duration_since(at) < LASTS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(caller: &str, tool: &'static str, plan: impl ToString) -> Question {
        let (key, arguments) = ("a key".to_owned(), "a post".to_owned());
        Question { caller: caller.to_owned(), tool, plan: plan.to_string(), key, arguments }
    }

    #[test]
    fn a_question_is_of_one_call_and_one_plan_for_a_while() {
        let (shown, now) = (Shown::default(), Instant::now());
        let asked = question("me", "publish_now", "plan_a");
        assert!(!shown.has(&asked, now));
        shown.note(asked.clone(), now);
        assert!(shown.has(&asked, now));
        assert!(!shown.has(&question("you", "publish_now", "plan_a"), now));
        assert!(!shown.has(&question("me", "take_down", "plan_a"), now));
        assert!(!shown.has(&question("me", "publish_now", "plan_b"), now));
        let by_another_call = Question { key: "another".to_owned(), ..asked.clone() };
        assert!(!shown.has(&by_another_call, now));
        let of_another_post = Question { arguments: "another".to_owned(), ..asked.clone() };
        assert!(!shown.has(&of_another_post, now));
        assert!(!shown.has(&asked, now + LASTS), "an hour later it is asked again");
        shown.note(asked.clone(), now + LASTS);
        assert!(shown.has(&asked, now + LASTS));
    }

    #[test]
    fn few_are_kept_and_a_caller_displaces_its_own_first() {
        let (shown, now) = (Shown::default(), Instant::now());
        shown.note(question("you", "publish_now", 0), now);
        for number in 0..=KEPT_OF_ONE {
            shown.note(question("me", "publish_now", number), now);
        }
        assert!(!shown.has(&question("me", "publish_now", 0), now), "its oldest is forgotten");
        assert!(shown.has(&question("me", "publish_now", 1), now));
        assert!(shown.has(&question("you", "publish_now", 0), now));
        for number in 0..KEPT {
            shown.note(question(&number.to_string(), "publish_now", 0), now);
        }
        assert!(!shown.has(&question("you", "publish_now", 0), now), "all have an end");
        assert_eq!(shown.0.lock().unwrap().len(), KEPT);
    }
}
