//! GIF.

use std::io::{Read, Seek};

use scheduler_core::rules::MediaKind;

use crate::measured::{FRAMES_COUNTED_MAX, Pixels};
use crate::source::{Source, within_bounds};
use crate::{MeasureError, Measured};

/// Measures a GIF, and counts its pictures by passing over their data.
///
/// Source: <https://www.w3.org/Graphics/GIF/spec-gif89a.txt>.
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn measure<R: Read + Seek>(source: &mut Source<R>) -> Result<Measured, MeasureError> {
    let pixels = Pixels::new(source.u16_le(6)?.into(), source.u16_le(8)?.into());
    let frame_count = within_bounds(count_frames(source))?;
    let measured = Measured::new(MediaKind::Image, "image/gif", source.length());
    measured.of_frames(frame_count).sized(pixels)
}

fn count_frames<R: Read + Seek>(source: &mut Source<R>) -> Result<u32, MeasureError> {
    let mut at = 13 + colour_table_bytes(source.byte(10)?);
    let mut frames = 0;
    while frames < FRAMES_COUNTED_MAX {
        if at == source.length() && frames > 0 {
            // Some programs leave the last byte out, and every reader takes it.
            break;
        }
        match source.byte(at)? {
            // An extension: its label, then blocks of data.
            0x21 => at = end_of_blocks(source, at + 2)?,
            // A picture: place and size, its own colours, the size of a code, blocks of data.
            0x2c => {
                at += 10 + colour_table_bytes(source.byte(at + 9)?) + 1;
                at = end_of_blocks(source, at)?;
                frames += 1;
            }
            // The end, or what others have hung behind it.
            0x3b => break,
            _ if frames > 0 => break,
            _ => return Err(MeasureError::Damaged("it does not come to its first picture")),
        }
    }
    if frames == 0 {
        return Err(MeasureError::Damaged("it holds no picture"));
    }
    Ok(frames)
}

/// The size of the colour table that a byte of flags announces.
fn colour_table_bytes(flags: u8) -> u64 {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 0x07) + 1) }
}

fn end_of_blocks<R: Read + Seek>(source: &mut Source<R>, start: u64) -> Result<u64, MeasureError> {
    let mut at = start;
    loop {
        let length = u64::from(source.byte(at)?);
        at += 1 + length;
        if length == 0 {
            return Ok(at);
        }
    }
}
