//! Making a picture fit what a network takes.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::metadata::Orientation;
use image::{DynamicImage, GenericImageView, ImageEncoder, ImageFormat};
use scheduler_core::media::Recipe;

use super::colours::in_srgb;
use super::{decode, smaller, strip, webp};
use crate::picture::{Fitted, PictureError};

/// Parts of the allowed longest side that are tried, in hundredths, the largest first.
const SIDES: [u32; 8] = [100, 85, 70, 55, 40, 30, 20, 10];

/// Qualities that are tried at each size, of 100.
const QUALITIES: [u8; 4] = [90, 82, 74, 66];

/// Makes a picture fit: as it is or without its metadata where that is enough, else turned
/// upright, scaled, and written again until it does.
///
/// # Errors
/// [`PictureError`] by variant; [`PictureError::Unfit`] when no size is small enough.
pub(crate) fn fit(
    file: &[u8],
    media_type: &'static str,
    format: ImageFormat,
    recipe: &Recipe,
    memory: u64,
) -> Result<Fitted, PictureError> {
    let picture = decode(file, format, memory)?;
    let (width, height) = (picture.pixels.width(), picture.pixels.height());
    let (longest, allowed) = (width.max(height), recipe.longest_side_of(width, height));
    if recipe.takes(media_type) && longest <= allowed {
        let whole = if !recipe.strips_metadata {
            Some(file.to_vec())
        } else if picture.orientation == Orientation::NoTransforms {
            strip::without_metadata(file, format)
        } else {
            None
        };
        if let Some(bytes) = whole.filter(|bytes| fits(bytes, recipe)) {
            return Ok(Fitted { bytes, media_type });
        }
    }
    let is_transparent = is_transparent(&picture.pixels);
    let mut pixels = smaller(picture.pixels, allowed.max(1));
    pixels.apply_orientation(picture.orientation);
    let (mut pixels, profile) = in_srgb(pixels, picture.colour_profile);
    let is_lossless = matches!(media_type, "image/png" | "image/gif" | "image/bmp");
    let writer = Writer { recipe, is_lossless, is_transparent, profile };
    for hundredths in SIDES {
        let side = u64::from(allowed) * u64::from(hundredths) / 100;
        pixels = smaller(pixels, u32::try_from(side).unwrap_or(u32::MAX).max(1));
        if let Some(fitted) = writer.write(&pixels)? {
            return Ok(fitted);
        }
    }
    Err(PictureError::Unfit { bytes_max: recipe.bytes_max })
}

fn fits(bytes: &[u8], recipe: &Recipe) -> bool {
    u64::try_from(bytes.len()).is_ok_and(|size| size <= recipe.bytes_max)
}

/// Writes a picture as a recipe takes it.
pub(super) struct Writer<'a> {
    pub(super) recipe: &'a Recipe,
    /// Whether it came without losses, and should stay so if there is room.
    pub(super) is_lossless: bool,
    pub(super) is_transparent: bool,
    /// What its colours mean, where they are not those of sRGB.
    pub(super) profile: Option<Vec<u8>>,
}

impl Writer<'_> {
    /// Writes in the first way that fits at this size.
    pub(super) fn write(&self, pixels: &DynamicImage) -> Result<Option<Fitted>, PictureError> {
        let takes = |media_type| self.recipe.takes(media_type);
        let keeps_only_as_png = self.is_transparent && !takes("image/webp");
        let is_only_png = !takes("image/jpeg") && !takes("image/webp");
        if takes("image/png") && (self.is_lossless || keeps_only_as_png || is_only_png) {
            let bytes = self.png(pixels)?;
            if fits(&bytes, self.recipe) {
                return Ok(Some(Fitted { bytes, media_type: "image/png" }));
            }
        }
        let is_webp = takes("image/webp") && (self.is_transparent || !takes("image/jpeg"));
        if !is_webp && !takes("image/jpeg") {
            return Ok(None);
        }
        for quality in QUALITIES {
            let (bytes, media_type) = if is_webp {
                (webp(pixels, f32::from(quality))?, "image/webp")
            } else {
                (self.jpeg(pixels, quality)?, "image/jpeg")
            };
            if fits(&bytes, self.recipe) {
                return Ok(Some(Fitted { bytes, media_type }));
            }
        }
        Ok(None)
    }

    fn png(&self, pixels: &DynamicImage) -> Result<Vec<u8>, PictureError> {
        let mut bytes = Vec::new();
        let mut encoder = PngEncoder::new_with_quality(
            &mut bytes,
            CompressionType::Default,
            FilterType::Adaptive,
        );
        if let Some(profile) = self.profile_for(pixels.color().has_color()) {
            // An encoder without room for it writes the picture all the same.
            let _ = encoder.set_icc_profile(profile);
        }
        let written = match (pixels.color().has_color(), pixels.color().has_alpha()) {
            (true, true) => DynamicImage::from(pixels.to_rgba8()),
            (true, false) => DynamicImage::from(pixels.to_rgb8()),
            (false, true) => DynamicImage::from(pixels.to_luma_alpha8()),
            (false, false) => DynamicImage::from(pixels.to_luma8()),
        }
        .write_with_encoder(encoder);
        written.map_err(|error| unwritten(&error))?;
        Ok(bytes)
    }

    /// Without transparency: what shines through is white.
    fn jpeg(&self, pixels: &DynamicImage, quality: u8) -> Result<Vec<u8>, PictureError> {
        let mut bytes = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
        let has_color = pixels.color().has_color();
        if let Some(profile) = self.profile_for(has_color) {
            let _ = encoder.set_icc_profile(profile);
        }
        let written = if self.is_transparent {
            DynamicImage::from(on_white(pixels)).write_with_encoder(encoder)
        } else if has_color {
            DynamicImage::from(pixels.to_rgb8()).write_with_encoder(encoder)
        } else {
            DynamicImage::from(pixels.to_luma8()).write_with_encoder(encoder)
        };
        written.map_err(|error| unwritten(&error))?;
        Ok(bytes)
    }

    /// The profile, when it is one of the colours that are written.
    ///
    /// Source: ICC.1:2022, 7.2.6: the colour space is at byte 16.
    fn profile_for(&self, has_color: bool) -> Option<Vec<u8>> {
        let space: &[u8] = if has_color { b"RGB " } else { b"GRAY" };
        let profile = self.profile.as_ref()?;
        (profile.get(16..20) == Some(space)).then(|| profile.clone())
    }
}

pub(super) fn is_transparent(pixels: &DynamicImage) -> bool {
    pixels.color().has_alpha() && pixels.pixels().any(|(_, _, pixel)| pixel.0[3] < 255)
}

fn on_white(pixels: &DynamicImage) -> image::RgbImage {
    image::RgbImage::from_fn(pixels.width(), pixels.height(), |x, y| {
        let [red, green, blue, alpha] = pixels.get_pixel(x, y).0;
        let over = |colour: u8| {
            let mixed = u32::from(colour) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
            u8::try_from(mixed / 255).unwrap_or(u8::MAX)
        };
        image::Rgb([over(red), over(green), over(blue)])
    })
}

fn unwritten(error: &image::ImageError) -> PictureError {
    PictureError::Damaged(format!("it cannot be written again: {error}"))
}
