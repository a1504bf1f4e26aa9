//! Pictures that are made to fit.

use image::{DynamicImage, GenericImageView, ImageFormat};
use scheduler_core::media::Recipe;
use scheduler_core::platform::{Platform, bluesky};

use super::real::{RED, exif, half_transparent, halves, jpeg_with, noise, png_with, written};
use crate::PictureError;
use crate::picture::{Fitted, fit};

const MEMORY: u64 = 256 * 1024 * 1024;

fn fitted(file: &[u8], format: ImageFormat, recipe: &Recipe) -> Result<Fitted, PictureError> {
    fit(file, format.to_mime_type(), format, recipe, MEMORY)
}

fn pixels(fitted: &Fitted) -> DynamicImage {
    image::load_from_memory(&fitted.bytes).unwrap()
}

fn holds(file: &[u8], text: &[u8]) -> bool {
    file.windows(text.len()).any(|window| window == text)
}

#[test]
fn what_fits_stays_as_it_is() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif] {
        let file = written(&halves(800, 600), format);
        let kept = fitted(&file, format, &bluesky::IMAGE_RECIPE).unwrap();
        assert_eq!((kept.bytes == file, kept.media_type), (true, format.to_mime_type()));
    }
}

#[test]
fn metadata_goes_and_pixels_stay() {
    let place = [&b"Exif\0\0"[..], b"II*\0 52.5 north"].concat();
    let file = jpeg_with(
        &halves(800, 600),
        &[
            (0xe1, &exif(1)),
            (0xe1, &place),
            (0xfe, b"by somebody"),
            (0xe2, b"ICC_PROFILE\0\x01\x01"),
        ],
    );
    let made = fitted(&file, ImageFormat::Jpeg, &bluesky::IMAGE_RECIPE).unwrap();
    assert!(!holds(&made.bytes, b"north") && !holds(&made.bytes, b"somebody"));
    assert!(holds(&made.bytes, b"ICC_PROFILE"), "colours would change");
    assert_eq!(made.bytes.len(), file.len() - exif(1).len() - place.len() - 11 - 3 * 4);
    let texts: [(&[u8; 4], &[u8]); 2] = [(b"tEXt", b"Author\0somebody"), (b"tIME", &[0; 7])];
    let file = png_with(&halves(800, 600), &texts);
    let made = fitted(&file, ImageFormat::Png, &bluesky::IMAGE_RECIPE).unwrap();
    assert_eq!(made.bytes, written(&halves(800, 600), ImageFormat::Png));
    let whole = Recipe { strips_metadata: false, ..bluesky::IMAGE_RECIPE };
    assert_eq!(fitted(&file, ImageFormat::Png, &whole).unwrap().bytes, file);
}

#[test]
fn pixels_before_metadata_stay() {
    let file = written(&halves(800, 600), ImageFormat::Jpeg);
    let end = file.len() - 2;
    let noted = [&file[..end], b"\xff\xfe\0\x0aby me...", &file[end..]].concat();
    let made = fitted(&noted, ImageFormat::Jpeg, &bluesky::IMAGE_RECIPE).unwrap();
    assert!(made.bytes == file, "{} bytes instead of {}", made.bytes.len(), file.len());
}

#[test]
fn orientation_is_applied_when_metadata_goes() {
    let file = jpeg_with(&halves(80, 40), &[(0xe1, &exif(6))]);
    let made = fitted(&file, ImageFormat::Jpeg, &bluesky::IMAGE_RECIPE).unwrap();
    assert!(!holds(&made.bytes, b"Exif"));
    let pixels = pixels(&made);
    assert_eq!(pixels.dimensions(), (40, 80));
    assert!(pixels.get_pixel(20, 10).0[0].abs_diff(RED[0]) < 20, "red is above");
}

