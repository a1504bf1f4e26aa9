//! Pictures with real pixels.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use super::build::orientation;

pub(super) const RED: [u8; 3] = [220, 20, 30];
pub(super) const BLUE: [u8; 3] = [20, 30, 220];

/// Every type that is decoded.
pub(super) const FORMATS: [(ImageFormat, &str); 6] = [
    (ImageFormat::Jpeg, "image/jpeg"),
    (ImageFormat::Png, "image/png"),
    (ImageFormat::Gif, "image/gif"),
    (ImageFormat::WebP, "image/webp"),
    (ImageFormat::Bmp, "image/bmp"),
    (ImageFormat::Tiff, "image/tiff"),
];

pub(crate) fn written(pixels: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    pixels.write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// Red on the left, blue on the right.
pub(crate) fn halves(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, _| Rgb(if x < width / 2 { RED } else { BLUE })).into()
}

/// Red on the left, nothing on the right.
pub(super) fn half_transparent(width: u32, height: u32) -> DynamicImage {
    let [red, green, blue] = RED;
    RgbaImage::from_fn(width, height, |x, _| {
        Rgba([red, green, blue, if x < width / 2 { 255 } else { 0 }])
    })
    .into()
}

/// Pixels that nothing makes smaller; the same each time.
pub(super) fn noise(width: u32, height: u32) -> DynamicImage {
    let mut state = 1_u64;
    RgbImage::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let [a, b, c, ..] = (state >> 32).to_le_bytes();
        Rgb([a, b, c])
    })
    .into()
}

/// A JPEG with these segments at its beginning.
pub(super) fn jpeg_with(pixels: &DynamicImage, segments: &[(u8, &[u8])]) -> Vec<u8> {
    let file = written(pixels, ImageFormat::Jpeg);
    let mut all = file[..2].to_vec();
    for (marker, data) in segments {
        all.extend([0xff, *marker]);
        all.extend((data.len() as u16 + 2).to_be_bytes());
        all.extend(*data);
    }
    [all, file[2..].to_vec()].concat()
}

/// The segment that tells how a JPEG is turned.
pub(super) fn exif(value: u32) -> Vec<u8> {
    [b"Exif\0\0".to_vec(), orientation(value)].concat()
}

/// A PNG with these chunks behind its header, with their sums.
pub(super) fn png_with(pixels: &DynamicImage, chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let file = written(pixels, ImageFormat::Png);
    let mut all = file[..33].to_vec();
    for (name, data) in chunks {
        all.extend(chunk(name, data));
    }
    [all, file[33..].to_vec()].concat()
}

/// The pixels of a huge picture behind the header of a small one.
pub(super) fn png_bomb() -> Vec<u8> {
    let file = written(&RgbImage::new(6_000, 6_000).into(), ImageFormat::Png);
    let mut header = [10_u32.to_be_bytes(), 10_u32.to_be_bytes()].concat();
    header.extend(&file[24..29]);
    [&file[..8], &chunk(b"IHDR", &header), &file[33..]].concat()
}

/// The header of a huge picture before the pixels of a small one.
pub(super) fn png_huge() -> Vec<u8> {
    let file = written(&halves(40, 20), ImageFormat::Png);
    let mut header = [60_000_u32.to_be_bytes(), 60_000_u32.to_be_bytes()].concat();
    header.extend(&file[24..29]);
    [&file[..8], &chunk(b"IHDR", &header), &file[33..]].concat()
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let sum = [&name[..], data].concat().iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(sum & 1))
        })
    });
    [&(data.len() as u32).to_be_bytes()[..], name, data, &(!sum).to_be_bytes()].concat()
}
