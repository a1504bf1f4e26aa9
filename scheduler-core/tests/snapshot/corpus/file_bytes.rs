//! Sizes of files, each at a bound of some network and one byte over.

use scheduler_core::platform::Platform;
use scheduler_core::rules::MediaFacts;
use serde_json::json;

use crate::case::{Case, files, image, one_file, video};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // Facebook warns; Bluesky; Facebook warns; LinkedIn warns; Instagram and Threads; Facebook and
    // LinkedIn; Discord and Telegram; Mastodon; TikTok and Pinterest; Tumblr.
    for bound in [
        1_000_000, 2_000_000, 4_000_000, 5_000_000, 8_000_000, 10_000_000, 10_485_760, 16_777_215,
        20_000_000, 20_971_520,
    ] {
        for bytes in [bound, bound + 1] {
            let file = MediaFacts { size_bytes: Some(bytes), ..image() };
            cases.push(one_file(format!("an image of {bytes} bytes"), file));
        }
    }
    for bytes in [1_000_000, 1_000_001] {
        let mime_type = Some("image/png".to_owned());
        let file = MediaFacts { size_bytes: Some(bytes), mime_type, ..image() };
        cases.push(one_file(format!("a PNG image of {bytes} bytes"), file));
    }
    // Tumblr and others; Telegram's animations
    for bytes in [10_485_760, 10_485_761, 52_428_800, 52_428_801] {
        let mime_type = Some("image/gif".to_owned());
        let file = MediaFacts { size_bytes: Some(bytes), mime_type, ..image() };
        cases.push(one_file(format!("a GIF image of {bytes} bytes"), file));
    }
    // Discord; Telegram; Mastodon; Tumblr together; Instagram and Bluesky;
    // LinkedIn; Tumblr; Threads; Pinterest; Facebook warns and TikTok; Facebook; YouTube.
    for bound in [
        10_485_760,
        52_428_800,
        103_809_023,
        104_857_600,
        300_000_000,
        500_000_000,
        524_288_000,
        1_000_000_000,
        2_000_000_000,
        4_000_000_000,
        10_000_000_000,
        274_877_906_944,
    ] {
        for bytes in [bound, bound + 1] {
            cases.push(one_file(format!("a video of {bytes} bytes"), sized(bytes)));
        }
    }
    // Facebook takes no less; LinkedIn takes no less.
    for bytes in [999, 1_000, 74_999, 75_000] {
        cases.push(one_file(format!("a video of {bytes} bytes"), sized(bytes)));
    }
    for bytes in [100_000_000, 100_000_001] {
        let file = MediaFacts { duration_seconds: Some(60.0), ..sized(bytes) };
        cases.push(
            one_file(format!("a story of {bytes} bytes"), file)
                .with(Platform::Instagram, json!({"placement": "story"}))
                .only(Platform::Instagram),
        );
    }
    cases.extend(sums());
    cases.push(one_file("an image of no bytes", MediaFacts { size_bytes: Some(0), ..image() }));
    cases.push(one_file("a video of no bytes", MediaFacts { size_bytes: Some(0), ..video() }));
    cases.push(files(
        "an image of more bytes than there are",
        [MediaFacts { size_bytes: Some(u64::MAX), ..image() }],
    ));
    cases
}

/// Long enough that its bit rate is no issue, and short enough for every network but stories.
fn sized(size_bytes: u64) -> MediaFacts {
    MediaFacts { size_bytes: Some(size_bytes), duration_seconds: Some(290.0), ..video() }
}

fn sums() -> Vec<Case> {
    // Discord, less what a request needs besides; Tumblr.
    [(3, 26_148_864_u64), (6, 104_857_600)]
        .into_iter()
        .flat_map(|(count, bound)| {
            [bound, bound + 1].map(|sum| {
                let each = sum / count;
                let mut media: Vec<MediaFacts> = Vec::new();
                for _ in 1..count {
                    media.push(MediaFacts { size_bytes: Some(each), ..image() });
                }
                let rest = sum - each * (count - 1);
                media.push(MediaFacts { size_bytes: Some(rest), ..image() });
                files(format!("{count} images of {sum} bytes together"), media)
            })
        })
        .collect()
}
