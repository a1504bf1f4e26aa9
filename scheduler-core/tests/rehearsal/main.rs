//! Rehearsals of calendars: what is predicted, against shortages that are planted and against the
//! engine itself.
#![expect(clippy::unwrap_used, reason = "a test")]

mod against_engine;
#[path = "../simulation/chance.rs"]
mod chance;
mod network;
mod page;
mod planted;
mod random_calendars;
mod shortages;
mod unchanged;
mod waiting;
mod world;
