//! Versions of a picture that a person asks for.

use image::ImageFormat;
use scheduler_core::media::{Edit, Recipe};

use super::colours::in_srgb;
use super::fit::{Writer, is_transparent};
use super::{decode, smaller};
use crate::picture::{Fitted, PictureError};

/// Turns a picture upright, crops it, makes it smaller and writes it, without metadata.
///
/// # Errors
/// [`PictureError`] by variant; [`PictureError::Outside`] for a rectangle that is not in it.
pub(crate) fn edit(
    file: &[u8],
    media_type: &str,
    format: ImageFormat,
    edit: &Edit,
    memory: u64,
) -> Result<Fitted, PictureError> {
    let picture = decode(file, format, memory)?;
    let mut pixels = picture.pixels;
    pixels.apply_orientation(picture.orientation);
    if let Some(crop) = edit.crop {
        let part = crop.of(pixels.width(), pixels.height()).ok_or(PictureError::Outside)?;
        pixels = pixels.crop_imm(part.x, part.y, part.width, part.height);
    }
    let longest = pixels.width().max(pixels.height());
    pixels = smaller(pixels, edit.max_side.unwrap_or(longest));
    let (pixels, profile) = in_srgb(pixels, picture.colour_profile);
    let is_lossless = matches!(media_type, "image/png" | "image/gif" | "image/bmp" | "image/tiff");
    let is_transparent = is_transparent(&pixels);
    let media_types: &'static [&'static str] = match edit.format {
        Some(format) => match format.media_type() {
            "image/png" => &["image/png"],
            _ => &["image/jpeg"],
        },
        None if is_lossless || is_transparent => &["image/png"],
        None => &["image/jpeg"],
    };
    let recipe = Recipe::jpeg("version", u32::MAX, u64::MAX).with_types(media_types);
    let writer = Writer { recipe: &recipe, is_lossless, is_transparent, profile };
    writer.write(&pixels)?.ok_or(PictureError::Unfit { bytes_max: u64::MAX })
}
