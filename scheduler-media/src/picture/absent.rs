//! A build that decodes no pictures.

use scheduler_core::media::{Edit, Recipe};

use super::{Fitted, PictureError};

/// Why a type has no decoder.
pub(crate) const UNDECODED: PictureError = PictureError::NotBuilt;

/// A decoder, of which there is none.
pub(crate) enum Format {}

/// The decoder of a type: none.
pub(crate) fn format(_: &str) -> Option<Format> {
    None
}

/// Makes no preview.
///
/// # Errors
/// [`PictureError::NotBuilt`]
pub fn preview(_: &[u8], _: &str, _: u64) -> Result<Vec<u8>, PictureError> {
    Err(PictureError::NotBuilt)
}

/// Is never called, since it takes a decoder.
pub(crate) fn edit(
    _: &[u8],
    _: &str,
    format: Format,
    _: &Edit,
    _: u64,
) -> Result<Fitted, PictureError> {
    match format {}
}

/// Is never called, since it takes a decoder.
pub(crate) fn fit(
    _: &[u8],
    _: &'static str,
    format: Format,
    _: &Recipe,
    _: u64,
) -> Result<Fitted, PictureError> {
    match format {}
}
