//! Steps of a publish as exchanges of values.

use scheduler_core::ports::{NetworkError, PublishJob, Step};
use serde_json::Value;

use crate::conversation::{Answer, Conversation, Turn, shown};

/// Takes one step with these answers; gives what it asked and how it ended.
pub(crate) fn take_step<C: Conversation>(
    conversation: &C,
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> (Vec<Value>, Result<Step, NetworkError>) {
    let mut asked = Vec::new();
    loop {
        match conversation.advance(job, progress, &answers[..asked.len()]) {
            Ok(Turn::Send(request)) => asked.push(shown(&request)),
            Ok(Turn::Done(step)) => return (asked, Ok(step)),
            Err(error) => return (asked, Err(error)),
        }
    }
}

/// The progress with which a publish goes on after a step.
pub(crate) fn next(step: Result<Step, NetworkError>) -> Value {
    match step {
        Ok(Step::Next(progress) | Step::Wait { progress, .. }) => progress,
        other => panic!("not a next step: {other:?}"),
    }
}

/// The progress with which the next attempt begins after one that has failed, and why it has.
pub(crate) fn failed(step: Result<Step, NetworkError>) -> (Value, NetworkError) {
    match step {
        Ok(Step::Failed { progress, error }) => (progress, error),
        other => panic!("no failed attempt: {other:?}"),
    }
}
