//! The text vectors of every network: what it makes of a text, and whether the rules take it.
//!
//! Each network has a file with the rows of its table, a row with several cases as several
//! vectors. The last test prints how many there are:
//! `cargo test -p scheduler-core --test vectors -- --nocapture`.

mod bluesky;
mod discord;
mod facebook;
mod instagram;
mod linkedin;
mod mastodon;
mod pinterest;
mod support;
mod telegram;
mod threads;
mod tiktok;
mod tumblr;
mod twitter;
mod youtube;

use std::collections::BTreeSet;

use scheduler_core::platform::Platform;
use support::Table;

const TABLES: [Table; 13] = [
    youtube::TABLE,
    tiktok::TABLE,
    instagram::TABLE,
    facebook::TABLE,
    threads::TABLE,
    twitter::TABLE,
    linkedin::TABLE,
    pinterest::TABLE,
    bluesky::TABLE,
    mastodon::TABLE,
    telegram::TABLE,
    discord::TABLE,
    tumblr::TABLE,
];

#[test]
#[expect(clippy::print_stdout, reason = "the numbers are for a person")]
fn every_network_has_its_vectors() {
    let networks: BTreeSet<Platform> = TABLES.iter().map(|table| table.platform).collect();
    assert_eq!(networks.len(), Platform::ALL.len());
    let mut sum = 0;
    for table in TABLES {
        table.verify_number();
        println!("vectors: {} {}", table.platform, table.number);
        sum += table.number;
    }
    println!("vectors: in all {sum}");
}
