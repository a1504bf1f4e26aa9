//! Pinterest: description, title, alternative text and link, in code points.
//!
//! Source: <https://github.com/pinterest/api-description>, `v5/openapi.json`, and
//! <https://help.pinterest.com/en/business/article/pinterest-product-specs>.

use scheduler_core::platform::Platform;
use scheduler_core::text::count;

use crate::support::{FAMILY, Network, Table, Vector, a, image};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Pinterest, rows: &[("", 13)], number: 20, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Pinterest).option("boardId", "1").files([image()]);
    let title = |case, length: usize| {
        let text = "t".repeat(length);
        on.text(10, case, "Hello")
            .has("title", count::code_points(&text), length)
            .option("title", text)
    };
    let alt_text = |case, length: usize| {
        let text = "x".repeat(length);
        on.text(11, case, "Hello")
            .has("alternative text", count::code_points(&text), length)
            .alt_text(text)
    };
    let long_link = format!("https://{}", "a".repeat(2041));
    vec![
        on.text(1, "", "Hello from the API!").counts(19).accepted(),
        on.text(2, "at the bound", a(500)).counts(500).accepted(),
        on.text(2, "one over", a(501)).counts(501).warned("text.long"),
        on.text(3, "at the limit", a(800)).counts(800).warned("text.long"),
        on.text(3, "one over", a(801)).counts(801).refused(["text.too_long"]),
        on.text(4, "", "の".repeat(800)).counts(800).warned("text.long"),
        on.text(5, "at the limit", "😀".repeat(800)).counts(800).warned("text.long"),
        on.text(5, "one over", "😀".repeat(801)).counts(801).refused(["text.too_long"]),
        on.text(6, "", FAMILY).counts(7).accepted(),
        on.text(7, "composed", "caf\u{e9}").counts(4).accepted(),
        on.text(7, "decomposed", "cafe\u{301}").counts(5).accepted(),
        on.text(8, "", "see https://example.com/x #tips").counts(31).accepted(),
        on.text(9, "", "").counts(0).accepted(),
        title("at the limit", 100).accepted(),
        title("one over", 101).refused(["title.too_long"]),
        alt_text("at the limit", 500).accepted(),
        alt_text("one over", 501).refused(["alt_text.too_long"]),
        on.text(12, "another scheme", "Hello")
            .link("ftp://example.com")
            .refused(["link.not_allowed"]),
        on.text(12, "one over", "Hello")
            .has("link", count::code_points(&long_link), 2049)
            .link(long_link)
            .refused(["link.too_long"]),
        on.text(13, "", "a\r\nb").counts(3).accepted(),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
