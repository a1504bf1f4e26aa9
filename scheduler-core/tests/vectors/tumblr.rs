//! Tumblr: code points and the blocks that they make.
//!
//! Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Post Content Limits".

use scheduler_core::platform::Platform;
use scheduler_core::text::tumblr;

use crate::support::{Network, Table, Vector, a, image};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Tumblr, rows: &[("", 13)], number: 13, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Tumblr);
    let flag_of_england = "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
    let links = "https://example.com/a ".repeat(101);
    let marked: usize = tumblr::blocks(&links).iter().map(|block| block.links.len()).sum();
    vec![
        blocks(on.text(1, "", a(4096)), 1).counts(4096).accepted(),
        blocks(on.text(2, "", a(4097)), 2).counts(4097).accepted(),
        blocks(on.text(3, "", "😻".repeat(4096)), 1).counts(4096).accepted(),
        blocks(on.text(4, "", "👨‍👨‍👦"), 1).counts(5).accepted(),
        blocks(on.text(5, "", flag_of_england), 1).counts(7).accepted(),
        blocks(on.text(6, "", "one\n\ntwo"), 2).counts(8).accepted(),
        blocks(on.text(7, "", "one\ntwo"), 1).counts(7).accepted(),
        blocks(on.text(8, "", a(64_000)), 16).counts(64_000).accepted(),
        on.text(9, "", a(64_001)).counts(64_001).refused(["text.too_long"]),
        blocks(on.text(10, "", vec!["a"; 1001].join("\n\n")), 1001)
            .refused(["text.too_many_paragraphs"]),
        blocks(on.text(11, "", ""), 0).counts(0).refused(["post.text.missing"]),
        blocks(on.text(12, "", ""), 0).files([image()]).counts(0).accepted(),
        on.text(13, "", links.as_str())
            .has("links", tumblr::link_count(&links), 101)
            .has("marked links", marked, 100)
            .warned("links.many"),
    ]
}

/// States the number of text blocks.
fn blocks(vector: Vector, want: usize) -> Vector {
    let sent = vector.sent();
    let vector = vector.has("blocks", tumblr::blocks(&sent).len(), want);
    vector.has("counted blocks", tumblr::block_count(&sent), want)
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
