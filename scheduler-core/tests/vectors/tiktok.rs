//! TikTok: captions of videos and descriptions of photos, in UTF-16 units.
//!
//! Source: <https://developers.tiktok.com/docs/en/>, `content-posting-api-reference-direct-post` and
//! `content-posting-api-reference-photo-post`.

use scheduler_core::platform::Platform;

use crate::support::{FAMILY_OF_THREE, Network, Table, Vector, a, image, video};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Tiktok, rows: &[("", 13)], number: 16, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Tiktok).option("privacy", "SELF_ONLY").files([video()]);
    let photos = || [image(), image()];
    vec![
        on.text(1, "", "Hello").counts(5).accepted(),
        on.text(2, "at the limit", a(2200)).counts(2200).accepted(),
        on.text(2, "one over", a(2201)).counts(2201).refused(["text.too_long"]),
        on.text(3, "", format!("{}👍", a(2198))).counts(2200).accepted(),
        on.text(4, "", format!("{}👍", a(2199))).counts(2201).refused(["text.too_long"]),
        on.text(5, "", FAMILY_OF_THREE).counts(8).accepted(),
        on.text(6, "", "🇫🇷").counts(4).accepted(),
        on.text(7, "", "👍🏽").counts(4).accepted(),
        on.text(8, "", "日".repeat(2200)).counts(2200).accepted(),
        on.text(9, "", "e\u{301}").counts(2).accepted(),
        on.text(10, "in the text", "https://example.com/a").counts(21).accepted(),
        on.text(10, "as the link", "")
            .link("https://example.com/a")
            .counts(21)
            .warned("link.not_clickable"),
        on.text(11, "photos at the limit", a(4000)).files(photos()).counts(4000).accepted(),
        on.text(11, "photos, one over", a(4001))
            .files(photos())
            .counts(4001)
            .refused(["text.too_long"]),
        on.text(12, "", a(3000)).counts(3000).refused(["text.too_long"]),
        on.text(13, "", "").counts(0).accepted(),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
