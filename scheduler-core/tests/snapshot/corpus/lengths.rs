//! Texts at the limit of each network and one over, in the unit that it counts.

use crate::case::{Case, image, text, video};

/// Seven code points, eleven UTF-16 units, 25 bytes, one grapheme cluster.
const FAMILY: &str = "👨‍👩‍👧‍👦";

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    // X, Bluesky, Threads and Mastodon, Pinterest, Telegram beside files, Discord, TikTok and
    // Instagram, LinkedIn, TikTok beside images, Telegram, YouTube, Facebook, Tumblr.
    for limit in
        [280, 300, 500, 800, 1024, 2000, 2200, 3000, 4000, 4096, 5000, 63_206, 64_000_usize]
    {
        for length in [limit, limit + 1] {
            cases.push(text(format!("{length} letters"), "a".repeat(length)));
        }
    }
    for length in [1024, 1025, 4000, 4001] {
        let case = text(format!("{length} letters beside an image"), "a".repeat(length));
        cases.push(case.media([image()]));
    }
    for length in [1024, 1025, 2200, 2201] {
        let case = text(format!("{length} letters beside a video"), "a".repeat(length));
        cases.push(case.media([video()]));
    }
    for (name, piece, times) in [
        ("accented letters, bytes of Threads", "é", 250),
        ("accented letters, bytes of YouTube", "é", 2500),
        ("kanji, bytes of Threads", "日", 166),
        ("kanji, bytes of YouTube", "日", 1666),
        ("kanji, weighted characters of X", "日", 140),
        ("kanji, characters of Bluesky", "日", 300),
        ("kanji, units of LinkedIn", "日", 3000),
        ("emoji, bytes of Threads", "👍", 125),
        ("emoji, weighted characters of X", "👍", 140),
        ("emoji, units of TikTok", "👍", 1100),
        ("emoji, units of LinkedIn", "👍", 1500),
        ("emoji, characters of Discord", "👍", 2000),
        ("emoji, characters of Pinterest", "👍", 800),
        ("emoji, characters of Mastodon", "👍", 500),
        ("flags, clusters of Bluesky", "🇺🇸", 300),
        ("families, bytes of Bluesky", FAMILY, 120),
        ("families, weighted characters of X", FAMILY, 140),
        ("families, characters of Telegram", FAMILY, 585),
        ("families, characters of Discord", FAMILY, 285),
        ("families, clusters of Mastodon", FAMILY, 500),
        ("pairs of CR LF, clusters of Bluesky", "a\r\n", 150),
        ("signs that LinkedIn has escaped", "(", 1500),
        ("decomposed letters, characters of Telegram", "e\u{301}", 4096),
    ] {
        cases.push(text(format!("{name}: {times}"), piece.repeat(times)));
        cases.push(text(format!("{name}: {}", times + 1), piece.repeat(times + 1)));
    }
    for (name, content) in [
        ("2198 letters and an emoji", format!("{}👍", "a".repeat(2198))),
        ("2199 letters and an emoji", format!("{}👍", "a".repeat(2199))),
        ("63 205 letters and an emoji", format!("{}👍", "a".repeat(63_205))),
        ("499 letters and a curly apostrophe", format!("{}’", "a".repeat(499))),
        ("1000 paragraphs", vec!["a"; 1000].join("\n\n")),
        ("1001 paragraphs", vec!["a"; 1001].join("\n\n")),
        ("white space around 500 letters", format!("  {} \n", "a".repeat(500))),
        ("a link of 400 characters", format!("https://example.com/{}", "p".repeat(380))),
        (
            "257 letters and a link",
            format!("{} https://example.com/{}", "a".repeat(256), "p".repeat(80)),
        ),
        (
            "258 letters and a link",
            format!("{} https://example.com/{}", "a".repeat(257), "p".repeat(80)),
        ),
    ] {
        cases.push(text(name, content));
    }
    cases
}
