//! The use cases and the engine over a store in memory, one file a use case.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test")]

mod accounts;
mod check;
mod create;
mod delete;
mod fakes;
mod move_target;
mod publish;
mod retry;
mod states;
mod support;
mod update;
