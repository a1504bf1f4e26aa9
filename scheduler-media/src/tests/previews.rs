//! Previews, and files that want to make them expensive.

use image::{DynamicImage, GenericImageView, ImageFormat};

use super::build::{gif, jpeg};
use super::real::{
    BLUE, FORMATS, RED, exif, half_transparent, halves, jpeg_with, noise, png_bomb, png_huge,
    png_with, written,
};
use crate::{PictureError, preview};

const MEMORY: u64 = 64 * 1024 * 1024;

fn shown(file: &[u8], media_type: &str) -> DynamicImage {
    let preview = preview(file, media_type, MEMORY).unwrap();
    image::load_from_memory_with_format(&preview, ImageFormat::WebP).unwrap()
}

fn is_like(pixels: &DynamicImage, x: u32, y: u32, colour: [u8; 3]) -> bool {
    let [red, green, blue, _] = pixels.get_pixel(x, y).0;
    [red, green, blue].iter().zip(colour).all(|(a, b)| a.abs_diff(b) < 40)
}

#[test]
fn every_type_becomes_a_small_webp() {
    for (format, media_type) in FORMATS {
        for (stored, want) in [
            ((2_000, 1_000), (512, 256)),
            ((300, 1_536), (100, 512)),
            ((513, 10), (512, 10)),
            ((40, 20), (40, 20)),
            ((3_000, 1), (512, 1)),
        ] {
            let small = shown(&written(&halves(stored.0, stored.1), format), media_type);
            assert_eq!(small.dimensions(), want, "{media_type} {stored:?}");
            let y = want.1 / 2;
            assert!(is_like(&small, want.0 / 8, y, RED), "{media_type} {stored:?}");
            assert!(is_like(&small, want.0 - want.0 / 8 - 1, y, BLUE), "{media_type} {stored:?}");
            assert!(!small.color().has_alpha() || small.get_pixel(0, 0).0[3] == 255);
        }
    }
}

#[test]
fn orientation_is_applied() {
    for (value, size, at_red, at_blue) in [
        (1, (40, 20), (5, 10), (35, 10)),
        (2, (40, 20), (35, 10), (5, 10)),
        (3, (40, 20), (35, 10), (5, 10)),
        (4, (40, 20), (5, 10), (35, 10)),
        (5, (20, 40), (10, 5), (10, 35)),
        (6, (20, 40), (10, 5), (10, 35)),
        (7, (20, 40), (10, 35), (10, 5)),
        (8, (20, 40), (10, 35), (10, 5)),
    ] {
        let small = shown(&jpeg_with(&halves(40, 20), &[(0xe1, &exif(value))]), "image/jpeg");
        assert_eq!(small.dimensions(), size, "{value}");
        assert!(is_like(&small, at_red.0, at_red.1, RED), "{value}");
        assert!(is_like(&small, at_blue.0, at_blue.1, BLUE), "{value}");
    }
    let turned = png_with(&halves(40, 20), &[(b"eXIf", &exif(6)[6..])]);
    assert_eq!(shown(&turned, "image/png").dimensions(), (20, 40));
}

#[test]
fn transparency_is_kept() {
    for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
        let media_type = format.to_mime_type();
        let small = shown(&written(&half_transparent(1_000, 600), format), media_type);
        assert_eq!(small.get_pixel(20, 20).0[3], 255, "{media_type}");
        assert_eq!(small.get_pixel(490, 20).0[3], 0, "{media_type}");
    }
}

#[test]
fn a_picture_that_is_cut_off_has_no_preview() {
    for (format, media_type) in FORMATS {
        let file = written(&noise(300, 200), format);
        for percent in [10, 50, 90, 99] {
            let cut = preview(&file[..file.len() * percent / 100], media_type, MEMORY);
            assert!(cut.is_err(), "{media_type}, {percent} %");
        }
    }
    let scans = jpeg_with(&halves(40, 20), &[(0xe1, &exif(1))]);
    for end in 0..scans.len() {
        let cut = preview(&scans[..end], "image/jpeg", MEMORY);
        assert!(cut.is_err(), "JPEG, {end} of {}", scans.len());
    }
    assert!(preview(&scans, "image/jpeg", MEMORY).is_ok());
    let longer = [&scans[..], b"something behind"].concat();
    assert!(preview(&longer, "image/jpeg", MEMORY).is_ok());
}

