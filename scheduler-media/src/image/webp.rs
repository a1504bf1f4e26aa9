//! WebP.

use std::io::{Read, Seek};

use scheduler_core::rules::MediaKind;

use super::tiff::{self, Directory};
use crate::measured::{FRAMES_COUNTED_MAX, Pixels};
use crate::source::{Source, within_bounds};
use crate::{MeasureError, Measured};

/// Measures a WebP, and counts its pictures.
///
/// Source: <https://developers.google.com/speed/webp/docs/riff_container>; RFC 6386, 9.1, for the
/// header of a lossy picture; the specification of lossless bitstreams, section 3, for the other.
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn measure<R: Read + Seek>(source: &mut Source<R>) -> Result<Measured, MeasureError> {
    // A last byte that only makes the length even may be missing.
    let end = u64::from(source.u32_le(4)?) + 8;
    if end > source.length() + 1 {
        return Err(MeasureError::CutOff);
    }
    let measured = Measured::new(MediaKind::Image, "image/webp", source.length());
    match &source.bytes(12)? {
        b"VP8 " => {
            if source.bytes(23)? != *b"\x9d\x01\x2a" {
                return Err(MeasureError::Damaged("its picture has no beginning"));
            }
            // The two highest bits are a hint to enlarge it.
            let side = |bytes| u32::from(u16::from_le_bytes(bytes) & 0x3fff);
            let pixels = Pixels::new(side(source.bytes(26)?), side(source.bytes(28)?));
            measured.of_frames(Some(1)).sized(pixels)
        }
        b"VP8L" => {
            if source.byte(20)? != 0x2f {
                return Err(MeasureError::Damaged("its picture has no beginning"));
            }
            let bits = source.u32_le(21)?;
            let pixels = Pixels::new((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1);
            measured.of_frames(Some(1)).sized(pixels)
        }
        b"VP8X" => {
            let canvas = extended_canvas(source)?;
            let chunks = within_bounds(walk(source, end.min(source.length())))?;
            let frame_count = chunks.as_ref().map(|chunks| chunks.frames.max(1));
            let directory = chunks.and_then(|chunks| chunks.directory);
            let is_turned = directory.as_ref().is_some_and(Directory::is_turned);
            measured.of_frames(frame_count).sized(canvas.turned(is_turned))
        }
        _ => Err(MeasureError::Damaged("it does not begin with a picture")),
    }
}

fn extended_canvas<R: Read + Seek>(source: &mut Source<R>) -> Result<Pixels, MeasureError> {
    let [w0, w1, w2, h0, h1, h2] = source.bytes(24)?;
    let side = |bytes| u32::from_le_bytes(bytes) + 1;
    Ok(Pixels::new(side([w0, w1, w2, 0]), side([h0, h1, h2, 0])))
}

#[derive(Default)]
struct Chunks {
    frames: u32,
    directory: Option<Directory>,
}

fn walk<R: Read + Seek>(source: &mut Source<R>, end: u64) -> Result<Chunks, MeasureError> {
    let mut found = Chunks::default();
    let mut at = 12;
    while at + 8 <= end && found.frames < FRAMES_COUNTED_MAX {
        let length = u64::from(source.u32_le(at + 4)?);
        let data = at + 8;
        match &source.bytes(at)? {
            b"ANMF" => found.frames += 1,
            b"EXIF" => {
                // Some programs write the sign of a JPEG segment before it.
                let has_sign = length >= 6 && source.bytes(data)? == *b"Exif\0\0";
                let start = if has_sign { data + 6 } else { data };
                found.directory = tiff::embedded(source, start, data + length)?;
            }
            _ => {}
        }
        // Chunks begin at even places.
        at = data + length + length % 2;
    }
    Ok(found)
}
