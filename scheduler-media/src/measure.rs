//! The one function that measures.

use std::io::{Read, Seek};

use crate::format::{self, Format};
use crate::source::Source;
use crate::{MeasureError, Measured, document, film, image};

/// Measures a picture, film or document of `length` bytes.
///
/// The position of the reader does not matter. Nothing but headers is read, in pieces of at most
/// 8 KiB, and of a document of several files the list of them, in one of 256 KiB.
///
/// # Errors
/// [`MeasureError`] by variant.
///
/// # Example
/// ```
/// use std::io::Cursor;
///
/// let mut bitmap = b"BM\x3a\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
/// bitmap.extend(640_i32.to_le_bytes());
/// bitmap.extend((-480_i32).to_le_bytes());
/// bitmap.resize(58, 0);
/// let measured = scheduler_media::measure(Cursor::new(&bitmap), 58)?;
/// assert_eq!(measured.mime_type, "image/bmp");
/// assert_eq!((measured.width, measured.height), (Some(640), Some(480)));
/// # Ok::<(), scheduler_media::MeasureError>(())
/// ```
pub fn measure(reader: impl Read + Seek, length: u64) -> Result<Measured, MeasureError> {
    if length == 0 {
        return Err(MeasureError::Empty);
    }
    // No system has longer ones; sums of places then stay within their type.
    let length = length.min(i64::MAX.unsigned_abs());
    let mut source = Source::new(reader, length);
    let head = source.head(format::HEAD_BYTES)?;
    match format::detect(&head)? {
        Format::Jpeg => image::jpeg::measure(&mut source),
        Format::Png => image::png::measure(&mut source),
        Format::Gif => image::gif::measure(&mut source),
        Format::Webp => image::webp::measure(&mut source),
        Format::Bmp => image::bmp::measure(&mut source),
        Format::Tiff => image::tiff::measure(&mut source),
        Format::Heif(mime_type) => image::heif::measure(&mut source, mime_type),
        Format::Mp4(mime_type) => film::mp4::measure(&mut source, mime_type),
        Format::Matroska(mime_type) => film::matroska::measure(&mut source, mime_type),
        Format::Zip(mime_type) => document::measure(&mut source, mime_type),
        Format::TypeOnly(kind, mime_type) => Ok(Measured::new(kind, mime_type, length)),
    }
}
