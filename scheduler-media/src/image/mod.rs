//! Pictures: one file a container.

pub(crate) mod bmp;
pub(crate) mod gif;
pub(crate) mod heif;
pub(crate) mod jpeg;
pub(crate) mod png;
pub(crate) mod tiff;
pub(crate) mod webp;
