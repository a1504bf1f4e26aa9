//! Pictures.

use std::io::Cursor;

use proptest::prelude::*;

use super::build::{bmp, gif, heif, jpeg, orientation, png, tiff, webp};
use super::{measured, told};

/// The header of a lossy picture.
fn lossy(width: u16, height: u16) -> Vec<u8> {
    [&[0; 3][..], b"\x9d\x01\x2a", &width.to_le_bytes(), &height.to_le_bytes(), &[0; 4]].concat()
}

fn canvas(flags: u8, width: u32, height: u32) -> Vec<u8> {
    let [w, h] = [width - 1, height - 1].map(u32::to_le_bytes);
    [&[flags, 0, 0, 0][..], &w[..3], &h[..3]].concat()
}

#[test]
fn each_container() {
    let exif = |value| [b"Exif\0\0".to_vec(), orientation(value)].concat();
    let lossless = [0x2f, 0x7f, 0xc2, 0x59, 0x00];
    let idat: (&[u8; 4], &[u8]) = (b"IDAT", b"pixels");
    let frames = [0, 0, 0, 12, 0, 0, 0, 0];
    for (name, file, want) in [
        ("JPEG", jpeg(1200, 630, &[(0xe0, b"JFIF\0")]), "image/jpeg 1200x630 #1"),
        ("JPEG, upright", jpeg(1200, 630, &[(0xe1, &exif(1))]), "image/jpeg 1200x630 #1"),
        ("JPEG, upside down", jpeg(1200, 630, &[(0xe1, &exif(3))]), "image/jpeg 1200x630 #1"),
        ("JPEG, turned", jpeg(1200, 630, &[(0xe1, &exif(6))]), "image/jpeg 630x1200 #1"),
        (
            "JPEG, turned and mirrored",
            jpeg(1200, 630, &[(0xe1, &exif(5))]),
            "image/jpeg 630x1200 #1",
        ),
        ("JPEG, no orientation", jpeg(1200, 630, &[(0xe1, &exif(9))]), "image/jpeg 1200x630 #1"),
        (
            "JPEG, broken directory",
            jpeg(1200, 630, &[(0xe1, b"Exif\0\0II*\0\xff\xff\xff\xff")]),
            "image/jpeg 1200x630 #1",
        ),
        ("PNG", png(640, 480, &[idat]), "image/png 640x480 #1"),
        ("PNG, animated", png(640, 480, &[(b"acTL", &frames), idat]), "image/png 640x480 #12"),
        (
            "PNG, a count behind the pixels does not count",
            png(640, 480, &[idat, (b"acTL", &frames)]),
            "image/png 640x480 #1",
        ),
        ("PNG, turned", png(640, 480, &[(b"eXIf", &orientation(8)), idat]), "image/png 480x640 #1"),
        ("GIF", gif(500, 281, 1), "image/gif 500x281 #1"),
        ("GIF, animated", gif(500, 281, 251), "image/gif 500x281 #251"),
        ("WebP, lossy", webp(&[(b"VP8 ", &lossy(640, 480))]), "image/webp 640x480 #1"),
        (
            "WebP, to be enlarged",
            webp(&[(b"VP8 ", &lossy(640 | 0x4000, 480 | 0x8000))]),
            "image/webp 640x480 #1",
        ),
        ("WebP, lossless", webp(&[(b"VP8L", &lossless)]), "image/webp 640x360 #1"),
        (
            "WebP, animated",
            webp(&[(b"VP8X", &canvas(2, 640, 480)), (b"ANMF", b"one"), (b"ANMF", b"two")]),
            "image/webp 640x480 #2",
        ),
        (
            "WebP, turned",
            webp(&[(b"VP8X", &canvas(8, 640, 480)), (b"EXIF", &orientation(6))]),
            "image/webp 480x640 #1",
        ),
        (
            "WebP, turned, with the sign of a JPEG segment",
            webp(&[(b"VP8X", &canvas(8, 640, 480)), (b"EXIF", &exif(6))]),
            "image/webp 480x640 #1",
        ),
        ("BMP", bmp(640, 480), "image/bmp 640x480 #1"),
        ("BMP, top row first", bmp(640, -480), "image/bmp 640x480 #1"),
        ("TIFF", tiff(true, &[(0x100, 4, 640), (0x101, 3, 480)]), "image/tiff 640x480"),
        (
            "TIFF, high byte first, turned",
            tiff(false, &[(0x100, 3, 640), (0x101, 3, 480), (0x112, 3, 6)]),
            "image/tiff 480x640",
        ),
        ("HEIC", heif(b"heic", 4032, 3024, 0), "image/heic 4032x3024"),
        ("HEIC, turned", heif(b"heic", 4032, 3024, 3), "image/heic 3024x4032"),
        ("HEIC, upside down", heif(b"heic", 4032, 3024, 2), "image/heic 4032x3024"),
        ("AVIF", heif(b"avif", 4032, 3024, 0), "image/avif 4032x3024"),
        ("HEIF", heif(b"mif1", 4032, 3024, 0), "image/heif 4032x3024"),
    ] {
        assert_eq!(told(&file), want, "{name}");
    }
}

