//! Threads: texts in characters and bytes of emoji, links and topic tags.
//!
//! Source: <https://developers.facebook.com/documentation/threads/> and
//! <https://github.com/gitroomhq/postiz-app/pull/1946>.

use scheduler_core::platform::Platform;
use scheduler_core::text::entities;

use crate::support::{FAMILY, Network, Table, Vector, a, image};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Threads, rows: &[("", 14)], number: 28, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Threads);
    let links = |number: usize| {
        let links: Vec<String> = (1..=number).map(|n| format!("https://example.com/{n}")).collect();
        links.join(" ")
    };
    let same = ["https://example.com/a"; 6].join(" ");
    let too_long = ["text.too_long"];
    vec![
        on.text(1, "", "Hello").counts(5).accepted(),
        on.text(2, "at the limit", a(500)).counts(500).accepted(),
        on.text(2, "one over", a(501)).counts(501).refused(too_long),
        on.text(3, "at the limit in bytes", format!("{}’", a(497))).counts(498).accepted(),
        on.text(3, "one byte over", format!("{}’", a(498))).counts(499).warned("text.long"),
        on.text(3, "at the limit", format!("{}’", a(499))).counts(500).warned("text.long"),
        on.text(3, "one over", format!("{}’", a(500))).counts(501).refused(too_long),
        on.text(4, "at the limit", format!("{}👍", a(496))).counts(500).accepted(),
        on.text(4, "one over", format!("{}👍", a(497))).counts(501).refused(too_long),
        on.text(5, "at the limit", format!("{}{FAMILY}", a(475))).counts(500).accepted(),
        on.text(5, "one over", format!("{}{FAMILY}", a(476))).counts(501).refused(too_long),
        on.text(6, "within in bytes", "日".repeat(166)).counts(166).accepted(),
        on.text(6, "one over in bytes", "日".repeat(167)).counts(167).warned("text.long"),
        on.text(6, "at the limit", "日".repeat(500)).counts(500).warned("text.long"),
        on.text(6, "one over", "日".repeat(501)).counts(501).refused(too_long),
        on.text(7, "composed", "\u{e9}").counts(1).accepted(),
        on.text(7, "decomposed", "e\u{301}").counts(2).accepted(),
        on.text(8, "a flag", "🇫🇷").counts(8).accepted(),
        on.text(8, "a skin tone", "👍🏽").counts(8).accepted(),
        on.text(8, "a keycap", "1️⃣").counts(7).accepted(),
        on.text(9, "", "https://example.com/a").counts(21).accepted(),
        on.text(10, "at the limit", links(5))
            .has("links", entities::different_links(&links(5), None), 5)
            .accepted(),
        on.text(10, "one over", links(6))
            .has("links", entities::different_links(&links(6), None), 6)
            .refused(["links.too_many"]),
        on.text(11, "", same.as_str())
            .has("links", entities::different_links(&same, None), 1)
            .accepted(),
        on.text(12, "", links(5))
            .link("https://example.com/6")
            .has("links", entities::different_links(&links(5), Some("https://example.com/6")), 6)
            .refused(["links.too_many"]),
        on.text(13, "one picture", "").files([image()]).counts(0).accepted(),
        on.text(13, "no file", "").counts(0).refused(["post.text.missing"]),
        on.text(14, "", "#one #two").counts(9).warned("hashtags.many"),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
