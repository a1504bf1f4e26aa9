//! Smaller pictures: previews, and those that fit a network.
//!
//! `pixels` makes them. Without the feature `pictures`, `absent` stands in its place: no type is
//! decoded, so there are no previews, and what is too large for a network is refused.

#[cfg_attr(not(feature = "pictures"), path = "absent.rs")]
mod pixels;

pub use pixels::preview;
pub(crate) use pixels::{Format, UNDECODED, edit, fit, format};

/// The longest side of a preview, in pixels.
///
/// Source: our decision on previews.
pub const PREVIEW_SIDE: u32 = 512;

/// A picture that fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fitted {
    pub(crate) bytes: Vec<u8>,
    pub(crate) media_type: &'static str,
}

/// Why no smaller picture can be made of a file, as the end of a sentence that begins with its
/// name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    /// It cannot be decoded.
    #[error("is damaged: {0}")]
    Damaged(String),
    /// It ends before its last pixel.
    #[error("is cut off: it ends before its picture does")]
    CutOff,
    /// Its pixels take more memory than is given to them; both in bytes.
    #[error("has too many pixels: they take {needed} bytes, and {allowed} are allowed")]
    TooLarge {
        /// What they would take.
        needed: u64,
        /// What they may take.
        allowed: u64,
    },
    /// Nothing that is small enough can be made of it.
    #[error("cannot be made as small as {bytes_max} bytes")]
    Unfit {
        /// What is small enough, in bytes.
        bytes_max: u64,
    },
    /// A part of it was asked for that lies outside.
    #[error("does not hold the part that was to be cut out of it")]
    Outside,
    /// `ffmpeg` reads nothing of it.
    #[error("cannot be read by the ffmpeg of this server")]
    UnreadByFfmpeg,
    /// `ffmpeg` reads another size than the file says.
    #[error("is read in part by the ffmpeg of this server; install a newer one, or upload a JPEG")]
    ReadInPart,
    /// Another type than those that are decoded here.
    #[error("is of a type that is not decoded here")]
    Unsupported,
    /// This build decodes none.
    #[error(
        "cannot be made to fit: this build decodes no pictures, which its feature `media` adds"
    )]
    NotBuilt,
}
