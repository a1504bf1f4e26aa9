//! What networks answered within the last minute, so that a question that is asked again costs
//! nothing, and of several callers who ask the same at once one asks the network.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::lock::Mutex as Turn;
use serde::Serialize;

use super::Scheduler;
use crate::account::Account;
use crate::error::{AppError, Refusal};
use crate::ids::{AccountId, TargetId};
use crate::ports::Creator;

/// How long an answer is kept.
///
/// Source: our decision.
const KEPT_FOR: TimeDelta = TimeDelta::minutes(1);

/// Bytes of all answers that are kept, about, and of the largest one.
///
/// Source: our decision.
const BYTES_MAX: usize = 16 << 20;
const ANSWER_BYTES_MAX: usize = 2 << 20;

/// Bytes that an answer takes besides its own, about: its question and its places.
const ENTRY_BYTES: usize = 512;

/// What can be asked of the network of an account.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum Question {
    /// The figures of a target.
    Figures(TargetId),
    /// The comments on a target.
    Comments(TargetId),
    /// What is told of a target's video.
    Insights(TargetId),
    /// The account's boards.
    Boards,
    /// The channel's playlists.
    Playlists,
    /// What the creator may do.
    Creator,
    /// The account's picture.
    Picture,
    /// Names that match a text.
    Mentions(String),
}

type Key = (AccountId, Question);
type Answer = Arc<dyn Any + Send + Sync>;
type Outcome = Result<Answer, Refusal>;

/// The answers that are kept, and the questions that are being asked. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Answers(Arc<Mutex<Tables>>);

#[derive(Default)]
struct Tables {
    kept: BTreeMap<Key, Kept>,
    /// The keys of what is kept, oldest first, with the number under which each was kept. Those
    /// that were replaced or forgotten since are passed over.
    ages: VecDeque<(u64, DateTime<Utc>, Key)>,
    last: u64,
    bytes: usize,
    asking: BTreeMap<Key, Arc<Asking>>,
}

struct Kept {
    number: u64,
    at: DateTime<Utc>,
    answer: Answer,
    bytes: usize,
}

/// A question that is being asked.
#[derive(Default)]
struct Asking {
    /// Held by the one who asks; what came of the last question of those who waited.
    turn: Turn<Option<Outcome>>,
    /// How often it was answered.
    answered: AtomicU64,
}

impl Asking {
    fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }
}

/// Takes part in a question until it is dropped.
struct Part {
    answers: Answers,
    key: Key,
    asking: Arc<Asking>,
}

impl Drop for Part {
    fn drop(&mut self) {
        let mut tables = self.answers.tables();
        let is_ours =
            tables.asking.get(&self.key).is_some_and(|asking| Arc::ptr_eq(asking, &self.asking));
        // Ours, and that of the table.
        if is_ours && Arc::strong_count(&self.asking) == 2 {
            tables.asking.remove(&self.key);
        }
    }
}

impl Answers {
    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets what was answered of an account, and lets nothing of it be kept that is asked now.
    pub(crate) fn forget(&self, account: AccountId) {
        let mut tables = self.tables();
        let is_of = |key: &Key| key.0 == account;
        let first = (account, Question::Figures(TargetId(uuid::Uuid::nil())));
        let of_account = |keys: &mut dyn Iterator<Item = &Key>| -> Vec<Key> {
            keys.take_while(|key| is_of(key)).cloned().collect()
        };
        for key in of_account(&mut tables.kept.range(&first..).map(|(key, _)| key)) {
            tables.remove(&key);
        }
        for key in of_account(&mut tables.asking.range(&first..).map(|(key, _)| key)) {
            tables.asking.remove(&key);
        }
    }
}

impl Tables {
    fn remove(&mut self, key: &Key) {
        if let Some(kept) = self.kept.remove(key) {
            self.bytes -= kept.bytes;
        }
    }

    fn kept(&self, key: &Key, now: DateTime<Utc>) -> Option<Answer> {
        let kept = self.kept.get(key)?;
        // A clock that was set back makes nothing young.
        (kept.at <= now && now - kept.at < KEPT_FOR).then(|| kept.answer.clone())
    }

