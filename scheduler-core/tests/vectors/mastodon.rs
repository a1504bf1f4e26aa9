//! Mastodon: graphemes after its discounts, content warning and text together.
//!
//! Source: <https://github.com/mastodon/mastodon/blob/v4.6.5/app/validators/status_length_validator.rb>.

use scheduler_core::platform::Platform;

use crate::support::{FAMILY, Network, Table, Vector, a, image};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Mastodon, rows: &[("", 15)], number: 15, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Mastodon);
    let link_of_60 = format!("https://example.com/{}", "p".repeat(40));
    let too_long = ["text.too_long"];
    vec![
        on.text(1, "", a(500)).counts(500).accepted(),
        on.text(2, "", a(501)).counts(501).refused(too_long),
        on.text(3, "", "Hello https://example.com/a/very/long/path?query=1").counts(29).accepted(),
        on.text(4, "", "http://a.co").counts(23).accepted(),
        on.text(5, "", "example.com/page").counts(16).accepted(),
        on.text(6, "", "Hi @alice@mastodon.example!").counts(10).accepted(),
        on.text(7, "", FAMILY.repeat(500)).counts(500).accepted(),
        on.text(8, "", "e\u{301}").counts(1).accepted(),
        on.text(9, "", a(499)).option("spoilerText", "CW").counts(501).refused(too_long),
        on.text(10, "", "seehttps://example.com/x").counts(24).accepted(),
        on.text(11, "", "https://localhost:3000/x").counts(24).accepted(),
        on.text(12, "", "https://example.com/(test).").counts(24).accepted(),
        on.text(13, "", format!("{} {link_of_60}", a(477))).counts(501).refused(too_long),
        on.text(14, "", "").counts(0).refused(["post.text.missing"]),
        on.text(15, "", "").files([image()]).counts(0).accepted(),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
