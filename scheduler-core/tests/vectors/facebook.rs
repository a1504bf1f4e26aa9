//! Facebook: messages and links.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/reference/page/> (v26.0).

use scheduler_core::platform::Platform;
use scheduler_core::text::count;

use crate::support::{FAMILY_OF_THREE, Network, Table, Vector, a, image};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Facebook, rows: &[("", 11)], number: 12, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Facebook);
    let with_emoji = format!("{}👍", a(63_205));
    vec![
        on.text(1, "", "Hello").counts(5).accepted(),
        on.text(2, "at the limit", a(63_206)).counts(63_206).accepted(),
        on.text(2, "one over", a(63_207)).counts(63_207).refused(["text.too_long"]),
        on.text(3, "", with_emoji.as_str())
            .counts(63_206)
            .has("units", count::utf16_units(&with_emoji), 63_207)
            .warned("text.long"),
        on.text(4, "", "日".repeat(63_206)).counts(63_206).accepted(),
        on.text(5, "", FAMILY_OF_THREE).counts(5).accepted(),
        on.text(6, "", "e\u{301}").counts(2).accepted(),
        on.text(7, "", "").files([image()]).counts(0).accepted(),
        on.text(8, "", "").link("https://example.com/a").counts(0).accepted(),
        on.text(9, "", "").counts(0).refused(["post.text.missing"]),
        on.text(10, "", "Hello").link("https://www.facebook.com/x").refused(["link.not_allowed"]),
        on.text(11, "", "https://example.com/a").counts(21).accepted(),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
