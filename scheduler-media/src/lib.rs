//! What a file is, found from its bytes and never from its name.
//!
//! [`measure`] reads the headers of a picture or film and tells its type, size, length, frame rate
//! and codec. It is written for files that want to do harm: whatever the bytes say, it holds a few
//! kilobytes, reads at most [`BYTES_READ_MAX`] bytes, decodes no pixel and always ends.
//!
//! What lives here: `source` (the only place that reads, with the bounds), `format` (what type the
//! first bytes speak of), `image` and `film` (one file a container). What does not: whether a
//! network takes the file, which is the business of `scheduler_core::rules`, and reading whole
//! files. The command line calls it for local files.
//!
//! # Adding a format
//!
//! A variant of `format::Format`, the bytes it begins with in `format::detect`, and a file with a
//! `measure` function that gets a `Source`. Everything is read through the source.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod atom;
mod error;
mod film;
mod format;
mod image;
mod measure;
mod measured;
mod source;
#[cfg(test)]
mod tests;

pub use error::MeasureError;
pub use measure::measure;
pub use measured::{FRAMES_COUNTED_MAX, Measured};
pub use source::BYTES_READ_MAX;
