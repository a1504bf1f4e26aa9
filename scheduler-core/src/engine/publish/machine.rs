//! One attempt at one target as a machine: what is done next after what has happened. Pure; the
//! driver ([`Attempt`](super::attempt::Attempt)) does what it says and tells what came of it.
//!
//! What it holds to:
//! - A step that others can see is taken only once its mark is stored ([`Progress::open`]).
//! - After an answer was lost nothing is sent before a look, and only what that look allows.
//! - An attempt looks for the lost answer of a step once, and exchanges credentials once.

use std::mem::replace;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use crate::engine::fault::{for_now, too_slow, while_open};
use crate::engine::outcome::{Impossible, LEASE};
use crate::engine::token::{Need, Refreshed, Then, Token};
use crate::ports::{Live, Located, NetworkError, NetworkErrorKind, Step};
use crate::target::{OpenCall, Progress, VisibleCall, WhenUnknown};

/// How long it may take to store that a call begins: 3 seconds. The lease lasts that much longer
/// than the call; what took longer is stored anew before anything is sent.
///
/// Source: our decision.
const HELD_WITHIN: TimeDelta = TimeDelta::seconds(3);

/// How often one attempt puts a call off.
const DELAYS_MAX: u32 = 5;

/// What is known of the calls of a step that is about to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    /// No answer of this step was lost in this attempt.
    Answered,
    /// A look of this attempt has settled what became of one whose answer was lost.
    Settled,
    /// One may have been done; the look that was answered then allows its repeat.
    Repeatable { looked_at: DateTime<Utc> },
}

impl Calls {
    /// True while one may have been done.
    const fn is_open(self) -> bool {
        matches!(self, Self::Repeatable { .. })
    }
}

/// What the network is asked next.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Turn {
    /// What became of a call whose answer was lost. With a fault that the network has answered, the
    /// attempt has failed unless the post is live all the same.
    Look { fault: Option<NetworkError> },
    /// The next step.
    Step(Calls),
}

/// How far an attempt has come.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stage {
    /// The credentials are exchanged; then comes the turn.
    Refreshing { need: Need, turn: Turn },
    /// The network looks for a call whose answer was lost.
    Looking { fault: Option<NetworkError> },
    /// The adapter says what kind of step is next.
    Preparing(Calls),
    /// That the step begins is stored.
    Storing { calls: Calls, is_visible: bool, since: DateTime<Utc> },
    /// The step is taken.
    Stepping { calls: Calls, is_visible: bool },
    /// Nothing more is done.
    Ended,
}

/// What has happened.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// A refresh has ended.
    Refreshed(Refreshed<()>),
    /// The network has looked.
    Looked {
        asked_at: DateTime<Utc>,
        answered_at: DateTime<Utc>,
        found: Result<Located, NetworkError>,
    },
    /// What the next step is: how long it can last at most where others can see what it makes.
    Prepared { at: DateTime<Utc>, visible_for: Option<TimeDelta> },
    /// The progress is stored.
    Stored { at: DateTime<Utc> },
    /// The claim is not the current one any more.
    Lost,
    /// A step has ended.
    Stepped(Result<Step, NetworkError>),
}

/// What the driver does next.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// Exchanges the credentials.
    Refresh,
    /// Has the network look.
    Look,
    /// Asks the adapter what the next step is.
    Prepare,
    /// Stores the progress, and keeps the work for so long.
    Store { lease: TimeDelta },
    /// Takes the next step.
    Step,
    /// Records how the attempt has ended.
    End(End),
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    Live(Live),
    Waits(DateTime<Utc>),
    Failed(NetworkError),
    /// The claim is not the current one any more.
    Lost,
}

/// One attempt at one target.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Machine {
    pub(super) stage: Stage,
    /// What is stored before the next step, and when the attempt ends.
    pub(super) progress: Progress,
    token: Token,
    /// How often a call was put off because too much time had passed before it.
    delays: u32,
    /// What is told when nobody can know what became of a call.
    in_doubt: NetworkError,
}

impl Machine {
    /// Begins an attempt that goes on from `progress`, and says what is done first.
    pub(super) fn begin(
        progress: Progress,
        need: Option<Need>,
        in_doubt: NetworkError,
    ) -> (Self, Action) {
        let turn = match progress.open {
            Some(_) => Turn::Look { fault: None },
            None => Turn::Step(Calls::Answered),
        };
        let (token, stage) = (Token::Original, Stage::Ended);
        let mut machine = Self { stage, progress, token, delays: 0, in_doubt };
        let action = match need {
            Some(need) => machine.refresh(need, turn),
            None => machine.take(turn),
        };
        (machine, action)
    }

