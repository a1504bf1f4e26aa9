//! YouTube: title, description and tags.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/videos>.

use scheduler_core::platform::Platform;
use scheduler_core::text::count;

use crate::support::{FAMILY_OF_THREE, Network, Table, Vector, a, video};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Youtube, rows: &[("", 16)], number: 19, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Youtube).option("title", "T").files([video()]);
    let title = |row, case, title: &str| on.text(row, case, "Hello").option("title", title);
    let tags = ["rust", "web dev", "cli"];
    let (long, also_long) = (a(250), "b".repeat(250));
    let long_tags = [long.as_str(), also_long.as_str()];
    let (units_99, units_101) = (format!("{}👍", a(98)), format!("{}👍", a(99)));
    vec![
        title(1, "at the limit", &a(100)).has("title", count::code_points(&a(100)), 100).accepted(),
        title(2, "one over", &a(101))
            .has("title", count::code_points(&a(101)), 101)
            .refused(["title.too_long"]),
        title(3, "empty", "").refused(["title.empty"]),
        title(3, "spaces only", "   ").refused(["title.empty"]),
        title(4, "a bracket", "Price < 5").refused(["title.forbidden_character"]),
        title(5, "an emoji at the limit", &units_99)
            .has("title", (count::code_points(&units_99), count::utf16_units(&units_99)), (99, 100))
            .accepted(),
        title(6, "an emoji over the limit in units", &units_101)
            .has(
                "title",
                (count::code_points(&units_101), count::utf16_units(&units_101)),
                (100, 101),
            )
            .warned("title.long"),
        on.text(7, "at the limit", a(5000)).counts(5000).accepted(),
        on.text(8, "accents", "é".repeat(2500)).counts(5000).accepted(),
        on.text(9, "accents, one over", "é".repeat(2501)).counts(5002).refused(["text.too_long"]),
        on.text(10, "kanji", "日".repeat(1666)).counts(4998).accepted(),
        on.text(10, "kanji, one over", "日".repeat(1667)).counts(5001).refused(["text.too_long"]),
        on.text(11, "an emoji", format!("{}👍", a(4996))).counts(5000).accepted(),
        on.text(11, "an emoji, one over", format!("{}👍", a(4997)))
            .counts(5001)
            .refused(["text.too_long"]),
        on.text(12, "a family", FAMILY_OF_THREE).counts(18).accepted(),
        on.text(13, "a curly apostrophe", "It’s").counts(6).accepted(),
        on.text(14, "a link", "https://example.com/a").counts(21).accepted(),
        on.text(15, "tags", "Hello")
            .option("tags", tags.to_vec())
            .has("tags", count::tags_together(&tags), 18)
            .accepted(),
        on.text(16, "tags, one over", "Hello")
            .option("tags", long_tags.to_vec())
            .has("tags", count::tags_together(&long_tags), 501)
            .refused(["tags.too_long"]),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
