//! Instagram: captions, hashtags and mentions.
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/>, `ig-user/media` and
//! `reference/error-codes`.

use scheduler_core::platform::Platform;
use scheduler_core::text::{count, entities};

use crate::support::{FAMILY_OF_THREE, Network, Table, Vector, a, image};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Instagram, rows: &[("", 12)], number: 16, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Instagram).files([image()]);
    let tags = |number: usize| "#t1 ".repeat(number);
    let names = |number: usize| "@u1 ".repeat(number);
    let address = "mail me@example.com #1";
    vec![
        on.text(1, "", "Hello").counts(5).accepted(),
        on.text(2, "at the limit", a(2200)).counts(2200).accepted(),
        on.text(2, "one over", a(2201)).counts(2201).refused(["text.too_long"]),
        on.text(3, "", format!("{}👍", a(2199)))
            .counts(2200)
            .has("units", count::utf16_units(&format!("{}👍", a(2199))), 2201)
            .warned("text.long"),
        on.text(4, "", "日".repeat(2200)).counts(2200).accepted(),
        on.text(5, "", FAMILY_OF_THREE)
            .counts(5)
            .has("units", count::utf16_units(FAMILY_OF_THREE), 8)
            .accepted(),
        on.text(6, "", "e\u{301}").counts(2).accepted(),
        on.text(7, "", "https://example.com/a").counts(21).accepted(),
        on.text(8, "at the limit", tags(30))
            .has("hashtags", entities::hashtags(&tags(30)).len(), 30)
            .warned("hashtags.many"),
        on.text(8, "one over", tags(31))
            .has("hashtags", entities::hashtags(&tags(31)).len(), 31)
            .refused(["hashtags.too_many"]),
        on.text(9, "", tags(6))
            .has("hashtags", entities::hashtags(&tags(6)).len(), 6)
            .warned("hashtags.many"),
        on.text(10, "at the limit", names(20))
            .has("mentions", entities::mentions(&names(20)).len(), 20)
            .accepted(),
        on.text(10, "one over", names(21))
            .has("mentions", entities::mentions(&names(21)).len(), 21)
            .refused(["mentions.too_many"]),
        on.text(11, "", address)
            .has("mentions", entities::mentions(address).len(), 0)
            .has("hashtags", entities::hashtags(address).len(), 0)
            .accepted(),
        on.text(12, "with a picture", "").counts(0).accepted(),
        on.text(12, "without", "")
            .files([])
            .counts(0)
            .refused(["post.text.missing", "media.required"]),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
