//! Discord: code points of content and thread names.
//!
//! Source: <https://docs.discord.com/developers/resources/message> and
//! <https://github.com/discord/discord-api-docs/issues/1315>.

use scheduler_core::platform::Platform;
use scheduler_core::text::count;

use crate::support::{FAMILY, Network, Table, Vector, a, image};

pub(crate) const TABLE: Table =
    Table { platform: Platform::Discord, rows: &[("", 13)], number: 13, vectors };

fn vectors() -> Vec<Vector> {
    let on = Network::new(Platform::Discord);
    let too_long = ["text.too_long"];
    let name = "x".repeat(101);
    vec![
        on.text(1, "", a(2000)).counts(2000).accepted(),
        on.text(2, "", a(2001)).counts(2001).refused(too_long),
        on.text(3, "", "👍".repeat(2000)).counts(2000).accepted(),
        on.text(4, "", FAMILY.repeat(285)).counts(1995).accepted(),
        on.text(5, "", FAMILY.repeat(286)).counts(2002).refused(too_long),
        on.text(6, "", "\u{10ffff} \u{ffff}").counts(3).accepted(),
        on.text(7, "", "<@80351110224678912>").counts(20).accepted(),
        on.text(8, "", "<:mmLol:216154654256398347>").counts(27).accepted(),
        on.text(9, "", "e\u{301}").counts(2).accepted(),
        on.text(10, "", "   ").refused(["post.text.missing"]),
        on.text(11, "", "").files([image()]).counts(0).accepted(),
        on.text(12, "", "Hello")
            .has("thread name", count::code_points(&name), 101)
            .option("threadName", name)
            .refused(["thread_name.too_long"]),
        on.text(13, "", format!("https://example.com/{}", "x".repeat(1980)))
            .counts(2000)
            .accepted(),
    ]
}

#[test]
fn vectors_hold() {
    TABLE.verify();
}
