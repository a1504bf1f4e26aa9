//! The rules of a social post scheduler, without any I/O.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod platform;
pub mod rules;
pub mod text;
