//! The built command from outside: exit codes, output, and where settings come from.
#![expect(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

mod application;
mod approving;
mod attaching;
mod checking;
mod doctor;
mod files;
mod gate;
mod media;
mod output;
mod posting;
mod precedence;
mod rules;
mod running;
mod serving;
mod taking;
mod uploading;
mod usage;
