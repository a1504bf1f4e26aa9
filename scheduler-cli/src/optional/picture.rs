//! The picture of the demo.

use std::io::Cursor;

use anyhow::Context as _;
use image::codecs::png::PngEncoder;
use image::{Rgb, RgbImage};

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 675;
/// Where the sea begins, in pixels from the top.
const HORIZON: u32 = 430;
/// The middle of the sun and its radius, in pixels.
const SUN: (u32, u32, u32) = (820, 360, 110);

/// The bytes of the picture: a PNG, which some networks take as it is, and others converted.
///
/// # Errors
/// When it cannot be drawn.
pub(crate) fn bytes() -> anyhow::Result<Vec<u8>> {
    let mut file = Cursor::new(Vec::new());
    draw().write_with_encoder(PngEncoder::new(&mut file)).context("cannot draw the picture")?;
    Ok(file.into_inner())
}

/// A low sun over a calm sea.
fn draw() -> RgbImage {
    let (sun_x, sun_y, radius) = SUN;
    RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let distance = x.abs_diff(sun_x).pow(2) + y.abs_diff(sun_y).pow(2);
        let colour = if y < HORIZON && distance < radius.pow(2) {
            [255, 236, 170]
        } else if y < HORIZON {
            between([38, 44, 92], [250, 150, 90], y, HORIZON)
        } else if x.abs_diff(sun_x) < radius.saturating_sub((y - HORIZON) / 4) && y % 14 < 6 {
            [250, 190, 120]
        } else {
            between([96, 78, 120], [14, 22, 48], y - HORIZON, HEIGHT - HORIZON)
        };
        Rgb(colour)
    })
}

/// The colour `part` of `whole` on the way from one to another.
fn between(from: [u8; 3], to: [u8; 3], part: u32, whole: u32) -> [u8; 3] {
    let mix = |from: u8, to: u8| {
        let sum = u32::from(from) * (whole - part) + u32::from(to) * part;
        u8::try_from(sum / whole).unwrap_or(u8::MAX)
    };
    [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])]
}

#[cfg(test)]
mod tests {
    use scheduler_core::platform::Platform;

    use super::*;

    #[test]
    fn colours_lie_between_their_ends() {
        for (part, want) in [(0, [0, 200, 7]), (5, [50, 150, 7]), (10, [100, 100, 7])] {
            assert_eq!(between([0, 200, 7], [100, 100, 7], part, 10), want);
        }
        let picture = draw();
        assert_eq!(picture.get_pixel(SUN.0, SUN.1), &Rgb([255, 236, 170]));
        assert_eq!(picture.get_pixel(0, 0), &Rgb([38, 44, 92]));
    }

    #[test]
    fn every_network_takes_it_that_takes_pictures_and_some_after_a_conversion() {
        let file = bytes().unwrap();
        let measured = scheduler_media::measure(Cursor::new(&file), file.len() as u64).unwrap();
        assert_eq!((measured.width, measured.height), (Some(WIDTH), Some(HEIGHT)));
        let takes_it_as_it_is = |platform: &Platform| {
            let media = platform.sheet().media;
            let as_it_is = media.image_types.has(measured.mime_type);
            assert!(as_it_is || media.picture_recipe.is_some(), "{platform}");
            as_it_is
        };
        let takes_pictures = |platform: &Platform| platform.sheet().supports_image;
        let (plain, converted): (Vec<_>, Vec<_>) =
            Platform::ALL.into_iter().filter(takes_pictures).partition(takes_it_as_it_is);
        assert!(plain.len() > 1, "{plain:?}");
        assert!(!converted.is_empty(), "{converted:?}");
    }
}
