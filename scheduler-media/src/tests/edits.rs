//! Versions of pictures.

use image::{GenericImageView, ImageFormat};
use scheduler_core::media::{Crop, Edit, Rectangle, VersionFormat};

use super::real::{RED, exif, half_transparent, halves, jpeg_with, written};
use crate::picture::edit;

const MEMORY: u64 = 256 * 1024 * 1024;

const AS_IT_IS: Edit = Edit { crop: None, max_side: None, format: None };

#[test]
fn versions() {
    let crop = |x, y, width, height| {
        let part = Rectangle { x, y, width, height };
        Edit { crop: Some(Crop::Rectangle(part)), ..AS_IT_IS }
    };
    let square = Edit { crop: Some(Crop::Ratio(1, 1)), ..AS_IT_IS };
    let turned = jpeg_with(&halves(80, 40), &[(0xe1, &exif(6))]);
    for (name, file, format, how, want_type, want_size) in [
        (
            "a ratio of what is seen",
            turned.clone(),
            ImageFormat::Jpeg,
            Edit { crop: Some(Crop::Ratio(1, 2)), ..AS_IT_IS },
            "image/jpeg",
            (40, 80),
        ),
        (
            "a rectangle of what is seen",
            turned,
            ImageFormat::Jpeg,
            crop(0, 60, 40, 20),
            "image/jpeg",
            (40, 20),
        ),
        (
            "cropped, then smaller",
            written(&halves(800, 600), ImageFormat::Png),
            ImageFormat::Png,
            Edit { max_side: Some(100), ..square },
            "image/png",
            (100, 100),
        ),
        (
            "never larger",
            written(&halves(80, 60), ImageFormat::Png),
            ImageFormat::Png,
            Edit { max_side: Some(100), ..AS_IT_IS },
            "image/png",
            (80, 60),
        ),
        (
            "another type",
            written(&half_transparent(80, 60), ImageFormat::Png),
            ImageFormat::Png,
            Edit { format: Some(VersionFormat::Jpeg), ..AS_IT_IS },
            "image/jpeg",
            (80, 60),
        ),
        (
            "a type that is not written",
            written(&half_transparent(80, 60), ImageFormat::WebP),
            ImageFormat::WebP,
            square,
            "image/png",
            (60, 60),
        ),
        (
            "a bitmap",
            written(&halves(80, 60), ImageFormat::Bmp),
            ImageFormat::Bmp,
            square,
            "image/png",
            (60, 60),
        ),
    ] {
        let made = edit(&file, format.to_mime_type(), format, &how, MEMORY).unwrap();
        let pixels = image::load_from_memory(&made.bytes).unwrap();
        assert_eq!((made.media_type, pixels.dimensions()), (want_type, want_size), "{name}");
    }
}

#[test]
fn a_rectangle_is_cut_out_of_the_picture_as_it_is_seen() {
    // Turned by a quarter, red is above.
    let turned = jpeg_with(&halves(80, 40), &[(0xe1, &exif(6))]);
    let cut = |y| {
        let part = Rectangle { x: 0, y, width: 40, height: 20 };
        let how = Edit { crop: Some(Crop::Rectangle(part)), ..AS_IT_IS };
        let made = edit(&turned, "image/jpeg", ImageFormat::Jpeg, &how, MEMORY).unwrap();
        assert!(!made.bytes.windows(4).any(|bytes| bytes == b"Exif"));
        image::load_from_memory(&made.bytes).unwrap().get_pixel(20, 10).0[0]
    };
    assert!(cut(0).abs_diff(RED[0]) < 20);
    assert!(cut(60).abs_diff(RED[0]) > 100);
    let outside = Rectangle { x: 0, y: 61, width: 40, height: 20 };
    let how = Edit { crop: Some(Crop::Rectangle(outside)), ..AS_IT_IS };
    let told = edit(&turned, "image/jpeg", ImageFormat::Jpeg, &how, MEMORY).unwrap_err();
    assert_eq!(told.to_string(), "does not hold the part that was to be cut out of it");
}