    fn keep(&mut self, key: Key, answer: Answer, bytes: usize, now: DateTime<Utc>) {
        self.remove(&key);
        let bytes = bytes.saturating_add(ENTRY_BYTES);
        if bytes <= ANSWER_BYTES_MAX {
            self.last += 1;
            let number = self.last;
            self.bytes += bytes;
            self.ages.push_back((number, now, key.clone()));
            self.kept.insert(key, Kept { number, at: now, answer, bytes });
        }
        let places = BYTES_MAX / ENTRY_BYTES;
        while let Some((number, at, key)) = self.ages.front()
            && (*at + KEPT_FOR <= now || self.bytes > BYTES_MAX || self.ages.len() > places)
        {
            let (number, key) = (*number, key.clone());
            if self.kept.get(&key).is_some_and(|kept| kept.number == number) {
                self.remove(&key);
            }
            self.ages.pop_front();
        }
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Answers").field("kept", &self.tables().kept.len()).finish()
    }
}

impl Scheduler {
    /// Gives an account the limits that its network has told within the last minute, where it was
    /// asked what the creator may do.
    pub(in crate::app) fn add_told_limits(&self, account: &mut Account) {
        let key = (account.id, Question::Creator);
        let kept = self.answers.tables().kept(&key, self.ports.clock.now());
        if let Some(creator) = kept.and_then(owned::<Creator>) {
            creator.add_to(&mut account.limits);
        }
    }

    /// Where the network has told within the last minute that the creator's picture is.
    pub(in crate::app) fn told_picture(&self, account: AccountId) -> Option<String> {
        let key = (account, Question::Creator);
        let kept = self.answers.tables().kept(&key, self.ports.clock.now());
        kept.and_then(owned::<Creator>)?.avatar_url
    }

    /// The answer to a question, from the last minute or from `ask`.
    ///
    /// Of several callers at once one asks, and the others get the same, also where that is a
    /// refusal.
    ///
    /// # Errors
    /// Those of `ask`.
    pub(in crate::app) async fn answered<T>(
        &self,
        account: &Account,
        question: Question,
        ask: impl Future<Output = Result<T, AppError>> + Send,
    ) -> Result<T, AppError>
    where
        T: Clone + Serialize + Send + Sync + 'static,
    {
        // Nothing is told of an account that would not be asked.
        if !account.is_connected() || account.needs_reconnect {
            return ask.await;
        }
        let key = (account.id, question);
        let (part, earlier) = {
            let mut tables = self.answers.tables();
            if let Some(answer) = tables.kept(&key, self.ports.clock.now()).and_then(owned) {
                return Ok(answer);
            }
            let asking = Arc::clone(tables.asking.entry(key.clone()).or_default());
            let earlier = asking.answered();
            (Part { answers: self.answers.clone(), key, asking }, earlier)
        };
        let mut turn = part.asking.turn.lock().await;
        if part.asking.answered() != earlier
            && let Some(outcome) = &*turn
        {
            match outcome {
                Err(refusal) => return Err(refusal.clone().into()),
                Ok(answer) => {
                    if let Some(answer) = owned(Arc::clone(answer)) {
                        return Ok(answer);
                    }
                }
            }
        }
        let asked = ask.await;
        let outcome: Outcome = match &asked {
            Ok(answer) => Ok(Arc::new(answer.clone())),
            Err(AppError::Refused(refusal)) => Err(refusal.clone()),
            // Faults of our own are told to nobody else.
            Err(AppError::Store(_) | AppError::Files(_)) => return asked,
        };
        let mut tables = self.answers.tables();
        part.asking.answered.fetch_add(1, Ordering::Relaxed);
        let is_current =
            tables.asking.get(&part.key).is_some_and(|asking| Arc::ptr_eq(asking, &part.asking));
        if is_current && let (Ok(told), Ok(answer)) = (&asked, &outcome) {
            let now = self.ports.clock.now();
            tables.keep(part.key.clone(), Arc::clone(answer), bytes_of(told), now);
        }
        drop(tables);
        *turn = Some(outcome);
        drop(turn);
        asked
    }
}

fn owned<T: Clone + Send + Sync + 'static>(answer: Answer) -> Option<T> {
    Some((*answer.downcast::<T>().ok()?).clone())
}

/// The bytes of an answer as JSON, which is about what it takes in memory.
fn bytes_of(answer: &impl Serialize) -> usize {
    struct Counted(usize);

    impl io::Write for Counted {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut counted = Counted(0);
    match serde_json::to_writer(&mut counted, answer) {
        Ok(()) => counted.0,
        Err(_) => usize::MAX,
    }
}

#[cfg(test)]
#[path = "answers_tests.rs"]
mod tests;
