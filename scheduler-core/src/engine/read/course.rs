//! How reading goes on after what a network answered: pure, so that every case can be walked.

use chrono::{DateTime, TimeDelta, Utc};

use crate::ports::{NetworkError, NetworkErrorKind, ReadMode, ReadingState};
use crate::retry::RATE_LIMIT_WAIT_MAX;
use crate::target::FailureCode;

/// How long an account is left alone after the first, second, … failure in a row; the last for
/// every further one.
///
/// Source: our decision.
const WAITS: [TimeDelta; 4] =
    [TimeDelta::minutes(1), TimeDelta::minutes(5), TimeDelta::minutes(15), TimeDelta::hours(1)];

/// The shortest wait that a network's rate limit is granted, and the one where it names none.
///
/// Source: our decision.
const RATE_LIMIT_WAIT_MIN: TimeDelta = TimeDelta::minutes(1);
const RATE_LIMIT_WAIT: TimeDelta = TimeDelta::minutes(15);

/// How often an account itself is looked at, and how long after the wait for a look that failed.
///
/// Source: our decision.
const LOOK_EVERY: TimeDelta = TimeDelta::days(1);
const LOOK_AGAIN: TimeDelta = TimeDelta::hours(1);

/// From this failure in a row on, the posts that failed stand back for a while, so that those
/// behind them get their turn.
///
/// Source: our decision.
const GIVES_WAY_FROM: u32 = 4;
const GIVES_WAY_FOR: TimeDelta = TimeDelta::hours(2);

/// So long after it went live, a post that stands back does so for good: a week after the last
/// reading that is taken without being asked for.
///
/// Source: our decision.
const GIVEN_UP_AFTER: TimeDelta = TimeDelta::days(21);

/// What a network's failure means for reading, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ReadFailure {
    /// The network does not offer it.
    NotOffered,
    /// It will not answer this, however often it is asked.
    Refused,
    /// It is left alone until then, after so many failures in a row.
    Blocked { until: DateTime<Utc>, failures: u32 },
    /// The account has to be connected again.
    CutOff,
}

impl ReadFailure {
    pub(super) fn of(error: &NetworkError, state: &ReadingState, now: DateTime<Utc>) -> Self {
        match error.kind {
            NetworkErrorKind::Permanent if error.code == FailureCode::Unsupported => {
                Self::NotOffered
            }
            NetworkErrorKind::Permanent => Self::Refused,
            NetworkErrorKind::RateLimited { wait } => {
                let wait = wait.unwrap_or(RATE_LIMIT_WAIT);
                let wait = wait.clamp(RATE_LIMIT_WAIT_MIN, RATE_LIMIT_WAIT_MAX);
                Self::Blocked { until: now + wait, failures: state.failures }
            }
            NetworkErrorKind::Temporary
            | NetworkErrorKind::InDoubt
            | NetworkErrorKind::Unsettled => {
                let failures = state.failures.saturating_add(1);
                Self::Blocked { until: now + wait_after(failures), failures }
            }
            NetworkErrorKind::TokenExpired | NetworkErrorKind::Reconnect => Self::CutOff,
        }
    }
}

fn wait_after(failures: u32) -> TimeDelta {
    let [.., last] = WAITS;
    let index = usize::try_from(failures.saturating_sub(1)).unwrap_or(usize::MAX);
    WAITS.get(index).copied().unwrap_or(last)
}

/// From now on, one by one.
pub(super) const fn one_by_one(state: &ReadingState) -> ReadingState {
    ReadingState { mode: ReadMode::OneByOne, ..ReadingState::new(state.look_due_at) }
}

/// A call for figures has ended; `has_more` when other posts are due as well.
pub(super) const fn after_figures(state: &ReadingState, has_more: bool) -> ReadingState {
    match state.mode {
        ReadMode::OneByOne if has_more => one_by_one(state),
        ReadMode::OneByOne | ReadMode::Batch => ReadingState::new(state.look_due_at),
    }
}

/// The account was looked at, with the worst read_failure there was.
pub(super) fn after_look(
    state: &ReadingState,
    read_failure: Option<&ReadFailure>,
    now: DateTime<Utc>,
) -> ReadingState {
    match read_failure {
        Some(ReadFailure::Blocked { until, failures }) => ReadingState {
            // Later than posts that are due meanwhile, so that they get their turn.
            look_due_at: *until + LOOK_AGAIN,
            blocked_until: Some(*until),
            failures: *failures,
            mode: state.mode,
        },
        Some(ReadFailure::CutOff) => cut_off(now),
        Some(ReadFailure::NotOffered | ReadFailure::Refused) | None => {
            let look_due_at = next_look(state.look_due_at, now);
            ReadingState { look_due_at, ..after_figures(state, true) }
        }
    }
}

/// A day after the planned look, as often as it takes to get past `now`.
fn next_look(planned_at: DateTime<Utc>, now: DateTime<Utc>) -> DateTime<Utc> {
    let days = (now - planned_at).num_days().max(0) + 1;
    planned_at + LOOK_EVERY * i32::try_from(days).unwrap_or(i32::MAX)
}

/// A budget is used up.
pub(super) const fn out_of_budget(state: &ReadingState, until: DateTime<Utc>) -> ReadingState {
    ReadingState { blocked_until: Some(until), ..*state }
}

/// Nothing is read for a day, unless the account is connected again.
pub(super) fn cut_off(now: DateTime<Utc>) -> ReadingState {
    let look_due_at = now + LOOK_EVERY;
    ReadingState { blocked_until: Some(look_due_at), ..ReadingState::new(look_due_at) }
}

/// Whether a post whose call has failed again and again is not read any more.
pub(super) fn is_given_up(published_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - published_at >= GIVEN_UP_AFTER
}

/// When posts whose call has failed are due again; `None` where they stay due.
pub(super) fn gives_way_until(failures: u32, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    (failures >= GIVES_WAY_FROM).then(|| now + GIVES_WAY_FOR)
}

#[cfg(test)]
#[path = "course_tests.rs"]
mod tests;
