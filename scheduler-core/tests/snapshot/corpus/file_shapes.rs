//! Pixels and ratios of images and videos, at the bounds of some network and just outside.

use scheduler_core::platform::Platform;
use scheduler_core::rules::MediaFacts;
use serde_json::json;

use crate::case::{Case, files, image, one_file, video};

pub(super) fn cases() -> Vec<Case> {
    let shaped = |file: MediaFacts, (width, height)| MediaFacts {
        width: Some(width),
        height: Some(height),
        ..file
    };
    let mut cases = Vec::new();
    for size in IMAGES {
        let name = format!("an image of {}x{}", size.0, size.1);
        cases.push(one_file(name, shaped(image(), *size)));
    }
    for size in [(1280, 720), (1281, 720)] {
        let gif = MediaFacts { mime_type: Some("image/gif".to_owned()), ..image() };
        cases.push(one_file(format!("a GIF image of {}x{}", size.0, size.1), shaped(gif, size)));
    }
    for size in VIDEOS {
        let name = format!("a video of {}x{}", size.0, size.1);
        cases.push(one_file(name, shaped(video(), *size)));
    }
    for size in [(540, 960), (539, 960), (540, 959), (1080, 1890), (1080, 1880), (1080, 1960)] {
        cases.push(
            one_file(format!("a reel of Facebook of {}x{}", size.0, size.1), shaped(video(), size))
                .with(Platform::Facebook, json!({"asReel": true}))
                .only(Platform::Facebook),
        );
    }
    for (noun, file, sizes) in [
        ("a video", video(), vec![(540, 960), (539, 960), (540, 959), (1080, 1960), (1080, 1880)]),
        ("an image", image(), vec![(1080, 1920), (1080, 1960), (1080, 1880)]),
    ] {
        for size in sizes {
            let name = format!("a story of Facebook, {noun} of {}x{}", size.0, size.1);
            cases.push(
                one_file(name, shaped(file.clone(), size))
                    .with(Platform::Facebook, json!({"placement": "story", "caption": ""}))
                    .only(Platform::Facebook),
            );
        }
    }
    for (noun, file, sizes) in [
        (
            "a video",
            video(),
            vec![(100, 1000), (99, 1000), (1080, 1920), (1080, 1960), (1080, 1880)],
        ),
        ("an image", image(), vec![(320, 569), (1080, 1920), (1080, 1960), (1080, 1880)]),
    ] {
        for size in sizes {
            let name = format!("a story, {noun} of {}x{}", size.0, size.1);
            cases.push(
                one_file(name, shaped(file.clone(), size))
                    .with(Platform::Instagram, json!({"placement": "story"}))
                    .only(Platform::Instagram),
            );
        }
    }
    let pair = |second| [shaped(image(), (1000, 1000)), shaped(image(), second)];
    cases.extend([
        files("two images of one size", pair((1000, 1000))),
        files("two images of one ratio", pair((1001, 1001))),
        files("two images of almost one ratio", pair((1000, 1004))),
        files("two images of two ratios", pair((1000, 1010))),
        files(
            "two images of two ratios beside one of unknown size",
            [MediaFacts { width: None, ..image() }, image(), shaped(image(), (1000, 1010))],
        ),
        one_file("an image without a height", MediaFacts { height: None, ..image() }),
        one_file("an image of no height", shaped(image(), (1080, 0))),
    ]);
    cases
}

/// Widths and heights of images, in pixels.
const IMAGES: &[(u32, u32)] = &[
    // the least width of Instagram and Threads, and their greatest
    (320, 320),
    (319, 319),
    (1440, 1440),
    (1441, 1441),
    // 3:4, 4:5 and 1.91:1 of Instagram, with their tolerance
    (1080, 1440),
    (1000, 1342),
    (1000, 1344),
    (1080, 1350),
    (1000, 1257),
    (1000, 1260),
    (1910, 1000),
    (1920, 1000),
    // 1:10 and 10:1 of Threads
    (330, 3300),
    (330, 3301),
    (3300, 330),
    (3301, 330),
    // 1:2.4 and 2.4:1 of LinkedIn
    (1000, 2400),
    (1000, 2430),
    (2400, 1000),
    (2410, 1000),
    // 1:2.1 of Pinterest, and its least sides
    (1000, 2100),
    (1000, 2130),
    (200, 300),
    (199, 300),
    (200, 299),
    // 1080 x 1920 of TikTok, either way
    (1080, 1920),
    (1081, 1920),
    (1080, 1921),
    (1920, 1080),
    // the greatest width of Tumblr
    (1280, 1280),
    (1281, 1281),
    // the longer side of Bluesky
    (4000, 3000),
    (4001, 3000),
    // pixels of Mastodon, scaled down and refused, and of LinkedIn
    (3840, 2160),
    (3841, 2160),
    (7680, 4320),
    (7681, 4320),
    (7, 5_164_617),
    (5888, 6140),
    // both sides together, and the ratio, of Telegram
    (5000, 5000),
    (5000, 5001),
    (2048, 1080),
    (2049, 1080),
    (2000, 100),
    (2001, 100),
    (100, 2000),
    (99, 2000),
];

/// Widths and heights of videos, in pixels.
const VIDEOS: &[(u32, u32)] = &[
    // the sides of TikTok
    (360, 640),
    (359, 640),
    (2160, 4096),
    (2160, 4097),
    // upright
    (1000, 1000),
    (1001, 1000),
    // the width of Instagram and Threads
    (1920, 1080),
    (1921, 1080),
    // 1:100 and 10:1 of Instagram and Threads
    (100, 10_000),
    (99, 10_000),
    (1000, 100),
    (1001, 100),
    // 9:16, with its tolerance
    (1080, 1950),
    (1080, 1960),
    (1080, 1890),
    (1080, 1880),
    // 1:2 and 1.91:1 of Pinterest
    (1005, 1000),
    (1006, 1000),
    (1000, 2000),
    (1000, 2025),
    (1910, 1000),
    (1920, 1000),
    // 1:2.4 and 2.4:1 of LinkedIn
    (1000, 2400),
    (1000, 2430),
    (2400, 1000),
    (2410, 1000),
    // pixels of Mastodon
    (3840, 2160),
    (3841, 2160),
];
