//! Windows bitmaps.

use std::io::{Read, Seek};

use scheduler_core::rules::MediaKind;

use crate::measured::Pixels;
use crate::source::Source;
use crate::{MeasureError, Measured};

/// Measures a bitmap.
///
/// Source: <https://learn.microsoft.com/windows/win32/gdi/bitmap-storage>. The header of OS/2
/// (12 bytes) has numbers of two bytes; a height below zero only says that the top row comes first.
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn measure<R: Read + Seek>(source: &mut Source<R>) -> Result<Measured, MeasureError> {
    let pixels_at = source.u32_le(10)?;
    let pixels = if source.u32_le(14)? == 12 {
        Pixels::new(source.u16_le(18)?.into(), source.u16_le(20)?.into())
    } else {
        let side = |bytes: [u8; 4]| i32::from_le_bytes(bytes).unsigned_abs();
        Pixels::new(side(source.bytes(18)?), side(source.bytes(22)?))
    };
    if u64::from(pixels_at) >= source.length() {
        return Err(MeasureError::CutOff);
    }
    let measured = Measured::new(MediaKind::Image, "image/bmp", source.length());
    measured.of_frames(Some(1)).sized(pixels)
}
