//! JPEG.

use std::io::{Read, Seek};

use scheduler_core::rules::MediaKind;

use super::tiff::{self, Directory};
use crate::measured::Pixels;
use crate::source::Source;
use crate::{MeasureError, Measured};

/// Measures a JPEG by its segments up to the first scan.
///
/// Source: ITU-T T.81, annex B; Exif 2.32, 4.5.4 (APP1) for the orientation.
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn measure<R: Read + Seek>(source: &mut Source<R>) -> Result<Measured, MeasureError> {
    let mut at = 2;
    let mut pixels = None;
    let mut directory = None;
    loop {
        if source.byte(at)? != 0xff {
            return Err(MeasureError::Damaged("a segment does not begin where it should"));
        }
        at += 1;
        let marker = source.byte(at)?;
        match marker {
            // Fill bytes before a marker.
            0xff => continue,
            // Markers without a segment.
            0x01 | 0xd0..=0xd8 => {
                at += 1;
                continue;
            }
            0xd9 => return Err(MeasureError::Damaged("it ends before its picture begins")),
            _ => {}
        }
        at += 1;
        let length = u64::from(source.u16_be(at)?);
        if length < 2 {
            return Err(MeasureError::Damaged("a segment is shorter than its own header"));
        }
        match marker {
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) && pixels.is_none() => {
                let height = source.u16_be(at + 3)?;
                let width = source.u16_be(at + 5)?;
                pixels = Some(Pixels::new(width.into(), height.into()));
            }
            0xe1 if directory.is_none() && length > 8 && source.bytes(at + 2)? == *b"Exif\0\0" => {
                directory = tiff::embedded(source, at + 8, at + length)?;
            }
            0xda => break,
            _ => {}
        }
        at += length;
    }
    // The scan itself must have begun.
    let header = u64::from(source.u16_be(at)?);
    source.byte(at + header)?;
    let pixels = pixels.ok_or(MeasureError::Damaged("it does not tell its size"))?;
    let is_turned = directory.as_ref().is_some_and(Directory::is_turned);
    let measured = Measured::new(MediaKind::Image, "image/jpeg", source.length());
    measured.of_frames(Some(1)).sized(pixels.turned(is_turned))
}
