//! Rules of one's own beside the built-in ones: a word that the house does not use, and a hashtag
//! that every post to some networks needs.
//!
//! ```text
//! cargo run --example custom_rule
//! cargo run --example custom_rule -- "My own text"
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::sync::Arc;

use scheduler_core::app::{Scheduler, Settings};
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{ConnectInput, Networks};
use scheduler_core::rules::{
    CustomRule, CustomRules, Draft, Findings, OutgoingTarget, ValidationIssue,
};
use serde_json::json;

/// Words that the house does not use, and what it says instead.
struct HouseWords(&'static [(&'static str, &'static str)]);

impl CustomRule for HouseWords {
    fn id(&self) -> &str {
        "house.words"
    }

    /// Once for the whole post: every network would say the same.
    fn check_post(&self, draft: &Draft<'_>, findings: &mut Findings<'_>) {
        for word in draft.content.split(|sign: char| !sign.is_alphanumeric()) {
            let found = self.0.iter().find(|(unwanted, _)| word.eq_ignore_ascii_case(unwanted));
            if let Some((unwanted, instead)) = found {
                findings.warning(format!("We say \"{instead}\", not \"{unwanted}\"."));
            }
        }
    }
}

/// A hashtag that the text needs where hashtags are read.
struct RequiredHashtag(&'static str);

impl CustomRule for RequiredHashtag {
    fn id(&self) -> &str {
        "house.hashtag"
    }

    /// For each target, by the text that its network will get: a caption of its own counts.
    fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
        let reads_hashtags = matches!(target.platform(), Platform::Mastodon | Platform::Bluesky);
        let has_it = target.text().split_whitespace().any(|word| word == self.0);
        if reads_hashtags && !has_it {
            findings.error(format!("The text needs the hashtag {}.", self.0));
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let rules = CustomRules::new()
        .with(HouseWords(&[("users", "people"), ("utilize", "use")]))
        .with(RequiredHashtag("#spring"));

    let networks = [Platform::Bluesky, Platform::Mastodon, Platform::Telegram];
    let network = Arc::new(MemoryNetwork::new());
    let mut ports = test_ports(Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?)));
    ports.networks = networks
        .into_iter()
        .fold(Networks::default(), |all, platform| all.with(platform, network.clone()));
    let scheduler = Scheduler::new(ports, Settings::default()).with_rules(rules);
    let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    for platform in networks {
        let me = ConnectInput::default();
        scheduler.connect_account(&caller.workspace, platform, &me).await?;
    }

    let own = std::env::args().nth(1);
    let text = own.clone().unwrap_or_else(|| format!("For all our users. {}", "Hi! ".repeat(80)));
    let targets = json!([
        {"platform": "bluesky"},
        {"platform": "mastodon", "options": {"caption": "For all of you #spring"}},
        {"platform": "telegram"},
    ]);
    let input = json!({"content": text.trim(), "queue": true, "targets": targets});
    let created = scheduler.create_post(&caller, serde_json::from_value(input)?, None).await;
    let issues = match created {
        Ok(created) => {
            println!("accepted: {}", created.value.id);
            Vec::new()
        }
        Err(AppError::Refused(refusal)) => {
            assert_eq!(refusal.code, ErrorCode::ValidationFailed);
            refusal.issues
        }
        Err(error) => return Err(error.into()),
    };
    for issue in &issues {
        println!("{}: {}", issue.rule, issue.message);
    }
    if own.is_none() {
        let found: Vec<&str> = issues.iter().map(|issue: &ValidationIssue| &*issue.rule).collect();
        let want = ["post.house.words", "bluesky.text.too_long", "bluesky.house.hashtag"];
        assert_eq!(found, want, "those of the house stand beside those of the networks");
    }
    Ok(())
}