#[test]
fn large_pictures_become_small_enough() {
    for (name, file, format, want_type, want_side) in [
        (
            "long",
            written(&halves(5_000, 100), ImageFormat::Jpeg),
            ImageFormat::Jpeg,
            "image/jpeg",
            Some(4_000),
        ),
        (
            "many bytes, without losses",
            written(&noise(1_600, 1_600), ImageFormat::Png),
            ImageFormat::Png,
            "image/jpeg",
            None,
        ),
        (
            "a type that is not taken",
            written(&halves(800, 600), ImageFormat::Bmp),
            ImageFormat::Bmp,
            "image/png",
            Some(800),
        ),
        (
            "transparent",
            written(&half_transparent(4_400, 300), ImageFormat::WebP),
            ImageFormat::WebP,
            "image/webp",
            Some(4_000),
        ),
    ] {
        let made = fitted(&file, format, &bluesky::IMAGE_RECIPE).unwrap();
        let pixels = pixels(&made);
        let side = pixels.width().max(pixels.height());
        assert!(made.bytes.len() <= 2_000_000, "{name}: {}", made.bytes.len());
        assert_eq!(made.media_type, want_type, "{name}");
        assert!(want_side.is_none_or(|want| want == side), "{name}: {side}");
    }
}

#[test]
fn smaller_bounds_cost_quality_and_then_size() {
    let file = written(&noise(600, 600), ImageFormat::Png);
    let mut last = u64::MAX;
    for bytes_max in [400_000, 100_000, 20_000, 5_000] {
        let recipe = Recipe { bytes_max, media_types: &["image/jpeg"], ..bluesky::IMAGE_RECIPE };
        let made = fitted(&file, ImageFormat::Png, &recipe).unwrap();
        let size = made.bytes.len() as u64;
        assert!(size <= bytes_max && size < last && size > bytes_max / 10, "{bytes_max}: {size}");
        last = size;
    }
    let recipe = Recipe { bytes_max: 100, ..bluesky::IMAGE_RECIPE };
    let told = fitted(&file, ImageFormat::Png, &recipe).unwrap_err();
    assert_eq!(told.to_string(), "cannot be made as small as 100 bytes");
}

#[test]
fn transparency_becomes_white_where_the_type_has_none() {
    let recipe = Recipe { media_types: &["image/jpeg"], ..bluesky::IMAGE_RECIPE };
    let file = written(&half_transparent(200, 100), ImageFormat::Png);
    let made = fitted(&file, ImageFormat::Png, &recipe).unwrap();
    let pixels = pixels(&made);
    assert!(pixels.get_pixel(180, 50).0[..3].iter().all(|value| *value > 240));
    assert!(pixels.get_pixel(20, 50).0[0].abs_diff(RED[0]) < 20);
}

/// What each network's recipe makes of the same pictures: its type, size and bytes.
#[test]
fn recipes_of_the_networks() {
    let recipe = |platform: Platform| platform.sheet().media.picture_recipe.unwrap();
    for (platform, file, format, want_type, want_size) in [
        (
            Platform::Instagram,
            written(&halves(5_000, 4_500), ImageFormat::Png),
            ImageFormat::Png,
            "image/jpeg",
            (4_096, 3_686),
        ),
        (
            Platform::Instagram,
            written(&halves(800, 600), ImageFormat::WebP),
            ImageFormat::WebP,
            "image/jpeg",
            (800, 600),
        ),
        (
            Platform::Mastodon,
            written(&halves(7_000, 5_000), ImageFormat::Jpeg),
            ImageFormat::Jpeg,
            "image/jpeg",
            (3_407, 2_434),
        ),
        (
            Platform::Tiktok,
            jpeg_with(&halves(4_032, 3_024), &[(0xe1, &exif(6))]),
            ImageFormat::Jpeg,
            "image/jpeg",
            (1_080, 1_440),
        ),
        (
            Platform::Threads,
            written(&half_transparent(800, 600), ImageFormat::WebP),
            ImageFormat::WebP,
            "image/png",
            (800, 600),
        ),
        (
            Platform::Tumblr,
            written(&half_transparent(4_000, 600), ImageFormat::WebP),
            ImageFormat::WebP,
            "image/webp",
            (3_000, 450),
        ),
        (
            Platform::Facebook,
            written(&half_transparent(800, 600), ImageFormat::WebP),
            ImageFormat::WebP,
            "image/jpeg",
            (800, 600),
        ),
    ] {
        let recipe = recipe(platform);
        let made = fitted(&file, format, &recipe).unwrap();
        let pixels = pixels(&made);
        assert_eq!((made.media_type, pixels.dimensions()), (want_type, want_size), "{platform}");
        assert!(made.bytes.len() as u64 <= recipe.bytes_max, "{platform}");
        let is_kept = pixels.color().has_alpha();
        assert_eq!(is_kept, matches!(platform, Platform::Threads | Platform::Tumblr), "{platform}");
    }
}
