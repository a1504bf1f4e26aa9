//! One suite for every file store: in memory, in a folder, in a bucket of a real S3 server that
//! the suite starts on this machine.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod erasing;
mod folder;
mod links;
mod parts;
mod ranges;
mod s3;
mod stores;
mod whole;
