//! JPEG.

use std::io::{Read, Seek};

use scheduler_core::media::MediaKind;

use super::tiff::{self, Directory};
use crate::measured::Pixels;
use crate::source::Source;
use crate::{MeasureError, Measured};

/// A segment: its marker, the place of its length, and its length with that.
struct Segment {
    marker: u8,
    at: u64,
    length: u64,
}

/// Segments one after the other, up to the first scan.
struct Segments {
    at: u64,
}

impl Segments {
    const fn new() -> Self {
        Self { at: 2 }
    }

    /// Reads the next one.
    ///
    /// # Errors
    /// [`MeasureError`] by variant; there is always another one, until there is a scan.
    fn next<R: Read + Seek>(&mut self, source: &mut Source<R>) -> Result<Segment, MeasureError> {
        loop {
            if source.byte(self.at)? != 0xff {
                return Err(MeasureError::Damaged("a segment does not begin where it should"));
            }
            self.at += 1;
            let marker = source.byte(self.at)?;
            match marker {
                // Fill bytes before a marker.
                0xff => continue,
                // Markers without a segment.
                0x01 | 0xd0..=0xd8 => {
                    self.at += 1;
                    continue;
                }
                0xd9 => return Err(MeasureError::Damaged("it ends before its picture begins")),
                _ => {}
            }
            let at = self.at + 1;
            let length = u64::from(source.u16_be(at)?);
            if length < 2 {
                return Err(MeasureError::Damaged("a segment is shorter than its own header"));
            }
            self.at = at + length;
            return Ok(Segment { marker, at, length });
        }
    }
}

/// Whether a segment begins a frame, which tells the size.
const fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
}

/// Measures a JPEG by its segments up to the first scan.
///
/// Source: ITU-T T.81, annex B; Exif 2.32, 4.5.4 (APP1) for the orientation.
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn measure<R: Read + Seek>(source: &mut Source<R>) -> Result<Measured, MeasureError> {
    let mut pixels = None;
    let mut directory = None;
    let mut segments = Segments::new();
    let scan = loop {
        let Segment { marker, at, length } = segments.next(source)?;
        match marker {
            _ if is_frame(marker) && pixels.is_none() => {
                let height = source.u16_be(at + 3)?;
                let width = source.u16_be(at + 5)?;
                pixels = Some(Pixels::new(width.into(), height.into()));
            }
            0xe1 if directory.is_none() && length > 8 && source.bytes(at + 2)? == *b"Exif\0\0" => {
                directory = tiff::embedded(source, at + 8, at + length)?;
            }
            0xda => break at + length,
            _ => {}
        }
    };
    // The scan itself must have begun.
    source.byte(scan)?;
    let pixels = pixels.ok_or(MeasureError::Damaged("it does not tell its size"))?;
    let is_turned = directory.as_ref().is_some_and(Directory::is_turned);
    let measured = Measured::new(MediaKind::Image, "image/jpeg", source.length());
    measured.of_frames(Some(1)).sized(pixels.turned(is_turned))
}

/// Bytes that a decoder takes for each pixel beside the pixel itself.
///
/// None where one scan holds all colours. Else the coefficients of the whole picture, of two bytes
/// each, are kept until the last scan.
///
/// Source: ITU-T T.81, B.2.2 and B.2.3.
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn coefficient_bytes_a_pixel<R: Read + Seek>(
    source: &mut Source<R>,
) -> Result<u64, MeasureError> {
    let mut segments = Segments::new();
    // The most that any frame says: which of several counts is up to the decoder.
    let (mut is_progressive, mut colours, mut bytes) = (false, 0, 0);
    loop {
        let Segment { marker, at, .. } = segments.next(source)?;
        if is_frame(marker) {
            is_progressive |= !matches!(marker, 0xc0 | 0xc1);
            let count = source.byte(at + 7)?;
            let (mut sum, mut across, mut down) = (0, 1, 1);
            for index in 0..u64::from(count) {
                let sampling = source.byte(at + 9 + 3 * index)?;
                let (h, v) = (u64::from(sampling >> 4), u64::from(sampling & 15));
                (sum, across, down) = (sum + h * v, h.max(across), v.max(down));
            }
            colours = count.max(colours);
            bytes = (2 * sum).div_ceil(across * down).max(bytes);
        } else if marker == 0xda {
            let is_whole = source.byte(at + 2)? >= colours;
            return Ok(if is_whole && !is_progressive { 0 } else { bytes });
        }
    }
}
