//! Posts written in types: what they say, where they go and when; live counters while somebody
//! writes, a dry run, and the body for a server.
//!
//! ```text
//! cargo run --example typed_post
//! cargo run --example typed_post -- "My own text"
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use scheduler_core::app::CheckInput;
use scheduler_core::platform::mastodon::{Mastodon, MastodonVisibility};
use scheduler_core::platform::pinterest::Pinterest;
use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::post::{NewPost, PostInput};
use scheduler_core::rules::{Draft, DraftTarget, measure};
use scheduler_core::timing::{Resolved, Zone, parse_local};
use serde_json::Map;

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).unwrap_or_else(|| {
        format!("{} https://example.com/bread #baking", "So much to say of bread. ".repeat(12))
    });

    // What an editor shows below its box, each time that somebody types.
    let (options, limits) = (Map::new(), AccountLimits::default());
    let networks = [Platform::Twitter, Platform::Bluesky, Platform::Mastodon];
    let targets = networks.map(|platform| DraftTarget::new(platform, &options, &limits));
    let draft =
        Draft { content: &text, link_url: None, media: &[], alt_texts: &[], targets: &targets };
    for counter in measure(&draft) {
        let (network, used, limit) = (counter.platform, counter.used, counter.limit);
        println!("{network}: {used}/{limit} {}", counter.unit.noun());
        if let Some(overflow) = counter.overflow {
            println!("  beyond the limit: {:?}", &counter.text[overflow]);
        }
    }

    // Half past two does not exist on this day; a program can ask before it plans.
    let local = parse_local("2026-03-29T02:30")?;
    let berlin: Zone = "Europe/Berlin".parse()?;
    if let Resolved::Skipped(instant) = berlin.resolve(local) {
        println!("clocks skip {local}; it would be {instant}");
    }

    // The options of a network are a type of their own: no key can be misspelt.
    let unlisted =
        Mastodon { visibility: Some(MastodonVisibility::Unlisted), ..Mastodon::default() };
    let pin = Pinterest { board_id: Some("1234567890".to_owned()), ..Pinterest::default() };
    let post = NewPost::text(text).to(Platform::Bluesky).to(unlisted).to(pin).local(local);

    let report = CheckInput::from(post.clone()).check_by_sheets()?;
    for issue in &report.issues {
        println!("{}: {}", issue.rule, issue.message);
    }
    // The body for `POST /posts` of a server; `Scheduler::create_post` takes the same value.
    println!("{}", serde_json::to_string(&PostInput::from(post))?);
    Ok(())
}
