//! Files that the tests send.

use std::io::Cursor;
use std::path::Path;

use image::{ImageFormat, RgbImage};

/// Bytes of a part of an upload. Source: our decision, Media.
pub(crate) const PART_BYTES: u64 = 16 * 1024 * 1024;

/// A small PNG.
pub(crate) fn picture() -> Vec<u8> {
    let image = RgbImage::from_fn(64, 48, |x, y| image::Rgb([x as u8 * 3, y as u8 * 5, 90]));
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

/// A bitmap of three parts: two whole ones, and a third of about two megabytes.
pub(crate) fn large_picture() -> Vec<u8> {
    let (width, height) = (4_000_u32, 3_000_u32);
    let pixels = width * height * 3;
    let mut file = b"BM".to_vec();
    for number in [54 + pixels, 0, 54, 40, width, height, (24 << 16) | 1, 0, pixels, 0, 0, 0, 0] {
        file.extend(number.to_le_bytes());
    }
    file.resize((54 + pixels) as usize, 0x7f);
    file
}

/// A PNG whose header is right and whose pixels are not.
pub(crate) fn damaged_picture() -> Vec<u8> {
    let mut file = picture();
    let data = file.windows(4).position(|name| name == b"IDAT").unwrap() + 4;
    let end = file.windows(4).position(|name| name == b"IEND").unwrap() - 8;
    file[data..end].fill(0xff);
    file
}

/// Puts a file into a folder.
pub(crate) fn put(folder: &Path, name: &str, file: &[u8]) {
    std::fs::write(folder.join(name), file).unwrap();
}
