//! Pictures as pixels: decoded within bounds, made smaller, written as WebP.
//!
//! Everything here works on bytes in memory and holds the thread that calls it.

mod colours;
mod edit;
mod fit;
mod jpeg_scans;
mod metered;
mod strip;

use std::io::Cursor;

use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::{PREVIEW_SIDE, PictureError};
use crate::MeasureError;
use crate::image as header;
use crate::source::Source;
use metered::Metered;

/// A decoder.
pub(crate) type Format = ImageFormat;

pub(crate) use edit::edit;
pub(crate) use fit::fit;

/// How well a preview is kept, of 100. Ours: artefacts are not seen at this size.
const PREVIEW_QUALITY: f32 = 80.0;

/// The longest side that is scaled by the good filter, in pixels.
const FILTERED_SIDE_MAX: u32 = 1_024;

/// What was decoded.
pub(crate) struct Picture {
    pub(crate) pixels: DynamicImage,
    /// How it has to be turned before it is shown.
    pub(crate) orientation: Orientation,
    /// What its colours mean, where it says so.
    pub(crate) colour_profile: Option<Vec<u8>>,
}

/// Why a type has no decoder.
pub(crate) const UNDECODED: PictureError = PictureError::Unsupported;

/// The decoder of a type; `None` for types that are not decoded here.
pub(crate) fn format(media_type: &str) -> Option<ImageFormat> {
    match media_type {
        "image/jpeg" => Some(ImageFormat::Jpeg),
        "image/png" => Some(ImageFormat::Png),
        "image/gif" => Some(ImageFormat::Gif),
        "image/webp" => Some(ImageFormat::WebP),
        "image/bmp" => Some(ImageFormat::Bmp),
        "image/tiff" => Some(ImageFormat::Tiff),
        _ => None,
    }
}

/// Makes a preview: a WebP of at most [`PREVIEW_SIDE`] pixels a side, upright, of the first
/// picture of an animation.
///
/// Decoding takes at most `memory` bytes, beside the file itself.
///
/// # Errors
/// [`PictureError`] by variant.
pub fn preview(file: &[u8], media_type: &str, memory: u64) -> Result<Vec<u8>, PictureError> {
    let format = format(media_type).ok_or(PictureError::Unsupported)?;
    let picture = decode(file, format, memory)?;
    let mut small = smaller(picture.pixels, PREVIEW_SIDE);
    small.apply_orientation(picture.orientation);
    let (small, _) = colours::in_srgb(small, picture.colour_profile);
    webp(&small, PREVIEW_QUALITY)
}

