//! The rules of a social post scheduler, without any I/O.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod account;
pub mod app;
pub mod assistant;
pub mod connecting;
pub mod cursor;
pub mod engine;
pub mod error;
pub mod ids;
pub mod key;
pub mod media;
pub mod memory;
mod object;
pub mod plan;
pub mod platform;
pub mod ports;
pub mod post;
pub mod reading;
pub mod retry;
pub mod rules;
pub mod signing;
pub mod target;
pub mod text;
pub mod timing;
pub mod webhook;
pub mod workspace;
