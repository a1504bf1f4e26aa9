//! Checks a post against every network's rules with the pure core alone: no runtime, no database,
//! no network.
//!
//! ```text
//! cargo run --example dry_run
//! cargo run --example dry_run -- "My own text"
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use scheduler_core::platform::{AccountLimits, Platform};
use scheduler_core::rules::{Context, Draft, DraftTarget, Severity, check};
use serde_json::Map;

fn main() {
    let text = std::env::args().nth(1).unwrap_or_else(|| {
        format!(
            "{} https://example.com/a/long/way/to/an/article #rust",
            "So much to say. ".repeat(20)
        )
    });
    let options = Map::new();
    let limits = AccountLimits::default();
    let targets: Vec<DraftTarget<'_>> = Platform::ALL
        .into_iter()
        .map(|platform| DraftTarget::new(platform, &options, &limits))
        .collect();
    let draft =
        Draft { content: &text, link_url: None, media: &[], alt_texts: &[], targets: &targets };
    let issues = check(&draft, &Context::default());
    for platform in Platform::ALL {
        let found: Vec<_> =
            issues.iter().filter(|issue| issue.platform == Some(platform)).collect();
        let refused = found.iter().any(|issue| issue.severity == Severity::Error);
        println!("{:10} {}", platform.as_str(), if refused { "refused" } else { "ok" });
        for issue in found {
            println!("           {}: {}", issue.rule, issue.message);
        }
    }
    for issue in issues.iter().filter(|issue| issue.platform.is_none()) {
        println!("the post    {}: {}", issue.rule, issue.message);
    }
}
