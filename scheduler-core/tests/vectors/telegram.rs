//! Telegram: code points after its cleaning.
//!
//! Source: <https://github.com/tdlib/td>, `misc.cpp`, `MessageEntity.cpp` and `MessageContent.cpp`.

use scheduler_core::platform::Platform;
use scheduler_core::text::count;

use crate::support::{FAMILY, Network, Table, Vector, a, image};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Telegram, rows: &[("", 14)], number: 14, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Telegram);
    let too_long = ["text.too_long"];
    vec![
        on.text(1, "", a(4096)).counts(4096).accepted(),
        on.text(2, "", a(4097)).counts(4097).refused(too_long),
        on.text(3, "", "👍".repeat(4096))
            .counts(4096)
            .has("units", count::utf16_units(&"👍".repeat(4096)), 8192)
            .accepted(),
        on.text(4, "", FAMILY.repeat(585)).counts(4095).accepted(),
        on.text(5, "", FAMILY.repeat(586)).counts(4102).refused(too_long),
        on.text(6, "", "  hello \n").counts(5).accepted(),
        on.text(7, "", "line1\r\nline2").counts(11).accepted(),
        on.text(8, "", "A\u{30a}").counts(1).warned("text.characters_removed"),
        on.text(9, "", "e\u{301}").counts(2).accepted(),
        on.text(10, "", " \n \n").counts(0).refused(["post.text.missing"]),
        on.text(11, "", "").files([image()]).counts(0).accepted(),
        on.text(12, "", a(1024)).files([image()]).counts(1024).accepted(),
        on.text(13, "", a(1025)).files([image(), image(), image()]).counts(1025).refused(too_long),
        on.text(14, "", format!("https://example.com/{}", "x".repeat(4076)))
            .counts(4096)
            .accepted(),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
