//! Films: one file a container, and what they share.

mod codec;
mod fragments;
pub(crate) mod matroska;
pub(crate) mod mp4;
mod rate;
mod track;