    /// What is done after `event`.
    ///
    /// # Errors
    /// [`Impossible`] for an event that answers no action of this stage.
    pub(super) fn next(&mut self, event: Event) -> Result<Action, Impossible> {
        Ok(match (replace(&mut self.stage, Stage::Ended), event) {
            (Stage::Refreshing { need, turn }, Event::Refreshed(refreshed)) => {
                let (token, then) = self.token.refreshed(need, refreshed);
                self.token = token;
                match then {
                    Then::GoOn => self.take(turn),
                    Then::Wait(until) => Action::End(End::Waits(until)),
                    Then::Fail(error) => fail(error),
                }
            }
            (Stage::Looking { fault }, Event::Looked { asked_at, answered_at, found }) => {
                match found {
                    Ok(located) => self.located(fault, located, asked_at, answered_at),
                    // The look failed, not the call: the next attempt looks again.
                    Err(error) => self.mend(while_open(error), Turn::Look { fault }),
                }
            }
            (Stage::Preparing(calls), Event::Prepared { at, visible_for }) => {
                self.store(calls, at, visible_for)
            }
            (Stage::Storing { .. }, Event::Lost) => Action::End(End::Lost),
            (Stage::Storing { calls, is_visible, since }, Event::Stored { at }) => {
                if is_visible && has_waited(calls, since, at) {
                    self.put_off(calls)
                } else {
                    self.stage = Stage::Stepping { calls, is_visible };
                    Action::Step
                }
            }
            (Stage::Stepping { .. }, Event::Stepped(Ok(step))) => self.stepped(step),
            (Stage::Stepping { calls, is_visible }, Event::Stepped(Err(error))) => {
                self.failed(calls, is_visible, error)
            }
            (stage, event) => {
                return Err(Impossible::Attempt { stage: stage.name(), event: event.name() });
            }
        })
    }

    fn refresh(&mut self, need: Need, turn: Turn) -> Action {
        self.stage = Stage::Refreshing { need, turn };
        Action::Refresh
    }

    fn take(&mut self, turn: Turn) -> Action {
        match turn {
            Turn::Look { fault } => {
                self.stage = Stage::Looking { fault };
                Action::Look
            }
            Turn::Step(calls) => {
                self.stage = Stage::Preparing(calls);
                Action::Prepare
            }
        }
    }

    /// Marks a call that others can see, so that nobody sends it again before a look, and keeps the
    /// work for as long as it may last, so that nobody takes it up while it is under way.
    fn store(&mut self, calls: Calls, at: DateTime<Utc>, visible_for: Option<TimeDelta>) -> Action {
        let is_visible = visible_for.is_some();
        let mut lease = LEASE;
        if let Some(lasts) = visible_for {
            let lasts = lasts + HELD_WITHIN;
            let before = self.progress.open.map(|open| open.when_unknown);
            let when_unknown = before.unwrap_or(WhenUnknown::Ask);
            let call = VisibleCall::new(at, lasts);
            self.progress.open = Some(OpenCall { call, when_unknown });
            lease = lease.max(lasts);
        }
        self.stage = Stage::Storing { calls, is_visible, since: at };
        Action::Store { lease }
    }

    /// Begins a call anew that would outlast its lease, or for which the look is too old by now.
    fn put_off(&mut self, calls: Calls) -> Action {
        self.close_unless(calls.is_open());
        if self.delays == DELAYS_MAX {
            return fail(too_slow());
        }
        self.delays += 1;
        let turn = if calls.is_open() { Turn::Look { fault: None } } else { Turn::Step(calls) };
        self.take(turn)
    }

    fn stepped(&mut self, step: Step) -> Action {
        match step {
            Step::Next(state) => {
                self.done(state);
                self.take(Turn::Step(Calls::Answered))
            }
            Step::Live(live) => Action::End(End::Live(live)),
            Step::Wait { progress, until } => {
                self.done(progress);
                Action::End(End::Waits(until))
            }
            Step::Failed { progress, error } => {
                self.done(progress);
                self.mend(for_now(error), Turn::Step(Calls::Answered))
            }
        }
    }