#[test]
fn hostile_pictures_are_refused_before_they_take_memory() {
    let too_large = |result: Result<Vec<u8>, PictureError>| {
        matches!(result, Err(PictureError::TooLarge { .. }))
    };
    assert!(too_large(preview(&png_huge(), "image/png", MEMORY)));
    assert!(too_large(preview(&jpeg(60_000, 60_000, &[]), "image/jpeg", MEMORY)));
    assert!(too_large(preview(&gif(60_000, 60_000, 1), "image/gif", MEMORY)));
    let real = written(&halves(6_000, 4_000), ImageFormat::Jpeg);
    assert!(too_large(preview(&real, "image/jpeg", MEMORY)));
    assert!(preview(&real, "image/jpeg", 2 * MEMORY).is_ok());
    // Its surplus of pixels is never looked at.
    let bomb = preview(&png_bomb(), "image/png", MEMORY);
    assert!(bomb.is_ok() || matches!(bomb, Err(PictureError::Damaged(_))), "{bomb:?}");
}

#[test]
fn a_jpeg_that_is_kept_whole_until_its_last_scan_takes_more() {
    const MIB: u64 = 1024 * 1024;
    // 12 MB of pixels; coefficients of all three colours are 24 MB more.
    let plain = written(&halves(2_000, 2_000), ImageFormat::Jpeg);
    let mut progressive = plain.clone();
    let frame = progressive.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    progressive[frame + 1] = 0xc2;
    assert!(preview(&plain, "image/jpeg", 30 * MIB).is_ok());
    let told = preview(&progressive, "image/jpeg", 30 * MIB);
    assert!(matches!(told, Err(PictureError::TooLarge { .. })), "{told:?}");
    let told = preview(&progressive, "image/jpeg", 60 * MIB);
    assert!(!matches!(told, Err(PictureError::TooLarge { .. })), "{told:?}");
}

#[test]
fn a_tiff_of_which_every_part_is_the_whole_file_is_refused() {
    const ROWS: u32 = 4_000;
    // Blocks that hold nothing, one of 64 bytes, and the sum of it.
    let empty = b"\0\0\0\xff\xff".repeat(1024 * 1024 / 5);
    let part = [b"\x78\x01", &empty[..], b"\x01\x40\0\xbf\xff", &[0; 64], b"\0\x40\0\x01"];
    let part = part.concat();
    let tables = 8 + part.len() as u32;
    let entry = |tag: u16, kind: u16, count: u32, value: u32| {
        let numbers = [tag.to_le_bytes(), kind.to_le_bytes()].concat();
        [numbers, count.to_le_bytes().to_vec(), value.to_le_bytes().to_vec()].concat()
    };
    let file = |compression: u32, rows: u32| {
        let entries = [
            entry(0x100, 4, 1, 64),
            entry(0x101, 4, 1, rows),
            entry(0x102, 3, 1, 8),
            entry(0x103, 3, 1, compression),
            entry(0x106, 3, 1, 1),
            entry(0x111, 4, rows, if rows == 1 { 8 } else { tables }),
            entry(0x115, 3, 1, 1),
            entry(0x116, 4, 1, 1),
            entry(0x117, 4, rows, if rows == 1 { part.len() as u32 } else { tables + 4 * rows }),
        ];
        let directory = tables + 8 * rows;
        let mut file = [b"II*\0", &directory.to_le_bytes()[..], &part].concat();
        file.extend(8_u32.to_le_bytes().repeat(rows as usize));
        file.extend((part.len() as u32).to_le_bytes().repeat(rows as usize));
        file.extend((entries.len() as u16).to_le_bytes());
        file.extend(entries.concat());
        file.extend([0; 4]);
        file
    };
    let whole = preview(&file(8, 1), "image/tiff", MEMORY);
    assert!(whole.is_ok(), "{whole:?}");
    let told = preview(&file(8, ROWS), "image/tiff", MEMORY).unwrap_err();
    assert_eq!(told.to_string(), "is damaged: its parts are read too many times");
    // A JPEG within has a size of its own, which nothing bounds.
    assert_eq!(preview(&file(7, 1), "image/tiff", MEMORY), Err(PictureError::Unsupported));
}

#[test]
fn a_jpeg_of_very_many_scans_is_refused() {
    let file = written(&halves(40, 20), ImageFormat::Jpeg);
    let scan = file.windows(2).position(|pair| pair == [0xff, 0xda]).unwrap();
    let end = file.len() - 2;
    let many = |count: usize| [&file[..end], &file[scan..end].repeat(count), &file[end..]].concat();
    let told = preview(&many(200), "image/jpeg", MEMORY).unwrap_err();
    assert_eq!(told.to_string(), "is damaged: its pixels are written too many times");
}

#[test]
fn what_is_not_decoded_is_said() {
    for media_type in ["image/avif", "image/heic", "image/svg+xml", "video/mp4"] {
        assert_eq!(preview(b"", media_type, MEMORY), Err(PictureError::Unsupported));
    }
    assert!(preview(b"", "image/png", MEMORY).is_err());
}
