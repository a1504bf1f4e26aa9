//! X: the weighted count, and what a text may not hold.
//!
//! Source: <https://docs.x.com/fundamentals/counting-characters> and
//! <https://github.com/twitter/twitter-text>, `config/v3.json` and `conformance/validate.yml`.

use scheduler_core::platform::Platform;
use scheduler_core::text::count;

use crate::support::{FAMILY, Network, Table, Vector, a};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Twitter, rows: &[("", 20)], number: 34, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Twitter);
    let too_long = ["text.too_long"];
    let unit = Platform::Twitter.sheet().text.unit;
    vec![
        on.text(1, "", "Hello from the API!").counts(19).accepted(),
        on.text(2, "at the limit", a(280)).counts(280).accepted(),
        on.text(2, "one over", a(281)).counts(281).refused(too_long),
        on.text(3, "at the limit", "の".repeat(140)).counts(280).accepted(),
        on.text(3, "one over", "の".repeat(141)).counts(282).refused(too_long),
        on.text(4, "at the limit", format!("{}の", a(278))).counts(280).accepted(),
        on.text(4, "one over", format!("{}の", a(279))).counts(281).refused(too_long),
        on.text(5, "", "Hi http://test.co").counts(26).accepted(),
        on.text(6, "", format!("Look https://example.com/{}", "p".repeat(300)))
            .counts(28)
            .accepted(),
        on.text(7, "", "see example.com now").counts(31).accepted(),
        on.text(8, "", "See https://example.com.").counts(28).accepted(),
        on.text(9, "one", FAMILY).counts(2).accepted(),
        on.text(9, "at the limit", FAMILY.repeat(140)).counts(280).accepted(),
        on.text(9, "one over", FAMILY.repeat(141)).counts(282).refused(too_long),
        on.text(10, "a skin tone", "🙋🏽").counts(2).accepted(),
        on.text(10, "a flag", "🇺🇸").counts(2).accepted(),
        on.text(10, "a keycap", "1️⃣").counts(2).accepted(),
        on.text(10, "a heart", "❤️").counts(2).accepted(),
        on.text(10, "a trade mark", "™").counts(2).accepted(),
        on.text(11, "composed", "caf\u{e9}").counts(4).accepted(),
        on.text(11, "decomposed", "cafe\u{301}").counts(4).accepted(),
        // As typed it counts 4; the line end is sent as LF.
        on.text(12, "", "a\r\nb")
            .has("as typed", count::length(unit, "a\r\nb"), 4)
            .counts(3)
            .accepted(),
        on.text(13, "an ellipsis", "…").counts(2).accepted(),
        on.text(13, "an arrow", "→").counts(2).accepted(),
        on.text(13, "a euro", "€").counts(2).accepted(),
        on.text(14, "Thai", "สวัสดี").counts(6).accepted(),
        on.text(14, "Devanagari", "नमस्ते").counts(6).accepted(),
        on.text(14, "Arabic", "مرحبا").counts(5).accepted(),
        on.text(15, "", "me@example.com").counts(14).accepted(),
        on.text(16, "", "https://www.twitter.com/aloha ".repeat(10)).counts(240).accepted(),
        on.text(17, "", "a\u{feff}b").counts(4).refused(["text.forbidden_character"]),
        on.text(18, "", "").counts(0).refused(["post.text.missing"]),
        on.text(19, "", "$A $B").counts(5).refused(["cashtags.too_many"]),
        on.text(20, "", "   ").counts(3).refused(["post.text.missing"]),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