    /// What follows a failed step. What nobody can see may be done twice. An open call stays open,
    /// also when its repeat is refused: networks check much before they look at a key.
    fn failed(&mut self, calls: Calls, was_visible: bool, error: NetworkError) -> Action {
        let is_lost = matches!(error.kind, NetworkErrorKind::InDoubt | NetworkErrorKind::Unsettled);
        let is_open = calls.is_open() || (is_lost && was_visible);
        self.close_unless(is_open);
        let is_first = was_visible && calls == Calls::Answered;
        match error.kind {
            NetworkErrorKind::InDoubt if is_first => self.take(Turn::Look { fault: None }),
            NetworkErrorKind::Unsettled if is_first => self.take(Turn::Look { fault: Some(error) }),
            _ if is_open => self.mend(while_open(error), Turn::Step(calls)),
            _ => self.mend(for_now(error), Turn::Step(calls)),
        }
    }

    /// What a look has shown. While the call may still be under way the look can find the post, and
    /// settles nothing else.
    fn located(
        &mut self,
        fault: Option<NetworkError>,
        located: Located,
        asked_at: DateTime<Utc>,
        looked_at: DateTime<Utc>,
    ) -> Action {
        if let Some(open) = &mut self.progress.open {
            open.call = open.call.begun_by(asked_at);
        }
        let open = self.progress.open;
        let ends_at = open.and_then(|open| open.call.ends_after(asked_at));
        let when_unknown = open.map(|open| open.when_unknown);
        let then = match (located, ends_at) {
            (Located::Live(live), _) => return Action::End(End::Live(live)),
            (Located::Wait { progress, until }, _) => {
                self.progress.state = progress;
                return Action::End(End::Waits(until));
            }
            (Located::Continue(state), _) | (Located::Absent(state), None) => {
                self.done(state);
                self.take(Turn::Step(Calls::Settled))
            }
            (Located::Repeat(state), None) => {
                self.progress.state = state;
                self.take(Turn::Step(Calls::Repeatable { looked_at }))
            }
            (Located::Unknown, None) if when_unknown == Some(WhenUnknown::SendAgain) => {
                self.done(self.progress.state.clone());
                self.take(Turn::Step(Calls::Settled))
            }
            (Located::Unknown, None) => return fail(self.in_doubt.clone()),
            (Located::Absent(_) | Located::Repeat(_) | Located::Unknown, Some(ends_at)) => {
                Action::End(End::Waits(ends_at))
            }
        };
        // The network has answered, so this attempt has failed; the next looks again.
        match fault {
            Some(fault) => {
                self.stage = Stage::Ended;
                fail(for_now(fault))
            }
            None => then,
        }
    }

    /// Exchanges credentials that the network refuses, once; every other failure is the end.
    fn mend(&mut self, error: NetworkError, turn: Turn) -> Action {
        if self.token.can_mend(&error) { self.refresh(Need::Now, turn) } else { fail(error) }
    }

    /// No call is open any more unless one may still have been done.
    fn close_unless(&mut self, is_open: bool) {
        self.progress.open = self.progress.open.filter(|_| is_open);
    }

    /// Nothing of the step up to `state` is open any more.
    fn done(&mut self, state: Value) {
        self.progress = Progress::new(state, self.progress.begun_at);
    }
}

fn fail(error: NetworkError) -> Action {
    Action::End(End::Failed(error))
}

/// True when storing that the call begins took so long that it would outlast its lease, or when
/// what a look has allowed is past: as in a process that was stopped meanwhile.
fn has_waited(calls: Calls, since: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    let since = match calls {
        Calls::Answered | Calls::Settled => since,
        Calls::Repeatable { looked_at } => looked_at.min(since),
    };
    now - since > HELD_WITHIN
}

impl Stage {
    const fn name(&self) -> &'static str {
        match self {
            Self::Refreshing { .. } => "refreshing",
            Self::Looking { .. } => "looking",
            Self::Preparing(_) => "preparing",
            Self::Storing { .. } => "storing",
            Self::Stepping { .. } => "stepping",
            Self::Ended => "ended",
        }
    }
}

impl Event {
    const fn name(&self) -> &'static str {
        match self {
            Self::Refreshed(_) => "refreshed",
            Self::Looked { .. } => "looked",
            Self::Prepared { .. } => "prepared",
            Self::Stored { .. } => "stored",
            Self::Lost => "lost",
            Self::Stepped(_) => "stepped",
        }
    }
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "machine_walk_tests.rs"]
mod walk_tests;
