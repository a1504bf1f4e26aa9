//! TIFF, and the directory of the same form in which other formats keep their orientation.

use std::io::{Read, Seek};

use scheduler_core::media::MediaKind;

use crate::measured::Pixels;
use crate::source::{Source, within_bounds};
use crate::{MeasureError, Measured};

/// Entries of a directory that are read at most. Ours: real ones have a few dozen.
const ENTRIES_MAX: u16 = 4_096;

/// The tag of how pixels are stored.
const COMPRESSION: u16 = 0x0103;

/// The first directory of a TIFF, as far as it matters here.
///
/// Source: TIFF 6.0, sections 2 (structure) and 8 (baseline fields).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Directory {
    width: Option<u32>,
    height: Option<u32>,
    orientation: Option<u32>,
    /// Whether its pixels are stored in one way, which is bounded by the size of the picture.
    has_bounded_pixels: bool,
}

/// Ways of storing pixels that take no more memory than the picture has pixels: none, LZW, both
/// of deflate, and run lengths.
///
/// A picture may also be made of JPEGs, each with a size of its own.
///
/// Source: TIFF 6.0, Compression; TIFF Specification Supplement 2, Deflate.
const BOUNDED_COMPRESSIONS: [u32; 5] = [1, 5, 8, 32_773, 32_946];

impl Directory {
    /// Whether the picture is shown after a quarter turn.
    pub(crate) fn is_turned(&self) -> bool {
        // Source: TIFF 6.0, Orientation: from 5 on, rows are shown as columns.
        matches!(self.orientation, Some(5..=8))
    }
}

/// Whether decoding the first picture takes no more memory than its size says.
///
/// # Errors
/// [`MeasureError`] by variant.
#[cfg_attr(not(feature = "pictures"), expect(dead_code, reason = "asked before decoding"))]
pub(crate) fn has_bounded_pixels<R: Read + Seek>(
    source: &mut Source<R>,
) -> Result<bool, MeasureError> {
    Ok(read(source, 0, source.length())?.has_bounded_pixels)
}

/// Measures a TIFF by its first picture.
///
/// # Errors
/// [`MeasureError`] by variant.
pub(crate) fn measure<R: Read + Seek>(source: &mut Source<R>) -> Result<Measured, MeasureError> {
    let directory = read(source, 0, source.length())?;
    let (Some(width), Some(height)) = (directory.width, directory.height) else {
        return Err(MeasureError::Damaged("it does not tell its size"));
    };
    let measured = Measured::new(MediaKind::Image, "image/tiff", source.length());
    measured.sized(Pixels::new(width, height).turned(directory.is_turned()))
}

/// Reads a directory that another format carries; `None` when it makes no sense, which stops no
/// program from showing the picture.
///
/// # Errors
/// Those of the system.
pub(crate) fn embedded<R: Read + Seek>(
    source: &mut Source<R>,
    start: u64,
    end: u64,
) -> Result<Option<Directory>, MeasureError> {
    match within_bounds(read(source, start, end)) {
        Ok(directory) => Ok(directory),
        Err(MeasureError::Unreadable(error)) => Err(MeasureError::Unreadable(error)),
        Err(_) => Ok(None),
    }
}

fn read<R: Read + Seek>(
    source: &mut Source<R>,
    start: u64,
    end: u64,
) -> Result<Directory, MeasureError> {
    let is_little = match source.bytes(start)? {
        [b'I', b'I', 42, 0] => true,
        [b'M', b'M', 0, 42] => false,
        _ => return Err(MeasureError::Damaged("its directory has no beginning")),
    };
    let u16_of =
        |bytes| if is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) };
    let u32_of =
        |bytes| if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
    let first = start + u64::from(u32_of(source.bytes(start + 4)?));
    if first < start + 8 {
        return Err(MeasureError::Damaged("its directory lies where it cannot"));
    }
    let count = u16_of(source.bytes(first)?);
    let mut compressions = Vec::new();
    let mut directory = Directory::default();
    for index in 0..count.min(ENTRIES_MAX) {
        let at = first + 2 + u64::from(index) * 12;
        if at + 12 > end {
            return Err(MeasureError::CutOff);
        }
        let [t0, t1, k0, k1, _, _, _, _, v0, v1, v2, v3] = source.bytes(at)?;
        // Source: TIFF 6.0, section 2: a number that is shorter than its place comes first in it.
        let tag = u16_of([t0, t1]);
        let value = match u16_of([k0, k1]) {
            1 => u32::from(v0),
            3 => u32::from(u16_of([v0, v1])),
            4 => u32_of([v0, v1, v2, v3]),
            _ if tag == COMPRESSION => u32::MAX,
            _ => continue,
        };
        match tag {
            0x0100 => directory.width = Some(value),
            0x0101 => directory.height = Some(value),
            0x0112 => directory.orientation = Some(value),
            COMPRESSION => compressions.push(value),
            _ => {}
        }
    }
    directory.has_bounded_pixels = count <= ENTRIES_MAX
        && match compressions.as_slice() {
            [] => true,
            [one] => BOUNDED_COMPRESSIONS.contains(one),
            _ => false,
        };
    Ok(directory)
}