#[test]
fn what_is_wrong_with_a_picture_is_said() {
    let damaged = "is damaged: ";
    let cut_off = "is cut off: it ends before its pictures do";
    let idat: (&[u8; 4], &[u8]) = (b"IDAT", b"pixels");
    let mut no_frame = jpeg(10, 10, &[]);
    no_frame.drain(2..15);
    let mut claims_more = png(10, 10, &[idat]);
    claims_more.truncate(claims_more.len() - 12);
    for (name, file, want) in [
        ("JPEG of no size", jpeg(0, 10, &[]), format!("{damaged}its width or height is 0")),
        ("JPEG without a frame", no_frame, format!("{damaged}it does not tell its size")),
        ("JPEG without a scan", jpeg(10, 10, &[])[..14].to_vec(), cut_off.to_owned()),
        ("PNG of no size", png(0, 10, &[idat]), format!("{damaged}its width or height is 0")),
        ("PNG without pixels", png(10, 10, &[]), format!("{damaged}it holds no pixels")),
        ("PNG without its end", claims_more, cut_off.to_owned()),
        ("GIF without a picture", gif(10, 10, 0), format!("{damaged}it holds no picture")),
        ("GIF, half", gif(10, 10, 3)[..60].to_vec(), cut_off.to_owned()),
        ("BMP of no size", bmp(0, 10), format!("{damaged}its width or height is 0")),
        ("TIFF of no size", tiff(true, &[]), format!("{damaged}it does not tell its size")),
        ("WebP, half", webp(&[(b"VP8 ", &lossy(9, 9))])[..26].to_vec(), cut_off.to_owned()),
    ] {
        assert_eq!(told(&file), want, "{name}");
    }
}

#[test]
fn a_gif_may_lack_its_last_byte_and_carry_more_behind_it() {
    let mut file = gif(10, 10, 3);
    file.pop();
    assert_eq!(told(&file), "image/gif 10x10 #3");
    assert_eq!(told(&[gif(10, 10, 3), vec![0; 100]].concat()), "image/gif 10x10 #3");
}

proptest! {
    /// A second opinion on every size that both read alike.
    #[test]
    fn sizes_agree_with_another_reader(width in 1_u16..16_384, height in 1_u16..16_384) {
        let (wide, high) = (u32::from(width), u32::from(height));
        for file in [
            jpeg(width, height, &[(0xe0, b"JFIF\0")]),
            png(wide, high, &[(b"IDAT", b"pixels")]),
            gif(width, height, 1),
            webp(&[(b"VP8 ", &lossy(width, height))]),
            webp(&[(b"VP8X", &canvas(0, wide, high))]),
            bmp(wide as i32, high as i32),
            tiff(true, &[(0x100, 3, wide), (0x101, 4, high)]),
            heif(b"heic", wide.max(160), high.max(120), 1),
        ] {
            let ours = measured(&file).unwrap();
            let other = imagesize::reader_size(Cursor::new(&file)).unwrap();
            let ours = (ours.width.map(u64::from), ours.height.map(u64::from));
            prop_assert_eq!(ours, (Some(other.width as u64), Some(other.height as u64)));
        }
    }
}
