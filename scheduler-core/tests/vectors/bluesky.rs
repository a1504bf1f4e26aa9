//! Bluesky: two limits at once, and the facets beside a text.
//!
//! Source: <https://github.com/bluesky-social/atproto>, `lexicons/app/bsky/feed/post.json` and
//! `packages/api/src/rich-text`; the counts and refusals were also measured on a server of it.

use scheduler_core::platform::Platform;
use scheduler_core::text::count;
use scheduler_core::text::facets::{FacetCandidate, FacetFeature, detect};

use crate::support::{FAMILY, Network, Table, Vector, a};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Bluesky, rows: &[("", 12), ("facet ", 14)], number: 42, vectors };

fn vectors() -> Vec<Vector> {
    let mut vectors = counts();
    vectors.extend(facets());
    vectors
}

/// The text as it is typed: what is sent has LF for CR LF.
fn typed(row: u32, case: &str, text: &str, graphemes: usize, bytes: usize) -> Vector {
    Network::new(Platform::Bluesky)
        .text(row, case, text)
        .has("graphemes", count::graphemes(text), graphemes)
        .has("bytes", count::utf8_bytes(text), bytes)
}

fn counts() -> Vec<Vector> {
    let link = format!("https://example.com/{}", "p".repeat(281));
    let ends = |number: usize| "\r\n".repeat(number);
    let too_long = ["text.too_long"];
    vec![
        typed(1, "", "Hello from the API!", 19, 19).counts(19).accepted(),
        typed(2, "at the limit", &a(300), 300, 300).counts(300).accepted(),
        typed(2, "one over", &a(301), 301, 301).counts(301).refused(too_long),
        typed(3, "one", FAMILY, 1, 25).counts(1).accepted(),
        typed(3, "at the limit", &FAMILY.repeat(120), 120, 3000).counts(120).accepted(),
        typed(3, "one over", &FAMILY.repeat(121), 121, 3025)
            .counts(121)
            .refused(["text.too_many_bytes"]),
        typed(4, "at the limit", &"🇺🇸".repeat(300), 300, 2400).counts(300).accepted(),
        typed(4, "one over", &"🇺🇸".repeat(301), 301, 2408).counts(301).refused(too_long),
        typed(5, "", &"の".repeat(300), 300, 900).counts(300).accepted(),
        typed(6, "composed", "caf\u{e9}", 4, 5).counts(4).accepted(),
        typed(6, "decomposed", "cafe\u{301}", 4, 6).counts(4).accepted(),
        typed(7, "one", "a\r\nb", 3, 4).counts(3).accepted(),
        // The network takes a text of line ends alone; to the service it is no text.
        typed(7, "at the limit", &ends(300), 300, 600).counts(300).refused(["post.text.missing"]),
        typed(7, "one over", &ends(301), 301, 602)
            .counts(301)
            .refused(["post.text.missing", "text.too_long"]),
        typed(7, "at the limit, with a letter", &format!("a{}", ends(299)), 300, 599)
            .counts(300)
            .accepted(),
        typed(7, "one over, with a letter", &format!("a{}", ends(300)), 301, 601)
            .counts(301)
            .refused(too_long),
        typed(8, "", "1️⃣", 1, 7).counts(1).accepted(),
        typed(9, "namaste", "नमस्ते", 3, 18).counts(3).accepted(),
        typed(9, "ksha", "क्ष", 1, 9).counts(1).accepted(),
        typed(9, "ni", "நி", 1, 6).counts(1).accepted(),
        typed(10, "", "สวัสดี", 4, 18).counts(4).accepted(),
        typed(11, "", &link, 301, 301).counts(301).refused(too_long),
        typed(12, "", "", 0, 0).counts(0).refused(["post.text.missing"]),
    ]
}

/// A text with its facets: bytes from and to, and the uri, handle (`@`) or tag (`#`).
fn marked(row: u32, case: &str, text: &str, want: &[(usize, usize, &str)]) -> Vector {
    let shown = |FacetCandidate { bytes, feature }: FacetCandidate| {
        let what = match feature {
            FacetFeature::Link { uri } => uri,
            FacetFeature::Mention { handle } => format!("@{handle}"),
            FacetFeature::Tag { tag } => format!("#{tag}"),
        };
        (bytes.start, bytes.end, what)
    };
    let found: Vec<(usize, usize, String)> = detect(text).into_iter().map(shown).collect();
    let want: Vec<(usize, usize, String)> =
        want.iter().map(|(start, end, what)| (*start, *end, (*what).to_owned())).collect();
    Network::new(Platform::Bluesky)
        .prefix("facet ")
        .text(row, case, text)
        .has("facets", found, want)
        .accepted()
}

fn facets() -> Vec<Vector> {
    let example = "✨ example mentioning @atproto.com to share the URL 👨‍❤️‍👨 https://en.wikipedia.org/wiki/CBOR.";
    vec![
        marked(
            1,
            "",
            example,
            &[(23, 35, "@atproto.com"), (74, 108, "https://en.wikipedia.org/wiki/CBOR")],
        )
        .has("bytes", count::utf8_bytes(example), 109),
        marked(2, "", "Hello #rust and #2024", &[(6, 11, "#rust")]),
        marked(3, "", "日本語 #タグ", &[(10, 17, "#タグ")]),
        marked(4, "", "👋 see https://a.example/x.", &[(9, 28, "https://a.example/x")]),
        marked(5, "", "hi @bob.bsky.social!", &[(3, 19, "@bob.bsky.social")]),
        marked(6, "", "see example.com now", &[(4, 15, "https://example.com")]),
        marked(7, "", "(https://a.example/x).", &[(1, 20, "https://a.example/x")]),
        marked(8, "", "visit bsky.app/profile/x, ok", &[(6, 24, "https://bsky.app/profile/x")]),
        marked(9, "", "#a_b-c! #", &[(0, 6, "#a_b-c")]),
        marked(10, "lower case", "$tsla up", &[(0, 5, "#$TSLA")]),
        marked(10, "in brackets", "(see $ABC)", &[(5, 9, "#$ABC")]),
        marked(10, "too long", "$toolong x", &[]),
        marked(11, "without scheme", "see my-site.com now", &[]),
        marked(11, "with one", "see https://my-site.com now", &[(4, 23, "https://my-site.com")]),
        marked(12, "two signs", "https://a.example/x!!", &[(0, 20, "https://a.example/x!")]),
        marked(12, "brackets", "https://a.example/x_(y)", &[(0, 23, "https://a.example/x_(y)")]),
        marked(13, "wide sign", "＃全角 ok", &[(0, 9, "#全角")]),
        marked(13, "digit first", "a #1x b", &[(2, 5, "#1x")]),
        marked(14, "", "me@example.com", &[]),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
