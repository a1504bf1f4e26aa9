//! What a file is, found from its bytes and never from its name, and what is made of it.
//!
//! [`measure`] reads the headers of a picture, film or document and tells its type, size, length,
//! frame rate and codec. It is written for files that want to do harm: whatever the bytes say, it
//! holds little of them in memory, reads at most [`BYTES_READ_MAX`] bytes, decodes no pixel and
//! always ends.
//!
//! [`MediaExaminer`] is the core's port of an examiner: it measures stored files, makes previews
//! ([`preview`]), and makes pictures fit what a network takes. Memory and time are bounded there
//! as well.
//!
//! What lives here: `source` (the only place that reads headers, with the bounds), `format` (what
//! type the first bytes speak of), `image`, `film` and `document` (one file a container), `picture`
//! (smaller files, without metadata; the feature `pictures`), `tools` (`ffprobe` and `ffmpeg`),
//! `confine` (what those may reach), `examiner` (stored files, and turns). What does not: whether a
//! network takes the file, which is the business of `scheduler_core::rules`, and where files are
//! kept. The command line calls [`measure`] for local files.
//!
//! # Adding a format
//!
//! A variant of `format::Format`, the bytes it begins with in `format::detect`, and a file with a
//! `measure` function that gets a `Source`. Everything is read through the source.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod atom;
mod confine;
mod document;
mod error;
mod examiner;
mod film;
mod format;
mod image;
mod measure;
mod measured;
mod picture;
mod source;
#[cfg(test)]
mod tests;
mod tools;

pub use confine::{Confinement, launch};
pub use error::MeasureError;
pub use examiner::{ExaminerSettings, MediaExaminer};
pub use measure::measure;
pub use measured::{FRAMES_COUNTED_MAX, Measured};
pub use picture::{PREVIEW_SIDE, PictureError, preview};
pub use source::BYTES_READ_MAX;
pub use tools::{Launcher, Tools};

/// What the fuzz targets reach beside the public functions.
#[cfg(feature = "fuzzing")]
pub mod fuzzing {
    use scheduler_core::platform::bluesky::IMAGE_RECIPE;

    /// Makes a picture fit Bluesky within so many bytes of memory; its bytes and their type.
    #[must_use]
    pub fn fit_for_bluesky(
        file: &[u8],
        media_type: &'static str,
        memory: u64,
    ) -> Option<(Vec<u8>, &'static str)> {
        let format = crate::picture::format(media_type)?;
        let fitted = crate::picture::fit(file, media_type, format, &IMAGE_RECIPE, memory).ok()?;
        Some((fitted.bytes, fitted.media_type))
    }
}