/// Decodes the first picture of a file.
///
/// # Errors
/// [`PictureError`] by variant.
pub(crate) fn decode(
    file: &[u8],
    format: ImageFormat,
    memory: u64,
) -> Result<Picture, PictureError> {
    let (bytes_a_pixel, bytes_read_max) = match format {
        ImageFormat::Jpeg => {
            jpeg_scans::check(file)?;
            (header::jpeg::coefficient_bytes_a_pixel(&mut source(file)).map_err(unread)?, u64::MAX)
        }
        ImageFormat::Tiff => {
            if !header::tiff::has_bounded_pixels(&mut source(file)).map_err(unread)? {
                return Err(PictureError::Unsupported);
            }
            (0, tiff_bytes_read_max(file)?)
        }
        _ => (0, u64::MAX),
    };
    let mut limits = Limits::default();
    limits.max_alloc = Some(memory);
    let mut reader = ImageReader::with_format(Metered::new(file, bytes_read_max), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder().map_err(|error| damaged(&error, memory))?;
    let (width, height) = decoder.dimensions();
    let beside = (u64::from(width) * u64::from(height)).saturating_mul(bytes_a_pixel);
    let needed = decoder.total_bytes().saturating_add(beside);
    if needed > memory {
        return Err(PictureError::TooLarge { needed, allowed: memory });
    }
    limits.max_alloc = Some(memory - needed);
    decoder.set_limits(limits).map_err(|error| damaged(&error, memory))?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let colour_profile = decoder.icc_profile().ok().flatten();
    let pixels = DynamicImage::from_decoder(decoder).map_err(|error| damaged(&error, memory))?;
    Ok(Picture { pixels, orientation, colour_profile })
}

/// Bytes that are read of a TIFF at most.
///
/// Ours. Nothing but its parts is read, once; of each as much again may be read ahead as a buffer
/// of the decoder holds (32 KiB), and there are at most four parts a row.
fn tiff_bytes_read_max(file: &[u8]) -> Result<u64, PictureError> {
    const READ_AHEAD_A_ROW: u64 = 4 * 32 * 1024;
    const READ_MAX: u64 = 2 * 1024 * 1024 * 1024;
    let length = length(file);
    let measured = header::tiff::measure(&mut source(file)).map_err(unread)?;
    let rows = u64::from(measured.height.unwrap_or(0).max(measured.width.unwrap_or(0)));
    let ahead = rows.saturating_mul(READ_AHEAD_A_ROW);
    Ok(length.saturating_mul(4).saturating_add(ahead).min(READ_MAX))
}

fn source(file: &[u8]) -> Source<Cursor<&[u8]>> {
    Source::new(Cursor::new(file), length(file))
}

fn length(file: &[u8]) -> u64 {
    u64::try_from(file.len()).unwrap_or(u64::MAX)
}

fn unread(error: MeasureError) -> PictureError {
    match error {
        MeasureError::CutOff | MeasureError::Empty => PictureError::CutOff,
        MeasureError::Damaged(reason) => PictureError::Damaged(reason.to_owned()),
        MeasureError::NotMedia(_) | MeasureError::Endless | MeasureError::Unreadable(_) => {
            PictureError::Damaged("its headers cannot be read".to_owned())
        }
    }
}

/// The picture with its longest side at most so long; never larger than it is.
pub(crate) fn smaller(picture: DynamicImage, longest_side: u32) -> DynamicImage {
    let longest = picture.width().max(picture.height());
    if longest <= longest_side {
        return picture;
    }
    let scaled = |side: u32| {
        let exact = u64::from(side) * u64::from(longest_side);
        let rounded = (exact + u64::from(longest) / 2) / u64::from(longest);
        u32::try_from(rounded).unwrap_or(longest_side).max(1)
    };
    let (width, height) = (scaled(picture.width()), scaled(picture.height()));
    // The good filter takes 16 bytes a pixel, the quick one only those of its result.
    if longest_side > FILTERED_SIDE_MAX {
        return picture.thumbnail_exact(width, height);
    }
    let picture = if longest / 2 > longest_side {
        picture.thumbnail_exact(width * 2, height * 2)
    } else {
        picture
    };
    picture.resize_exact(width, height, FilterType::CatmullRom)
}

/// Writes a WebP with losses, with its transparency.
///
/// # Errors
/// [`PictureError::Damaged`] for what the encoder cannot take.
pub(crate) fn webp(picture: &DynamicImage, quality: f32) -> Result<Vec<u8>, PictureError> {
    let (width, height) = (picture.width(), picture.height());
    let encoded = if picture.color().has_alpha() {
        let pixels = picture.to_rgba8();
        webp::Encoder::from_rgba(&pixels, width, height).encode_simple(false, quality)
    } else {
        let pixels = picture.to_rgb8();
        webp::Encoder::from_rgb(&pixels, width, height).encode_simple(false, quality)
    };
    match encoded {
        Ok(bytes) => Ok(bytes.to_vec()),
        Err(error) => {
            Err(PictureError::Damaged(format!("it cannot be written as WebP: {error:?}")))
        }
    }
}

fn damaged(error: &image::ImageError, memory: u64) -> PictureError {
    match error {
        image::ImageError::Limits(_) => {
            PictureError::TooLarge { needed: memory.saturating_add(1), allowed: memory }
        }
        image::ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            PictureError::CutOff
        }
        image::ImageError::Unsupported(_) => PictureError::Unsupported,
        image::ImageError::Decoding(_)
        | image::ImageError::Encoding(_)
        | image::ImageError::Parameter(_)
        | image::ImageError::IoError(_) => PictureError::Damaged(error.to_string()),
    }
}
