//! What is known of a file after it was measured.

use scheduler_core::media::{MediaFacts, MediaKind, VideoCodec};

use crate::MeasureError;

/// Pictures of an animation that are counted at most; one with more is said to have this many.
///
/// Ours: far above any limit of a network.
pub const FRAMES_COUNTED_MAX: u32 = 100_000;

/// What a file's own bytes say of it; `None` is what they do not say, or what is not read of its
/// type.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Picture, film or document. An animation is a picture.
    pub kind: MediaKind,
    /// Its media type, such as `image/png`.
    pub mime_type: &'static str,
    /// Its size, in bytes.
    pub size_bytes: u64,
    /// Its width as it is shown, in pixels: after the rotation that the file asks for.
    pub width: Option<u32>,
    /// Its height as it is shown, in pixels.
    pub height: Option<u32>,
    /// The length of a film, in seconds.
    pub duration_seconds: Option<f64>,
    /// The mean frame rate of a film, in frames a second.
    pub fps: Option<f64>,
    /// How the pictures of a film are encoded.
    pub video_codec: Option<VideoCodec>,
    /// Its pictures: 1 for a still one. Those of an animation are counted to
    /// [`FRAMES_COUNTED_MAX`].
    pub frame_count: Option<u32>,
}

impl Measured {
    /// A file of which the type and the size in bytes are known.
    pub(crate) const fn new(kind: MediaKind, mime_type: &'static str, size_bytes: u64) -> Self {
        Self {
            kind,
            mime_type,
            size_bytes,
            width: None,
            height: None,
            duration_seconds: None,
            fps: None,
            video_codec: None,
            frame_count: None,
        }
    }

    /// Sets the size in pixels.
    ///
    /// # Errors
    /// [`MeasureError::Damaged`] when it has no pixel.
    pub(crate) fn sized(self, pixels: Pixels) -> Result<Self, MeasureError> {
        if pixels.width == 0 || pixels.height == 0 {
            return Err(MeasureError::Damaged("its width or height is 0"));
        }
        Ok(Self { width: Some(pixels.width), height: Some(pixels.height), ..self })
    }

    /// Sets the number of pictures.
    pub(crate) const fn of_frames(self, frame_count: Option<u32>) -> Self {
        Self { frame_count, ..self }
    }

    /// What the publishing rules read of it, as a file that can be sent.
    #[must_use]
    pub fn facts(&self) -> MediaFacts {
        MediaFacts {
            kind: self.kind,
            ready: true,
            failure: None,
            mime_type: Some(self.mime_type.to_owned()),
            size_bytes: Some(self.size_bytes),
            duration_seconds: self.duration_seconds,
            fps: self.fps,
            width: self.width,
            height: self.height,
            video_codec: self.video_codec,
            frame_count: self.frame_count,
        }
    }
}

/// A size in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pixels {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Pixels {
    pub(crate) const fn new(width: u32, height: u32) -> Self {
        Self { width, height }
    }

    /// The same picture after a quarter turn, if it is to be turned.
    pub(crate) const fn turned(self, is_turned: bool) -> Self {
        if is_turned { Self { width: self.height, height: self.width } } else { self }
    }
}
