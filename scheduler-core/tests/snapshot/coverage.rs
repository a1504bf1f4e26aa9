//! Whether the corpus speaks of every rule, and the catalogue of every issue.

use std::collections::BTreeSet;

use scheduler_core::platform::Platform;
use scheduler_core::rules::{Severity, catalogue};

use crate::corpus;

/// The rules of which some post of the corpus gets an issue.
fn raised() -> BTreeSet<(String, Option<Platform>, Severity)> {
    let cases = corpus::themes().into_iter().flat_map(|theme| theme.cases);
    let issues = cases
        .flat_map(|case| case.platforms.clone().into_iter().flat_map(move |of| case.check(of)));
    issues.map(|issue| (issue.rule.into_owned(), issue.platform, issue.severity)).collect()
}

fn catalogued() -> BTreeSet<(String, Option<Platform>, Severity)> {
    let entries = catalogue().into_iter();
    entries.map(|entry| (entry.rule, entry.platform, entry.severity)).collect()
}

fn named(entries: BTreeSet<(String, Option<Platform>, Severity)>) -> Vec<String> {
    entries.into_iter().map(|(rule, _, severity)| format!("{severity:?} {rule}")).collect()
}

#[test]
fn a_post_raises_every_rule_of_the_catalogue() {
    let silent = named(&catalogued() - &raised());
    assert!(silent.is_empty(), "no post of the corpus raises\n  {}", silent.join("\n  "));
}

#[test]
fn the_catalogue_names_every_issue() {
    let unnamed = named(&raised() - &catalogued());
    assert!(unnamed.is_empty(), "the catalogue lacks\n  {}", unnamed.join("\n  "));
}

#[test]
fn every_post_has_a_name_of_its_own() {
    let mut names = BTreeSet::new();
    for theme in corpus::themes() {
        for case in theme.cases {
            assert!(names.insert(case.name.clone()), "{} is there twice", case.name);
        }
    }
    assert!(names.len() >= 200, "{} posts", names.len());
}

#[test]
fn a_check_says_the_same_each_time_and_of_networks_together_as_of_each_alone() {
    for case in corpus::themes().into_iter().flat_map(|theme| theme.cases) {
        for platform in &case.platforms {
            assert_eq!(case.check(*platform), case.check(*platform), "{}", case.name);
        }
        // Networks that get the same files can be asked together.
        let asked = case.platforms.iter().copied();
        let together: Vec<Platform> =
            asked.filter(|of| case.media_for(*of) == case.media_for(Platform::Bluesky)).collect();
        let of_target = case.check_all(&together).into_iter().filter(|i| i.platform.is_some());
        let of_target: Vec<_> = of_target.collect();
        let mut apart = Vec::new();
        for (index, platform) in together.iter().enumerate() {
            let of_one = case.check(*platform).into_iter().filter(|i| i.platform.is_some());
            apart.extend(of_one.map(|mut issue| {
                issue.target = Some(index);
                issue
            }));
        }
        // An empty post is one issue of the post while it is empty for all of them.
        if !of_target.iter().chain(&apart).any(|issue| issue.rule.ends_with(".text.missing")) {
            assert_eq!(of_target, apart, "{}", case.name);
        }
    }
}
