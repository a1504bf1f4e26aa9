//! LinkedIn: the visible text in UTF-16 units, and what is sent for it.
//!
//! Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format>.

use scheduler_core::platform::Platform;
use scheduler_core::text::{count, linkedin};

use crate::support::{FAMILY, Network, Table, Vector, a};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Linkedin, rows: &[("", 16)], number: 19, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Linkedin);
    let same = |row, case, text: String| sends(on.text(row, case, text.as_str()), &text);
    let comment = |case, length: usize| {
        let text = "x".repeat(length);
        on.text(14, case, "Hello")
            .has("comment", count::utf16_units(&text), length)
            .option("firstComment", text)
    };
    let too_long = ["text.too_long"];
    vec![
        same(1, "", "Hello from the API!".to_owned()).counts(19).accepted(),
        same(2, "at the limit", a(3000)).counts(3000).accepted(),
        same(2, "one over", a(3001)).counts(3001).refused(too_long),
        same(3, "", "の".repeat(3000)).counts(3000).accepted(),
        same(4, "at the limit", "😀".repeat(1500)).counts(3000).accepted(),
        same(4, "one over", "😀".repeat(1501)).counts(3002).refused(too_long),
        same(5, "", FAMILY.to_owned()).counts(11).accepted(),
        sends(on.text(6, "", "(출처: 통계청)"), r"\(출처: 통계청\)").counts(9).accepted(),
        sends(on.text(7, "", r"a\b"), r"a\\b").counts(3).accepted(),
        sends(on.text(8, "", "snake_case *x* ~y~"), r"snake\_case \*x\* \~y\~")
            .counts(18)
            .accepted(),
        sends(on.text(9, "", "#AI_마케팅 now"), r"{hashtag|\#|AI\_마케팅} now")
            .counts(11)
            .accepted(),
        sends(on.text(10, "", "C# and #2024"), r"C\# and \#2024").counts(12).accepted(),
        sends(on.text(11, "", "me@example.com"), r"me\@example.com").counts(14).accepted(),
        sends(on.text(12, "", "(".repeat(1501)), &r"\(".repeat(1501))
            .counts(1501)
            .warned("text.long_escaped"),
        sends(
            on.text(13, "", "https://example.com/a_b?c=(1)"),
            r"https://example.com/a\_b?c=\(1\)",
        )
        .counts(29)
        .accepted(),
        comment("at the limit", 1250).accepted(),
        comment("one over", 1251).refused(["first_comment.too_long"]),
        on.text(15, "", "").counts(0).refused(["post.text.missing"]),
        sends(on.text(16, "", "a\r\nb"), "a\nb").counts(3).accepted(),
    ]
}

/// States the little text that is sent.
fn sends(vector: Vector, want: &str) -> Vector {
    let sent = vector.sent();
    vector.has("sent", linkedin::little_text(&sent, &[]).as_ref(), want)
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
