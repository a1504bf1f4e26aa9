//! What a tool declares, once.

use futures_util::future::BoxFuture;
use rmcp::model::{Tool, ToolAnnotations};
use scheduler_core::key::{Confirmation, Scope, Scopes};
use serde_json::Value;

use crate::arguments::Arguments;
use crate::confirm::Question;
use crate::failure::Failure;
use crate::schema::{Shape, text};
use crate::work::Work;

/// One tool.
pub(crate) struct Definition {
    /// What a client calls.
    pub(crate) name: &'static str,
    /// What a person reads.
    pub(crate) title: &'static str,
    /// What a model reads.
    pub(crate) description: &'static str,
    /// What it does to the world.
    pub(crate) hints: Hints,
    /// The scopes that a key has to have; it is not listed for others.
    pub(crate) scopes: &'static [Scope],
    /// True when it takes an idempotency key: whatever changes something does.
    pub(crate) is_repeatable: bool,
    /// What it takes, but for the idempotency key.
    pub(crate) input: fn() -> Shape,
    /// What it gives.
    pub(crate) output: fn() -> Shape,
    /// Does it.
    pub(crate) run: Run,
}

/// Does what a tool is asked.
pub(crate) type Run =
    for<'a> fn(&'a Work<'a>, Arguments) -> BoxFuture<'a, Result<Outcome, Failure>>;

/// What came of a call.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It is done, and this is what there is now.
    Done(Value),
    /// Nothing is done: the person has to be asked, or the call has to come again with their confirmation.
    Waits(Value),
    /// Nothing is done: the client asks the person, and calls again.
    Ask(Question),
}

/// What a tool does to the world, as the protocol defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hints {
    /// It changes nothing.
    pub(crate) reads: bool,
    /// It may undo or replace something.
    pub(crate) destroys: bool,
    /// The same call again does nothing more.
    pub(crate) repeats: bool,
    /// It reaches others than this server.
    pub(crate) reaches_out: bool,
}

impl Hints {
    /// Reads what the server has.
    pub(crate) const READS: Self =
        Self { reads: true, destroys: false, repeats: true, reaches_out: false };
    /// Reads what a network has.
    pub(crate) const READS_NETWORK: Self = Self { reaches_out: true, ..Self::READS };
    /// Adds something to the server.
    pub(crate) const ADDS: Self =
        Self { reads: false, destroys: false, repeats: true, reaches_out: false };
    /// Changes or removes something on the server.
    pub(crate) const CHANGES: Self = Self { destroys: true, ..Self::ADDS };
    /// Adds something that comes from elsewhere.
    pub(crate) const FETCHES: Self = Self { reaches_out: true, ..Self::ADDS };
    /// Does something at a network that others see.
    pub(crate) const GOES_OUT: Self = Self { reaches_out: true, ..Self::CHANGES };
}

impl Definition {
    /// True when a caller with these scopes may call it.
    pub(crate) fn is_for(&self, scopes: Scopes) -> bool {
        self.scopes.iter().all(|scope| scopes.allows(*scope))
    }

    /// True when it changes something, and nothing goes out: only a key that wants each change
    /// confirmed asks the person.
    pub(crate) fn changes_quietly(&self) -> bool {
        self.is_repeatable && self.hints != Hints::GOES_OUT
    }

    /// What the protocol lists of it for a caller whose person has to confirm such calls.
    pub(crate) fn listed(&self, confirmation: Confirmation) -> Tool {
        let (mut input, mut output) = ((self.input)(), (self.output)());
        if confirmation == Confirmation::Always && self.changes_quietly() {
            input = input.with("confirm", text());
            // The first call is answered with what is to be confirmed.
            output = output.optional();
        }
        if self.is_repeatable {
            input = input.needs("idempotencyKey", text());
        }
        let Hints { reads, destroys, repeats, reaches_out } = self.hints;
        let hints = ToolAnnotations::new();
        let hints = hints.read_only(reads).destructive(destroys);
        Tool::new(self.name, self.description, input.done())
            .with_title(self.title)
            .with_raw_output_schema(output.done())
            .with_annotations(hints.idempotent(repeats).open_world(reaches_out))
    }
}
