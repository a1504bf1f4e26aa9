//! PNG, still and animated.

use std::io::{Read, Seek};

use scheduler_core::rules::MediaKind;

use super::tiff::{self, Directory};
use crate::measured::{FRAMES_COUNTED_MAX, Pixels};
use crate::source::{Source, within_bounds};
use crate::{MeasureError, Measured};

/// Measures a PNG by its chunks.
///
/// An animated one stays `image/png`, which is how networks know it, with its number of pictures.
///
/// Source: <https://www.w3.org/TR/png-3/>, 5.3 (chunks), 11.2.1 (IHDR), 11.3.6.1 (acTL), 11.3.5.3
/// (eXIf).
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn measure<R: Read + Seek>(source: &mut Source<R>) -> Result<Measured, MeasureError> {
    if source.bytes(8)? != [0, 0, 0, 13, b'I', b'H', b'D', b'R'] {
        return Err(MeasureError::Damaged("it does not begin with its size"));
    }
    let pixels = Pixels::new(source.u32_be(16)?, source.u32_be(20)?);
    let mut chunks = Chunks::default();
    within_bounds(walk(source, &mut chunks))?;
    let measured = Measured::new(MediaKind::Image, "image/png", source.length());
    measured
        .of_frames(Some(chunks.frame_count.unwrap_or(1).clamp(1, FRAMES_COUNTED_MAX)))
        .sized(pixels.turned(chunks.directory.as_ref().is_some_and(Directory::is_turned)))
}

#[derive(Default)]
struct Chunks {
    frame_count: Option<u32>,
    directory: Option<Directory>,
}

fn walk<R: Read + Seek>(source: &mut Source<R>, found: &mut Chunks) -> Result<(), MeasureError> {
    let mut has_pixels = false;
    let mut at = 8;
    loop {
        let length = u64::from(source.u32_be(at)?);
        let name: [u8; 4] = source.bytes(at + 4)?;
        let data = at + 8;
        // Four bytes of checksum follow the data.
        at = data + length + 4;
        if at > source.length() {
            return Err(MeasureError::CutOff);
        }
        match &name {
            b"acTL" if !has_pixels && length >= 8 => {
                found.frame_count = Some(source.u32_be(data)?);
            }
            b"eXIf" => found.directory = tiff::embedded(source, data, data + length)?,
            b"IDAT" => has_pixels = true,
            b"IEND" if has_pixels => return Ok(()),
            b"IEND" => return Err(MeasureError::Damaged("it holds no pixels")),
            _ if name.iter().all(u8::is_ascii_alphabetic) => {}
            _ => return Err(MeasureError::Damaged("a part of it has no name")),
        }
    }
}
