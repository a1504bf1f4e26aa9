//! Rules of one's own beside the built-in ones: a word that the house does not use, a hashtag that
//! every post of one account needs, and nights without posts.
//!
//! ```text
//! cargo run --example custom_rule
//! cargo run --example custom_rule -- "My own text"
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::sync::Arc;

use chrono::Timelike as _;
use scheduler_core::app::{CheckInput, Scheduler, Settings};
use scheduler_core::error::{AppError, ErrorCode};
use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
use scheduler_core::platform::Platform;
use scheduler_core::platform::mastodon::Mastodon;
use scheduler_core::ports::{ConnectInput, Networks};
use scheduler_core::post::{NewPost, PostInput};
use scheduler_core::rules::{
    Counted, CustomRule, Detail, Draft, Finding, Findings, Listing, OutgoingTarget, Place, RuleSet,
    ValidationIssue,
};

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

    /// So that it stands in the catalogue of the set.
    fn describe(&self, listing: &mut Listing<'_>) {
        if listing.platform().is_none() {
            listing.warning("The text has a word that the house does not use.");
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
            // A sentence for people, and data for a program that marks the place.
            let (unit, place) = (Counted::Hashtags, Place::Text);
            let detail = Detail::TooFew { unit, found: 0, least: 1, place };
            let sentence = format!("The text needs the hashtag {}.", self.0);
            findings.error(Finding::from(detail).saying(sentence));
        }
    }
}

/// Nothing goes out between 22 and 7 o'clock where the account is.
struct QuietNights;

impl CustomRule for QuietNights {
    fn id(&self) -> &str {
        "house.night"
    }

    /// Who posts and when is known from the creation of a post on; a check by sheets knows neither.
    fn check_target(&self, target: &OutgoingTarget<'_>, findings: &mut Findings<'_>) {
        let (Some(account), Some(due_at)) = (target.account(), target.due_at()) else { return };
        let local = account.zone.local(due_at);
        if !(7..22).contains(&local.hour()) {
            let name = account.username.unwrap_or("This account");
            findings.warning(format!("{name} sleeps at {}.", local.format("%H:%M")));
        }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let rules = RuleSet::new()
        .with(HouseWords(&[("users", "people"), ("utilize", "use")]))?
        .with(RequiredHashtag("#spring"))?
        .with(QuietNights)?
        .deny_warnings("telegram.*")?
        .without("youtube.media.fps_low")?;
    let own = rules.catalogue().into_iter().filter(|entry| entry.rule.contains(".house."));
    for entry in own {
        println!("{}: {}", entry.rule, entry.sentence);
    }

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
    let caption = Some("For all of you #spring".to_owned());
    let post = NewPost::text(text.trim())
        .to(Platform::Bluesky)
        .to(Mastodon { caption, ..Mastodon::default() })
        .to(Platform::Telegram)
        .at("2026-12-01T23:30:00Z".parse()?);
    let input = PostInput::from(post);
    // The same rules without a store: who posts and when is not known there.
    let report = CheckInput::from(input.clone()).check_with(scheduler.rules(), &[])?;
    println!("{} issues without accounts", report.issues.len());
    let created = scheduler.create_post(&caller, input, None).await;
    let issues = match created {
        Ok(created) => {
            println!("accepted: {}", created.value.id);
            Vec::new()
        }
        Err(AppError::Refused(refusal)) => {
            assert_eq!(refusal.code, ErrorCode::ValidationFailed);
            refusal.issues().to_vec()
        }
        Err(error) => return Err(error.into()),
    };
    for issue in &issues {
        println!("{}: {}", issue.rule, issue.message);
    }
    if own.is_none() {
        let found: Vec<&str> = issues.iter().map(|issue: &ValidationIssue| &*issue.rule).collect();
        let want = [
            "post.house.words",
            "bluesky.text.too_long",
            "bluesky.house.hashtag",
            "bluesky.house.night",
            "mastodon.house.night",
            "telegram.house.night",
        ];
        assert_eq!(found, want, "those of the house stand beside those of the networks");
        assert_eq!(report.issues.len(), 3, "and know who posts when a post is created");
    }
    Ok(())
}
